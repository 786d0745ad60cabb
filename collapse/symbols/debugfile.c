/* SPDX-License-Identifier: ISC */
/*
 * Finds files with code and with debug information; see debugfile.h.
 *
 *	/usr/lib/debug/.build-id/7c/9d1a...e4.debug
 *	~/.debug/.build-id/7c/9d1a...e4/{elf,debug}	perf's cache
 *	/usr/lib/debug/usr/bin/x.debug, .debug/x.debug	.gnu_debuglink, with a CRC
 *	~/.cache/debuginfod_client/7c9d1a...e4/{executable,debuginfo}
 *
 * (GDB manual, Separate Debug Files; debuginfod_find_debuginfo(3); perf-buildid-
 * cache(1).)
 */
/* realpath is in the X/Open part of POSIX. */
#define _XOPEN_SOURCE 700
#include "debugfile.h"
#include "budget.h"
#include "inflate.h"
#include "inlines.h"
#include "mem.h"
#include "regular.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ID_LEAST = 2, ID_MOST = 64 };

bool
debugfile_fits(const struct elf *e, struct str build_id)
{
	return !e->build_id.n || !build_id.n || str_eq(e->build_id, build_id);
}

bool
debugfile_has_dwarf(const struct elf *e)
{
	const struct elf_section *s = elf_section(e, ".debug_info");

	return s && s->type != ELF_NOBITS && s->size > 0;
}

bool
debugfile_has_symbols(const struct elf *e)
{
	size_t i;

	for (i = 0; i < e->section_n; i++)
		if (e->sections[i].type == ELF_SYMTAB &&
			elf_symbol_count(e, &e->sections[i]) > 1)
			return true;
	return false;
}

/* The goal and the result of a search. */
struct search {
	struct str build_id; /* wanted; empty: any */
	bool exact;	     /* reject files without an id */
	bool code;	     /* otherwise debug information */
	uint32_t crc;
	bool has_crc;
	struct buf *path; /* of the result */
	struct elf *found;
};

/* The checksum of .gnu_debuglink, the same as gzip's (RFC 1952, section 8). */
static uint32_t
checksum(struct str bytes)
{
	uint32_t table[256], c, i, bit;
	size_t at;

	for (i = 0; i < 256; i++) {
		c = i;
		for (bit = 0; bit < 8; bit++)
			c = c & 1 ? c >> 1 ^ 0xedb88320 : c >> 1;
		table[i] = c;
	}
	c = UINT32_MAX;
	for (at = 0; at < bytes.n; at++)
		c = table[(c ^ (unsigned char)bytes.s[at]) & 0xff] ^ c >> 8;
	return ~c;
}

static bool
is_right(const struct search *s, const struct elf *e)
{
	if (!debugfile_fits(e, s->build_id) || (s->exact && !e->build_id.n))
		return false;
	/* An id is safer, and does not read the whole file. */
	if (s->has_crc && !(e->build_id.n && s->build_id.n) &&
		checksum(e->bytes) != s->crc)
		return false;
	return s->code || debugfile_has_dwarf(e) || debugfile_has_symbols(e);
}

/* Tries PATH, and empties it for the next one. Returns true if there cannot be a better
 * file. */
static bool
try_path(struct search *s, struct buf *path)
{
	const char *why;
	struct elf *e = elf_open(buf_cstr(path), &why);

	if (e && is_right(s, e) && (!s->found || debugfile_has_dwarf(e))) {
		elf_close(s->found);
		s->found = e;
		buf_clear(s->path);
		buf_str(s->path, buf_view(path));
	} else {
		elf_close(e);
	}
	buf_clear(path);
	return s->found && (s->code || debugfile_has_dwarf(s->found));
}

/* Appends the environment variable NAME. Returns false if it is unset or empty. */
static bool
put_environment(struct buf *b, const char *name)
{
	const char *value = getenv(name);

	if (!value || !*value)
		return false;
	buf_str(b, str_of(value));
	return true;
}

/* Appends "7c/9d1a...". */
static void
put_split_id(struct buf *b, struct str build_id)
{
	buf_hex(b, str_head(build_id, 1));
	buf_char(b, '/');
	buf_hex(b, str_from(build_id, 1));
}

