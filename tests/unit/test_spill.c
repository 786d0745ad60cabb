/* SPDX-License-Identifier: ISC */
/* Tests of spill: many runs in files, with the same result as in memory. */
#include "unit.h"
#include "folded.h"
#include "mem.h"
#include "spill.h"

/* Adds STACK to T. */
static void
add(struct tree *t, const char *stack, uint64_t weight)
{
	struct str rest = str_of(stack);
	uint32_t node = TREE_ROOT;

	while (rest.n)
		node = tree_child(t, node, str_cut(&rest, ';'));
	CHECK(tree_add(t, node, 0, weight));
}

struct text {
	struct buf b;
	struct spill_form form;
};

static void
add_stack(void *to, struct str stack, const uint64_t weight[TREE_COLUMNS])
{
	struct text *text = to;

	spill_put_line(&text->b, &text->form, stack, weight);
}

/* Stack I of a random walk. */
static void
put_stack(char *to, size_t size, unsigned i)
{
	snprintf(to, size, "r%u;%u x;%u", i * 7919u % 13, i * 31u % 17, i % 101);
}

/* Puts every stack of RUNS runs of 50 both into S and into T. */
static void
fill(struct spill *s, struct tree *t, unsigned runs)
{
	char stack[64];
	struct tree part;
	unsigned i, j;

	for (i = 0; i < runs; i++) {
		tree_init(&part, 1);
		for (j = 0; j < 50; j++) {
			put_stack(stack, sizeof stack, i * 37 + j);
			add(&part, stack, i + 1);
			add(t, stack, i + 1);
		}
		CHECK(spill_add(s, &part));
		tree_release(&part);
	}
}

/* The output of folded_write for T, in B. */
static void
put_written(struct buf *b, const struct tree *t)
{
	FILE *f = tmpfile();
	struct output out;
	ssize_t n;

	output_init(&out, fileno(f), "file");
	folded_write(&out, t);
	CHECK(output_close(&out));
	n = lseek(fileno(f), 0, SEEK_END);
	b->n = (size_t)pread(fileno(f), buf_room(b, (size_t)n), (size_t)n, 0);
	fclose(f);
}

static void
check_runs(unsigned runs)
{
	struct spill s = { .folder = "/tmp" };
	struct text text = { .form = { 1, 0 } };
	struct buf expected = { 0 };
	struct tree t;

	tree_init(&t, 1);
	fill(&s, &t, runs);
	CHECK(spill_merge(&s, 0, add_stack, &text));
	put_written(&expected, &t);
	CHECK_STR(buf_view(&text.b), buf_view(&expected));
	tree_release(&t);
	spill_release(&s);
	buf_release(&text.b);
	buf_release(&expected);
}

UNIT(no_run_is_nothing)
{
	check_runs(0);
}

UNIT(few_runs_are_merged)
{
	check_runs(1);
	check_runs(3);
}

/* More than 16 times 16: runs of three levels. */
UNIT(many_runs_are_merged_in_levels)
{
	check_runs(16);
	check_runs(300);
}

UNIT(few_files_are_open_at_once)
{
	struct spill s = { .folder = "/tmp" };
	struct tree t;

	tree_init(&t, 1);
	fill(&s, &t, 300);
	CHECK(s.n < 48);
	tree_release(&t);
	spill_release(&s);
}

UNIT(most_is_the_text_and_the_files_merged_at_once)
{
	struct spill small = { .folder = "/tmp" };
	struct spill large = { .folder = "/tmp", .memory = (size_t)128 << 20 };

	CHECK_U64(spill_most(&small, 1000, 1000), 1000);
	CHECK_U64(spill_most(&small, 6000, 1000), 6000);
	CHECK_U64(spill_most(&small, 20000, 1000), 40000);
	CHECK_U64(spill_most(&small, 100000, 1000), 132000);
	/* More memory, more files at once: the merged part is smaller. */
	CHECK_U64(spill_most(&small, 1000000, 1000), 2000000);
	CHECK_U64(spill_most(&large, 1000000, 1000), 1032000);
	CHECK_U64(spill_most(&large, UINT64_MAX - 1, 1), UINT64_MAX);
	CHECK_U64(spill_most(&large, 0, 0), 0);
}

/* Files never exceed the size given before the first. */
UNIT(most_is_kept)
{
	struct spill s = { .folder = "/tmp" };
	struct tree t;
	uint64_t run;

	tree_init(&t, 1);
	fill(&s, &t, 1);
	run = s.bytes;
	fill(&s, &t, 299);
	CHECK(s.most > run && s.most <= spill_most(&s, run * 300, run));
	tree_release(&t);
	spill_release(&s);
}

UNIT(runs_of_different_scales_add_up)
{
	struct spill s = { .folder = "/tmp" };
	struct text text = { .form = { 1, 3 } };
	struct tree t;

	tree_init(&t, 1);
	add(&t, "a b", 5);
	add(&t, "a;x", 7);
	add(&t, "a", 3);
	CHECK(spill_add(&s, &t));
	CHECK(tree_set_scale(&t, 3));
	add(&t, "a", 1);
	CHECK(spill_add(&s, &t));
	CHECK(spill_merge(&s, 3, add_stack, &text));
	CHECK_STR(buf_view(&text.b), STR("a 6.001\na b 10\na;x 14\n"));
	tree_release(&t);
	spill_release(&s);
	buf_release(&text.b);
}

UNIT(a_long_stack_goes_through)
{
	struct spill s = { .folder = "/tmp" };
	struct text text = { .form = { 1, 0 } };
	size_t n = 300000;
	char *name = malloc(n + 1);
	struct tree t;

	memset(name, 'a', n);
	name[n] = 0;
	tree_init(&t, 1);
	add(&t, name, 5);
	CHECK(spill_add(&s, &t) && spill_add(&s, &t));
	CHECK(spill_merge(&s, 0, add_stack, &text));
	CHECK_U64(text.b.n, n + 4);
	tree_release(&t);
	spill_release(&s);
	buf_release(&text.b);
	free(name);
}

UNIT(a_missing_folder_is_reported)
{
	struct spill s = { .folder = "/nowhere/at/all" };
	struct tree t;

	tree_init(&t, 1);
	CHECK(!spill_add(&s, &t));
	CHECK_U64(s.n, 0);
	tree_release(&t);
	spill_release(&s);
}

UNIT_MAIN
