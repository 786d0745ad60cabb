/* SPDX-License-Identifier: ISC */
/* Steps that change the stacks of a tree; see filter.h. */
#include "filter.h"
#include "frame-stable.h"
#include "frame.h"
#include "graft.h"
#include "mem.h"
#include "sanitize.h"
#include "shape.h"

/* Facts derived from names. */

/* fg-filter(1) has this list too. */
static const struct {
	const char *name;
	enum filter_idle idle;
} WAITING[] = {
	/* idle loops of Linux, FreeBSD and illumos */
	{ "cpu_startup_entry", FILTER_IDLE_LOOP },
	{ "do_idle", FILTER_IDLE_LOOP },
	{ "cpu_idle", FILTER_IDLE_LOOP },
	{ "cpu_idle_loop", FILTER_IDLE_LOOP },
	{ "call_cpuidle", FILTER_IDLE_LOOP },
	{ "cpuidle_enter", FILTER_IDLE_LOOP },
	{ "cpuidle_enter_state", FILTER_IDLE_LOOP },
	{ "default_idle", FILTER_IDLE_LOOP },
	{ "default_idle_call", FILTER_IDLE_LOOP },
	{ "arch_cpu_idle", FILTER_IDLE_LOOP },
	{ "intel_idle", FILTER_IDLE_LOOP },
	{ "intel_idle_irq", FILTER_IDLE_LOOP },
	{ "acpi_idle_enter", FILTER_IDLE_LOOP },
	{ "acpi_idle_do_entry", FILTER_IDLE_LOOP },
	{ "mwait_idle", FILTER_IDLE_LOOP },
	{ "poll_idle", FILTER_IDLE_LOOP },
	{ "native_safe_halt", FILTER_IDLE_LOOP },
	{ "sched_idletd", FILTER_IDLE_LOOP },
	{ "acpi_cpu_idle", FILTER_IDLE_LOOP },
	{ "mach_cpu_idle", FILTER_IDLE_LOOP },
	/* waiting for events or for a time */
	{ "epoll_wait", FILTER_WAITS },
	{ "__epoll_wait", FILTER_WAITS },
	{ "epoll_pwait", FILTER_WAITS },
	{ "poll", FILTER_WAITS },
	{ "__poll", FILTER_WAITS },
	{ "__GI___poll", FILTER_WAITS },
	{ "ppoll", FILTER_WAITS },
	{ "__ppoll", FILTER_WAITS },
	{ "select", FILTER_WAITS },
	{ "__select", FILTER_WAITS },
	{ "pselect", FILTER_WAITS },
	{ "nanosleep", FILTER_WAITS },
	{ "__nanosleep", FILTER_WAITS },
	{ "clock_nanosleep", FILTER_WAITS },
	{ "__clock_nanosleep", FILTER_WAITS },
	{ "sleep", FILTER_WAITS },
	{ "usleep", FILTER_WAITS },
	{ "pause", FILTER_WAITS },
	{ "kevent", FILTER_WAITS },
	{ "mach_msg_trap", FILTER_WAITS },
	{ "mach_msg2_trap", FILTER_WAITS },
	{ "__semwait_signal", FILTER_WAITS },
	{ "runtime.epollwait", FILTER_WAITS },
	{ "runtime.usleep", FILTER_WAITS },
	/* the same in the kernel, seen when a thread yields its processor */
	{ "ep_poll", FILTER_SLEEPS },
	{ "do_epoll_wait", FILTER_SLEEPS },
	{ "do_poll", FILTER_SLEEPS },
	{ "do_sys_poll", FILTER_SLEEPS },
	{ "do_select", FILTER_SLEEPS },
	{ "do_nanosleep", FILTER_SLEEPS },
	{ "hrtimer_nanosleep", FILTER_SLEEPS },
	{ "schedule", FILTER_SCHEDULES },
	{ "__schedule", FILTER_SCHEDULES },
	{ "finish_task_switch", FILTER_SCHEDULES },
	{ "schedule_timeout", FILTER_SCHEDULES },
	{ "schedule_hrtimeout_range", FILTER_SCHEDULES },
	{ "schedule_hrtimeout_range_clock", FILTER_SCHEDULES },
	{ "poll_schedule_timeout", FILTER_SCHEDULES },
};

/* The C function that NAME is a clone of or calls through a stub. Its name has neither '+' nor '@',
 * so these begin offsets ("+0x1b", "+28") and versions. */
static struct str
cut_to_function(struct str name)
{
	(void)frame_cut_annotation(&name);
	name = frame_cut_module(frame_cut_place(name));
	name = frame_cut_version(str_head(name, str_find(name, '+')));
	return str_head(name, frame_find_suffix(name, FRAME_CLONE));
}

