/* SPDX-License-Identifier: ISC */
/* Times and tracks of stacks: split off, and written for the script; see timeline.h. */
#include "timeline.h"
#include "dimensions.h"
#include "graft.h"
#include "mem.h"
#include "table.h"

enum { ROW = 'r', TRACK = 't', TIME = 'x' };

static char
role_of(struct str dimension)
{
	if (str_eq(dimension, STR("time")))
		return TIME;
	return folded_by_is_apart(dimension) ? TRACK : ROW;
}

/* Parses BY. Returns whether one of the dimensions is time. */
static bool
read_roles(struct timeline *tl, struct str by)
{
	struct dimensions d = { .n = 0 };
	bool has_time = false;
	char role;
	size_t i;

	if (dimensions_read(&d, by))
		buf_str(&tl->by, by);
	for (i = 0; i < d.n; i++) {
		role = role_of(d.name[i]);
		tl->rows += role == ROW;
		has_time |= role == TIME;
		buf_char(&tl->roles, role);
	}
	dimensions_release(&d);
	return has_time;
}

/* The place of each node of the full tree. */
struct places {
	struct graft graft;
	uint32_t *depth, *track, *time;
};

static void
places_init(struct places *at, struct tree *t)
{
	at->depth = tree_depths(t);
	at->track = mem_zero(t->n, sizeof *at->track);
	at->time = mem_zero(t->n, sizeof *at->time);
	graft_move(&at->graft, t);
}

static void
places_release(struct places *at)
{
	free(graft_end(&at->graft));
	free(at->depth);
	free(at->track);
	free(at->time);
}

/* The track of a node with one more value, at DEPTH, than its parent's track ABOVE. */
static uint32_t
add_track(struct timeline *tl, uint32_t above, struct str value)
{
	struct buf b = { 0 };
	uint32_t id;

	/* each value is terminated, so that no tuple is a prefix of another */
	buf_str(&b, intern_str(&tl->track_names, above));
	buf_str(&b, value);
	buf_char(&b, ';');
	id = intern_id(&tl->track_names, buf_view(&b));
	buf_release(&b);
	return id;
}

/* Finds the track and time of node I, which is not a frame, from its parent's. */
static void
find_time(struct timeline *tl, struct places *at, uint32_t i)
{
	const struct tree_node *node = &at->graft.from->nodes[i];
	struct str name = intern_str(&at->graft.to->names, node->name);
	uint32_t up = node->parent;
	char role = at->depth[i] <= tl->roles.n ? tl->roles.s[at->depth[i] - 1] : ROW;

	at->track[i] = at->track[up];
	at->time[i] = at->time[up];
	if (role == TRACK)
		at->track[i] = add_track(tl, at->track[up], name);
	else if (role == TIME)
		at->time[i] = intern_id(&tl->time_names, name);
	if (role != ROW)
		at->graft.name[i] = GRAFT_JOIN;
}

/* Adds the weight of node I. A stack that ends among the dimensions lacks the other values. */
static void
add_cell(struct timeline *tl, struct places *at, uint32_t i)
{
	struct timeline_cell cell = { at->graft.from->self[0][i], at->graft.now[i],
		at->track[i], at->time[i] };
	size_t k;

	for (k = at->depth[i]; k < tl->roles.n; k++)
		if (tl->roles.s[k] == TRACK)
			cell.track = add_track(tl, cell.track, DIMENSIONS_NO_VALUE);
		else if (tl->roles.s[k] == TIME)
			cell.time = intern_id(&tl->time_names, DIMENSIONS_NO_VALUE);
		else
			cell.node =
				tree_child(at->graft.to, cell.node, DIMENSIONS_NO_VALUE);
	at->graft.now[i] = cell.node;
	tl->cells = mem_grow(tl->cells, &tl->cap, tl->n + 1, sizeof *tl->cells);
	tl->cells[tl->n++] = cell;
}

/* Places all nodes of T, which still has times and tracks. */
static void
place_all(struct timeline *tl, struct tree *t)
{
	struct places at;
	uint32_t i;

	places_init(&at, t);
	for (i = TREE_ROOT + 1; i < at.graft.from->n; i++)
		find_time(tl, &at, i);
	graft_rename(&at.graft, buf_str);
	graft_nodes(&at.graft);
	for (i = TREE_ROOT + 1; i < at.graft.from->n; i++)
		if (at.graft.from->self[0][i])
			add_cell(tl, &at, i);
	graft_weigh(&at.graft);
	places_release(&at);
}

static bool
is_in_order(const struct tree *t)
{
	uint32_t i = TREE_ROOT + 1;

	while (i < t->n && t->nodes[i].name != TREE_GAP)
		i++;
	return t->self[0][TREE_ROOT] || i < t->n;
}

/* A name with its id in a table. */
struct ranked {
	struct str name;
	uint32_t id;
};

static int
compare_ranked(const void *a, const void *b)
{
	return str_cmp(
		((const struct ranked *)a)->name, ((const struct ranked *)b)->name);
}

/* Sorts the names of T whose ids are USED into *NAMES. Returns their ranks by id. */
static uint32_t *
rank_names(const struct intern *t, const bool *used, struct str **names, uint32_t *n)
{
	struct ranked *all = mem_zero(t->n, sizeof *all);
	uint32_t *rank = mem_zero(t->n, sizeof *rank), i;

	*n = 0;
	for (i = 0; i < t->n; i++)
		if (used[i])
			all[(*n)++] = (struct ranked){ intern_str(t, i), i };
	qsort(all, *n, sizeof *all, compare_ranked);
	*names = mem_zero(*n, sizeof **names);
	for (i = 0; i < *n; i++) {
		(*names)[i] = all[i].name;
		rank[all[i].id] = i;
	}
	free(all);
	return rank;
}

