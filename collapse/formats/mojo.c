/* SPDX-License-Identifier: ISC */
/*
 * MOJO, the binary format of Austin, a sampling profiler for Python: austin -b from 3.4
 * on, the default from 4.0 on. "MOJ", the version, then events, each of which begins with
 * a byte for its kind:
 *
 *	1	metadata	key, value: "mode", "wall"
 *	2	stack		process, interpreter from version 3 on, thread: a sample begins
 *	3	frame		key, keys of file and function, line; from version 2 on its
 *				end, column, its end
 *	4	invalid frame
 *	5	a frame of the sample: its key; outermost first
 *	6	kernel frame	name
 *	7	the collector runs
 *	8	the thread is idle
 *	9	time		us since the previous sample
 *	10	memory		bytes; may be negative
 *	11	string		key, text
 *	12	string		key: the name of a frame of the sample, in older versions
 *	13	the frames of this thread's previous sample
 *	14	task		keys of the task and its name: the frames and the time that
 *				follow belong to this suspended task
 *	15	waiter		tasks that wait for each other
 *
 * A number's first byte has 6 bits, the sign 0x40, and 0x80 if bytes of 7 bits follow.
 * Texts end in NUL. Keys are per process. The thread is a hexadecimal number, or possibly
 * a name from version 4 on. In mode "full", samples have time and memory.
 *
 * P403n1x87/austin, src/mojo.h and src/events.c.
 */
#include "stacks/cache.h"
#include "collapse.h"
#include "formats.h"
#include "intern.h"
#include "mem.h"
#include "msg.h"
#include "readers/records.h"

#include <inttypes.h>

enum { OLDEST = 1, NEWEST = 4 };

enum kind {
	METADATA = 1,
	STACK,
	FRAME,
	FRAME_INVALID,
	FRAME_REF,
	FRAME_KERNEL,
	GC,
	IDLE,
	TIME,
	MEMORY,
	STRING,
	STRING_REF,
	REPEAT,
	TASK,
	WAITER,
};

/* The event's kind determines which fields it has. */
struct event {
	enum kind kind;
	int64_t numbers[7];
	struct str texts[2];
};

enum metric { WALL, CPU, IDLE_TIME, ALLOCATED, FREED, METRICS };

/* A thread and the frames of its previous sample, which REPEAT repeats. */
struct thread {
	struct collapse_sample s;
	uint32_t root;
	bool has_root;
	uint32_t *names;
	size_t n, cap;
};

/* A process's frame that was used recently. */
struct known {
	int64_t pid, key;
	uint32_t name; /* in the sink; NOWHERE: not defined */
};
enum { KNOWN = 4096 };
#define NOWHERE UINT32_MAX

struct reader {
	struct input *in;
	struct collapse *c;
	int64_t version;
	unsigned numbers[METRICS], chosen;
	bool has[METRICS], begun;
	struct intern strings;	/* process and key */
	uint32_t *string_texts; /* by id in strings: id in texts */
	size_t string_cap;
	struct intern texts;
	struct intern frames;  /* process and key */
	uint32_t *frame_names; /* by id in frames: name in the sink */
	size_t frame_cap;
	struct known *known;
	struct intern keys; /* of threads */
	struct thread *threads;
	size_t thread_cap;
	/* The current sample. */
	uint32_t thread;
	int64_t pid;
	bool open, collects, idle, repeats;
	int64_t values[2]; /* time, memory */
	bool timed, sized, task;
	uint32_t *names;
	size_t n, cap;
	struct buf key;	    /* of a thread */
	struct cache nodes; /* of stacks below their roots */
	uint32_t *reversed; /* the sample's frames, innermost first */
	size_t reversed_cap;
	uint64_t tasks;
};

static int64_t
read_number(struct bytes *b)
{
	uint8_t byte = bytes_u8(b);
	bool negative = byte & 0x40;
	uint64_t v = byte & 0x3f;
	unsigned shift = 6;

	while (byte & 0x80) {
		byte = bytes_u8(b);
		if (shift < 63)
			v |= (uint64_t)(byte & 0x7f) << shift;
		shift += shift < 63 ? 7 : 0;
	}
	v &= INT64_MAX;
	return negative ? -(int64_t)v : (int64_t)v;
}

