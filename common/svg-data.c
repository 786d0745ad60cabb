/* SPDX-License-Identifier: ISC */
/* The data of a picture, read; see svg-data.h. Its bytes may be anybody's. */
#include "svg-data.h"
#include "inflate.h"
#include "input.h"
#include "markup.h"
#include "mem.h"
#include "tree.h"
#include "weight.h"

struct table {
	struct buf text; /* the names, escapes undone, one after the other */
	size_t *ends;	 /* where each ends in TEXT */
	size_t names, name_cap;
	struct buf path; /* of the frame that is read */
	size_t *levels;	 /* where each frame on the way ends in PATH */
	size_t depth, cap;
	int columns;
	unsigned scale;
	struct tree_length length; /* of all stacks */
};

/* Goes on to the next element of DOCUMENT that has a class, which *CLASS gets, and begins
 * with a CDATA section, which *CONTENT gets. */
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

/* Adds NAME with its escapes undone. */
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

/* Cuts a number off *REST. False at its end, at a byte that is no digit, and
 * when the number has more than 64 bits. */
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

/* False where a line does not begin with a number. */
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

/* Goes UP levels and then to the child with the NAME, or, for a gap, to the
 * same level again without one. What is wrong, or NULL. */
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

/* Reads the weights of the frame just entered and gives its stack. What is wrong, or
 * NULL. */
static const char *
give(struct table *t, struct str *rest, svg_data_line *line, void *to)
{
	size_t end = t->path.n;
	uint64_t weight;
	int c;

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

/* Reads what says which frame is next. */
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

	while (rest.n && !wrong) {
		if (!cut_frame(&rest, &up, &name))
			return "the table of frames is damaged or cut short";
		wrong = enter(t, up / 2, name);
		if (!wrong && up % 2)
			wrong = give(t, &rest, line, to);
	}
	return wrong;
}

/* The value of each letter of base64 (RFC 4648), 64 of any other byte. */
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

/* Adds the bytes that LETTERS stand for; as browsers do, blanks are passed over, and the
 * signs at the end may be missing. */
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

/* Appends what PACKED, anybody's bytes, holds to TEXT. False when it is damaged. */
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
	struct buf packed, text, more; /* as it stands there: packed, or both parts */
	struct str names, frames;
};

static void
parts_release(struct parts *p)
{
	buf_release(&p->packed);
	buf_release(&p->text);
	buf_release(&p->more);
}

/* Cuts the text of a packed table at its empty line. */
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
	return true;
}

/* Finds the parts in DOCUMENT. NULL, or what is wrong. */
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
	}
	p->names = buf_view(&p->text);
	p->frames = buf_view(&p->more);
	if (!p->packed.n)
		return NULL;
	buf_clear(&p->text);
	return unpack(buf_view(&p->packed), &p->text) && cut_parts(p)
		? NULL
		: "its packed table of frames is damaged";
}

const char *
svg_data_read(
	struct str document, int columns, unsigned scale, svg_data_line *line, void *to)
{
	struct table t = { .columns = columns, .scale = scale };
	struct parts p = { .names = { 0 } };
	const char *wrong = find_parts(&p, document);

	/* so that names are somewhere, even when all are empty */
	buf_room(&t.text, 1);
	if (!wrong && !read_names(&t, p.names))
		wrong = "a name in the table of frames has no colour";
	else if (!wrong && !p.frames.n)
		wrong = "the picture carries no frames";
	else if (!wrong)
		wrong = read_frames(&t, p.frames, line, to);
	parts_release(&p);
	buf_release(&t.text);
	buf_release(&t.path);
	free(t.ends);
	free(t.levels);
	return wrong;
}
