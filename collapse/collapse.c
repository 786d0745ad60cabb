/* SPDX-License-Identifier: ISC */
/* The sink: samples to a tree of stacks; see collapse.h. */
#include "collapse.h"
#include "budget.h"
#include "event.h"
#include "frame.h"
#include "mem.h"
#include "msg.h"
#include "sink.h"

#include <time.h>

/* The first Python 3 that names its functions for profilers. */
enum { PYTHON_WITH_NAMES = 12 };

struct collapse *
collapse_new(const struct collapse_options *options)
{
	struct collapse *c = mem_zero(1, sizeof *c);

	c->options = options;
	tree_init(&c->tree, options->columns[1].n ? 2 : 1);
	collapse_name_dimensions(c);
	return c;
}

void
collapse_free(struct collapse *c)
{
	tree_release(&c->tree);
	folded_info_release(&c->info);
	intern_release(&c->event_names);
	collapse_release_costs(c);
	free(c->when);
	free(c->climb);
	buf_release(&c->scratch);
	free(c->events);
	free(c->lines);
	free(c->marks);
	intern_release(&c->modules);
	dimensions_release(&c->dimensions);
	buf_release(&c->leading);
	free(c->module_table);
	free(c->reasons);
	intern_release(&c->reasons_told);
	intern_release(&c->end_modules);
	free(c->stuck);
	free(c->late);
	free(c->late_ids);
	free(c);
}

const struct collapse_options *
collapse_options(const struct collapse *c)
{
	return c->options;
}

bool
collapse_has_root(const struct collapse *c, enum collapse_by by)
{
	size_t i;

	for (i = 0; i < COLLAPSE_BY_MAX && c->options->by[i]; i++)
		if (c->options->by[i] == by)
			return true;
	return false;
}

void
collapse_begin(struct collapse *c, struct input *in)
{
	c->in = in;
	c->inputs++;
	c->has_first_time = c->threadless = false;
	c->timeless = 0;
	c->decimals = 0;
	c->metric_first = c->metric_n;
	/* For its progress. */
	input_stacks(in, &c->tree.stacks);
}

void
collapse_origin(struct collapse *c, uint64_t time)
{
	if (!c->has_first_time || time < c->first_time)
		c->first_time = time;
	c->has_first_time = true;
}

void
collapse_threadless(struct collapse *c)
{
	c->threadless = true;
}

void
collapse_exact(struct collapse *c)
{
	c->exact = true;
}

void
collapse_differs(struct collapse *c)
{
	c->differs = true;
}

void
collapse_perf(struct collapse *c)
{
	c->perf = true;
}

void
collapse_info(struct collapse *c, const char *key, struct str value)
{
	if (!folded_info_get(&c->info, key).n)
		folded_info_set(&c->info, key, value);
}

void
collapse_start(struct collapse *c, uint64_t start)
{
	time_t seconds = (time_t)(start / 1000000000);
	struct tm utc;
	char text[sizeof "2001-02-03T04:05:06Z"];

	if (start && gmtime_r(&seconds, &utc) &&
		strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc))
		collapse_info(c, "start", str_of(text));
}

void
collapse_program(
	struct collapse *c, struct str program, struct str build_id, struct str path)
{
	struct buf id = { 0 };

	buf_hex(&id, build_id);
	(void)folded_program_add(
		&c->info, &(struct folded_program){ program, buf_view(&id), path });
	buf_release(&id);
}

void
collapse_info_add(struct collapse *c, const char *key, uint64_t n)
{
	uint64_t had = folded_info_u64(&c->info, key);

	folded_info_set_u64(&c->info, key, had > UINT64_MAX - n ? UINT64_MAX : had + n);
}

uint64_t
collapse_samples(const struct collapse *c)
{
	return c->samples;
}

unsigned
collapse_restarts(const struct collapse *c)
{
	return c->restarts;
}

void
collapse_snapshot(struct collapse *c, uint64_t bytes)
{
	if (bytes > c->snapshot)
		c->snapshot = bytes;
}

static uint64_t
power_of_ten(unsigned n)
{
	uint64_t power = 1;

	while (n-- > 0)
		power *= 10;
	return power;
}

void
collapse_unit(struct collapse *c, struct str unit)
{
	c->mixed |= c->unit.n && !str_eq(c->unit, unit);
	c->unit = unit;
}

