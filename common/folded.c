/* SPDX-License-Identifier: ISC */
/* Reads folded text into a stack tree: weights, lines, columns, then whole inputs; see folded.h. */
#include "folded.h"
#include "mem.h"
#include "msg.h"
#include "svg-data.h"

#include <inttypes.h>

/* How many lines of the first window determine the number of columns. */
enum { LOOK_AHEAD = 1000 };

/* Frames looked up together. */
enum { BATCH = 32 };

/* With this many unusable lines, the input is probably not folded text. */
enum { MANY_LINES = 10 };

static bool
is_weight(struct str s)
{
	size_t i, points = 0;

	for (i = 0; i < s.n; i++) {
		if (s.s[i] == '.')
			points++;
		else if (!str_is_digit(s.s[i]))
			return false;
	}
	return points <= 1 && s.n > points;
}

/* The number of decimals of a weight without trailing zeros; at most TREE_SCALE_MAX + 1. */
static unsigned
count_decimals(struct str text)
{
	size_t point = str_find(text, '.');

	if (point == text.n)
		return 0;
	while (text.s[text.n - 1] == '0')
		text.n--;
	return text.n - point - 1 > TREE_SCALE_MAX ? TREE_SCALE_MAX + 1
						   : (unsigned)(text.n - point - 1);
}

bool
folded_weight(struct str text, unsigned scale, uint64_t *value, bool *rounded)
{
	struct str fraction = text, whole;
	uint64_t v = 0;
	unsigned i, digit;

	if (!is_weight(text))
		return false;
	whole = str_cut(&fraction, '.');
	if (whole.n && !str_to_u64(whole, &v))
		return false;
	for (i = 0; i < scale; i++) {
		digit = i < fraction.n ? (unsigned)(fraction.s[i] - '0') : 0;
		if (v > (UINT64_MAX - digit) / 10)
			return false;
		v = v * 10 + digit;
	}
	if (count_decimals(text) > scale) {
		if (fraction.s[scale] >= '5' && v++ == UINT64_MAX)
			return false;
		*rounded = true;
	}
	*value = v;
	return true;
}

bool
folded_time(struct str text, uint64_t *ns)
{
	static const struct {
		struct str unit;
		unsigned decimals; /* of a second */
	} units[] = { { { "ns", 2 }, 0 }, { { "us", 2 }, 3 }, { { "ms", 2 }, 6 },
		{ { "s", 1 }, 9 } };
	bool rounded = false;
	size_t i;

	for (i = 0; i < sizeof units / sizeof *units; i++)
		if (str_ends(text, units[i].unit))
			return folded_weight(str_head(text, text.n - units[i].unit.n),
				units[i].decimals, ns, &rounded);
	return false;
}

/* Cuts a weight and the blanks before it off the end of *REST, if some text precedes them. */
static bool
cut_weight(struct str *rest, struct str *weight)
{
	size_t i = rest->n;

	while (i > 0 && !str_is_blank(rest->s[i - 1]))
		i--;
	*weight = str_from(*rest, i);
	if (i < 2 || !is_weight(*weight))
		return false;
	/* Only the last space is the separator, others belong to the name; tabs are alignment. */
	i--;
	while (i > 1 && rest->s[i] == '\t' && str_is_blank(rest->s[i - 1]))
		i--;
	rest->n = i;
	return true;
}

/* LINE without blanks and CR at its end. */
static struct str
trim_line(struct str s)
{
	while (s.n && (str_is_blank(s.s[s.n - 1]) || s.s[s.n - 1] == '\r'))
		s.n--;
	return s;
}

struct parts {
	struct str stack, weight[TREE_COLUMNS];
};

/* Cuts LINE into a stack and COLUMNS weights. */
static bool
cut_line(struct str line, int columns, struct parts *p)
{
	p->stack = trim_line(line);
	while (columns > 0)
		if (!cut_weight(&p->stack, &p->weight[--columns]))
			return false;
	return true;
}

static bool
is_comment(struct str line)
{
	return line.n && line.s[0] == '#';
}

