/* SPDX-License-Identifier: ISC */
/* Tests of profile: adding up files, and writing one again. */
#include "profile.h"
#include "unit.h"

#include <fcntl.h>

enum { FILES = 3 };

/* Files in a folder of their own; removed by unmake. */
struct files {
	char folder[32], path[FILES][48];
	char *paths[FILES + 1]; /* up to a NULL */
	size_t n;
};

static void
make(struct files *f)
{
	*f = (struct files){ .folder = "/tmp/fg-profile.XXXXXX" };
	CHECK(mkdtemp(f->folder));
}

static char *
add(struct files *f, const char *text)
{
	char name[sizeof f->path[0]], *path = f->path[f->n];
	int fd;

	snprintf(name, sizeof name, "%s/%zu", f->folder, f->n);
	memcpy(path, name, sizeof name);
	f->paths[f->n++] = path;
	fd = open(path, O_WRONLY | O_CREAT, 0600);
	CHECK(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	close(fd);
	return path;
}

static void
unmake(struct files *f)
{
	while (f->n)
		unlink(f->path[--f->n]);
	rmdir(f->folder);
}

static const struct folded_options PLAIN = { .reverse = false };

UNIT(files_are_added_up_and_settled)
{
	struct profile p;
	struct files f;

	make(&f);
	add(&f, "#fg unit=ns samples=3\na;b 1.5\n");
	add(&f, "#fg unit=ns samples=4\na;b 2\nc 3\nno stack\n");
	profile_init(&p);
	CHECK(!profile_has_stacks(&p));
	CHECK(profile_read(&p, f.paths, &PLAIN));
	CHECK(profile_has_stacks(&p));
	CHECK(p.count.lines == 3 && p.count.malformed == 1);
	CHECK_U64(p.tree.sum[0], 65);
	CHECK_U64(p.tree.scale, 1);
	CHECK_U64(folded_info_samples(&p.info, &p.tree, 0), 7);
	profile_release(&p);
	unmake(&f);
}

UNIT(options_go_into_the_header)
{
	const struct folded_given given = { .unit = "bytes", .samples = { 5, 6 } };
	const struct folded_options how = { .given = &given };
	struct profile p;
	struct files f;

	make(&f);
	add(&f, "a 1 2\nb 3 4\n");
	profile_init(&p);
	CHECK(profile_read(&p, f.paths, &how));
	CHECK_STR(folded_info_unit(&p.info), STR("bytes"));
	CHECK_U64(folded_info_samples(&p.info, &p.tree, 0), 5);
	CHECK_U64(folded_info_samples(&p.info, &p.tree, 1), 6);
	profile_release(&p);
	unmake(&f);
}

UNIT(a_file_that_fails_does_not_keep_the_next_from_being_read)
{
	struct profile p;
	struct files f;

	make(&f);
	unlink(add(&f, ""));
	add(&f, "{ \"a\": 1 }\n{\n{\n{\n{\n{\n{\n{\n{\n{\n{\n");
	add(&f, "a 1\n");
	profile_init(&p);
	CHECK(!profile_read(&p, f.paths, &PLAIN));
	CHECK_U64(p.tree.sum[0], 1);
	/* A mostly malformed file makes the sum unusable. */
	CHECK(p.count.refused == 1 && p.count.unusable == 1);
	CHECK(!profile_has_stacks(&p));
	profile_release(&p);
	unmake(&f);
}

UNIT(one_file_is_added_as_it_stands)
{
	struct profile p;
	struct files f;

	make(&f);
	profile_init(&p);
	CHECK(profile_add_file(&p, add(&f, "a 1 2\n"), &PLAIN));
	CHECK(profile_add_file(&p, add(&f, "#fg columns=2\na 3 4\n"), &PLAIN));
	CHECK(p.tree.columns == 2 && p.tree.sum[0] == 4 && p.tree.sum[1] == 6);
	CHECK(!profile_add_file(&p, add(&f, "#fg columns=1\na 3\n"), &PLAIN));
	CHECK(!profile_add_file(&p, f.folder, &PLAIN));
	profile_release(&p);
	unmake(&f);
}

/* The unmodified content of the file at PATH; valid until the next call. */
static struct str
text_of(const char *path)
{
	static char text[1000];
	int fd = open(path, O_RDONLY);
	ssize_t n = read(fd, text, sizeof text);

	close(fd);
	return (struct str){ text, n > 0 ? (size_t)n : 0 };
}

UNIT(output_reads_back_unchanged)
{
	struct profile p;
	struct files f;
	char *path;

	make(&f);
	add(&f, "#fg unit=ns\nb 2\na;b 1\n");
	profile_init(&p);
	CHECK(profile_read(&p, f.paths, &PLAIN));
	path = add(&f, "");
	CHECK(profile_write(&p, path, true));
	CHECK_STR(text_of(path), STR("#fg unit=ns columns=1 total=3\na;b 1\nb 2\n"));
	CHECK(profile_write(&p, path, false));
	CHECK_STR(text_of(path), STR("a;b 1\nb 2\n"));
	CHECK(!profile_write(&p, f.folder, true));
	profile_release(&p);
	unmake(&f);
}

UNIT(dimensions_are_dropped_and_the_header_says_the_others)
{
	static const struct folded_options in_order = { .in_order = true };
	struct dimensions drop = { .n = 0 };
	struct profile p;
	struct files f;
	char *path;

	make(&f);
	add(&f, "#fg by=tid,time\n1;0s;m;a 1\n1;1s;m;a 2\n1;1s;m;b 3\n1;2s;m;a 4\n");
	profile_init(&p);
	CHECK(profile_read(&p, f.paths, &in_order));
	profile_drop_dimensions(&p, &drop, true);
	CHECK(p.by.now.n == 2);
	CHECK(dimensions_add(&drop, STR("host")) && dimensions_add(&drop, STR("time")));
	profile_drop_dimensions(&p, &drop, true);
	CHECK(p.by.now.n == 1);
	/* 1, m, and the nodes below it */
	CHECK_U64(p.tree.n, 1 + 2 + 3);
	path = add(&f, "");
	CHECK(profile_write(&p, path, true));
	CHECK_STR(text_of(path),
		STR("#fg by=tid columns=1 total=10\n1;m;a 3\n1;m;a 4\n1;m;b 3\n"));
	CHECK(dimensions_add(&drop, STR("tid")));
	profile_drop_dimensions(&p, &drop, true);
	CHECK_STR(folded_info_get(&p.info, "by"), STR("none"));
	CHECK_U64(p.tree.sum[0], 10);
	dimensions_release(&drop);
	profile_release(&p);
	unmake(&f);
}

UNIT(dimensions_without_a_place_are_summed_away)
{
	static const struct folded_options how = { .in_order = false };
	struct dimensions keep = { .n = 0 };
	struct profile p;
	struct files f;
	char *path;

	make(&f);
	add(&f, "#fg by=comm,tid\nc;1;m 1\nd;2;m 2\nc 4\nc;1; 8\n");
	profile_init(&p);
	CHECK(profile_read(&p, f.paths, &how));
	CHECK(dimensions_add(&keep, STR("tid")) && dimensions_add(&keep, STR("host")));
	profile_keep_dimensions(&p, &keep);
	path = add(&f, "");
	CHECK(profile_write(&p, path, true));
	CHECK_STR(text_of(path),
		STR("#fg by=tid columns=1 total=15\n- 4\n1; 8\n1;m 1\n2;m 2\n"));
	dimensions_release(&keep);
	profile_keep_dimensions(&p, &keep);
	path = add(&f, "");
	CHECK(profile_write(&p, path, true));
	CHECK_STR(text_of(path),
		STR("#fg by=none columns=1 total=15\n[unknown] 12\nm 3\n"));
	profile_release(&p);
	unmake(&f);
}

UNIT_MAIN
