/* SPDX-License-Identifier: ISC */
/* Estimates the stacks of a call graph. */
#include "call-graph.h"
#include "mem.h"
#include "stats.h"
#include "weight.h"

#include <string.h>

/* Limits: number of paths, their total length, the length of one, and the calls examined. */
#ifndef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
enum { PATHS = 1 << 17, LENGTHS = 1 << 23, DEEPEST = 1024, LOOKS = 1 << 26 };
#else /* for fuzzing: a thousandth of the time */
enum { PATHS = 1 << 9, LENGTHS = 1 << 13, DEEPEST = 64, LOOKS = 1 << 14 };
#endif

/* In place of a function, a path or a group. */
#define NONE UINT32_MAX

/* A path: a function, the path of its caller, and the part of the flow that stays with it. */
struct path {
	uint32_t caller, function;
	double own;
};

/* A function on the current path. */
struct level {
	uint32_t path, next; /* next: index among its calls */
	double flow, whole;  /* incoming flow; sum of weights sharing it */
};

struct walk {
	const struct call_graph *g;
	struct call_graph_call *calls; /* by caller */
	size_t *first;		       /* first call of each function; n + 1 of them */
	uint32_t *group;	       /* by function: recursion group, callees first */
	uint32_t groups;
	double *in, *out; /* by group: weight that enters it, and its inclusive weight */
	double *rest;	  /* by function: flow not followed */
	bool *open;	  /* by function: on the current path */
	struct path *paths;
	size_t n, cap, lengths, looks;
	struct level *levels;
	size_t depth, level_cap;
	double least;
	bool full;
};

void
call_graph_release(struct call_graph *g)
{
	intern_release(&g->pairs);
	free(g->self);
	free(g->calls);
	*g = (struct call_graph){ 0 };
}

uint32_t
call_graph_add(struct call_graph *g)
{
	g->self = mem_grow(g->self, &g->cap, (size_t)g->n + 1, sizeof *g->self);
	g->self[g->n] = 0;
	return g->n++;
}

void
call_graph_call(struct call_graph *g, uint32_t from, uint32_t to, uint64_t weight)
{
	uint32_t pair[2] = { from, to }, known = g->pairs.n, id;

	id = intern_id(&g->pairs, (struct str){ (const char *)pair, sizeof pair });
	if (id == known) {
		*MEM_AT(g->calls, g->call_cap, id) =
			(struct call_graph_call){ from, to, 0 };
	}
	g->calls[id].weight = weight_count(g->calls[id].weight, weight);
}

/* Sorts the calls by caller. Calls of a function to itself are left out: they are part of it. */
static void
sort_calls(struct walk *w)
{
	const struct call_graph *g = w->g;
	const struct call_graph_call *e;
	uint32_t i;

	w->first = mem_zero((size_t)g->n + 2, sizeof *w->first);
	w->calls = mem_alloc(((size_t)g->pairs.n + 1) * sizeof *w->calls);
	for (i = 0; i < g->pairs.n; i++)
		w->first[g->calls[i].from + 2] +=
			g->calls[i].from != g->calls[i].to && g->calls[i].weight;
	for (i = 2; i < g->n + 2; i++)
		w->first[i] += w->first[i - 1];
	for (i = 0; i < g->pairs.n; i++) {
		e = &g->calls[i];
		if (e->from != e->to && e->weight)
			w->calls[w->first[e->from + 1]++] = *e;
	}
}

/* State of the search for groups. */
struct search {
	uint32_t *order, *low; /* order: of discovery, from 1 on; 0: not visited */
	uint32_t *stack, *trail;
	size_t *next;
	uint32_t stack_n, trail_n, found;
};

static void
visit(struct search *s, const struct walk *w, uint32_t f)
{
	s->order[f] = s->low[f] = ++s->found;
	s->stack[s->stack_n++] = s->trail[s->trail_n++] = f;
	s->next[f] = w->first[f];
}

/* F has no more calls: ends its group if it was the group's first function. */
static void
close_group(struct search *s, struct walk *w, uint32_t f)
{
	uint32_t member, up;

	s->trail_n--;
	if (s->trail_n) {
		up = s->trail[s->trail_n - 1];
		if (s->low[f] < s->low[up])
			s->low[up] = s->low[f];
	}
	if (s->low[f] != s->order[f])
		return;
	do {
		member = s->stack[--s->stack_n];
		w->group[member] = w->groups;
	} while (member != f);
	w->groups++;
}

/* Finds groups of mutually recursive functions (R. Tarjan, Depth-first search and linear graph
 * algorithms, 1972), without recursion. */
