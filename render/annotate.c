/* SPDX-License-Identifier: ISC */
/* The weights of lines; see annotate.h. */
#include "annotate.h"
#include "frame.h"
#include "mem.h"

#define NONE UINT32_MAX

/* The parsed names of a tree, and the open frames on the way to a node. */
struct adding {
	struct annotate *a;
	enum annotate_kind kind;
	const struct tree *tree;
	struct intern functions, lines, calls; /* by their parts */
	uint32_t *line_of;		       /* by name; NONE: without a place */
	size_t function_cap, line_cap, call_cap;
	uint32_t *functions_open, *lines_open; /* how often each is open */
	uint32_t *path;			       /* by depth: the line, or NONE */
	bool *counts;  /* by depth: the line is not yet open further out */
	bool *inlined; /* by depth: the frame is inlined into the one before it */
};

/* Interns NUMBER and TEXT together. */
static uint32_t
find_id(struct intern *t, uint64_t number, struct str text)
{
	struct buf b = { 0 };
	uint32_t id;

	buf_str(&b, (struct str){ (const char *)&number, sizeof number });
	buf_str(&b, text);
	id = intern_id(t, buf_view(&b));
	buf_release(&b);
	return id;
}

/* The number of the function NAME of FILE. */
static uint32_t
find_function(struct adding *x, struct str name, struct str file)
{
	struct annotate *a = x->a;
	uint32_t id;
	struct buf b = { 0 };

	buf_str(&b, name);
	buf_char(&b, '\n');
	buf_str(&b, file);
	id = find_id(&x->functions, 0, buf_view(&b));
	buf_release(&b);
	if (id == a->function_n) {
		a->functions = mem_grow(a->functions, &x->function_cap, (size_t)id + 1,
			sizeof *a->functions);
		a->functions[a->function_n++] =
			(struct annotate_function){ .name = name, .file = file };
	}
	return id;
}

/* The line of the frame with the name NUMBER; NONE if it has no place. */
static uint32_t
find_line(struct adding *x, uint32_t number)
{
	struct annotate *a = x->a;
	struct str name = frame_bare(intern_str(&x->tree->names, number));
	struct frame_place p;
	struct frame_code code;
	uint32_t function, id;

	if (x->kind == ANNOTATE_LINES ? !frame_find_place(name, &p)
				      : !frame_find_code(name, &code))
		return NONE;
	if (x->kind == ANNOTATE_CODE)
		p = (struct frame_place){ frame_cut_place(name), code.program,
			code.address };
	function = find_function(x, p.name, p.file);
	id = find_id(&x->lines, p.line,
		(struct str){ (const char *)&function, sizeof function });
	if (id == a->line_n) {
		a->lines = mem_grow(
			a->lines, &x->line_cap, (size_t)id + 1, sizeof *a->lines);
		a->lines[a->line_n++] =
			(struct annotate_line){ .number = p.line, .function = function };
	}
	return id;
}

static void
add_weights(uint64_t *to, const uint64_t *weight, int columns)
{
	int c;

	for (c = 0; c < columns; c++)
		to[c] += weight[c];
}

/* Adds TOTAL to the call from LINE to the frame NAME, which may be inlined there. */
static void
add_call(struct adding *x, uint32_t line, struct str name, const uint64_t *total)
{
	struct annotate *a = x->a;
	bool inlined = frame_annotation(name) == 'i';
	struct str shown = frame_cut_place(frame_bare(name));
	uint32_t id = find_id(&x->calls, (uint64_t)line << 1 | inlined, shown);

	if (id == a->call_n) {
		a->calls = mem_grow(
			a->calls, &x->call_cap, (size_t)id + 1, sizeof *a->calls);
		a->calls[a->call_n++] = (struct annotate_call){
			.name = shown, .line = line, .inlined = inlined
		};
	}
	add_weights(a->calls[id].total, total, x->tree->columns);
}

/* Leaves the frame at DEPTH. */
static void
leave(struct adding *x, uint32_t depth)
{
	uint32_t line = x->path[depth];

	if (line == NONE)
		return;
	x->lines_open[line]--;
	x->functions_open[x->a->lines[line].function]--;
}

/* Whether the function of the line at DEPTH appears again in a deeper frame, up to LAST. */
static bool
is_again(const struct adding *x, uint32_t depth, uint32_t last)
{
	const struct annotate_line *lines = x->a->lines;
	uint32_t function = lines[x->path[depth]].function;

	while (++depth <= last)
		if (lines[x->path[depth]].function == function)
			return true;
	return false;
}

