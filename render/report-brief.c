/* SPDX-License-Identifier: ISC */
/*
 * A report of limited size in plain text, for people and programs: the recording and its
 * quality, the distribution of time, the hottest functions, and caveats; see report.h.
 *
 * The distribution of time is the call tree in chains: a frame with nearly all of its caller's
 * weight joins the caller's line. Lines are chosen by weight until the size is used up, so that
 * each line's caller is included.
 */
#include "mem.h"
#include "heading.h"
#include "quality.h"
#include "report.h"
#include "stats.h"
#include "units.h"

#include <inttypes.h>
#include <math.h>

/* A frame with this part of its caller's weight joins the caller's line. */
static const double JOINED = 0.95;

enum {
	NAME_LEAST = 12, /* columns of a name, and bytes of the report per column */
	NAME_MOST = 100,
	BYTES_PER_COLUMN = 64,
	INDENTED_MOST = 20, /* levels */
	CHAIN_HEAD = 2,	    /* named frames of a long chain */
	CHAIN_TAIL = 3,
	CALLERS = 3,
	LINK_PART = 16,	   /* one part in so many of the report may be a link */
	LINKS_LEAST = 1024 /* the smallest report with links, in bytes */
};

#define NONE UINT32_MAX

struct chain {
	uint32_t top, bottom; /* nodes: the first and the last, with the rest between */
	uint32_t frames;
	uint32_t up, depth;
	uint32_t first, last,
		next;  /* first chosen child, and next chosen sibling; or NONE */
	double weight; /* the sort key: the largest share */
	uint64_t total[TREE_COLUMNS], self[TREE_COLUMNS];
};

struct brief {
	const struct report *s; /* not owned, like the next */
	const struct report_brief *how;
	struct terminal terminal; /* the same on every terminal */
	size_t columns;		  /* limit of a name */
	struct buf line;
	struct chain *chains; /* the first is the root's, without frames */
	uint32_t n_chains;
	uint32_t *order; /* the others, the heaviest first */
};

static void
put_name(struct brief *b, struct str name, size_t columns)
{
	size_t from = b->line.n, most = 4 * columns;

	terminal_put_name(&b->line, &b->terminal, name.n ? name : STR("\"\""), columns);
	if (b->line.n - from <= most)
		return;
	/* Combining marks take bytes but no columns. */
	for (b->line.n = from + most;
		((unsigned char)b->line.s[b->line.n] & 0xc0) == 0x80;)
		b->line.n--;
}

static struct str
name_of(const struct brief *b, uint32_t node)
{
	return intern_str(&b->s->tree->names, b->s->tree->nodes[node].name);
}

/* Adds the line to PART, and begins the next. */
static void
end_line(struct brief *b, struct buf *part)
{
	buf_char(&b->line, '\n');
	buf_str(part, buf_view(&b->line));
	buf_clear(&b->line);
}

/* Cuts B after the last line that ends within MOST bytes. */
static void
keep_lines(struct buf *b, size_t most)
{
	if (b->n <= most)
		return;
	for (b->n = most; b->n && b->s[b->n - 1] != '\n';)
		b->n--;
}

/* The recording. */

static void
put_field(struct brief *b, const char *before, const char *key)
{
	struct str value = heading_field(b->s->info, key);

	if (!value.n)
		return;
	buf_str(&b->line, str_of(before));
	put_name(b, value, b->columns);
}

/* Puts the weight of COLUMN, and the samples behind it. */
static void
put_column(struct brief *b, int column)
{
	const struct report *s = b->s;
	struct str unit = report_is_ratio(s) ? s->ratio[column] : s->unit;
	uint64_t weight = s->tree->sum[column];
	struct buf amount = { 0 };
	bool same = str_eq(unit, STR("samples")) &&
		s->samples[column] == (double)tree_whole_sum(s->tree, column);

	units_put(&amount, weight, s->tree->scale, 1, unit);
	put_name(b, buf_view(&amount), b->columns);
	buf_release(&amount);
	if (same || s->samples[column] <= 0)
		return;
	buf_str(&b->line, STR(" in "));
	units_put_count(&b->line, stats_count(s->samples[column]));
	buf_str(&b->line, STR(" samples"));
}