/* Whether LINE is a blank and two weights: difffolded.pl writes it for malformed lines. */
static bool
is_nameless(struct str line)
{
	struct str first, second;
	size_t i = str_rfind(line, ' ');

	if (i == 0 || i >= line.n || line.s[0] != ' ')
		return false;
	second = str_from(line, i + 1);
	first = str_trim(str_head(line, i));
	return is_weight(first) && is_weight(second);
}

/* The number of columns that the header TEXT states; 0 if it does not. */
static int
stated_columns(struct str text)
{
	const struct str key = STR("columns=");
	uint64_t columns = 0;
	struct str word;

	while ((word = str_word(&text)).n && !columns)
		if (str_starts(word, key) && !str_to_u64(str_from(word, key.n), &columns))
			columns = 0;
	return columns <= TREE_COLUMNS ? (int)columns : 0;
}

/* The number of weights that the stack lines of the window W have: one line may end in a frame that
 * looks like a weight, but hardly all of them. */
static int
guess_columns(struct str w)
{
	struct parts p;
	struct str line;
	int seen = 0;

	while (w.n && seen < LOOK_AHEAD) {
		if (str_find(w, '\n') == w.n && seen)
			break;
		line = trim_line(str_cut(&w, '\n'));
		if (!line.n || is_comment(line) || is_nameless(line) ||
			!cut_line(line, 1, &p))
			continue;
		if (!cut_line(line, 2, &p))
			return 1;
		seen++;
	}
	return seen ? 2 : 0;
}

/* The shape stated by the headers in *W before the first stack, which *W then begins with. */
static struct folded_shape
look_at_headers(struct str *w)
{
	struct folded_shape shape = { 0 };
	struct str rest = *w, line;
	size_t left;

	for (; rest.n && !shape.columns; *w = rest) {
		left = rest.n;
		line = str_cut(&rest, '\n');
		if (trim_line(line).n && !is_comment(line))
			break;
		/* The window may end within a header. */
		if (line.n == left || !str_starts(line, STR("#fg ")))
			continue;
		line = trim_line(line);
		shape.headed = true;
		shape.columns = stated_columns(str_from(line, 4));
	}
	return shape;
}

/* The number of columns in the first header of W, wherever it is; 0 if none states it. */
static int
find_columns(struct str w)
{
	struct str line;
	int columns = 0;

	while (w.n && !columns) {
		line = str_cut(&w, '\n');
		if (w.n && str_starts(line, STR("#fg ")))
			columns = stated_columns(str_from(line, 4));
	}
	return columns;
}

/* The shape from a header before the first stack, or guessed from the stacks; if they seem to have
 * two columns, a later header of a text appended by cat decides. */
static struct folded_shape
look_at_text(struct input *in)
{
	struct str w = input_window(in, 64 * 1024);
	struct folded_shape shape = look_at_headers(&w);
	int later;

	shape.known = shape.columns != 0;
	if (shape.known)
		return shape;
	shape.columns = guess_columns(w);
	later = shape.columns == 2 ? find_columns(w) : 0;
	if (later)
		shape.columns = later;
	shape.known = later || shape.columns == 1;
	return shape;
}

bool
folded_is_picture(struct input *in)
{
	struct str head = str_trim(input_window(in, 64));

	return str_starts(head, STR("<?xml")) || str_starts(head, STR("<svg")) ||
		str_starts(head, STR("<!DOCTYPE svg")) || str_starts(head, SVG_DATA_PAGE);
}

struct folded_shape
folded_shape(struct input *in)
{
	struct folded_shape shape = { .headed = true };

	if (!folded_is_picture(in))
		return look_at_text(in);
	shape.columns = stated_columns(str_from(svg_data_header(input_rest(in)), 4));
	shape.known = shape.columns != 0;
	return shape;
}

/* A frame of the previous line: its end in that line, and its node. */
struct step {
	size_t end;
	uint32_t node;
};

struct reader {
	struct input *in;
	struct tree *t;
	const struct folded_options *options;
	struct folded_count *count;
	struct folded_info info;	   /* of all texts before the last header */
	struct folded_info here;	   /* of the last header and its stacks */
	struct weight found[TREE_COLUMNS]; /* the weight of these; [0]: before */
	struct buf before;		   /* the stack of the previous line */
	struct buf reversed;		   /* this line's stack, reversed */
	struct step *steps;
	size_t depth, cap;
	uint32_t last; /* the node of the previous line */
	uint64_t lines;
	int column; /* the first column that lines have a weight for */
	bool reverse;
	bool turned;		   /* lines have frames from leaf to root */
	struct dimensions_map map; /* of the leading frames of lines */
	struct buf led;		   /* this line's stack after mapping */
	bool begun;		   /* the map is for the last header */
	bool ends;		   /* the stack has only leading frames */
	bool told[8];
	bool over; /* the rest has another shape */
};