/* Adds SELF, the weight of the stack that ends at DEPTH, to its line. In annotated
 * instructions, the functions that the last frame was inlined into get it as well. */
static void
add_self(struct adding *x, uint32_t depth, const uint64_t *self)
{
	int columns = x->tree->columns;
	struct annotate_line *l;
	uint32_t at = depth;

	do {
		if (is_again(x, at, depth))
			continue;
		l = &x->a->lines[x->path[at]];
		add_weights(l->self, self, columns);
		add_weights(x->a->functions[l->function].self, self, columns);
	} while (x->kind == ANNOTATE_CODE && x->inlined[at] && x->path[--at] != NONE);
}

/* Enters NODE at DEPTH, below the open frames. */
static void
enter(struct adding *x, uint32_t node, uint32_t depth)
{
	const struct report *s = x->a->report;
	const struct tree *t = x->tree;
	uint32_t line = depth > s->lead ? x->line_of[t->nodes[node].name] : NONE;
	uint64_t self[TREE_COLUMNS] = { 0 }, total[TREE_COLUMNS] = { 0 };
	struct annotate_function *f;
	struct annotate_line *l;
	int c;

	for (c = 0; c < t->columns; c++) {
		self[c] = t->self[c][node];
		total[c] = s->totals[c][node];
	}
	if (depth > 1 && x->path[depth - 1] != NONE && x->counts[depth - 1])
		add_call(x, x->path[depth - 1],
			intern_str(&t->names, t->nodes[node].name), total);
	x->path[depth] = line;
	x->inlined[depth] =
		frame_annotation(intern_str(&t->names, t->nodes[node].name)) == 'i';
	if (line == NONE)
		return;
	l = &x->a->lines[line];
	f = &x->a->functions[l->function];
	x->counts[depth] = !x->lines_open[line]++;
	add_self(x, depth, self);
	if (x->counts[depth])
		add_weights(l->total, total, t->columns);
	if (!x->functions_open[l->function]++)
		add_weights(f->total, total, t->columns);
}

/* Walks all nodes, with the open frames by depth. */
static void
add_nodes(struct adding *x)
{
	const struct tree_walk *w = &x->a->report->walk;
	uint32_t deepest = 0, open = 0, i;

	for (i = 0; i < w->n; i++)
		deepest = w->depth[i] > deepest ? w->depth[i] : deepest;
	x->path = mem_alloc(((size_t)deepest + 1) * sizeof *x->path);
	x->counts = mem_zero((size_t)deepest + 1, sizeof *x->counts);
	x->inlined = mem_zero((size_t)deepest + 1, sizeof *x->inlined);
	x->path[0] = NONE;
	for (i = 0; i < w->n; i++) {
		for (; open >= w->depth[i]; open--)
			leave(x, open);
		enter(x, w->node[i], w->depth[i]);
		open = w->depth[i];
	}
	free(x->path);
	free(x->counts);
	free(x->inlined);
}

/* The sort key of two columns, added up: large first. */
static double
heat(const struct annotate *a, const uint64_t *weight)
{
	const struct tree *t = a->report->tree;
	double heat = 0;
	int c;

	for (c = 0; c < t->columns; c++)
		if (t->sum[c])
			heat += (double)weight[c] / (double)t->sum[c];
	return heat;
}

struct rank {
	double self, total;
	uint32_t group;
	uint64_t number;
	struct str name, file;
	uint32_t id;
};

/* By group, then the hottest first; ties by number and name. */
static int
by_heat(const void *x, const void *y)
{
	const struct rank *a = x, *b = y;

	if (a->group != b->group)
		return a->group < b->group ? -1 : 1;
	if (a->self != b->self)
		return a->self > b->self ? -1 : 1;
	if (a->total != b->total)
		return a->total > b->total ? -1 : 1;
	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	if (!str_eq(a->name, b->name))
		return str_cmp(a->name, b->name);
	return str_cmp(a->file, b->file);
}

/* Sorts the functions. Returns the new place of each; the caller frees it. */
static uint32_t *
sort_functions(struct annotate *a)
{
	struct rank *r = mem_zero((size_t)a->function_n + 1, sizeof *r);
	struct annotate_function *sorted =
		mem_alloc((a->function_n + (size_t)1) * sizeof *sorted);
	uint32_t *place = mem_alloc((a->function_n + (size_t)1) * sizeof *place), i;

	for (i = 0; i < a->function_n; i++)
		r[i] = (struct rank){ .self = heat(a, a->functions[i].self),
			.total = heat(a, a->functions[i].total),
			.name = a->functions[i].name,
			.file = a->functions[i].file,
			.id = i };
	qsort(r, a->function_n, sizeof *r, by_heat);
	for (i = 0; i < a->function_n; i++) {
		sorted[i] = a->functions[r[i].id];
		place[r[i].id] = i;
	}
	free(a->functions);
	a->functions = sorted;
	free(r);
	return place;
}

