/* SPDX-License-Identifier: ISC */
/* Probes as attributes of perf events; see probe.h. */
#include "probe.h"
#include "events-modifiers.h"
#include "pmu.h"
#include "sysfile.h"

#include <limits.h>
#include <unistd.h>

static const struct kind {
	const char *word, *pmu;
	bool back; /* when the function returns */
} kinds[] = {
	{ "uprobe:", "uprobe", false },
	{ "uretprobe:", "uprobe", true },
	{ "kprobe:", "kprobe", false },
	{ "kretprobe:", "kprobe", true },
};

enum { KIND_N = sizeof kinds / sizeof *kinds };

static const struct kind *
kind_of(struct str spec)
{
	size_t i;

	for (i = 0; i < KIND_N; i++)
		if (str_starts(spec, str_of(kinds[i].word)))
			return &kinds[i];
	return NULL;
}

bool
probe_knows(struct str spec)
{
	return kind_of(spec) != NULL;
}

struct str
probe_modifiers(struct str *spec)
{
	const struct kind *kind = kind_of(*spec);
	struct str place = str_from(*spec, kind ? strlen(kind->word) : 0), tail;
	size_t colon;

	if (!kind)
		return STR("");
	if (strcmp(kind->pmu, "uprobe") == 0)
		(void)str_cut(&place, ':');
	colon = str_rfind(place, ':');
	tail = str_from(place, colon + 1);
	/* Foo::u is a name. */
	if (colon == place.n || colon == 0 || place.s[colon - 1] == ':' || !tail.n ||
		!events_modifiers_are(tail))
		return STR("");
	spec->n -= tail.n + 1;
	return tail;
}

/* Cuts "+0x1c" or "+28" off the end of NAME. */
static bool
cut_offset(struct str *name, uint64_t *offset)
{
	size_t plus = str_rfind(*name, '+');
	struct str number = str_from(*name, plus + 1);

	*offset = 0;
	if (plus == name->n)
		return true;
	*name = str_head(*name, plus);
	return str_starts(number, STR("0x")) ? str_hex_to_u64(str_from(number, 2), offset)
					     : str_to_u64(number, offset);
}

static const char *
keep(struct arena *text, struct str s)
{
	char *copy = arena_alloc(text, s.n + 1);

	if (s.n)
		memcpy(copy, s.s, s.n);
	copy[s.n] = '\0';
	return copy;
}

/* The file that PATH names: as a shell finds it when it has no slash. NULL when
 * PATH has none. */
static const char *
find_file(struct str path, struct arena *text)
{
	struct str folders = str_of(getenv("PATH")), folder;
	char file[PATH_MAX];
	int n;

	if (memchr(path.s, '/', path.n))
		return keep(text, path);
	while (folders.n) {
		folder = str_cut(&folders, ':');
		n = snprintf(file, sizeof file, "%.*s/%.*s", (int)folder.n, folder.s,
			(int)path.n, path.s);
		if (folder.n && n > 0 && (size_t)n < sizeof file &&
			access(file, X_OK) == 0)
			return keep(text, str_of(file));
	}
	return NULL;
}

/* Sets the type of ATTR, and its bit for returns. */
static bool
take_kind(const char *root, const struct kind *kind, struct perf_event_attr *attr,
	struct buf *why)
{
	struct pmu pmu = { root, str_of(kind->pmu) };
	struct buf format = { 0 };
	uint32_t type;
	bool fine = true;

	if (!pmu_type(&pmu, &type)) {
		buf_fmt(why,
			"this kernel has no %ss: /sys/bus/event_source/devices/%s is not "
			"there (it is since Linux 4.17, with CONFIG_%s)",
			kind->pmu, kind->pmu,
			kind->pmu[0] == 'u' ? "UPROBE_EVENTS" : "KPROBE_EVENTS");
		return false;
	}
	attr->type = type;
	if (kind->back) {
		fine = sysfile_read(&format,
			       "%s/sys/bus/event_source/devices/%s/format/retprobe", root,
			       kind->pmu) &&
			!pmu_place(attr, buf_view(&format), 1);
		if (!fine)
			buf_fmt(why, "this kernel's PMU %s cannot probe returns",
				kind->pmu);
	}
	buf_release(&format);
	return fine;
}

static bool
parse_user(struct str rest, struct arena *text, struct perf_event_attr *attr,
	uint64_t more, struct buf *why)
{
	struct str path = str_cut(&rest, ':');
	const char *file = path.n ? find_file(path, text) : NULL;
	uint64_t offset;

	if (!path.n || !rest.n) {
		buf_str(why, STR("a probe is uprobe:PATH:FUNCTION"));
		return false;
	}
	if (!file) {
		buf_fmt(why, "no folder of PATH has a program '%.*s'", (int)path.n,
			path.s);
		return false;
	}
	if (!probe_offset(file, rest, &offset, why))
		return false;
	attr->uprobe_path = (uintptr_t)file;
	attr->probe_offset = offset + more;
	return true;
}

/* The kernel finds the name, or refuses it. */
static bool
parse_kernel(struct str name, struct arena *text, struct perf_event_attr *attr,
	uint64_t more, struct buf *why)
{
	uint64_t address = 0;

	if (!name.n) {
		buf_str(why, STR("a probe is kprobe:FUNCTION"));
		return false;
	}
	if (str_starts(name, STR("0x"))) {
		if (!str_hex_to_u64(str_from(name, 2), &address)) {
			buf_fmt(why, "'%.*s' is no address", (int)name.n, name.s);
			return false;
		}
		attr->kprobe_addr = address + more;
		return true;
	}
	attr->kprobe_func = (uintptr_t)keep(text, name);
	attr->probe_offset = more;
	return true;
}

bool
probe_parse(const char *root, struct str spec, struct arena *text,
	struct perf_event_attr *attr, struct buf *why)
{
	const struct kind *kind = kind_of(spec);
	struct str place = str_from(spec, kind ? strlen(kind->word) : 0);
	uint64_t more;

	if (!kind || !take_kind(root, kind, attr, why))
		return false;
	if (!cut_offset(&place, &more)) {
		buf_str(why, STR("what follows '+' is no number of bytes"));
		return false;
	}
	if (kind->back && more) {
		buf_str(why, STR("a return has no place within the function"));
		return false;
	}
	return strcmp(kind->pmu, "uprobe") == 0
		? parse_user(place, text, attr, more, why)
		: parse_kernel(place, text, attr, more, why);
}