/* Reports the first line of a kind. */
static void
warn_once(struct reader *r, int kind, const char *text)
{
	if (!r->told[kind])
		msg_warn_at(input_name(r->in), input_line_number(r->in), "%s", text);
	r->told[kind] = true;
}

/* The length of the common prefix of A and B. */
static size_t
common_length(struct str a, struct str b)
{
	size_t n = a.n < b.n ? a.n : b.n, i = 0;
	uint64_t x, y;

	for (; i + 8 <= n; i += 8) {
		memcpy(&x, a.s + i, 8);
		memcpy(&y, b.s + i, 8);
		if (x != y)
			break;
	}
	while (i < n && a.s[i] == b.s[i])
		i++;
	return i;
}

/* Drops the steps that STACK does not share with the previous line, and remembers STACK. */
static void
keep_common(struct reader *r, struct str stack)
{
	size_t same = common_length(buf_view(&r->before), stack), end;

	while (r->depth) {
		end = r->steps[r->depth - 1].end;
		if (end < same ||
			(end == same && (end == stack.n || stack.s[end] == ';') &&
				(end == r->before.n || r->before.s[end] == ';')))
			break;
		r->depth--;
	}
	r->before.n = same;
	buf_str(&r->before, str_from(stack, same));
}

/* Looks up the nodes of the N names of NAME, each the child of the one before, below PARENT. */
static void
add_children(struct reader *r, uint32_t parent, const struct str *name, uint32_t *node,
	size_t n)
{
	size_t i;

	if (!r->options->in_order) {
		tree_path(r->t, parent, name, node, n);
		return;
	}
	for (i = 0; i < n; i++)
		node[i] = parent = tree_append(r->t, parent, name[i]);
}

static uint32_t
start_node(struct reader *r)
{
	struct str under = r->options->under;
	uint32_t node = TREE_ROOT;

	if (under.n)
		add_children(r, TREE_ROOT, &under, &node, 1);
	return node;
}

/* Adds the frames of STACK from AT on below NODE; returns the last node. */
static uint32_t
add_steps(struct reader *r, uint32_t node, struct str stack, size_t at)
{
	struct str name[BATCH];
	uint32_t nodes[BATCH];
	size_t n, i;

	while (at <= stack.n) {
		for (n = 0; n < BATCH && at <= stack.n; n++) {
			name[n].s = stack.s + at;
			name[n].n = str_find(str_from(stack, at), ';');
			at += name[n].n + 1;
		}
		add_children(r, node, name, nodes, n);
		node = nodes[n - 1];
		r->steps = mem_grow(r->steps, &r->cap, r->depth + n, sizeof *r->steps);
		for (i = 0; i < n; i++)
			r->steps[r->depth++] =
				(struct step){ (size_t)(name[i].s - stack.s) + name[i].n,
					nodes[i] };
	}
	return node;
}

/* The node of STACK. Most lines share a prefix with the previous line, whose nodes are known: only
 * the rest is looked up. */
static uint32_t
find_node(struct reader *r, struct str stack)
{
	size_t had = r->depth, at;
	uint32_t node;

	keep_common(r, stack);
	at = r->depth ? r->steps[r->depth - 1].end + 1 : 0;
	node = r->depth ? r->steps[r->depth - 1].node : start_node(r);
	if (r->depth && at > stack.n && r->options->in_order)
		return r->depth == had ? r->last : tree_append_id(r->t, node, TREE_GAP);
	return add_steps(r, node, stack, at);
}

/* STACK with its frames reversed. */
static struct str
reverse_stack(struct reader *r, struct str stack)
{
	size_t i;

	buf_clear(&r->reversed);
	for (;;) {
		i = str_rfind(stack, ';');
		if (i == stack.n)
			break;
		buf_str(&r->reversed, str_from(stack, i + 1));
		buf_char(&r->reversed, ';');
		stack.n = i;
	}
	buf_str(&r->reversed, stack);
	return buf_view(&r->reversed);
}

