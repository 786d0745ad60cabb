/* SPDX-License-Identifier: ISC */
/* Steps on the stacks of a tree; see filter.h. */
#include "filter.h"
#include "sanitize.h"
#include "filter-step.h"
#include "mem.h"

/* What an option of each kind takes. */
enum takes { NOTHING, EXPRESSION, SUBSTITUTION, NUMBER, PERCENTAGE };

static const struct {
	const char *option;
	enum takes takes;
} KINDS[FILTER_KINDS] = {
	[FILTER_FOCUS] = { "focus", EXPRESSION },
	[FILTER_IGNORE] = { "ignore", EXPRESSION },
	[FILTER_ROOT] = { "root", EXPRESSION },
	[FILTER_IDLE] = { "drop-idle", NOTHING },
	[FILTER_BELOW] = { "trim-below", EXPRESSION },
	[FILTER_ABOVE] = { "trim-above", EXPRESSION },
	[FILTER_DEPTH] = { "depth", NUMBER },
	[FILTER_HIDE] = { "hide", EXPRESSION },
	[FILTER_SHOW] = { "show", EXPRESSION },
	[FILTER_RENAME] = { "rename", SUBSTITUTION },
	[FILTER_MODULE] = { "by-module", NOTHING },
	[FILTER_RECURSION] = { "collapse-recursion", NOTHING },
	[FILTER_CYCLES] = { "collapse-cycles", NOTHING },
	[FILTER_REVERSE] = { "reverse", NOTHING },
	[FILTER_SHARE] = { "min-share", PERCENTAGE },
};

static void
release_step(struct filter_step *s)
{
	match_free(s->match);
	match_edit_free(s->edit);
	free(s->known.of);
}

void
filter_release(struct filter *f)
{
	while (f->n)
		release_step(&f->steps[--f->n]);
	free(f->steps);
	*f = (struct filter){ .n = 0 };
}

/* Reads "12.5" or "12.5%". */
static bool
read_percentage(const char *text, double *percent)
{
	char *end;

	*percent = strtod(text, &end);
	return end != text && str_is_digit(*text) && !end[*end == '%'] && *percent <= 100;
}

/* Gives S its argument. */
static bool
take_argument(struct filter_step *s, struct buf *why)
{
	struct str text = str_of(s->text);

	switch (KINDS[s->kind].takes) {
	case NOTHING: return true;
	case EXPRESSION:
		buf_str(why, STR("is no expression: "));
		return (s->match = match_new(text, 0, why)) != NULL;
	case SUBSTITUTION:
		buf_str(why, STR("is no substitution, s/EXPRESSION/NEW/: "));
		return (s->edit = match_edit_new(text, why)) != NULL;
	case NUMBER:
		buf_str(why, STR("is no number of frames, 1 or more"));
		return str_to_u64(text, &s->depth) && s->depth;
	case PERCENTAGE:
		buf_str(why, STR("is no percentage, 0 to 100"));
		return read_percentage(s->text, &s->percent);
	}
	return false;
}

bool
filter_add(struct filter *f, enum filter_kind kind, const char *text, struct buf *why)
{
	struct filter_step s = { .kind = kind, .text = text };

	if (!take_argument(&s, why)) {
		release_step(&s);
		return false;
	}
	f->steps = mem_grow(f->steps, &f->cap, f->n + 1, sizeof *f->steps);
	f->steps[f->n++] = s;
	return true;
}

/* Stacks on their way from one tree to another. */
struct pass {
	struct filter *filter;
	size_t first, end; /* of the steps that are taken */
	const struct tree *from;
	struct tree *to;
	uint32_t *path;	    /* of the walk, root first */
	uint32_t *frames;   /* of the stack that steps change */
	uint32_t *had, *at; /* the stack before: its frames, their nodes */
	size_t depth;	    /* of that */
};

/* The node of ST; what it shares with the stack before need not be looked for. */
static uint32_t
find_node(struct pass *p, const struct filter_stack *st)
{
	uint32_t node = TREE_ROOT;
	size_t i = 0;

	while (i < st->n && i < p->depth && st->frames[i] == p->had[i])
		i++;
	if (i)
		node = p->at[i - 1];
	for (; i < st->n; i++) {
		node = tree_child_id(p->to, node, st->frames[i]);
		p->had[i] = st->frames[i];
		p->at[i] = node;
	}
	p->depth = st->n;
	return node;
}

/* Makes the first frame of ST one that a line can begin with: not without a name and
 * alone, and not a '#', with which a comment begins. */
static void
settle(struct filter_stack *st)
{
	struct str first = intern_str(st->names, st->frames[0]);
	struct buf b = { 0 };

	if (st->n == 1 && !first.n) {
		st->frames[0] = intern_id(st->names, STR("[unknown]"));
	} else if (str_starts(first, STR("#"))) {
		buf_char(&b, ' ');
		buf_str(&b, first);
		st->frames[0] = intern_id(st->names, buf_view(&b));
		buf_release(&b);
	}
}

/* Takes NODE, whose path has DEPTH frames, through the steps. */
static void
take_stack(struct pass *p, uint32_t node, uint32_t depth)
{
	struct filter_stack st = { p->frames, depth, &p->to->names };
	struct filter *f = p->filter;
	bool stays = true;
	uint32_t to;
	size_t i;
	int c;

	memcpy(st.frames, p->path, depth * sizeof *st.frames);
	for (i = p->first; i < p->end && stays; i++) {
		stays = filter_step_take(f, &f->steps[i], &st);
		if (stays)
			settle(&st);
	}
	to = stays ? find_node(p, &st) : TREE_ROOT;
	for (c = 0; c < p->to->columns; c++)
		if (stays)
			tree_add(p->to, to, c, p->from->self[c][node]);
		else
			f->dropped[c] += p->from->self[c][node];
}

