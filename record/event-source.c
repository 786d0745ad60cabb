/* SPDX-License-Identifier: ISC */
/* PMUs, tracepoints and probes of a machine; see event-source.h. */
#include "event-source.h"
#include "elf.h"
#include "msg.h"
#include "program.h"
#include "suggest.h"
#include "sysfile.h"

#include <errno.h>
#include <limits.h>
#include <unistd.h>

#define DEVICES "%s/sys/bus/event_source/devices"

/* A file of a PMU, and the arguments for it. */
#define DEVICE	      DEVICES "/%.*s"
#define DEVICE_ARG(p) (p)->root, STR_ARG((p)->name)

/* How deep events may nest: terms may name events, which consist of terms. */
enum { DEEPEST = 4 };

/* The most names that a message lists, of files in a folder and of functions. */
enum { NAMED = 16, LISTED = 8 };

/* A name that cannot lead out of its folder. */
static bool
is_plain_name(struct str name)
{
	return name.n && name.s[0] != '.' && !memchr(name.s, '/', name.n);
}

/* Reads a decimal number, or a hexadecimal one that begins with 0x. */
static bool
read_number(struct str text, uint64_t *value)
{
	if (str_starts(text, STR("0x")) || str_starts(text, STR("0X")))
		return str_hex_to_u64(str_from(text, 2), value);
	return str_to_u64(text, value);
}

/* PMUs. */
bool
event_pmu_type(const struct event_pmu *p, uint32_t *type)
{
	int64_t value;

	if (!is_plain_name(p->name) ||
		!sysfile_number(&value, DEVICE "/type", DEVICE_ARG(p)) || value < 0 ||
		value > UINT32_MAX)
		return false;
	*type = (uint32_t)value;
	return true;
}

bool
event_pmu_is_core(const struct event_pmu *p)
{
	return str_eq(p->name, STR("cpu")) ||
		sysfile_exists(DEVICE "/cpus", DEVICE_ARG(p));
}

/* The field of ATTR that a format calls NAME, or NULL. */
static __u64 *
word_of(struct perf_event_attr *attr, struct str name)
{
	if (str_eq(name, STR("config")))
		return &attr->config;
	if (str_eq(name, STR("config1")))
		return &attr->config1;
	if (str_eq(name, STR("config2")))
		return &attr->config2;
#ifdef PERF_ATTR_SIZE_VER8
	if (str_eq(name, STR("config3")))
		return &attr->config3;
#endif
	return NULL;
}

/* Cuts "0-7" or "5" off *RANGES. */
static bool
cut_range(struct str *ranges, uint64_t *low, uint64_t *high)
{
	struct str range = str_cut(ranges, ','), first = str_cut(&range, '-');

	if (!str_to_u64(first, low))
		return false;
	if (!range.n)
		*high = *low;
	else if (!str_to_u64(range, high))
		return false;
	return *low <= *high && *high < 64;
}

/* Puts the bits of VALUE at the ranges of FORMAT, "config1:0-7,32-35", into ATTR.
 * Returns NULL, or an error text. */
static const char *
place_bits(struct perf_event_attr *attr, struct str format, uint64_t value)
{
	struct str ranges = str_trim(format), name = str_cut(&ranges, ':');
	__u64 *word = word_of(attr, name);
	uint64_t low, high, mask;
	unsigned bits;

	if (!word)
		return "uses an event field that fg-record does not support";
	while (ranges.n) {
		if (!cut_range(&ranges, &low, &high))
			return "has an unknown format";
		bits = (unsigned)(high - low + 1);
		mask = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
		*word = (*word & ~(mask << low)) | (value & mask) << low;
		value = bits == 64 ? 0 : value >> bits;
	}
	return value ? "has a value that is too large" : NULL;
}

/* The event whose terms are being parsed. */
struct terms {
	const struct event_pmu *pmu;
	struct perf_event_attr *attr;
	struct str *name;
	unsigned depth;
};

/* Parses a term that every PMU has. Returns false for other terms; sets *WHY if the
 * value is wrong. */
