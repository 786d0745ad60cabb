/* SPDX-License-Identifier: ISC */
/* The costs of lines: annotate.h. */
#include "annotate.h"
#include "unit.h"

static struct profile profile;
static struct report report;
static struct annotate annotated;

static void
add(const char *stack, uint64_t weight)
{
	struct str rest = str_of(stack);
	uint32_t node = TREE_ROOT;

	if (!profile.tree.n)
		tree_init(&profile.tree, 1);
	while (rest.n)
		node = tree_child(&profile.tree, node, str_cut(&rest, ';'));
	tree_add(&profile.tree, node, 0, weight);
}

static void
make_of(enum annotate_kind kind)
{
	static const struct report_settings set = { .kind = REPORT_TOP };

	report_init(&report, &set, &profile);
	annotate_init(&annotated, &report, kind);
}

static void
make(void)
{
	make_of(ANNOTATE_LINES);
}

/* "line self/total callee=total ..." of the function number I. */
static struct str
lines(uint32_t i, struct buf *b)
{
	const struct annotate_function *f = &annotated.functions[i];
	const struct annotate_line *l = &annotated.lines[f->line], *end = l + f->line_n;
	const struct annotate_call *c;

	buf_clear(b);
	for (; l < end; l++) {
		buf_fmt(b, "%lu %lu/%lu ", (unsigned long)l->number,
			(unsigned long)l->self[0], (unsigned long)l->total[0]);
		for (c = &annotated.calls[l->call];
			c < &annotated.calls[l->call + l->call_n]; c++)
			buf_fmt(b, "%s%.*s=%lu ", c->inlined ? "=>" : "->",
				STR_ARG(c->name), (unsigned long)c->total[0]);
	}
	return buf_view(b);
}

UNIT(lines_have_self_total_and_calls)
{
	struct buf b = { 0 };

	add("main:a.c:1;f:b.c:7", 10);
	add("main:a.c:1;f:b.c:5;g:c.h:2_[i]", 30);
	add("main:a.c:1;f:b.c:5;g:c.h:3_[i]", 2);
	add("main:a.c:1;f:b.c:5;g", 4);
	add("main:a.c:1;other", 1);
	make();
	CHECK_U64(annotated.function_n, 3);
	CHECK_STR(annotated.functions[0].name, STR("g"));
	CHECK_STR(lines(0, &b), STR("2 30/30 3 2/2 "));
	CHECK_STR(annotated.functions[1].file, STR("b.c"));
	CHECK_STR(lines(1, &b), STR("5 0/36 =>g=32 ->g=4 7 10/10 "));
	CHECK_STR(lines(2, &b), STR("1 0/47 ->f=46 ->other=1 "));
	CHECK_U64(annotated.functions[1].self[0], 10);
	CHECK_U64(annotated.functions[1].total[0], 46);
	buf_release(&b);
	annotate_release(&annotated);
	report_release(&report);
}

UNIT(recursion_counts_once_and_files_keep_functions_apart)
{
	struct buf b = { 0 };

	add("f:a.c:5;f:a.c:6;f:a.c:5;f:a.c:7", 10);
	add("f:a.c:5;f:b.c:5", 3);
	make();
	CHECK_U64(annotated.function_n, 2);
	CHECK_STR(lines(0, &b), STR("5 0/13 ->f=13 6 0/10 ->f=10 7 10/10 "));
	CHECK_U64(annotated.functions[0].total[0], 13);
	CHECK_STR(lines(1, &b), STR("5 3/3 "));
	buf_release(&b);
	annotate_release(&annotated);
	report_release(&report);
}

UNIT(inlined_functions_end_at_instructions_of_those_around)
{
	struct buf b = { 0 };

	add("main <a+0x1>;f:b.c:5 <a+0x7>;g:c.h:2 <a+0x7>_[i];h <a+0x7>_[i]", 30);
	add("main <a+0x1>;f:b.c:5 <a+0x7>;f <a+0x7>_[i]", 4);
	add("main <a+0x1>;f <a+0x9>", 2);
	add("main <a+0x1>;f:b.c:6", 1);
	make_of(ANNOTATE_CODE);
	CHECK_U64(annotated.function_n, 4);
	CHECK_STR(annotated.functions[0].name, STR("f"));
	CHECK_STR(annotated.functions[0].file, STR("a"));
	CHECK_STR(lines(0, &b), STR("7 34/34 =>g=30 =>f=4 9 2/2 "));
	CHECK_U64(annotated.functions[0].self[0], 36);
	CHECK_STR(lines(1, &b), STR("7 30/30 =>h=30 "));
	CHECK_STR(lines(3, &b), STR("1 0/37 ->f=37 "));
	buf_release(&b);
	annotate_release(&annotated);
	report_release(&report);
}

UNIT(the_hottest_lines_come_first)
{
	uint32_t *order;

	add("f:a.c:5", 3);
	add("f:a.c:9", 30);
	add("g:a.c:1", 4);
	make();
	order = annotate_hottest(&annotated);
	CHECK_U64(annotated.line_n, 3);
	CHECK_U64(annotated.lines[order[0]].number, 9);
	CHECK_U64(annotated.lines[order[1]].number, 1);
	CHECK_U64(annotated.lines[order[2]].number, 5);
	free(order);
	annotate_release(&annotated);
	report_release(&report);
}

UNIT_MAIN