/* Reads an event. Returns false if its kind is unknown. */
static bool
read_event(struct bytes *b, int64_t version, struct event *e)
{
	static const struct {
		uint8_t numbers, texts;
		int64_t since;
	} fields[] = {
		[METADATA] = { 0, 2, 0 },
		[STACK] = { 2, 1, 0 },
		[FRAME] = { 7, 0, 0 },
		[FRAME_INVALID] = { 0, 0, 0 },
		[FRAME_REF] = { 1, 0, 0 },
		[FRAME_KERNEL] = { 0, 1, 0 },
		[GC] = { 0, 0, 0 },
		[IDLE] = { 0, 0, 0 },
		[TIME] = { 1, 0, 0 },
		[MEMORY] = { 1, 0, 0 },
		[STRING] = { 1, 1, 0 },
		[STRING_REF] = { 1, 0, 0 },
		[REPEAT] = { 0, 0, 0 },
		[TASK] = { 2, 0, 4 },
		[WAITER] = { 2, 0, 4 },
	};
	unsigned kind = bytes_u8(b), i, numbers;

	if (kind < METADATA || kind > WAITER || version < fields[kind].since)
		return false;
	e->kind = (enum kind)kind;
	numbers = fields[kind].numbers;
	if (kind == STACK && version < 3)
		numbers = 1;
	else if (kind == FRAME && version < 2)
		numbers = 4;
	for (i = 0; i < numbers; i++)
		e->numbers[i] = read_number(b);
	for (i = 0; i < fields[kind].texts; i++)
		e->texts[i] = bytes_cstr(b);
	return true;
}

/* The id in T of KEY in the process PID. */
static uint32_t
find_key(struct intern *t, int64_t pid, int64_t key)
{
	int64_t pair[2] = { pid, key };

	return intern_id(t, (struct str){ (const char *)pair, sizeof pair });
}

static void
keep_string(struct reader *r, const struct event *e)
{
	uint32_t known = r->strings.n, at = find_key(&r->strings, r->pid, e->numbers[0]);

	if (at >= known || at >= r->string_cap)
		r->string_texts = mem_grow(r->string_texts, &r->string_cap,
			(size_t)at + 1, sizeof *r->string_texts);
	r->string_texts[at] = intern_id(&r->texts, e->texts[0]);
}

static struct str
find_string(struct reader *r, int64_t key)
{
	int64_t pair[2] = { r->pid, key };
	uint32_t at;

	if (key == 1)
		return STR("<unknown>");
	if (!intern_find(
		    &r->strings, (struct str){ (const char *)pair, sizeof pair }, &at))
		return (struct str){ 0 };
	return intern_str(&r->texts, r->string_texts[at]);
}

/* Names a frame "file:function", with --srcline "file:function:line". */
static void
keep_frame(struct reader *r, const struct event *e)
{
	struct str file = find_string(r, e->numbers[1]),
		   scope = find_string(r, e->numbers[2]);
	uint32_t known = r->frames.n, at;
	struct buf name = { 0 };
	struct known *of_late;

	if (file.n)
		buf_str(&name, file);
	if (file.n && scope.n)
		buf_char(&name, ':');
	buf_str(&name, scope.n || file.n ? scope : STR("[unknown]"));
	if (collapse_options(r->c)->srcline)
		buf_fmt(&name, ":%" PRId64, e->numbers[3]);
	at = find_key(&r->frames, r->pid, e->numbers[0]);
	if (at >= known)
		r->frame_names = mem_grow(r->frame_names, &r->frame_cap, (size_t)at + 1,
			sizeof *r->frame_names);
	r->frame_names[at] = collapse_frame(r->c, buf_view(&name), 0);
	of_late = &r->known[(uint64_t)e->numbers[0] % KNOWN];
	*of_late = (struct known){ r->pid, e->numbers[0], r->frame_names[at] };
	buf_release(&name);
}

static void
push(struct reader *r, uint32_t name)
{
	*MEM_ADD(r->names, r->n, r->cap) = name;
}

static void
push_frame(struct reader *r, int64_t key)
{
	struct known *of_late = &r->known[(uint64_t)key % KNOWN];
	int64_t pair[2] = { r->pid, key };
	uint32_t at;

	if (of_late->pid != r->pid || of_late->key != key || !of_late->name) {
		*of_late = (struct known){ r->pid, key, NOWHERE };
		if (intern_find(&r->frames,
			    (struct str){ (const char *)pair, sizeof pair }, &at))
			of_late->name = r->frame_names[at];
	}
	if (of_late->name == NOWHERE) {
		collapse_lose(r->c, COLLAPSE_DAMAGED);
		of_late->name = collapse_frame(r->c, STR("[unknown]"), 0);
	}
	push(r, of_late->name);
}

