/* SPDX-License-Identifier: ISC */
/*
 * Recording by perf events: a counter for each event, thread and processor, a ring for each
 * processor that they fill and that is written on from there. What the kernel refuses is
 * asked for again with less, and what that costs is told.
 */
#define _GNU_SOURCE
#include "advice.h"
#include "cpus.h"
#include "msg.h"
#include "perf-attr.h"
#include "record-put.h"
#include "recorder.h"
#include "ring.h"
#include "snapshot.h"
#include "synth.h"
#include "target.h"

#include <errno.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Rings by what is sampled: these hold 128 stack snapshots of full size, 128 ms at the
 * default rate. */
enum { RING_PLAIN = 2 << 20, RING_SNAPSHOTS = 8 << 20 };
enum { STACKS_IN_RING = 32, STACK_LEAST = 8192 };
/* What all rings together may take: a part of the memory. */
enum { RINGS_PART = 32 };

enum { READ_MOST = 512 };

/* Less than this is how times are taken, no sharing. */
static const double MULTIPLEXED = 1.02;

struct counter {
	int fd;
	size_t cpu; /* its place in cpus */
	uint64_t id;
};

/* An event that is open, or to be opened. */
struct opened {
	const struct event *event;
	struct perf_event_attr attr;
	struct buf name; /* with the modifiers that it was opened with */
	size_t leader;	 /* as in struct event */
	enum perf_attr_role role;
	unsigned precise; /* precise_ip as far as it went */
	struct counter *counters;
	size_t n, cap;
};

struct session {
	struct record_options set; /* ring_bytes is what it came to be */
	struct perf_attr_level level;
	struct events own; /* the default event, and those for --off-cpu and --delay */
	struct cpus cpus;
	struct record_ids threads; /* -1 alone: all */
	bool on_exec;		   /* recording begins when the command does */
	bool by_default;	   /* cycles, because no event was named */
	bool no_groups;		   /* members are sampled for themselves */
	struct opened *events;
	size_t n;
	struct ring *rings;   /* one for each of cpus */
	uint64_t ring_wanted; /* bytes, had they been allowed */
	struct buf remarks;   /* what asking for less means, a line each */
	struct buf *refusal;  /* of the recorder */
	struct ring_stats stats;
	struct snapshots snapshots;
	uint64_t since; /* what was there before the recording has this time */
};

static bool
is_attached(const struct record_options *set)
{
	return set->all || set->pids.n || set->tids.n;
}

/* The threads to open events on. False, after a message, when there are none. */
static bool
find_threads(struct session *s, pid_t command)
{
	size_t i;

	if (s->set.all || !is_attached(&s->set)) {
		target_add(&s->threads, s->set.all ? -1 : command);
		return true;
	}
	for (i = 0; i < s->set.pids.n; i++)
		target_threads(&s->threads, s->set.pids.items[i]);
	for (i = 0; i < s->set.tids.n; i++)
		target_add(&s->threads, s->set.tids.items[i]);
	if (!s->threads.n)
		msg_error("no process %ld", (long)s->set.pids.items[0]);
	return s->threads.n > 0;
}

/* Adds an event that nobody named. */
static void
add_own(struct session *s, const char *name, uint64_t config)
{
	events_add_default(&s->own, false);
	s->own.items[s->own.n - 1].attr.config = config;
	s->own.items[s->own.n - 1].name = str_of(name);
	s->own.items[s->own.n - 1].leader = s->own.n - 1;
}

static enum perf_attr_role
role_of(const struct events *list, size_t i)
{
	size_t leader = list->items[i].leader;

	if (leader != i)
		return PERF_ATTR_MEMBER;
	if (i + 1 < list->n && list->items[i + 1].leader == i)
		return PERF_ATTR_LEADER;
	return PERF_ATTR_SAMPLED;
}

static void
add_event(
	struct session *s, const struct event *e, size_t leader, enum perf_attr_role role)
{
	s->events[s->n] = (struct opened){
		.event = e, .leader = leader, .role = role, .precise = e->attr.precise_ip
	};
	s->n++;
}

/* Closes all that is open; the list of events stays. */
static void
close_all(struct session *s)
{
	struct opened *e;
	size_t i, k;

	for (i = 0; i < s->cpus.n && s->rings; i++)
		ring_unmap(&s->rings[i]);
	for (i = 0; i < s->n; i++) {
		e = &s->events[i];
		for (k = 0; k < e->n; k++)
			if (e->counters[k].fd >= 0)
				close(e->counters[k].fd);
		e->n = 0;
	}
}

