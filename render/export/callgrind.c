/* SPDX-License-Identifier: ISC */
/*
 * Callgrind's format, for KCachegrind and callgrind_annotate: a call graph.
 *
 *	# callgrind format
 *	positions: line
 *	events: Nanoseconds
 *	fl=(1) x.c
 *	fn=(1) main
 *	12 0
 *	cfi=(1)
 *	cfn=(2) parse
 *	calls=1 0
 *	12 1000000
 *	totals: 1000000
 *
 * Without fl= callgrind_annotate warns about each line. It adds calls to the self cost of a
 * function, so that recursion would count twice: inner levels are functions of their own,
 * "fib'2", named as by callgrind.
 */
#include "export.h"
#include "mem.h"

#define NONE UINT32_MAX

/* The cost of a line of a function, of its own or by a call. */
struct cost {
	uint32_t function, callee, line; /* callee NONE: its own cost */
	uint64_t weight[TREE_COLUMNS];
};

struct writer {
	struct export *x;
	struct intern functions; /* "name\0file" */
	struct intern files;
	struct intern keys; /* of the costs: their first fields */
	struct cost *costs;
	size_t cap;
	uint32_t *function; /* by node */
	uint32_t *level;    /* by node: how many ancestors have its name */
	bool *named_function, *named_file;
	struct buf text;
};

/* Counts, for each node, its ancestors with the same function. */
static void
count_levels(struct writer *w)
{
	const struct tree *t = w->x->tree;
	uint32_t *open = mem_zero(t->names.n + 1, sizeof *open), i, depth = 0;
	uint32_t *path = mem_alloc(t->n * sizeof *path);
	struct tree_walk walk;

	tree_walk_init(&walk, t, TREE_AS_ADDED);
	for (i = 0; i < walk.n; i++) {
		while (depth >= walk.depth[i])
			open[path[--depth]]--;
		path[depth] = t->nodes[walk.node[i]].name;
		w->level[walk.node[i]] = open[path[depth++]]++;
	}
	tree_walk_release(&walk);
	free(open);
	free(path);
}

static void
name_functions(struct writer *w)
{
	const struct tree *t = w->x->tree;
	struct export_place place;
	uint32_t i;

	for (i = TREE_ROOT + 1; i < t->n; i++) {
		place = export_place(intern_str(&t->names, t->nodes[i].name));
		buf_clear(&w->text);
		buf_str(&w->text, place.name);
		if (w->level[i])
			buf_fmt(&w->text, "'%lu", (unsigned long)w->level[i] + 1);
		buf_char(&w->text, '\0');
		buf_str(&w->text, place.line ? place.file : STR("???"));
		w->function[i] = intern_id(&w->functions, buf_view(&w->text));
	}
}

/* The cost of LINE of FUNCTION for CALLEE. */
static struct cost *
find_cost(struct writer *w, uint32_t function, uint32_t callee, uint32_t line)
{
	uint32_t key[3] = { function, callee, line }, known = w->keys.n, at;

	at = intern_id(&w->keys, (struct str){ (const char *)key, sizeof key });
	if (at == known) {
		w->costs = mem_grow(w->costs, &w->cap, (size_t)at + 1, sizeof *w->costs);
		w->costs[at] = (struct cost){ function, callee, line, { 0, 0 } };
	}
	return &w->costs[at];
}

static uint32_t
line_of(const struct tree *t, uint32_t node)
{
	return (uint32_t)export_place(intern_str(&t->names, t->nodes[node].name)).line;
}

/* Adds up the costs. Totals are recomputed from the rounded samples. */
static void
add_up(struct writer *w)
{
	const struct export *x = w->x;
	const struct tree *t = x->tree;
	uint64_t *total = mem_zero((size_t)t->n * TREE_COLUMNS, sizeof *total);
	struct cost *cost;
	uint32_t i, up;
	size_t k;
	int c;

	for (k = 0; k < x->n; k++) {
		i = x->samples[k].stack;
		cost = find_cost(w, w->function[i], NONE, line_of(t, i));
		for (c = 0; c < x->columns; c++) {
			cost->weight[c] += x->samples[k].weight[c];
			total[(size_t)i * TREE_COLUMNS + (size_t)c] +=
				x->samples[k].weight[c];
		}
	}
	for (i = t->n - 1; i > 0; i--) {
		up = t->nodes[i].parent;
		cost = up ? find_cost(w, w->function[up], w->function[i], line_of(t, up))
			  : NULL;
		for (c = 0; cost && c < x->columns; c++) {
			cost->weight[c] += total[(size_t)i * TREE_COLUMNS + (size_t)c];
			total[(size_t)up * TREE_COLUMNS + (size_t)c] +=
				total[(size_t)i * TREE_COLUMNS + (size_t)c];
		}
	}
	free(total);
}

