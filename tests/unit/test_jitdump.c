/* SPDX-License-Identifier: ISC */
/* Code by address and time, from hand-made jitdumps: jitdump.h. */
#include "symbols/jitdump.h"
#include "buf.h"
#include "unit.h"

enum { LOAD, MOVE, DEBUG_INFO, CLOSE, UNWINDING };

static void
put(struct buf *b, bool big, unsigned size, uint64_t v)
{
	for (unsigned i = 0; i < size; i++)
		buf_char(b, (char)(v >> 8 * (big ? size - 1 - i : i)));
}

static void
put_header(struct buf *b, bool big, uint64_t flags)
{
	put(b, big, 4, 0x4a695444);
	put(b, big, 4, 1);
	put(b, big, 4, 40);
	put(b, big, 4, 62);
	put(b, big, 4, 0);
	put(b, big, 4, 1234);
	put(b, big, 8, 0);
	put(b, big, 8, flags);
}

struct code {
	uint64_t time, number, start, size, from; /* from: of a move */
	const char *name;
};

static void
put_load(struct buf *b, bool big, const struct code *c)
{
	put(b, big, 4, LOAD);
	put(b, big, 4, 16 + 40 + strlen(c->name) + 1 + 3);
	put(b, big, 8, c->time);
	put(b, big, 4, 1234);
	put(b, big, 4, 1235);
	put(b, big, 8, c->start);
	put(b, big, 8, c->start);
	put(b, big, 8, c->size);
	put(b, big, 8, c->number);
	buf_str(b, (struct str){ c->name, strlen(c->name) + 1 });
	buf_str(b, STR("\x90\x90\xc3"));
}

static void
put_move(struct buf *b, bool big, const struct code *c)
{
	put(b, big, 4, MOVE);
	put(b, big, 4, 16 + 48);
	put(b, big, 8, c->time);
	put(b, big, 4, 1234);
	put(b, big, 4, 1235);
	put(b, big, 8, c->start);
	put(b, big, 8, c->from);
	put(b, big, 8, c->start);
	put(b, big, 8, c->size);
	put(b, big, 8, c->number);
}

/* A record of an ignored KIND. */
static void
put_other(struct buf *b, bool big, uint32_t kind)
{
	put(b, big, 4, kind);
	put(b, big, 4, 16 + 5);
	put(b, big, 8, 50);
	buf_str(b, STR("other"));
}

static struct str
name_at(const struct jitdump *j, uint64_t address, uint64_t time)
{
	struct jitdump_code code;

	return jitdump_find(j, address, time, &code) ? code.name : STR("-");
}

/* A copy of exactly its size, so that reads beyond the end are detected. */
static struct jitdump *
parse(struct str s, char **block, size_t *bad)
{
	*block = malloc(s.n ? s.n : 1);
	memcpy(*block, s.s ? s.s : "", s.n);
	return jitdump_parse((struct str){ *block, s.n }, bad);
}

static const struct code loads[] = {
	{ 100, 1, 0x1000, 0x100, 0, "first" },
	{ 200, 2, 0x2000, 0x10, 0, "other" },
	{ 300, 3, 0x1080, 0x100, 0, "second" },
};

UNIT(code_by_place_and_time)
{
	for (int big = 0; big < 2; big++) {
		struct buf b = { 0 };
		struct jitdump *j;
		size_t bad;

		put_header(&b, big, 0);
		for (int i = 0; i < 3; i++) {
			put_other(&b, big, DEBUG_INFO);
			put_other(&b, big, UNWINDING);
			put_load(&b, big, &loads[i]);
		}
		put_other(&b, big, CLOSE);
		put_other(&b, big, 77);
		j = jitdump_parse(buf_view(&b), &bad);
		CHECK(j != NULL);
		CHECK_U64(bad, 0);
		CHECK_STR(name_at(j, 0x1000, 99), STR("-"));
		CHECK_STR(name_at(j, 0x1000, 100), STR("first"));
		CHECK_STR(name_at(j, 0x10ff, 299), STR("first"));
		CHECK_STR(name_at(j, 0x10ff, 300), STR("second"));
		CHECK_STR(name_at(j, 0x107f, 300), STR("first"));
		CHECK_STR(name_at(j, 0x10ff, 0), STR("second"));
		CHECK_STR(name_at(j, 0x200f, 0), STR("other"));
		CHECK_STR(name_at(j, 0x2010, 0), STR("-"));
		CHECK_STR(name_at(j, 0xfff, 0), STR("-"));
		CHECK_STR(name_at(j, UINT64_MAX, 0), STR("-"));
		jitdump_free(j);
		buf_release(&b);
	}
}

