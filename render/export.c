/* SPDX-License-Identifier: ISC */
/* Prepares a profile for a target; see export.h. */
#include "export.h"
#include "date.h"
#include "graft.h"
#include "mem.h"
#include "msg.h"
#include "units.h"
#include "utf8.h"

#include <inttypes.h>

#define NOT_YET UINT32_MAX

void
export_flush(struct export *x)
{
	enum { MUCH = 256 * 1024 };
	struct buf *b = &x->b;

	if (b->n < MUCH)
		return;
	output_str(x->out, str_head(buf_view(b), b->n - 1));
	b->s[0] = b->s[b->n - 1];
	b->n = 1;
}

/* Tracks. */

/* Work space for making tracks: facts about the nodes that are a last dimension. */
struct split {
	struct export *x;
	uint32_t *depth, *lead, *to; /* by node: the last dimension above it, the stack */
	uint32_t *track;	     /* by leading node; NOT_YET */
	uint64_t *time;
	bool *timed;
	uint64_t untimed; /* values that are not times */
	struct buf values;
};

/* Adds VALUE, of dimension I, to the track or time of LEAD. */
static void
add_value(struct split *s, uint32_t lead, size_t i, struct str value)
{
	if (i != s->x->time) {
		buf_str(&s->values, value);
		buf_char(&s->values, ';');
		return;
	}
	s->timed[lead] = folded_time(value, &s->time[lead]);
	s->untimed += !s->timed[lead] && !str_eq(value, DIMENSIONS_NO_VALUE);
}

/* Finds the track and time of LEAD. */
static void
find_track(struct split *s, uint32_t lead)
{
	const struct tree *t = &s->x->profile->tree;
	uint32_t path[DIMENSIONS_MOST], node;
	size_t n = 0, i;

	buf_clear(&s->values);
	for (node = lead; node != TREE_ROOT; node = t->nodes[node].parent)
		path[n++] = node;
	for (i = 0; i < n; i++)
		add_value(s, lead, i,
			intern_str(&t->names, t->nodes[path[n - 1 - i]].name));
	s->track[lead] = intern_id(&s->x->track_names, buf_view(&s->values));
}

/* Makes the tree of stacks without dimensions. */
static void
cut_dimensions(struct split *s)
{
	struct tree *own = &s->x->own;
	const struct tree *t = &s->x->profile->tree;
	uint32_t i, most = (uint32_t)s->x->by->n;
	struct graft g;

	tree_init(own, 1);
	graft_add(&g, own, t);
	for (i = TREE_ROOT + 1; i < t->n; i++) {
		s->lead[i] = s->depth[i] <= most ? i : s->lead[t->nodes[i].parent];
		g.name[i] = s->depth[i] <= most
			? GRAFT_JOIN
			: intern_id(&own->names, intern_str(&t->names, t->nodes[i].name));
	}
	graft_nodes(&g);
	s->to = graft_end(&g);
	s->x->tree = own;
}

/* STACK, or a frame in its place if it has no function. */
static uint32_t
with_function(struct tree *own, uint32_t stack)
{
	const struct tree_node *n = &own->nodes[stack];

	if (stack != TREE_ROOT &&
		(n->parent != TREE_ROOT || intern_str(&own->names, n->name).n))
		return stack;
	return tree_child(own, TREE_ROOT, DIMENSIONS_NO_FUNCTION);
}

static void
split_init(struct split *s, struct export *x)
{
	uint32_t n = x->profile->tree.n, i;

	*s = (struct split){ .x = x,
		.depth = tree_depths(&x->profile->tree),
		.lead = mem_zero(n, sizeof *s->lead),
		.track = mem_alloc(n * sizeof *s->track),
		.time = mem_zero(n, sizeof *s->time),
		.timed = mem_zero(n, sizeof *s->timed) };
	for (i = 0; i < n; i++)
		s->track[i] = NOT_YET;
}

static void
split_release(struct split *s)
{
	free(s->depth);
	free(s->lead);
	free(s->to);
	free(s->track);
	free(s->time);
	free(s->timed);
	buf_release(&s->values);
}

/* Samples. */

static void
add_sample(struct export *x, size_t *cap, uint32_t node, struct export_sample sample)
{
	const struct tree *t = &x->profile->tree;
	bool weighs = false;
	int c;

	for (c = 0; c < x->columns; c++) {
		sample.weight[c] = t->self[x->first + c][node];
		weighs |= sample.weight[c] > 0;
	}
	if (!weighs)
		return;
	x->samples = mem_grow(x->samples, cap, x->n + 1, sizeof *x->samples);
	x->samples[x->n++] = sample;
}