static void
forget(struct session *s)
{
	size_t i;

	close_all(s);
	for (i = 0; i < s->n; i++) {
		free(s->events[i].counters);
		buf_release(&s->events[i].name);
	}
	free(s->events);
	s->events = NULL;
	s->n = 0;
	events_release(&s->own);
}

/* Lists the events that were named, or the default, and what options need. */
static void
list_events(struct session *s)
{
	const struct events *named = &s->set.events;
	size_t i, first, extra;

	forget(s);
	if (!named->n) {
		events_add_default(&s->own, s->by_default);
		named = &s->own;
	}
	first = named->n;
	extra = s->own.n;
	if (s->set.off_cpu)
		add_own(s, "off-cpu", PERF_COUNT_SW_CONTEXT_SWITCHES);
	if (s->set.delay_ns)
		add_own(s, "dummy:u", PERF_COUNT_SW_DUMMY);
	s->events = mem_zero(first + s->own.n, sizeof *s->events);
	for (i = 0; i < first; i++)
		add_event(s, &named->items[i], named->items[i].leader, role_of(named, i));
	if (s->set.off_cpu)
		add_event(s, &s->own.items[extra++], s->n, PERF_ATTR_WAITS);
	if (s->set.delay_ns)
		add_event(s, &s->own.items[extra], s->n, PERF_ATTR_TRACKS);
}

/* A size of stack copies that nobody asked for becomes one of which a ring holds enough. */
static void
fit_stacks(struct session *s)
{
	uint64_t most = s->set.ring_bytes / STACKS_IN_RING;

	if (most < STACK_LEAST)
		most = STACK_LEAST;
	if (!s->set.stack_given && s->set.stack_bytes > most)
		s->set.stack_bytes = (uint32_t)most;
}

/* Whether the last event is one for the records of maps and names, with --delay. */
static bool
has_tracker(const struct session *s)
{
	return s->n && s->events[s->n - 1].role == PERF_ATTR_TRACKS;
}

/* Sets the attributes of all events at the level reached. */
static void
set_attrs(struct session *s)
{
	struct perf_attr_request r = {
		.set = &s->set, .level = &s->level, .whole = s->set.all
	};
	struct opened *e;
	size_t i;

	fit_stacks(s);
	for (i = 0; i < s->n; i++) {
		e = &s->events[i];
		r.event = e->event;
		r.role = s->no_groups &&
				(e->role == PERF_ATTR_LEADER ||
					e->role == PERF_ATTR_MEMBER)
			? PERF_ATTR_SAMPLED
			: e->role;
		r.follows = e->leader != i;
		r.tracks = i == (has_tracker(s) ? s->n - 1 : 0);
		r.on_exec = s->on_exec && (!has_tracker(s) || r.tracks);
		e->attr = perf_attr_of(&r);
		e->attr.precise_ip = e->precise & 3;
	}
}

/* Opens event I on processor CPU for THREAD. False with errno. */
static bool
open_counter(struct session *s, size_t i, pid_t thread, size_t cpu)
{
	struct opened *e = &s->events[i], *leader = &s->events[e->leader];
	int group =
		e->leader == i || !leader->n ? -1 : leader->counters[leader->n - 1].fd;
	struct perf_event_attr attr = e->attr;
	struct counter c = { .cpu = cpu };

	attr.config = cpus_config(&s->cpus.items[cpu], &attr);
	c.fd = (int)syscall(SYS_perf_event_open, &attr, thread, s->cpus.items[cpu].cpu,
		group, PERF_FLAG_FD_CLOEXEC);
	if (c.fd < 0)
		return false;
	e->counters = mem_grow(e->counters, &e->cap, e->n + 1, sizeof *e->counters);
	e->counters[e->n++] = c;
	return ioctl(c.fd, PERF_EVENT_IOC_ID, &e->counters[e->n - 1].id) == 0;
}

/* Lets event I write into the ring of its processor, which its first event maps. */
static bool
direct(struct session *s, size_t i, size_t cpu)
{
	int fd = s->events[i].counters[s->events[i].n - 1].fd;

	if (!s->rings[cpu].page)
		return ring_map(&s->rings[cpu], fd, (size_t)s->set.ring_bytes);
	return ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, s->rings[cpu].fd) == 0;
}