bool
collapse_decimals(struct collapse *c, unsigned decimals)
{
	unsigned had = c->tree.scale;
	uint64_t times;
	size_t i;

	if (!tree_set_scale(&c->tree, decimals))
		return false;
	times = power_of_ten(c->tree.scale - had);
	for (i = 0; i < c->line_n; i++)
		c->lines[i].weight *= times;
	for (i = 0; i < COLLAPSE_ENDS; i++)
		c->ends[i] *= times;
	c->decimals = decimals;
	return true;
}

void
collapse_lose(struct collapse *c, enum collapse_loss kind)
{
	static const char *const first[COLLAPSE_LOSSES] = {
		[COLLAPSE_NO_STACK] = "skipping a sample without a stack",
		[COLLAPSE_MALFORMED] = "skipping a line outside of samples",
		[COLLAPSE_DAMAGED] = "skipping a damaged record",
		[COLLAPSE_OVERFLOW] =
			"skipping a sample: with its weight the sum overflows 64 bits",
		[COLLAPSE_NEGATIVE] = "skipping a sample with a weight below 0",
	};

	const char *text = first[kind];

	if (kind == COLLAPSE_MALFORMED && !c->perf)
		text = "skipping a malformed part";
	if (collapse_lose_quietly(c, kind, 1))
		msg_warn_at(input_name(c->in), input_line_number(c->in), "%s%s", text,
			kind == COLLAPSE_OVERFLOW && !c->options->count
				? "; count samples with --weight samples"
				: "");
}

bool
collapse_lose_quietly(struct collapse *c, enum collapse_loss kind, uint64_t n)
{
	bool first = n && !c->losses[kind];

	c->losses[kind] += n;
	return first;
}

void
collapse_lose_recorded(struct collapse *c, uint64_t n)
{
	c->lost += n;
}

/* What the options want of the event NAME. */
static struct collapse_event
judge_event(const struct collapse_options *o, struct str name)
{
	struct collapse_event e = { .wanted = false };

	if (o->columns[1].n) {
		e.column = event_matches(name, o->columns[0]) ? 0 : 1;
		e.wanted = event_matches(name, o->columns[e.column]);
	} else if (o->event) {
		e.wanted = event_matches(name, str_of(o->event));
	}
	return e;
}

/* The entry of the event called NAME, made at first sight. */
static struct collapse_event *
find_event(struct collapse *c, struct str name)
{
	uint32_t known = c->event_names.n, id = c->last_event;

	if (known && str_eq(name, intern_str(&c->event_names, id)))
		return &c->events[id];
	id = c->last_event = intern_id(&c->event_names, name);
	if (id == known) {
		c->events = mem_grow(
			c->events, &c->event_cap, (size_t)id + 1, sizeof *c->events);
		c->events[id] = judge_event(c->options, name);
	}
	return &c->events[id];
}

void
collapse_expect(struct collapse *c, struct str name)
{
	(void)find_event(c, name);
}

/* Takes away what was added of the event that was folded so far. */
static void
forget(struct collapse *c)
{
	c->events[c->chosen - 1].wanted = false;
	tree_empty(&c->tree);
	c->samples = c->off_time = 0;
	c->line_n = 0;
	c->has_period = false;
	memset(c->column_samples, 0, sizeof c->column_samples);
	memset(c->ends, 0, sizeof c->ends);
	if (c->stuck)
		memset(c->stuck, 0, c->stuck_cap * sizeof *c->stuck);
	c->snapshot = 0;
	c->losses[COLLAPSE_NO_STACK] = c->losses[COLLAPSE_OVERFLOW] = 0;
	c->timeless = c->losses[COLLAPSE_TIMELESS] = 0;
	c->restarts++;
}

/* Makes E, which has samples, the event that is folded, when the user has named none
 * and none was asked for before it. */
static bool
choose(struct collapse *c, struct collapse_event *e)
{
	uint32_t id = (uint32_t)(e - c->events);

	if (c->options->event || c->options->columns[1].n ||
		(c->chosen && c->chosen <= id))
		return false;
	if (c->chosen)
		forget(c);
	c->chosen = id + 1;
	e->wanted = true;
	return true;
}

/* Whether TIME, counted from ORIGIN where the moment is, is before it. */
static bool
is_before(uint64_t time, uint64_t first_time, const struct collapse_moment *m)
{
	if (m->absolute)
		return time < m->ns;
	return time < first_time || time - first_time < m->ns;
}

static uint64_t
count_of(const struct collapse_sample *s)
{
	return s->count ? s->count : 1;
}