/* The samples of a profile whose dimensions become tracks. */
static void
split_samples(struct export *x)
{
	const struct tree *t = &x->profile->tree;
	struct export_sample sample = { .time = 0 };
	size_t cap = 0;
	struct split s;
	uint32_t i, lead;

	split_init(&s, x);
	cut_dimensions(&s);
	for (i = TREE_ROOT + 1; i < t->n; i++) {
		if (!t->self[0][i] && !(t->columns > 1 && t->self[1][i]))
			continue;
		lead = s.lead[i];
		if (s.track[lead] == NOT_YET)
			find_track(&s, lead);
		sample.stack = with_function(&x->own, s.to[i]);
		sample.track = s.track[lead];
		sample.time = s.time[lead];
		sample.timed = s.timed[lead];
		add_sample(x, &cap, i, sample);
	}
	if (s.untimed)
		msg_warn("%" PRIu64 " value%s of the dimension time %s no time",
			s.untimed, msg_s(s.untimed), s.untimed == 1 ? "is" : "are");
	split_release(&s);
}

/* The samples of a profile whose stacks keep their dimensions: one track. */
static void
list_samples(struct export *x)
{
	struct export_sample sample = { .track = intern_id(&x->track_names, STR("")) };
	size_t cap = 0;
	uint32_t i;

	for (i = TREE_ROOT + 1; i < x->tree->n; i++) {
		sample.stack = i;
		add_sample(x, &cap, i, sample);
	}
}

static int
by_weight(const void *a, const void *b)
{
	const struct export_track *p = a, *q = b;

	if (p->sum != q->sum)
		return p->sum < q->sum ? 1 : -1;
	return str_cmp(p->values, q->values);
}

/* Sorts the tracks; samples get the new numbers, and ranks. */
static void
order_tracks(struct export *x)
{
	uint32_t n = x->track_names.n, *now = mem_alloc((n + 1) * sizeof *now), id;
	uint32_t *rank = mem_zero(x->tree->n, sizeof *rank), i;
	struct tree_walk w;
	size_t k;

	x->tracks = mem_zero((size_t)n + 1, sizeof *x->tracks);
	x->track_n = n;
	for (i = 0; i < n; i++)
		x->tracks[i].values = intern_str(&x->track_names, i);
	for (k = 0; k < x->n; k++)
		x->tracks[x->samples[k].track].sum +=
			x->samples[k].weight[x->columns - 1];
	qsort(x->tracks, n, sizeof *x->tracks, by_weight);
	for (i = 0; i < n; i++)
		if (intern_find(&x->track_names, x->tracks[i].values, &id))
			now[id] = i;
	tree_walk_init(&w, x->tree, TREE_BY_NAME);
	for (i = 0; i < w.n; i++)
		rank[w.node[i]] = i + 1;
	tree_walk_release(&w);
	for (k = 0; k < x->n; k++) {
		x->samples[k].track = now[x->samples[k].track];
		x->samples[k].rank = rank[x->samples[k].stack];
	}
	free(now);
	free(rank);
}

static int
in_order(const void *a, const void *b)
{
	const struct export_sample *p = a, *q = b;

	if (p->track != q->track)
		return p->track < q->track ? -1 : 1;
	if (p->timed != q->timed)
		return q->timed ? -1 : 1;
	if (p->time != q->time)
		return p->time < q->time ? -1 : 1;
	return p->rank < q->rank ? -1 : p->rank > q->rank;
}

/* Weights. */

/* The POWER of a unit of 10^-POWER seconds. */
static int
power_of(struct str unit)
{
	return str_eq(unit, STR("ns"))	  ? 9
		: str_eq(unit, STR("us")) ? 6
		: str_eq(unit, STR("ms")) ? 3
					  : 0;
}

static void
find_unit(struct export *x)
{
	x->unit = folded_info_unit(&x->profile->info);
	x->scale = x->profile->tree.scale;
	x->kind = units_are_time(x->unit)	? EXPORT_TIME
		: str_eq(x->unit, STR("bytes")) ? EXPORT_BYTES
						: EXPORT_COUNT;
}

