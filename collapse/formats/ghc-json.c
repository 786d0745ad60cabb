/* SPDX-License-Identifier: ISC */
/*
 * Cost centres of a Haskell program as JSON, from PROGRAM +RTS -pj.
 *
 *	{"program": "hsdemo", "arguments": ["./hsdemo"], "rts_arguments": ["-pj"],
 *	"total_ticks": 17, "tick_interval": 1000, "total_alloc":48962136,
 *	"cost_centres": [
 *	{"id": 3, "label": "main", "module": "Main", "src_loc": "a.hs:9:1-4", "is_caf": false},
 *	{"id": 149, "label": "MAIN", "module": "MAIN", "src_loc": "<built-in>", "is_caf": false}],
 *	"profile": {"id": 149, "entries": 0, "alloc": 816, "ticks": 0, "children": [
 *	 {"id": 3, "entries": 1, "alloc": 2881040, "ticks": 2, "children": []}]}}
 *
 * The tree has each centre's self ticks, which are samples, and self bytes, which are exact. Nodes
 * may come before their names, so the tree is kept in memory.
 *
 * ghc/rts/ProfilerReportJson.c.
 */
#include "collapse.h"
#include "cost-centre.h"
#include "formats.h"
#include "readers/json-profile.h"

#include <inttypes.h>

enum { NO_PARENT = -1 };

/* The metrics; KEY is the one in a node. */
enum { TICKS, ALLOC, METRICS };
static const struct {
	struct str key, name, unit;
} metrics[METRICS] = {
	[TICKS] = { { "ticks", 5 }, { "ticks", 5 }, { "", 0 } },
	[ALLOC] = { { "alloc", 5 }, { "bytes", 5 }, { "bytes", 5 } },
};

struct node {
	uint64_t id, cost;
	int64_t parent; /* index of an earlier node, or NO_PARENT */
	bool bad;	/* id or cost could not be read */
};

struct reader {
	struct collapse *c;
	unsigned metric; /* the one that is folded */
	struct node *nodes;
	size_t node_n, node_cap;
	struct intern ids; /* keys: ids of cost centres */
	uint32_t *names;   /* the sink's frames, by id in ids */
	size_t name_n, name_cap;
};

static struct str
bytes_of(const uint64_t *id)
{
	return (struct str){ (const char *)id, sizeof *id };
}

static void
read_centre(struct json_reader *p, void *context)
{
	struct reader *r = context;
	struct buf label = { 0 }, module = { 0 }, place = { 0 };
	bool good = false;
	uint64_t id = 0;
	struct str key;
	uint32_t name;

	if (!json_read_object(p))
		return;
	while (json_next_key(p, &key))
		if (str_eq(key, STR("id")))
			good = json_read_u64(p, &id);
		else if (str_eq(key, STR("label")))
			json_read_text(p, &label);
		else if (str_eq(key, STR("module")))
			json_read_text(p, &module);
		else if (str_eq(key, STR("src_loc")))
			json_read_text(p, &place);
	if (good && intern_id(&r->ids, bytes_of(&id)) == r->name_n) {
		name = cost_centre_frame(
			r->c, buf_view(&module), buf_view(&label), buf_view(&place));
		*MEM_ADD(r->names, r->name_n, r->name_cap) = name;
	}
	buf_release(&label);
	buf_release(&module);
	buf_release(&place);
}

/* Reads the value of METRIC; sets *COST if METRIC is folded. */
static void
read_cost(struct json_reader *p, struct reader *r, unsigned metric, uint64_t *cost)
{
	uint64_t value;

	if (!json_read_u64(p, &value)) {
		if (metric == r->metric)
			collapse_lose(r->c, COLLAPSE_MALFORMED);
		return;
	}
	collapse_count_weight(r->c, metric, value);
	if (metric == r->metric)
		*cost = value;
}