static bool
parse_common(struct terms *t, struct str term, struct str text, const char **why)
{
	__u64 *word = word_of(t->attr, term);
	uint64_t value = 0;

	if (str_eq(term, STR("name"))) {
		*t->name = text;
		*why = text.n ? NULL : "is empty";
		return true;
	}
	if (!word && !str_eq(term, STR("period")) && !str_eq(term, STR("freq")))
		return false;
	if (!read_number(text, &value)) {
		*why = "is not a number";
	} else if (word) {
		*word = value;
	} else {
		t->attr->freq = str_eq(term, STR("freq"));
		t->attr->sample_period = value;
		*why = value ? NULL : "is 0";
	}
	return true;
}

/* Parses the term by its format. A term without a value is 1. */
static bool
parse_by_format(struct terms *t, struct str term, struct str text, const char **why)
{
	struct buf format = { 0 };
	uint64_t value = 1;
	bool found = is_plain_name(term) &&
		sysfile_read(&format, DEVICE "/format/%.*s", DEVICE_ARG(t->pmu),
			STR_ARG(term));

	if (found && text.s && !read_number(text, &value))
		*why = str_eq(text, STR("?")) ? "needs a value" : "is not a number";
	else if (found)
		*why = place_bits(t->attr, buf_view(&format), value);
	buf_release(&format);
	return found;
}

static bool parse_terms(struct terms *t, struct str text);

/* Parses the terms of the PMU's event NAME. */
static bool
parse_event(struct terms *t, struct str name, bool *fine)
{
	struct str unused;
	struct terms inner = { t->pmu, t->attr, &unused, t->depth + 1 };
	struct buf text = { 0 };

	if (t->depth == DEEPEST || !is_plain_name(name) ||
		!sysfile_read(
			&text, DEVICE "/events/%.*s", DEVICE_ARG(t->pmu), STR_ARG(name)))
		return false;
	*fine = parse_terms(&inner, buf_view(&text));
	buf_release(&text);
	return true;
}

/* Whether a file in the folder of events is an event: others describe its count,
 * "energy-psys.unit". */
static bool
is_event_file(struct str name)
{
	return str_find(name, '.') == name.n;
}

/* Lists the names in the folder, for a message. */
static void
put_names(struct buf *b, const struct event_pmu *p, const char *folder)
{
	struct arena text = { 0 };
	struct sysfile_names names;
	size_t i, n = 0;

	(void)sysfile_folder(&names, &text, DEVICE "/%s", DEVICE_ARG(p), folder);
	for (i = 0; i < names.n && n < NAMED; i++)
		if (is_event_file(names.items[i]))
			buf_fmt(b, "%s%.*s", n++ ? ", " : "", STR_ARG(names.items[i]));
	if (i < names.n)
		buf_str(b, STR(", ..."));
	if (!n)
		buf_str(b, STR("none"));
	arena_release(&text);
}

static void
complain(const struct event_pmu *p, struct str term, const char *why)
{
	struct buf b = { 0 };

	if (why) {
		msg_error("%.*s: term '%.*s' %s", STR_ARG(p->name), STR_ARG(term), why);
		return;
	}
	buf_fmt(&b, "%.*s has no term or event '%.*s'; terms: ", STR_ARG(p->name),
		STR_ARG(term));
	put_names(&b, p, "format");
	buf_str(&b, STR("; events: "));
	put_names(&b, p, "events");
	msg_error("%s", buf_cstr(&b));
	buf_release(&b);
}

static bool
parse_terms(struct terms *t, struct str terms)
{
	struct str text, term;
	const char *why;
	bool found, fine, valued;

	while (terms.n) {
		text = str_cut(&terms, ',');
		valued = str_find(text, '=') < text.n;
		term = str_cut(&text, '=');
		if (!valued)
			text = (struct str){ 0 };
		why = NULL;
		fine = true;
		found = parse_common(t, term, text, &why) ||
			parse_by_format(t, term, text, &why) ||
			(!text.s && parse_event(t, term, &fine));
		if (!fine)
			return false;
		if (!found || why) {
			complain(t->pmu, term, why);
			return false;
		}
	}
	return true;
}

bool
event_pmu_parse(const struct event_pmu *p, struct str terms, struct perf_event_attr *attr,
	struct str *name)
{
	struct terms t = { .pmu = p, .attr = attr, .name = name };
	uint32_t type;

	if (!event_pmu_type(p, &type))
		return false;
	attr->type = type;
	return parse_terms(&t, terms);
}

