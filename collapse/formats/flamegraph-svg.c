/* SPDX-License-Identifier: ISC */
/*
 * Flame graphs as SVG, by flamegraph.pl since 2011 and by inferno, which cargo flamegraph and
 * py-spy use:
 *
 *	<g class="func_g" onmouseover="s('libc`memcpy (13 samples, 0.03%)')" ...>
 *	<title>libc`memcpy (13 samples, 0.03%)</title><rect x="1189.0" y="107" width="0.3"
 *	 height="25.0" fill="rgb(232,106,54)" rx="2" ry="2" />
 *
 *	<svg id="frames" x="10" width="1180" total_samples="513">
 *	<g><title>main (56 samples, 10.92%; -0.58%)</title>
 *	 <rect x="0.0000%" y="165" width="10.9162%" height="15" fg:x="0" fg:w="56"/>
 *
 * A frame is a title and the next rectangle; before 2014 some have the title only in a script call.
 * The number is the frame's inclusive weight. In a picture that compares two profiles the second
 * percentage is the change of its self weight, in percent of the total with two decimals. Titles
 * are arbitrary if the user gave a file of attributes. fg:x and fg:w, written by inferno since
 * 2021, are samples; other positions are pixels with one decimal or none, so narrow frames may have
 * width 0. Frames narrower than 0.1 pixels, or than --minwidth, are not drawn.
 *
 * Pictures by fg-svg carry their stacks; fg-svg.c reads those.
 *
 * brendangregg/FlameGraph, flamegraph.pl; jonhoo/inferno, src/flamegraph/.
 */
#include "stacks/boxes.h"
#include "buf.h"
#include "folded.h"
#include "formats.h"
#include "markup.h"
#include "mem.h"
#include "msg.h"
#include "svg-data.h"
#include "utf8.h"

#include <inttypes.h>
#include <math.h>

enum { PLACE_DECIMALS = 4, DELTA_DECIMALS = 2 };

/* A drawn frame. Positions are in units of 10^-PLACE_DECIMALS, or in samples. */
struct drawn {
	uint64_t x, width, y;
	uint64_t count;
	int64_t delta; /* hundredths of a percent of the total */
	uint32_t frame, box;
	bool counted; /* count is known, not to be estimated */
};

struct reader {
	struct collapse *c;
	struct input *in;
	struct drawn *frames; /* sorted by y, then x, then width */
	size_t n, cap;
	size_t *rows; /* first frame of each row, then the end */
	size_t row_n;
	struct buf unit, title;
	bool has_title, compares, inverted, is_chart;
	uint32_t all; /* the name of the frame for everything */
	uint64_t estimated;
};

/* The parsed title of a frame. */
struct caption {
	struct str name, unit;
	uint64_t count;
	int64_t delta;
	bool compares;
};

/* Appends TEXT with its entities decoded. */
static void
put_text(struct buf *b, struct str text)
{
	static const struct {
		struct str entity;
		char c;
	} entities[] = { { { "&lt;", 4 }, '<' }, { { "&gt;", 4 }, '>' },
		{ { "&amp;", 5 }, '&' }, { { "&quot;", 6 }, '"' },
		{ { "&apos;", 6 }, '\'' }, { { "&#39;", 5 }, '\'' },
		{ { "&#x27;", 6 }, '\'' } };
	enum { N = sizeof entities / sizeof *entities };
	size_t plain, i;

	while (text.n) {
		plain = str_find(text, '&');
		buf_str(b, str_head(text, plain));
		text = str_from(text, plain);
		for (i = 0; i < N && !str_starts(text, entities[i].entity); i++)
			;
		if (i < N)
			buf_char(b, entities[i].c);
		else if (text.n)
			buf_char(b, '&');
		text = str_from(text, i < N ? entities[i].entity.n : 1);
	}
}

/* TEXT: "1,234,567". Returns false if it is not a number. */
static bool
parse_count(struct str text, uint64_t *count)
{
	char digits[24];
	size_t n = 0, i;

	for (i = 0; i < text.n; i++) {
		if (text.s[i] == ',' && i > 0)
			continue;
		if (n == sizeof digits)
			return false;
		digits[n++] = text.s[i];
	}
	return str_to_u64((struct str){ digits, n }, count);
}

/* If *TEXT ends in '%', cuts off the last MARK and the rest. Returns the text between the two, or
 * empty. */
static struct str
cut_percent(struct str *text, const char *mark)
{
	struct str last = str_of(mark), share;
	size_t i;

	if (!str_ends(*text, STR("%")))
		return (struct str){ 0 };
	for (i = text->n; i-- > 0;) {
		share = str_from(*text, i);
		if (!str_starts(share, last))
			continue;
		text->n = i;
		return str_head(str_from(share, last.n), share.n - last.n - 1);
	}
	return (struct str){ 0 };
}

