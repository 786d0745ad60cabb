/* SPDX-License-Identifier: ISC */
/* Writes a stack tree as sorted folded text; see folded.h. */
#include "folded.h"
#include "mem.h"
#include "msg.h"

/*
 * Lines are sorted as whole strings, in which a ';' follows a name that is not the last: "a b"
 * comes before "a;x" and after "a". So each node counts as two items, the line that ends at it and
 * the lines that pass through it, and each name as two keys, "name" and "name;".
 */
struct key {
	struct str name;
	uint32_t id; /* 2 * name, plus 1 for the key with the ';' */
};

/* The byte at I of a key; -1 past its end. */
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

/* By key id: its rank among all keys. */
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

/* The items below each node, siblings next to each other. */
struct plan {
	const struct tree *t;
	uint32_t *first; /* by node: where its children's items begin in item[] */
	struct item *item;
	uint32_t *rank;		 /* of keys, by their ids */
	struct sibling *sibling; /* while siblings are sorted */
	size_t cap;
};

/* The line that ends at a node, or all lines that pass through it. VALUE caches the next datum,
 * which would be far away in memory: the weight if below LARGE, or the index in item[] of the first
 * child. */
struct item {
	uint32_t key; /* 2 * node, plus 1 for lines that pass through */
	uint32_t value;
};
#define LARGE UINT32_MAX

/* An item and its place among its siblings. */
struct sibling {
	uint32_t rank;
	struct item item;
};

static bool
has_weight(const struct tree *t, uint32_t node)
{
	return t->self[0][node] || (t->columns == 2 && t->self[1][node]);
}

/* Counts the items: one for a line that ends at a node with weight, and one for lines that pass
 * through a node with weight below it. A gap stands for another line of its parent's weight. The
 * children's items of NODE will begin at first[NODE + 1]. */
static void
count_items(struct plan *p)
{
	const struct tree *t = p->t;
	uint32_t i, *count;

	p->first = mem_zero((size_t)t->n + 2, sizeof *p->first);
	count = p->first + 2;
	for (i = t->n - 1; i > 0; i--)
		count[t->nodes[i].parent] += (count[i] != 0) + has_weight(t, i);
	for (i = 1; i < t->n; i++)
		count[i] += count[i - 1];
}

/* Puts the items into their places, in the order of nodes; afterwards the children's items of NODE
 * begin at first[NODE]. */
static void
list_items(struct plan *p)
{
	const struct tree *t = p->t;
	uint32_t *next = p->first + 1, i, parent;
	uint64_t weight;

	p->item = mem_large((size_t)next[t->n] * sizeof *p->item);
	for (i = 1; i < t->n; i++) {
		parent = t->nodes[i].parent;
		weight = t->self[0][i] < LARGE ? t->self[0][i] : LARGE;
		if (has_weight(t, i))
			p->item[next[parent]++] =
				(struct item){ 2 * i, (uint32_t)weight };
		if (next[i] != next[i + 1])
			p->item[next[parent]++] = (struct item){ 2 * i + 1, next[i] };
	}
}

/* Equal items (gaps, and frames in time order) stay in the order of nodes. */
static int
by_rank(const void *a, const void *b)
{
	const struct sibling *x = a, *y = b;

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return x->item.key < y->item.key ? -1 : x->item.key > y->item.key;
}

static void
sort_siblings(struct sibling *s, size_t n)
{
	enum { FEW = 16 };
	struct sibling moved;
	size_t i, j;

	if (n > FEW) {
		qsort(s, n, sizeof *s, by_rank);
		return;
	}
	for (i = 1; i < n; i++) {
		moved = s[i];
		for (j = i; j > 0 && s[j - 1].rank > moved.rank; j--)
			s[j] = s[j - 1];
		s[j] = moved;
	}
}

/* Sorts the items from AT to END, all siblings. Their children are far apart in memory: prefetches
 * them all. */
static void
sort_items(struct plan *p, uint32_t at, uint32_t end)
{
	const struct tree *t = p->t;
	uint32_t i, n = end - at, name;
	struct item item;

	p->sibling = mem_grow(p->sibling, &p->cap, n, sizeof *p->sibling);
	for (i = 0; i < n; i++) {
		item = p->item[at + i];
		if (item.key & 1) {
			__builtin_prefetch(&p->first[item.key / 2]);
			__builtin_prefetch(&p->item[item.value]);
		}
		name = t->nodes[item.key / 2].name;
		p->sibling[i].rank =
			name == TREE_GAP ? 0 : p->rank[2 * name + (item.key & 1)];
		p->sibling[i].item = item;
	}
	sort_siblings(p->sibling, n);
	for (i = 0; i < n; i++)
		p->item[at + i] = p->sibling[i].item;
}

static void
write_weights(
	struct output *out, struct buf *b, const struct tree *t, const struct item *item)
{
	uint32_t node = item->key / 2;
	int c;

	for (c = 0; c < t->columns; c++) {
		buf_char(b, ' ');
		weight_put_scaled(b,
			c == 0 && item->value != LARGE ? item->value : t->self[c][node],
			t->scale);
	}
	buf_char(b, '\n');
	output_str(out, buf_view(b));
}

/* Adds the name of NODE to the PATH of its parents. A stack that begins with '#' gets a blank in
 * front: it would be read as a comment. */
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

/* One level of the walk: the items left and the length of the path. */
struct level {
	uint32_t at, end;
	size_t path;
};

/* Sorts the items from AT on, below NODE, whose path has N bytes. */
static struct level
enter(struct plan *p, uint32_t node, uint32_t at, size_t n)
{
	struct level l = { at, p->first[node + 1], n };

	if (l.end - at > 1)
		sort_items(p, at, l.end);
	return l;
}

static void
write_items(struct output *out, struct plan *p)
{
	struct level *levels = NULL, *l;
	size_t depth = 1, cap = 0, n;
	struct buf path = { 0 };
	struct item item;

	levels = mem_grow(levels, &cap, 1, sizeof *levels);
	levels[0] = enter(p, TREE_ROOT, 0, 0);
	while (depth) {
		l = &levels[depth - 1];
		path.n = l->path;
		if (l->at == l->end) {
			depth--;
			continue;
		}
		item = p->item[l->at++];
		put_level(&path, p->t, item.key / 2);
		n = path.n;
		if (item.key & 1) {
			levels = mem_grow(levels, &cap, ++depth, sizeof *levels);
			levels[depth - 1] = enter(p, item.key / 2, item.value, n);
		} else {
			write_weights(out, &path, p->t, &item);
		}
	}
	buf_release(&path);
	free(levels);
}

/* Whether the stacks of T can be written as text. */
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
	count_items(&p);
	list_items(&p);
	p.rank = rank_keys(&t->names);
	write_items(out, &p);
	free(p.first);
	free(p.item);
	free(p.rank);
	free(p.sibling);
}

uint32_t
folded_shield(struct intern *names, uint32_t id)
{
	struct buf b = { 0 };

	if (id == TREE_GAP || !str_starts(intern_str(names, id), STR("#")))
		return id;
	buf_char(&b, ' ');
	buf_str(&b, intern_str(names, id));
	id = intern_id(names, buf_view(&b));
	buf_release(&b);
	return id;
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
