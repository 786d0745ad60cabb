/* SPDX-License-Identifier: ISC */
/* Fetches files by build ID from servers; see debuginfod.h. */
#include "debuginfod.h"
#include "mem.h"
#include "msg.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#if HAVE_DEBUGINFOD
#include <dlfcn.h>
#endif

/* The library copies longer build ids beyond its array. */
enum { DIGITS_LEAST = 4, DIGITS_MOST = 128 };

/* The build ID in the buffer B as the library's functions expect it: size 0 means digits. */
#define IN_DIGITS(b) (const unsigned char *)buf_cstr(&(b)), 0

struct debuginfod_client;

typedef int find_elf(
	struct debuginfod_client *c, const unsigned char *id, int id_size, char **path);
typedef int find_source(struct debuginfod_client *c, const unsigned char *id, int id_size,
	const char *name, char **path);
typedef int show_progress(struct debuginfod_client *c, long done, long all);

/* The library's functions and types used here, as <elfutils/debuginfod.h> of elfutils 0.179 and
 * later declares them. A search returns an open file, or an error number below 0. */
struct library {
	struct debuginfod_client *(*begin)(void);
	void (*end)(struct debuginfod_client *c);
	void (*set_progress)(struct debuginfod_client *c, show_progress *show);
	const char *(*url)(struct debuginfod_client *c);
	find_elf *find_debug, *find_code;
	find_source *find_source;
};

struct debuginfod {
	struct library library;
	struct debuginfod_client *client;
	bool started, ended; /* once ended, no more requests are made */
	uint64_t files, bytes;
};

struct debuginfod *
debuginfod_new(void)
{
	return mem_zero(1, sizeof(struct debuginfod));
}

void
debuginfod_free(struct debuginfod *d)
{
	bool small;

	if (!d)
		return;
	small = d->bytes < 1000000;
	if (d->files)
		msg_warn("fetched %llu file%s (%.1f %s) with debuginfod",
			(unsigned long long)d->files, msg_s(d->files),
			(double)d->bytes / (small ? 1e3 : 1e6), small ? "kB" : "MB");
	if (d->client)
		d->library.end(d->client);
	free(d);
}

/* Loads the library. False after a warning. */
static bool
load(struct library *l)
{
#if HAVE_DEBUGINFOD
	static const struct {
		const char *name;
		size_t at;
	} functions[] = { { "debuginfod_begin", offsetof(struct library, begin) },
		{ "debuginfod_end", offsetof(struct library, end) },
		{ "debuginfod_set_progressfn", offsetof(struct library, set_progress) },
		{ "debuginfod_get_url", offsetof(struct library, url) },
		{ "debuginfod_find_debuginfo", offsetof(struct library, find_debug) },
		{ "debuginfod_find_executable", offsetof(struct library, find_code) },
		{ "debuginfod_find_source", offsetof(struct library, find_source) } };
	void *handle = dlopen("libdebuginfod.so.1", RTLD_NOW), *function;
	size_t i;

	for (i = 0; i < sizeof functions / sizeof *functions; i++) {
		function = handle ? dlsym(handle, functions[i].name) : NULL;
		if (!function) {
			msg_warn("--debuginfod: %s; install libdebuginfod (Debian: "
				 "libdebuginfod1)",
				dlerror());
			return false;
		}
		/* ISO C cannot cast an object pointer to a function pointer. */
		memcpy((char *)l + functions[i].at, &function, sizeof function);
	}
	return true;
#else
	(void)l;
	msg_warn("--debuginfod: fg was built without it, as static programs are; use "
		 "debuginfod-find, whose cache is read");
	return false;
#endif
}

/* Called by the library from time to time; any value except 0 would stop it. */
static int
show(struct debuginfod_client *c, long done, long all)
{
	(void)c;
	if (!msg_progress_due())
		return 0;
	if (all > 0)
		msg_progress("fetching, %ld of %ld MB", done >> 20, all >> 20);
	else
		msg_progress("waiting for debuginfod");
	return 0;
}

static bool
has_servers(void)
{
	const char *value = getenv("DEBUGINFOD_URLS");

	return value && str_trim(str_of(value)).n > 0;
}

