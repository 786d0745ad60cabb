/* SPDX-License-Identifier: ISC */
/* Sources found by the places of frames: sources.h. */
#include "sources.h"
#include "unit.h"

#include <stdio.h>
#include <sys/stat.h>

UNIT(only_names_of_sources_are_opened)
{
	CHECK(sources_is_name(STR("/a/b.c")));
	CHECK(sources_is_name(STR("b.rs")));
	CHECK(sources_is_name(STR("/usr/include/c++/12/vector")));
	CHECK(!sources_is_name(STR("/etc/passwd")));
	CHECK(!sources_is_name(STR("/a/id.pem")));
	CHECK(!sources_is_name(STR("/a.c/b")));
	CHECK(!sources_is_name(STR("/usr/include/")));
	CHECK(!sources_is_name(STR("")));
}

static void
put(const char *folder, const char *name, const char *text)
{
	char path[256];
	FILE *f;

	snprintf(path, sizeof path, "%s/%s", folder, name);
	f = fopen(path, "w");
	if (!f || fputs(text, f) < 0 || fclose(f) != 0)
		exit(2);
}

/* What is found for PATH: the first line, "-" for nothing. */
static struct str
first(struct sources *s, const char *path)
{
	const struct source *source = sources_find(s, str_of(path));

	return source->lines ? sources_line(source, 1) : STR("-");
}

UNIT(sources_are_found_below_folders_and_by_maps)
{
	char folder[] = "/tmp/fg-sources-XXXXXX", path[64], map[64], command[64];
	const char *folders[] = { folder }, *maps[] = { map };
	struct opt_list below = { folders, 1, 1 }, mapped = { maps, 1, 1 };
	struct sources s = { .where = { .folders = &below } };
	struct sources m = { .where = { .maps = &mapped } };

	if (!mkdtemp(folder))
		exit(2);
	snprintf(path, sizeof path, "%s/src", folder);
	CHECK(mkdir(path, 0700) == 0);
	put(folder, "src/a.c", "inner\r\n\nthird");
	put(folder, "a.c", "outer\n");
	put(folder, "b.c", "b\n");
	put(folder, "empty.c", "");
	put(folder, "key.pem", "secret\n");
	CHECK_STR(first(&s, "/build/src/a.c"), STR("inner"));
	CHECK_STR(first(&s, "/build/a.c"), STR("outer"));
	CHECK_STR(first(&s, "src/../../src/a.c"), STR("inner"));
	CHECK_STR(first(&s, "/x/y/z/b.c"), STR("b"));
	CHECK_STR(first(&s, "c.c"), STR("-"));
	CHECK_STR(first(&s, "empty.c"), STR("-"));
	CHECK_STR(first(&s, "key.pem"), STR("-"));
	CHECK_STR(first(&s, ""), STR("-"));
	CHECK_U64(sources_find(&s, STR("/build/src/a.c"))->n, 3);
	CHECK_STR(sources_line(sources_find(&s, STR("/build/src/a.c")), 3), STR("third"));
	CHECK_STR(sources_line(sources_find(&s, STR("/build/src/a.c")), 0), STR(""));
	CHECK_STR(sources_line(sources_find(&s, STR("/build/src/a.c")), 4), STR(""));
	snprintf(map, sizeof map, "/build=%s", folder);
	CHECK_STR(first(&m, "/build/b.c"), STR("b"));
	CHECK_STR(first(&m, "/built/b.c"), STR("-"));
	sources_release(&s);
	sources_release(&m);
	/* What is not below the folder is there, and read only if that is allowed. */
	folders[0] = path;
	snprintf(path, sizeof path, "%s/src", folder);
	snprintf(map, sizeof map, "%s/b.c", folder);
	CHECK_STR(first(&s, map), STR("b"));
	sources_release(&s);
	s = (struct sources){ .where = { .folders = &below, .confined = true } };
	CHECK_STR(first(&s, map), STR("-"));
	CHECK_STR(first(&s, "/build/a.c"), STR("inner"));
	sources_release(&s);
	snprintf(command, sizeof command, "rm -r %s", folder);
	CHECK(system(command) == 0);
}

UNIT_MAIN
