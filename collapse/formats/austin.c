/* SPDX-License-Identifier: ISC */
/*
 * Text of Austin, the sampling profiler of Python, before 4.0, and of mojo2austin:
 *
 *	# austin: 3.4.1
 *	# mode: wall
 *	P8374;T8374;/srv/w.py:<module>:25;/srv/w.py:work:12 12903
 *	P8374;T0:8390;/srv/w.py:<module>:25 1200,1,-4096
 *	P8374;T8374 21
 *	Process 8374;Thread 8390;work (/srv/w.py);L12 500	Austin 1, and without processes
 *
 * Process and thread, since 4.0 with the interpreter before the colon; frames, outermost first; the
 * cost since the previous sample: us, in mode "memory" bytes, and in mode "full" us, whether the
 * thread was idle, and bytes. Austin 1 writes us, bytes allocated and bytes freed instead. A thread
 * may have no frames.
 */
#include "stacks/cache.h"
#include "collapse.h"
#include "formats.h"
#include "stacks/frame-names.h"

/* The metrics, as in mojo.c. */
enum metric { WALL, CPU, IDLE, ALLOCATED, FREED, METRICS };

struct reader {
	struct collapse *c;
	struct frame_names names;
	struct cache stacks;	   /* text before the weight -> node */
	bool begun;		   /* metrics are known */
	bool has[METRICS];	   /* whether the input has the metric */
	unsigned numbers[METRICS]; /* the sink's numbers */
	unsigned chosen;
	struct buf mode, frame;
};

/* A line: the text before its weight, and its weights. */
struct line {
	struct str stack;
	int64_t value[METRICS];
};

static struct str
cut_last(struct str *rest)
{
	size_t blank = str_rfind(*rest, ' ');
	struct str word = { 0 };

	if (blank == rest->n)
		return word;
	word = str_from(*rest, blank + 1);
	rest->n = blank;
	return word;
}

/* Returns false unless TEXT is an integer that still fits 63 bits as ns. */
static bool
parse_number(struct str text, int64_t *value)
{
	bool below = str_starts(text, STR("-"));
	uint64_t n;

	if (!str_to_u64(str_from(text, below), &n) || n > INT64_MAX / 1000)
		return false;
	*value = below ? -(int64_t)n : (int64_t)n;
	return true;
}

static void
put_memory(struct line *l, int64_t bytes)
{
	l->value[bytes < 0 ? FREED : ALLOCATED] = bytes < 0 ? -bytes : bytes;
}

/* TEXT: "1200,1,-4096". Returns false if malformed. */
static bool
parse_full(struct str text, struct line *l)
{
	struct str time = str_cut(&text, ','), idle = str_cut(&text, ',');
	int64_t is_idle, bytes;

	if (!parse_number(time, &l->value[WALL]) || !parse_number(idle, &is_idle) ||
		!parse_number(text, &bytes))
		return false;
	l->value[is_idle ? IDLE : CPU] = l->value[WALL];
	put_memory(l, bytes);
	return true;
}

/* Whether TEXT is of Austin 1, "... 500 4096 0"; if so, sets the stack and weights of L. */
static bool
cut_austin1(struct str text, struct line *l)
{
	struct str less = cut_last(&text), more = cut_last(&text), time = cut_last(&text);

	if (!parse_number(time, &l->value[WALL]) ||
		!parse_number(more, &l->value[ALLOCATED]) ||
		!parse_number(less, &l->value[FREED]))
		return false;
	l->value[FREED] = l->value[FREED] < 0 ? -l->value[FREED] : l->value[FREED];
	l->stack = text;
	return true;
}

/* Returns false if malformed. MODE is the input's, empty if not stated. */
static bool
parse_line(struct str text, struct str mode, struct line *l)
{
	struct str rest = text, number = cut_last(&rest);
	int64_t value;

	*l = (struct line){ .stack = rest };
	if (str_find(number, ',') < number.n)
		return parse_full(number, l);
	if (!mode.n && cut_austin1(text, l))
		return true;
	if (!parse_number(number, &value))
		return false;
	if (str_eq(mode, STR("memory")))
		put_memory(l, value);
	else
		l->value[str_eq(mode, STR("cpu")) ? CPU : WALL] = value;
	return true;
}