/* Adds the frame that the string KEY names. */
static void
push_string(struct reader *r, int64_t key)
{
	struct str name = find_string(r, key);

	if (!name.n)
		collapse_lose(r->c, COLLAPSE_DAMAGED);
	push(r, collapse_frame(r->c, name.n ? name : STR("[unknown]"), 0));
}

/* Declares the metrics of MODE, and chooses one. Returns false without the metric of
 * --cost. */
static bool
begin(struct reader *r, struct str mode)
{
	static const struct {
		const char *name, *unit, *modes;
	} metrics[] = {
		[WALL] = { "wall", "ns", "wall full" },
		[CPU] = { "cpu", "ns", "cpu full" },
		[IDLE_TIME] = { "idle", "ns", "full" },
		[ALLOCATED] = { "memory", "bytes", "memory full" },
		[FREED] = { "freed", "bytes", "memory full" },
	};
	unsigned i;

	r->begun = true;
	for (i = 0; i < METRICS; i++) {
		r->has[i] = str_search(str_of(metrics[i].modes), mode) <
			strlen(metrics[i].modes);
		r->numbers[i] = r->has[i] ? collapse_metric(r->c, str_of(metrics[i].name),
						    str_of(metrics[i].unit))
					  : COLLAPSE_NO_METRIC;
	}
	return collapse_choose_among(r->c, r->numbers, METRICS, 0, &r->chosen);
}

/* Names the thread TEXT of the process PID. */
static void
name_thread(struct reader *r, struct thread *t, struct str text)
{
	char digits[24];
	uint64_t tid;

	snprintf(digits, sizeof digits, "%" PRId64, r->pid);
	t->s.pid = intern_str(&r->texts, intern_id(&r->texts, str_of(digits)));
	if (str_hex_to_u64(text, &tid)) {
		snprintf(digits, sizeof digits, "%" PRIu64, tid);
		t->s.tid = intern_str(&r->texts, intern_id(&r->texts, str_of(digits)));
	} else {
		t->s.comm = intern_str(&r->texts, intern_id(&r->texts, text));
		t->s.tid = t->s.comm;
	}
}

/* The index of the thread that the STACK event E names. */
static uint32_t
find_thread(struct reader *r, const struct event *e)
{
	uint32_t known = r->keys.n, at;
	int64_t pair[2] = { e->numbers[0], r->version < 3 ? 0 : e->numbers[1] };

	buf_clear(&r->key);
	buf_str(&r->key, (struct str){ (const char *)pair, sizeof pair });
	buf_str(&r->key, e->texts[0]);
	at = intern_id(&r->keys, buf_view(&r->key));
	if (at == known) {
		*MEM_AT(r->threads, r->thread_cap, at) =
			(struct thread){ .s = { .has_period = true } };
		name_thread(r, &r->threads[at], e->texts[0]);
	}
	return at;
}

static uint32_t
find_node(struct reader *r, struct thread *t)
{
	struct str_digest key;
	uint32_t node;
	size_t i;

	if (!t->has_root)
		t->root = collapse_root(r->c, &t->s);
	t->has_root = true;
	if (!r->n)
		return TREE_ROOT;
	key = cache_below(t->root,
		str_digest(
			(struct str){ (const char *)r->names, r->n * sizeof *r->names }));
	node = cache_find(&r->nodes, key);
	if (node != CACHE_NONE)
		return node;
	/* The sink takes the innermost frame first. */
	r->reversed = mem_grow(r->reversed, &r->reversed_cap, r->n, sizeof *r->reversed);
	for (i = 0; i < r->n; i++)
		r->reversed[i] = r->names[r->n - 1 - i];
	return cache_add(&r->nodes, key, collapse_path(r->c, t->root, r->reversed, r->n));
}

/* Keeps the sample's frames for T's next one. */
static void
keep_names(struct thread *t, const struct reader *r)
{
	t->names = mem_grow(t->names, &t->cap, r->n, sizeof *t->names);
	if (r->n)
		memcpy(t->names, r->names, r->n * sizeof *t->names);
	t->n = r->n;
}