/* State of rounding a column: POWER is how many digits a weight gains, or loses if negative.
 * The remainder is carried to the next weight, so that the sum stays right. */
struct whole {
	int power;
	uint64_t part, rest, rounded;
	bool overflows;
};

static uint64_t
make_whole(struct whole *w, uint64_t value)
{
	uint64_t result, rest;

	if (w->power >= 0) {
		w->overflows |= value > INT64_MAX / w->part;
		return value * w->part;
	}
	result = value / w->part;
	rest = value % w->part;
	w->rounded += rest > 0;
	w->rest += rest;
	if (w->rest >= w->part) {
		w->rest -= w->part;
		result++;
	}
	w->overflows |= result > INT64_MAX;
	return result;
}

/* Rounds the weights of column C to whole numbers; false when the sum does not fit in 63 bits. */
static bool
make_column_whole(struct export *x, int c, uint64_t *rounded)
{
	int units = x->kind == EXPORT_TIME ? 9 - power_of(x->unit) : 0;
	struct whole w = { .power = units - (int)x->scale, .part = 1 };
	uint64_t sum = 0;
	size_t i;
	int k;

	for (k = w.power < 0 ? -w.power : w.power; k > 0; k--)
		w.part *= 10;
	w.rest = w.power < 0 ? w.part / 2 : 0;
	for (i = 0; i < x->n && !w.overflows; i++) {
		x->samples[i].weight[c] = make_whole(&w, x->samples[i].weight[c]);
		w.overflows |= x->samples[i].weight[c] > INT64_MAX - sum;
		sum += x->samples[i].weight[c];
	}
	*rounded += w.rounded;
	return !w.overflows;
}

/* Removes the samples that were rounded to 0. */
static void
drop_empty(struct export *x)
{
	size_t i, n = 0;

	for (i = 0; i < x->n; i++)
		if (x->samples[i].weight[0] ||
			(x->columns > 1 && x->samples[i].weight[1]))
			x->samples[n++] = x->samples[i];
	x->n = n;
}

static bool
make_all_whole(struct export *x)
{
	uint64_t rounded = 0;
	int c;

	for (c = 0; c < x->columns; c++)
		if (!make_column_whole(x, c, &rounded)) {
			msg_error(
				"--to %s: the weights overflow 63 bits", x->set->target);
			return false;
		}
	if (x->kind == EXPORT_TIME)
		x->unit = STR("ns");
	x->scale = 0;
	drop_empty(x);
	if (rounded)
		msg_warn("--to %s has whole numbers: %" PRIu64
			 " weight%s rounded; the sum is kept",
			x->set->target, rounded, msg_s(rounded));
	return true;
}

/* Whether a double keeps all digits of VALUE units of 10^-SCALE. */
static bool
is_double(uint64_t value, unsigned scale)
{
	const uint64_t digits_15 = 1000000000000000, bits_53 = (uint64_t)1 << 53;

	if (value <= digits_15 || (!scale && value <= bits_53))
		return true;
	return !scale && value < (uint64_t)1 << 63 && (uint64_t)(double)value == value;
}

static void
warn_of_doubles(const struct export *x)
{
	uint64_t bad = 0;
	size_t i;
	int c;

	for (i = 0; i < x->n; i++)
		for (c = 0; c < x->columns; c++)
			bad += !is_double(x->samples[i].weight[c], x->scale);
	if (bad)
		msg_warn("--to %s: %" PRIu64
			 " weight%s more digits than the 53 bits that "
			 "its readers keep",
			x->set->target, bad, bad == 1 ? " has" : "s have");
}

static bool
settle_weights(struct export *x)
{
	unsigned needs = x->target->needs;
	size_t i;
	int c;

	if (needs & EXPORT_TIMES && x->kind != EXPORT_TIME) {
		msg_error("--to %s has weights of time only, not %.*s; see fg-export(1)",
			x->set->target, STR_ARG(x->unit));
		return false;
	}
	if (needs & EXPORT_WHOLE && !make_all_whole(x))
		return false;
	for (i = 0; i < x->n; i++)
		for (c = 0; c < x->columns; c++)
			x->sum[c] += x->samples[i].weight[c];
	if (needs & EXPORT_DOUBLES)
		warn_of_doubles(x);
	return true;
}