/* "swapper/3", "swapper-0", "swapper/3-0/3": the idle thread of Linux, with numbers. */
static bool
is_swapper(struct str name)
{
	static const struct str swapper = { "swapper", 7 };

	return str_starts(name, swapper) &&
		(name.n == swapper.n ||
			(name.n > swapper.n + 1 && strchr("/-", name.s[swapper.n])));
}

enum filter_idle
filter_idle(struct str name)
{
	struct str bare = cut_to_function(name);
	size_t i;

	for (i = 0; i < sizeof WAITING / sizeof *WAITING; i++)
		if (str_eq(bare, str_of(WAITING[i].name)))
			return WAITING[i].idle;
	return is_swapper(bare) ? FILTER_IDLE_LOOP : FILTER_BUSY;
}

/* Whether TEXT, in parentheses at the end of a name, can be a file rather than the arguments of a
 * function. */
static bool
is_file(struct str text)
{
	static const char *const types[] = { "void", "bool", "char", "short", "int",
		"long", "float", "double", "unsigned", "const" };
	size_t i;

	for (i = 0; i < sizeof types / sizeof *types; i++)
		if (str_eq(text, str_of(types[i])))
			return false;
	for (i = 0; i < text.n; i++)
		if (strchr(" \t,*&()", text.s[i]) || text.s[i] == ':')
			return false;
	return text.n > 0;
}

/* The file in "function (file)" and "function (in file)". */
static struct str
in_parentheses(struct str name)
{
	struct str none = { 0 };
	size_t at = str_rfind(name, '(');

	if (!str_ends(name, STR(")")) || at < 2 || name.s[at - 1] != ' ')
		return none;
	name = str_head(str_from(name, at + 1), name.n - at - 2);
	if (str_starts(name, STR("in ")))
		name = str_from(name, 3);
	return is_file(name) ? str_base(name) : none;
}

/* The file in brackets, "file" or "file <2601>". */
static struct str
cut_file(struct str inside)
{
	inside = str_head(inside, str_search(inside, STR(" <")));
	return str_eq(inside, STR("unknown")) ? (struct str){ 0 } : str_base(inside);
}

struct str
filter_module(struct str name, bool *inlined)
{
	char letter = frame_cut_annotation(&name);
	struct str module = frame_module(name);

	*inlined = letter == 'i';
	if (!module.n && frame_in_brackets(name).n)
		module = cut_file(frame_in_brackets(name));
	else if (!module.n)
		module = in_parentheses(name);
	if (!module.n && letter == 'k')
		module = STR("kernel");
	if (!module.n && letter == 'j')
		module = STR("jit");
	return module;
}

/* The kinds of steps. */

/* Which functions of T the expression of S matches, by id. To be freed. */
static bool *
find_matching(const struct filter *f, const struct filter_step *s, struct tree *t)
{
	bool *matches = shape_functions(t, f->by->n);
	uint32_t i;

	for (i = 0; i < t->names.n; i++)
		matches[i] = matches[i] && match_has(s->match, intern_str(&t->names, i));
	return matches;
}

static void
choose_stacks(struct filter *f, const struct filter_step *s, struct tree *t)
{
	bool *matches = find_matching(f, s, t);

	shape_focus(t, f->by->n, matches, s->kind == FILTER_IGNORE, f->dropped);
	if (s->kind == FILTER_ROOT)
		shape_cut_above(t, f->by->n, matches, f->last);
	free(matches);
}

static void
cut_stacks(struct filter *f, const struct filter_step *s, struct tree *t)
{
	bool *matches = find_matching(f, s, t);

	if (s->kind == FILTER_ABOVE)
		shape_cut_above(t, f->by->n, matches, f->last);
	else
		shape_cut_below(t, f->by->n, matches, f->last);
	free(matches);
}

static void
cut_depth(struct filter *f, const struct filter_step *s, struct tree *t)
{
	shape_cut_depth(t, f->by->n, s->depth);
}

/* The id that the step S gives to the name ID of T, or GRAFT_JOIN. */
typedef uint32_t become(
	struct filter *, const struct filter_step *, struct tree *, uint32_t);

/* The new ids of the functions of T, by id. To be freed. */
static uint32_t *
change_names(struct filter *f, const struct filter_step *s, struct tree *t, become *new)
{
	bool *functions = shape_functions(t, f->by->n);
	uint32_t n = t->names.n, *to = mem_alloc(((size_t)n + 1) * sizeof *to), i;

	for (i = 0; i < n; i++)
		to[i] = functions[i] ? new (f, s, t, i) : i;
	free(functions);
	return to;
}

