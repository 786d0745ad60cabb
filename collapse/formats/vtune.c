/* SPDX-License-Identifier: ISC */
/*
 * Call trees of Intel VTune in CSV, from
 *
 *	vtune -R top-down -call-stack-mode all -format csv -csv-delimiter comma \
 *		-column="CPU Time:Self","Module" -r RESULT
 *
 * (amplxe-cl before 2020).
 *
 *	war:Column filter is ON.
 *	Function Stack,CPU Time:Self,Module
 *	Total,0.0,[Unknown]
 *	 main,0.25,spin.exe
 *	  "std::map<int, int>::find",1.5,spin.exe
 *
 * The blanks before a name, outside the quotes, give its depth. Columns are found by
 * name; columns NAME:Self are metrics, or if there are none, NAME:Total. Times are in
 * seconds. Memory reports have other metrics:
 *
 *	Function Stack,Allocation Size:Self,Deallocation Size:Self,Allocations:Self,Module
 */
#include "stacks/call-tree.h"
#include "collapse.h"
#include "readers/csv.h"
#include "folded.h"
#include "formats.h"

enum { COLUMNS = 64 };

struct column {
	enum { OTHER, METRIC, MODULE } kind;
	unsigned decimals; /* a metric is in units of 10^-decimals */
	unsigned number;   /* number: the metric's */
};

struct reader {
	struct collapse *c;
	struct call_tree tree;
	char separator;
	bool totals; /* metrics are totals */
	struct column columns[COLUMNS];
	size_t n, chosen;
	struct buf text;
};

static bool
is_head(struct str line)
{
	struct str name = STR("Function Stack");

	line = str_from(line, str_starts(line, STR("\"")));
	if (!str_starts(line, name))
		return false;
	line = str_from(line, name.n);
	line = str_from(line, str_starts(line, STR("\"")));
	return line.n && memchr(",;\t|", line.s[0], 4);
}

/* Cuts TAIL and everything after it off *NAME. Returns false if *NAME does not contain
 * it. */
static bool
cut_tail(struct str *name, struct str tail)
{
	size_t at = str_search(*name, tail);

	if (at == name->n)
		return false;
	name->n = at;
	return true;
}

/* The unit of the metric NAME. */
static struct str
unit_of(struct str name)
{
	if (str_search(name, STR("Time")) < name.n)
		return STR("ns");
	if (str_search(name, STR("Size")) < name.n)
		return STR("bytes");
	if (str_search(name, STR("llocations")) < name.n)
		return STR("allocations");
	return name;
}

/* Parses the columns of HEAD; those that end in TAIL are metrics. Returns false without a
 * metric. */
static bool
parse_columns(struct reader *r, struct str head, struct str tail)
{
	bool found = false;
	struct str name;
	size_t i;

	for (i = 0; i < COLUMNS && head.n; i++) {
		name = str_trim(csv_field(&head, r->separator));
		r->columns[i] = (struct column){ .kind = OTHER };
		if (str_eq(name, STR("Module"))) {
			r->columns[i].kind = MODULE;
		} else if (i > 0 && cut_tail(&name, tail)) {
			found = true;
			r->columns[i].kind = METRIC;
			r->columns[i].decimals = str_eq(unit_of(name), STR("ns")) ? 9 : 0;
			r->columns[i].number = collapse_metric(r->c, name, unit_of(name));
		}
	}
	r->n = i;
	return found;
}

/* Parses the head of the table. Returns false, after a message, without a metric to
 * fold. */
static bool
parse_head(struct reader *r, const struct input *in, struct str head)
{
	struct str rest = head;
	unsigned number;

	r->separator = head.s[STR("Function Stack").n + (head.s[0] == '"' ? 2 : 0)];
	(void)csv_field(&rest, r->separator);
	r->totals = !parse_columns(r, head, STR(":Self"));
	if (r->totals && !parse_columns(r, head, STR(":Total"))) {
		msg_error(
			"%s: has no column of weights; add one such as CPU Time:Self to the "
			"report",
			input_name(in));
		return false;
	}
	number = collapse_choose_metric(r->c, 0);
	for (r->chosen = 0; r->chosen < r->n; r->chosen++)
		if (r->columns[r->chosen].kind == METRIC &&
			r->columns[r->chosen].number == number)
			break;
	r->tree.rounded = true;
	return number != COLLAPSE_NO_METRIC;
}

/* Splits "name<TAB>module". */
static void
add_frame(struct frame_names *names, struct str text)
{
	struct frame_names_symbol s = { .name = str_cut(&text, '\t') };

	s.module = text;
	/* "[Unknown]" is not a module. */
	if (str_starts(s.module, STR("[U")))
		s.module.n = 0;
	frame_names_add(names, &s);
}

/* Parses the weight FIELD of COLUMN. */
static bool
read_weight(const struct reader *r, size_t column, struct str field, uint64_t *weight)
{
	bool rounded = false;

	field = str_trim(field);
	if (r->columns[column].decimals && str_ends(field, STR("s")))
		field.n--;
	return folded_weight(field, r->columns[column].decimals, weight, &rounded);
}

/* Parses a row. Returns false if malformed. */
static bool
parse_row(struct reader *r, struct str row)
{
	uint64_t weights[COLUMNS] = { 0 };
	struct str name, field, module = { 0 };
	size_t depth = 0, i;

	while (depth < row.n && row.s[depth] == ' ')
		depth++;
	row = str_from(row, depth);
	name = csv_field(&row, r->separator);
	/* Other tools export the blanks within the quotes. */
	for (; name.n && name.s[0] == ' '; depth++)
		name = str_from(name, 1);
	if (!name.n)
		return false;
	for (i = 1; i < r->n; i++) {
		field = csv_field(&row, r->separator);
		if (r->columns[i].kind == MODULE)
			module = field;
		else if (r->columns[i].kind == METRIC &&
			!read_weight(r, i, field, &weights[i]))
			return false;
	}
	buf_clear(&r->text);
	buf_str(&r->text, name);
	buf_char(&r->text, '\t');
	buf_str(&r->text, module);
	call_tree_name(&r->tree, buf_view(&r->text), add_frame);
	call_tree_enter(&r->tree, depth, r->tree.names.ids, r->tree.names.n);
	if (r->totals)
		call_tree_total(&r->tree, weights[r->chosen]);
	else
		call_tree_self(&r->tree, weights[r->chosen]);
	for (i = 1; i < r->n; i++)
		if (r->columns[i].kind == METRIC && (!r->totals || r->tree.n == 1))
			collapse_count_weight(r->c, r->columns[i].number, weights[i]);
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
	collapse_exact(c);
	while (good && input_line(in, &line)) {
		if (!within && is_head(line)) {
			within = true;
			good = parse_head(&r, in, line);
		} else if (within && str_trim(line).n && !parse_row(&r, line)) {
			collapse_lose(c, COLLAPSE_MALFORMED);
		}
	}
	call_tree_end(&r.tree);
	call_tree_release(&r.tree);
	buf_release(&r.text);
	return within ? good : collapse_damage(c, before, true);
}

/* Warnings may precede the head. */
static int
probe(struct str head)
{
	enum { LINES = 10 };
	int i;

	for (i = 0; i < LINES && head.n; i++)
		if (is_head(str_cut(&head, '\n')))
			return 95;
	return 0;
}

const struct collapse_format collapse_vtune = {
	.probe = probe,
	.signs = SIGNS(SIGN(ANYWHERE, "Function Stack")),
	.run = run,
	.uses = COLLAPSE_USES_FULL_NAMES | COLLAPSE_USES_COST,
};
