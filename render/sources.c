/* SPDX-License-Identifier: ISC */
/* Source files; see sources.h. */
#include "sources.h"
#include "buf.h"
#include "input.h"
#include "mem.h"
#include "msg.h"
#include "regular.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Larger files are not sources, or are generated. */
enum { LARGEST = 32 << 20 };

bool
sources_is_name(struct str path)
{
	static const char *const endings[] = { "c", "cc", "cpp", "cxx", "c++", "C", "h",
		"hh", "hpp", "hxx", "inc", "inl", "ipp", "tcc", "tpp", "def", "m", "mm",
		"cu", "cuh", "rs", "go", "s", "S", "asm", "f", "f90", "f95", "F90", "for",
		"d", "zig", "nim", "swift", "ml", "hs", "adb", "ads", "pas", "cr", "v",
		"odin", "y", "l", "yy", "ll", "py", "pyx", "pxd", "js", "mjs", "cjs",
		"ts", "jsx", "tsx", "rb", "php", "pl", "pm", "lua", "java", "kt", "scala",
		"groovy", "clj", "cs", "fs", "vb", "ex", "exs", "erl", "jl", "R", "r",
		"dart", "vala", NULL };
	struct str base = str_base(path);
	size_t dot = str_rfind(base, '.'), i;

	/* "/usr/include/c++/12/vector" */
	if (dot == base.n)
		return base.n && str_search(path, STR("/include/")) < path.n;
	for (i = 0; endings[i]; i++)
		if (str_eq(str_from(base, dot + 1), str_of(endings[i])))
			return true;
	return false;
}

/* Cuts TEXT, of the arena, into the lines of SOURCE. */
static void
cut_lines(struct source *source, struct str text)
{
	size_t cap = 0;
	struct str line;

	while (text.n) {
		line = str_cut(&text, '\n');
		if (str_ends(line, STR("\r")))
			line.n--;
		source->lines = mem_grow(
			source->lines, &cap, source->n + 1, sizeof *source->lines);
		source->lines[source->n++] = line;
	}
}

/* A source to find. */
struct wanted {
	struct sources *s;
	struct source *source;
};

/* Reads the file FD at PATH into the source, and closes it. Returns false on failure, after a
 * message if the file was opened. */
static bool
read_source(struct wanted *w, int fd, const struct stat *st, struct buf *path)
{
	struct sources *s = w->s;
	struct buf bytes = { 0 };
	struct input *in;
	struct str text = { 0 };

	if (fd >= 0 && st->st_size > LARGEST) {
		close(fd);
		return false;
	}
	if (!regular_read_open(fd, buf_cstr(path), &bytes)) {
		buf_release(&bytes);
		return false;
	}
	in = input_of_memory(buf_cstr(path), buf_view(&bytes));
	text = input_window(in, LARGEST);
	if (text.n && text.n <= LARGEST) {
		w->source->found = arena_str(&s->arena, buf_view(path));
		w->source->changed = st->st_mtime > 0 ? (uint64_t)st->st_mtime : 0;
		cut_lines(w->source, arena_str(&s->arena, text));
	}
	input_close(in);
	buf_release(&bytes);
	return w->source->lines != NULL;
}

/* Tries PATH, made by us or by the cache. */
static bool
try_path(struct wanted *w, struct buf *path)
{
	struct stat st;

	return read_source(w, regular_open(buf_cstr(path), &st), &st, path);
}

static bool
try_place(void *with, struct folders_path *at)
{
	struct str path = buf_view(&at->path);
	struct stat st;

	if (!at->below)
		return try_path(with, &at->path);
	return read_source(with,
		regular_open_below(str_head(path, at->top), str_from(path, at->top), &st),
		&st, &at->path);
}

/* Whether NAME is the cached file for ESCAPED, a path with '#' for '/', in a folder of
 * debuginfod's cache: "source" and, in later versions, a hash come before it. */
static bool
is_cached(struct str name, struct str escaped)
{
	return str_starts(name, STR("source")) && str_ends(name, escaped);
}