static bool
start(struct debuginfod *d)
{
	if (d->started)
		return !d->ended;
	d->started = d->ended = true;
	if (!has_servers()) {
		msg_warn("--debuginfod: DEBUGINFOD_URLS is not set; set it to a server, "
			 "such as https://debuginfod.elfutils.org/");
		return false;
	}
	if (!load(&d->library))
		return false;
	d->client = d->library.begin();
	if (!d->client) {
		msg_warn("--debuginfod: libdebuginfod cannot start");
		return false;
	}
	d->library.set_progress(d->client, show);
	d->ended = false;
	return true;
}

/* Handles a search of D that failed with ERROR. */
static void
fail(struct debuginfod *d, int error)
{
	if (error == ENOENT)
		return;
	if (error == EFBIG) {
		msg_warn("--debuginfod: skipping a file larger than DEBUGINFOD_MAXSIZE");
		return;
	}
	d->ended = true;
	/* Do not print the URLs: they may contain passwords. */
	msg_warn("--debuginfod: the servers of DEBUGINFOD_URLS: %s; nothing more is "
		 "fetched",
		strerror(error));
}

/* Counts the downloaded FILE, unless it came from the cache. */
static void
count(struct debuginfod *d, int file)
{
	struct stat st;

	if (!d->library.url(d->client))
		return;
	d->files++;
	if (fstat(file, &st) == 0)
		d->bytes += (uint64_t)st.st_size;
}

/* Handles RESULT of a search of D, and FOUND, which it owns. */
static bool
handle_result(struct debuginfod *d, int result, char *found, struct buf *path)
{
	msg_progress_end();
	if (result < 0) {
		fail(d, -result);
		return false;
	}
	count(d, result);
	close(result);
	buf_clear(path);
	buf_str(path, str_of(found ? found : ""));
	free(found);
	return path->n > 0;
}

/* Whether to search for a file of the program with BUILD_ID. */
static bool
can_ask(struct debuginfod *d, struct str build_id)
{
	return d && build_id.n >= DIGITS_LEAST && build_id.n <= DIGITS_MOST && start(d);
}

/* Whether E has BUILD_ID. */
static bool
has_id(const struct elf *e, struct str build_id)
{
	struct buf digits = { 0 };
	bool same;

	buf_hex(&digits, e->build_id);
	same = str_eq(buf_view(&digits), build_id);
	buf_release(&digits);
	return same;
}

struct elf *
debuginfod_elf(struct debuginfod *d, enum debuginfod_kind kind, struct str build_id,
	struct buf *path)
{
	struct buf id = { 0 };
	char *found = NULL;
	const char *why;
	struct elf *e;
	find_elf *find;
	int result;
	bool done;

	if (!can_ask(d, build_id))
		return NULL;
	find = kind == DEBUGINFOD_CODE ? d->library.find_code : d->library.find_debug;
	buf_str(&id, build_id);
	result = find(d->client, IN_DIGITS(id), &found);
	done = handle_result(d, result, found, path);
	buf_release(&id);
	e = done ? elf_open(buf_cstr(path), &why) : NULL;
	if (e && has_id(e, build_id))
		return e;
	if (done)
		msg_warn("--debuginfod: skipping the file received for build id %.*s: %s",
			STR_ARG(build_id), e ? "its build id differs" : why);
	elf_close(e);
	buf_clear(path);
	return NULL;
}

bool
debuginfod_source(
	struct debuginfod *d, struct str build_id, struct str name, struct buf *path)
{
	struct buf id = { 0 }, wanted = { 0 };
	char *found = NULL;
	bool done;
	int result;

	if (!str_starts(name, STR("/")) || str_find(name, '\0') < name.n ||
		!can_ask(d, build_id))
		return false;
	buf_str(&id, build_id);
	buf_str(&wanted, name);
	result = d->library.find_source(
		d->client, IN_DIGITS(id), buf_cstr(&wanted), &found);
	done = handle_result(d, result, found, path);
	buf_release(&id);
	buf_release(&wanted);
	return done;
}
