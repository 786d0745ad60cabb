/* SPDX-License-Identifier: ISC */
/* A stack tree as sorted folded text; see folded.h. */
#include "folded.h"
#include "mem.h"
#include "msg.h"
#include "count-sort.h"

/*
 * The lines are sorted as whole strings, in which a ';' stands after a name
 * that goes on: "a b" comes before "a;x" and after "a". So each node counts as
 * two items, the line that ends at it and the lines that pass through it, and
 * each name as two keys, "name" and "name;".
 */
struct key {
	struct str name;
	uint32_t id; /* 2 * name, 1 more for the one with the ';' */
};

/* The byte that stands at I of a key; -1 behind its end. */
static int
key_byte(const struct key *k, size_t i)
{
	if (i < k->name.n)
		return (unsigned char)k->name.s[i];
	return i == k->name.n && k->id & 1 ? ';' : -1;
}

static int
by_bytes(const void *a, const void *b)
{
	const struct key *x = a, *y = b;
	size_t n = x->name.n < y->name.n ? x->name.n : y->name.n;
	int c = n ? memcmp(x->name.s, y->name.s, n) : 0;

	for (; c == 0; n++) {
		c = key_byte(x, n) - key_byte(y, n);
		if (key_byte(x, n) < 0)
			break;
	}
	return c;
}

/* The rank of each key among all, by its id. */
static uint32_t *
rank_keys(const struct intern *names)
{
	size_t n = (size_t)names->n * 2, i;
	struct key *keys = mem_alloc(n * sizeof *keys);
	uint32_t *rank = mem_alloc(n * sizeof *rank);

	for (i = 0; i < n; i++)
		keys[i] =
			(struct key){ intern_str(names, (uint32_t)(i / 2)), (uint32_t)i };
	if (n)
		qsort(keys, n, sizeof *keys, by_bytes);
	for (i = 0; i < n; i++)
		rank[keys[i].id] = (uint32_t)i;
	free(keys);
	return rank;
}

/* What is needed to write: for each item (2 * node, and 1 more for what passes
 * through) its place among its siblings. */
struct plan {
	const struct tree *t;
	uint32_t *first; /* by node: where its children's items begin in item[] */
	uint32_t *item;
	uint32_t n;
};

static bool
has_weight(const struct tree *t, uint32_t node)
{
	return t->self[0][node] || (t->columns == 2 && t->self[1][node]);
}

/* Items in the order of nodes: what ends at a node that has a weight, and what
 * passes through one below which there is some. A gap's weight is its
 * parent's, as another line. */
static void
list_items(struct plan *p)
{
	const struct tree *t = p->t;
	bool *below = mem_zero(t->n, sizeof *below);
	uint32_t i;

	for (i = t->n - 1; i > 0; i--)
		if (below[i] || has_weight(t, i))
			below[t->nodes[i].parent] = true;
	p->item = mem_large((size_t)t->n * 2 * sizeof *p->item);
	for (i = 1; i < t->n; i++) {
		if (has_weight(t, i))
			p->item[p->n++] = 2 * i;
		if (below[i])
			p->item[p->n++] = 2 * i + 1;
	}
	free(below);
}

static void
sort_items(struct plan *p)
{
	const struct tree *t = p->t;
	uint32_t *rank = rank_keys(&t->names), i, name;
	uint32_t *sorted = mem_large((size_t)p->n * sizeof *sorted);
	uint32_t *key = mem_zero((size_t)t->n * 2, sizeof *key);

	for (i = 0; i < p->n; i++) {
		name = t->nodes[p->item[i] / 2].name;
		key[p->item[i]] =
			name == TREE_GAP ? 0 : rank[2 * name + (p->item[i] & 1)];
	}
	count_sort(sorted, p->item, p->n, key, t->names.n ? t->names.n * 2 : 1);
	for (i = 2; i < 2 * t->n; i++)
		key[i] = t->nodes[i / 2].parent;
	count_sort(p->item, sorted, p->n, key, t->n);
	p->first = mem_zero((size_t)t->n + 1, sizeof *p->first);
	for (i = 0; i < p->n; i++)
		p->first[key[p->item[i]] + 1]++;
	for (i = 0; i < t->n; i++)
		p->first[i + 1] += p->first[i];
	free(key);
	free(sorted);
	free(rank);
}