/* Forgets what was opened for a thread that is gone by now. */
static void
drop_thread(struct session *s, size_t cpu, size_t events)
{
	struct opened *e;
	size_t i;

	for (i = 0; i < events; i++) {
		e = &s->events[i];
		if (e->n && s->rings[cpu].fd != e->counters[e->n - 1].fd)
			close(e->counters[--e->n].fd);
	}
}

/* Opens all. On failure errno says why, and *PLACE which event: what the kernel
 * refuses of a ring is no event's fault, *PLACE is then their number. */
static bool
open_all(struct session *s, size_t *place)
{
	size_t t, cpu, i;

	for (t = 0; t < s->threads.n; t++) {
		for (cpu = 0; cpu < s->cpus.n; cpu++) {
			for (i = 0; i < s->n; i++) {
				*place = i;
				if (!open_counter(s, i, s->threads.items[t], cpu))
					break;
				*place = s->n;
				if (!direct(s, i, cpu))
					return false;
			}
			if (i == s->n)
				continue;
			if (errno != ESRCH || s->threads.n == 1)
				return false;
			drop_thread(s, cpu, i);
		}
	}
	errno = ESRCH;
	*place = 0;
	return s->events[0].n > 0;
}

/* A descriptor for each event, thread and processor may be many. */
static void
raise_limit(void)
{
	struct rlimit files;

	if (getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur == files.rlim_max)
		return;
	files.rlim_cur = files.rlim_max;
	setrlimit(RLIMIT_NOFILE, &files);
}

/* The size of a ring: what was asked for, or what the samples want, as far as this
 * user may lock so much and it is a small part of the memory. */
static uint64_t
plan_ring(struct session *s)
{
	long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
	uint64_t memory = (uint64_t)(pages > 0 ? pages : 0) * (uint64_t)page / RINGS_PART;
	uint64_t want = s->set.stack_bytes ? RING_SNAPSHOTS : RING_PLAIN;

	if (s->set.ring_bytes)
		return s->ring_wanted = ring_rounded(s->set.ring_bytes);
	while (want > RING_PLAIN / 4 && want * s->cpus.n > memory)
		want /= 2;
	s->ring_wanted = want;
	return ring_fitting(want, s->cpus.n);
}

/* What the recording calls each event: with :u where only the user's part was left. */
static void
set_names(struct session *s)
{
	struct opened *e;
	size_t i;

	for (i = 0; i < s->n; i++) {
		e = &s->events[i];
		buf_str(&e->name, e->event->name);
		if (e->event->levels || e->role == PERF_ATTR_TRACKS ||
			e->role == PERF_ATTR_WAITS ||
			e->attr.exclude_kernel == e->attr.exclude_user)
			continue;
		if (str_find(e->event->name, ':') == e->event->name.n &&
			str_find(e->event->name, '/') == e->event->name.n)
			buf_str(&e->name, e->attr.exclude_kernel ? STR(":u") : STR(":k"));
	}
}

/* Keeps a remark until it is known that something can be recorded. */
static void
remark(struct session *s, const char *text)
{
	buf_str(&s->remarks, str_of(text));
	buf_char(&s->remarks, '\n');
}

static bool
is_missing(int err)
{
	return err == ENOENT || err == EOPNOTSUPP || err == ENODEV || err == ENXIO;
}

static bool
is_unknown(int err)
{
	return err == EINVAL || err == E2BIG;
}

/* Virtual machines often have no counters, and every kernel has a clock. */
static bool
take_clock(struct session *s)
{
	if (!s->by_default)
		return false;
	remark(s, "no hardware counters here: sampling cpu-clock instead of cycles");
	s->by_default = false;
	s->level.dropped = 0;
	list_events(s);
	return true;
}

/* Leaves the kernel out, if that is not what was asked for. */
static bool
leave_kernel(struct session *s, const struct opened *e)
{
	if (s->level.no_kernel || s->set.kernel_only || e->attr.exclude_user ||
		e->attr.exclude_kernel)
		return false;
	s->level.no_kernel = true;
	if (!s->set.user_only)
		remark(s,
			"the kernel may not be sampled by this user: recording user space alone");
	if (s->set.off_cpu)
		remark(s,
			"stacks of waiting threads need the kernel: "
			"only the times of switches are recorded");
	return true;
}

