/* SPDX-License-Identifier: ISC */
/* Tests of filter: matching of names, and preservation of weights. */
#include "unit.h"
#include "filter.h"
#include "mem.h"

static struct str
module(struct str name)
{
	bool inlined;

	return filter_module(name, &inlined);
}

UNIT(names_determine_modules)
{
	CHECK_STR(module(STR("f (/usr/lib/libc.so.6)")), STR("libc.so.6"));
	CHECK_STR(module(STR("f (in libc.dylib)")), STR("libc.dylib"));
	CHECK_STR(module(STR("f(int) (prog)")), STR("prog"));
	CHECK_STR(module(STR("[libc.so.6]")), STR("libc.so.6"));
	CHECK_STR(module(STR("[libc.so.6 <2601>]")), STR("libc.so.6"));
	CHECK_STR(module(STR("[kernel.kallsyms]_[k]")), STR("kernel.kallsyms"));
	CHECK_STR(module(STR("genunix`read")), STR("genunix"));
	CHECK_STR(module(STR("read_[k]")), STR("kernel"));
	CHECK_STR(module(STR("LMain;.f_[j]")), STR("jit"));
}

UNIT(arguments_are_not_modules)
{
	static const char *const names[] = { "f", "f (int)", "f (char const*)",
		"operator()", "f (a, b)", "(anonymous namespace)::f",
		"std::function<void ()>", "[unknown]", "f ()", "[]", "`", "`f", "", " ()",
		"f(x)", "_[", "]", "f (std::string)" };
	size_t i;

	for (i = 0; i < sizeof names / sizeof *names; i++)
		CHECK_STR(module(str_of(names[i])), STR(""));
}

UNIT(waiting_functions_are_known_by_their_plain_names)
{
	CHECK_U64(filter_idle(STR("unix`do_idle+0x1b_[k]")), FILTER_IDLE_LOOP);
	CHECK_U64(filter_idle(STR("poll@plt")), FILTER_WAITS);
	CHECK_U64(filter_idle(STR("poll+28")), FILTER_WAITS);
	CHECK_U64(filter_idle(STR("poll.constprop.0.isra.1")), FILTER_WAITS);
	CHECK_U64(filter_idle(STR("poll.part.3")), FILTER_WAITS);
	CHECK_U64(filter_idle(STR("poll_[0]")), FILTER_WAITS);
	CHECK_U64(filter_idle(STR("poll.x")), FILTER_BUSY);
	CHECK_U64(filter_idle(STR("")), FILTER_BUSY);
	CHECK_U64(filter_idle(STR("_[k]")), FILTER_BUSY);
}

UNIT(idle_names)
{
	CHECK_U64(filter_idle(STR("swapper")), FILTER_IDLE_LOOP);
	CHECK_U64(filter_idle(STR("swapper/11")), FILTER_IDLE_LOOP);
	CHECK_U64(filter_idle(STR("swappers")), FILTER_BUSY);
	CHECK_U64(filter_idle(STR("swapper/")), FILTER_BUSY);
	CHECK_U64(filter_idle(STR("poll")), FILTER_WAITS);
	CHECK_U64(filter_idle(STR("ep_poll_[k]")), FILTER_SLEEPS);
	CHECK_U64(filter_idle(STR("__schedule")), FILTER_SCHEDULES);
	CHECK_U64(filter_idle(STR("main")), FILTER_BUSY);
}

static void
read_text(struct tree *t, struct str text)
{
	static const struct folded_options plain = { .reverse = false };
	struct input *in = input_of_memory("text", text);
	struct folded_info info = { .n = 0 };
	struct folded_count count = { 0 };

	tree_init(t, 1);
	folded_read(in, t, &info, &plain, &count);
	folded_info_release(&info);
	input_close(in);
}

/* The argument for a step of each kind. */
static const char *const ARGUMENTS[FILTER_KINDS] = {
	[FILTER_FOCUS] = "b",
	[FILTER_IGNORE] = "d",
	[FILTER_ROOT] = "c|b",
	[FILTER_BELOW] = "b",
	[FILTER_ABOVE] = "b",
	[FILTER_DEPTH] = "2",
	[FILTER_HIDE] = "^[bc]",
	[FILTER_SHOW] = "[ad]",
	[FILTER_RENAME] = "s/[bd]/x/g",
	[FILTER_SHARE] = "20",
};

/* Every pair of steps, in each order, with the removed stacks kept or not. */
UNIT(no_step_makes_or_loses_weight)
{
	struct str text =
		STR("a;b;c 1 2\na;b;b;c 3 4\nd 5 6\na;b;d 0 7\nswapper;x 8 0\n");
	const struct dimensions none = { .n = 0 };
	struct filter f;
	struct buf why = { 0 };
	struct tree t;
	unsigned i;
	int c;

	for (i = 0; i < FILTER_KINDS * FILTER_KINDS * 2; i++) {
		f = (struct filter){ .keep_total = i % 2 };
		CHECK(filter_add(
			&f, i / 2 % FILTER_KINDS, ARGUMENTS[i / 2 % FILTER_KINDS], &why));
		CHECK(filter_add(
			&f, i / 2 / FILTER_KINDS, ARGUMENTS[i / 2 / FILTER_KINDS], &why));
		read_text(&t, text);
		CHECK(filter_run(&f, &t, &none));
		for (c = 0; c < 2; c++)
			CHECK_U64(t.sum[c] + (f.keep_total ? 0 : f.dropped[c]),
				c ? 19 : 17);
		tree_release(&t);
		filter_release(&f);
	}
	buf_release(&why);
}

static uint64_t
adjusted(const char *samples, uint64_t kept, uint64_t whole)
{
	struct filter f = { .whole = { whole, 0 } };
	struct folded_info info = { .n = 0 };
	struct tree t;
	uint64_t n;

	tree_init(&t, 1);
	CHECK(tree_add(&t, tree_child(&t, TREE_ROOT, STR("a")), 0, kept));
	folded_info_set(&info, "samples", str_of(samples));
	filter_adjust(&f, &t, &info);
	n = folded_info_u64(&info, "samples");
	tree_release(&t);
	folded_info_release(&info);
	return n;
}

UNIT(samples_follow_the_weight)
{
	CHECK_U64(adjusted("10", 30, 100), 3);
	CHECK_U64(adjusted("100", 37, 100), 37);
	CHECK_U64(adjusted("18446744073709551615", 5, 5), UINT64_MAX);
	CHECK_U64(adjusted("18446744073709551615", UINT64_MAX / 3, UINT64_MAX),
		UINT64_MAX / 3);
	CHECK_U64(adjusted("10", 1, 1000), 1);
	CHECK_U64(adjusted("10", 0, 1000), 0);
	CHECK_U64(adjusted("many", 5, 10), 0);
}

UNIT_MAIN