bool
event_pmu_find(struct event_pmu *p, struct str event, struct arena *text)
{
	struct sysfile_names pmus;
	size_t i;

	if (!is_plain_name(event))
		return false;
	(void)sysfile_folder(&pmus, text, DEVICES, p->root);
	for (i = 0; i < pmus.n; i++) {
		p->name = pmus.items[i];
		if (sysfile_exists(DEVICE "/events/%.*s", DEVICE_ARG(p), STR_ARG(event)))
			return true;
	}
	return false;
}

bool
event_has_core(const char *root)
{
	struct event_pmu p = { .root = root };
	struct sysfile_names pmus;
	struct arena text = { 0 };
	bool found = false;
	size_t i;

	(void)sysfile_folder(&pmus, &text, DEVICES, root);
	for (i = 0; i < pmus.n && !found; i++) {
		p.name = pmus.items[i];
		found = event_pmu_is_core(&p);
	}
	arena_release(&text);
	return found;
}

static void
each_of_pmu(const struct event_pmu *p, event_call *call, void *context)
{
	struct sysfile_names events;
	struct arena text = { 0 };
	struct buf b = { 0 };
	size_t i;

	(void)sysfile_folder(&events, &text, DEVICE "/events", DEVICE_ARG(p));
	for (i = 0; i < events.n; i++) {
		if (!is_event_file(events.items[i]))
			continue;
		buf_clear(&b);
		buf_fmt(&b, "%.*s/%.*s/", STR_ARG(p->name), STR_ARG(events.items[i]));
		call(context, PERF_TYPE_RAW, buf_view(&b), events.items[i]);
	}
	buf_release(&b);
	arena_release(&text);
}

void
event_each_of_pmus(const char *root, event_call *call, void *context)
{
	struct event_pmu p = { .root = root };
	struct sysfile_names pmus;
	struct arena text = { 0 };
	size_t i;

	(void)sysfile_folder(&pmus, &text, DEVICES, root);
	for (i = 0; i < pmus.n; i++) {
		p.name = pmus.items[i];
		each_of_pmu(&p, call, context);
	}
	arena_release(&text);
}

/* Tracepoints. */
static const char *const mounts[] = { "sys/kernel/tracing", "sys/kernel/debug/tracing" };

enum { MOUNT_N = sizeof mounts / sizeof *mounts };

/* Lists the tracepoints of GROUP, or the groups if it is empty, in TEXT. Returns false
 * if they cannot be read; errno is ENOENT if tracefs is not mounted. */
static bool
list_tracepoints(const char *root, struct str group, struct sysfile_names *names,
	struct arena *text)
{
	int error = ENOENT;
	size_t i;

	for (i = 0; i < MOUNT_N; i++) {
		if (sysfile_folder(names, text, "%s/%s/events/%.*s", root, mounts[i],
			    STR_ARG(group)))
			return true;
		if (errno != ENOENT)
			error = errno;
	}
	errno = error;
	return false;
}

static void
each_of_group(const char *root, struct str group, event_call *call, void *context)
{
	struct sysfile_names names;
	struct arena text = { 0 };
	struct buf b = { 0 };
	struct str name;
	size_t i;

	(void)list_tracepoints(root, group, &names, &text);
	for (i = 0; i < names.n; i++) {
		name = names.items[i];
		if (str_find(name, '.') < name.n || str_eq(name, STR("enable")) ||
			str_eq(name, STR("filter")))
			continue;
		buf_clear(&b);
		buf_fmt(&b, "%.*s:%.*s", STR_ARG(group), STR_ARG(name));
		call(context, PERF_TYPE_TRACEPOINT, buf_view(&b), STR(""));
	}
	buf_release(&b);
	arena_release(&text);
}

bool
event_each_tracepoint(const char *root, event_call *call, void *context)
{
	struct sysfile_names groups;
	struct arena text = { 0 };
	bool fine = list_tracepoints(root, STR(""), &groups, &text);
	int error = errno;
	size_t i;

	for (i = 0; i < groups.n; i++)
		each_of_group(root, groups.items[i], call, context);
	arena_release(&text);
	errno = error;
	return fine;
}