static int
by_function(const void *a, const void *b)
{
	const struct cost *p = a, *q = b;

	if (p->function != q->function)
		return p->function < q->function ? -1 : 1;
	/* Self cost comes first. */
	if (p->callee != q->callee)
		return p->callee + 1 < q->callee + 1 ? -1 : 1;
	return p->line < q->line ? -1 : p->line > q->line;
}

/* Adds "KEY=(ID)", and TEXT the first time. */
static void
put_name(struct writer *w, const char *key, uint32_t id, struct str text, bool *named)
{
	buf_fmt(&w->x->b, "%s=(%lu)", key, (unsigned long)id + 1);
	if (!*named) {
		buf_char(&w->x->b, ' ');
		buf_visible(&w->x->b, text, BUF_MARK, BUF_MOST);
	}
	*named = true;
	buf_char(&w->x->b, '\n');
}

/* Writes the file and the name of FUNCTION, after the keys FILE and NAME. */
static void
put_function(struct writer *w, const char *file, const char *name, uint32_t function)
{
	struct str where = intern_str(&w->functions, function), what;
	uint32_t id;

	what = str_cut(&where, '\0');
	id = intern_id(&w->files, where);
	put_name(w, file, id, where, &w->named_file[id]);
	put_name(w, name, function, what, &w->named_function[function]);
}

static void
put_weights(struct export *x, uint32_t line, const uint64_t *weight)
{
	int c;

	buf_u64(&x->b, line);
	for (c = 0; c < x->columns; c++) {
		buf_char(&x->b, ' ');
		buf_u64(&x->b, weight[c]);
	}
	buf_char(&x->b, '\n');
	export_flush(x);
}

static void
put_costs(struct writer *w)
{
	const struct cost *cost, *end = w->costs + w->keys.n;

	qsort(w->costs, w->keys.n, sizeof *w->costs, by_function);
	for (cost = w->costs; cost < end; cost++) {
		if (cost == w->costs || cost->function != cost[-1].function) {
			buf_char(&w->x->b, '\n');
			put_function(w, "fl", "fn", cost->function);
		}
		if (cost->callee != NONE) {
			put_function(w, "cfi", "cfn", cost->callee);
			buf_str(&w->x->b, STR("calls=1 0\n"));
		}
		put_weights(w->x, cost->line, cost->weight);
	}
}

/* The name of column I as one word. */
static void
put_event(struct export *x, int i)
{
	struct str name = x->kind == EXPORT_TIME && x->columns == 1 ? STR("Nanoseconds")
		: x->columns == 1				    ? x->unit
								    : export_column(x, i);
	size_t k;

	buf_char(&x->b, ' ');
	for (k = 0; k < name.n; k++)
		buf_char(&x->b, str_is_word(name.s[k]) ? name.s[k] : '_');
}

static void
put_sums(struct export *x, const char *key)
{
	int c;

	buf_str(&x->b, str_of(key));
	for (c = 0; c < x->columns; c++) {
		buf_char(&x->b, ' ');
		buf_u64(&x->b, x->sum[c]);
	}
	buf_char(&x->b, '\n');
}

static bool
write_file(struct export *x)
{
	struct writer w = { .x = x };
	int c;

	w.level = mem_zero(x->tree->n, sizeof *w.level);
	w.function = mem_zero(x->tree->n, sizeof *w.function);
	count_levels(&w);
	name_functions(&w);
	add_up(&w);
	w.named_function = mem_zero(w.functions.n + 1, sizeof *w.named_function);
	w.named_file = mem_zero(w.functions.n + 1, sizeof *w.named_file);
	buf_str(&x->b, STR("# callgrind format\nversion: 1\ncreator: fg-export\ncmd: "));
	buf_visible(&x->b, export_title(x), BUF_MARK, BUF_MOST);
	buf_str(&x->b, STR("\npositions: line\nevents:"));
	for (c = 0; c < x->columns; c++)
		put_event(x, c);
	buf_char(&x->b, '\n');
	put_sums(x, "summary:");
	put_costs(&w);
	buf_char(&x->b, '\n');
	put_sums(x, "totals:");
	intern_release(&w.functions);
	intern_release(&w.files);
	intern_release(&w.keys);
	buf_release(&w.text);
	free(w.costs);
	free(w.level);
	free(w.function);
	free(w.named_function);
	free(w.named_file);
	return true;
}

const struct export_target export_callgrind = {
	.needs = EXPORT_WHOLE | EXPORT_BOTH,
	.write = write_file,
};
