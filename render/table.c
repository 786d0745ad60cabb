/* SPDX-License-Identifier: ISC */
/* Writes the table of all frames; see table.h. */
#include "table.h"
#include "deflate.h"
#include "utf8.h"

static const char DIGITS[SVG_DATA_DIGITS + 1] =
	"!#$%'()*+,-./0123456789:;=?@ABCDEFGHIJKLM"
	"NOPQRSTUVWXYZ[^_`abcdefghijklmnopqrstuvwxyz"
	"{|}~";

/* The sort key of a name. */
struct candidate {
	struct str name;
	uint32_t id, uses;
};

/* The most used first, then by bytes. */
static int
compare_candidates(const void *va, const void *vb)
{
	const struct candidate *a = va, *b = vb;

	if (a->uses != b->uses)
		return a->uses < b->uses ? 1 : -1;
	return str_cmp(a->name, b->name);
}

/* Every name of T, with its number of uses. */
static struct candidate *
count_uses(const struct tree *t)
{
	struct candidate *all = mem_zero(t->names.n, sizeof *all);
	uint32_t i, id;

	for (i = 0; i < t->names.n; i++)
		all[i] = (struct candidate){ intern_str(&t->names, i), i, 0 };
	for (i = TREE_ROOT + 1; i < t->n; i++) {
		id = t->nodes[i].name;
		if (id != TREE_GAP)
			all[id].uses++;
	}
	return all;
}

void
table_order_init(struct table_order *o, const struct tree *t)
{
	struct candidate *all = count_uses(t);
	uint32_t i;

	qsort(all, t->names.n, sizeof *all, compare_candidates);
	o->n = 0;
	o->ids = mem_resize(NULL, t->names.n, sizeof *o->ids);
	o->line = mem_zero(t->names.n, sizeof *o->line);
	for (i = 0; i < t->names.n && all[i].uses; i++) {
		o->line[all[i].id] = i;
		o->ids[o->n++] = all[i].id;
	}
	free(all);
}

void
table_order_release(struct table_order *o)
{
	free(o->ids);
	free(o->line);
	*o = (struct table_order){ 0 };
}

/* Adds the bytes of S as escapes. */
static void
put_escapes(struct buf *b, struct str s)
{
	static const char hex[] = "0123456789abcdef";
	size_t i;

	for (i = 0; i < s.n; i++) {
		buf_str(b, STR("\\x"));
		buf_char(b, hex[(unsigned char)s.s[i] >> 4]);
		buf_char(b, hex[s.s[i] & 15]);
	}
}

void
table_put_name(struct buf *b, struct str name)
{
	struct str special;
	uint32_t point;

	while (buf_plain(b, &name, &special, &point)) {
		if (point == '\\')
			buf_str(b, STR("\\\\"));
		else if (point == '<' || !utf8_is_visible(point) ||
			(point == ']' && str_starts(name, special)))
			put_escapes(b, special);
		else
			buf_str(b, special);
	}
}

/* Writes NUMBER at P, at most NUMBER_MAX digits, and returns the end. */
enum { NUMBER_MAX = 13 };

static char *
put_number(char *p, uint64_t number)
{
	while (number >= SVG_DATA_LAST) {
		number -= SVG_DATA_LAST;
		*p++ = DIGITS[SVG_DATA_LAST + number % SVG_DATA_MORE];
		number /= SVG_DATA_MORE;
	}
	*p++ = DIGITS[number];
	return p;
}

void
table_put_names(struct buf *b, const struct tree *t, const struct table_order *o,
	const uint16_t *colour)
{
	uint32_t i;

	for (i = 0; i < o->n; i++) {
		char *p = buf_room(b, NUMBER_MAX);

		b->n = (size_t)(put_number(p, colour[o->ids[i]]) - b->s);
		table_put_name(b, intern_str(&t->names, o->ids[i]));
		buf_char(b, '\n');
	}
}

void
table_put_number(struct buf *b, uint64_t number)
{
	char *p = buf_room(b, NUMBER_MAX);

	b->n = (size_t)(put_number(p, number) - b->s);
}

void
table_put_frames(struct buf *b, const struct tree *t, const struct tree_walk *w,
	const struct table_order *o)
{
	uint32_t i, node, name, up, child_depth = 1;
	uint64_t before, after;
	char *p;

	for (i = 0; i < w->n; i++) {
		node = w->node[i];
		name = t->nodes[node].name == TREE_GAP ? o->n
						       : o->line[t->nodes[node].name];
		before = t->self[0][node];
		after = t->columns > 1 ? t->self[1][node] : 0;
		up = child_depth - w->depth[i];
		child_depth = w->depth[i] + 1;
		p = buf_room(b, 5 * NUMBER_MAX);
		if (!up && !before && !after) {
			b->n = (size_t)(put_number(p, 1 + (uint64_t)name) - b->s);
			continue;
		}
		p = put_number(p, 0);
		p = put_number(p, 2 * (uint64_t)up + (before || after));
		p = put_number(p, name);
		if (before || after)
			p = put_number(p, before);
		if ((before || after) && t->columns > 1)
			p = put_number(p, after);
		b->n = (size_t)(p - b->s);
	}
}

/* Adds four letters for the first three bytes of IN, or fewer. */
static void
put_group(struct buf *b, struct str in)
{
	static const char letters[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
		"0123456789+/";
	unsigned char byte[3] = { 0 };
	unsigned bits;
	size_t n = in.n < 3 ? in.n : 3;
	char *p = buf_room(b, 4);

	memcpy(byte, in.s, n);
	bits = (unsigned)byte[0] << 16 | (unsigned)byte[1] << 8 | byte[2];
	p[0] = letters[bits >> 18];
	p[1] = letters[bits >> 12 & 63];
	p[2] = '=';
	p[3] = '=';
	if (n > 1)
		p[2] = letters[bits >> 6 & 63];
	if (n > 2)
		p[3] = letters[bits & 63];
	b->n += 4;
}

bool
table_pack(struct buf *b, struct str text)
{
	struct buf packed = { 0 };
	struct str rest;

	if (text.n > SVG_DATA_UNPACKED)
		return false;
	deflate_zlib(text, &packed);
	for (rest = buf_view(&packed); rest.n; rest = str_from(rest, 3))
		put_group(b, rest);
	buf_release(&packed);
	return true;
}

struct str
table_chunk(struct str *rest)
{
	struct str chunk = str_head(*rest, SVG_DATA_CHUNK);
	size_t end;

	if (chunk.n < rest->n) {
		end = str_rfind(chunk, '\n');
		if (end < chunk.n)
			chunk.n = end + 1;
		while ((rest->s[chunk.n] & 0xc0) == 0x80)
			chunk.n--;
	}
	*rest = str_from(*rest, chunk.n);
	return chunk;
}