UNIT(moved_code_keeps_its_name)
{
	static const struct code moves[] = {
		{ 250, 1, 0x5000, 0x100, 0x1000, NULL },
		{ 350, 9, 0x6000, 0x100, 0x7000, NULL }, /* never loaded */
		{ 400, 1, 0x5800, 0x100, 0x5000, NULL },
		{ 50, 3, 0x9000, 0x10, 0x1080, NULL }, /* before it was loaded */
	};
	struct buf b = { 0 };
	struct jitdump *j;
	size_t bad;

	put_header(&b, false, 0);
	put_move(&b, false, &moves[3]);
	put_load(&b, false, &loads[0]);
	put_load(&b, false, &loads[1]);
	put_move(&b, false, &moves[0]);
	put_move(&b, false, &moves[1]);
	put_load(&b, false, &loads[2]);
	put_move(&b, false, &moves[2]);
	j = jitdump_parse(buf_view(&b), &bad);
	CHECK_U64(bad, 2);
	CHECK_STR(name_at(j, 0x5000, 249), STR("-"));
	CHECK_STR(name_at(j, 0x5000, 250), STR("first"));
	CHECK_STR(name_at(j, 0x5800, 399), STR("-"));
	CHECK_STR(name_at(j, 0x58ff, 400), STR("first"));
	CHECK_STR(name_at(j, 0x6000, 0), STR("-"));
	CHECK_STR(name_at(j, 0x9000, 0), STR("-"));
	jitdump_free(j);
	buf_release(&b);
}

/* Unwinding information of SIZE bytes, including a table of TABLE bytes; only BYTES
 * are present. */
static void
put_unwinding(struct buf *b, bool big, uint64_t size, uint64_t table, const char *bytes)
{
	put(b, big, 4, UNWINDING);
	put(b, big, 4, 16 + 24 + strlen(bytes));
	put(b, big, 8, 50);
	put(b, big, 8, size);
	put(b, big, 8, table);
	put(b, big, 8, 16);
	buf_str(b, str_of(bytes));
}

static struct str
frames_at(const struct jitdump *j, uint64_t address)
{
	struct jitdump_code code = { 0 };

	return jitdump_find(j, address, 0, &code) ? code.frames : STR("-");
}

UNIT(unwinding_information_is_of_the_code_after_it)
{
	static const struct code moved = { 500, 1, 0x5000, 0x100, 0x1000, NULL };

	for (int big = 0; big < 2; big++) {
		struct jitdump_code code;
		struct buf b = { 0 };
		struct jitdump *j;
		size_t bad;

		put_header(&b, big, 0);
		put_unwinding(&b, big, 9, 3, "framestab");
		put_load(&b, big, &loads[0]);
		put_load(&b, big, &loads[1]);
		put_unwinding(&b, big, 10, 3, "framestab"); /* too large */
		put_load(&b, big, &loads[2]);
		put_move(&b, big, &moved);
		j = jitdump_parse(buf_view(&b), &bad);
		CHECK_STR(frames_at(j, 0x1000), STR("frames"));
		CHECK_STR(frames_at(j, 0x2000), STR(""));
		CHECK_STR(frames_at(j, 0x1080), STR(""));
		CHECK_STR(frames_at(j, 0x5000), STR("frames"));
		CHECK(jitdump_find(j, 0x5010, 0, &code));
		CHECK_U64(code.start, 0x5000);
		CHECK_U64(code.end, 0x5100);
		CHECK_U64(code.swap, big);
		jitdump_free(j);
		buf_release(&b);
	}
}

