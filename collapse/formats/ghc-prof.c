/* SPDX-License-Identifier: ISC */
/*
 * Cost centres of a Haskell program as text, PROGRAM.prof from +RTS -p, -P or -pa.
 *
 *		Sat Nov 21 03:38 2026 Time and Allocation Profiling Report  (Final)
 *
 *		   hsdemo +RTS -P -RTS
 *
 *		total time  =        0.01 secs   (15 ticks @ 1000 us, 1 processor)
 *		total alloc =  48,927,256 bytes  (excludes profiling overheads)
 *
 *	COST CENTRE MODULE SRC                 %time %alloc  ticks     bytes
 *	...
 *	                                              individual      inherited
 *	COST CENTRE MODULE SRC          no. entries  %time %alloc   %time %alloc  ticks  bytes
 *
 *	MAIN        MAIN   <built-in>    148      0    0.0    0.0   100.0  100.0      0    816
 *	 main       Main   M.hs:9:1-4    296      1    6.7    5.9   100.0   99.9      1  28810
 *	  check.\   Main   M.hs:(9,1)... 298  26214   13.3    8.6    13.3    8.6      2   4194
 *
 * The second table is the tree. Columns begin at the same character (not byte). Texts may contain
 * blanks; numbers do not, but may be wider than their column. SRC exists since GHC 8. Only -P and
 * -pa print ticks and bytes; the "individual" columns are a node's self share of the total in
 * percent, with one decimal.
 *
 * ghc/rts/ProfilerReport.c.
 */
#include "stacks/call-tree.h"
#include "collapse.h"
#include "cost-centre.h"
#include "folded.h"
#include "formats.h"

enum { TIME, ALLOC, TICKS, BYTES, METRICS };

/* The metrics; COLUMN is their index among a row's numbers, from "no." on. */
static const struct {
	const char *name, *unit;
	size_t column;
	unsigned decimals;
} metrics[METRICS] = {
	[TIME] = { "time", "percent", 2, 1 },
	[ALLOC] = { "alloc", "percent", 3, 1 },
	[TICKS] = { "ticks", "", 6, 0 },
	[BYTES] = { "bytes", "bytes", 7, 0 },
};

enum { SHORT = 6, LONG = 8 };

/* The columns of a table. */
struct table {
	size_t module, source; /* first characters; source: 0 if missing */
	size_t numbers;	       /* numbers at the end of a row: SHORT or LONG */
};

struct reader {
	struct collapse *c;
	struct call_tree tree;
	struct table table;
	unsigned numbers[METRICS], chosen;
	struct buf text;
};

/* Returns the byte offset of character N of TEXT, or TEXT.n. */
static size_t
find_character(struct str text, size_t n)
{
	const uint64_t beyond_ascii = UINT64_C(0x8080808080808080);
	uint64_t word;
	size_t i = 0;

	for (; n >= sizeof word && text.n - i >= sizeof word; n -= sizeof word) {
		memcpy(&word, text.s + i, sizeof word);
		if (word & beyond_ascii)
			break;
		i += sizeof word;
	}
	for (; i < text.n; i++)
		if (((unsigned char)text.s[i] & 0xc0) != 0x80 && n-- == 0)
			break;
	return i;
}

/* Whether LINE is the heading of the tree; sets *TABLE. */
static bool
parse_head(struct str line, struct table *table)
{
	size_t module = str_search(line, STR(" MODULE ")),
	       no = str_search(line, STR(" no. ")),
	       source = str_search(line, STR(" SRC "));
	struct str rest = str_from(line, no);

	if (!str_starts(line, STR("COST CENTRE ")) || module == line.n || no == line.n ||
		str_search(rest, STR("entries")) == rest.n)
		return false;
	*table = (struct table){
		.module = module + 1,
		.source = source < no ? source + 1 : 0,
		.numbers = str_search(rest, STR("ticks")) < rest.n ? LONG : SHORT,
	};
	return true;
}

/* Cuts N numbers off the end of *ROW. Returns false if there are fewer. */
static bool
cut_numbers(struct str *row, size_t n, struct str *numbers)
{
	size_t i;

	while (n-- > 0) {
		while (row->n && str_is_blank(row->s[row->n - 1]))
			row->n--;
		for (i = row->n; i > 0 && !str_is_blank(row->s[i - 1]); i--)
			;
		numbers[n] = str_from(*row, i);
		if (!numbers[n].n || !str_is_digit(numbers[n].s[0]) || !i)
			return false;
		row->n = i;
	}
	return true;
}

/* TEXT: "label<TAB>module<TAB>place". */
static void
add_centre(struct frame_names *names, struct str text)
{
	struct str label = str_cut(&text, '\t'), module = str_cut(&text, '\t');

	frame_names_push(names, cost_centre_frame(names->c, module, label, text));
}