bool
collapse_needs_times(const struct collapse *c)
{
	return c->options->from.given || c->options->to.given ||
		collapse_has_root(c, COLLAPSE_TIME);
}

/* Whether S is between --from and --to, and has a time for --by time; counts it when it is
 * not. */
static bool
is_in_time(struct collapse *c, const struct collapse_sample *s)
{
	const struct collapse_options *o = c->options;

	if (!collapse_needs_times(c))
		return true;
	if (!s->has_time) {
		c->timeless += count_of(s);
		c->losses[COLLAPSE_TIMELESS] += count_of(s);
		return false;
	}
	if (!(o->from.given && is_before(s->time, c->first_time, &o->from)) &&
		!(o->to.given && !is_before(s->time, c->first_time, &o->to)))
		return true;
	c->off_time += count_of(s);
	return false;
}

bool
collapse_wants(struct collapse *c, const struct collapse_sample *s)
{
	struct collapse_event *e = find_event(c, s->event);

	e->samples += count_of(s);
	if (s->has_time && !c->has_first_time) {
		c->first_time = s->time;
		c->has_first_time = true;
	}
	if (!e->wanted && !choose(c, e))
		return false;
	return is_in_time(c, s);
}

static void
mark(struct collapse *c, uint32_t id, unsigned m)
{
	size_t had = c->mark_cap;

	if (id >= had) {
		c->marks = mem_grow(
			c->marks, &c->mark_cap, (size_t)id + 1, sizeof *c->marks);
		memset(c->marks + had, 0, (c->mark_cap - had) * sizeof *c->marks);
	}
	c->marks[id] |= (uint16_t)m;
}

static bool
is_stop(const struct collapse *c, struct str name)
{
	const struct opt_list *list = &c->options->skip_after;
	size_t i;

	for (i = 0; i < list->n; i++)
		if (str_eq(name, str_of(list->items[i])))
			return true;
	return false;
}

/* The annotation that the options want for KIND, 0 for none; FlameGraph gives one only. */
static char
choose_annotation(const struct collapse_options *o, unsigned kind)
{
	if (kind & COLLAPSE_INLINED)
		return 'i';
	if (kind & COLLAPSE_KERNEL && o->kernel)
		return 'k';
	return kind & COLLAPSE_JIT && o->jit ? 'j' : 0;
}

/* glibc, musl, bionic, macOS, Windows, Go. */
static const char *const ENTRIES[] = { "_start", "main", "__libc_start_main",
	"__libc_start_call_main", "__libc_start_main_impl", "libc_start_main_stage2",
	"_start_c", "_dl_start", "_dl_start_user", "_dl_sysdep_start", "clone", "__clone",
	"clone3", "__clone3", "start_thread", "thread_start", "start", "__libc_init",
	"__start_thread", "__pthread_start", "_pthread_start", "start_wqthread",
	"RtlUserThreadStart", "BaseThreadInitThunk", "runtime.goexit",
	"runtime.goexit.abi0", "runtime.mstart", "runtime.mstart.abi0", "runtime.rt0_go",
	"runtime.rt0_go.abi0", "_rt0_amd64_linux", "_rt0_arm64_linux" };

/* Whether NAME, without suffixes of ours, is a function that programs or threads begin with. */
static bool
is_entry(struct str name)
{
	struct str plain = frame_cut_version(name);
	size_t i;

	/* "main:work.c:12" */
	i = str_find(plain, ':');
	if (i + 1 < plain.n && plain.s[i + 1] != ':')
		plain = str_head(plain, i);
	/* glibc's own alias of a function */
	if (str_starts(plain, STR("__GI_")))
		plain = str_from(plain, 5);
	for (i = 0; i < sizeof ENTRIES / sizeof *ENTRIES; i++)
		if (str_eq(plain, str_of(ENTRIES[i])))
			return true;
	return false;
}