/* Names in byte order, which is also the order of times. */
static void
rank_cells(struct timeline *tl)
{
	bool *tracks = mem_zero(tl->track_names.n, sizeof *tracks);
	bool *times = mem_zero(tl->time_names.n, sizeof *times);
	uint32_t *track, *time;
	size_t i;

	for (i = 0; i < tl->n; i++) {
		tracks[tl->cells[i].track] = true;
		times[tl->cells[i].time] = true;
	}
	track = rank_names(&tl->track_names, tracks, &tl->tracks, &tl->n_tracks);
	time = rank_names(&tl->time_names, times, &tl->times, &tl->n_times);
	for (i = 0; i < tl->n; i++) {
		tl->cells[i].track = track[tl->cells[i].track];
		tl->cells[i].time = time[tl->cells[i].time];
	}
	free(tracks);
	free(times);
	free(track);
	free(time);
}

static int
compare_cells(const void *va, const void *vb)
{
	const struct timeline_cell *a = va, *b = vb;

	if (a->node != b->node)
		return a->node < b->node ? -1 : 1;
	if (a->track != b->track)
		return a->track < b->track ? -1 : 1;
	return (a->time > b->time) - (a->time < b->time);
}

static uint64_t
common_divisor(uint64_t a, uint64_t b)
{
	uint64_t rest;

	for (; b; b = rest) {
		rest = a % b;
		a = b;
	}
	return a;
}

/* Joins cells of the same place, which stacks that end among the dimensions may share. */
static void
join_cells(struct timeline *tl)
{
	size_t i, n = 0;

	if (!tl->n)
		return;
	qsort(tl->cells, tl->n, sizeof *tl->cells, compare_cells);
	for (i = 1; i < tl->n; i++)
		if (compare_cells(&tl->cells[n], &tl->cells[i]) == 0)
			tl->cells[n].weight += tl->cells[i].weight;
		else
			tl->cells[++n] = tl->cells[i];
	tl->n = n + 1;
}

bool
timeline_init(struct timeline *tl, struct profile *p)
{
	size_t i;

	*tl = (struct timeline){ .n = 0 };
	if (p->tree.columns > 1 || !read_roles(tl, folded_info_get(&p->info, "by")) ||
		is_in_order(&p->tree))
		return false;
	(void)intern_id(&tl->track_names, STR(""));
	(void)intern_id(&tl->time_names, STR(""));
	place_all(tl, &p->tree);
	rank_cells(tl);
	join_cells(tl);
	for (i = 0; i < tl->n; i++)
		tl->unit = common_divisor(tl->cells[i].weight, tl->unit);
	return true;
}

void
timeline_release(struct timeline *tl)
{
	buf_release(&tl->roles);
	buf_release(&tl->by);
	free(tl->tracks);
	free(tl->times);
	free(tl->cells);
	intern_release(&tl->track_names);
	intern_release(&tl->time_names);
	*tl = (struct timeline){ .n = 0 };
}

/* How many bytes NAME shares with BEFORE and need not repeat: only bytes written unescaped. */
static size_t
count_shared(struct str before, struct str name)
{
	size_t n = 0;

	while (n < before.n && n < name.n && before.s[n] == name.s[n] &&
		name.s[n] >= ' ' && name.s[n] < 0x7f && !strchr("\\]<", name.s[n]))
		n++;
	return n;
}

static void
put_names(struct buf *b, const struct str *names, uint32_t n)
{
	struct str before = { 0 };
	size_t shared;
	uint32_t i;

	for (i = 0; i < n; i++) {
		shared = count_shared(before, names[i]);
		table_put_number(b, shared);
		table_put_name(b, str_from(names[i], shared));
		buf_char(b, '\n');
		before = names[i];
	}
}

/* Adds the N cells of NODE, from CELL on. */
static void
put_cells(struct buf *b, const struct timeline *tl, const struct timeline_cell *cell,
	size_t n)
{
	uint64_t next = 0, slot;
	size_t i;

	table_put_number(b, n - 1);
	for (i = 0; i < n; i++) {
		slot = (uint64_t)cell[i].track * tl->n_times + cell[i].time;
		table_put_number(b, slot - next);
		next = slot + 1;
		if (i + 1 < n)
			table_put_number(b, cell[i].weight / tl->unit);
	}
}

/* By node, the start of its cells; one more for the end. */
static size_t *
find_cells(const struct timeline *tl, const struct tree *t)
{
	size_t *first = mem_zero((size_t)t->n + 1, sizeof *first), i;

	for (i = 0; i < tl->n; i++)
		first[tl->cells[i].node + 1]++;
	for (i = 0; i < t->n; i++)
		first[i + 1] += first[i];
	return first;
}

void
timeline_put(struct buf *b, const struct timeline *tl, const struct tree *t,
	const struct tree_walk *w)
{
	size_t *first = find_cells(tl, t), i;
	uint32_t node;

	buf_str(b, buf_view(&tl->roles));
	buf_char(b, '\n');
	table_put_number(b, tl->n_tracks);
	table_put_number(b, tl->n_times);
	table_put_number(b, tl->unit);
	table_put_number(b, t->self[0][TREE_ROOT] / tl->unit);
	buf_char(b, '\n');
	put_names(b, tl->tracks, tl->n_tracks);
	put_names(b, tl->times, tl->n_times);
	if (first[1])
		put_cells(b, tl, tl->cells, first[1]);
	for (i = 0; i < w->n; i++) {
		node = w->node[i];
		if (first[node + 1] > first[node])
			put_cells(b, tl, tl->cells + first[node],
				first[node + 1] - first[node]);
	}
	free(first);
}