/* Before Linux 6.12 what reads its group cannot be inherited. */
static bool
loosen_group(struct session *s, const struct opened *e)
{
	if (!(e->attr.sample_type & PERF_SAMPLE_READ) || !e->attr.inherit)
		return false;
	if (!s->no_groups && !e->event->read_group) {
		s->no_groups = true;
		return true;
	}
	if (s->level.no_inherit)
		return false;
	s->level.no_inherit = true;
	remark(s,
		"this kernel cannot read groups in threads and processes that start "
		"later: these are not recorded");
	return true;
}

/* Takes rings of half the size. */
static bool
take_smaller_rings(struct session *s, int err)
{
	struct advice_facts facts;

	if (s->set.ring_bytes > ring_least() && (err == EPERM || err == ENOMEM)) {
		s->set.ring_bytes /= 2;
		return true;
	}
	if (err != EPERM) {
		errno = err;
		msg_error("cannot map the ring buffers of %zu processor%s:", s->cpus.n,
			msg_s(s->cpus.n));
		return false;
	}
	advice_read(&facts, "");
	advice_rings(s->refusal, s->set.ring_bytes / 1024, &facts);
	return false;
}

static bool
refuse(struct session *s, const struct opened *e, int err)
{
	struct buf name = { 0 }, text = { 0 };
	bool refused = err == EPERM || err == EACCES || err == ENOSYS;
	struct str own = e->event->name;
	struct advice_facts facts;
	struct advice_wish wish = { .error = err,
		.kernel = !e->attr.exclude_kernel,
		.all = s->set.all,
		.other = s->set.pids.n || s->set.tids.n,
		.probe = str_starts(own, STR("uprobe:")) ||
			str_starts(own, STR("uretprobe:")) ||
			str_starts(own, STR("kprobe:")) ||
			str_starts(own, STR("kretprobe:")),
		.tracepoint = e->attr.type == PERF_TYPE_TRACEPOINT,
		.hardware = e->attr.type != PERF_TYPE_TRACEPOINT &&
			e->attr.type != PERF_TYPE_SOFTWARE,
		.precise = e->attr.precise_ip > 0,
		.call_stack = s->set.stacks == RECORD_LBR };

	buf_str(&name, own);
	wish.event = buf_cstr(&name);
	wish.hardware = wish.hardware && !wish.probe;
	advice_read(&facts, "");
	advice_refused(refused ? s->refusal : &text, &wish, &facts);
	msg_error_lines(buf_view(&text));
	buf_release(&name);
	buf_release(&text);
	return false;
}

/* What no advice helps against: the thread has gone, or too many files are open. */
static bool
is_plain(const struct session *s, int err)
{
	errno = err;
	if (err == ESRCH)
		msg_error("process %ld has gone", (long)s->threads.items[0]);
	else if (err == EMFILE || err == ENFILE)
		msg_error("an event for each of %zu processor%s and %zu thread%s is too "
			  "many (see ulimit -n):",
			s->cpus.n, msg_s(s->cpus.n), s->threads.n, msg_s(s->threads.n));
	else
		return false;
	return true;
}

/* Asks for less after errno ERR for event PLACE, or for a ring when that is the number of
 * events. False, after a message or with S->refusal, which say what would help. */
static bool
ask_for_less(struct session *s, size_t place, int err)
{
	struct opened *e;

	if (place >= s->n)
		return take_smaller_rings(s, err);
	e = &s->events[place];
	if (is_plain(s, err))
		return false;
	if (is_missing(err) && take_clock(s))
		return true;
	if ((err == EACCES || err == EPERM) && leave_kernel(s, e))
		return true;
	if (e->event->best_skid && e->precise && (is_missing(err) || is_unknown(err))) {
		e->precise--;
		return true;
	}
	if (is_unknown(err) && (loosen_group(s, e) || perf_attr_drop(&s->level)))
		return true;
	if (err == EINVAL && take_clock(s))
		return true;
	return refuse(s, e, err);
}
/* Opens all that SET asks for, on COMMAND (a process that waits to become the command) if
 * that is not 0. False after a message, or with S->refusal. */