UNIT(wrong_unwinding_information_is_ignored)
{
	static const uint64_t sizes[][2] = { { 9, 10 }, { UINT64_MAX, 0 },
		{ UINT64_MAX, UINT64_MAX }, { 0, 0 }, { 9, 9 } };

	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		struct buf b = { 0 };
		struct jitdump *j;
		size_t bad;

		put_header(&b, false, 0);
		put_unwinding(&b, false, sizes[i][0], sizes[i][1], "framestab");
		put_load(&b, false, &loads[0]);
		j = jitdump_parse(buf_view(&b), &bad);
		CHECK_STR(frames_at(j, 0x1000), STR(""));
		jitdump_free(j);
		buf_release(&b);
	}
}

UNIT(a_number_used_again_is_the_latest)
{
	static const struct code codes[] = {
		{ 1, 5, 0x1000, 16, 0, "old" },
		{ 2, 5, 0x2000, 16, 0, "new" },
		{ 3, 5, 0x3000, 16, 0x2000, NULL },
	};
	struct buf b = { 0 };
	struct jitdump *j;
	size_t bad;

	put_header(&b, false, 0);
	put_load(&b, false, &codes[0]);
	put_load(&b, false, &codes[1]);
	put_move(&b, false, &codes[2]);
	j = jitdump_parse(buf_view(&b), &bad);
	CHECK_STR(name_at(j, 0x3000, 0), STR("new"));
	CHECK_STR(name_at(j, 0x1000, 0), STR("old"));
	jitdump_free(j);
	buf_release(&b);
}

UNIT(times_of_another_clock_are_left_alone)
{
	struct buf b = { 0 };
	struct jitdump *j;
	size_t bad;

	put_header(&b, false, 1);
	for (int i = 0; i < 3; i++)
		put_load(&b, false, &loads[i]);
	j = jitdump_parse(buf_view(&b), &bad);
	CHECK_STR(name_at(j, 0x10ff, 1), STR("second"));
	jitdump_free(j);
	buf_release(&b);
}

UNIT(files_that_are_not_jitdumps)
{
	struct buf b = { 0 };
	size_t bad;

	CHECK(!jitdump_parse((struct str){ 0 }, &bad));
	CHECK(!jitdump_parse(STR("DTi"), &bad));
	CHECK(!jitdump_parse(
		STR("JITdump of another kind, long enough to be one."), &bad));
	put_header(&b, false, 0);
	for (size_t n = 0; n < b.n; n++)
		CHECK(!jitdump_parse(str_head(buf_view(&b), n), &bad));
	b.s[4] = 2; /* version */
	CHECK(!jitdump_parse(buf_view(&b), &bad));
	b.s[4] = 1;
	b.s[8] = 39; /* the header's size */
	CHECK(!jitdump_parse(buf_view(&b), &bad));
	b.s[8] = 41;
	CHECK(!jitdump_parse(buf_view(&b), &bad));
	b.s[8] = 40;

	struct jitdump *j = jitdump_parse(buf_view(&b), &bad);

	CHECK(j != NULL && bad == 0);
	CHECK_STR(name_at(j, 0, 0), STR("-"));
	jitdump_free(j);
	jitdump_free(NULL);
	buf_release(&b);
}

UNIT(a_longer_header_is_passed_over)
{
	struct buf b = { 0 };
	struct jitdump *j;
	size_t bad;

	put_header(&b, false, 0);
	b.s[8] = 48;
	put(&b, false, 8, 0);
	put_load(&b, false, &loads[0]);
	j = jitdump_parse(buf_view(&b), &bad);
	CHECK_U64(bad, 0);
	CHECK_STR(name_at(j, 0x1000, 0), STR("first"));
	jitdump_free(j);
	buf_release(&b);
}