bool
debugfile_perf_cache(
	struct buf *b, struct str name, struct str build_id, const char *file)
{
	if (!put_environment(b, "HOME"))
		return false;
	buf_str(b, STR("/.debug/"));
	buf_str(b, name);
	buf_char(b, '/');
	buf_hex(b, build_id);
	buf_char(b, '/');
	buf_str(b, str_of(file));
	return true;
}

/* Searches the folders of the system and of perf by build id. */
static bool
try_build_id(struct search *s)
{
	struct buf path = { 0 };
	bool done = false;

	if (!s->code) {
		buf_str(&path, STR("/usr/lib/debug/.build-id/"));
		put_split_id(&path, s->build_id);
		buf_str(&path, STR(".debug"));
		done = try_path(s, &path);
	}
	if (!done && put_environment(&path, "HOME")) {
		buf_str(&path, STR("/.debug/.build-id/"));
		put_split_id(&path, s->build_id);
		buf_str(&path, s->code ? STR("/elf") : STR("/debug"));
		done = try_path(s, &path);
	}
	/* Before 4.6, perf linked to the file itself. */
	if (!done && s->code && put_environment(&path, "HOME")) {
		buf_str(&path, STR("/.debug/.build-id/"));
		put_split_id(&path, s->build_id);
		done = try_path(s, &path);
	}
	buf_release(&path);
	return done;
}

/* Searches the cache of debuginfod's client. */
static bool
try_debuginfod(struct search *s)
{
	static const struct {
		const char *variable, *below;
	} caches[] = { { "DEBUGINFOD_CACHE_PATH", "" },
		{ "XDG_CACHE_HOME", "/debuginfod_client" },
		{ "HOME", "/.cache/debuginfod_client" },
		{ "HOME", "/.debuginfod_client_cache" } };
	struct buf path = { 0 };
	bool done = false;
	size_t i;

	for (i = 0; i < sizeof caches / sizeof *caches && !done; i++) {
		if (!put_environment(&path, caches[i].variable))
			continue;
		buf_str(&path, str_of(caches[i].below));
		buf_char(&path, '/');
		buf_hex(&path, s->build_id);
		buf_str(&path, s->code ? STR("/executable") : STR("/debuginfo"));
		done = try_path(s, &path);
	}
	buf_release(&path);
	return done;
}

/* The part of PATH up to and including its last '/'. */
static struct str
folder_of(struct str path)
{
	return str_head(path, path.n - str_base(path).n);
}

/* Searches for NAME near the code in FOLDER, which ends in '/'. */
static bool
try_near(struct search *s, struct str folder, struct str name)
{
	static const struct {
		const char *before, *between;
	} places[] = { { "", "" }, { "", ".debug/" }, { "/usr/lib/debug", "" } };
	struct buf path = { 0 };
	bool done = false;
	size_t i;

	for (i = 0; i < sizeof places / sizeof *places && !done; i++) {
		buf_str(&path, str_of(places[i].before));
		buf_str(&path, folder);
		buf_str(&path, str_of(places[i].between));
		buf_str(&path, name);
		done = try_path(s, &path);
	}
	buf_release(&path);
	return done;
}

/* Searches for the file that CODE at PATH names in .gnu_debuglink: its name, padded to
 * 4 bytes, and its checksum. */
static bool
try_link(struct search *s, struct elf *code, const char *path)
{
	struct bytes b = elf_bytes(code, elf_section(code, ".gnu_debuglink"));
	size_t size = bytes_left(&b);
	struct str name = str_base(bytes_cstr(&b));
	char *real;
	bool done;

	bytes_skip(&b, (4 - (size - bytes_left(&b)) % 4) % 4);
	s->crc = bytes_u32(&b);
	if (b.bad || !name.n)
		return false;
	s->has_crc = true;
	done = try_near(s, folder_of(str_of(path)), name);
	real = done ? NULL : realpath(path, NULL);
	if (real && strcmp(real, path) != 0)
		done = try_near(s, folder_of(str_of(real)), name);
	free(real);
	s->has_crc = false;
	return done;
}

static bool
is_id(struct str build_id)
{
	return build_id.n >= ID_LEAST && build_id.n <= ID_MOST;
}

