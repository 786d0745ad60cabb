/* SPDX-License-Identifier: ISC */
/*
 * A call tree of Instruments (macOS), copied with Edit > Deep Copy. Fields are separated by tabs;
 * the last one is the name, indented by its depth.
 *
 *	Running Time	Self (ms)		Symbol Name			Xcode 7
 *	4273.0ms   99.9%	0	 	start
 *	2126.0ms   49.7%	693	 	 delta()
 *
 *	Weight	Self Weight		Symbol Name				13
 *	96.08 Gc  100.0%	-	 	example_app (40414)
 *
 *	Weight	Self Weight	Symbol Names					16
 *	4.93 s  100.0%	0 s	   start
 *
 *	Bytes Used	Count		Symbol Name				allocations
 *	 429.93 MB     100.0%	84671	 	start
 *
 * A frame's self weight is in the column Self, or else its total minus its children's totals, all
 * of which are rounded. KB, MB and GB are powers of 1024. Numbers may have a decimal comma, and
 * U+2007 or U+00A0 instead of blanks.
 */
#include "stacks/call-tree.h"
#include "collapse.h"
#include "formats.h"
#include "weight.h"

enum { COLUMNS = 16, TOTALS = 2 };

/* Units after numbers, and their factor to the metric's unit. */
static const struct unit {
	const char *name, *of;
	uint64_t times;
} units[] = {
	{ "ns", "ns", 1 },
	{ "us", "ns", 1000 },
	{ "\xc2\xb5s", "ns", 1000 },
	{ "\xce\xbcs", "ns", 1000 },
	{ "ms", "ns", 1000000 },
	{ "s", "ns", 1000000000 },
	{ "min", "ns", 60000000000 },
	{ "h", "ns", 3600000000000 },
	{ "c", "cycles", 1 },
	{ "cycles", "cycles", 1 },
	{ "Kc", "cycles", 1000 },
	{ "Mc", "cycles", 1000000 },
	{ "Gc", "cycles", 1000000000 },
	{ "Tc", "cycles", 1000000000000 },
	{ "B", "bytes", 1 },
	{ "Bytes", "bytes", 1 },
	{ "KB", "bytes", 1 << 10 },
	{ "KiB", "bytes", 1 << 10 },
	{ "MB", "bytes", 1 << 20 },
	{ "MiB", "bytes", 1 << 20 },
	{ "GB", "bytes", 1 << 30 },
	{ "GiB", "bytes", 1 << 30 },
	{ "TB", "bytes", (uint64_t)1 << 40 },
};

struct reader {
	struct collapse *c;
	struct call_tree tree;
	size_t total, self, count; /* columns, from 1 on; 0: missing */
	size_t n;		   /* number of columns */
	bool in_ms;		   /* column Self is in ms, without units */
	bool chosen;		   /* the metric is chosen */
	bool of_count;		   /* the metric is the count */
	unsigned metric, counts;   /* the sink's numbers */
};

/* Whether LINE is the heading of a table; sets the columns. */
static bool
parse_head(struct reader *r, struct str line)
{
	struct str field = { 0 };
	size_t i;

	r->total = r->self = r->count = 0;
	r->in_ms = false;
	for (i = 1; line.n && i <= COLUMNS; i++) {
		field = str_trim(str_cut(&line, '\t'));
		if (str_starts(field, STR("Self"))) {
			r->self = i;
			r->in_ms = str_ends(field, STR("(ms)"));
		} else if (str_eq(field, STR("Count"))) {
			r->count = i;
		} else if (str_eq(field, STR("Running Time")) ||
			str_eq(field, STR("Weight")) ||
			str_eq(field, STR("Bytes Used"))) {
			r->total = i;
		}
	}
	r->n = i - 1;
	return (r->total || r->self) &&
		(str_eq(field, STR("Symbol Name")) || str_eq(field, STR("Symbol Names")));
}

/* Skips blanks of any kind. */
static void
skip_blanks(struct str *text)
{
	struct str figure = STR("\xe2\x80\x87"), hard = STR("\xc2\xa0"),
		   narrow = STR("\xe2\x80\xaf");

	for (;;)
		if (text->n && str_is_blank(text->s[0]))
			*text = str_from(*text, 1);
		else if (str_starts(*text, figure) || str_starts(*text, narrow))
			*text = str_from(*text, 3);
		else if (str_starts(*text, hard))
			*text = str_from(*text, 2);
		else
			return;
}

/* Cuts the number at the start of *TEXT off. Returns false if it is invalid. */
static bool
cut_number(struct str *text, struct weight *number)
{
	bool rounded = false;
	char digits[40];
	size_t i, n = 0, point = 0;

	skip_blanks(text);
	for (i = 0; i < text->n && n < sizeof digits; i++)
		if (str_is_digit(text->s[i]))
			digits[n++] = text->s[i];
		else if ((text->s[i] == '.' || text->s[i] == ',') && n)
			point = n, digits[n++] = '.';
		else
			break;
	*text = str_from(*text, i);
	/* "1,234.5": the last separator is the decimal point. */
	for (i = 0; i < point; i++)
		if (digits[i] == '.') {
			memmove(digits + i, digits + i + 1, n - i - 1);
			n--;
			point--;
		}
	return n && n < sizeof digits &&
		weight_read((struct str){ digits, n }, number, &rounded);
}

