/* SPDX-License-Identifier: ISC */
/*
 * Sampled allocations of V8, as saved by node --heap-prof and Chrome's DevTools: a tree of nested
 * calls, each with the bytes that it allocated itself and that were still in use at the end.
 *
 *	{"head":{"callFrame":{"functionName":"(root)","scriptId":"0","url":"",
 *	 "lineNumber":-1,"columnNumber":-1},"selfSize":0,"id":1,"children":[...]},
 *	 "samples":[{"size":5184,"nodeId":7,"ordinal":4},...]}
 *
 * https://chromedevtools.github.io/devtools-protocol/tot/HeapProfiler/#type-SamplingHeapProfile
 */
#include "collapse.h"
#include "readers/json-profile.h"
#include "v8-profile.h"

struct reader {
	struct collapse *c;
	struct v8_tree tree;
	struct json_ints samples; /* ids of their nodes */
};

static int
probe(struct str head)
{
	return json_has(head, "head.selfSize") || json_has(head, "head.callFrame") ? 90
										   : 0;
}

static void
fold_node(struct reader *r, uint32_t node)
{
	struct collapse_sample s = { .has_period = true };
	const struct v8_node *n = &r->tree.nodes[node];
	uint32_t root = collapse_root(r->c, &s);
	uint32_t path = v8_tree_path(&r->tree, r->c, root, node);

	s.period = n->weight;
	s.count = n->count;
	if (!s.period || !collapse_wants(r->c, &s))
		return;
	if (path == root)
		path = collapse_path(r->c, root, &n->name, 1);
	collapse_add(r->c, path, &s);
}

static void
count_samples(struct reader *r)
{
	uint32_t node;
	size_t i;

	(void)v8_tree_link(&r->tree);
	for (i = 0; i < r->samples.n; i++) {
		node = v8_tree_find(&r->tree, r->samples.items[i]);
		if (node != V8_NONE)
			r->tree.nodes[node].count++;
	}
}

/* Reads a sample; only its node's id matters. */
static void
read_sample(struct json_reader *p, void *context)
{
	struct reader *r = context;
	struct str key;
	int64_t id;

	if (!json_read_object(p))
		return;
	while (json_next_key(p, &key))
		if (str_eq(key, STR("nodeId")) && json_read_i64(p, &id) && id >= 0 &&
			id <= INT32_MAX)
			json_ints_add(&r->samples, (int32_t)id);
}

static void
read_head(struct json_reader *p, void *context)
{
	struct reader *r = context;

	v8_tree_read(&r->tree, p, r->c);
}

static bool
run(struct input *in, struct collapse *c)
{
	static const struct json_key keys[] = { JSON_KEY("head", read_head),
		JSON_EACH("samples", read_sample) };
	struct reader r = { .c = c };
	struct json_profile f;
	uint32_t i;

	json_profile_begin(&f, in, c);
	json_walk(&f.p, keys, sizeof keys / sizeof *keys, &r);
	count_samples(&r);
	collapse_unit(c, STR("bytes"));
	for (i = 0; i < r.tree.n; i++)
		fold_node(&r, i);
	v8_tree_release(&r.tree);
	json_ints_release(&r.samples);
	return json_profile_end(&f, false);
}

const struct collapse_format collapse_heapprofile = {
	.probe = probe,
	.signs = SIGNS(SIGN_KEY("head")),
	.run = run,
	.uses = COLLAPSE_USES_SRCLINE,
};