static void
put_recorded(struct brief *b, struct buf *part)
{
	const struct report *s = b->s;
	size_t before = b->line.n;
	int c;

	buf_str(&b->line, STR("recorded: "));
	before = b->line.n;
	put_field(b, "", "event");
	put_field(b, b->line.n > before ? " of " : "", "command");
	put_field(b, b->line.n > before ? " on " : "", "host");
	put_field(b, b->line.n > before ? ", " : "", "start");
	for (c = 0; c < s->tree->columns; c++) {
		if (b->line.n > before)
			buf_str(&b->line, STR("; "));
		if (report_is_diff(s)) {
			put_name(b, report_side(s, c), b->columns);
			buf_char(&b->line, ' ');
		}
		put_column(b, c);
	}
	buf_fmt(&b->line, "; %" PRIu32 " function%s", s->n, msg_s(s->n));
	if (b->how->tracks)
		buf_fmt(&b->line, "; %" PRIu64 " thread%s", b->how->tracks,
			msg_s(b->how->tracks));
	end_line(b, part);
}

/* The largest sampling error of a share in COLUMN, in points. */
static double
worst_error(const struct report *s, int column)
{
	return report_error(s, s->tree->sum[column] / 2, column);
}

static void
put_quality(struct brief *b, struct buf *part)
{
	const struct report *s = b->s;
	struct quality q;
	double error = worst_error(s, 0), other;

	buf_str(&b->line, STR("quality: "));
	if (s->tree->columns == 1 &&
		quality_read(&q, folded_info_get(s->info, "stacks"))) {
		quality_put_words(&b->line, &q);
		buf_str(&b->line, STR("; "));
	}
	if (folded_info_get(s->info, "lost").n)
		buf_fmt(&b->line, "%" PRIu64 " lost; ", folded_info_u64(s->info, "lost"));
	other = report_is_diff(s) ? worst_error(s, 1) : 0;
	if (report_has_error(s))
		buf_fmt(&b->line, "shares are within +-%.1f points (95 %% confidence)",
			error > other ? error : other);
	else
		buf_str(&b->line, STR("the number of samples is unknown"));
	end_line(b, part);
}

/* Whether lines link to their place in the picture. */
static bool
has_links(const struct brief *b)
{
	return b->how->picture.n && b->how->bytes >= LINKS_LEAST;
}

/* Puts everything above the call tree. */
static void
make_head(struct brief *b, struct buf *part)
{
	struct str verdict = folded_info_get(b->s->info, "verdict");

	put_recorded(b, part);
	put_quality(b, part);
	if (report_is_diff(b->s) && verdict.n) {
		buf_str(&b->line, STR("verdict: "));
		put_name(b, verdict, b->how->bytes / 4);
		end_line(b, part);
	}
	if (has_links(b)) {
		buf_str(&b->line, STR("picture: "));
		put_name(b, b->how->picture, b->columns);
		buf_str(&b->line, STR("; append #path=... of a line to open it there"));
		end_line(b, part);
	}
}

/* The distribution of time. */

/* Whether NODE has nearly all of its parent's weight. */
static bool
is_joined(const struct report *s, uint32_t node)
{
	uint32_t parent = s->tree->nodes[node].parent;
	int c;

	if (parent == TREE_ROOT)
		return false;
	for (c = 0; c < s->tree->columns; c++)
		if ((double)s->totals[c][node] < JOINED * (double)s->totals[c][parent])
			return false;
	return true;
}

static struct chain
begin_chain(const struct report *s, uint32_t node, uint32_t up)
{
	struct chain chain = {
		.top = node, .up = up, .first = NONE, .last = NONE, .next = NONE
	};
	double share;
	int c;

	for (c = 0; c < s->tree->columns; c++) {
		chain.total[c] = s->totals[c][node];
		share = report_share(s, chain.total[c], c);
		chain.weight = share > chain.weight ? share : chain.weight;
	}
	return chain;
}

