/* SPDX-License-Identifier: ISC */
/*
 * Files by build id: debuginfod.h. The server is a folder, by a file: URL; if the
 * library is not installed, nothing is found. collapse/debuginfod.sh has a real server.
 */
#include "debuginfod.h"
#include "elf-image.h"
#include "folder.h"
#include "msg.h"

#include <dlfcn.h>

#define ID    "7c9d1a0203040506"
#define OTHER "7c9d1a02030405ff"

/* A folder that is server, cache and home. */
static char *
make_server(char *folder)
{
	char text[128];

	if (!mkdtemp(folder))
		exit(2);
	snprintf(text, sizeof text, "file://%s", folder);
	setenv("DEBUGINFOD_URLS", text, 1);
	setenv("HOME", folder, 1);
	snprintf(text, sizeof text, "%s/cache", folder);
	setenv("DEBUGINFOD_CACHE_PATH", text, 1);
	msg_quiet(true);
	return folder;
}

static bool
has_library(void)
{
	return dlopen("libdebuginfod.so.1", RTLD_NOW) != NULL;
}

/* Writes a program with ID to PATH below FOLDER. */
static void
put_program(const char *folder, const char *path)
{
	struct image m = { .machine = ELF_X86_64 };
	struct buf b = { 0 };

	image_build_id(&m, (struct str){ "\x7c\x9d\x1a\x02\x03\x04\x05\x06", 8 });
	image_end(&m, &b);
	folder_put(folder, path, buf_view(&b));
	buf_release(&b);
}

static bool
has_elf(struct debuginfod *d, enum debuginfod_kind kind, struct str id)
{
	struct buf path = { 0 };
	struct elf *e = debuginfod_elf(d, kind, id, &path);
	bool found = e != NULL;

	elf_close(e);
	buf_release(&path);
	return found;
}

static bool
has_source(struct debuginfod *d, struct str id, struct str name)
{
	struct buf path = { 0 };
	bool found = debuginfod_source(d, id, name, &path);

	CHECK(!found || path.n > 0);
	buf_release(&path);
	return found;
}

UNIT(programs_and_debug_information_have_their_build_id)
{
	char folder[] = "/tmp/fg-debuginfod-XXXXXX", *server = make_server(folder);
	struct debuginfod *d = debuginfod_new();
	const bool can = has_library();

	put_program(server, "buildid/" ID "/executable");
	put_program(server, "buildid/" OTHER "/executable");
	folder_put(server, "buildid/" ID "/debuginfo", STR("not one"));
	CHECK(has_elf(d, DEBUGINFOD_CODE, STR(ID)) == can);
	CHECK(!has_elf(d, DEBUGINFOD_CODE, STR(OTHER)));
	CHECK(!has_elf(d, DEBUGINFOD_DEBUG, STR(ID)));
	CHECK(!has_elf(d, DEBUGINFOD_DEBUG, STR(OTHER)));
	CHECK(has_elf(d, DEBUGINFOD_CODE, STR(ID)) == can);
	CHECK(!has_elf(NULL, DEBUGINFOD_CODE, STR(ID)));
	debuginfod_free(d);
	debuginfod_free(NULL);
	folder_remove(server);
}

UNIT(sources_are_asked_for_by_absolute_paths)
{
	char folder[] = "/tmp/fg-debuginfod-XXXXXX", *server = make_server(folder);
	struct debuginfod *d = debuginfod_new();
	const bool can = has_library();

	/* A folder as a server has the path as one encoded name. */
	folder_put(server, "buildid/" ID "/source/a.c", STR("one\n"));
	CHECK(has_source(d, STR(ID), STR("/a.c")) == can);
	CHECK(!has_source(d, STR(ID), STR("/b.c")));
	CHECK(!has_source(d, STR(ID), STR("a.c")));
	CHECK(!has_source(d, STR(ID), STR("/a.c\0.c")));
	CHECK(!has_source(d, STR(ID), STR("")));
	CHECK(!has_source(d, STR(OTHER), STR("/a.c")));
	CHECK(!has_source(NULL, STR(ID), STR("/a.c")));
	debuginfod_free(d);
	folder_remove(server);
}

UNIT(empty_build_ids_are_not_asked_for)
{
	char folder[] = "/tmp/fg-debuginfod-XXXXXX", *server = make_server(folder);
	struct debuginfod *d = debuginfod_new();
	char longest[1024];

	memset(longest, 'a', sizeof longest);
	folder_put(server, "buildid/7c/source/a.c", STR("one\n"));
	CHECK(!has_source(d, STR("7c"), STR("/a.c")));
	CHECK(!has_source(d, STR(""), STR("/a.c")));
	CHECK(!has_source(d, (struct str){ longest, sizeof longest }, STR("/a.c")));
	CHECK(!has_elf(d, DEBUGINFOD_CODE, (struct str){ longest, 130 }));
	debuginfod_free(d);
	folder_remove(server);
}

UNIT(without_servers_nothing_is_found)
{
	char folder[] = "/tmp/fg-debuginfod-XXXXXX", *server = make_server(folder);
	struct debuginfod *d = debuginfod_new();

	folder_put(server, "buildid/" ID "/source/a.c", STR("one\n"));
	unsetenv("DEBUGINFOD_URLS");
	CHECK(!has_source(d, STR(ID), STR("/a.c")));
	debuginfod_free(d);
	folder_remove(server);
}

UNIT(after_a_failure_nothing_is_asked)
{
	char folder[] = "/tmp/fg-debuginfod-XXXXXX", *server = make_server(folder);
	struct debuginfod *d = debuginfod_new();
	char good[64];

	folder_put(server, "buildid/" ID "/source/a.c", STR("one\n"));
	snprintf(good, sizeof good, "%s", getenv("DEBUGINFOD_URLS"));
	setenv("DEBUGINFOD_URLS", "http://127.0.0.1:1", 1);
	CHECK(!has_source(d, STR(ID), STR("/a.c")));
	/* The library reads the variable each time. */
	setenv("DEBUGINFOD_URLS", good, 1);
	CHECK(!has_source(d, STR(ID), STR("/a.c")));
	debuginfod_free(d);
	folder_remove(server);
}

UNIT_MAIN
