/* SPDX-License-Identifier: ISC */
/* Labels of pprof; see pprof-label.h. */
#include "pprof-label.h"

#include <strings.h>

/* Compared without case; '_' and '-' count as blanks. */
enum pprof_label
pprof_label_of(struct str key)
{
	static const struct {
		const char *key;
		enum pprof_label label;
	} roles[] = { { "thread name", PPROF_LABEL_COMM }, { "comm", PPROF_LABEL_COMM },
		{ "thread", PPROF_LABEL_COMM }, { "process id", PPROF_LABEL_PID },
		{ "pid", PPROF_LABEL_PID }, { "thread id", PPROF_LABEL_TID },
		{ "tid", PPROF_LABEL_TID }, { "end timestamp ns", PPROF_LABEL_TIME } };
	char plain[sizeof "end timestamp ns"];
	size_t i;

	if (key.n >= sizeof plain)
		return PPROF_LABEL_OTHER;
	for (i = 0; i < key.n; i++)
		plain[i] = key.s[i] == '_' || key.s[i] == '-' ? ' ' : key.s[i];
	plain[key.n] = '\0';
	for (i = 0; i < sizeof roles / sizeof *roles; i++)
		if (strcasecmp(plain, roles[i].key) == 0)
			return roles[i].label;
	return PPROF_LABEL_OTHER;
}