/* The number of weights in a line. */
static int
count_weights(const struct reader *r)
{
	return r->options->into ? 1 : r->t->columns;
}

/* Reads the weights of P. False when a weight or a sum overflows 64 bits. */
static bool
read_weights(struct reader *r, const struct parts *p, struct weight weight[])
{
	struct weight sum;
	bool rounded = false;
	int i;

	for (i = 0; i < count_weights(r); i++) {
		if (!weight_read(p->weight[i], &weight[i], &rounded)) {
			warn_once(r, 1, "skipping a stack: its weight overflows 64 bits");
			return false;
		}
		sum = tree_sum(r->t, r->column + i);
		if (!weight_add(&sum, weight[i])) {
			warn_once(r, 4,
				"skipping a stack: the sum of the weights overflows 64 bits");
			return false;
		}
	}
	if (rounded) {
		warn_once(r, 0, "rounding a weight that has too many digits");
		r->count->rounded++;
	}
	return true;
}

/* The tree has reached its limit: hands it over, and forgets its nodes. */
static void
hand_over(struct reader *r)
{
	r->options->full(r->options->to, r->t);
	r->depth = 0;
	buf_clear(&r->before);
}

/* Sets HERE to the header's dimensions, and WHOLE to those below the frame that is put on top of
 * every stack. */
static void
read_dimensions(struct reader *r, struct dimensions *here, struct dimensions *whole)
{
	size_t i;

	if (!dimensions_read(here, folded_info_get(&r->here, "by")))
		warn_once(r, 6, "by= is not a list of dimensions: ignoring it");
	if (!here->said)
		return;
	whole->said = true;
	if (r->options->under.n)
		(void)dimensions_add(whole, STR("file"));
	/* A dimension that repeats that frame is treated like any other frame. */
	if (whole->n && dimensions_find(here, whole->name[0]) < here->n)
		dimensions_release(here);
	for (i = 0; i < here->n; i++)
		if (!r->options->by->apart || !folded_by_is_apart(here->name[i]))
			(void)dimensions_add(whole, here->name[i]);
}

/* Called at the first stack after a header, or without one: brings the tree and the new stacks to
 * the same dimensions. */
static void
begin_stacks(struct reader *r)
{
	struct folded_by *by = r->options->by;
	struct dimensions here = { .n = 0 }, whole = { .n = 0 };
	struct dimensions_map had;

	r->begun = true;
	by->turned |= r->options->reverse;
	read_dimensions(r, &here, &whole);
	had = folded_by_join(by, &whole);
	if (folded_by_changes(&had)) {
		if (r->options->change)
			r->options->change(r->options->to, &had);
		free(folded_by_change(r->t, &had, r->options->in_order));
		r->depth = 0;
		buf_clear(&r->before);
	}
	r->map = here.said ? dimensions_map(&here, &by->now)
			   : dimensions_map(&here, &here);
	dimensions_release(&here);
	dimensions_release(&whole);
}

/* Maps the leading frames of P's stack. */
static void
cut_lead(struct reader *r, struct parts *p)
{
	if (!r->begun && r->options->by)
		begin_stacks(r);
	buf_clear(&r->led);
	r->ends = r->map.from && !dimensions_cut(&r->map, &p->stack, &r->led);
}

/* STACK without its leading frames. */
static struct str
join_lead(struct reader *r, struct str stack)
{
	if (!r->map.from)
		return stack;
	folded_by_put_rest(&r->led, stack, !r->ends);
	return buf_view(&r->led);
}

/* Adds the weights to those found. False when they overflow 64 bits. */
static bool
count_found(struct reader *r, const struct weight weight[])
{
	int n = count_weights(r), i;
	bool good = true;

	for (i = 0; i < n; i++)
		good &= weight_add(&r->found[TREE_COLUMNS - n + i], weight[i]);
	return good;
}