/* Explains ERROR, from reading the folder of events or an id. */
static void
explain(struct buf *why, int error)
{
	if (error == ENOENT)
		buf_str(why,
			STR("tracefs is not mounted, so tracepoints are unavailable; "
			    "as root: mount -t tracefs nodev "
			    "/sys/kernel/tracing"));
	else
		buf_fmt(why,
			"/sys/kernel/tracing cannot be read (%s); run as root, or make it "
			"readable, as root: mount -o remount,mode=755 /sys/kernel/tracing",
			strerror(error));
}

/* Explains why there is no tracepoint NAME in GROUP. */
static void
put_missing(const char *root, struct str group, struct str name, struct buf *why)
{
	struct sysfile_names names;
	struct arena text = { 0 };

	if (!list_tracepoints(root, STR(""), &names, &text))
		explain(why, errno);
	else if (!list_tracepoints(root, group, &names, &text))
		buf_fmt(why, "this kernel has no tracepoints of a group '%.*s'",
			STR_ARG(group));
	else
		buf_fmt(why, "the group %.*s has no tracepoint '%.*s'", STR_ARG(group),
			STR_ARG(name));
	arena_release(&text);
}

bool
event_tracepoint(
	const char *root, struct str spec, struct perf_event_attr *attr, struct buf *why)
{
	struct str name = spec, group = str_cut(&name, ':');
	int64_t value = -1;
	size_t i;

	if (!is_plain_name(group) || !is_plain_name(name)) {
		buf_str(why, STR("a tracepoint is GROUP:NAME"));
		return false;
	}
	for (i = 0; i < MOUNT_N; i++) {
		if (sysfile_number(&value, "%s/%s/events/%.*s/%.*s/id", root, mounts[i],
			    STR_ARG(group), STR_ARG(name)) &&
			value >= 0 && value <= UINT32_MAX) {
			attr->type = PERF_TYPE_TRACEPOINT;
			attr->config = (uint64_t)value;
			return true;
		}
		if (errno != ENOENT) {
			explain(why, errno);
			return false;
		}
	}
	put_missing(root, group, name, why);
	return false;
}

/* Probes. */
static const struct kind {
	const char *word, *pmu;
	bool back; /* when the function returns */
} kinds[] = {
	{ "uprobe:", "uprobe", false },
	{ "uretprobe:", "uprobe", true },
	{ "kprobe:", "kprobe", false },
	{ "kretprobe:", "kprobe", true },
};