uint32_t
collapse_frame(struct collapse *c, struct str name, unsigned kind)
{
	char annotation = choose_annotation(c->options, kind);
	bool placed = c->options->srcline || c->options->code;
	struct str bare = placed ? frame_cut_place(name) : name;
	uint32_t id;

	/* A stack of nothing but empty frames is none that could be read back. */
	if (!name.n)
		return collapse_bare_frame(c, name, name, kind);
	buf_clear(&c->scratch);
	folded_put_frame(&c->scratch,
		c->options->full_names ? bare : frame_cut_symbol_version(bare));
	if (bare.n < name.n)
		folded_put_frame(&c->scratch, str_from(name, bare.n));
	if (annotation)
		frame_annotate(&c->scratch, annotation);
	id = intern_id(&c->tree.names, buf_view(&c->scratch));
	if (c->options->skip_after.n && (is_stop(c, name) || is_stop(c, bare)))
		mark(c, id, COLLAPSE_STOP);
	if (kind & COLLAPSE_KERNEL)
		mark(c, id, COLLAPSE_IN_KERNEL);
	else if (!(collapse_marks_of(c, id) & (COLLAPSE_AT_ENTRY | COLLAPSE_PLAIN)))
		mark(c, id, is_entry(bare) ? COLLAPSE_AT_ENTRY : COLLAPSE_PLAIN);
	return id;
}

uint32_t
collapse_bare_frame(
	struct collapse *c, struct str module, struct str address, unsigned kind)
{
	bool known = module.n > 0;
	struct buf name = { 0 };
	uint32_t id;

	buf_char(&name, '[');
	buf_str(&name, known ? frame_module_base(module) : STR("unknown"));
	if (c->options->addrs && address.n) {
		buf_str(&name, STR(" <"));
		buf_str(&name, address);
		buf_char(&name, '>');
	}
	buf_char(&name, ']');
	id = collapse_frame(c, buf_view(&name), kind);
	buf_release(&name);
	if (frame_module_is_kernel(module))
		mark(c, id, COLLAPSE_BARE_KERNEL);
	else
		mark(c, id,
			frame_module_is_file(module) ? COLLAPSE_BARE_FILE
						     : COLLAPSE_BARE_CODE);
	return id;
}

/* N when BASE, a name without folders, is the interpreter or the library of Python 3.N; else 0. */
static unsigned
find_python(struct str base)
{
	enum { MOST = 1000 };
	unsigned n = 0;

	if (str_starts(base, STR("lib")))
		base = str_from(base, 3);
	if (!str_starts(base, STR("python3.")))
		return 0;
	for (base = str_from(base, 8); base.n && str_is_digit(base.s[0]) && n < MOST;
		base = str_from(base, 1))
		n = n * 10 + (unsigned)(base.s[0] - '0');
	return n;
}

bool
collapse_is_bare(const struct collapse *c, uint32_t id)
{
	return collapse_marks_of(c, id) & COLLAPSE_BARE;
}

static struct str
function_of(const struct collapse *c, uint32_t id)
{
	return frame_cut_place(frame_bare(intern_str(&c->tree.names, id)));
}

bool
collapse_same_function(const struct collapse *c, uint32_t a, uint32_t b)
{
	if (a == b || (!c->options->srcline && !c->options->code))
		return a == b;
	return str_eq(function_of(c, a), function_of(c, b));
}

/* The runtime that MODULE is of. */
static unsigned
runtime_of(struct str module)
{
	struct str base = frame_module_base(module);

	if (str_eq(base, STR("libjvm.so")))
		return COLLAPSE_IN_JAVA;
	if (str_eq(base, STR("node")) || str_eq(base, STR("nodejs")))
		return COLLAPSE_IN_NODE;
	if (find_python(base) >= PYTHON_WITH_NAMES)
		return COLLAPSE_IN_PYTHON;
	return frame_module_is_jit(module) ? COLLAPSE_PYTHON_FUNCTION : 0;
}

struct collapse_module
collapse_module_of(struct collapse *c, struct str module)
{
	uint32_t known = c->modules.n, id = intern_id(&c->modules, module);

	if (id == known) {
		c->module_table = mem_grow(c->module_table, &c->module_cap,
			(size_t)id + 1, sizeof *c->module_table);
		c->module_table[id] = (struct collapse_module){
			.kind = (frame_module_is_kernel(module) ? COLLAPSE_KERNEL : 0) |
				(frame_module_is_jit(module) ? COLLAPSE_JIT : 0),
			.runtime = runtime_of(module),
		};
	}
	return c->module_table[id];
}

void
collapse_mark_runtime(struct collapse *c, uint32_t id, struct collapse_module module)
{
	if (module.runtime != COLLAPSE_PYTHON_FUNCTION ||
		str_starts(intern_str(&c->tree.names, id), STR("py::")))
		mark(c, id, module.runtime);
}