static bool
open_session(struct session *s, pid_t command)
{
	struct str remarks, line;
	size_t place;

	if (!cpus_find(&s->cpus, "", s->set.cpus) || !find_threads(s, command))
		return false;
	raise_limit();
	s->rings = mem_zero(s->cpus.n, sizeof *s->rings);
	s->set.ring_bytes = plan_ring(s);
	list_events(s);
	for (set_attrs(s); !open_all(s, &place); set_attrs(s)) {
		if (!ask_for_less(s, place, errno))
			return false;
		close_all(s);
	}
	set_names(s);
	for (remarks = buf_view(&s->remarks); remarks.n;) {
		line = str_cut(&remarks, '\n');
		msg_warn("%.*s", (int)line.n, line.s);
	}
	return true;
}

static void
tell(const struct opened *e, unsigned long request)
{
	size_t k;

	for (k = 0; k < e->n; k++)
		ioctl(e->counters[k].fd, request, 0);
}

/* Tells all events; members go with their leader. */
static void
tell_all(struct session *s, unsigned long request)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		if (s->events[i].leader == i)
			tell(&s->events[i], request);
}

/* The values of one counter, in the order of perf_event_open(2), "Reading results":
 * with groups those of all members, told apart by their ids. */
struct reading {
	uint64_t value, enabled, running, lost;
};

static bool
pick(struct reading *r, const uint64_t *v, size_t n, const struct counter *c)
{
	size_t i;

	if (n < 3 || v[0] > (n - 3) / 2)
		return false;
	r->enabled = v[1];
	r->running = v[2];
	for (i = 0; i < v[0]; i++) {
		if (v[3 + 2 * i + 1] != c->id)
			continue;
		r->value = v[3 + 2 * i];
		return true;
	}
	return false;
}

static bool
read_counter(struct reading *r, const struct opened *e, const struct counter *c)
{
	uint64_t v[READ_MOST] = { 0 };
	ssize_t got = read(c->fd, v, sizeof v);
	size_t n = got > 0 ? (size_t)got / sizeof *v : 0;

	*r = (struct reading){ 0 };
	if (e->attr.read_format & PERF_FORMAT_GROUP)
		return pick(r, v, n, c);
	if (n < 4)
		return false;
	*r = (struct reading){ v[0], v[1], v[2], n > 4 ? v[4] : 0 };
	return true;
}

/* How much longer than it ran an event would have run, had it not shared a counter
 * with others. That of a thread is enabled on all processors at once, and runs on the
 * one where the thread is: the part of only some processors cannot be told. */
static double
scale(const struct session *s, const struct reading *sum)
{
	double times = s->set.all ? 1 : (double)s->cpus.n, ratio;

	if (!sum->running || (!s->set.all && s->set.cpus))
		return 1;
	ratio = (double)sum->enabled / times / (double)sum->running;
	return ratio > MULTIPLEXED ? ratio : 1;
}

/* The values of all counters of E, VALUE scaled up if it did not run all the time. */
static struct reading
total_of(const struct session *s, const struct opened *e)
{
	struct reading r, sum = { 0 };
	double factor;
	size_t k;

	for (k = 0; k < e->n; k++) {
		if (!read_counter(&r, e, &e->counters[k]))
			continue;
		sum.value += r.value;
		sum.enabled += r.enabled;
		sum.running += r.running;
		sum.lost += r.lost;
	}
	factor = scale(s, &sum);
	if (factor > 1)
		sum.value = (uint64_t)((double)sum.value * factor);
	return sum;
}

static int
next_fd(const struct session *s, size_t cpu, int fd)
{
	const struct opened *e;
	bool passed = false;
	size_t i, k;

	for (i = 0; i < s->n; i++) {
		e = &s->events[i];
		for (k = 0; k < e->n; k++) {
			if (e->counters[k].cpu != cpu)
				continue;
			if (passed)
				return e->counters[k].fd;
			passed = e->counters[k].fd == fd;
		}
	}
	return -1;
}