/* Weighs the sample by METRIC, in ns or bytes. Returns false if it is lost. */
static bool
weigh(const struct reader *r, unsigned metric, uint64_t *weight)
{
	int64_t time = r->timed ? r->values[0] : 0, memory = r->sized ? r->values[1] : 0;

	*weight = 0;
	if (metric == ALLOCATED || metric == FREED) {
		if ((memory < 0) == (metric == FREED))
			*weight = (uint64_t)(memory < 0 ? -memory : memory);
		return true;
	}
	if ((metric == IDLE_TIME && !r->idle) || (metric == CPU && r->idle))
		return true;
	if (time < 0 || time > INT64_MAX / 1000) {
		collapse_lose(r->c, time < 0 ? COLLAPSE_NEGATIVE : COLLAPSE_OVERFLOW);
		return false;
	}
	*weight = (uint64_t)time * 1000;
	return true;
}

/* Adds the sample of T to the sink at NODE. */
static void
fold(struct reader *r, struct thread *t, uint32_t node)
{
	uint64_t weight;
	unsigned i;

	for (i = 0; i < METRICS; i++)
		if (r->has[i] && i != r->chosen && weigh(r, i, &weight))
			collapse_count_cost(r->c, r->numbers[i], (int64_t)weight);
	if (!weigh(r, r->chosen, &weight))
		return;
	collapse_count_cost(r->c, r->numbers[r->chosen], (int64_t)weight);
	t->s.period = weight;
	if ((weight || r->chosen == WALL) && collapse_wants(r->c, &t->s))
		collapse_add(r->c, node, &t->s);
}

static void
end_sample(struct reader *r)
{
	struct thread *t;

	if (!r->open)
		return;
	r->open = false;
	if (r->task) {
		r->tasks++;
		return;
	}
	t = &r->threads[r->thread];
	if (!r->repeats)
		keep_names(t, r);
	if (r->collects)
		push(r, collapse_frame(r->c, STR(":GC:"), 0));
	fold(r, t, find_node(r, t));
}

static void
begin_sample(struct reader *r, bool task)
{
	end_sample(r);
	r->open = true;
	r->task = task;
	r->collects = r->idle = r->repeats = r->timed = r->sized = false;
	r->n = 0;
}

/* Copies the frames of the thread's previous sample. */
static void
repeat(struct reader *r)
{
	const struct thread *t = &r->threads[r->thread];
	size_t i;

	r->repeats = true;
	for (i = 0; i < t->n; i++)
		push(r, t->names[i]);
}

/* Handles an event within a sample. */
static void
handle_part(struct reader *r, const struct event *e)
{
	switch (e->kind) {
	case FRAME: keep_frame(r, e); break;
	case STRING: keep_string(r, e); break;
	case FRAME_INVALID: push(r, collapse_frame(r->c, STR(":INVALID:"), 0)); break;
	case FRAME_REF: push_frame(r, e->numbers[0]); break;
	case FRAME_KERNEL:
		push(r, collapse_frame(r->c, e->texts[0], COLLAPSE_KERNEL));
		break;
	case GC: r->collects = true; break;
	case IDLE: r->idle = true; break;
	case TIME:
		r->values[0] = e->numbers[0];
		r->timed = true;
		break;
	case MEMORY:
		r->values[1] = e->numbers[0];
		r->sized = true;
		break;
	case STRING_REF: push_string(r, e->numbers[0]); break;
	case REPEAT: repeat(r); break;
	case TASK: begin_sample(r, true); break;
	default: break;
	}
}

/* Handles E; MODE comes from the metadata. Returns false if the mode lacks the metric of
 * --cost. */
static bool
handle_event(struct reader *r, const struct event *e, struct buf *mode)
{
	if (e->kind == METADATA) {
		if (str_eq(e->texts[0], STR("mode")) && !r->begun) {
			buf_clear(mode);
			buf_str(mode, e->texts[1]);
		}
		return true;
	}
	if (!r->begun && !begin(r, buf_view(mode)))
		return false;
	if (e->kind == STACK) {
		begin_sample(r, false);
		r->pid = e->numbers[0];
		r->thread = find_thread(r, e);
	} else if (r->open) {
		handle_part(r, e);
	} else {
		collapse_lose(r->c, COLLAPSE_DAMAGED);
	}
	return true;
}

/* The size of the FRAME_REF at AT, and its *KEY; 0 for other events, and for long keys,
 * which are rare. AT has REF bytes. */
