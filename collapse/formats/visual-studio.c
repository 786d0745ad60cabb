/* SPDX-License-Identifier: ISC */
/*
 * Call trees of Visual Studio's profiler as CSV, from
 *
 *	VSPerfReport RECORDING.vsp /Summary:CallTree
 *
 * or exported by its window. After sampling
 *
 *	Level,Function Name,Inclusive Samples,Exclusive Samples,...,Module Name,
 *	1,"main","2,304",12,100.00,0.52,"spin.exe",
 *
 * and after instrumentation
 *
 *	Level,Function Name,Number of Calls,Elapsed Inclusive Time %,Elapsed Exclusive Time %,...
 *	0,"Raytracer.exe",0,100.00,0.00,0.00,0.00,"",
 *	1,"Tracer.Trace(int32)",471,91.25,18.39,401.92,81.02,"Raytracer.exe",
 *
 * Levels begin at 0 or 1. Numbers are quoted when they have separators in them, which are those
 * of the country: "2,893,824", "2.893.824". Columns called Exclusive are metrics, and so is the
 * number of calls. Times are shares of all: the averages beside them, in ms, have too few
 * digits to give times.
 */
#include "stacks/call-tree.h"
#include "collapse.h"
#include "readers/csv.h"
#include "folded.h"
#include "formats.h"

enum { COLUMNS = 32, LEVEL = 0, NAME = 1 };

/* The columns that are metrics. */
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
	size_t n, chosen, module; /* columns; module is 0 without */
	const struct metric *columns[COLUMNS];
	unsigned numbers[COLUMNS];
	struct buf text;
};

static bool
is_head(struct str line)
{
	return str_starts(line, STR("Level,Function Name,"));
}

/* Takes the head. False, after a message, when there is nothing to weigh by. */
static bool
take_head(struct reader *r, const struct input *in, struct str head)
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
		msg_error("%s: has no column of weights, as Exclusive Samples",
			input_name(in));
		return false;
	}
	number = collapse_choose_metric(r->c, main);
	for (r->chosen = 0; r->chosen < r->n; r->chosen++)
		if (r->columns[r->chosen] && r->numbers[r->chosen] == number)
			break;
	return number != COLLAPSE_NO_METRIC;
}

/* Whether TEXT, from a separator on, goes on as a number with a separator every three
 * digits does. */
static bool
is_group(struct str text)
{
	size_t i = 1;

	while (i < text.n && str_is_digit(text.s[i]))
		i++;
	return i == 4;
}

/* Reads a number of DECIMALS at most, with the separators of any country. */
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

/* "name<TAB>module" */
static void
add_frame(struct frame_names *names, struct str text)
{
	struct frame_names_symbol s = { .name = str_cut(&text, '\t'), .module = text };

	frame_names_add(names, &s);
}

/* Takes a row; false when it is damaged. */
static bool
take_row(struct reader *r, struct str row)
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

/* Chooses how the metric counts. */
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
			good = take_head(&r, in, line);
			if (good)
				set_scale(&r);
		} else if (str_trim(line).n && (!within || !take_row(&r, line))) {
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
	return is_head(head) ? 95 : 0;
}

const struct collapse_format collapse_visual_studio = {
	.probe = probe,
	.run = run,
	.uses = COLLAPSE_USES_FULL_NAMES | COLLAPSE_USES_COST,
};