/* Adds NAME as changed by the step S. False when it leaves NAME unchanged. */
static bool
put_name(const struct filter_step *s, struct str name, struct buf *b)
{
	if (s->kind == FILTER_RENAME)
		return edit_put(s->edit, name, b);
	if (s->kind == FILTER_LINES)
		frame_put_without_place(b, name);
	else
		frame_put_stable(b, name);
	return true;
}

static uint32_t
renamed(struct filter *f, const struct filter_step *s, struct tree *t, uint32_t id)
{
	struct buf b = { 0 }, frame = { 0 };

	(void)f;
	if (put_name(s, intern_str(&t->names, id), &b)) {
		folded_put_frame(&frame, buf_view(&b));
		id = frame.n ? intern_id(&t->names, buf_view(&frame)) : GRAFT_JOIN;
	}
	buf_release(&b);
	buf_release(&frame);
	return id;
}

static uint32_t
shown(struct filter *f, const struct filter_step *s, struct tree *t, uint32_t id)
{
	(void)f;
	return match_has(s->match, intern_str(&t->names, id)) == (s->kind == FILTER_SHOW)
		? id
		: GRAFT_JOIN;
}

static void
change_frames(struct filter *f, const struct filter_step *s, struct tree *t)
{
	bool hides = s->kind == FILTER_HIDE || s->kind == FILTER_SHOW;
	uint32_t *to = change_names(f, s, t, hides ? shown : renamed);

	shape_rename(t, f->by->n, to);
	free(to);
}

/* The module for the name ID; GRAFT_JOIN, for the caller's module, if it was inlined. */
static uint32_t
module_of(struct filter *f, const struct filter_step *s, struct tree *t, uint32_t id)
{
	bool inlined;
	struct str module = filter_module(intern_str(&t->names, id), &inlined);

	(void)s;
	f->modules |= module.n > 0;
	if (!module.n)
		return inlined ? GRAFT_JOIN : id;
	return intern_id(&t->names, module);
}

static void
by_module(struct filter *f, const struct filter_step *s, struct tree *t)
{
	uint32_t *to = change_names(f, s, t, module_of);

	shape_group(t, f->by->n, to);
	free(to);
}

static void
fold(struct filter *f, const struct filter_step *s, struct tree *t)
{
	if (s->kind == FILTER_CYCLES)
		shape_fold_cycles(t, f->by->n);
	else
		shape_fold(t, f->by->n);
}

static void
reverse(struct filter *f, const struct filter_step *s, struct tree *t)
{
	(void)s;
	shape_reverse(t, f->by->n);
}

static void
prune(struct filter *f, const struct filter_step *s, struct tree *t)
{
	shape_prune(t, f->by->n, s->percent, f->keep_total ? f->whole : t->sum);
}

/* The state of a stack that ends at a node, inherited by the nodes below. */
struct idle {
	bool loops; /* in an idle thread or an idle loop */
	enum filter_idle
		leaf;  /* of the last function, except those that switch threads */
	bool switches; /* the stack ends in such functions */
};

/* Updates ABOVE for a function of KIND below it. */
static struct idle
add_idle(struct idle above, enum filter_idle kind, bool is_first)
{
	above.loops |= kind == FILTER_IDLE_LOOP;
	above.switches = kind == FILTER_SCHEDULES && !is_first;
	if (!above.switches)
		above.leaf = kind;
	return above;
}

static bool
is_idle(struct idle i)
{
	return i.loops || i.leaf == FILTER_WAITS ||
		(i.leaf == FILTER_SLEEPS && i.switches);
}

/* By id, whether the names of T mark idle stacks. To be freed. */
static unsigned char *
find_idle_names(const struct tree *t)
{
	unsigned char *kind = mem_zero((size_t)t->names.n + 1, sizeof *kind);
	uint32_t i;

	for (i = 0; i < t->names.n; i++)
		kind[i] = (unsigned char)filter_idle(intern_str(&t->names, i));
	return kind;
}

static void
drop_idle(struct filter *f, const struct filter_step *s, struct tree *t)
{
	uint32_t *depth = tree_depths(t), i, name;
	struct idle *idle = mem_zero(t->n, sizeof *idle);
	unsigned char *kind = find_idle_names(t);
	size_t lead = f->by->n;
	int c;

	(void)s;
	for (i = TREE_ROOT + 1; i < t->n; i++) {
		name = t->nodes[i].name;
		idle[i] = idle[t->nodes[i].parent];
		/* The idle thread is also recognised by its thread name. */
		if (depth[i] > lead)
			idle[i] = add_idle(idle[i], kind[name], depth[i] == lead + 1);
		else if (dimensions_is_thread(f->by->name[depth[i] - 1]))
			idle[i].loops |= is_swapper(intern_str(&t->names, name));
		for (c = 0; c < t->columns && is_idle(idle[i]); c++)
			tree_drop(t, i, c, &f->dropped[c]);
	}
	free(kind);
	free(idle);
	free(depth);
}