/* TEXT: "13 samples, 0.03%; +1.00%". Returns false if it is not of that form. */
static bool
parse_numbers(struct str text, struct caption *k)
{
	struct str delta = cut_percent(&text, "; "), number;
	bool rounded = false, less = str_starts(delta, STR("-"));
	uint64_t size = 0;

	k->compares = delta.n > 0;
	if (less || str_starts(delta, STR("+")))
		delta = str_from(delta, 1);
	if (k->compares &&
		(!folded_weight(delta, DELTA_DECIMALS, &size, &rounded) ||
			size > INT64_MAX / 2))
		return false;
	k->delta = less ? -(int64_t)size : (int64_t)size;
	(void)cut_percent(&text, ", ");
	number = str_cut(&text, ' ');
	k->unit = text;
	return k->unit.n > 0 && parse_count(number, &k->count);
}

/* TITLE: "NAME (13 samples, 0.03%)"; name and unit may contain brackets. Returns false if it is not
 * of that form. */
static bool
parse_caption(struct str title, struct caption *k)
{
	/* Numbers and unit fit in this; a bound, as a title may be full of brackets. */
	enum { LONGEST = 256 };
	size_t i, least = title.n > LONGEST ? title.n - LONGEST : 1;

	if (!str_ends(title, STR(")")))
		return false;
	for (i = title.n - 1; i-- > least;) {
		if (title.s[i] != '(' || title.s[i - 1] != ' ')
			continue;
		k->name = str_head(title, i - 1);
		if (parse_numbers((struct str){ title.s + i + 1, title.n - i - 2 }, k))
			return true;
	}
	return false;
}

/* Sets the title to the text of CALL, "s('...')". Returns false if CALL is something else. */
static bool
parse_call(struct reader *r, struct str call)
{
	size_t quote;

	if (!str_starts(call, STR("s('")) || !str_ends(call, STR("')")))
		return false;
	call = (struct str){ call.s + 3, call.n > 4 ? call.n - 5 : 0 };
	buf_clear(&r->title);
	for (; call.n; call = str_from(call, quote + 1)) {
		quote = str_search(call, STR("\\'"));
		put_text(&r->title, str_head(call, quote));
	}
	return true;
}

/* Parses the attribute NAME of TAG, a number of pixels or percent. Returns false if it is missing
 * or invalid. */
static bool
parse_place(struct str tag, const char *name, unsigned decimals, uint64_t *value)
{
	struct str text = markup_attr(tag, str_of(name));
	bool rounded = false;

	if (str_ends(text, STR("%")))
		text.n--;
	return folded_weight(text, decimals, value, &rounded);
}

/* Adds the frame of the current title and the rectangle RECT. */
static void
add_frame(struct reader *r, struct str rect)
{
	struct drawn d = { .counted = true };
	struct caption k = { .name = buf_view(&r->title) };
	bool exact = parse_place(rect, "fg:x", 0, &d.x) &&
		parse_place(rect, "fg:w", 0, &d.width);

	if (!parse_caption(buf_view(&r->title), &k)) {
		k = (struct caption){ .name = buf_view(&r->title), .count = d.width };
		d.counted = exact;
	} else if (!r->unit.n) {
		buf_str(&r->unit, k.unit);
	}
	if (!parse_place(rect, "y", PLACE_DECIMALS, &d.y) ||
		(!exact &&
			(!parse_place(rect, "x", PLACE_DECIMALS, &d.x) ||
				!parse_place(rect, "width", PLACE_DECIMALS, &d.width))) ||
		d.width > UINT64_MAX / 8 || d.x > UINT64_MAX / 8) {
		collapse_lose(r->c, COLLAPSE_MALFORMED);
		return;
	}
	d.count = k.count;
	d.delta = k.delta;
	r->compares |= k.compares;
	d.frame = collapse_frame(r->c, k.name, 0);
	*MEM_ADD(r->frames, r->n, r->cap) = d;
}

/* Handles TAG; *REST follows it, and advances past a text that belongs to it. */
static void
handle_tag(struct reader *r, struct str tag, struct str *rest)
{
	struct str name = markup_name(tag);
	struct markup m;

	if (str_eq(name, STR("title")) && !str_ends(tag, STR("/"))) {
		buf_clear(&r->title);
		r->has_title = true;
		if (markup_next(rest, &m) && m.kind == MARKUP_TEXT)
			put_text(&r->title, m.body);
	} else if (str_eq(name, STR("g"))) {
		r->has_title = parse_call(r, markup_attr(tag, STR("onmouseover")));
	} else if (str_eq(name, STR("rect"))) {
		if (r->has_title || parse_call(r, markup_attr(tag, STR("onmouseover"))))
			add_frame(r, tag);
		r->has_title = false;
	} else if (str_eq(name, STR("text")) && !r->n) {
		if (markup_next(rest, &m) && m.kind == MARKUP_TEXT)
			r->is_chart |= str_eq(m.body, STR("Flame Chart"));
	}
}