static void
sort_lines(struct annotate *a, const uint32_t *function)
{
	struct rank *r = mem_zero((size_t)a->line_n + 1, sizeof *r);
	struct annotate_line *sorted =
		mem_alloc((a->line_n + (size_t)1) * sizeof *sorted);
	uint32_t *place = mem_alloc((a->line_n + (size_t)1) * sizeof *place), i;
	struct annotate_function *f;

	for (i = 0; i < a->line_n; i++)
		r[i] = (struct rank){ .group = function[a->lines[i].function],
			.number = a->lines[i].number,
			.id = i };
	qsort(r, a->line_n, sizeof *r, by_heat);
	for (i = 0; i < a->line_n; i++) {
		sorted[i] = a->lines[r[i].id];
		sorted[i].function = r[i].group;
		place[r[i].id] = i;
		f = &a->functions[r[i].group];
		if (!f->line_n++)
			f->line = i;
	}
	for (i = 0; i < a->call_n; i++)
		a->calls[i].line = place[a->calls[i].line];
	free(a->lines);
	a->lines = sorted;
	free(place);
	free(r);
}

static void
sort_calls(struct annotate *a)
{
	struct rank *r = mem_zero((size_t)a->call_n + 1, sizeof *r);
	struct annotate_call *sorted =
		mem_alloc((a->call_n + (size_t)1) * sizeof *sorted);
	struct annotate_line *l;
	uint32_t i;

	for (i = 0; i < a->call_n; i++)
		r[i] = (struct rank){ .group = a->calls[i].line,
			.self = heat(a, a->calls[i].total),
			.name = a->calls[i].name,
			.number = a->calls[i].inlined,
			.id = i };
	qsort(r, a->call_n, sizeof *r, by_heat);
	for (i = 0; i < a->call_n; i++) {
		sorted[i] = a->calls[r[i].id];
		l = &a->lines[sorted[i].line];
		if (!l->call_n++)
			l->call = i;
	}
	free(a->calls);
	a->calls = sorted;
	free(r);
}

void
annotate_init(struct annotate *a, const struct report *s, enum annotate_kind kind)
{
	const struct intern *names = &s->tree->names;
	struct adding x = { .a = a, .kind = kind, .tree = s->tree };
	bool *is_function = mem_zero((size_t)names->n + 1, sizeof *is_function);
	uint32_t i, *place;

	*a = (struct annotate){ .report = s };
	for (i = 0; i < s->walk.n; i++)
		is_function[s->tree->nodes[s->walk.node[i]].name] |=
			s->walk.depth[i] > s->lead;
	x.line_of = mem_alloc(((size_t)names->n + 1) * sizeof *x.line_of);
	for (i = 0; i < names->n; i++)
		x.line_of[i] = is_function[i] ? find_line(&x, i) : NONE;
	free(is_function);
	x.functions_open = mem_zero((size_t)a->function_n + 1, sizeof *x.functions_open);
	x.lines_open = mem_zero((size_t)a->line_n + 1, sizeof *x.lines_open);
	add_nodes(&x);
	place = sort_functions(a);
	sort_lines(a, place);
	sort_calls(a);
	free(place);
	free(x.line_of);
	free(x.functions_open);
	free(x.lines_open);
	intern_release(&x.functions);
	intern_release(&x.lines);
	intern_release(&x.calls);
}

void
annotate_release(struct annotate *a)
{
	free(a->functions);
	free(a->lines);
	free(a->calls);
	*a = (struct annotate){ .report = NULL };
}

uint32_t *
annotate_hottest(const struct annotate *a)
{
	struct rank *r = mem_zero((size_t)a->line_n + 1, sizeof *r);
	uint32_t *order = mem_alloc((a->line_n + (size_t)1) * sizeof *order), i;
	const struct annotate_function *f;

	for (i = 0; i < a->line_n; i++) {
		f = &a->functions[a->lines[i].function];
		r[i] = (struct rank){ .self = heat(a, a->lines[i].self),
			.total = heat(a, a->lines[i].total),
			.number = a->lines[i].number,
			.name = f->name,
			.file = f->file,
			.id = i };
	}
	qsort(r, a->line_n, sizeof *r, by_heat);
	for (i = 0; i < a->line_n; i++)
		order[i] = r[i].id;
	free(r);
	return order;
}