static void
write_weights(struct output *out, struct buf *b, const struct tree *t, uint32_t node)
{
	int c;

	for (c = 0; c < t->columns; c++) {
		buf_char(b, ' ');
		weight_put_scaled(b, t->self[c][node], t->scale);
	}
	buf_char(b, '\n');
	output_str(out, buf_view(b));
}

/* Adds the name of NODE to the PATH of its parents. A stack that begins with a
 * '#' gets a blank before it: it would be read as a comment. */
static void
put_level(struct buf *path, const struct tree *t, uint32_t node)
{
	struct str name;

	if (t->nodes[node].name == TREE_GAP)
		return;
	name = intern_str(&t->names, t->nodes[node].name);
	if (t->nodes[node].parent != TREE_ROOT)
		buf_char(path, ';');
	else if (str_starts(name, STR("#")))
		buf_char(path, ' ');
	folded_put_frame(path, name);
}

/* One place on the way down: which items are left, how long the path is. */
struct level {
	uint32_t at, end;
	size_t path;
};

static void
write_items(struct output *out, const struct plan *p)
{
	struct level *levels = NULL, *l;
	size_t depth = 1, cap = 0, n;
	struct buf path = { 0 };
	uint32_t item;

	levels = mem_grow(levels, &cap, 1, sizeof *levels);
	levels[0] = (struct level){ p->first[0], p->first[1], 0 };
	while (depth) {
		l = &levels[depth - 1];
		path.n = l->path;
		if (l->at == l->end) {
			depth--;
			continue;
		}
		item = p->item[l->at++];
		put_level(&path, p->t, item / 2);
		n = path.n;
		if (item & 1) {
			levels = mem_grow(levels, &cap, ++depth, sizeof *levels);
			levels[depth - 1] = (struct level){ p->first[item / 2],
				p->first[item / 2 + 1], n };
		} else {
			write_weights(out, &path, p->t, item / 2);
		}
	}
	buf_release(&path);
	free(levels);
}

/* Whether the stacks of T can be written. */
static bool
is_writable(const struct tree *t)
{
	size_t *end = mem_zero(t->n, sizeof *end), own;
	struct tree_length length = { 0 };
	bool good = true;
	uint32_t i;

	for (i = 1; i < t->n && good; i++) {
		own = t->nodes[i].name == TREE_GAP
			? 0
			: intern_str(&t->names, t->nodes[i].name).n + 1;
		end[i] = end[t->nodes[i].parent] + own;
		if (has_weight(t, i))
			good = tree_length_add(&length, end[i]);
	}
	free(end);
	return good;
}

void
folded_write(struct output *out, const struct tree *t)
{
	struct plan p = { .t = t };

	if (!is_writable(t)) {
		msg_error("the folded output would be too large: stacks are too deep");
		out->failed = true;
		return;
	}
	list_items(&p);
	sort_items(&p);
	write_items(out, &p);
	free(p.first);
	free(p.item);
}

void
folded_put_stack(struct buf *b, const struct tree *t, uint32_t node)
{
	uint32_t *path = NULL;
	size_t n = 0, cap = 0;

	for (; node != TREE_ROOT; node = t->nodes[node].parent) {
		path = mem_grow(path, &cap, n + 1, sizeof *path);
		path[n++] = node;
	}
	while (n)
		put_level(b, t, path[--n]);
	free(path);
}

/* Whether one of the eight bytes of X is below 0x20, a ';' or 0x7f. In each term
 * the highest bit of a byte is set when the byte, and those below it, made a
 * subtraction borrow (Warren, Hacker's Delight, 6-1). */
static bool
has_special(uint64_t x)
{
	const uint64_t ones = UINT64_MAX / 255, high = ones << 7;
	uint64_t semicolon = x ^ ones * ';', del = x ^ ones * 0x7f;

	return (((x - ones * ' ') & ~x) | ((semicolon - ones) & ~semicolon) |
		       ((del - ones) & ~del)) &
		high;
}

static char
clean(char c)
{
	return c == ';' ? ':' : (unsigned char)c < ' ' || c == 0x7f ? ' ' : c;
}

void
folded_put_frame(struct buf *b, struct str name)
{
	char *to = buf_room(b, name.n);
	size_t i = 0, j;
	uint64_t word;

	for (; i + 8 <= name.n; i += 8) {
		memcpy(&word, name.s + i, 8);
		memcpy(to + i, &word, 8);
		for (j = i; has_special(word) && j < i + 8; j++)
			to[j] = clean(to[j]);
	}
	for (; i < name.n; i++)
		to[i] = clean(name.s[i]);
	b->n += name.n;
}
