/* SPDX-License-Identifier: ISC */
/* Reads the data of a picture; see svg-data.h. Its bytes are untrusted. */
#include "svg-data.h"
#include "inflate.h"
#include "input.h"
#include "markup.h"
#include "mem.h"
#include "tree.h"
#include "weight.h"

struct table {
	struct buf text; /* the decoded names, one after the other */
	size_t *ends;	 /* where each ends in TEXT */
	size_t names, name_cap;
	struct buf path; /* of the current frame */
	size_t *levels;	 /* the end of each of its frames in PATH */
	size_t depth, cap;
	int columns;
	unsigned scale;
	struct tree_length length; /* of all stacks */
	struct times *times;	   /* or NULL */
};

/* Decoded lines of names. */
struct lines {
	struct buf text; /* one after the other */
	size_t *ends;	 /* where each ends */
	size_t n, cap;
};

/* The values of dimensions that are not frames. */
struct times {
	struct str roles; /* of the dimensions */
	struct lines tracks, times;
	uint64_t unit, root;
	struct str cells; /* the unread rest of the cells */
	struct buf line;  /* the current stack */
};

/* Advances *DOCUMENT to the next element with a class, for *CLASS, that begins with a CDATA
 * section, for *CONTENT. */
static bool
next_section(struct str *document, struct str *class, struct str *content)
{
	struct markup m, inner;
	struct str rest;

	while (markup_next(document, &m)) {
		if (m.kind != MARKUP_OPEN)
			continue;
		*class = markup_attr(m.body, STR("class"));
		rest = *document;
		if (!class->n || !markup_next(&rest, &inner) ||
			inner.kind != MARKUP_CDATA)
			continue;
		*document = rest;
		*content = inner.body;
		return true;
	}
	return false;
}

struct str
svg_data_header(struct str document)
{
	struct str class, content;

	while (next_section(&document, &class, &content))
		if (str_eq(class, STR("fg-header")))
			return str_starts(content, STR("#fg ")) ? content
								: (struct str){ 0 };
	return (struct str){ 0 };
}

bool
svg_data_is_left_out(struct str document)
{
	struct markup m;

	while (markup_next(&document, &m))
		if (m.kind == MARKUP_OPEN)
			return str_eq(markup_name(m.body), STR("svg")) &&
				str_eq(markup_attr(m.body, STR("class")),
					str_of(SVG_DATA_LEFT_OUT));
	return false;
}

/* Adds NAME unescaped. */
static void
put_unescaped(struct buf *b, struct str name)
{
	uint64_t byte;

	for (; name.n; name = str_from(name, 1)) {
		if (name.s[0] == '\\' && name.n >= 4 && name.s[1] == 'x' &&
			str_hex_to_u64((struct str){ name.s + 2, 2 }, &byte)) {
			buf_char(b, (char)byte);
			name = str_from(name, 3);
			continue;
		}
		if (name.s[0] == '\\' && name.n >= 2)
			name = str_from(name, 1);
		buf_char(b, name.s[0]);
	}
}

/* The value of a digit of the alphabet; SVG_DATA_DIGITS for any other byte. */
static unsigned
digit_value(char c)
{
	static const char missing[] = "\"&<>\\]";
	unsigned value = (unsigned)(c - '!');
	size_t i;

	if (c < '!' || c > '~')
		return SVG_DATA_DIGITS;
	for (i = 0; i < sizeof missing - 1; i++) {
		if (c == missing[i])
			return SVG_DATA_DIGITS;
		value -= c > missing[i];
	}
	return value;
}

/* Cuts a number off *REST. False at its end, at an invalid digit, and when the number overflows 64
 * bits. */
static bool
cut_number(struct str *rest, uint64_t *number)
{
	uint64_t value = 0, unit = 1, part;
	unsigned digit;

	for (; rest->n; unit *= SVG_DATA_MORE) {
		digit = digit_value(rest->s[0]);
		*rest = str_from(*rest, 1);
		if (digit >= SVG_DATA_DIGITS || (digit && unit > UINT64_MAX / digit))
			return false;
		part = unit * digit;
		if (value > UINT64_MAX - part)
			return false;
		value += part;
		if (digit < SVG_DATA_LAST) {
			*number = value;
			return true;
		}
		if (unit > UINT64_MAX / SVG_DATA_MORE)
			return false;
	}
	return false;
}