/* Returns the unit at the start of TEXT; NULL if it is unknown. */
static const struct unit *
find_unit(struct str text)
{
	size_t i, end = 0;

	skip_blanks(&text);
	while (end < text.n && !str_is_blank(text.s[end]) && !str_is_digit(text.s[end]) &&
		(unsigned char)text.s[end] != 0xe2)
		end++;
	for (i = 0; i < sizeof units / sizeof *units; i++)
		if (str_eq(str_head(text, end), str_of(units[i].name)))
			return &units[i];
	return NULL;
}

/* Returns W times N, rounded half up, at most UINT64_MAX. */
static uint64_t
multiply(struct weight w, uint64_t n)
{
	double part = (double)w.nano / WEIGHT_NANO * (double)n + 0.5;

	return w.whole > UINT64_MAX / n ? UINT64_MAX
					: weight_count(w.whole * n, (uint64_t)part);
}

/* TEXT: "96.08 Gc  100.0%", "4273.0ms", "-" or, in units of PLAIN, "693". Returns false if it is
 * invalid. */
static bool
parse_amount(struct str text, const char *plain, uint64_t *amount, const char **of)
{
	const struct unit *unit = NULL;
	struct weight number;

	skip_blanks(&text);
	*amount = 0;
	if (!text.n || text.s[0] == '-')
		return true;
	if (!cut_number(&text, &number))
		return false;
	skip_blanks(&text);
	unit = find_unit(text.n || !plain ? text : str_of(plain));
	if (!unit)
		return false;
	*of = unit->of;
	*amount = multiply(number, unit->times);
	return true;
}

/* Chooses the metric, once its unit OF is known. Returns false, after a message, if --cost names
 * another one. */
static bool
choose(struct reader *r, const char *of)
{
	bool bytes = strcmp(of, "bytes") == 0, time = strcmp(of, "ns") == 0;
	unsigned number;

	r->metric = collapse_metric(r->c, str_of(time ? "time" : of), str_of(of));
	if (r->count)
		r->counts = collapse_metric(
			r->c, STR("count"), bytes ? STR("allocations") : STR(""));
	number = collapse_choose_metric(r->c, r->metric);
	r->of_count = r->count && number == r->counts;
	r->chosen = true;
	/* The number of samples is unknown. */
	collapse_exact(r->c);
	r->tree.rounded = !r->of_count;
	return number != COLLAPSE_NO_METRIC;
}

static void
add_frame(struct frame_names *names, struct str text)
{
	struct frame_names_symbol s = { .name = text };

	frame_names_add(names, &s);
}

struct row {
	uint64_t total, self, count;
	const char *of; /* their unit */
	struct str name;
};

/* Returns false if LINE is malformed. */
static bool
parse_row(const struct reader *r, struct str line, struct row *row)
{
	struct str field = { 0 };
	uint64_t *to;
	size_t i;

	*row = (struct row){ .of = NULL };
	for (i = 1; i <= r->n; i++) {
		field = i < r->n ? str_cut(&line, '\t') : line;
		to = i == r->total ? &row->total : i == r->self ? &row->self : NULL;
		if (i == r->count && !str_to_u64(str_trim(field), &row->count))
			return false;
		if (to &&
			!parse_amount(field, i == r->self && r->in_ms ? "ms" : NULL, to,
				&row->of))
			return false;
	}
	row->name = field;
	return row->of && str_trim(field).n;
}

static void
count_costs(struct reader *r, const struct row *row)
{
	uint64_t weight = r->self ? row->self : row->total;

	/* The totals of the outermost frames add up to the whole. */
	if (r->self || r->tree.n == 1)
		collapse_count_weight(r->c, r->metric, weight);
	if (r->count && r->tree.n == 1)
		collapse_count_weight(r->c, r->counts, row->count);
}

/* LINE: a row. Returns false, after a message, if --cost names a missing metric. */
static bool
add_row(struct reader *r, struct str line)
{
	struct row row;
	size_t depth = 0;

	if (!parse_row(r, line, &row)) {
		collapse_lose(r->c, COLLAPSE_MALFORMED);
		return true;
	}
	if (!r->chosen && !choose(r, row.of))
		return false;
	while (row.name.s[depth] == ' ')
		depth++;
	call_tree_name(&r->tree, str_from(row.name, depth), add_frame);
	call_tree_enter(&r->tree, depth, r->tree.names.ids, r->tree.names.n);
	if (r->of_count)
		call_tree_total(&r->tree, row.count);
	else if (r->self)
		call_tree_self(&r->tree, row.self);
	else
		call_tree_total(&r->tree, row.total);
	count_costs(r, &row);
	return true;
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
		if (!within)
			within = parse_head(&r, line);
		else if (str_trim(line).n)
			good = add_row(&r, line);
	}
	call_tree_end(&r.tree);
	call_tree_release(&r.tree);
	return within ? good : collapse_damage(c, before, true);
}

static int
probe(struct str head)
{
	struct reader r = { 0 };

	return parse_head(&r, str_trim(str_cut(&head, '\n'))) ? 95 : 0;
}

const struct collapse_format collapse_instruments = {
	.probe = probe,
	.signs = SIGNS(SIGN(ANYWHERE, "Symbol Name")),
	.run = run,
	.uses = COLLAPSE_USES_FULL_NAMES | COLLAPSE_USES_COST,
};