/* Chooses the columns of the samples. */
static void
choose_columns(struct export *x)
{
	bool two = x->profile->tree.columns > 1;

	x->columns = two && x->target->needs & EXPORT_BOTH && !x->set->before ? 2 : 1;
	x->first = two && x->columns == 1 && !x->set->before;
	if (two && x->columns == 1 && !x->set->before)
		msg_warn("--to %s takes one column: this is %.*s; --before exports the "
			 "other",
			x->set->target, STR_ARG(export_column(x, 0)));
}

/* Sums away the dimensions that TARGET cannot represent. */
static void
drop_dimensions(struct profile *profile, const struct export_settings *set,
	const struct export_target *target)
{
	struct dimensions keep = { .n = 0 };

	dimensions_copy(&keep, &set->keep);
	if (target->needs & EXPORT_ONE)
		(void)dimensions_add(&keep, STR("time"));
	if (!export_has_place(target))
		profile_keep_dimensions(profile, &keep);
	dimensions_release(&keep);
}

bool
export_has_place(const struct export_target *target)
{
	return target->needs & (EXPORT_TRACKS | EXPORT_ASIS) &&
		!(target->needs & EXPORT_ONE);
}

bool
export_init(struct export *x, struct profile *profile, const struct export_settings *set,
	const struct export_target *target)
{
	static const struct dimensions none = { .n = 0 };

	drop_dimensions(profile, set, target);
	/* Targets show neither the order of lines nor unsupported dimensions, so all can be
	 * sorted. */
	tree_sort(&profile->tree);
	*x = (struct export){
		.profile = profile, .set = set, .target = target, .tree = &profile->tree
	};
	x->by = target->needs & EXPORT_TRACKS ? &profile->by.now : &none;
	x->time = dimensions_find(x->by, STR("time"));
	find_unit(x);
	if (target->needs & EXPORT_ASIS)
		return true;
	choose_columns(x);
	if (x->by->n)
		split_samples(x);
	else
		list_samples(x);
	order_tracks(x);
	if (x->n)
		qsort(x->samples, x->n, sizeof *x->samples, in_order);
	if (!settle_weights(x))
		return false;
	if (!x->n)
		msg_error("--to %s: no stack has a weight", set->target);
	return x->n > 0;
}

void
export_release(struct export *x)
{
	buf_release(&x->b);
	if (x->tree == &x->own)
		tree_release(&x->own);
	intern_release(&x->track_names);
	free(x->tracks);
	free(x->samples);
	free(x->path);
}

/* Queries of targets. */

struct str
export_value(const struct export *x, uint32_t track, size_t i)
{
	struct str rest = x->tracks[track].values;
	size_t k;

	for (k = 0; k < i && rest.n; k++)
		if (k != x->time)
			(void)str_cut(&rest, ';');
	if (!rest.n || i == x->time)
		return (struct str){ 0 };
	return str_cut(&rest, ';');
}

void
export_put_track(struct buf *b, const struct export *x, uint32_t track)
{
	struct str rest = x->tracks[track].values;
	size_t begin = b->n;

	while (rest.n) {
		if (b->n > begin)
			buf_char(b, ' ');
		buf_str(b, str_cut(&rest, ';'));
	}
}

/* The value of the dimension NAME of TRACK. */
static struct str
value_of(const struct export *x, uint32_t track, struct str name)
{
	size_t i = dimensions_find(x->by, name);

	return i < x->by->n ? export_value(x, track, i) : (struct str){ 0 };
}

/* Cuts the part after the last C off *TEXT and returns it; empty without a C. */
static struct str
cut_behind(struct str *text, char c)
{
	size_t at = str_rfind(*text, c);
	struct str tail = { 0 };

	if (at < text->n) {
		tail = str_from(*text, at + 1);
		text->n = at;
	}
	return tail;
}

struct export_thread
export_thread(const struct export *x, uint32_t track)
{
	struct export_thread t = { .comm = value_of(x, track, STR("comm")) };
	struct str pid = value_of(x, track, STR("pid"));
	struct str tid = value_of(x, track, STR("tid")), name;

	name = tid.n ? tid : pid;
	if (tid.n)
		t.tid = cut_behind(&name, '/');
	t.pid = cut_behind(&name, '-');
	if (!t.comm.s && name.n)
		t.comm = name;
	return t;
}

bool
export_is_label(const struct export *x, size_t i, struct str *name)
{
	static const char prefix[] = "label:";

	*name = x->by->name[i];
	if (dimensions_is_thread(*name) || i == x->time)
		return false;
	if (str_starts(*name, STR(prefix)))
		*name = str_from(*name, sizeof prefix - 1);
	return true;
}