UNIT(a_cut_file_has_what_is_whole)
{
	struct buf b = { 0 };
	size_t bad, one;

	put_header(&b, false, 0);
	put_load(&b, false, &loads[0]);
	one = b.n;
	put_load(&b, false, &loads[1]);
	for (size_t n = one; n <= b.n; n++) {
		char *block;
		struct jitdump *j = parse(str_head(buf_view(&b), n), &block, &bad);
		bool named = n >= b.n - 3; /* its code is not needed */

		CHECK_U64(bad, n > one && n < b.n);
		CHECK_STR(name_at(j, 0x1000, 0), STR("first"));
		CHECK_STR(name_at(j, 0x2000, 0), named ? STR("other") : STR("-"));
		jitdump_free(j);
		free(block);
	}
	buf_release(&b);
}

UNIT(damaged_records_are_counted)
{
	static const struct code strange[] = {
		{ 1, 1, 0x1000, 16, 0, "" },
		{ 1, 1, UINT64_MAX, 16, 0, "nowhere" },
		{ 1, 1, UINT64_MAX - 8, UINT64_MAX, 0, "end" },
		{ 1, 1, 0x3000, 0, 0, "point" },
	};
	struct buf b = { 0 };
	struct jitdump *j;
	size_t bad, at;

	put_header(&b, false, 0);
	for (int i = 0; i < 4; i++)
		put_load(&b, false, &strange[i]);
	at = b.n;
	put_load(&b, false, &loads[0]);
	j = jitdump_parse(buf_view(&b), &bad);
	CHECK_U64(bad, 2);
	CHECK_STR(name_at(j, UINT64_MAX - 1, 0), STR("end"));
	CHECK_STR(name_at(j, 0x3000, 0), STR("point"));
	CHECK_STR(name_at(j, 0x3001, 0), STR("-"));
	CHECK_STR(name_at(j, 0x1000, 0), STR("first"));
	jitdump_free(j);
	b.s[at + 4] = 15; /* a size that hides the next record */
	j = jitdump_parse(buf_view(&b), &bad);
	CHECK_U64(bad, 3);
	CHECK_STR(name_at(j, 0x1000, 0), STR("-"));
	CHECK_STR(name_at(j, 0x3000, 0), STR("point"));
	jitdump_free(j);
	buf_release(&b);
}

/* Random loads compared with a linear search. */
UNIT(the_latest_load_wins)
{
	enum { SPACE = 40, MOST = 60 };
	uint64_t seed = 7;

	for (int round = 0; round < 300; round++) {
		struct {
			uint64_t start, end, time;
		} model[MOST];
		char names[MOST][16];
		struct buf b = { 0 };
		struct jitdump *j;
		int n = round % MOST;
		size_t bad;

		put_header(&b, false, 0);
		for (int i = 0; i < n; i++) {
			struct code c = { 0 };

			seed = seed * 6364136223846793005 + 1442695040888963407;
			c.time = 1 + (seed >> 33) % 20;
			c.start = (seed >> 40) % SPACE;
			c.size = 1 + (seed >> 50) % (SPACE - c.start);
			snprintf(names[i], sizeof names[i], "f%d", i);
			c.name = names[i];
			put_load(&b, false, &c);
			model[i].start = c.start;
			model[i].end = c.start + c.size;
			model[i].time = c.time;
		}
		j = jitdump_parse(buf_view(&b), &bad);
		for (uint64_t k = 0; k < SPACE * 21; k++) {
			uint64_t at = k % SPACE, time = k / SPACE;
			int best = -1;

			for (int i = 0; i < n; i++)
				if (model[i].start <= at && at < model[i].end &&
					(!time || model[i].time <= time) &&
					(best < 0 || model[i].time >= model[best].time))
					best = i;
			CHECK_STR(name_at(j, at, time),
				best < 0 ? STR("-") : str_of(names[best]));
		}
		jitdump_free(j);
		buf_release(&b);
	}
}

UNIT_MAIN