static void
find_groups(struct walk *w)
{
	uint32_t n = w->g->n, f, to, i;
	struct search s = { 0 };

	w->group = mem_alloc((size_t)n * sizeof *w->group + 1);
	memset(w->group, 0xff, (size_t)n * sizeof *w->group);
	s.order = mem_zero((size_t)n + 1, sizeof *s.order);
	s.low = mem_zero((size_t)n + 1, sizeof *s.low);
	s.stack = mem_zero((size_t)n + 1, sizeof *s.stack);
	s.trail = mem_zero((size_t)n + 1, sizeof *s.trail);
	s.next = mem_zero((size_t)n + 1, sizeof *s.next);
	for (i = 0; i < n; i++) {
		if (!s.order[i])
			visit(&s, w, i);
		while (s.trail_n) {
			f = s.trail[s.trail_n - 1];
			if (s.next[f] == w->first[f + 1]) {
				close_group(&s, w, f);
				continue;
			}
			to = w->calls[s.next[f]++].to;
			if (!s.order[to])
				visit(&s, w, to);
			else if (w->group[to] == NONE && s.order[to] < s.low[f])
				s.low[f] = s.order[to];
		}
	}
	free(s.order);
	free(s.low);
	free(s.stack);
	free(s.trail);
	free(s.next);
}

/* Sums up the weight that enters each group, and its inclusive weight. */
static void
weigh_groups(struct walk *w)
{
	const struct call_graph_call *e;
	uint32_t f;
	size_t i;

	w->in = mem_zero((size_t)w->groups + 1, sizeof *w->in);
	w->out = mem_zero((size_t)w->groups + 1, sizeof *w->out);
	for (f = 0; f < w->g->n; f++)
		w->out[w->group[f]] += (double)w->g->self[f];
	for (i = 0; i < w->first[w->g->n]; i++) {
		e = &w->calls[i];
		if (w->group[e->from] == w->group[e->to])
			continue;
		w->out[w->group[e->from]] += (double)e->weight;
		w->in[w->group[e->to]] += (double)e->weight;
	}
}

/* Returns, by group, the function through which weight without a recorded caller enters: the one
 * with the largest excess of outgoing over incoming weight. */
static uint32_t *
find_entries(const struct walk *w)
{
	uint32_t *entry = mem_alloc(((size_t)w->groups + 1) * sizeof *entry), f, *best;
	double *excess = mem_zero((size_t)w->g->n + 1, sizeof *excess);
	size_t i;

	for (f = 0; f < w->g->n; f++)
		excess[f] = (double)w->g->self[f];
	for (i = 0; i < w->first[w->g->n]; i++) {
		excess[w->calls[i].from] += (double)w->calls[i].weight;
		excess[w->calls[i].to] -= (double)w->calls[i].weight;
	}
	memset(entry, 0xff, (size_t)w->groups * sizeof *entry);
	for (f = 0; f < w->g->n; f++) {
		best = &entry[w->group[f]];
		if (*best == NONE || excess[f] > excess[*best])
			*best = f;
	}
	free(excess);
	return entry;
}

/* Extends the current path by FUNCTION, which FLOW reaches. Returns false if FLOW is below the
 * threshold or a limit is reached. */
static bool
enter(struct walk *w, uint32_t function, double flow)
{
	const struct call_graph_call *e;
	struct level *level;
	size_t i;

	w->full |= w->n >= PATHS || w->lengths >= LENGTHS || w->looks >= LOOKS;
	if (flow < w->least || w->full || w->depth == DEEPEST) {
		w->rest[function] += flow;
		return false;
	}
	w->levels = mem_grow(w->levels, &w->level_cap, w->depth + 1, sizeof *w->levels);
	level = &w->levels[w->depth];
	*level = (struct level){ (uint32_t)w->n, 0, flow, (double)w->g->self[function] };
	w->open[function] = true;
	for (i = w->first[function]; i < w->first[function + 1]; i++) {
		e = &w->calls[i];
		level->whole += w->open[e->to] ? 0 : (double)e->weight;
	}
	w->looks += 2 * (i - w->first[function]) + 1;
	w->paths = mem_grow(w->paths, &w->cap, w->n + 1, sizeof *w->paths);
	w->paths[w->n++] = (struct path){
		.caller = w->depth ? level[-1].path : NONE,
		.function = function,
		.own = level->whole > 0
			? flow * ((double)w->g->self[function] / level->whole)
			: flow,
	};
	w->lengths += ++w->depth;
	return true;
}

/* Follows FLOW from FUNCTION down to its callees. */
static void
follow(struct walk *w, uint32_t function, double flow)
{
	const struct call_graph_call *e;
	struct level *level;

	if (!enter(w, function, flow))
		return;
	while (w->depth) {
		level = &w->levels[w->depth - 1];
		function = w->paths[level->path].function;
		if (level->next == w->first[function + 1] - w->first[function]) {
			w->open[function] = false;
			w->depth--;
			continue;
		}
		e = &w->calls[w->first[function] + level->next++];
		if (!w->open[e->to])
			(void)enter(w, e->to,
				level->flow * ((double)e->weight / level->whole));
	}
}

