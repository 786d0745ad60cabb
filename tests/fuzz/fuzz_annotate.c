/* SPDX-License-Identifier: ISC */
/*
 * Any bytes as folded text whose frames may have locations or code: lines of a function
 * add up to it, a line's total is at least its self weight and each of its calls, text
 * output has no control characters, and script output is JSON. Sources are not opened:
 * names would have to match files of this machine.
 */
#include "annotate.h"
#include "fuzz.h"
#include "mem.h"
#include "text-check.h"

static void
check_line(const struct annotate *a, const struct annotate_line *l, int column)
{
	uint64_t calls = 0;
	uint32_t i;

	LAW(l->self[column] <= l->total[column]);
	LAW(l->total[column] <= a->report->tree->sum[column]);
	for (i = 0; i < l->call_n; i++)
		calls += a->calls[l->call + i].total[column];
	LAW(calls <= l->total[column]);
}

static void
check_function(const struct annotate *a, const struct annotate_function *f, int column)
{
	const struct annotate_line *l = &a->lines[f->line], *end = l + f->line_n;
	uint64_t self = 0;

	LAW(f->line_n > 0);
	for (; l < end; l++) {
		check_line(a, l, column);
		LAW(l->total[column] <= f->total[column]);
		LAW(l == &a->lines[f->line] || l->number > l[-1].number);
		self += l->self[column];
	}
	LAW(self == f->self[column]);
}

enum { CODE = 16 };

static void
write_all(const struct annotate *a, uint8_t choice)
{
	static const struct terminal terminals[] = { { .utf8 = true },
		{ .ascii = true, .cut = true, .width = 40 } };
	static const struct folded_info no_programs = { .n = 0 };
	static const struct folders nowhere = { .as_is = false };
	const struct programs programs = { &no_programs, &nowhere, NULL, NULL };
	struct sources sources = { .cap = 0 };
	bool *all = mem_zero((size_t)a->function_n + 1, sizeof *all);
	struct annotate_how how = { .sources = &sources,
		.terminal = &terminals[choice & 1],
		.programs = &programs,
		.context = choice & 4 ? UINT32_MAX : 2,
		.top = choice & 8 ? 2 : UINT32_MAX };
	struct buf b = { 0 };
	struct output out;
	uint32_t i;
	FILE *f = fuzz_output(&out);

	for (i = 0; i < a->function_n; i++)
		all[i] = true;
	how.chosen = choice & (2 | CODE) ? all : NULL;
	if (choice & CODE)
		LAW(annotate_write_code(&out, a, &how));
	else
		annotate_write(&out, a, &how);
	fuzz_written(&out, f, &b);
	LAW(text_check_harmless(buf_view(&b), false));
	buf_clear(&b);
	f = fuzz_output(&out);
	if (choice & CODE)
		LAW(annotate_write_code_json(&out, a, &how));
	else
		annotate_write_json(&out, a, &how);
	fuzz_written(&out, f, &b);
	LAW(text_check_json(buf_view(&b)));
	buf_release(&b);
	sources_release(&sources);
	free(all);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct folded_options options = { .reverse = false };
	static const struct report_settings set = { .kind = REPORT_TOP };
	struct profile p;
	struct report s;
	struct annotate a;
	struct input *in;
	uint32_t i;
	int c;

	if (!size)
		return 0;
	in = input_of_memory("input", (struct str){ (const char *)data + 1, size - 1 });
	profile_init(&p);
	profile_add(&p, in, &options);
	input_close(in);
	tree_settle(&p.tree);
	if (p.tree.sum[0] || (p.tree.columns > 1 && p.tree.sum[1])) {
		report_init(&s, &set, &p);
		annotate_init(&a, &s, data[0] & CODE ? ANNOTATE_CODE : ANNOTATE_LINES);
		for (i = 0; i < a.function_n; i++)
			for (c = 0; c < p.tree.columns; c++)
				check_function(&a, &a.functions[i], c);
		if (a.function_n)
			write_all(&a, data[0]);
		annotate_release(&a);
		report_release(&s);
	}
	profile_release(&p);
	return 0;
}