/* Whether to keep the stack of P, which has these weights. */
static bool
keep_stack(struct reader *r, struct parts *p, const struct weight weight[])
{
	bool good = true;
	int i;

	if (!r->options->keep || r->options->keep(r->options->with, &p->stack, r->turned))
		return true;
	for (i = 0; i < count_weights(r); i++)
		good &= weight_add(&r->count->left_weight[r->column + i], weight[i]);
	if (good)
		r->count->left_out++;
	else
		r->count->overflow++;
	return false;
}

/* Adds P's stack with these weights. */
static void
add_stack(struct reader *r, const struct parts *p, const struct weight weight[])
{
	struct str stack = r->reverse ? reverse_stack(r, p->stack) : p->stack;
	int i;

	r->last = find_node(r, join_lead(r, stack));
	for (i = 0; i < count_weights(r); i++)
		(void)tree_add_weight(r->t, r->last, r->column + i, weight[i]);
	if (r->options->limit && tree_bytes(r->t) > r->options->limit)
		hand_over(r);
}

static void
add_line(struct reader *r, struct parts *p)
{
	struct weight weight[TREE_COLUMNS] = { { 0 } };

	if (!read_weights(r, p, weight)) {
		r->count->overflow++;
		return;
	}
	if (!count_found(r, weight))
		r->here.vague = true;
	cut_lead(r, p);
	if (!keep_stack(r, p, weight))
		return;
	r->count->lines++;
	r->lines++;
	/* Stacks without weight would add frames that no text or picture shows. */
	if (weight[0].whole || weight[0].nano || weight[1].whole || weight[1].nano)
		add_stack(r, p, weight);
}

static void
read_stack(struct reader *r, struct str line)
{
	struct parts p;

	if (cut_line(line, count_weights(r), &p)) {
		add_line(r, &p);
		return;
	}
	if (!trim_line(line).n)
		return;
	warn_once(r, 2,
		count_weights(r) == 2
			? "skipping a line: not a stack followed by two weights"
			: "skipping a line: not a stack followed by a weight");
	r->count->malformed++;
}

/* Called after the last stack of a header, or of a text without one. */
static void
end_section(struct reader *r)
{
	/* A piece of a text may consist of the header alone. */
	if (!r->begun && r->options->by && folded_info_get(&r->here, "by").n)
		begin_stacks(r);
	if (!folded_info_found(&r->here, input_name(r->in), r->found))
		warn_once(r, 3, "total= of the header overflows 64 bits");
	if (!folded_info_merge(&r->info, &r->here))
		warn_once(r, 3, "its unit differs from the one before");
	folded_info_release(&r->here);
	memset(r->found, 0, sizeof r->found);
	r->begun = false;
}

/* A header after stacks or another header begins a profile that cat appended. */
static void
read_header(struct reader *r, struct str text)
{
	bool first = !r->here.headed && !r->last;
	uint64_t stated;

	if (!first)
		end_section(r);
	folded_info_parse(&r->here, text);
	r->here.headed = true;
	stated = folded_info_u64(&r->here, "columns");
	if (!stated || stated == (uint64_t)count_weights(r))
		return;
	msg_error("%s:%" PRIu64 ": a header with columns=%" PRIu64
		  " follows stacks with %s; do not join files of both kinds",
		input_name(r->in), input_line_number(r->in), stated,
		count_weights(r) == 1 ? "one weight" : "two weights");
	r->count->refused++;
	r->count->unusable++;
	r->over = true;
}

/* Parses LINE, a test or a program; false if it is neither. */
static bool
read_note(struct reader *r, struct str line)
{
	static const struct str test = { "#fg-test ", 9 },
				program = { "#fg-program ", 12 };
	const char *wrong = NULL;
	bool is_test = str_starts(line, test);

	if (!is_test && !str_starts(line, program))
		return false;
	line = trim_line(line);
	if (!is_test)
		wrong = folded_program_parse(&r->here, str_from(line, program.n));
	else if (r->here.headed)
		wrong = folded_info_parse_test(&r->here, str_from(line, test.n));
	else
		wrong = "skipping an #fg-test line: no header is before it";
	if (wrong) {
		warn_once(r, is_test ? 5 : 7, wrong);
		r->count->malformed++;
	}
	return true;
}

static void
read_line(struct reader *r, struct str line)
{
	if (!is_comment(line))
		read_stack(r, line);
	else if (str_starts(line, STR("#fg ")))
		read_header(r, str_from(line, 4));
	else
		(void)read_note(r, line);
}