/* False when a line does not begin with a number. */
static bool
read_names(struct table *t, struct str lines)
{
	struct str line;
	uint64_t colour;

	while (lines.n) {
		line = str_cut(&lines, '\n');
		if (!cut_number(&line, &colour))
			return false;
		put_unescaped(&t->text, line);
		t->ends = mem_grow(t->ends, &t->name_cap, t->names + 1, sizeof *t->ends);
		t->ends[t->names++] = t->text.n;
	}
	return true;
}

/* Goes UP levels and then to the child with the NAME, or, for a gap, to the same level again
 * without a name. Returns an error text, or NULL. */
static const char *
enter(struct table *t, uint64_t up, uint64_t name)
{
	struct str frame = { 0 };
	size_t begin;

	if (up > t->depth || name > t->names)
		return "the table of frames names a frame that is not there";
	t->depth -= (size_t)up;
	t->path.n = t->depth ? t->levels[t->depth - 1] : 0;
	if (name < t->names) {
		begin = name ? t->ends[name - 1] : 0;
		frame = (struct str){ t->text.s + begin, t->ends[name] - begin };
		if (frame.n >= INPUT_LINE_LONGEST - t->path.n)
			return "a stack in the table of frames is longer than 16 MB";
		if (t->depth)
			buf_char(&t->path, ';');
		buf_str(&t->path, frame);
	}
	t->levels = mem_grow(t->levels, &t->cap, t->depth + 1, sizeof *t->levels);
	t->levels[t->depth++] = t->path.n;
	return NULL;
}

/* Reads the names of N lines, each of which may share a prefix with the line before. False when
 * they are damaged. */
static bool
read_lines(struct lines *l, struct str *rest, uint64_t n)
{
	struct str line;
	uint64_t shared;
	size_t before, begin = 0;

	/* a line has at least one byte */
	if (n > rest->n)
		return false;
	for (; n; n--, begin = before) {
		before = l->text.n;
		line = str_cut(rest, '\n');
		if (!cut_number(&line, &shared) || shared > before - begin)
			return false;
		buf_room(&l->text, (size_t)shared + line.n + 1);
		buf_str(&l->text, (struct str){ l->text.s + begin, (size_t)shared });
		put_unescaped(&l->text, line);
		l->ends = mem_grow(l->ends, &l->cap, l->n + 1, sizeof *l->ends);
		l->ends[l->n++] = l->text.n;
	}
	return true;
}

static struct str
line_at(const struct lines *l, size_t i)
{
	size_t begin = i ? l->ends[i - 1] : 0;

	return (struct str){ l->text.s + begin, l->ends[i] - begin };
}

/* Reads the part of TEXT before the cells. False when it is damaged. */
static bool
read_times(struct times *t, struct str text)
{
	struct str line;
	uint64_t tracks, times;

	t->roles = str_cut(&text, '\n');
	line = str_cut(&text, '\n');
	if (!cut_number(&line, &tracks) || !cut_number(&line, &times) ||
		!cut_number(&line, &t->unit) || !cut_number(&line, &t->root) ||
		!t->unit || t->root > UINT64_MAX / t->unit)
		return false;
	if (!read_lines(&t->tracks, &text, tracks) ||
		!read_lines(&t->times, &text, times))
		return false;
	t->root *= t->unit;
	t->cells = text;
	return true;
}

static void
times_release(struct times *t)
{
	buf_release(&t->tracks.text);
	buf_release(&t->times.text);
	buf_release(&t->line);
	free(t->tracks.ends);
	free(t->times.ends);
}

/* Builds the line of the current stack of T with the values of SLOT. False when it has fewer frames
 * than levels of dimensions, or the track has fewer values. */
static bool
put_place(struct table *t, uint64_t slot)
{
	struct times *at = t->times;
	struct str track = line_at(&at->tracks, (size_t)(slot / at->times.n));
	struct str time = line_at(&at->times, (size_t)(slot % at->times.n)), value;
	size_t i, row = 0, begin = 0;

	buf_clear(&at->line);
	for (i = 0; i < at->roles.n; i++) {
		if (at->roles.s[i] == 'x') {
			value = time;
		} else if (at->roles.s[i] == 't') {
			if (!track.n)
				return false;
			value = str_cut(&track, ';');
		} else {
			if (row == t->depth)
				return false;
			value = (struct str){ t->path.s + begin, t->levels[row] - begin };
			begin = t->levels[row++] + 1;
		}
		if (i)
			buf_char(&at->line, ';');
		buf_str(&at->line, value);
	}
	if (row < t->depth) {
		buf_char(&at->line, ';');
		buf_str(&at->line, str_from(buf_view(&t->path), begin));
	}
	return true;
}