typedef void run_step(struct filter *, const struct filter_step *, struct tree *);

static run_step *const STEPS[FILTER_KINDS] = {
	[FILTER_FOCUS] = choose_stacks,
	[FILTER_IGNORE] = choose_stacks,
	[FILTER_ROOT] = choose_stacks,
	[FILTER_IDLE] = drop_idle,
	[FILTER_BELOW] = cut_stacks,
	[FILTER_ABOVE] = cut_stacks,
	[FILTER_DEPTH] = cut_depth,
	[FILTER_HIDE] = change_frames,
	[FILTER_SHOW] = change_frames,
	[FILTER_RENAME] = change_frames,
	[FILTER_LINES] = change_frames,
	[FILTER_STABLE] = change_frames,
	[FILTER_MODULE] = by_module,
	[FILTER_RECURSION] = fold,
	[FILTER_CYCLES] = fold,
	[FILTER_REVERSE] = reverse,
	[FILTER_SHARE] = prune,
};

/* The argument of an option. */
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
	[FILTER_STABLE] = { "stable-names", NOTHING },
	[FILTER_LINES] = { "no-lines", NOTHING },
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
	edit_free(s->edit);
}

void
filter_release(struct filter *f)
{
	while (f->n)
		release_step(&f->steps[--f->n]);
	free(f->steps);
	where_release(&f->where);
	*f = (struct filter){ .n = 0 };
}

/* Parses "12.5" or "12.5%". */
static bool
read_percentage(const char *text, double *percent)
{
	char *end;

	*percent = strtod(text, &end);
	return end != text && str_is_digit(*text) && !end[*end == '%'] && *percent <= 100;
}

/* Parses the argument of S. */
static bool
parse_argument(struct filter_step *s, struct buf *why)
{
	struct str text = str_of(s->text);

	switch (KINDS[s->kind].takes) {
	case NOTHING: return true;
	case EXPRESSION:
		buf_str(why, STR("is not a valid expression: "));
		return (s->match = match_new(text, 0, why)) != NULL;
	case SUBSTITUTION:
		buf_str(why, STR("is not a valid substitution, s/EXPRESSION/NEW/: "));
		return (s->edit = edit_new(text, why)) != NULL;
	case NUMBER:
		buf_str(why, STR("is not a number of frames from 1 up"));
		return str_to_u64(text, &s->depth) && s->depth;
	case PERCENTAGE:
		buf_str(why, STR("is not a percentage from 0 to 100"));
		return read_percentage(s->text, &s->percent);
	}
	return false;
}

bool
filter_add(struct filter *f, enum filter_kind kind, const char *text, struct buf *why)
{
	struct filter_step s = { .kind = kind, .text = text };

	if (!parse_argument(&s, why)) {
		release_step(&s);
		return false;
	}
	f->steps = mem_grow(f->steps, &f->cap, f->n + 1, sizeof *f->steps);
	f->steps[f->n++] = s;
	return true;
}

/* Whether no expression of S was given up. */
static bool
is_sound(const struct filter_step *s)
{
	const char *why = s->match ? match_failure(s->match)
		: s->edit	   ? edit_failure(s->edit)
				   : NULL;

	if (why)
		msg_error(
			"--%s '%s': giving up: %s", KINDS[s->kind].option, s->text, why);
	return !why;
}

/* Adds the weight of stacks that were filtered out. */
static void
keep_dropped(const struct filter *f, struct tree *t)
{
	uint32_t node = TREE_ROOT;
	size_t i;
	int c;

	if (!f->dropped[0] && !f->dropped[1])
		return;
	for (i = 0; i < f->by->n; i++)
		node = tree_child(t, node, DIMENSIONS_NO_VALUE);
	node = tree_child(t, node, STR("[filtered]"));
	for (c = 0; c < t->columns; c++)
		tree_add(t, node, c, f->dropped[c]);
}

bool
filter_run(struct filter *f, struct tree *t, const struct dimensions *d)
{
	size_t i;

	sanitize_names(t);
	f->by = d;
	memcpy(f->whole, t->sum, sizeof f->whole);
	if (f->where.n && !where_take(&f->where, d, t, f->dropped))
		return false;
	for (i = 0; i < f->n; i++)
		STEPS[f->steps[i].kind](f, &f->steps[i], t);
	shape_merge(t);
	for (i = 0; i < f->n; i++)
		if (!is_sound(&f->steps[i]))
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
	folded_info_forget_tests(info);
}