static bool
has_weight(const struct tree *t, uint32_t node)
{
	return t->self[0][node] || (t->columns > 1 && t->self[1][node]);
}

/* Takes every stack of the tree through the steps. */
static void
walk(struct pass *p)
{
	const struct tree *t = p->from;
	struct tree_walk w;
	uint32_t i, deepest = 1;

	tree_walk_init(&w, t, TREE_AS_ADDED);
	for (i = 0; i < w.n; i++)
		deepest = w.depth[i] > deepest ? w.depth[i] : deepest;
	p->path = mem_alloc(4 * (size_t)deepest * sizeof *p->path);
	p->frames = p->path + deepest;
	p->had = p->frames + deepest;
	p->at = p->had + deepest;
	for (i = 0; i < w.n; i++) {
		p->path[w.depth[i] - 1] = t->nodes[w.node[i]].name;
		if (has_weight(t, w.node[i]))
			take_stack(p, w.node[i], w.depth[i]);
	}
	free(p->path);
	tree_walk_release(&w);
}

/* Puts the stacks that the steps from FIRST to END make of those of T in their place. */
static void
change(struct filter *f, struct tree *t, size_t first, size_t end)
{
	struct tree from = *t;
	struct pass p = {
		.filter = f, .first = first, .end = end, .from = &from, .to = t
	};

	tree_init(t, from.columns);
	t->scale = from.scale;
	t->names = from.names;
	from.names = (struct intern){ 0 };
	walk(&p);
	tree_release(&from);
}

/* Whether the totals of a node are all less than the share of S. */
static bool
is_small(const struct filter *f, const struct filter_step *s, const struct tree *t,
	const uint64_t total[TREE_COLUMNS])
{
	uint64_t whole;
	int c;

	for (c = 0; c < t->columns; c++) {
		whole = f->keep_total ? f->whole[c] : t->sum[c];
		if ((double)total[c] * 100 >= s->percent * (double)whole && total[c])
			return false;
	}
	return true;
}

/* Gives what NODE weighs for itself to the node TO. */
static void
move_weight(struct tree *t, uint32_t node, uint32_t to)
{
	int c;

	for (c = 0; c < t->columns; c++) {
		t->self[c][to] += t->self[c][node];
		t->self[c][node] = 0;
	}
}

/* Gives a name to a stack of one frame that has none, as settle does. */
static void
settle_lone(struct tree *t)
{
	uint32_t i, n = t->n;

	for (i = 1; i < n; i++)
		if (t->nodes[i].parent == TREE_ROOT && has_weight(t, i) &&
			!intern_str(&t->names, t->nodes[i].name).n)
			move_weight(t, i, tree_child(t, TREE_ROOT, STR("[unknown]")));
}

/* Gives the weights of small frames to their callers. What a small frame calls is
 * small too, so that its own weight is its total by the time it is looked at. A frame
 * without a caller keeps its weight. */
static void
prune(const struct filter *f, const struct filter_step *s, struct tree *t)
{
	uint64_t *totals[TREE_COLUMNS] = { NULL }, total[TREE_COLUMNS] = { 0 };
	uint32_t i, parent;
	int c;

	for (c = 0; c < t->columns; c++)
		totals[c] = tree_totals(t, c);
	for (i = t->n - 1; i > 0; i--) {
		parent = t->nodes[i].parent;
		for (c = 0; c < t->columns; c++)
			total[c] = totals[c][i];
		if (parent != TREE_ROOT && is_small(f, s, t, total))
			move_weight(t, i, parent);
	}
	settle_lone(t);
	for (c = 0; c < t->columns; c++)
		free(totals[c]);
}

/* Whether no expression of S was given up. */
static bool
is_sound(const struct filter_step *s)
{
	const char *why = s->match ? match_failure(s->match)
		: s->edit	   ? match_edit_failure(s->edit)
				   : NULL;

	if (why)
		msg_error(
			"--%s '%s': giving up: %s", KINDS[s->kind].option, s->text, why);
	return !why;
}

/* Puts back what was filtered out. */
static void
keep_dropped(const struct filter *f, struct tree *t)
{
	uint32_t node;
	int c;

	if (!f->dropped[0] && !f->dropped[1])
		return;
	node = tree_child(t, TREE_ROOT, STR("[filtered]"));
	for (c = 0; c < t->columns; c++)
		tree_add(t, node, c, f->dropped[c]);
}

bool
filter_run(struct filter *f, struct tree *t)
{
	size_t first, end;

	sanitize_names(t);
	memcpy(f->whole, t->sum, sizeof f->whole);
	for (first = 0; first < f->n; first = end) {
		end = first;
		while (end < f->n && f->steps[end].kind != FILTER_SHARE)
			end++;
		if (end > first)
			change(f, t, first, end);
		else
			prune(f, &f->steps[end++], t);
	}
	for (first = 0; first < f->n; first++)
		if (!is_sound(&f->steps[first]))
			return false;
	if (f->keep_total)
		keep_dropped(f, t);
	return true;
}

void
filter_adjust(const struct filter *f, const struct tree *t, struct folded_info *info)
{
	struct weight whole[TREE_COLUMNS];
	int c;

	for (c = 0; c < TREE_COLUMNS; c++)
		whole[c] = weight_of(f->whole[c], t->scale);
	folded_info_keep(info, t, whole);
}
