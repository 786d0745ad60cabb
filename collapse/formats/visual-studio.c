/* SPDX-License-Identifier: ISC */
/*
 * Call trees of Visual Studio's profiler in CSV, from
 *
 *	VSPerfReport RECORDING.vsp /Summary:CallTree
 *
 * or exported from its window. From sampling:
 *
 *	Level,Function Name,Inclusive Samples,Exclusive Samples,...,Module Name,
 *	1,"main","2,304",12,100.00,0.52,"spin.exe",
 *
 * From instrumentation:
 *
 *	Level,Function Name,Number of Calls,Elapsed Inclusive Time %,Elapsed Exclusive Time %,...
 *	0,"Raytracer.exe",0,100.00,0.00,0.00,0.00,"",
 *	1,"Tracer.Trace(int32)",471,91.25,18.39,401.92,81.02,"Raytracer.exe",
 *
 * Levels begin at 0 or 1. Numbers that contain separators are quoted; separators depend
 * on the locale: "2,893,824", "2.893.824". The Exclusive columns and the number of calls
 * are metrics. Times are shares of the total: the averages in ms have too few digits to
 * compute times.
 */
#include "stacks/call-tree.h"
#include "collapse.h"
#include "readers/csv.h"
#include "folded.h"
#include "formats.h"

enum { COLUMNS = 32, LEVEL = 0, NAME = 1 };

static const struct metric {
	const char *column, *name, *unit;
	unsigned decimals;
} metrics[] = {
	{ "Exclusive Samples", "samples", "", 0 },
	{ "Exclusive Bytes", "bytes", "bytes", 0 },
	{ "Exclusive Allocations", "allocations", "allocations", 0 },
	{ "Elapsed Exclusive Time %", "elapsed", "percent", 2 },
	{ "Application Exclusive Time %", "application", "percent", 2 },
	{ "Number of Calls", "calls", "calls", 0 },
};

enum { METRICS = sizeof metrics / sizeof *metrics };

struct reader {
	struct collapse *c;
	struct call_tree tree;
	size_t n, chosen, module; /* columns; module: 0 if absent */
	const struct metric *columns[COLUMNS];
	unsigned numbers[COLUMNS];
	struct buf text;
};

static bool
is_head(struct str line)
{
	return str_starts(line, STR("Level,Function Name,"));
}

/* Parses the head. Returns false, after a message, without a metric to fold. */
static bool
parse_head(struct reader *r, const struct input *in, struct str head)
{
	unsigned number, most = METRICS, main = 0;
	struct str name;
	size_t m;

	for (r->n = 0; r->n < COLUMNS && head.n; r->n++) {
		name = csv_field(&head, ',');
		if (str_eq(name, STR("Module Name")))
			r->module = r->n;
		for (m = 0; m < METRICS && !str_eq(name, str_of(metrics[m].column)); m++)
			;
		if (m == METRICS)
			continue;
		r->columns[r->n] = &metrics[m];
		r->numbers[r->n] = collapse_metric(
			r->c, str_of(metrics[m].name), str_of(metrics[m].unit));
		collapse_metric_decimals(r->c, r->numbers[r->n], metrics[m].decimals);
		if (m < most) {
			most = (unsigned)m;
			main = r->numbers[r->n];
		}
	}
	if (most == METRICS) {
		msg_error("%s: has no column of weights, such as Exclusive Samples",
			input_name(in));
		return false;
	}
	number = collapse_choose_metric(r->c, main);
	for (r->chosen = 0; r->chosen < r->n; r->chosen++)
		if (r->columns[r->chosen] && r->numbers[r->chosen] == number)
			break;
	return number != COLLAPSE_NO_METRIC;
}

/* Whether three digits, and no more, follow the separator that TEXT begins with. */
static bool
is_group(struct str text)
{
	size_t i = 1;

	while (i < text.n && str_is_digit(text.s[i]))
		i++;
	return i == 4;
}

/* Parses a number of at most DECIMALS, with the separators of any locale. */
static bool
read_number(struct str text, unsigned decimals, uint64_t *value)
{
	bool rounded = false;
	char digits[64];
	size_t n = 0, i;

	for (i = 0; i < text.n && n < sizeof digits; i++)
		if (str_is_digit(text.s[i]))
			digits[n++] = text.s[i];
		else if (text.n - i - 1 <= decimals &&
			(text.s[i] == '.' || text.s[i] == ','))
			digits[n++] = '.';
		else if ((unsigned char)text.s[i] < 0x80 &&
			(!n || !is_group(str_from(text, i))))
			return false;
	return n < sizeof digits &&
		folded_weight((struct str){ digits, n }, decimals, value, &rounded);
}

/* Splits "name<TAB>module". */
static void
add_frame(struct frame_names *names, struct str text)
{
	struct frame_names_symbol s = { .name = str_cut(&text, '\t'), .module = text };

	frame_names_add(names, &s);
}

/* Parses a row. Returns false if malformed. */
static bool
parse_row(struct reader *r, struct str row)
{
	uint64_t depth, weights[COLUMNS] = { 0 };
	struct str name, field, module = { 0 };
	size_t i;

	if (!str_to_u64(csv_field(&row, ','), &depth) || depth > SIZE_MAX)
		return false;
	name = csv_field(&row, ',');
	for (i = NAME + 1; i < r->n; i++) {
		field = csv_field(&row, ',');
		if (i == r->module)
			module = field;
		else if (r->columns[i] &&
			!read_number(field, r->columns[i]->decimals, &weights[i]))
			return false;
	}
	if (!name.n)
		return false;
	buf_clear(&r->text);
	buf_str(&r->text, name);
	buf_char(&r->text, '\t');
	buf_str(&r->text, module);
	call_tree_name(&r->tree, buf_view(&r->text), add_frame);
	call_tree_enter(&r->tree, depth, r->tree.names.ids, r->tree.names.n);
	call_tree_self(&r->tree, weights[r->chosen]);
	for (i = 0; i < r->n; i++)
		if (r->columns[i])
			collapse_count_weight(r->c, r->numbers[i], weights[i]);
	return true;
}

static void
set_scale(struct reader *r)
{
	const struct metric *m = r->columns[r->chosen];

	r->tree.samples = !*m->unit;
	if (!r->tree.samples)
		collapse_exact(r->c);
	if (!collapse_decimals(r->c, m->decimals))
		collapse_lose(r->c, COLLAPSE_OVERFLOW);
}

static bool
run(struct input *in, struct collapse *c)
{
	struct reader r = { .c = c, .tree.names.c = c };
	uint64_t before = collapse_samples(c);
	bool within = false, good = true;
	struct str line;

	collapse_threadless(c);
	while (good && input_line(in, &line)) {
		if (!within && is_head(line)) {
			within = true;
			good = parse_head(&r, in, line);
			if (good)
				set_scale(&r);
		} else if (str_trim(line).n && (!within || !parse_row(&r, line))) {
			collapse_lose(c, COLLAPSE_MALFORMED);
		}
	}
	call_tree_end(&r.tree);
	call_tree_release(&r.tree);
	buf_release(&r.text);
	return within ? good : collapse_damage(c, before, true);
}

static int
probe(struct str head)
{
	(void)head;
	return 95;
}

const struct collapse_format collapse_visual_studio = {
	.probe = probe,
	.signs = SIGNS(SIGN(MAGIC, "Level,Function Name,")),
	.run = run,
	.uses = COLLAPSE_USES_FULL_NAMES | COLLAPSE_USES_COST,
};