/* The events as the header has them. Release what it returns, and *IDS. */
static struct stream_event *
describe(const struct session *s, uint64_t **ids)
{
	struct stream_event *list = mem_zero(s->n, sizeof *list);
	const struct opened *e;
	size_t i, k, n = 0;

	for (i = 0; i < s->n; i++)
		n += s->events[i].n;
	*ids = mem_alloc(n * sizeof **ids);
	for (n = i = 0; i < s->n; i++) {
		e = &s->events[i];
		list[i] = (struct stream_event){ .attr = &e->attr,
			.name = buf_view(&e->name),
			.ids = *ids + n,
			.n = e->n };
		for (k = 0; k < e->n; k++)
			(*ids)[n++] = e->counters[k].id;
		if (s->events[e->leader].role == PERF_ATTR_LEADER)
			list[e->leader].members++;
	}
	return list;
}

/* Prints what was chosen. */
static void
print_choices(const struct session *s)
{
	uint64_t *ids;
	struct stream_event *events = describe(s, &ids);

	record_summary_print_events(events, s->n - has_tracker(s));
	record_summary_print_stacks(&s->set);
	record_summary_print_rings(s->set.ring_bytes, s->ring_wanted, s->cpus.n);
	free(events);
	free(ids);
}

/* Lets pass poll the rings, and tells which samples have copies of stacks. */
static void
watch_rings(struct recorder *r, struct session *s)
{
	const struct opened *e;
	size_t i, k;

	r->poll_n = s->cpus.n + 1;
	r->polls = mem_resize(r->polls, r->poll_n, sizeof *r->polls);
	for (i = 0; i < s->cpus.n; i++)
		r->polls[i + 1] =
			(struct pollfd){ .fd = s->rings[i].fd, .events = POLLIN };
	for (i = 0; i < s->n; i++) {
		e = &s->events[i];
		for (k = 0; k < e->n; k++)
			snapshot_add(&s->snapshots, &e->attr, e->counters[k].id);
	}
}

static bool
open_perf(struct recorder *r)
{
	struct session *s = mem_zero(1, sizeof *s);

	r->own = s;
	s->set = *r->set;
	s->refusal = &r->refusal;
	s->by_default = !s->set.events.n;
	s->on_exec = r->child.pid && !is_attached(&s->set);
	s->level.no_inherit = s->set.tids.n > 0;
	s->stats.buildids = &r->buildids;
	s->stats.runtimes = s->set.runtimes;
	if (!open_session(s, r->child.pid))
		return false;
	if (s->set.verbose)
		print_choices(s);
	watch_rings(r, s);
	s->since = record_now();
	/* With --delay, the records of maps and names alone. */
	if (!s->on_exec && has_tracker(s))
		tell(&s->events[s->n - 1], PERF_EVENT_IOC_ENABLE);
	else if (!s->on_exec)
		tell_all(s, PERF_EVENT_IOC_ENABLE);
	return true;
}

/* Adds records of what runs already. */
static void
put_running(struct recorder *r, struct synth *synth)
{
	const struct record_options *set = r->set;
	struct record_ids pids = { 0 };
	size_t i;

	for (i = 0; i < set->pids.n; i++)
		target_add(&pids, set->pids.items[i]);
	for (i = 0; i < set->tids.n; i++)
		target_add(&pids, target_process(set->tids.items[i]));
	if (set->all)
		target_all(&pids);
	for (i = 0; i < pids.n; i++) {
		synth_process(synth, pids.items[i]);
		if (r->out.n > RECORDER_CHUNK)
			recorder_flush(r);
	}
	target_release(&pids);
}

static struct synth
synth_at(struct recorder *r, uint64_t time)
{
	const struct session *s = r->own;

	return (struct synth){ .root = "",
		.time = time,
		.id = s->events[0].counters[0].id,
		.data = s->set.stack_bytes > 0,
		.buildids = &r->buildids,
		.out = &r->out };
}

static void
put_head(struct recorder *r)
{
	const struct session *s = r->own;
	struct synth synth = synth_at(r, s->since);
	uint64_t *ids;
	struct stream_event *events = describe(s, &ids);
	size_t i;

	stream_header_put(&r->out,
		&(struct stream_header){ events, s->n, s->set.argv, s->set.argc });
	for (i = 0; i < s->n; i++)
		synth.id_in_maps = synth.id_in_maps || s->events[i].attr.build_id;
	if (!s->level.no_kernel && !s->set.user_only)
		synth_kernel(&synth);
	put_running(r, &synth);
	recorder_flush(r);
	free(events);
	free(ids);
}

static void
begin_samples(struct recorder *r)
{
	tell_all(r->own, PERF_EVENT_IOC_ENABLE);
}

