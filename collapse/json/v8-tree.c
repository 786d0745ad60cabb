/* SPDX-License-Identifier: ISC */
/* Trees of calls with numbered nodes; see v8-tree.h. */
#include "v8-tree.h"

/* Stacks that are not known, and that are being looked for. */
#define UNKNOWN (V8_NONE - 1)
#define BUSY	(V8_NONE - 2)

/* A call frame as it is read. */
struct frame {
	struct buf function, url;
	int64_t line; /* counted from 0; below 0: not known */
};

void
v8_tree_release(struct v8_tree *t)
{
	free(t->nodes);
	free(t->links);
	free(t->small);
	intern_release(&t->ids);
	free(t->by_id);
	free(t->climb);
	*t = (struct v8_tree){ 0 };
}

static enum v8_kind
kind_of(struct str function, struct str url)
{
	static const struct {
		const char *name;
		enum v8_kind kind;
	} kinds[] = { { "(root)", V8_NOTHING }, { "(idle)", V8_NOTHING },
		{ "(program)", V8_PROGRAM }, { "(garbage collector)", V8_COLLECTOR } };
	size_t i;

	/* What V8 runs while it begins to record. */
	if (str_eq(url, STR("native dummy.js")))
		return V8_NOTHING;
	if (!str_starts(function, STR("(")))
		return V8_CALL;
	for (i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (str_eq(function, str_of(kinds[i].name)))
			return kinds[i].kind;
	return V8_CALL;
}

/* Adds the file and the line of F. */
static void
put_place(struct buf *b, const struct frame *f)
{
	struct str file = str_base(buf_view(&f->url));

	buf_str(b, file.n ? file : buf_view(&f->url));
	if (f->line >= 0 && f->line < INT32_MAX)
		buf_fmt(b, ":%d", (int)f->line + 1);
}

/* The frame of F: "f", "(anonymous b.js:13)", and with --srcline "f:b.js:13". */
static uint32_t
name_frame(struct collapse *c, const struct frame *f)
{
	struct str function = buf_view(&f->function);
	struct buf name = { 0 };
	uint32_t id;

	if (function.n && !(c->options->srcline && f->url.n))
		return collapse_frame(c, function, 0);
	buf_str(&name, function.n ? function : STR("(anonymous"));
	if (f->url.n) {
		buf_char(&name, function.n ? ':' : ' ');
		put_place(&name, f);
	}
	if (!function.n)
		buf_char(&name, ')');
	id = collapse_frame(c, buf_view(&name), 0);
	buf_release(&name);
	return id;
}

static void
take_text(struct json_reader *p, struct buf *to)
{
	struct str s;

	buf_clear(to);
	if (json_read_string(p, &s))
		buf_str(to, s);
}

static int32_t
take_id(struct json_reader *p)
{
	int64_t id;

	return json_read_i64(p, &id) && id > V8_NO_ID && id <= INT32_MAX ? (int32_t)id
									 : V8_NO_ID;
}

static uint64_t
take_weight(struct json_reader *p, struct collapse *c)
{
	uint64_t weight;

	if (json_read_u64(p, &weight))
		return weight;
	if (!json_failed(p))
		collapse_lose(c, p->in, COLLAPSE_MALFORMED);
	return 0;
}

/* Takes the value of KEY when it is one of a call frame. */
static bool
take_frame_part(struct json_reader *p, struct str key, struct frame *f)
{
	if (str_eq(key, STR("functionName")))
		take_text(p, &f->function);
	else if (str_eq(key, STR("url")))
		take_text(p, &f->url);
	else if (!str_eq(key, STR("lineNumber")) || !json_read_i64(p, &f->line))
		return false;
	return true;
}

static void
take_frame(struct json_reader *p, struct frame *f)
{
	struct str key;

	if (json_read_object(p))
		while (json_next_key(p, &key))
			(void)take_frame_part(p, key, f);
}

static struct v8_node *
add_node(struct v8_tree *t, uint32_t parent)
{
	t->nodes = mem_grow(t->nodes, &t->cap, t->n + 1, sizeof *t->nodes);
	t->nodes[t->n] = (struct v8_node){
		.parent = parent, .turn = V8_NONE, .id = V8_NO_ID, .parent_id = V8_NO_ID
	};
	return &t->nodes[t->n++];
}

static void read_below(
	struct v8_tree *t, struct json_reader *p, struct collapse *c, uint32_t parent);

/* Children are numbers, or the nodes themselves. */
static void
take_children(struct v8_tree *t, struct json_reader *p, struct collapse *c, uint32_t node)
{
	int32_t id;

	if (!json_read_array(p))
		return;
	while (json_next_element(p)) {
		if (json_peek(p) == JSON_OBJECT) {
			read_below(t, p, c, node);
			continue;
		}
		id = take_id(p);
		t->links =
			mem_grow(t->links, &t->link_cap, t->link_n + 1, sizeof *t->links);
		t->links[t->link_n++] = (struct v8_link){ node, id };
	}
}

/* Nodes within nodes go no deeper than JSON may. */
static void
read_below(struct v8_tree *t, struct json_reader *p, struct collapse *c, uint32_t parent)
{
	struct frame f = { .line = -1 };
	uint32_t node = (uint32_t)t->n;
	struct str key;

	if (!json_read_object(p))
		return;
	add_node(t, parent);
	while (json_next_key(p, &key)) {
		if (str_eq(key, STR("callFrame")))
			take_frame(p, &f);
		else if (str_eq(key, STR("id")))
			t->nodes[node].id = take_id(p);
		else if (str_eq(key, STR("parent")))
			t->nodes[node].parent_id = take_id(p);
		else if (str_eq(key, STR("hitCount")) || str_eq(key, STR("selfSize")))
			t->nodes[node].weight = take_weight(p, c);
		else if (str_eq(key, STR("children")))
			take_children(t, p, c, node);
		else
			(void)take_frame_part(p, key, &f);
	}
	t->nodes[node].name = name_frame(c, &f);
	t->nodes[node].kind =
		(unsigned char)kind_of(buf_view(&f.function), buf_view(&f.url));
	buf_release(&f.function);
	buf_release(&f.url);
}

void
v8_tree_read(struct v8_tree *t, struct json_reader *p, struct collapse *c)
{
	read_below(t, p, c, V8_NONE);
}

void
v8_tree_read_all(struct v8_tree *t, struct json_reader *p, struct collapse *c)
{
	if (json_read_array(p))
		while (json_next_element(p))
			read_below(t, p, c, V8_NONE);
}

void
v8_tree_add(struct v8_tree *t, uint32_t name, int32_t id, int32_t parent_id)
{
	struct v8_node *node = add_node(t, V8_NONE);

	node->name = name;
	node->id = id;
	node->parent_id = parent_id;
}

void
v8_tree_move(struct v8_tree *t, struct v8_tree *more)
{
	uint32_t first = (uint32_t)t->n;
	size_t i;

	t->nodes = mem_grow(t->nodes, &t->cap, t->n + more->n, sizeof *t->nodes);
	for (i = 0; i < more->n; i++) {
		t->nodes[t->n] = more->nodes[i];
		if (more->nodes[i].parent != V8_NONE)
			t->nodes[t->n].parent += first;
		t->n++;
	}
	t->links = mem_grow(
		t->links, &t->link_cap, t->link_n + more->link_n, sizeof *t->links);
	for (i = 0; i < more->link_n; i++)
		t->links[t->link_n++] = (struct v8_link){ more->links[i].node + first,
			more->links[i].id };
	more->n = more->link_n = 0;
}

static struct str
bytes_of(const int32_t *id)
{
	return (struct str){ (const char *)id, sizeof *id };
}

/* Where the node with ID is kept. */
static uint32_t *
find_place(struct v8_tree *t, int32_t id)
{
	uint32_t known = t->ids.n, at;

	if (id >= 0 && id < t->small_n)
		return &t->small[id];
	at = intern_id(&t->ids, bytes_of(&id));
	if (at == known) {
		t->by_id = mem_grow(
			t->by_id, &t->by_id_cap, (size_t)at + 1, sizeof *t->by_id);
		t->by_id[at] = V8_NONE;
	}
	return &t->by_id[at];
}

uint32_t
v8_tree_find(struct v8_tree *t, int32_t id)
{
	return *find_place(t, id);
}

/* Numbers to nodes; of several with one number the first has it. */
static void
index_nodes(struct v8_tree *t)
{
	enum { MORE = 1024, MOST = 1 << 28 };
	uint32_t *place;
	size_t i;

	/* Most writers count from 1. */
	t->small_n = (int32_t)(t->n < MOST ? t->n * 2 + MORE : MOST);
	t->small = mem_alloc((size_t)t->small_n * sizeof *t->small);
	for (i = 0; i < (size_t)t->small_n; i++)
		t->small[i] = V8_NONE;
	for (i = 0; i < t->n; i++) {
		if (t->nodes[i].id == V8_NO_ID)
			continue;
		place = find_place(t, t->nodes[i].id);
		if (*place == V8_NONE)
			*place = (uint32_t)i;
	}
}

uint64_t
v8_tree_link(struct v8_tree *t)
{
	uint64_t missing = 0;
	uint32_t other;
	size_t i;

	index_nodes(t);
	for (i = 0; i < t->link_n; i++) {
		other = v8_tree_find(t, t->links[i].id);
		if (other != V8_NONE)
			t->nodes[other].parent = t->links[i].node;
		missing += other == V8_NONE;
	}
	for (i = 0; i < t->n; i++) {
		if (t->nodes[i].parent_id == V8_NO_ID)
			continue;
		t->nodes[i].parent = v8_tree_find(t, t->nodes[i].parent_id);
		missing += t->nodes[i].parent == V8_NONE;
	}
	return missing;
}

void
v8_tree_turn(struct v8_tree *t)
{
	t->turn++;
}

uint32_t
v8_tree_path(struct v8_tree *t, struct collapse *c, uint32_t root, uint32_t node)
{
	uint32_t path = root;
	struct v8_node *at;
	size_t n = 0;

	for (; node != V8_NONE; node = at->parent) {
		at = &t->nodes[node];
		if (at->turn == t->turn) {
			path = at->path == BUSY ? V8_NONE : at->path;
			break;
		}
		at->path = BUSY;
		at->turn = t->turn;
		t->climb = mem_grow(t->climb, &t->climb_cap, n + 1, sizeof *t->climb);
		t->climb[n++] = node;
	}
	while (n > 0) {
		at = &t->nodes[t->climb[--n]];
		if (path != V8_NONE && at->kind != V8_NOTHING)
			path = collapse_path(c, path, &at->name, 1);
		at->path = path;
	}
	return path;
}
