/* SPDX-License-Identifier: ISC */
/* Source files found by the locations of frames: sources.h. */
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

/* The first line of the file found for PATH, "-" for none. */
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
	/* A file outside of the folder is read only if debug information names it. */
	folders[0] = path;
	snprintf(path, sizeof path, "%s/src", folder);
	snprintf(map, sizeof map, "%s/b.c", folder);
	s = (struct sources){ .where = { .folders = &below } };
	CHECK_STR(first(&s, map), STR("-"));
	CHECK_STR(first(&s, "/build/a.c"), STR("inner"));
	sources_release(&s);
	s = (struct sources){ .where = { .folders = &below, .as_is = true } };
	CHECK_STR(first(&s, map), STR("b"));
	snprintf(map, sizeof map, "%s/src/../b.c", folder);
	CHECK_STR(first(&s, map), STR("-"));
	CHECK(chdir(folder) == 0);
	CHECK_STR(first(&s, "b.c"), STR("-"));
	sources_release(&s);
	snprintf(command, sizeof command, "rm -r %s", folder);
	CHECK(system(command) == 0);
}

UNIT(the_name_of_a_source_is_its_file_name)
{
	struct str name = STR("key.pem\0.c");
	const char *folders[] = { "." };
	struct opt_list below = { folders, 1, 1 };
	struct sources s = { .where = { .folders = &below } };
	char folder[] = "/tmp/fg-sources-XXXXXX";

	CHECK(mkdtemp(folder) && chdir(folder) == 0);
	put(folder, "key.pem", "secret\n");
	CHECK(sources_is_name(name) && !sources_find(&s, name)->lines);
	sources_release(&s);
	CHECK(!unlink("key.pem") && !rmdir(folder));
}

UNIT(maps_lead_below_their_target)
{
	char folder[] = "/tmp/fg-sources-XXXXXX", map[64], command[64];
	const char *maps[] = { "/build=new", "/x/=new/", "/y/ne=ne", "/z=", map };
	struct opt_list mapped = { maps, 5, 5 };
	struct sources s = { .where = { .maps = &mapped } };

	CHECK(mkdtemp(folder) && chdir(folder) == 0);
	snprintf(map, sizeof map, "/away=%s/new", folder);
	CHECK(!mkdir("new", 0700) && !symlink("../a.c", "new/out.c"));
	put(folder, "a.c", "outer\n");
	put(folder, "new/a.c", "inner\n");
	CHECK_STR(first(&s, "/build/a.c"), STR("inner"));
	CHECK_STR(first(&s, "/x/a.c"), STR("inner"));
	CHECK_STR(first(&s, "/y/new/a.c"), STR("inner"));
	CHECK_STR(first(&s, "/away/a.c"), STR("inner"));
	CHECK_STR(first(&s, "/z/a.c"), STR("-"));
	CHECK_STR(first(&s, "/build/../a.c"), STR("-"));
	CHECK_STR(first(&s, "/build/out.c"), STR("-"));
	CHECK_STR(first(&s, "/x/out.c"), STR("-"));
	CHECK_STR(first(&s, "/y/new/out.c"), STR("outer"));
	sources_release(&s);
	snprintf(command, sizeof command, "cd / && rm -r %s", folder);
	CHECK(system(command) == 0);
}

UNIT_MAIN