struct elf *
debugfile_find(struct elf *code, const char *path, struct str build_id, struct buf *found)
{
	struct search s = { .build_id = build_id, .path = found };

	if (code && !s.build_id.n)
		s.build_id = code->build_id;
	if (is_id(s.build_id) && try_build_id(&s))
		return s.found;
	if (code && path && try_link(&s, code, path))
		return s.found;
	if (is_id(s.build_id))
		try_debuginfod(&s);
	return s.found;
}

/* The code with BUILD_ID from perf's cache (~/.debug) or debuginfod's, or NULL. FOUND
 * gets its path; the caller closes the result. */
static struct elf *
find_by_id(struct str build_id, struct buf *found)
{
	struct search s = {
		.build_id = build_id, .path = found, .exact = true, .code = true
	};

	if (is_id(build_id) && !try_build_id(&s))
		try_debuginfod(&s);
	return s.found;
}

#define DELETED STR(" (deleted)")

/* When the file at PATH was written or, with an older time of writing, installed, as
 * packages do. A new hard link, as in perf's cache, does not count as a change. */
static uint64_t
time_of_change(const char *path)
{
	struct stat st;
	time_t t;

	if (stat(path, &st) < 0)
		return 0;
	t = st.st_nlink == 1 && st.st_ctime > st.st_mtime ? st.st_ctime : st.st_mtime;
	return t > 0 ? (uint64_t)t : 0;
}

/* Whether E is the file that was recorded as W. */
static bool
is_recorded(const struct debugfile_code *w, const struct elf *e)
{
	return !w->build_id.n || str_eq(e->build_id, w->build_id);
}

/* Opens the file at PATH if it is the recorded one. */
static struct elf *
open_recorded(struct debugfile_code *w, struct buf *path)
{
	const char *why = NULL;
	struct elf *e = elf_open(buf_cstr(path), &why);

	if (e && is_recorded(w, e)) {
		w->changed = w->build_id.n ? 0 : time_of_change(buf_cstr(path));
		buf_clear(w->found);
		buf_str(w->found, buf_view(path));
		return e;
	}
	if (e)
		w->why = "is not the recorded file (its build id differs)";
	else if (!w->why)
		w->why = why;
	elf_close(e);
	return NULL;
}

/* Opens the file at the path of W, with BELOW under the root of its process. */
static struct elf *
open_path(struct debugfile_code *w, bool below)
{
	struct str path = w->path;
	struct buf b = { 0 };
	struct elf *e = NULL;

	if (!path.n || path.s[0] != '/')
		return NULL;
	if (str_ends(path, DELETED)) {
		path = str_head(path, path.n - DELETED.n);
		/* Another file has its name now. */
		if (!w->build_id.n) {
			w->why = "was deleted";
			return NULL;
		}
	}
	if (below)
		buf_fmt(&b, "/proc/%lu/root", (unsigned long)w->root);
	buf_str(&b, path);
	/* A path cannot have a NUL in it. */
	if (str_find(buf_view(&b), '\0') == b.n)
		e = open_recorded(w, &b);
	buf_release(&b);
	return e;
}

/* Parses the range of our own vdso in a line of /proc/self/maps. */
static bool
read_vdso_line(struct str line, uint64_t *start, uint64_t *end)
{
	struct str range = str_word(&line), first = str_cut(&range, '-');

	return str_ends(str_trim(line), STR("[vdso]")) && str_hex_to_u64(first, start) &&
		str_hex_to_u64(range, end) && *start < *end;
}

/* The vdso of this process, which all processes of a kernel share, or NULL. */
static struct elf *
copy_own_vdso(void)
{
	enum { SIZE_MOST = 1 << 20 };
	uint64_t start = 0, end = 0;
	struct buf maps = { 0 };
	struct str rest, line;
	const char *why;
	char *block;
	ssize_t got;
	int fd;

	regular_read("/proc/self/maps", &maps);
	for (rest = buf_view(&maps); rest.n;) {
		line = str_cut(&rest, '\n');
		if (read_vdso_line(line, &start, &end))
			break;
		start = end = 0;
	}
	buf_release(&maps);
	fd = end - start - 1 < SIZE_MOST ? open("/proc/self/mem", O_RDONLY | O_CLOEXEC)
					 : -1;
	if (fd < 0)
		return NULL;
	block = mem_alloc((size_t)(end - start));
	got = pread(fd, block, (size_t)(end - start), (off_t)start);
	close(fd);
	if (got > 0)
		return elf_of_block(block, (size_t)got, &why);
	free(block);
	return NULL;
}