bool
export_is_number(struct str value, uint64_t *number)
{
	return value.n && value.s[0] != '0' && str_to_u64(value, number) &&
		*number <= INT64_MAX;
}

void
export_put_thread(struct buf *b, const struct export *x, uint32_t track)
{
	struct str comm = export_thread(x, track).comm, value;
	size_t i;

	if (!comm.n) {
		export_put_track(b, x, track);
		return;
	}
	buf_str(b, comm);
	for (i = 0; i < x->by->n; i++) {
		value = export_value(x, track, i);
		if (dimensions_is_thread(x->by->name[i]) || !value.n ||
			str_eq(value, DIMENSIONS_NO_VALUE))
			continue;
		buf_char(b, ' ');
		buf_str(b, value);
	}
}

struct export_place
export_place(struct str frame)
{
	struct export_place place = { .name = frame };
	struct str name = frame, line = cut_behind(&name, ':');
	struct str file = cut_behind(&name, ':');

	if (name.n && line.n && line.s[0] != '0' && str_find(file, '.') < file.n &&
		str_find(file, '/') == file.n && str_to_u64(line, &place.line) &&
		place.line <= INT32_MAX) {
		place.name = name;
		place.file = file;
	} else {
		place.line = 0;
	}
	return place;
}

struct str
export_column(const struct export *x, int i)
{
	const struct folded_info *info = &x->profile->info;
	struct str ratio = folded_info_get(info, "ratio"), first, event;
	int column = x->first + i;

	if (x->profile->tree.columns > 1) {
		first = str_cut(&ratio, ',');
		if (first.n && ratio.n)
			return column ? ratio : first;
		return column ? STR("after") : STR("before");
	}
	event = folded_info_get(info, "event");
	return event.n ? event : x->unit;
}

struct str
export_title(const struct export *x)
{
	static const char *const keys[] = { "command", "name" };
	struct str value;
	size_t i;

	for (i = 0; i < sizeof keys / sizeof *keys; i++) {
		value = folded_info_get(&x->profile->info, keys[i]);
		if (value.n)
			return value;
	}
	return STR("profile");
}

uint64_t
export_start(const struct export *x)
{
	struct str start = folded_info_get(&x->profile->info, "start");
	uint64_t ns;
	bool zoned;

	return date_cut(&start, &ns, &zoned) ? ns : 0;
}

void
export_put_decimal(struct buf *b, uint64_t value, int scale)
{
	char digits[24];
	int n = snprintf(digits, sizeof digits, "%" PRIu64, value), zeros;

	if (scale <= 0 || !value) {
		buf_str(b, (struct str){ digits, (size_t)n });
		for (; scale < 0 && value; scale++)
			buf_char(b, '0');
		return;
	}
	for (zeros = 0; zeros < scale && digits[n - 1] == '0' && n > 1; zeros++)
		n--;
	scale -= zeros;
	if (n <= scale)
		buf_str(b, STR("0."));
	for (zeros = n; zeros < scale; zeros++)
		buf_char(b, '0');
	buf_str(b, (struct str){ digits, n > scale ? (size_t)(n - scale) : 0 });
	if (n > scale && scale)
		buf_char(b, '.');
	buf_str(b,
		(struct str){ digits + (n > scale ? n - scale : 0),
			(size_t)(n > scale ? scale : n) });
}

void
export_put_seconds(struct buf *b, const struct export *x, uint64_t value, int power)
{
	export_put_decimal(b, value, (int)x->scale + power_of(x->unit) - power);
}

void
export_put_utf8(struct buf *b, struct str text)
{
	uint32_t point;
	size_t n;

	for (; text.n; text = str_from(text, n)) {
		n = utf8_next(text, &point);
		buf_str(b, point == UTF8_INVALID ? BUF_MARK : str_head(text, n));
	}
}

const uint32_t *
export_path(struct export *x, uint32_t node, size_t *n)
{
	uint32_t at;
	size_t i = 0;

	for (*n = 0, at = node; at != TREE_ROOT; at = x->tree->nodes[at].parent)
		++*n;
	x->path = mem_grow(x->path, &x->path_cap, *n + 1, sizeof *x->path);
	for (i = *n, at = node; i > 0; at = x->tree->nodes[at].parent)
		x->path[--i] = at;
	return x->path;
}