/* Passes the current stack of T, with WEIGHT in the place SLOT, to the caller. Returns an error
 * text, or NULL. */
static const char *
give_cell(struct table *t, uint64_t slot, uint64_t weight, svg_data_line *line, void *to)
{
	struct buf *b = &t->times->line;

	if (!put_place(t, slot) || b->n > INPUT_LINE_LONGEST)
		return "a stack in the table of frames does not fit its dimensions";
	if (!tree_length_add(&t->length, b->n))
		return "its stacks would be too large as folded text";
	buf_char(b, ' ');
	weight_put_scaled(b, weight, t->scale);
	line(to, buf_view(b));
	return NULL;
}

/* Passes the current stack of T, whose self weight is WHOLE, once for each of its cells. Returns an
 * error text, or NULL. */
static const char *
give_cells(struct table *t, uint64_t whole, svg_data_line *line, void *to)
{
	static const char damaged[] = "a weight in the table of times is damaged";
	struct times *at = t->times;
	uint64_t slots = (uint64_t)at->tracks.n * at->times.n, next = 0, left, gap, w;
	const char *wrong = NULL;

	if (!cut_number(&at->cells, &left))
		return damaged;
	for (; !wrong; left--, next += gap + 1) {
		if (!cut_number(&at->cells, &gap) || next >= slots || gap >= slots - next)
			return damaged;
		if (!left)
			return give_cell(t, next + gap, whole, line, to);
		if (!cut_number(&at->cells, &w) || w > whole / at->unit)
			return damaged;
		wrong = give_cell(t, next + gap, w * at->unit, line, to);
		whole -= w * at->unit;
	}
	return wrong;
}

/* Reads the weights of the frame just entered and passes its stack. Returns an error text, or
 * NULL. */
static const char *
give(struct table *t, struct str *rest, svg_data_line *line, void *to)
{
	size_t end = t->path.n;
	uint64_t weight;
	int c;

	if (t->times)
		return cut_number(rest, &weight)
			? give_cells(t, weight, line, to)
			: "a weight in the table of frames is damaged";
	if (!tree_length_add(&t->length, end))
		return "its stacks would be too large as folded text";
	for (c = 0; c < t->columns; c++) {
		if (!cut_number(rest, &weight))
			return "a weight in the table of frames is damaged";
		buf_char(&t->path, ' ');
		weight_put_scaled(&t->path, weight, t->scale);
	}
	line(to, buf_view(&t->path));
	t->path.n = end;
	return NULL;
}

/* Reads the number that determines the next frame. */
static bool
cut_frame(struct str *rest, uint64_t *up, uint64_t *name)
{
	uint64_t first;

	*up = 0;
	if (!cut_number(rest, &first))
		return false;
	*name = first - 1;
	return first || (cut_number(rest, up) && cut_number(rest, name));
}

static const char *
read_frames(struct table *t, struct str rest, svg_data_line *line, void *to)
{
	const char *wrong = NULL;
	uint64_t up, name;

	if (t->times && t->times->root)
		wrong = give_cells(t, t->times->root, line, to);
	while (rest.n && !wrong) {
		if (!cut_frame(&rest, &up, &name))
			return "the table of frames is damaged or cut short";
		wrong = enter(t, up / 2, name);
		if (!wrong && up % 2)
			wrong = give(t, &rest, line, to);
	}
	return wrong;
}