/* Tries the files in FOLDER, which belongs to a build id. */
static bool
try_build(struct wanted *w, struct buf *folder, struct str escaped)
{
	DIR *dir = opendir(buf_cstr(folder));
	size_t was = folder->n;
	bool found = false;
	struct dirent *e;

	while (dir && !found && (e = readdir(dir))) {
		if (!is_cached(str_of(e->d_name), escaped))
			continue;
		folder->n = was;
		buf_char(folder, '/');
		buf_str(folder, str_of(e->d_name));
		found = try_path(w, folder);
	}
	if (dir)
		closedir(dir);
	folder->n = was;
	return found;
}

/* Tries all build ids of the cache in the folder B. */
static bool
try_cache(struct wanted *w, struct buf *b, struct str escaped)
{
	DIR *dir = opendir(buf_cstr(b));
	size_t was = b->n;
	bool found = false;
	struct dirent *e;

	while (dir && !found && (e = readdir(dir))) {
		if (e->d_name[0] == '.')
			continue;
		b->n = was;
		buf_char(b, '/');
		buf_str(b, str_of(e->d_name));
		found = try_build(w, b, escaped);
	}
	if (dir)
		closedir(dir);
	return found;
}

static bool
try_debuginfod(struct wanted *w, struct str path)
{
	static const struct {
		const char *variable, *below;
	} caches[] = { { "DEBUGINFOD_CACHE_PATH", "" },
		{ "XDG_CACHE_HOME", "/debuginfod_client" },
		{ "HOME", "/.cache/debuginfod_client" } };
	struct buf b = { 0 }, escaped = { 0 };
	const char *value;
	bool found = false;
	size_t i;

	for (i = 0; i < path.n; i++)
		buf_char(&escaped, path.s[i] == '/' ? '#' : path.s[i]);
	for (i = 0; i < sizeof caches / sizeof *caches && !found; i++) {
		value = getenv(caches[i].variable);
		if (!value || !*value)
			continue;
		buf_clear(&b);
		buf_str(&b, str_of(value));
		buf_str(&b, str_of(caches[i].below));
		found = try_cache(w, &b, buf_view(&escaped));
	}
	buf_release(&escaped);
	buf_release(&b);
	return found;
}

/* Asks the servers for the source of PATH in each program, first in the program of the last
 * source, as most sources share it. */
static void
try_servers(struct wanted *w, struct str path)
{
	struct sources *s = w->s;
	const size_t n = s->info->n_programs;
	struct buf b = { 0 };
	struct str id;
	bool asked = false, found = false;
	size_t i, at;

	for (i = 0; i < n && !found; i++) {
		at = (s->program + i) % n;
		id = s->info->programs[at].build_id;
		asked |= id.n > 0;
		found = debuginfod_source(s->servers, id, path, &b) && try_path(w, &b);
		if (found)
			s->program = at;
	}
	/* Its time does not matter: it belongs to the build. */
	w->source->changed = found ? 0 : w->source->changed;
	if (!asked && !s->told)
		msg_warn("--debuginfod: no build id in the input, so no source is "
			 "fetched; fold with fg-collapse --srcline");
	s->told |= !asked;
	buf_release(&b);
}

static void
look(struct sources *s, struct source *source, struct str path)
{
	struct wanted w = { s, source };
	bool found = folders_try(&s->where, path, try_place, &w);

	if (found || path.s[0] != '/')
		return;
	if (s->cached)
		found = try_debuginfod(&w, path);
	if (!found && s->servers)
		try_servers(&w, path);
}

const struct source *
sources_find(struct sources *s, struct str path)
{
	uint32_t was = s->paths.n, id = intern_id(&s->paths, path);

	if (id < was)
		return &s->sources[id];
	s->sources = mem_grow(s->sources, &s->cap, (size_t)id + 1, sizeof *s->sources);
	s->sources[id] = (struct source){ .n = 0 };
	if (path.n && sources_is_name(path))
		look(s, &s->sources[id], intern_str(&s->paths, id));
	return &s->sources[id];
}

struct str
sources_line(const struct source *source, uint64_t number)
{
	return number && number <= source->n ? source->lines[number - 1]
					     : (struct str){ 0 };
}

void
sources_release(struct sources *s)
{
	uint32_t i;

	for (i = 0; i < s->paths.n; i++)
		free(s->sources[i].lines);
	free(s->sources);
	intern_release(&s->paths);
	arena_release(&s->arena);
	*s = (struct sources){ .cap = 0 };
}