static void
parse_picture(struct reader *r, struct str rest)
{
	struct str inverted = STR("inverted = true");
	struct markup m;

	while (markup_next(&rest, &m))
		if (m.kind == MARKUP_OPEN)
			handle_tag(r, m.body, &rest);
		else if (m.kind == MARKUP_CDATA && !r->n)
			r->inverted |= str_search(m.body, inverted) < m.body.n;
}

static int
compare_frames(const void *one, const void *two)
{
	const struct drawn *a = one, *b = two;

	if (a->y != b->y)
		return a->y < b->y ? -1 : 1;
	if (a->x != b->x)
		return a->x < b->x ? -1 : 1;
	return a->width < b->width ? -1 : a->width > b->width;
}

/* Finds the rows of the sorted frames. */
static void
find_rows(struct reader *r)
{
	size_t i, cap = 0;

	for (i = 0; i <= r->n; i++) {
		if (i > 0 && i < r->n && r->frames[i].y == r->frames[i - 1].y)
			continue;
		*MEM_ADD(r->rows, r->row_n, cap) = i;
	}
	r->row_n--;
}

static uint64_t
sum_widths(const struct reader *r, size_t row)
{
	uint64_t sum = 0;
	size_t i;

	for (i = r->rows[row]; i < r->rows[row + 1]; i++)
		sum = weight_count(sum, r->frames[i].width);
	return sum;
}

/* Whether ROW has the frame for everything. */
static bool
has_all(const struct reader *r, size_t row)
{
	size_t i;

	for (i = r->rows[row]; i < r->rows[row + 1]; i++)
		if (r->frames[i].frame == r->all)
			return true;
	return false;
}

/* Whether the root is on top: the wider one of the outermost rows is the root's. */
static bool
is_upside_down(const struct reader *r)
{
	size_t last = r->row_n - 1;
	uint64_t top = sum_widths(r, 0), bottom = sum_widths(r, last);

	if (top != bottom)
		return top > bottom;
	return r->inverted || (has_all(r, 0) && !has_all(r, last));
}

/* Returns the frame of ROW at the middle of D, or the nearest one. */
static const struct drawn *
find_caller(const struct reader *r, size_t row, const struct drawn *d)
{
	size_t from = r->rows[row], to = r->rows[row + 1], middle;
	uint64_t at = 2 * d->x + d->width;
	const struct drawn *left, *right;

	/* Find the last frame that begins at or before it, or the first. */
	while (to - from > 1) {
		middle = from + (to - from) / 2;
		if (2 * r->frames[middle].x <= at)
			from = middle;
		else
			to = middle;
	}
	left = &r->frames[from];
	if (from + 1 >= r->rows[row + 1] || at <= 2 * (left->x + left->width))
		return left;
	right = left + 1;
	return 2 * right->x < at || 2 * right->x - at < at - 2 * (left->x + left->width)
		? right
		: left;
}

/* Returns the weight of D, estimated from its width. */
static uint64_t
estimate(const struct reader *r, size_t root, const struct drawn *d)
{
	uint64_t width = 0, count = 0;
	long double weight;
	size_t i;

	for (i = r->rows[root]; i < r->rows[root + 1]; i++)
		if (r->frames[i].counted) {
			width = weight_count(width, r->frames[i].width);
			count = weight_count(count, r->frames[i].count);
		}
	if (!width)
		return 0;
	weight = (long double)d->width / (long double)width * (long double)count + 0.5L;
	return weight < 0x1p64L ? (uint64_t)weight : UINT64_MAX;
}

/* Adds the frames of ROW, called by frames of the row CALLERS; the row ROOT has no callers. */
static void
stack_row(struct reader *r, struct boxes *b, size_t row, size_t callers, size_t root)
{
	struct drawn *d = &r->frames[r->rows[row]];
	const struct drawn *end = &r->frames[r->rows[row + 1]];

	for (; d < end; d++) {
		d->box = boxes_add(b, d->frame,
			row == root ? BOXES_NONE : find_caller(r, callers, d)->box);
		if (d->box == BOXES_NONE) {
			collapse_lose(r->c, COLLAPSE_OVERFLOW);
			continue;
		}
		if (!d->counted) {
			d->count = estimate(r, root, d);
			r->estimated++;
		}
		b->items[d->box].weight[BOXES_AFTER] = d->count;
		b->items[d->box].is_root = row == root && d->frame == r->all;
	}
}

