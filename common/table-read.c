/* SPDX-License-Identifier: ISC */
/* The table of all frames, read; see table.h. Its bytes may be anybody's. */
#include "table.h"
#include "folded.h"
#include "mem.h"

struct table {
	struct buf text; /* the names, escapes undone, one after the other */
	size_t *ends;	 /* where each ends in TEXT */
	size_t names, name_cap;
	struct buf path; /* of the frame that is read */
	size_t *levels;	 /* where each frame on the way ends in PATH */
	size_t depth, cap;
	int columns;
	unsigned scale;
};

/* Cuts the content of the next element of CLASS off *REST. */
static bool
cut_section(struct str *rest, struct str class, struct str *content)
{
	static const char open[] = "\"><![CDATA[";
	struct str opened = { open, sizeof open - 1 };

	for (;;) {
		*rest = str_from(*rest, str_search(*rest, class));
		if (!rest->n)
			return false;
		*rest = str_from(*rest, class.n);
		if (str_starts(*rest, opened))
			break;
	}
	*rest = str_from(*rest, opened.n);
	*content = str_head(*rest, str_search(*rest, STR("]]>")));
	*rest = str_from(*rest, content->n);
	return rest->n > 0;
}

/* Adds all sections of CLASS in DOCUMENT to B. */
static void
join_sections(struct buf *b, struct str document, struct str class)
{
	struct str content;

	while (cut_section(&document, class, &content))
		buf_str(b, content);
}

struct str
table_header(struct str document)
{
	struct str header = { 0 };

	if (cut_section(&document, STR("class=\"fg-header"), &header) &&
		str_starts(header, STR("#fg ")))
		return header;
	return (struct str){ 0 };
}

bool
table_is_left_out(struct str document)
{
	static const char class[] = " class=\"" TABLE_LEFT_OUT "\"";
	struct str tag = str_from(document, str_search(document, STR("<svg ")));

	tag = str_head(tag, str_find(tag, '>'));
	return str_search(tag, (struct str){ class, sizeof class - 1 }) < tag.n;
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

/* The value of a digit of the alphabet; TABLE_DIGITS for any other byte. */
static unsigned
digit_value(char c)
{
	static const char missing[] = "\"&<>\\]";
	unsigned value = (unsigned)(c - '!');
	size_t i;

	if (c < '!' || c > '~')
		return TABLE_DIGITS;
	for (i = 0; i < sizeof missing - 1; i++) {
		if (c == missing[i])
			return TABLE_DIGITS;
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

	for (; rest->n; unit *= TABLE_MORE) {
		digit = digit_value(rest->s[0]);
		*rest = str_from(*rest, 1);
		if (digit >= TABLE_DIGITS || (digit && unit > UINT64_MAX / digit))
			return false;
		part = unit * digit;
		if (value > UINT64_MAX - part)
			return false;
		value += part;
		if (digit < TABLE_LAST) {
			*number = value;
			return true;
		}
		if (unit > UINT64_MAX / TABLE_MORE)
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
 * same level again without one. */
static bool
enter(struct table *t, uint64_t up, uint64_t name)
{
	size_t begin;

	if (up > t->depth || name > t->names)
		return false;
	t->depth -= (size_t)up;
	t->path.n = t->depth ? t->levels[t->depth - 1] : 0;
	if (name < t->names) {
		if (t->depth)
			buf_char(&t->path, ';');
		begin = name ? t->ends[name - 1] : 0;
		buf_str(&t->path,
			(struct str){ t->text.s + begin, t->ends[name] - begin });
	}
	t->levels = mem_grow(t->levels, &t->cap, t->depth + 1, sizeof *t->levels);
	t->levels[t->depth++] = t->path.n;
	return true;
}

/* Reads the weights of the frame just entered and gives its stack. */
static bool
give(struct table *t, struct str *rest, table_line *line, void *to)
{
	size_t end = t->path.n;
	uint64_t weight;
	int c;

	for (c = 0; c < t->columns; c++) {
		if (!cut_number(rest, &weight))
			return false;
		buf_char(&t->path, ' ');
		folded_put_weight(&t->path, weight, t->scale);
	}
	line(to, buf_view(&t->path));
	t->path.n = end;
	return true;
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
read_frames(struct table *t, struct str rest, table_line *line, void *to)
{
	uint64_t up, name;

	while (rest.n) {
		if (!cut_frame(&rest, &up, &name))
			return "the table of frames is damaged or cut short";
		if (!enter(t, up / 2, name))
			return "the table of frames names a frame that is not there";
		if (up % 2 && !give(t, &rest, line, to))
			return "a weight in the table of frames is damaged";
	}
	return NULL;
}

/* The table of a document. */
struct parts {
	struct buf text; /* that both are in */
	struct str names, frames;
};

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
	struct buf packed = { 0 };
	bool good = true;
	size_t names;

	join_sections(&packed, document, STR("class=\"fg-packed"));
	if (packed.n) {
		good = table_unpack(buf_view(&packed), &p->text) && cut_parts(p);
		buf_release(&packed);
		return good ? NULL : "its packed table of frames is damaged";
	}
	join_sections(&p->text, document, STR("class=\"fg-names"));
	names = p->text.n;
	join_sections(&p->text, document, STR("class=\"fg-frames"));
	p->names = str_head(buf_view(&p->text), names);
	p->frames = str_from(buf_view(&p->text), names);
	return NULL;
}

const char *
table_read(struct str document, int columns, unsigned scale, table_line *line, void *to)
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
	buf_release(&p.text);
	buf_release(&t.text);
	buf_release(&t.path);
	free(t.ends);
	free(t.levels);
	return wrong;
}
