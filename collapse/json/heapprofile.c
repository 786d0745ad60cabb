/* SPDX-License-Identifier: ISC */
/*
 * Sampled allocations of V8, as node --heap-prof and the DevTools of Chrome
 * save them: a tree of calls within each other, each with the bytes that it
 * allocated itself and that were still in use at the end.
 *
 *	{"head":{"callFrame":{"functionName":"(root)","scriptId":"0","url":"",
 *	 "lineNumber":-1,"columnNumber":-1},"selfSize":0,"id":1,"children":[...]},
 *	 "samples":[{"size":5184,"nodeId":7,"ordinal":4},...]}
 *
 * https://chromedevtools.github.io/devtools-protocol/tot/HeapProfiler/#type-SamplingHeapProfile
 */
#include "collapse.h"
#include "json-probe.h"
#include "v8-tree.h"
#include "pull-end.h"

static int
probe(struct str head)
{
	return json_has(head, "head.selfSize") || json_has(head, "head.callFrame") ? 90
										   : 0;
}

static void
fold_node(struct v8_tree *t, struct input *in, struct collapse *c, uint32_t node)
{
	struct collapse_sample s = { .has_period = true };
	uint32_t root = collapse_root(c, &s);
	uint32_t path = v8_tree_path(t, c, root, node);

	s.period = t->nodes[node].weight;
	s.count = t->nodes[node].count;
	if (!s.period || !collapse_wants(c, &s))
		return;
	if (path == root)
		path = collapse_path(c, root, &t->nodes[node].name, 1);
	if (path == V8_NONE)
		collapse_lose(c, in, COLLAPSE_MALFORMED);
	else if (!collapse_add(c, path, &s))
		collapse_lose(c, in, COLLAPSE_OVERFLOW);
}

/* Counts the samples of each node. */
static void
count_samples(struct v8_tree *t, const struct json_ints *ids)
{
	uint32_t node;
	size_t i;

	(void)v8_tree_link(t);
	for (i = 0; i < ids->n; i++) {
		node = v8_tree_find(t, ids->items[i]);
		if (node != V8_NONE)
			t->nodes[node].count++;
	}
}

/* Takes the numbers of the nodes of all samples. */
static void
take_samples(struct json_reader *p, struct json_ints *ids)
{
	struct str key;
	int64_t id;

	if (!json_read_array(p))
		return;
	while (json_next_element(p)) {
		if (!json_read_object(p))
			continue;
		while (json_next_key(p, &key)) {
			if (!str_eq(key, STR("nodeId")) || !json_read_i64(p, &id) ||
				id < 0 || id > INT32_MAX)
				continue;
			json_ints_add(ids, (int32_t)id);
		}
	}
}

static bool
run(struct input *in, struct collapse *c)
{
	struct v8_tree t = { .n = 0 };
	struct json_ints ids = { .n = 0 };
	struct str key;
	struct json_reader p;
	uint32_t i;
	uint64_t before = c->samples;
	bool good;

	c->threadless = true;
	json_reader_init(&p, in);
	if (json_read_object(&p))
		while (json_next_key(&p, &key)) {
			if (str_eq(key, STR("head")))
				v8_tree_read(&t, &p, c);
			else if (str_eq(key, STR("samples")))
				take_samples(&p, &ids);
		}
	count_samples(&t, &ids);
	collapse_unit(c, STR("bytes"));
	for (i = 0; i < t.n; i++)
		fold_node(&t, in, c, i);
	good = pull_end(&p, c, before);
	json_reader_release(&p);
	v8_tree_release(&t);
	json_ints_release(&ids);
	return good;
}

const struct collapse_format collapse_heapprofile = {
	.name = "heapprofile",
	.about = "allocations sampled by V8: node --heap-prof, Chrome's DevTools",
	.probe = probe,
	.run = run,
	.uses = COLLAPSE_USES_SRCLINE,
};
