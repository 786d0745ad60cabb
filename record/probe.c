/* SPDX-License-Identifier: ISC */
/* Probes as attributes of perf events; see probe.h. */
#include "probe.h"
#include "elf.h"
#include "pmu.h"
#include "suggest.h"
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

enum { KIND_N = sizeof kinds / sizeof *kinds, LISTED = 8 };

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
probe_function(struct str spec)
{
	const struct kind *kind = kind_of(spec);
	struct str place = str_from(spec, strlen(kind->word));

	if (strcmp(kind->pmu, "uprobe") == 0)
		(void)str_cut(&place, ':');
	return place;
}

/* Where a function begins in a file. */
/* What a walk over the symbols looks for and has found. */
struct search {
	struct elf *elf;
	struct str name;
	struct buf prefix; /* how C++ and Rust mangle the name, from its length on */
	bool nested;	   /* it has "::" */
	uint64_t *found;   /* different addresses */
	size_t n, cap;
	bool global;	    /* found[0] is of a global symbol, and alone */
	size_t symbols;	    /* how many functions there are */
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

/* NAME, or with a version as in "memcpy@@GLIBC_2.14". */
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
	/* A function that others can name is meant before one of the same name that
	 * belongs to one source file. */
	if (global && !find->global)
		find->n = 0;
	find->global = global;
	for (i = 0; i < find->n; i++)
		if (find->found[i] == s->value)
			return;
	find->found = mem_grow(find->found, &find->cap, find->n + 1, sizeof *find->found);
	find->found[find->n++] = s->value;
}

static void
look_at(struct search *find, const struct elf_symbol *s)
{
	if ((s->type != ELF_FUNC && s->type != ELF_IFUNC && s->type != ELF_NOTYPE) ||
		s->section == 0 || s->section >= 0xff00 || !s->name.n)
		return;
	find->symbols++;
	if (is_name(s->name, find->name) || is_mangled(find, s->name))
		add(find, s);
}

/* The last part of a name with "::". */
static struct str
last_part(struct str name)
{
	size_t colon = str_rfind(name, ':');

	return colon < name.n ? str_from(name, colon + 1) : name;
}

static void
look_like(struct search *find, const struct elf_symbol *s)
{
	struct str word = last_part(find->name);

	if (s->section == 0 || s->section >= 0xff00 ||
		(s->type != ELF_FUNC && s->type != ELF_IFUNC))
		return;
	suggest_offer(&find->nearest, s->name);
	if (!word.n || str_search(s->name, word) == s->name.n)
		return;
	if (find->similar_n++ < LISTED)
		buf_fmt(&find->similar, "%s%.*s", find->similar_n > 1 ? ", " : "",
			(int)s->name.n, s->name.s);
}

static void
each_symbol(struct search *find, void (*look)(struct search *, const struct elf_symbol *))
{
	const struct elf_section *s;
	struct elf_symbol symbol;
	size_t i, j, n;

	for (i = 0; i < find->elf->section_n; i++) {
		s = &find->elf->sections[i];
		if (s->type != ELF_SYMTAB && s->type != ELF_DYNSYM)
			continue;
		n = elf_symbol_count(find->elf, s);
		for (j = 0; j < n; j++)
			if (elf_symbol(find->elf, s, j, &symbol))
				look(find, &symbol);
	}
}

/* Says that there is no such function, and what there is. */
static void
not_there(struct search *find, const char *path, struct buf *why)
{
	buf_fmt(why, "%s has no function '%.*s'", path, (int)find->name.n, find->name.s);
	each_symbol(find, look_like);
	if (find->similar_n) {
		buf_str(why, STR("; with that word in their names: "));
		buf_str(why, buf_view(&find->similar));
		if (find->similar_n > LISTED)
			buf_fmt(why, " and %zu more", find->similar_n - LISTED);
	} else {
		suggest_put(&find->nearest, why);
	}
	if (!find->symbols)
		buf_str(why,
			STR("; it is stripped and names no functions, so give an "
			    "address"));
}

static void
too_many(const struct search *find, const char *path, struct buf *why)
{
	size_t i;

	buf_fmt(why, "%s has %zu functions '%.*s'; give one's address:", path, find->n,
		(int)find->name.n, find->name.s);
	for (i = 0; i < find->n && i < LISTED; i++)
		buf_fmt(why, " 0x%llx", (unsigned long long)find->found[i]);
}

static bool
find_address(struct search *find, const char *path, uint64_t *address, struct buf *why)
{
	if (str_starts(find->name, STR("0x"))) {
		if (str_hex_to_u64(str_from(find->name, 2), address))
			return true;
		buf_fmt(why, "'%.*s' is no address", (int)find->name.n, find->name.s);
		return false;
	}
	each_symbol(find, look_at);
	if (find->n == 1) {
		*address = find->found[0];
		return true;
	}
	if (find->n)
		too_many(find, path, why);
	else
		not_there(find, path, why);
	return false;
}

static void
release(struct search *find)
{
	elf_close(find->elf);
	buf_release(&find->prefix);
	buf_release(&find->similar);
	suggest_release(&find->nearest);
	free(find->found);
}

bool
probe_offset(const char *path, struct str name, uint64_t *offset, struct buf *why)
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
	release(&find);
	return fine;
}

/* What a probe says of itself. */
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
