/* SPDX-License-Identifier: ISC */
/* Tests of collapse: frames whose names become known later. */
#include "collapse.h"
#include "unit.h"

static const struct collapse_options plain = { .by = { COLLAPSE_COMM } };

/* Adds a sample of weight 1 with N frames, innermost first. */
static void
add(struct collapse *c, const uint32_t *ids, size_t n)
{
	struct collapse_sample s = { .comm = { "prog", 4 } };

	CHECK(collapse_wants(c, &s));
	collapse_stack(c, &s, ids, n);
}

static void
check_text(struct collapse *c, struct str want)
{
	struct output out;
	char got[256];
	size_t n;
	FILE *f = tmpfile();

	CHECK(f != NULL);
	output_init(&out, fileno(f), "test");
	collapse_write(c, &out, false);
	CHECK(output_close(&out));
	rewind(f);
	n = fread(got, 1, sizeof got, f);
	fclose(f);
	CHECK_STR(((struct str){ got, n }), want);
}

/* Two stacks with pending frames, ids LATE, both named "f" in the end, one with
 * "inner" inlined. */
static struct collapse *
fill(const struct collapse_options *options)
{
	struct collapse *c = collapse_new(options);
	uint32_t main_id, late[2], f, both[2], stack[3];

	main_id = collapse_frame(c, STR("main"), 0);
	late[0] = collapse_late_frame(c, 0);
	late[1] = collapse_late_frame(c, 1);
	stack[2] = main_id;
	stack[1] = late[0];
	stack[0] = collapse_frame(c, STR("leaf"), 0);
	add(c, stack, 3);
	stack[1] = late[1];
	add(c, stack, 3);
	add(c, stack + 1, 2);
	add(c, stack + 2, 1);
	stack[1] = late[0];
	add(c, stack, 3);
	f = collapse_frame(c, STR("f"), 0);
	both[0] = collapse_frame(c, STR("inner"), 0);
	both[1] = f;
	collapse_name_late(c, late[0], &f, 1);
	collapse_name_late(
		c, late[1], options->in_order ? both : &f, options->in_order ? 2 : 1);
	return c;
}

UNIT(stacks_that_become_the_same_are_one)
{
	struct collapse *c = fill(&plain);

	collapse_rename(c);
	CHECK_U64(collapse_samples(c), 5);
	check_text(c, STR("prog;main 1\nprog;main;f 1\nprog;main;f;leaf 3\n"));
	collapse_free(c);
}

UNIT(samples_in_order_keep_it_and_one_name_may_be_several_frames)
{
	static const struct collapse_options options = { .by = { COLLAPSE_COMM },
		.in_order = true };
	struct collapse *c = fill(&options);

	collapse_rename(c);
	check_text(c,
		STR("prog;main;f;leaf 1\nprog;main;f;inner;leaf 1\n"
		    "prog;main;f;inner 1\nprog;main 1\nprog;main;f;leaf 1\n"));
	collapse_free(c);
}

UNIT(a_late_name_of_skip_after_begins_the_functions)
{
	const char *stop = "f";
	struct collapse_options options = { .by = { COLLAPSE_COMM },
		.skip_after = { &stop, 1, 1 } };
	struct collapse *c = fill(&options);

	collapse_rename(c);
	check_text(c, STR("prog;f 1\nprog;f;leaf 3\nprog;main 1\n"));
	collapse_free(c);
}

UNIT(nodes_stay_when_all_samples_are_dropped_for_an_earlier_event)
{
	struct collapse *c = collapse_new(&plain);
	struct collapse_sample s = { .comm = STR("prog"), .event = STR("second") };
	uint32_t id = collapse_frame(c, STR("main"), 0), root, node;

	collapse_expect(c, STR("first"));
	collapse_expect(c, STR("second"));
	CHECK(collapse_wants(c, &s));
	root = collapse_root(c, &s);
	node = collapse_path(c, root, &id, 1);
	collapse_add(c, node, &s);
	s.event = STR("first");
	CHECK(collapse_wants(c, &s));
	CHECK_U64(collapse_restarts(c), 1);
	CHECK_U64(collapse_root(c, &s), root);
	CHECK_U64(collapse_path(c, root, &id, 1), node);
	collapse_add(c, node, &s);
	check_text(c, STR("prog;main 1\n"));
	collapse_free(c);
}

UNIT(metrics_are_chosen_by_name)
{
	struct collapse_options o = { .cost = "bytes" };
	struct collapse *c = collapse_new(&o);
	struct input *in = input_of_memory("profile", STR(""));

	collapse_begin(c, in);
	CHECK(collapse_metric(c, STR("count"), STR("")) == 0);
	CHECK(collapse_metric(c, STR("bytes"), STR("bytes")) == 1);
	CHECK(collapse_metric(c, STR("count"), STR("")) == 0);
	CHECK(collapse_choose_metric(c, 0) == 1);
	/* The next input has frames of its own. */
	collapse_begin(c, in);
	CHECK(collapse_metric(c, STR("bytes"), STR("bytes")) == 0);
	CHECK(collapse_choose_metric(c, 0) == 0);
	collapse_begin(c, in);
	CHECK(collapse_metric(c, STR("ns"), STR("ns")) == 0);
	CHECK(collapse_choose_metric(c, 0) == COLLAPSE_NO_METRIC);
	collapse_free(c);
	input_close(in);
}

/* The output of --list-costs for C. */
static void
check_costs(struct collapse *c, struct str want)
{
	struct output out;
	char got[1024];
	size_t n;
	FILE *f = tmpfile();

	CHECK(f != NULL);
	output_init(&out, fileno(f), "test");
	collapse_list_costs(c, &out);
	CHECK(output_close(&out));
	rewind(f);
	n = fread(got, 1, sizeof got, f);
	fclose(f);
	CHECK_STR(((struct str){ got, n }), want);
}

UNIT(sums_of_metrics_stay_in_64_bits)
{
	struct collapse *c = collapse_new(&plain);
	struct input *in = input_of_memory("profile", STR(""));

	collapse_begin(c, in);
	collapse_metric(c, STR("a"), STR("ns"));
	collapse_metric(c, STR("b"), STR(""));
	CHECK(collapse_choose_metric(c, 1) == 1);
	collapse_count_cost(c, 0, INT64_MAX);
	collapse_count_cost(c, 0, 1);
	collapse_count_cost(c, 1, 7);
	collapse_count_cost(c, 1, -2);
	check_costs(c,
		STR("a                        ns           9223372036854775807 and more\n"
		    "b                                                        5  default\n"));
	collapse_free(c);
	input_close(in);
}

UNIT(labels_are_root_frames)
{
	const struct collapse_options o = { .by = { COLLAPSE_LABEL, COLLAPSE_COMM },
		.labels = { { "url", 3 } } };
	const struct collapse_label labels[] = { { { "n", 1 }, { "1", 1 } },
		{ { "url", 3 }, { "/a b", 4 } } };
	struct collapse_sample s = { .comm = { "p", 1 }, .labels = labels, .label_n = 2 };
	struct collapse *c = collapse_new(&o);
	uint32_t f = collapse_frame(c, STR("f"), 0);

	CHECK(collapse_wants(c, &s));
	collapse_stack(c, &s, &f, 1);
	s.label_n = 1;
	CHECK(collapse_wants(c, &s));
	collapse_stack(c, &s, &f, 1);
	check_text(c, STR("-;p;f 1\n/a_b;p;f 1\n"));
	collapse_free(c);
}

UNIT_MAIN