/* Adds the rows, from the root on. */
static void
stack_rows(struct reader *r, struct boxes *b)
{
	bool down = is_upside_down(r);
	size_t last = r->row_n - 1, root = down ? 0 : last, i, row;

	for (i = 0; i <= last; i++) {
		row = down ? i : last - i;
		stack_row(r, b, row, down ? row - 1 : row + 1, root);
	}
}

/* Computes the self weights before from those after and the changes. */
static void
find_before(struct reader *r, struct boxes *b, uint64_t total)
{
	const struct drawn *d;
	struct box *box;
	long double was;

	for (d = r->frames; d && d < r->frames + r->n; d++) {
		if (d->box == BOXES_NONE)
			continue;
		box = &b->items[d->box];
		was = (long double)box->weight[BOXES_AFTER] -
			roundl((long double)d->delta * (long double)total / 10000);
		if (was >= 0x1p64L)
			collapse_lose(r->c, COLLAPSE_OVERFLOW);
		else if (was > 0)
			box->weight[BOXES_BEFORE] = (uint64_t)was;
	}
}

/* Returns the weight of all root frames. */
static uint64_t
sum_roots(const struct boxes *b)
{
	uint64_t total = 0;
	size_t i;

	for (i = 0; i < b->n; i++)
		if (b->items[i].parent == BOXES_NONE)
			total = weight_count(total, b->items[i].weight[BOXES_AFTER]);
	return total;
}

/* Warns about everything that the picture has lost. LESS frames weigh less than their callees. */
static void
warn_losses(const struct reader *r, uint64_t total, uint64_t less)
{
	enum { EXACT = 10000 };
	const char *name = input_name(r->in);

	if (r->is_chart)
		msg_warn("%s: is a flame chart; equal stacks are summed up", name);
	if (r->estimated)
		msg_warn("%s: titles of %" PRIu64
			 " frame%s have no number; their weight is "
			 "estimated from their width",
			name, r->estimated, msg_s(r->estimated));
	if (less)
		msg_warn("%s: %" PRIu64 " frame%s less than the frames drawn on %s, as "
			 "positions are rounded",
			name, less, less == 1 ? " weighs" : "s weigh",
			less == 1 ? "it" : "them");
	if (r->compares && total > EXACT)
		msg_warn("%s: weights before are exact to 0.01 %% of the total", name);
}

static void
fold(struct reader *r)
{
	struct boxes b = { .c = r->c, .columns = r->compares ? 2 : 1 };
	uint64_t total, less;

	if (!r->n)
		return;
	qsort(r->frames, r->n, sizeof *r->frames, compare_frames);
	find_rows(r);
	boxes_set_unit(&b, buf_view(&r->unit));
	stack_rows(r, &b);
	total = sum_roots(&b);
	boxes_warn_narrowest(&b, input_name(r->in), buf_view(&r->unit));
	less = boxes_subtract(&b, BOXES_AFTER);
	if (r->compares)
		find_before(r, &b, total);
	warn_losses(r, total, less);
	boxes_fold(&b);
	boxes_release(&b);
}

static bool
run(struct input *in, struct collapse *c)
{
	struct reader r = { .c = c, .in = in, .all = collapse_frame(c, STR("all"), 0) };
	struct str document = input_rest(in);
	bool whole = str_ends(str_trim(document), STR("</svg>"));

	collapse_threadless(c);
	parse_picture(&r, document);
	input_skip(in, document.n);
	/* Frames come in any order: a part of a picture has no stacks. */
	if (whole)
		fold(&r);
	else
		(void)collapse_damage(c, collapse_samples(c), true);
	buf_release(&r.unit);
	buf_release(&r.title);
	free(r.frames);
	free(r.rows);
	return whole;
}

/* Whether HEAD begins an SVG that is not by fg-svg. */
static bool
is_svg(struct str head)
{
	struct str rest = str_trim(head);
	struct markup m;

	while (markup_next(&rest, &m))
		if (m.kind == MARKUP_OPEN)
			return str_eq(markup_name(m.body), STR("svg")) &&
				!str_starts(markup_attr(m.body, STR("class")), STR("fg"));
	return false;
}

static int
probe(struct str head)
{
	return is_svg(head) ? 90 : 0;
}

const struct collapse_format collapse_flamegraph_svg = {
	.probe = probe,
	.signs = SIGNS(SIGN(MARKUP, "Flame graph stack visualization"),
		SIGN(MARKUP, "class=\"func_g\""), SIGN(MARKUP, " onmouseover=\"s('"),
		SIGN(MARKUP, "total_samples=\"")),
	.run = run,
};