/* Follows all flows of LEAST or more. Returns false if there are too many. */
static bool
follow_all(struct walk *w, const uint32_t *entries, double least)
{
	/* Profilers measure calls and functions separately; smaller differences are noise. */
	static const double noise = 0.01;
	double others;
	uint32_t group;

	memset(w->rest, 0, w->g->n * sizeof *w->rest);
	w->n = w->lengths = w->looks = 0;
	w->least = least;
	w->full = false;
	for (group = w->groups; group-- > 0;) {
		others = w->out[group] - w->in[group];
		if (others > 0 && (others > w->out[group] * noise || w->in[group] <= 0))
			follow(w, entries[group], others);
	}
	return !w->full;
}

/* Lets the rest flow down without paths; afterwards rest has the part that stays with each
 * function. */
static void
settle_rest(struct walk *w)
{
	double *enters = mem_zero((size_t)w->groups + 1, sizeof *enters), share;
	uint32_t *members = mem_alloc(((size_t)w->g->n + 1) * sizeof *members), f, i;
	size_t *start = mem_zero((size_t)w->groups + 2, sizeof *start), e;

	for (f = 0; f < w->g->n; f++) {
		enters[w->group[f]] += w->rest[f];
		start[w->group[f] + 1]++;
	}
	for (i = 0; i < w->groups; i++)
		start[i + 1] += start[i];
	for (f = w->g->n; f-- > 0;)
		members[--start[w->group[f] + 1]] = f;
	/* Now start[group + 1] is the first member of group. */
	for (i = 0; i < w->g->n; i++) {
		f = members[w->g->n - 1 - i];
		share = w->out[w->group[f]] > 0
			? enters[w->group[f]] / w->out[w->group[f]]
			: 0;
		w->rest[f] = share * (double)w->g->self[f];
		for (e = w->first[f]; e < w->first[f + 1] && share > 0; e++)
			if (w->group[w->calls[e].to] != w->group[f])
				enters[w->group[w->calls[e].to]] +=
					share * (double)w->calls[e].weight;
	}
	free(enters);
	free(members);
	free(start);
}

/* The weight of a function still to be divided, the sum of the parts to come, and their number. */
struct share {
	double whole;
	uint64_t left;
	uint32_t parts;
};

/* Cuts the share for PART of the whole off S. The last part gets the rest. */
static uint64_t
cut_part(struct share *s, double part)
{
	double weight = s->whole > 0 ? (double)s->left * (part / s->whole) + 0.5 : 0;
	uint64_t cut = s->left;

	if (--s->parts && weight < (double)s->left)
		cut = stats_floor(weight);
	s->whole -= part;
	s->left -= cut;
	return cut;
}

/* Divides the functions' self weights among the paths. Returns the weight below the threshold. */
static uint64_t
share_out(const struct walk *w, const struct call_graph_sink *sink)
{
	struct share *shares = mem_zero((size_t)w->g->n + 1, sizeof *shares);
	uint32_t *stacks = mem_alloc((w->n + 1) * sizeof *stacks), f;
	const struct path *p;
	uint64_t below = 0;
	size_t i;

	for (f = 0; f < w->g->n; f++)
		shares[f] = (struct share){ w->rest[f], w->g->self[f], w->rest[f] > 0 };
	for (i = 0; i < w->n; i++) {
		shares[w->paths[i].function].whole += w->paths[i].own;
		shares[w->paths[i].function].parts++;
	}
	for (i = 0; i < w->n; i++) {
		p = &w->paths[i];
		stacks[i] = sink->enter(sink->context,
			p->caller == NONE ? sink->root : stacks[p->caller], p->function);
		sink->add(
			sink->context, stacks[i], cut_part(&shares[p->function], p->own));
	}
	for (f = 0; f < w->g->n; f++)
		if (shares[f].left) {
			/* Functions that no flow reaches become their own entries. */
			below += shares[f].parts ? shares[f].left : 0;
			sink->add(sink->context,
				sink->enter(sink->context,
					shares[f].parts ? sink->rest : sink->root, f),
				shares[f].left);
		}
	free(shares);
	free(stacks);
	return below;
}

uint64_t
call_graph_fold(struct call_graph *g, const struct call_graph_sink *sink)
{
	/* Thresholds as fractions of the total weight, used if there is no room for every path. */
	static const double finest = 1e-6, coarsest = 1e-2;
	struct walk w = { .g = g };
	uint32_t *entries, f;
	double all = 0, least;
	uint64_t below;

	sort_calls(&w);
	find_groups(&w);
	weigh_groups(&w);
	entries = find_entries(&w);
	w.rest = mem_zero((size_t)g->n + 1, sizeof *w.rest);
	w.open = mem_zero((size_t)g->n + 1, sizeof *w.open);
	for (f = 0; f < g->n; f++)
		all += (double)g->self[f];
	for (least = 0; !follow_all(&w, entries, least) && least < all * coarsest;)
		least = least < all * finest ? all * finest : least * 4;
	settle_rest(&w);
	below = share_out(&w, sink);
	free(entries);
	free(w.calls);
	free(w.first);
	free(w.group);
	free(w.in);
	free(w.out);
	free(w.rest);
	free(w.open);
	free(w.paths);
	free(w.levels);
	return below;
}