void
collapse_explain(struct collapse *c, struct str module, struct str why)
{
	uint32_t id = collapse_bare_frame(c, module, (struct str){ 0 }, 0);

	c->reasons =
		mem_grow(c->reasons, &c->reason_cap, c->reason_n + 1, sizeof *c->reasons);
	c->reasons[c->reason_n++] =
		(struct collapse_reason){ id, intern_id(&c->reasons_told, why) };
}

enum collapse_end
collapse_judge_end(const struct collapse *c, const uint32_t *ids, size_t n,
	enum collapse_end otherwise)
{
	unsigned outermost = n ? collapse_marks_of(c, ids[n - 1]) : 0;

	if (outermost & (COLLAPSE_IN_KERNEL | COLLAPSE_AT_ENTRY))
		return COLLAPSE_ENTRY;
	/* Where frame pointers end, a word that is none may be taken for a caller; and the
	 * _start of a stripped program has no name. */
	if (outermost & COLLAPSE_BARE && n > 1 &&
		collapse_marks_of(c, ids[n - 2]) & COLLAPSE_AT_ENTRY)
		return COLLAPSE_ENTRY;
	return otherwise;
}

uint32_t
collapse_mark_end(struct collapse *c, uint32_t root, enum collapse_end end)
{
	if (c->options->no_marks)
		return root;
	switch (end) {
	case COLLAPSE_CUT:
	case COLLAPSE_DEEP:
	case COLLAPSE_SWITCHED: return tree_child(&c->tree, root, STR("[truncated]"));
	case COLLAPSE_BROKEN:
	case COLLAPSE_GONE:
	case COLLAPSE_FOREIGN:
	case COLLAPSE_NO_POINTERS:
	case COLLAPSE_NO_RULES:
	case COLLAPSE_NO_FILE: return tree_child(&c->tree, root, STR("[broken]"));
	default: return root;
	}
}

/* The child NAME of NODE. */
static uint32_t
step(struct collapse *c, uint32_t node, uint32_t name)
{
	if (node == TREE_ROOT)
		name = folded_shield(&c->tree.names, name);
	return tree_child_id(&c->tree, node, name);
}

uint32_t
collapse_path(struct collapse *c, uint32_t root, const uint32_t *ids, size_t n)
{
	uint32_t node = root;
	size_t i;

	budget_spend(BUDGET_FRAMES, n);
	for (i = 0; c->options->skip_after.n && i < n; i++)
		if (collapse_marks_of(c, ids[i]) & COLLAPSE_STOP) {
			node = collapse_lead(c, root);
			n = i + 1;
		}
	if (n == 1 || (node == TREE_ROOT && n))
		node = step(c, node, ids[--n]);
	return tree_path_ids(&c->tree, node, ids, NULL, n);
}

void
collapse_expect_path(const struct collapse *c, uint32_t node, uint32_t id)
{
	tree_expect_id(&c->tree, node, id);
}

void
collapse_steps(
	struct collapse *c, uint32_t root, const uint32_t *ids, uint32_t *node, size_t n)
{
	bool stops = c->options->skip_after.n;

	budget_spend(BUDGET_FRAMES, n);
	while (n && (root == TREE_ROOT || stops)) {
		if (collapse_marks_of(c, ids[--n]) & COLLAPSE_STOP)
			root = collapse_lead(c, root);
		node[n] = root = step(c, root, ids[n]);
	}
	(void)tree_path_ids(&c->tree, root, ids, node, n);
}

/* The weights of stacks that end in MODULE. */
static struct collapse_stuck *
find_stuck(struct collapse *c, struct str module)
{
	uint32_t id = intern_id(&c->end_modules, module);
	size_t had = c->stuck_cap;

	c->stuck = mem_grow(c->stuck, &c->stuck_cap, (size_t)id + 1, sizeof *c->stuck);
	if (c->stuck_cap > had)
		memset(c->stuck + had, 0, (c->stuck_cap - had) * sizeof *c->stuck);
	return &c->stuck[id];
}

/* Counts WEIGHT, as the tree counts, of a stack that ends as S says. */
static void
count_end(struct collapse *c, const struct collapse_sample *s, uint64_t weight)
{
	c->ends[s->end] += weight;
	if (s->end_module.n)
		find_stuck(c, s->end_module)->weight[s->end] += weight;
}