/* The value of each letter of base64 (RFC 4648), 64 for any other byte. */
static void
find_values(unsigned char values[256])
{
	static const char letters[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
		"0123456789+/";
	unsigned char i;

	memset(values, 64, 256);
	for (i = 0; i < 64; i++)
		values[(unsigned char)letters[i]] = i;
}

/* Decodes LETTERS and adds the bytes; like browsers, skips blanks, and accepts missing padding. */
static bool
put_bytes(struct buf *b, struct str letters)
{
	unsigned char values[256], value;
	unsigned bits = 0, have = 0;
	size_t i, end;

	find_values(values);
	letters = str_trim(letters);
	for (end = letters.n; end && letters.n - end < 2 && letters.s[end - 1] == '=';)
		end--;
	for (i = 0; i < end; i++) {
		if (str_is_blank(letters.s[i]) || letters.s[i] == '\n' ||
			letters.s[i] == '\r')
			continue;
		value = values[(unsigned char)letters.s[i]];
		if (value > 63)
			return false;
		bits = (bits << 6 | value) & 0xfff;
		have += 6;
		if (have < 8)
			continue;
		have -= 8;
		buf_char(b, (char)(bits >> have & 0xff));
	}
	return have < 6;
}

/* Unpacks PACKED, untrusted bytes, and appends it to TEXT. False when it is damaged. */
static bool
unpack(struct str packed, struct buf *text)
{
	struct buf bytes = { 0 };
	bool good = put_bytes(&bytes, packed) &&
		inflate_all(INFLATE_ZLIB, buf_view(&bytes), text, SVG_DATA_UNPACKED);

	buf_release(&bytes);
	return good;
}

/* The table of a document. */
struct parts {
	struct buf packed, text, more, last; /* undecoded: packed, or each part */
	struct str names, frames, times;
};

static void
parts_release(struct parts *p)
{
	buf_release(&p->packed);
	buf_release(&p->text);
	buf_release(&p->more);
	buf_release(&p->last);
}

/* Splits the text of a packed table at its empty lines. */
static bool
cut_parts(struct parts *p)
{
	struct str text = buf_view(&p->text);
	size_t end = 0;

	if (!str_starts(text, STR("\n")))
		end = str_search(text, STR("\n\n")) + 1;
	if (end >= text.n)
		return false;
	p->names = str_head(text, end);
	p->frames = str_from(text, end + 1);
	end = str_search(p->frames, STR("\n\n"));
	p->times = str_from(p->frames, end + 2);
	p->frames = str_head(p->frames, end);
	return true;
}

/* Finds the parts in DOCUMENT. Returns NULL, or an error text. */
static const char *
find_parts(struct parts *p, struct str document)
{
	struct str class, content;

	while (next_section(&document, &class, &content)) {
		if (str_eq(class, STR("fg-packed")))
			buf_str(&p->packed, content);
		else if (str_eq(class, STR("fg-names")))
			buf_str(&p->text, content);
		else if (str_eq(class, STR("fg-frames")))
			buf_str(&p->more, content);
		else if (str_eq(class, STR("fg-times")))
			buf_str(&p->last, content);
	}
	p->names = buf_view(&p->text);
	p->frames = buf_view(&p->more);
	p->times = buf_view(&p->last);
	if (!p->packed.n)
		return NULL;
	buf_clear(&p->text);
	return unpack(buf_view(&p->packed), &p->text) && cut_parts(p)
		? NULL
		: "its packed table of frames is damaged";
}

/* Reads the content of PARTS. Returns an error text, or NULL. */
static const char *
read_parts(struct table *t, const struct parts *parts, svg_data_line *line, void *to)
{
	struct times times = { .unit = 0 };
	const char *wrong = NULL;

	if (!read_names(t, parts->names))
		wrong = "a name in the table of frames has no colour";
	else if (!parts->frames.n && !parts->times.n)
		wrong = "the picture carries no frames";
	else if (parts->times.n && (t->columns > 1 || !read_times(&times, parts->times)))
		wrong = "the table of times is damaged";
	t->times = parts->times.n ? &times : NULL;
	if (!wrong)
		wrong = read_frames(t, parts->frames, line, to);
	if (!wrong && times.cells.n)
		wrong = "the table of times is longer than that of frames";
	times_release(&times);
	return wrong;
}

const char *
svg_data_read(
	struct str document, int columns, unsigned scale, svg_data_line *line, void *to)
{
	struct table t = { .columns = columns, .scale = scale };
	struct parts p = { .names = { 0 } };
	const char *wrong = find_parts(&p, document);

	/* so that the buffer is not NULL, even when all names are empty */
	buf_room(&t.text, 1);
	if (!wrong)
		wrong = read_parts(&t, &p, line, to);
	parts_release(&p);
	buf_release(&t.text);
	buf_release(&t.path);
	free(t.ends);
	free(t.levels);
	return wrong;
}
