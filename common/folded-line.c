/* SPDX-License-Identifier: ISC */
/* The lines of folded text cut into their parts; see folded-line.h. */
#include "folded-line.h"
#include "folded.h"
#include "svg-data.h"

/* How many lines of the first window decide about the columns. */
enum { LOOK_AHEAD = 1000 };

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

/* Cuts the last word off *REST, with the blanks before it, if it is a weight
 * and something is before it. */
static bool
cut_weight(struct str *rest, struct str *weight)
{
	size_t i = rest->n;

	while (i > 0 && !str_is_blank(rest->s[i - 1]))
		i--;
	*weight = str_from(*rest, i);
	if (i < 2 || !is_weight(*weight))
		return false;
	/* One space is the separator, more of them end a frame's name; tabs
	 * are laid out by hand. */
	i--;
	while (i > 1 && rest->s[i] == '\t' && str_is_blank(rest->s[i - 1]))
		i--;
	rest->n = i;
	return true;
}

struct str
folded_line_trim(struct str s)
{
	while (s.n && (str_is_blank(s.s[s.n - 1]) || s.s[s.n - 1] == '\r'))
		s.n--;
	return s;
}

bool
folded_line_cut(struct str line, int columns, struct folded_parts *p)
{
	p->stack = folded_line_trim(line);
	while (columns > 0)
		if (!cut_weight(&p->stack, &p->weight[--columns]))
			return false;
	return true;
}

/* Whether LINE is a blank and two weights, as difffolded.pl writes it for lines that were
 * no stacks. */
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

/* What the header TEXT says of columns; 0 when it does not. */
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

/* How many weights the stack lines of the window W have: one line may end in a frame that
 * looks like a weight, all of them hardly do. */
static int
guess_columns(struct str w)
{
	struct folded_parts p;
	struct str line;
	int seen = 0;

	while (w.n && seen < LOOK_AHEAD) {
		if (str_find(w, '\n') == w.n && seen)
			break;
		line = folded_line_trim(str_cut(&w, '\n'));
		if (!line.n || folded_line_is_comment(line) || is_nameless(line) ||
			!folded_line_cut(line, 1, &p))
			continue;
		if (!folded_line_cut(line, 2, &p))
			return 1;
		seen++;
	}
	return seen ? 2 : 0;
}

/* What the headers in *W say, up to the first stack, where *W goes on then. */
static struct folded_shape
look_at_headers(struct str *w)
{
	struct folded_shape shape = { 0 };
	struct str rest = *w, line;
	size_t left;

	for (; rest.n && !shape.columns; *w = rest) {
		left = rest.n;
		line = str_cut(&rest, '\n');
		if (folded_line_trim(line).n && !folded_line_is_comment(line))
			break;
		/* The end of the window may be within a header. */
		if (line.n == left || !str_starts(line, STR("#fg ")))
			continue;
		line = folded_line_trim(line);
		shape.headed = true;
		shape.columns = stated_columns(str_from(line, 4));
	}
	return shape;
}

/* The columns that the first header in W says, wherever it is; 0 when none does. */
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

/* What a header before the first stack says, or what the stacks look like; where they look
 * like two columns, what the header of a text says that cat put behind them. */
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

unsigned
folded_line_decimals(struct str text)
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
	if (folded_line_decimals(text) > scale) {
		if (fraction.s[scale] >= '5' && v++ == UINT64_MAX)
			return false;
		*rounded = true;
	}
	*value = v;
	return true;
}

bool
folded_line_is_svg(struct input *in)
{
	struct str head = str_trim(input_window(in, 64));

	return str_starts(head, STR("<?xml")) || str_starts(head, STR("<svg")) ||
		str_starts(head, STR("<!DOCTYPE svg"));
}

struct folded_shape
folded_shape(struct input *in)
{
	struct folded_shape shape = { .headed = true };

	if (!folded_line_is_svg(in))
		return look_at_text(in);
	shape.columns = stated_columns(str_from(svg_data_header(input_rest(in)), 4));
	shape.known = shape.columns != 0;
	return shape;
}

const char *
folded_line_look(struct str head)
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