/* Removes the keys that describe the table of a picture, not the stacks, from the header. */
static uint64_t
cut_key(struct folded_info *info, const char *key)
{
	uint64_t value = folded_info_u64(info, key);

	folded_info_set(info, key, (struct str){ 0 });
	return value;
}

static void
handle_stack(void *to, struct str line)
{
	read_stack(to, line);
}

/* Names may hold any byte, but an input with NUL bytes that does not begin with a stack is not
 * text. */
static bool
is_binary(struct input *in)
{
	struct str head = input_window(in, 4096), line;
	struct parts p;

	if (str_find(head, 0) == head.n)
		return false;
	line = str_cut(&head, '\n');
	return !is_comment(line) && !cut_line(line, 1, &p);
}

static void
refuse_binary(struct reader *r)
{
	msg_error("%s: is binary, not folded stacks; convert profiles with fg-collapse",
		input_name(r->in));
	r->count->refused++;
}

static void
refuse_svg(struct reader *r, const char *why)
{
	msg_error("%s: no stacks can be read from this SVG: %s", input_name(r->in), why);
	r->count->refused++;
}

/* Whether nothing read so far determines the number of columns. */
static bool
is_open(const struct reader *r)
{
	return !r->options->into && r->t->columns == 1 && r->t->n == 1 && !r->t->sum[0];
}

/* Refuses an input whose SHAPE differs from the tree's. */
static void
refuse_columns(struct reader *r, struct folded_shape shape)
{
	const char *name = input_name(r->in);
	/* Whether the two columns are only a guess. */
	bool looks = shape.columns == 2 ? !shape.headed : r->options->columns != 2;

	if (r->options->into)
		msg_error("%s: is a %s of two profiles; expected one profile", name,
			folded_is_picture(r->in) ? "picture" : "comparison");
	else
		msg_error("%s: its stacks have %s, those before it %s%s", name,
			shape.columns == 1 ? "one weight" : "two weights",
			shape.columns == 1 ? "two" : "one",
			looks ? "; use --columns 1 if the first belongs to the name"
			      : "");
	r->count->refused++;
}

/* Gives the tree as many columns as the input has. False, after a message, when the tree cannot
 * have them. */
static bool
settle_columns(struct reader *r)
{
	const struct folded_options *o = r->options;
	struct folded_shape shape = folded_shape(r->in);
	int columns = shape.columns, said = shape.headed ? 0 : o->columns;
	int expected = is_open(r) ? said : count_weights(r);

	/* Lines may all have one column. */
	if (columns == 2 && expected == 1 && (said == 1 || (o->into && !shape.known))) {
		if (!o->given || !o->given->columns)
			msg_warn_at(input_name(r->in), 0,
				"lines have two weights: using the second, and the first as part "
				"of the name");
		columns = 1;
	}
	if (columns && expected && columns != expected) {
		refuse_columns(r, shape);
		return false;
	}
	if (columns == 2 && r->t->columns == 1) {
		r->info.guessed = !shape.headed && !said;
		tree_add_column(r->t);
	}
	return true;
}

/* Reads a picture with embedded stacks. */
static void
read_svg(struct reader *r)
{
	struct str document = input_rest(r->in), notes = svg_data_header(document);
	struct str header = str_cut(&notes, '\n'), line;
	uint64_t columns, scale;
	const char *wrong;

	input_skip(r->in, document.n);
	if (!header.n) {
		refuse_svg(r,
			svg_data_is_left_out(document) ? "it was drawn with --no-data"
						       : "it is not a picture by fg-svg");
		return;
	}
	folded_info_parse(&r->here, str_from(header, 4));
	r->here.headed = true;
	while ((line = trim_line(str_cut(&notes, '\n'))).n)
		(void)read_note(r, line);
	columns = cut_key(&r->here, "columns");
	scale = cut_key(&r->here, "scale");
	r->turned = cut_key(&r->here, "reversed") != 0;
	r->reverse ^= r->turned;
	if (columns != (uint64_t)count_weights(r) || scale > TREE_SCALE_MAX) {
		refuse_svg(r, "its header is inconsistent");
		return;
	}
	wrong = svg_data_read(document, (int)columns, (unsigned)scale, handle_stack, r);
	if (wrong)
		refuse_svg(r, wrong);
}