/* Adds S at NODE; false when its weight does not fit in 64 bits. */
static bool
add(struct collapse *c, uint32_t node, const struct collapse_sample *s)
{
	bool weigh = s->has_period && !c->options->count;
	uint64_t count = count_of(s), weight = weigh ? s->period : count;
	uint64_t times = power_of_ten(c->tree.scale - (weigh ? c->decimals : 0));
	int column = c->tree.columns > 1 ? find_event(c, s->event)->column : 0;

	if (collapse_has_root(c, COLLAPSE_TIME))
		node = collapse_at_time(
			c, node, s->time > c->first_time ? s->time - c->first_time : 0);
	if (weight > UINT64_MAX / times || count > UINT64_MAX - c->samples ||
		!tree_add(&c->tree, node, column, weight * times))
		return false;
	weight *= times;
	count_end(c, s, weight);
	c->column_samples[column] += count;
	c->has_period |= weigh;
	c->samples += count;
	if (!c->options->in_order)
		return true;
	c->lines = mem_grow(c->lines, &c->line_cap, c->line_n + 1, sizeof *c->lines);
	c->lines[c->line_n++] = (struct collapse_line){ node, weight };
	return true;
}

void
collapse_add(struct collapse *c, uint32_t node, const struct collapse_sample *s)
{
	if (node == COLLAPSE_NOWHERE)
		collapse_lose(c, COLLAPSE_MALFORMED);
	else if (collapse_is_nobodys(c, node))
		collapse_lose(c, COLLAPSE_NO_STACK);
	else if (!add(c, node, s))
		collapse_lose(c, COLLAPSE_OVERFLOW);
}

void
collapse_stack(struct collapse *c, const struct collapse_sample *s, const uint32_t *ids,
	size_t n)
{
	collapse_add(c, n ? collapse_path(c, collapse_root(c, s), ids, n) : TREE_ROOT, s);
}

uint32_t
collapse_late_frame(struct collapse *c, size_t n)
{
	char name[24];

	/* No frame has a newline. */
	snprintf(name, sizeof name, "\n%zu", n);
	return intern_id(&c->tree.names, str_of(name));
}

void
collapse_name_late(struct collapse *c, uint32_t id, const uint32_t *ids, size_t n)
{
	c->late = mem_grow(c->late, &c->late_cap, c->late_n + 1, sizeof *c->late);
	c->late[c->late_n++] = (struct collapse_late){ id, c->late_id_n, n };
	c->late_ids = mem_grow(
		c->late_ids, &c->late_id_cap, c->late_id_n + n, sizeof *c->late_ids);
	memcpy(c->late_ids + c->late_id_n, ids, n * sizeof *ids);
	c->late_id_n += n;
}

/* What each name of C becomes, NULL for those that stay; the caller frees the array. */
static const struct collapse_late **
index_late(const struct collapse *c)
{
	const struct collapse_late **of = mem_zero(c->tree.names.n, sizeof *of);
	size_t i;

	for (i = 0; i < c->late_n; i++)
		of[c->late[i].id] = &c->late[i];
	return of;
}

void
collapse_rename(struct collapse *c)
{
	const struct collapse_late **of = index_late(c), *e;
	struct tree was = collapse_start_over(c);
	uint32_t *now = mem_zero(was.n, sizeof *now), i, parent;

	for (i = TREE_ROOT + 1; i < was.n; i++) {
		parent = now[was.nodes[i].parent];
		e = of[was.nodes[i].name];
		now[i] = !e    ? tree_child_id(&c->tree, parent, was.nodes[i].name)
			: e->n ? collapse_path(c, parent, c->late_ids + e->first, e->n)
			       : parent;
	}
	c->late_n = c->late_id_n = 0;
	free(of);
	collapse_end_over(c, &was, now);
}

/* One line for each sample. */
static void
write_turns(const struct collapse *c, struct output *out)
{
	struct buf line = { 0 };
	size_t i;

	for (i = 0; i < c->line_n; i++) {
		buf_clear(&line);
		folded_put_stack(&line, &c->tree, c->lines[i].node);
		buf_char(&line, ' ');
		weight_put_scaled(&line, c->lines[i].weight, c->tree.scale);
		buf_char(&line, '\n');
		if (c->lines[i].weight)
			output_str(out, buf_view(&line));
	}
	buf_release(&line);
}

void
collapse_write(struct collapse *c, struct output *out, bool header)
{
	if (!c->samples ||
		(c->tree.columns > 1 && (!c->column_samples[0] || !c->column_samples[1])))
		return;
	if (header)
		folded_write_header(out, &c->info, folded_sums_of(&c->tree));
	if (c->options->in_order)
		write_turns(c, out);
	else
		folded_write(out, &c->tree);
}