/* Announces the input's metrics, guessed from its first sample L. Returns false if --cost names
 * another one. */
static bool
begin(struct reader *r, const struct line *l)
{
	static const struct {
		struct str name, unit;
	} metrics[METRICS] = { [WALL] = { { "wall", 4 }, { "ns", 2 } },
		[CPU] = { { "cpu", 3 }, { "ns", 2 } },
		[IDLE] = { { "idle", 4 }, { "ns", 2 } },
		[ALLOCATED] = { { "memory", 6 }, { "bytes", 5 } },
		[FREED] = { { "freed", 5 }, { "bytes", 5 } } };
	struct str mode = buf_view(&r->mode);
	bool memory = str_eq(mode, STR("memory")), cpu = str_eq(mode, STR("cpu"));
	bool full = str_eq(mode, STR("full")) ||
		(!mode.n && (l->value[ALLOCATED] || l->value[FREED]));
	unsigned i;

	r->begun = true;
	r->has[WALL] = !memory && !cpu;
	r->has[CPU] = cpu || full;
	r->has[IDLE] = full;
	r->has[ALLOCATED] = r->has[FREED] = memory || full;
	for (i = 0; i < METRICS; i++)
		r->numbers[i] = r->has[i]
			? collapse_metric(r->c, metrics[i].name, metrics[i].unit)
			: COLLAPSE_NO_METRIC;
	return collapse_choose_among(r->c, r->numbers, METRICS, 0, &r->chosen);
}

/* Cuts "P8374;" or "Process 8374;", and "T0:8390" or "Thread 8390", off *REST. */
static void
cut_thread(struct str *rest, struct collapse_sample *s)
{
	static const char *const heads[][2] = { { "P", "Process " }, { "T", "Thread " } };
	struct str *ids[] = { &s->pid, &s->tid }, part, after, head;
	size_t i, k;
	uint64_t n;

	for (i = 0; i < 2; i++) {
		after = *rest;
		part = str_cut(&after, ';');
		for (k = 2; k-- > 0;) {
			head = str_of(heads[i][k]);
			if (!str_starts(part, head))
				continue;
			part = str_from(part, head.n);
			if (i == 1 || str_to_u64(part, &n)) {
				*ids[i] = str_from(part, str_rfind(part, ':') + 1);
				if (!ids[i]->n)
					*ids[i] = part;
				*rest = after;
			}
			break;
		}
	}
}

/* Whether PART is "L12", the line number of the frame before it. */
static bool
is_line(struct str part)
{
	uint64_t n;

	return str_starts(part, STR("L")) && str_to_u64(str_from(part, 1), &n);
}

/* Adds the frame PART, "file:function:line"; PLACE is Austin 1's line number. The line stays only
 * with srcline. */
static void
add_frame(struct reader *r, struct str part, struct str place)
{
	bool placed = collapse_options(r->c)->srcline;
	size_t colon = str_rfind(part, ':');
	uint64_t n;

	if (!placed && colon > 0 && colon < part.n && part.s[0] != ':' &&
		str_to_u64(str_from(part, colon + 1), &n))
		part.n = colon;
	buf_clear(&r->frame);
	buf_str(&r->frame, part);
	if (placed && place.n) {
		buf_char(&r->frame, ':');
		buf_str(&r->frame, place);
	}
	frame_names_push(&r->names, collapse_frame(r->c, buf_view(&r->frame), 0));
}

/* Pushes the frames of REST, innermost first. */
static void
push_frames(struct reader *r, struct str rest)
{
	struct str part, place = { 0 }, whole;
	struct str_digest key;
	size_t first;

	r->names.n = 0;
	while (rest.n) {
		first = str_rfind(rest, ';');
		first = first == rest.n ? 0 : first + 1;
		part = str_from(rest, first);
		rest.n = first ? first - 1 : 0;
		if (is_line(part) && !place.n && rest.n) {
			place = str_from(part, 1);
			continue;
		}
		whole = part;
		if (place.n)
			whole.n = (size_t)(place.s + place.n - part.s);
		key = str_digest(whole);
		first = r->names.n;
		if (!frame_names_recall(&r->names, key)) {
			add_frame(r, part, place);
			frame_names_keep(&r->names, key, first);
		}
		place.n = 0;
	}
}

