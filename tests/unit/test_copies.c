/* SPDX-License-Identifier: ISC */
/* Copies of binaries, here of this process: copies.h. */
#include "copies.h"
#include "elf.h"
#include "folder.h"
#include "unit.h"

#include <unistd.h>

static char root[64];

/* Copies go below a new folder. */
static void
begin(struct copies *c)
{
	snprintf(root, sizeof root, "/tmp/test_copies.XXXXXX");
	CHECK(mkdtemp(root) != NULL);
	CHECK(setenv("HOME", root, 1) == 0);
	*c = (struct copies){ 0 };
	CHECK(copies_begin(c));
}

static void
end(struct copies *c)
{
	copies_release(c);
	folder_remove(root);
}

/* Copies this program to NAME below the root; returns its inode. */
static uint64_t
put_program(const char *name, char path[128])
{
	const char *why;
	struct elf *e = elf_open("/proc/self/exe", &why);
	struct stat st;

	CHECK(e != NULL);
	folder_put(root, name, e->bytes);
	elf_close(e);
	snprintf(path, 128, "%s/%s", root, name);
	CHECK(stat(path, &st) == 0);
	return (uint64_t)st.st_ino;
}

static void
add(struct copies *c, const char *path, uint64_t inode)
{
	copies_add(c,
		&(struct copies_map){
			.path = str_of(path), .pid = (long)getpid(), .inode = inode });
}

static bool
has_line(struct copies *c, const char *part)
{
	struct buf b = { 0 };
	bool has;

	copies_end(c, &b);
	has = str_search(buf_view(&b), str_of(part)) < b.n;
	if (!has)
		fprintf(stderr, "%s", buf_cstr(&b));
	buf_release(&b);
	return has;
}

/* The number of files called elf below the root. */
static int
count_copies(void)
{
	char command[128];
	FILE *f;
	int n = -1;

	snprintf(command, sizeof command, "find '%s' -type f -name elf | wc -l", root);
	f = popen(command, "r");
	CHECK(f && fscanf(f, "%d", &n) == 1);
	pclose(f);
	return n;
}

UNIT(a_temporary_file_is_copied_once)
{
	struct copies c;
	char path[128];
	uint64_t inode;

	begin(&c);
	inode = put_program("prog", path);
	add(&c, path, inode);
	add(&c, path, inode);
	CHECK_U64(c.copied, 1);
	CHECK_U64(c.present, 0);
	CHECK(count_copies() == 1);
	CHECK(has_line(&c, "copied 1 deleted or temporary file to /tmp/test_copies."));
	end(&c);
}

UNIT(another_file_under_the_name_is_not_copied)
{
	struct copies c;
	char path[128];

	begin(&c);
	add(&c, path, put_program("prog", path) + 1);
	CHECK_U64(c.copied, 0);
	CHECK(count_copies() == 0);
	CHECK(has_line(&c, "not copied: it disappeared"));
	end(&c);
}

UNIT(limits_are_held)
{
	struct copies c;
	char path[128];
	uint64_t inode;

	begin(&c);
	inode = put_program("prog", path);
	c.file_most = 1000;
	add(&c, path, inode);
	CHECK_U64(c.failed[COPIES_LARGE], 1);
	c.file_most = COPIES_FILE_MOST;
	c.sum_most = 1000;
	inode = put_program("prog2", path);
	add(&c, path, inode);
	CHECK_U64(c.failed[COPIES_MUCH], 1);
	CHECK(count_copies() == 0);
	CHECK(has_line(&c, "prog2 not copied: 4 GiB were copied already\n"));
	end(&c);
}

UNIT(files_that_are_not_programs_are_left)
{
	struct copies c;
	char path[128];
	struct stat st;

	begin(&c);
	folder_put(root, "text", STR("#!/bin/sh\n"));
	snprintf(path, sizeof path, "%s/text", root);
	CHECK(stat(path, &st) == 0);
	add(&c, path, (uint64_t)st.st_ino);
	add(&c, "//anon", 7);
	add(&c, "[heap]", 7);
	add(&c, "/dev/zero (deleted)", 7);
	add(&c, path, 0);
	CHECK(count_copies() == 0);
	CHECK(!c.copied && !c.failed[COPIES_GONE]);
	end(&c);
}

/* The cache has folders of this name. */
UNIT(names_do_not_lead_out_of_the_cache)
{
	struct copies c;
	char path[128];
	uint64_t inode;
	char other[256];

	begin(&c);
	inode = put_program("a/b/prog", path);
	snprintf(other, sizeof other, "%s/a/../a/b/prog", root);
	add(&c, other, inode);
	CHECK_U64(c.copied, 1);
	snprintf(other, sizeof other, "%s/.debug/[unnamed]", root);
	CHECK(access(other, F_OK) == 0);
	end(&c);
}

UNIT(without_a_home_nothing_is_copied)
{
	struct copies c = { 0 };
	struct buf b = { 0 };

	CHECK(unsetenv("HOME") == 0);
	CHECK(!copies_begin(&c));
	copies_add(&c, &(struct copies_map){ .path = STR("/tmp/x"), .inode = 1 });
	copies_end(&c, &b);
	CHECK_U64(b.n, 0);
	CHECK_U64(c.seen.n, 0);
	copies_release(&c);
}

UNIT_MAIN