/* Describes, for people, a text that begins with HEAD and is not folded. */
static const char *
describe_look(struct str head)
{
	static const struct {
		struct str part;
		const char *look;
	} looks[] = { { { "+0x", 3 }, "DTrace output" },
		{ { "@[", 2 }, "bpftrace output" },
		{ { "cycles:", 7 }, "perf script text" },
		{ { "-clock:", 7 }, "perf script text" } };
	size_t i;

	if (str_starts(str_trim(head), STR("{")) || str_starts(str_trim(head), STR("[")))
		return "JSON";
	for (i = 0; i < sizeof looks / sizeof *looks; i++)
		if (str_search(head, looks[i].part) < head.n)
			return looks[i].look;
	return "another format";
}

/* Refuses an input in which most lines, BAD of them, are not stacks. */
static void
refuse_lines(struct reader *r, uint64_t bad, const char *look)
{
	struct folded_count *c = r->count;

	msg_error("%s: %" PRIu64 " of %" PRIu64
		  " line%s %s not folded stacks; it looks like %s; try fg-collapse",
		input_name(r->in), bad, bad + r->lines, msg_s(bad + r->lines),
		bad == 1 ? "is" : "are", look);
	c->refused++;
	c->unusable++;
}

void
folded_read(struct input *in, struct tree *t, struct folded_info *info,
	const struct folded_options *options, struct folded_count *count)
{
	struct reader r = { .in = in,
		.t = t,
		.options = options,
		.count = count,
		.column = options->into ? options->into - 1 : 0,
		.reverse = options->reverse };
	const uint64_t refused = count->refused, malformed = count->malformed;
	uint64_t bad;
	const char *look = describe_look(input_window(in, 4096));
	struct str line;

	if (is_binary(in)) {
		refuse_binary(&r);
		return;
	}
	if (!settle_columns(&r))
		return;
	input_stacks(in, &t->stacks);
	if (folded_is_picture(in))
		read_svg(&r);
	while (!r.over && input_line(in, &line))
		read_line(&r, line);
	input_stacks(in, NULL);
	if (count->refused == refused)
		end_section(&r);
	bad = count->malformed - malformed;
	if (bad > r.lines && bad >= MANY_LINES && count->refused == refused)
		refuse_lines(&r, bad, look);
	/* The skipped stacks depend on the order of the lines. */
	count->refused += r.told[4];
	if (!folded_info_merge(info, &r.info))
		msg_warn_at(input_name(in), 0, "its weights have another unit");
	folded_info_release(&r.here);
	folded_info_release(&r.info);
	buf_release(&r.before);
	buf_release(&r.reversed);
	buf_release(&r.led);
	free(r.steps);
}

/* The shape of the file at PATH, if it can be opened twice. */
static struct folded_shape
look_at_file(const char *path)
{
	struct folded_shape shape = { 0 };
	struct input *in = input_open_early(path);

	if (in)
		shape = folded_shape(in);
	input_close(in);
	return shape;
}

int
folded_columns(struct folded_columns *columns, struct input *in, char **paths)
{
	struct folded_shape shape = folded_shape(in);

	if (shape.known && !columns->known)
		columns->known = shape.columns;
	if (columns->known || columns->looked || shape.columns != 2)
		return columns->known;
	for (columns->looked = true; *paths && !columns->known; paths++) {
		shape = look_at_file(*paths);
		if (shape.known)
			columns->known = shape.columns;
	}
	return columns->known;
}

void
folded_count_add(struct folded_count *c, const struct folded_count *more)
{
	c->lines += more->lines;
	c->malformed += more->malformed;
	c->rounded += more->rounded;
	c->overflow += more->overflow;
	c->refused += more->refused;
	c->unusable += more->unusable;
}

void
folded_count_report(const struct folded_count *c)
{
	if (c->malformed || c->overflow)
		msg_warn("ignored %" PRIu64 " line%s", c->malformed + c->overflow,
			msg_s(c->malformed + c->overflow));
	if (c->rounded)
		msg_warn("rounded %" PRIu64 " weight%s", c->rounded, msg_s(c->rounded));
}