/* Returns the node of STACK, cached; sets the thread of S if STACK is new. */
static uint32_t
find_node(struct reader *r, struct collapse_sample *s, struct str stack)
{
	struct str_digest key = str_digest(stack);
	uint32_t node = cache_find(&r->stacks, key);

	if (node != CACHE_NONE)
		return node;
	cut_thread(&stack, s);
	push_frames(r, stack);
	if (!r->names.n)
		return TREE_ROOT;
	return cache_add(&r->stacks, key,
		collapse_path(r->c, collapse_root(r->c, s), r->names.ids, r->names.n));
}

/* Returns false if --cost names a metric that is not there. */
static bool
fold(struct reader *r, const struct line *l)
{
	struct collapse_sample s = { .has_period = true };
	bool is_time;
	unsigned i;
	int64_t v;

	if (!r->begun && !begin(r, l))
		return false;
	for (i = 0; i < METRICS; i++) {
		is_time = i == WALL || i == CPU || i == IDLE;
		v = is_time ? l->value[i] * 1000 : l->value[i];
		if (r->has[i])
			collapse_count_cost(r->c, r->numbers[i], v);
		if (i == r->chosen)
			s.period = (uint64_t)v;
	}
	if (l->value[r->chosen] < 0)
		collapse_lose(r->c, COLLAPSE_NEGATIVE);
	else if ((s.period || r->chosen == WALL) && collapse_wants(r->c, &s))
		collapse_add(r->c, find_node(r, &s, l->stack), &s);
	return true;
}

/* TEXT: " mode: wall", after the "#". */
static void
parse_metadata(struct reader *r, struct str text)
{
	struct str key = str_trim(str_cut(&text, ':'));

	if (!str_eq(key, STR("mode")) || r->begun)
		return;
	buf_clear(&r->mode);
	buf_str(&r->mode, str_trim(text));
}

static bool
run(struct input *in, struct collapse *c)
{
	struct reader r = { .c = c, .names.c = c };
	struct str text;
	struct line l;
	bool good = true;

	collapse_threadless(c);
	while (good && input_line(in, &text)) {
		if (str_starts(text, STR("#")))
			parse_metadata(&r, str_from(text, 1));
		else if (parse_line(text, buf_view(&r.mode), &l))
			good = fold(&r, &l);
		else if (str_trim(text).n)
			collapse_lose(c, COLLAPSE_MALFORMED);
	}
	frame_names_release(&r.names);
	cache_release(&r.stacks);
	buf_release(&r.mode);
	buf_release(&r.frame);
	return good;
}

/* Whether LINE is a sample with a process and a thread. */
static bool
is_sample(struct str line)
{
	struct collapse_sample s = { .has_period = true };
	struct line l;

	if (!parse_line(line, (struct str){ 0 }, &l))
		return false;
	cut_thread(&l.stack, &s);
	return s.pid.n && s.tid.n;
}

static int
probe(struct str head)
{
	int sure = str_starts(head, STR("# austin: ")) ? 95 : 0, samples = 0;
	struct str line;

	while (head.n && samples < 3 && !sure) {
		line = str_cut(&head, '\n');
		if (str_starts(line, STR("#")) || !str_trim(line).n)
			continue;
		if (!is_sample(str_trim(line)))
			return 0;
		samples++;
	}
	return sure ? sure : samples ? 60 : 0;
}

const struct collapse_format collapse_austin = {
	.probe = probe,
	.signs = SIGNS(SIGN(START, "P"), SIGN(START, "#")),
	.run = run,
	.uses = COLLAPSE_USES_BY | COLLAPSE_USES_SRCLINE | COLLAPSE_USES_COST,
};