struct elf *
debugfile_find_vdso(struct debugfile_code *w)
{
	struct buf path = { 0 };
	struct elf *e = NULL;

	if (w->build_id.n &&
		debugfile_perf_cache(&path, STR("[vdso]"), w->build_id, "vdso"))
		e = open_recorded(w, &path);
	buf_release(&path);
	if (e)
		return e;
	e = w->build_id.n || w->local ? copy_own_vdso() : NULL;
	if (e && is_recorded(w, e))
		return e;
	elf_close(e);
	w->why = "belongs to another kernel";
	return NULL;
}

static struct elf *
fetch(struct debuginfod *servers, enum debuginfod_kind kind, struct str build_id,
	struct buf *found)
{
	struct buf digits = { 0 };
	struct elf *e;

	buf_hex(&digits, build_id);
	e = debuginfod_elf(servers, kind, buf_view(&digits), found);
	buf_release(&digits);
	return e;
}

struct elf *
debugfile_fetch(struct debuginfod *servers, const struct elf *code, struct str build_id,
	struct buf *found)
{
	struct str id = code && code->build_id.n ? code->build_id : build_id;
	struct elf *e = fetch(servers, DEBUGINFOD_DEBUG, id, found);

	if (e && (debugfile_has_dwarf(e) || debugfile_has_symbols(e)))
		return e;
	elf_close(e);
	return NULL;
}

struct elf *
debugfile_find_code(struct debugfile_code *w)
{
	struct elf *e = NULL;

	/* Without a build id, only the path identifies the file, and process IDs of
	 * another machine mean nothing. */
	if (w->root && !w->build_id.n && w->local)
		e = open_path(w, true);
	if (!e)
		e = open_path(w, false);
	if (!e && w->build_id.n)
		e = find_by_id(w->build_id, w->found);
	if (!e && w->root && w->build_id.n)
		e = open_path(w, true);
	if (!e)
		e = fetch(w->servers, DEBUGINFOD_CODE, w->build_id, w->found);
	if (e)
		w->why = NULL;
	else if (!w->why)
		w->why = "not found";
	return e;
}

struct elf *
debugfile_mini(struct elf *code)
{
	/* Symbol tables: the largest programs have some tens of MB. */
	enum { PLAIN_MOST = 256 << 20 };
	struct str packed = elf_data(code, elf_section(code, ".gnu_debugdata"));
	uint64_t left = budget_left(BUDGET_SECTIONS);
	struct buf plain = { 0 };
	const char *why;
	bool whole;

	if (!packed.n || !inflate_knows(INFLATE_XZ))
		return NULL;
	whole = inflate_all(INFLATE_XZ, packed, &plain,
		left < PLAIN_MOST ? (size_t)left : PLAIN_MOST);
	/* A section that exceeds the budget uses it up, plus one byte. */
	if (!budget_draw(BUDGET_SECTIONS, plain.n) || !whole) {
		if (plain.n == left)
			(void)budget_draw(BUDGET_SECTIONS, 1);
		buf_release(&plain);
		return NULL;
	}
	return elf_of_block(plain.s, plain.n, &why);
}

struct elf *
debugfile_alt(struct elf *debug, const char *path, struct debuginfod *servers)
{
	struct search s = { .exact = true };
	struct buf place = { 0 }, found = { 0 };
	struct str name;
	char *real;

	if (!inlines_alt_link(debug, &name, &s.build_id) || !is_id(s.build_id))
		return NULL;
	s.path = &found;
	real = path ? realpath(path, NULL) : NULL;
	if (name.n && name.s[0] != '/')
		buf_str(&place, folder_of(str_of(real)));
	buf_str(&place, name);
	if (!try_path(&s, &place)) {
		buf_str(&place, STR("/usr/lib/debug/.dwz/"));
		buf_str(&place, str_base(name));
		if (!try_path(&s, &place) && !try_build_id(&s))
			try_debuginfod(&s);
	}
	if (!s.found)
		s.found = debugfile_fetch(servers, NULL, s.build_id, &found);
	free(real);
	buf_release(&place);
	buf_release(&found);
	return s.found;
}