/* Reads a node and its children, recursively; the JSON reader bounds the depth. */
static void
read_node(struct json_reader *p, struct reader *r, int64_t parent)
{
	struct node node = { .parent = parent, .bad = true };
	int64_t here = (int64_t)r->node_n;
	struct str key;
	unsigned i;

	if (!json_read_object(p))
		return;
	*MEM_ADD(r->nodes, r->node_n, r->node_cap) = node;
	while (json_next_key(p, &key)) {
		if (str_eq(key, STR("id"))) {
			r->nodes[here].bad = !json_read_u64(p, &r->nodes[here].id);
		} else if (str_eq(key, STR("children"))) {
			if (json_read_array(p))
				while (json_next_element(p))
					read_node(p, r, here);
		} else {
			for (i = 0; i < METRICS && !str_eq(key, metrics[i].key); i++)
				;
			if (i < METRICS)
				read_cost(p, r, i, &r->nodes[here].cost);
		}
	}
}

static void
read_tree(struct json_reader *p, void *context)
{
	read_node(p, context, NO_PARENT);
}

static void
read_program(struct json_reader *p, void *context)
{
	struct reader *r = context;
	struct str text;

	(void)json_read_string(p, &text);
	collapse_info(r->c, "command", text);
}

/* Returns the sink's node for the stack of NODE, or COLLAPSE_NOWHERE if a centre has no name. */
static uint32_t
find_path(struct reader *r, uint32_t root, const struct node *node)
{
	uint32_t stack[JSON_DEEPEST], id;
	size_t n = 0;

	for (;; node = &r->nodes[node->parent]) {
		id = node->bad ? r->name_n : intern_id(&r->ids, bytes_of(&node->id));
		if (id >= r->name_n || n == JSON_DEEPEST)
			return COLLAPSE_NOWHERE;
		stack[n++] = r->names[id];
		if (node->parent < 0)
			return collapse_path(r->c, root, stack, n);
	}
}

static void
fold_node(struct reader *r, const struct node *node)
{
	struct collapse_sample s = { .count = 0 };
	uint32_t path;

	if (node->cost == 0)
		return;
	if (r->metric == ALLOC) {
		s.period = node->cost;
		s.has_period = true;
	} else {
		s.count = node->cost;
	}
	if (!collapse_wants(r->c, &s))
		return;
	path = find_path(r, collapse_root(r->c, &s), node);
	collapse_add(r->c, path, &s);
}

/* Chooses the metric to fold. Returns false, after a message, if --cost names another one. */
static bool
choose_cost(struct reader *r)
{
	unsigned i;

	for (i = 0; i < METRICS; i++)
		(void)collapse_metric(r->c, metrics[i].name, metrics[i].unit);
	r->metric = collapse_choose_metric(r->c, TICKS);
	if (r->metric == ALLOC)
		collapse_exact(r->c);
	return r->metric != COLLAPSE_NO_METRIC;
}

static bool
run(struct input *in, struct collapse *c)
{
	static const struct json_key keys[] = { JSON_EACH("cost_centres", read_centre),
		JSON_KEY("profile", read_tree), JSON_KEY("program", read_program) };
	struct reader r = { .c = c };
	struct json_profile f;
	size_t i;

	if (!choose_cost(&r))
		return false;
	json_profile_begin(&f, in, c);
	json_walk(&f.p, keys, sizeof keys / sizeof *keys, &r);
	for (i = 0; i < r.node_n; i++)
		fold_node(&r, &r.nodes[i]);
	free(r.nodes);
	intern_release(&r.ids);
	free(r.names);
	return json_profile_end(&f, true);
}

static int
probe(struct str head)
{
	return json_has(head, "rts_arguments") && json_has(head, "cost_centres") ? 90 : 0;
}

const struct collapse_format collapse_ghc_json = {
	.probe = probe,
	.signs = SIGNS(SIGN_KEY("rts_arguments")),
	.run = run,
	.uses = COLLAPSE_USES_SRCLINE | COLLAPSE_USES_COST,
};
