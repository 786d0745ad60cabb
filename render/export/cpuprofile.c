/* SPDX-License-Identifier: ISC */
/*
 * A CPU profile of V8, as saved by Chromium's DevTools:
 *
 *	{"nodes":[{"id":1,"callFrame":{"functionName":"(root)","scriptId":"0","url":"",
 *	  "lineNumber":-1,"columnNumber":-1},"hitCount":0,"children":[2]},...],
 *	 "startTime":0,"endTime":3,"samples":[2,3,3],"timeDeltas":[0,2,1]}
 *
 * Times are in us, with decimals, so they are exact. A sample lasts until the next one begins,
 * so the last is repeated. Samples are in time order; the time between them is (idle).
 */
#include "export.h"
#include "json.h"
#include "mem.h"

#define NONE UINT32_MAX

struct writer {
	struct export *x;
	struct tree nodes; /* the stacks below the dimensions that are kept */
	uint32_t *node;	   /* by sample */
	uint32_t idle;	   /* the node of (idle); TREE_ROOT: none needed */
	uint32_t *hits;
};

static int
in_time(const void *a, const void *b)
{
	const struct export_sample *p = a, *q = b;

	if (p->time != q->time)
		return p->time < q->time ? -1 : 1;
	if (p->track != q->track)
		return p->track < q->track ? -1 : 1;
	return p->rank < q->rank ? -1 : p->rank > q->rank;
}

/* The node of S. */
static uint32_t
find_node(struct writer *w, const struct export_sample *s)
{
	struct export *x = w->x;
	struct str rest = x->tracks[s->track].values;
	const uint32_t *path;
	uint32_t node = TREE_ROOT;
	size_t n, i;

	while (rest.n)
		node = tree_child(&w->nodes, node, str_cut(&rest, ';'));
	path = export_path(x, s->stack, &n);
	for (i = 0; i < n; i++)
		node = tree_child(&w->nodes, node,
			intern_str(&x->tree->names, x->tree->nodes[path[i]].name));
	return node;
}

/* Whether there is time between samples without any stack. */
static bool
has_gaps(const struct export *x)
{
	uint64_t at = 0;
	size_t i;

	for (i = 0; i < x->n; i++) {
		if (x->samples[i].time > at)
			return true;
		at += x->samples[i].weight[0];
	}
	return false;
}

static void
make_nodes(struct writer *w)
{
	struct export *x = w->x;
	size_t i;

	tree_init(&w->nodes, 1);
	w->node = mem_alloc(x->n * sizeof *w->node);
	for (i = 0; i < x->n; i++)
		w->node[i] = find_node(w, &x->samples[i]);
	if (has_gaps(x))
		w->idle = tree_child(&w->nodes, TREE_ROOT, STR("(idle)"));
	w->hits = mem_zero(w->nodes.n, sizeof *w->hits);
	for (i = 0; i < x->n; i++)
		w->hits[w->node[i]]++;
}

static void
put_frame(struct buf *b, struct str name)
{
	struct export_place place = export_place(name);

	json_begin(b, "callFrame");
	json_str(b, "functionName", place.name);
	json_str(b, "scriptId", STR("0"));
	json_str(b, "url", place.file);
	json_number(b, "lineNumber", STR(""));
	if (place.line)
		buf_u64(b, place.line - 1);
	else
		buf_str(b, STR("-1"));
	json_number(b, "columnNumber", STR("-1"));
	json_end(b);
}

static void
put_nodes(struct writer *w)
{
	const struct tree *t = &w->nodes;
	uint32_t *first = mem_alloc(t->n * sizeof *first), *next, i, child;
	struct buf *b = &w->x->b;

	next = mem_alloc(t->n * sizeof *next);
	for (i = 0; i < t->n; i++)
		first[i] = NONE;
	for (i = t->n - 1; i > 0; i--) {
		next[i] = first[t->nodes[i].parent];
		first[t->nodes[i].parent] = i;
	}
	json_array(b, "nodes");
	for (i = 0; i < t->n; i++) {
		json_element_begin(b);
		json_u64(b, "id", (uint64_t)i + 1);
		put_frame(b, i ? intern_str(&t->names, t->nodes[i].name) : STR("(root)"));
		json_u64(b, "hitCount", w->hits[i]);
		json_array(b, "children");
		for (child = first[i]; child != NONE; child = next[child])
			json_element_u64(b, (uint64_t)child + 1);
		json_array_end(b);
		json_end(b);
		export_flush(w->x);
	}
	json_array_end(b);
	free(first);
	free(next);
}

static void
put_samples(struct writer *w)
{
	struct export *x = w->x;
	uint64_t at = 0;
	size_t i;

	json_array(&x->b, "samples");
	for (i = 0; i < x->n; i++) {
		if (x->samples[i].time > at) {
			json_element_u64(&x->b, (uint64_t)w->idle + 1);
			at = x->samples[i].time;
		}
		json_element_u64(&x->b, (uint64_t)w->node[i] + 1);
		at += x->samples[i].weight[0];
		export_flush(x);
	}
	json_element_u64(&x->b, (uint64_t)w->node[x->n - 1] + 1);
	json_array_end(&x->b);
}

static void
put_delta(struct export *x, uint64_t ns)
{
	json_element_number(&x->b, STR(""));
	export_put_decimal(&x->b, ns, 3);
	export_flush(x);
}

/* Writes the distance of each sample from the one before; returns the end of the last. */
static uint64_t
put_deltas(struct export *x)
{
	uint64_t at = 0;
	size_t i;

	json_array(&x->b, "timeDeltas");
	put_delta(x, 0);
	for (i = 0; i < x->n; i++) {
		if (x->samples[i].time > at) {
			put_delta(x, x->samples[i].time - at);
			at = x->samples[i].time;
		}
		put_delta(x, x->samples[i].weight[0]);
		at += x->samples[i].weight[0];
	}
	json_array_end(&x->b);
	return at;
}

static bool
write_file(struct export *x)
{
	struct writer w = { .x = x };
	uint64_t end;

	if (x->time < x->by->n)
		qsort(x->samples, x->n, sizeof *x->samples, in_time);
	make_nodes(&w);
	json_begin(&x->b, NULL);
	put_nodes(&w);
	put_samples(&w);
	end = put_deltas(x);
	json_u64(&x->b, "startTime", 0);
	json_number(&x->b, "endTime", STR(""));
	export_put_decimal(&x->b, end, 3);
	json_end(&x->b);
	buf_char(&x->b, '\n');
	tree_release(&w.nodes);
	free(w.node);
	free(w.hits);
	return true;
}

const struct export_target export_cpuprofile = {
	.needs =
		EXPORT_TRACKS | EXPORT_ONE | EXPORT_TIMES | EXPORT_WHOLE | EXPORT_DOUBLES,
	.write = write_file,
};