static const struct kind *
kind_of(struct str spec)
{
	size_t i;

	for (i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (str_starts(spec, str_of(kinds[i].word)))
			return &kinds[i];
	return NULL;
}

bool
event_is_probe(struct str spec)
{
	return kind_of(spec) != NULL;
}

struct str
event_probe_function(struct str spec)
{
	const struct kind *kind = kind_of(spec);
	struct str place = str_from(spec, strlen(kind->word));

	if (kind->word[0] == 'u')
		(void)str_cut(&place, ':');
	return place;
}

/* The search for a function in a file, and its result. */
struct search {
	struct elf *elf;
	struct str name;
	struct buf prefix; /* the name as C++ and Rust mangle it, from its length on */
	bool nested;	   /* it has "::" */
	uint64_t *found;   /* distinct addresses */
	size_t n, cap;
	bool global;	    /* found are addresses of global symbols */
	size_t symbols;	    /* functions in the file */
	struct buf similar; /* a list for a message */
	size_t similar_n;
	struct suggest nearest;
};

/* "Tree::insert" as "4Tree6insert". */
static void
mangle(struct buf *b, struct str name)
{
	size_t at;

	while (name.n) {
		at = str_search(name, STR("::"));
		buf_u64(b, at);
		buf_str(b, str_head(name, at));
		name = str_from(name, at + 2);
	}
}

/* Whether S is a mangled form of the name without arguments: _Z6insertPv, and
 * _ZN4Tree6insertEPv, _ZNK..., _ZN4tree6insert17h0123456789abcdefE. */
static bool
is_mangled(const struct search *find, struct str s)
{
	if (!find->prefix.n || !str_starts(s, STR("_Z")))
		return false;
	s = str_from(s, 2);
	if (find->nested) {
		if (!str_starts(s, STR("N")))
			return false;
		s = str_from(s, 1);
		s = str_from(s, str_starts(s, STR("K")));
	}
	if (!str_starts(s, buf_view(&find->prefix)))
		return false;
	s = str_from(s, find->prefix.n);
	return !find->nested || str_starts(s, STR("E")) || str_starts(s, STR("I")) ||
		str_starts(s, STR("17h"));
}

/* Whether SYMBOL is NAME, or NAME with a version as in "memcpy@@GLIBC_2.14". */
static bool
is_name(struct str symbol, struct str name)
{
	return str_starts(symbol, name) &&
		(symbol.n == name.n || symbol.s[name.n] == '@');
}

static void
add(struct search *find, const struct elf_symbol *s)
{
	bool global = s->binding != ELF_LOCAL;
	size_t i;

	if (find->global && !global)
		return;
	/* A global function takes precedence over local ones of the same name. */
	if (global && !find->global)
		find->n = 0;
	find->global = global;
	for (i = 0; i < find->n; i++)
		if (find->found[i] == s->value)
			return;
	*MEM_ADD(find->found, find->n, find->cap) = s->value;
}

static void
look_at(struct search *find, const struct elf_symbol *s)
{
	if (!s->name.n)
		return;
	find->symbols++;
	if (is_name(s->name, find->name) || is_mangled(find, s->name))
		add(find, s);
}

static void
look_like(struct search *find, const struct elf_symbol *s)
{
	/* The last part of a name with "::". */
	size_t colon = str_rfind(find->name, ':');
	struct str word =
		colon < find->name.n ? str_from(find->name, colon + 1) : find->name;

	if (s->type == ELF_NOTYPE)
		return;
	suggest_offer(&find->nearest, s->name);
	if (!word.n || str_search(s->name, word) == s->name.n)
		return;
	if (find->similar_n++ < LISTED)
		buf_fmt(&find->similar, "%s%.*s", find->similar_n > 1 ? ", " : "",
			STR_ARG(s->name));
}

/* Calls LOOK for each function defined in the file. */
static void
each_function(
	struct search *find, void (*look)(struct search *, const struct elf_symbol *))
{
	const struct elf_section *table;
	struct elf_symbol s;
	size_t i, j, n;

	for (i = 0; i < find->elf->section_n; i++) {
		table = &find->elf->sections[i];
		if (table->type != ELF_SYMTAB && table->type != ELF_DYNSYM)
			continue;
		n = elf_symbol_count(find->elf, table);
		for (j = 0; j < n; j++)
			if (elf_symbol(find->elf, table, j, &s) && s.section &&
				s.section < ELF_RESERVED &&
				(s.type == ELF_FUNC || s.type == ELF_IFUNC ||
					s.type == ELF_NOTYPE))
				look(find, &s);
	}
}

/* Explains that the function is missing, and suggests similar names. */
static void
put_nearest(struct search *find, const char *path, struct buf *why)
{
	buf_fmt(why, "%s has no function '%.*s'", path, STR_ARG(find->name));
	each_function(find, look_like);
	if (find->similar_n) {
		buf_str(why, STR("; similar: "));
		buf_str(why, buf_view(&find->similar));
		if (find->similar_n > LISTED)
			buf_fmt(why, " and %zu more", find->similar_n - LISTED);
	} else {
		suggest_put(&find->nearest, why);
	}
	if (!find->symbols)
		buf_str(why, STR("; it is stripped: give an address"));
}

/* Whether NAME is an address, "0x1139". *FINE is whether it is valid; if not, WHY
 * explains. */
static bool
parse_address(struct str name, uint64_t *address, bool *fine, struct buf *why)
{
	if (!str_starts(name, STR("0x")))
		return false;
	*fine = str_hex_to_u64(str_from(name, 2), address);
	if (!*fine)
		buf_fmt(why, "'%.*s' is not an address", STR_ARG(name));
	return true;
}

static bool
find_address(struct search *find, const char *path, uint64_t *address, struct buf *why)
{
	bool fine;
	size_t i;

	if (parse_address(find->name, address, &fine, why))
		return fine;
	each_function(find, look_at);
	if (find->n == 1) {
		*address = find->found[0];
		return true;
	}
	if (!find->n) {
		put_nearest(find, path, why);
		return false;
	}
	buf_fmt(why, "%s has %zu functions '%.*s'; give one's address:", path, find->n,
		STR_ARG(find->name));
	for (i = 0; i < find->n && i < LISTED; i++)
		buf_fmt(why, " 0x%llx", (unsigned long long)find->found[i]);
	return false;
}

/* Finds the file offset of the function or address NAME in PATH. Returns false with
 * WHY. */
static bool
find_function(const char *path, struct str name, uint64_t *offset, struct buf *why)
{
	struct search find = { .name = name, .nearest.want = name };
	const char *reason = NULL;
	uint64_t address = 0;
	bool fine;

	find.elf = elf_open(path, &reason);
	if (!find.elf) {
		buf_fmt(why, "%s: %s", path, reason);
		return false;
	}
	find.nested = str_search(name, STR("::")) < name.n;
	mangle(&find.prefix, name);
	fine = find_address(&find, path, &address, why);
	if (fine && !elf_offset(find.elf, address, offset)) {
		buf_fmt(why, "%s has no code at 0x%llx", path,
			(unsigned long long)address);
		fine = false;
	}
	elf_close(find.elf);
	buf_release(&find.prefix);
	buf_release(&find.similar);
	suggest_release(&find.nearest);
	free(find.found);
	return fine;
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
	return read_number(number, offset);
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

/* Finds the file that PATH names, as a shell does: in $PATH if it has no slash. Returns
 * NULL if $PATH lacks it. */
static const char *
find_file(struct str path, struct arena *text)
{
	return memchr(path.s, '/', path.n) ? keep(text, path) : program_find(text, path);
}

/* Sets the type of ATTR, and its bit for returns. */
static bool
set_kind(const char *root, const struct kind *kind, struct perf_event_attr *attr,
	struct buf *why)
{
	struct event_pmu pmu = { root, str_of(kind->pmu) };
	struct buf format = { 0 };
	bool fine;

	if (!event_pmu_type(&pmu, &attr->type)) {
		buf_fmt(why,
			"this kernel has no %ss: /sys/bus/event_source/devices/%s is "
			"missing (it needs Linux 4.17 and CONFIG_%s)",
			kind->pmu, kind->pmu,
			kind->pmu[0] == 'u' ? "UPROBE_EVENTS" : "KPROBE_EVENTS");
		return false;
	}
	fine = !kind->back ||
		(sysfile_read(&format, DEVICE "/format/retprobe", DEVICE_ARG(&pmu)) &&
			!place_bits(attr, buf_view(&format), 1));
	if (!fine)
		buf_fmt(why, "this kernel's PMU %s cannot probe returns", kind->pmu);
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
		buf_fmt(why, "no program '%.*s' in PATH", STR_ARG(path));
		return false;
	}
	if (!find_function(file, rest, &offset, why))
		return false;
	attr->uprobe_path = (uintptr_t)file;
	attr->probe_offset = offset + more;
	return true;
}

/* The kernel itself looks up the name, or refuses it. */
static bool
parse_kernel(struct str name, struct arena *text, struct perf_event_attr *attr,
	uint64_t more, struct buf *why)
{
	uint64_t address = 0;
	bool fine;

	if (!name.n) {
		buf_str(why, STR("a probe is kprobe:FUNCTION"));
		return false;
	}
	if (parse_address(name, &address, &fine, why)) {
		attr->kprobe_addr = address + more;
		return fine;
	}
	attr->kprobe_func = (uintptr_t)keep(text, name);
	attr->probe_offset = more;
	return true;
}

bool
event_probe(const char *root, struct str spec, struct arena *text,
	struct perf_event_attr *attr, struct buf *why)
{
	const struct kind *kind = kind_of(spec);
	struct str place = str_from(spec, kind ? strlen(kind->word) : 0);
	uint64_t more;

	if (!kind || !set_kind(root, kind, attr, why))
		return false;
	if (!cut_offset(&place, &more)) {
		buf_str(why, STR("'+' is not followed by a number of bytes"));
		return false;
	}
	if (kind->back && more) {
		buf_str(why, STR("a return probe cannot have an offset"));
		return false;
	}
	return kind->pmu[0] == 'u' ? parse_user(place, text, attr, more, why)
				   : parse_kernel(place, text, attr, more, why);
}