/* Writes what RING has, piece by piece, so that the kernel soon has room again. Whether
 * there was anything. */
static bool
drain(struct recorder *r, struct ring *ring)
{
	struct session *s = r->own;
	struct ring_content c = ring_content(ring);
	struct ring_record record;
	size_t given = 0;

	record.at = record.h.size = 0;
	while (ring_next(&c, &record)) {
		ring_stats_add(&s->stats, &record);
		snapshot_put(&s->snapshots, &c, &record, &r->out);
		if (r->out.n < RECORDER_CHUNK)
			continue;
		recorder_flush(r);
		ring_release(ring, record.at + record.h.size - given);
		given = record.at + record.h.size;
	}
	recorder_flush(r);
	/* What makes no sense, and hides what follows. */
	s->stats.lost += record.at < c.part[0].n + c.part[1].n;
	ring_release(ring, c.part[0].n + c.part[1].n - given);
	return record.at > 0;
}

/* One pass over all rings. What a pass has is older than all that comes after the next
 * one. */
static void
drain_all(struct recorder *r)
{
	struct session *s = r->own;
	struct pollfd *p;
	bool any = false;
	size_t i;

	for (i = 0; i < s->cpus.n; i++) {
		any |= drain(r, &s->rings[i]);
		/* A ring whose thread has ended would be told of over and over: another
		 * descriptor stands for it then. */
		p = &r->polls[i + 1];
		if (p->revents & (POLLHUP | POLLERR))
			p->fd = next_fd(s, i, p->fd);
		p->revents = 0;
	}
	r->sum.samples = s->stats.samples;
	r->sum.lost = s->stats.lost;
	if (!any)
		return;
	record_put_round(&r->out);
	recorder_flush(r);
}

static bool
any_lives(struct recorder *r)
{
	const struct record_options *set = r->set;
	size_t i;

	if (r->child.pid)
		return !child_ended(&r->child);
	for (i = 0; i < set->pids.n; i++)
		if (target_process_lives(set->pids.items[i]))
			return true;
	for (i = 0; i < set->tids.n; i++)
		if (target_thread_lives(set->tids.items[i]))
			return true;
	return set->all;
}

static void
end_samples(struct recorder *r)
{
	tell_all(r->own, PERF_EVENT_IOC_DISABLE);
}

/* Adds up what all events came to. */
static void
sum_up(struct recorder *r, uint64_t *lost)
{
	struct session *s = r->own;
	const struct opened *e;
	struct reading total;
	size_t i;

	*lost = 0;
	r->sum.events = mem_zero(s->n, sizeof *r->sum.events);
	for (i = 0; i < s->n; i++) {
		e = &s->events[i];
		total = total_of(s, e);
		*lost += total.lost;
		if (e->role == PERF_ATTR_TRACKS)
			continue;
		r->sum.events[r->sum.n++] =
			(struct record_summary_event){ .name = buf_view(&e->name),
				.total = total.value,
				.is_time = e->attr.type == PERF_TYPE_SOFTWARE &&
					e->attr.config <= PERF_COUNT_SW_TASK_CLOCK };
	}
}

static void
put_tail(struct recorder *r)
{
	struct session *s = r->own;
	struct synth synth = synth_at(r, r->ended);
	uint64_t lost;

	sum_up(r, &lost);
	if (!r->stream.failed) {
		drain_all(r);
		/* Samples that were lost behind the last record that got through are told of
		 * by the counters alone. */
		if (lost > r->sum.lost) {
			synth_lost(&synth, lost - r->sum.lost);
			r->sum.lost = lost;
		}
		buildid_put_wanted(&r->out, &r->buildids);
		record_put_round(&r->out);
	}
	r->sum.copies = s->snapshots.copies;
	r->sum.full = s->snapshots.full;
}

static void
close_perf(struct recorder *r)
{
	struct session *s = r->own;

	forget(s);
	free(r->sum.events);
	free(s->rings);
	snapshot_release(&s->snapshots);
	buf_release(&s->remarks);
	cpus_release(&s->cpus);
	target_release(&s->threads);
	free(s);
}

const struct recorder_method perf_method = {
	.open = open_perf,
	.head = put_head,
	.sample = begin_samples,
	.pass = drain_all,
	.lives = any_lives,
	.stop = end_samples,
	.tail = put_tail,
	.close = close_perf,
};