/* ROW: a row without its numbers. Sets the tree's names to its frame. */
static void
name_row(struct reader *r, struct str row)
{
	bool placed = r->table.source && collapse_options(r->c)->srcline;
	size_t module = find_character(row, r->table.module), source = row.n;

	if (r->table.source)
		source = module +
			find_character(
				str_from(row, module), r->table.source - r->table.module);
	buf_clear(&r->text);
	buf_str(&r->text, str_trim(str_head(row, module)));
	buf_char(&r->text, '\t');
	buf_str(&r->text, str_trim(str_from(str_head(row, source), module)));
	buf_char(&r->text, '\t');
	if (placed)
		buf_str(&r->text, str_trim(str_from(row, source)));
	call_tree_name(&r->tree, buf_view(&r->text), add_centre);
}

/* Parses the metrics of a row, in units of 10^-decimals. Returns false if one is malformed. */
static bool
parse_weights(struct reader *r, const struct str *numbers, uint64_t *weights)
{
	bool rounded = false;
	size_t i;

	for (i = 0; i < METRICS; i++)
		if (metrics[i].column < r->table.numbers &&
			!folded_weight(numbers[metrics[i].column], metrics[i].decimals,
				&weights[i], &rounded))
			return false;
	return true;
}

/* ROW: of the tree. Returns false if malformed. */
static bool
parse_row(struct reader *r, struct str row)
{
	uint64_t weights[METRICS] = { 0 };
	struct str numbers[LONG];
	size_t depth = 0, i;

	if (!cut_numbers(&row, r->table.numbers, numbers) ||
		!parse_weights(r, numbers, weights))
		return false;
	while (row.n && str_is_blank(row.s[row.n - 1]))
		row.n--;
	while (depth < row.n && row.s[depth] == ' ')
		depth++;
	if (depth >= find_character(row, r->table.module))
		return false;
	name_row(r, row);
	call_tree_enter(&r->tree, depth, r->tree.names.ids, r->tree.names.n);
	call_tree_self(&r->tree, weights[r->chosen]);
	for (i = 0; i < METRICS; i++)
		if (metrics[i].column < r->table.numbers)
			collapse_count_weight(r->c, r->numbers[i], weights[i]);
	return true;
}

/* Chooses the metric to fold, once the columns are known. Returns false, after a message, if --cost
 * names another one. */
static bool
choose(struct reader *r)
{
	unsigned i;

	for (i = 0; i < METRICS; i++) {
		r->numbers[i] = COLLAPSE_NO_METRIC;
		if (metrics[i].column < r->table.numbers) {
			r->numbers[i] = collapse_metric(
				r->c, str_of(metrics[i].name), str_of(metrics[i].unit));
			collapse_metric_decimals(
				r->c, r->numbers[i], metrics[i].decimals);
		}
	}
	if (!collapse_choose_among(r->c, r->numbers, METRICS,
		    r->numbers[r->table.numbers == LONG ? TICKS : TIME], &r->chosen))
		return false;
	r->tree.samples = r->chosen == TICKS;
	/* The number of samples behind a share is unknown. */
	if (r->chosen != TICKS)
		collapse_exact(r->c);
	if (!collapse_decimals(r->c, metrics[r->chosen].decimals))
		collapse_lose(r->c, COLLAPSE_OVERFLOW);
	return true;
}

/* LINE: before the tree. The first has the time, the second the command. */
static void
parse_about(struct collapse *c, struct str line, bool *titled)
{
	size_t report = str_search(line, STR(" Time and Allocation Profiling Report"));
	struct str word = str_trim(str_head(line, report));
	size_t year = str_rfind(word, ' ');

	if (report == line.n && *titled && str_trim(line).n) {
		collapse_info(c, "command", str_trim(line));
		*titled = false;
	} else if (report < line.n && year < word.n) {
		*titled = true;
		collapse_start_text(c, word);
	}
}

static bool
run(struct input *in, struct collapse *c)
{
	struct reader r = { .c = c, .tree.names.c = c };
	bool within = false, titled = false, good = true;
	uint64_t before = collapse_samples(c);
	struct str line;

	collapse_threadless(c);
	while (good && input_line(in, &line)) {
		if (!within && parse_head(line, &r.table)) {
			within = true;
			good = choose(&r);
		} else if (!within) {
			parse_about(c, line, &titled);
		} else if (str_trim(line).n && !parse_row(&r, line)) {
			collapse_lose(c, COLLAPSE_MALFORMED);
		}
	}
	call_tree_end(&r.tree);
	if (!within)
		good = collapse_damage(c, before, true);
	call_tree_release(&r.tree);
	buf_release(&r.text);
	return good;
}

static int
probe(struct str head)
{
	struct str line, mark = STR("COST CENTRE ");

	while (head.n) {
		line = str_cut(&head, '\n');
		if (str_starts(line, mark) &&
			str_search(line, STR(" MODULE ")) < line.n &&
			str_search(line, STR("%alloc")) < line.n)
			return 95;
	}
	return 0;
}

const struct collapse_format collapse_ghc_prof = {
	.probe = probe,
	.signs = SIGNS(SIGN(ANYWHERE, "COST CENTRE ")),
	.run = run,
	.uses = COLLAPSE_USES_SRCLINE | COLLAPSE_USES_COST,
};