/* Finds the chains of nodes with weight. */
static void
find_chains(struct brief *b)
{
	const struct report *s = b->s;
	const struct tree *t = s->tree;
	uint32_t *of = mem_zero(t->n, sizeof *of), i;
	struct chain *chain;
	int c;

	b->chains = mem_zero(t->n, sizeof *b->chains);
	b->chains[b->n_chains++] = begin_chain(s, TREE_ROOT, NONE);
	for (i = TREE_ROOT + 1; i < t->n; i++) {
		of[i] = of[t->nodes[i].parent];
		if (!s->totals[0][i] && (t->columns < 2 || !s->totals[1][i]))
			continue;
		if (!is_joined(s, i)) {
			b->chains[b->n_chains] = begin_chain(s, i, of[i]);
			of[i] = b->n_chains++;
		}
		chain = &b->chains[of[i]];
		chain->bottom = i;
		chain->frames++;
		for (c = 0; c < t->columns; c++)
			chain->self[c] += t->self[c][i];
	}
	free(of);
}

/* A chain with its sort key. */
struct ranked {
	double weight;
	uint32_t at, chain;
};

static int
compare_ranked(const void *va, const void *vb)
{
	const struct ranked *a = va, *b = vb;

	if (a->weight < b->weight || a->weight > b->weight)
		return a->weight > b->weight ? -1 : 1;
	return (a->at > b->at) - (a->at < b->at);
}

/* The heaviest first, then by path, callers before callees. */
static void
order_chains(struct brief *b)
{
	uint32_t *place = mem_zero(b->s->tree->n, sizeof *place), i;
	struct ranked *ranked = mem_zero(b->n_chains, sizeof *ranked);
	struct tree_walk walk;

	tree_walk_init(&walk, b->s->tree, TREE_BY_NAME);
	for (i = 0; i < walk.n; i++)
		place[walk.node[i]] = i;
	tree_walk_release(&walk);
	for (i = 1; i < b->n_chains; i++)
		ranked[i - 1] = (struct ranked){ b->chains[i].weight,
			place[b->chains[i].bottom], i };
	qsort(ranked, b->n_chains - 1, sizeof *ranked, compare_ranked);
	b->order = mem_alloc((size_t)b->n_chains * sizeof *b->order);
	for (i = 0; i + 1 < b->n_chains; i++)
		b->order[i] = ranked[i].chain;
	free(ranked);
	free(place);
}

/* Puts the names of CHAIN, outermost first; of a long chain only the ends. */
static void
put_chain(struct brief *b, const struct chain *chain)
{
	uint32_t *node = mem_alloc(chain->frames * sizeof *node), i, at = chain->bottom;
	bool is_long = chain->frames > CHAIN_HEAD + CHAIN_TAIL + 1;

	for (i = chain->frames; i-- > 0; at = b->s->tree->nodes[at].parent)
		node[i] = at;
	for (i = 0; i < chain->frames; i++) {
		if (i)
			buf_str(&b->line, STR(" > "));
		if (is_long && i == CHAIN_HEAD) {
			buf_fmt(&b->line, "(%" PRIu32 " more) > ",
				chain->frames - CHAIN_HEAD - CHAIN_TAIL);
			i = chain->frames - CHAIN_TAIL;
		}
		put_name(b, name_of(b, node[i]), b->columns);
	}
	free(node);
}