enum { REF = 4 };
static inline size_t
short_key(const char *at, int64_t *key)
{
	const unsigned char *p = (const unsigned char *)at;
	size_t n = 2;

	if (*at != FRAME_REF || p[1] & 0x40)
		return 0;
	*key = p[1] & 0x3f;
	for (; p[n - 1] & 0x80 && n < REF; n++)
		*key |= (int64_t)(p[n] & 0x7f) << (7 * n - 8);
	return p[n - 1] & 0x80 ? 0 : n;
}

/* Reads the frames that come next, as long as they were used recently. Returns whether
 * there were any. */
static bool
read_recent_frames(struct reader *r, struct bytes *b)
{
	size_t had = bytes_left(b), n;
	const struct known *k;
	int64_t key;

	while (bytes_left(b) >= REF && (n = short_key(bytes_rest(b).s, &key)) > 0) {
		k = &r->known[(uint64_t)key % KNOWN];
		if (k->pid != r->pid || k->key != key || !k->name || k->name == NOWHERE)
			break;
		if (r->n == r->cap)
			r->names =
				mem_grow(r->names, &r->cap, r->n + 1, sizeof *r->names);
		r->names[r->n++] = k->name;
		bytes_skip(b, n);
	}
	return bytes_left(b) < had;
}

/* Reads all events. Returns false, after a message, if nothing can be read. */
static bool
read_events(struct reader *r)
{
	struct records records = { .in = r->in };
	uint64_t before = collapse_samples(r->c);
	bool known = true, good = true, cut = false;
	struct buf mode = { 0 };
	struct event e;
	struct bytes b;

	buf_str(&mode, STR("wall"));
	while (good && known && !cut && records_more(&records, &b)) {
		if (r->open && read_recent_frames(r, &b)) {
			records_take(&records, &b);
			continue;
		}
		known = read_event(&b, r->version, &e);
		if (!known)
			msg_error("%s: has an event of unknown kind %d; kept everything "
				  "before it",
				input_name(r->in), bytes_peek(&records.rest));
		else if (b.bad)
			cut = !records_grow(&records);
		else if ((good = handle_event(r, &e, &mode)))
			records_take(&records, &b);
	}
	buf_release(&mode);
	if (!good)
		return false;
	if (r->begun && !cut && known)
		end_sample(r);
	return (known && !cut) || collapse_damage(r->c, before, cut);
}

static void
release(struct reader *r)
{
	uint32_t i;

	for (i = 0; i < r->keys.n; i++)
		free(r->threads[i].names);
	free(r->threads);
	intern_release(&r->strings);
	intern_release(&r->texts);
	intern_release(&r->frames);
	intern_release(&r->keys);
	free(r->string_texts);
	free(r->frame_names);
	free(r->known);
	free(r->names);
	free(r->reversed);
	cache_release(&r->nodes);
	buf_release(&r->key);
}

static bool
run(struct input *in, struct collapse *c)
{
	struct reader r = { .in = in, .c = c };
	struct str head = input_window(in, 16);
	struct bytes b = bytes_of(str_from(head, 3), false);
	bool good;

	r.version = read_number(&b);
	if (!str_starts(head, STR("MOJ")) || b.bad) {
		msg_error("%s: is not a MOJO file", input_name(in));
		return false;
	}
	if (r.version < OLDEST || r.version > NEWEST) {
		msg_error("%s: is of MOJO version %" PRId64 ", which is not supported; "
			  "convert it with mojo2austin",
			input_name(in), r.version);
		return false;
	}
	input_skip(in, head.n - bytes_left(&b));
	collapse_threadless(c);
	r.known = mem_zero(KNOWN, sizeof *r.known);
	good = read_events(&r);
	if (r.tasks)
		msg_warn("%s: left out %" PRIu64 " stack%s of suspended tasks",
			input_name(in), r.tasks, msg_s(r.tasks));
	release(&r);
	return good;
}

static int
probe(struct str head)
{
	return head.n > 3 && head.s[3] > 0 && head.s[3] < 16 ? 100 : 0;
}

const struct collapse_format collapse_mojo = {
	.probe = probe,
	.signs = SIGNS(SIGN(MAGIC, "MOJ")),
	.run = run,
	.uses = COLLAPSE_USES_BY | COLLAPSE_USES_KERNEL | COLLAPSE_USES_SRCLINE |
		COLLAPSE_USES_COST,
};
