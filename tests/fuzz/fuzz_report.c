/* SPDX-License-Identifier: ISC */
/*
 * Any bytes as folded text, reported in every form: text output has no control
 * characters, script output is JSON, or rows with a cell in each column, and the
 * functions have all of the weight. The first byte chooses options.
 */
#include "fuzz.h"
#include "mem.h"
#include "report.h"
#include "text-check.h"

static void
choose(struct report_settings *set, const uint8_t *byte)
{
	*set = (struct report_settings){
		.kind = (enum report_kind)(byte[0] & 3),
		.sort = (enum report_sort)((byte[0] >> 2) % 3),
		.top = byte[0] & 32 ? 2 : 0,
		.depth = byte[0] & 64 ? 3 : 0,
		.min_share = byte[0] & 128 ? 10 : 0,
		.expression = "a",
	};
}

static void
check_json(struct str text)
{
	size_t i;

	for (i = 0; i < text.n; i++)
		LAW((text.s[i] >= ' ' && text.s[i] < 0x7f) || text.s[i] == '\n');
	LAW(text_check_json(text));
}

static size_t
count_tabs(struct str line)
{
	size_t n = 0;

	for (; line.n; line = str_from(line, 1))
		n += line.s[0] == '\t';
	return n;
}

static void
check_rows(struct str text)
{
	size_t columns = SIZE_MAX;
	struct str line;

	while (text.n) {
		line = str_cut(&text, '\n');
		if (columns == SIZE_MAX)
			columns = count_tabs(line);
		LAW(count_tabs(line) == columns);
	}
}

/* The weight of column C in stacks without a function. */
static uint64_t
sum_nobodys(const struct report *s, int c)
{
	uint64_t sum = s->tree->self[c][TREE_ROOT];
	uint32_t i;

	for (i = 0; i < s->walk.n; i++)
		if (s->walk.depth[i] <= s->lead)
			sum += s->tree->self[c][s->walk.node[i]];
	return sum;
}

/* Checks that self weights are not negative, and add up to the weight of all
 * functions. */
static void
check_functions(const struct report *s)
{
	uint64_t sum;
	uint32_t i;
	int c;

	for (c = 0; c < s->tree->columns; c++) {
		for (sum = sum_nobodys(s, c), i = 0; i < s->n; i++) {
			sum += s->functions[i].self[c];
			LAW(s->functions[i].self[c] <= s->functions[i].total[c]);
			LAW(s->functions[i].total[c] <= s->tree->sum[c]);
		}
		LAW(sum == s->tree->sum[c]);
	}
}

/* Writes the report in one of three forms to B; with PLACES of a call tree that begins
 * there. */
static void
write_form(struct buf *b, struct report *s, const bool *places, int form)
{
	static const struct terminal terminals[] = { { .utf8 = true },
		{ .ascii = true, .cut = true, .width = 40 } };
	bool is_tree = s->set->kind != REPORT_TOP;
	struct calltree ct;
	struct output out;
	FILE *f = fuzz_output(&out);

	if (is_tree)
		report_make_tree(s, places, &ct);
	if (form == 2)
		report_write_data(&out, s, is_tree ? &ct : NULL);
	else if (is_tree)
		report_write_rows(&out, s, &terminals[form], &ct);
	else
		report_write_top(&out, s, &terminals[form]);
	if (is_tree)
		calltree_release(&ct);
	fuzz_written(&out, f, b);
}

/* The places of functions with an 'a' in their names, or of all if there are none;
 * NULL unless the options ask for places. */
static bool *
find_places(const struct report *s)
{
	const struct intern *names = &s->tree->names;
	bool *chosen, *places;
	struct str name;
	uint32_t i, n = 0;

	if (s->set->kind < REPORT_CALLERS)
		return NULL;
	chosen = mem_zero(names->n, sizeof *chosen);
	for (i = 0; i < s->n; i++) {
		name = intern_str(names, s->functions[i].name);
		n += chosen[s->functions[i].name] = str_find(name, 'a') < name.n;
	}
	for (i = 0; i < s->n && !n; i++)
		chosen[s->functions[i].name] = true;
	places = report_find_places(s, chosen);
	free(chosen);
	return places;
}

/* Checks that the brief report of any size is not longer, and ends with a newline. */
static void
check_brief(struct buf *b, const struct report *s)
{
	struct report_brief how = { .picture = STR("picture.svg") };
	struct output out;
	FILE *f;

	for (how.bytes = 1; how.bytes < 20000; how.bytes = how.bytes * 3 + s->n % 7) {
		buf_clear(b);
		f = fuzz_output(&out);
		report_write_brief(&out, s, &how);
		fuzz_written(&out, f, b);
		LAW(b->n && b->n <= how.bytes);
		LAW(b->s[b->n - 1] == '\n');
		LAW(text_check_harmless(buf_view(b), true));
	}
}

static void
report(struct report_settings *set, const struct profile *p)
{
	struct buf b = { 0 };
	struct report s;
	bool *places;
	int form;

	report_init(&s, set, p);
	check_functions(&s);
	if (set->kind == REPORT_TOP) {
		report_sort(&s);
		check_brief(&b, &s);
	}
	places = find_places(&s);
	for (form = 0; form < 2; form++) {
		write_form(&b, &s, places, form);
		LAW(text_check_harmless(buf_view(&b), true));
	}
	write_form(&b, &s, places, 2);
	LAW(text_check_harmless(buf_view(&b), true));
	check_rows(buf_view(&b));
	set->json = true;
	write_form(&b, &s, places, 2);
	check_json(buf_view(&b));
	free(places);
	report_release(&s);
	buf_release(&b);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct folded_options plain = { .reverse = false };
	struct str text = { (const char *)data, size };
	struct report_settings set;
	struct profile p;
	struct input *in;

	if (!size)
		return 0;
	choose(&set, data);
	in = input_of_memory("fuzz", str_from(text, 1));
	profile_init(&p);
	profile_add(&p, in, &plain);
	(void)tree_settle(&p.tree);
	input_close(in);
	if (p.tree.sum[0] || p.tree.sum[1])
		report(&set, &p);
	profile_release(&p);
	return 0;
}