/* Adds TEXT, escaped, to a URL fragment. */
static void
put_encoded(struct buf *to, struct str text)
{
	static const char plain[] = "-_.~*:/,()";
	unsigned char c;
	size_t i;

	for (i = 0; i < text.n; i++) {
		c = (unsigned char)text.s[i];
		if (str_is_digit((char)c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') ||
			(c && strchr(plain, c)))
			buf_char(to, (char)c);
		else if (c == ' ')
			buf_char(to, '+');
		else
			buf_fmt(to, "%%%02X", c);
	}
}

/* Adds the picture's link to the first frame of CHAIN, unless it is too long. */
static void
put_link(struct brief *b, const struct chain *chain)
{
	size_t most = b->how->bytes / LINK_PART;
	const struct tree *t = b->s->tree;
	struct buf link = { 0 };
	struct str rest;
	uint32_t *path, depth = 0, node;

	if (!has_links(b))
		return;
	for (node = chain->top; node != TREE_ROOT; node = t->nodes[node].parent)
		depth++;
	if (depth > most)
		return;
	path = mem_alloc(depth * sizeof *path);
	node = chain->top;
	for (rest = buf_view(&b->how->rows); rest.n;) {
		buf_str(&link, link.n ? STR(";") : STR("  #path="));
		put_encoded(&link, str_cut(&rest, ';'));
	}
	for (uint32_t i = depth; i-- > 0; node = t->nodes[node].parent)
		path[i] = node;
	for (uint32_t i = 0; i < depth && link.n <= most; i++) {
		buf_str(&link, link.n ? STR(";") : STR("  #path="));
		put_encoded(&link, name_of(b, path[i]));
	}
	if (link.n <= most)
		buf_str(&b->line, buf_view(&link));
	free(path);
	buf_release(&link);
}

/* Puts the shares before and after, and the change of PART. */
static void
put_change(struct brief *b, struct report_part part)
{
	struct report_change change = report_compare(b->s, part);
	bool is_none = fabs(change.points) < 0.05;

	buf_fmt(&b->line, "%5.1f %5.1f ", report_share(b->s, part.weight[0], 0),
		report_share(b->s, part.weight[1], 1));
	buf_fmt(&b->line, is_none ? "%6.1f " : "%+6.1f%c", is_none ? 0 : change.points,
		b->s->tests && !change.is_clear ? '~' : ' ');
}

/* Makes the line of CHAIN. */
static void
put_chain_line(struct brief *b, const struct chain *chain)
{
	uint32_t level = chain->depth < INDENTED_MOST ? chain->depth : INDENTED_MOST;

	if (report_is_diff(b->s))
		put_change(b,
			report_part(b->s, b->s->tree->nodes[chain->top].name, false,
				chain->total));
	else
		buf_fmt(&b->line, "%5.1f %5.1f ", report_share(b->s, chain->total[0], 0),
			report_share(b->s, chain->self[0], 0));
	terminal_put_right(&b->line, STR(""), 2 * (size_t)level + 1);
	put_chain(b, chain);
	put_link(b, chain);
}

/* Whether WEIGHT is within the error of 0. */
static bool
is_noise(const struct report *s, const uint64_t *weight)
{
	int c;

	for (c = 0; c < s->tree->columns; c++)
		if (weight[c] &&
			report_share(s, weight[c], c) >= report_error(s, weight[c], c))
			return false;
	return true;
}

/* Chooses chains whose lines take at most MOST bytes. Returns their number. */
static uint32_t
choose_chains(struct brief *b, size_t most)
{
	struct chain *chain, *up;
	uint32_t i;
	size_t used = 0;

	for (i = 0; i + 1 < b->n_chains; i++) {
		chain = &b->chains[b->order[i]];
		up = &b->chains[chain->up];
		if (is_noise(b->s, chain->total))
			break;
		chain->depth = chain->up ? up->depth + 1 : 0;
		put_chain_line(b, chain);
		used += b->line.n + 1;
		buf_clear(&b->line);
		if (used > most)
			break;
		if (up->first == NONE)
			up->first = b->order[i];
		else
			b->chains[up->last].next = b->order[i];
		up->last = b->order[i];
	}
	return i;
}

/* Reports the rest, after the first N chains. */
static void
put_hidden(struct brief *b, struct buf *part, uint32_t n)
{
	uint32_t hidden = b->n_chains - 1 - n;

	if (!hidden)
		return;
	buf_fmt(&b->line, "not shown: %" PRIu32 " branch%s, the largest %.1f", hidden,
		hidden == 1 ? "" : "es", b->chains[b->order[n]].weight);
	end_line(b, part);
}

/* Puts the heading NAME of a part whose weights are MEASURES; NOTE ends it. */
static void
put_head(struct brief *b, struct buf *part, const char *name, const char *measures,
	const char *note)
{
	const struct report *s = b->s;

	buf_fmt(&b->line, "\n%s (%% ", name);
	if (report_is_diff(s)) {
		put_name(b, report_side(s, 0), b->columns);
		buf_str(&b->line, STR(", "));
		put_name(b, report_side(s, 1), b->columns);
		buf_str(&b->line, report_is_ratio(s) ? STR(", apart") : STR(", change"));
		buf_fmt(&b->line, " of %s", measures);
	} else {
		buf_str(&b->line, str_of(measures));
	}
	buf_fmt(&b->line, "; %s):", note);
	end_line(b, part);
}

/* Makes the call tree of at most MOST bytes. */
static void
make_tree(struct brief *b, struct buf *part, size_t most)
{
	size_t last = STR("not shown: 4294967295 branches, the largest 100.0\n").n;
	uint32_t n = 0, at;

	put_head(b, part, "where", report_is_diff(b->s) ? "total" : "total, self",
		b->s->tests ? "~ not significant; a line is a chain of calls"
			    : "a line is a chain of calls");
	if (most > part->n + last) {
		find_chains(b);
		order_chains(b);
		n = choose_chains(b, most - part->n - last);
	}
	if (!n) {
		buf_clear(part);
		return;
	}
	for (at = b->chains[0].first; at != NONE;) {
		put_chain_line(b, &b->chains[at]);
		end_line(b, part);
		if (b->chains[at].first != NONE) {
			at = b->chains[at].first;
			continue;
		}
		while (at && b->chains[at].next == NONE)
			at = b->chains[at].up;
		at = at ? b->chains[at].next : NONE;
	}
	put_hidden(b, part, n);
}

/* The hottest functions. */

/* The weight of the function in SLOT of the report when called by CALLER. */
struct call {
	uint32_t slot;
	struct str caller;
	uint64_t weight;
};

struct calls {
	struct call *of;
	size_t n, cap;
};

static int
by_caller(const void *va, const void *vb)
{
	const struct call *a = va, *b = vb;

	if (a->slot != b->slot)
		return a->slot < b->slot ? -1 : 1;
	return str_cmp(a->caller, b->caller);
}

static int
by_weight(const void *va, const void *vb)
{
	const struct call *a = va, *b = vb;

	if (a->slot == b->slot && a->weight != b->weight)
		return a->weight > b->weight ? -1 : 1;
	return by_caller(va, vb);
}

/* Joins the calls of a function from one caller, and sorts those of each function by weight. */
static void
join_calls(struct calls *calls)
{
	size_t i, n = 0;

	if (!calls->n)
		return;
	qsort(calls->of, calls->n, sizeof *calls->of, by_caller);
	for (i = 1; i < calls->n; i++) {
		if (by_caller(&calls->of[n], &calls->of[i]) == 0)
			calls->of[n].weight += calls->of[i].weight;
		else
			calls->of[++n] = calls->of[i];
	}
	calls->n = n + 1;
	qsort(calls->of, calls->n, sizeof *calls->of, by_weight);
}

/* The column by which F's callers are listed: after, or before if F is removed. */
static int
column_of_callers(const struct report *s, const struct report_function *f)
{
	int last = s->tree->columns - 1;

	return report_is_ratio(s) || !f->total[last] ? 0 : last;
}

/* Finds the callers of the functions shown. */
static void
find_calls(const struct report *s, struct calls *calls)
{
	const struct tree *t = s->tree;
	uint32_t *slot = mem_zero(t->names.n, sizeof *slot), i, node, name;
	int column;

	for (i = 0; i < s->shown; i++)
		slot[s->functions[i].name] = i + 1;
	for (i = 0; i < s->walk.n; i++) {
		node = s->walk.node[i];
		name = t->nodes[node].name;
		if (s->walk.depth[i] <= s->lead + 1 || !s->outermost[node] || !slot[name])
			continue;
		column = column_of_callers(s, &s->functions[slot[name] - 1]);
		if (!s->totals[column][node])
			continue;
		calls->of =
			mem_grow(calls->of, &calls->cap, calls->n + 1, sizeof *calls->of);
		calls->of[calls->n++] = (struct call){ slot[name] - 1,
			intern_str(&t->names, t->nodes[t->nodes[node].parent].name),
			s->totals[column][node] };
	}
	free(slot);
	join_calls(calls);
}

/* Puts the first callers of the function F in SLOT, which begin at CALL. */
static void
put_callers(struct brief *b, const struct calls *calls, size_t call, uint32_t slot)
{
	const struct report_function *f = &b->s->functions[slot];
	uint64_t whole = f->total[column_of_callers(b->s, f)];
	size_t i;

	for (i = call; i < calls->n && i < call + CALLERS && calls->of[i].slot == slot;
		i++) {
		buf_str(&b->line, i > call ? STR(", ") : STR(" <- "));
		put_name(b, calls->of[i].caller, b->columns / 2);
		buf_fmt(&b->line, " %.0f %%",
			100 * (double)calls->of[i].weight / (double)whole);
	}
}

/* Whether the function in SLOT is worth a line. */
static bool
is_shown(const struct report *s, uint32_t slot)
{
	const struct report_function *f = &s->functions[slot];

	if (!report_is_diff(s))
		return f->self[0] && !is_noise(s, f->self);
	return report_compare(s, report_part(s, f->name, true, f->self)).is_clear;
}

static void
put_function(struct brief *b, uint32_t slot)
{
	const struct report *s = b->s;
	const struct report_function *f = &s->functions[slot];

	if (report_is_diff(s)) {
		put_change(b, report_part(s, f->name, true, f->self));
	} else {
		buf_fmt(&b->line, "%5.1f ", report_share(s, f->self[0], 0));
		if (report_has_error(s))
			buf_fmt(&b->line, "+-%-4.1f", report_error(s, f->self[0], 0));
		buf_fmt(&b->line, "%5.1f ", report_share(s, f->total[0], 0));
	}
	buf_char(&b->line, ' ');
	put_name(b, intern_str(&s->tree->names, f->name), b->columns);
}

/* Makes the list of functions of at most MOST bytes. */
static void
make_functions(struct brief *b, struct buf *part, size_t most)
{
	const struct report *s = b->s;
	struct calls calls = { 0 };
	size_t call = 0, head;
	uint32_t i;

	put_head(b, part, "functions",
		report_is_diff(s)	      ? "self"
			: report_has_error(s) ? "self, error, total"
					      : "self, total",
		"callers");
	head = part->n;
	find_calls(s, &calls);
	for (i = 0; i < s->shown && part->n <= most; i++) {
		while (call < calls.n && calls.of[call].slot < i)
			call++;
		if (!is_shown(s, i))
			continue;
		put_function(b, i);
		put_callers(b, &calls, call, i);
		end_line(b, part);
	}
	if (part->n == head && report_is_diff(s) && s->tests)
		buf_str(part, STR("none changed significantly\n"));
	free(calls.of);
	keep_lines(part, most);
	if (part->n <= head)
		buf_clear(part);
}

/* Caveats. */

/* Whether EVENT counts work on a processor. */
static bool
is_of_processor(struct str event)
{
	static const char *const names[] = { "cycles", "cpu-clock", "task-clock", "cpu",
		"instructions", "cpu-cycles" };
	struct str name = str_cut(&event, ':');
	size_t i;

	for (i = 0; i < sizeof names / sizeof *names; i++)
		if (str_eq(name, str_of(names[i])))
			return true;
	return false;
}

static void
put_open_samples(struct brief *b, struct buf *part)
{
	const struct report *s = b->s;
	double fewest = s->samples[0], least;
	uint64_t lost = folded_info_u64(s->info, "lost");

	if (report_is_diff(s) && s->samples[1] < fewest)
		fewest = s->samples[1];
	if (!report_has_error(s)) {
		buf_str(&b->line,
			STR("- what is chance: the number of samples is unknown (--samples)"));
	} else {
		if (fewest < STATS_SOFT)
			buf_fmt(&b->line, "- details: there are %.0f sample%s; ", fewest,
				msg_s((uint64_t)fewest));
		else
			buf_str(&b->line, STR("- "));
		least = fmin(400 / fewest, 100);
		buf_fmt(&b->line, "shares below %.*f %%: fewer than 4 samples each",
			least < 1 ? 2 : 0, least);
	}
	end_line(b, part);
	if (lost) {
		buf_fmt(&b->line, "- what ran during %" PRIu64 " lost samples", lost);
		end_line(b, part);
	}
	if (b->how->malformed) {
		buf_fmt(&b->line, "- what %" PRIu64 " malformed line%s had",
			b->how->malformed, msg_s(b->how->malformed));
		end_line(b, part);
	}
}

static void
put_open_quality(struct brief *b, struct buf *part)
{
	struct str estimated = folded_info_get(b->s->info, "estimated");
	struct quality q;

	if (b->s->tree->columns == 1 &&
		quality_read(&q, folded_info_get(b->s->info, "stacks"))) {
		if (quality_is_poor_in_stacks(&q)) {
			buf_fmt(&b->line,
				"- totals of callers: %.0Lf %% of the stacks are incomplete",
				100 * (1 - q.share[QUALITY_ENTRY]));
			end_line(b, part);
		}
		if (quality_is_poor_in_names(&q)) {
			buf_fmt(&b->line,
				"- which functions have %.0Lf %% of the self weight: no names",
				100 * q.share[QUALITY_UNNAMED]);
			end_line(b, part);
		}
	}
	if (!estimated.n)
		return;
	buf_str(&b->line, STR("- whole paths: stacks were estimated from calls"));
	end_line(b, part);
}

/* Makes the list of questions that these stacks cannot answer. */
static void
make_open(struct brief *b, struct buf *part)
{
	const struct report *s = b->s;

	buf_str(part, STR("\ncannot be concluded:\n"));
	put_open_samples(b, part);
	put_open_quality(b, part);
	if (is_of_processor(folded_info_get(s->info, "event"))) {
		buf_str(&b->line, STR("- waiting: only processor time was sampled"));
		end_line(b, part);
	}
	if (!report_is_diff(s) && folded_info_u64(s->info, "runs") < 2) {
		buf_str(&b->line, STR("- how much runs vary: this is one recording"));
		end_line(b, part);
	}
	if (report_is_diff(s) && !folded_info_get(s->info, "verdict").n) {
		buf_str(&b->line,
			STR("- how much runs vary: the input has no verdict of fg-diff"));
		end_line(b, part);
	}
	if (!b->how->tracks && !report_is_diff(s)) {
		buf_str(&b->line, STR("- when it ran: stacks have no times"));
		end_line(b, part);
	}
}

/* The whole report. */

/* Cuts B to whole lines that fit; the first line may be cut short. */
static void
cut_to_size(struct buf *b, size_t bytes)
{
	size_t n = bytes;

	if (b->n <= bytes)
		return;
	keep_lines(b, bytes);
	if (b->n)
		return;
	for (n--; n && ((unsigned char)b->s[n] & 0xc0) == 0x80;)
		n--;
	b->n = n;
	buf_char(b, '\n');
}

void
report_write_brief(
	struct output *out, const struct report *s, const struct report_brief *how)
{
	struct brief b = {
		.s = s, .how = how, .terminal = { .utf8 = true, .cut = true }
	};
	struct buf all = { 0 }, tree = { 0 }, functions = { 0 }, open = { 0 };
	size_t left;

	b.columns = how->bytes / BYTES_PER_COLUMN;
	b.columns = b.columns < NAME_LEAST ? NAME_LEAST : b.columns;
	b.columns = b.columns > NAME_MOST ? NAME_MOST : b.columns;
	make_head(&b, &all);
	cut_to_size(&all, how->bytes);
	left = how->bytes - all.n;
	make_open(&b, &open);
	keep_lines(&open, left / 3);
	if (open.n < STR("\ncannot be concluded:\n- ").n)
		buf_clear(&open);
	left -= open.n;
	make_functions(&b, &functions, left * 2 / 5);
	make_tree(&b, &tree, left - functions.n);
	buf_str(&all, buf_view(&tree));
	buf_str(&all, buf_view(&functions));
	buf_str(&all, buf_view(&open));
	output_str(out, buf_view(&all));
	buf_release(&all);
	buf_release(&tree);
	buf_release(&functions);
	buf_release(&open);
	buf_release(&b.line);
	free(b.chains);
	free(b.order);
}
