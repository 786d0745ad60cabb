/* SPDX-License-Identifier: ISC */
/* Names of perf events; see event.h. */
#include "event.h"

struct str
event_plain(struct str name)
{
	/* See tools/perf/util/parse-events.l. The name of a tracepoint, after its group,
	 * contains other letters too. */
	static const char letters[] = "ukhGHpPSDIWebR";
	size_t cut = str_rfind(name, ':'), i;

	if (cut == name.n)
		cut = str_rfind(name, '/');
	for (i = cut + 1; i < name.n; i++)
		if (!memchr(letters, name.s[i], sizeof letters - 1))
			return name;
	return str_head(name, cut);
}

bool
event_is_any(struct str filter)
{
	return str_eq(filter, STR("*"));
}

bool
event_matches(struct str name, struct str filter)
{
	struct str plain = event_plain(name);

	/* "cpu_core/cycles/" is the form of perf record's options. */
	if (str_ends(filter, STR("/")))
		filter.n--;
	return event_is_any(filter) || str_eq(filter, name) || str_eq(filter, plain) ||
		(plain.n && str_eq(filter, str_from(plain, str_find(plain, ':') + 1)));
}

bool
event_is_tracepoint(struct str name)
{
	struct str plain = event_plain(name);

	return str_find(plain, ':') < plain.n;
}

bool
event_is_clock(struct str name)
{
	struct str plain = event_plain(name);

	return str_eq(plain, STR("cpu-clock")) || str_eq(plain, STR("task-clock")) ||
		str_eq(plain, STR("off-cpu")) || str_eq(plain, STR("offcpu-time")) ||
		str_eq(plain, STR("wall-clock"));
}
