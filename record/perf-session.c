/* SPDX-License-Identifier: ISC */
/*
 * Opens events: chooses processors, threads and attributes, and requests less where the
 * kernel refuses; see perf-session.h.
 */
#define _GNU_SOURCE
#include "perf-session.h"
#include "advice.h"
#include "event-source.h"
#include "msg.h"
#include "sysfile.h"
#include "target.h"

#include <errno.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Default sizes of a ring without and with stack snapshots: 128 snapshots of full size,
 * or 128 ms at the default rate. */
enum { RING_PLAIN = 2 << 20, RING_SNAPSHOTS = 8 << 20 };
enum { STACKS_IN_RING = 32, STACK_LEAST = 8192 };
/* All rings together take at most this part of the memory. */
enum { RINGS_PART = 32 };

enum { LARGEST_CPU = 65535, PMU_SHIFT = 32 };

/* How often events are opened again for threads that started meanwhile. */
enum { TRIES = 5 };

static void
release_cpus(struct perf_cpus *list)
{
	free(list->items);
	*list = (struct perf_cpus){ 0 };
}

static struct perf_cpu *
find_cpu(const struct perf_cpus *list, uint64_t cpu)
{
	size_t i;

	for (i = 0; i < list->n; i++)
		if (list->items[i].cpu == cpu)
			return &list->items[i];
	return NULL;
}

static void
add_cpu(struct perf_cpus *list, uint64_t cpu)
{
	/* Lists usually ascend: compare with the last one first. */
	if (list->n && list->items[list->n - 1].cpu >= cpu && find_cpu(list, cpu))
		return;
	*MEM_ADD(list->items, list->n, list->cap) =
		(struct perf_cpu){ .cpu = (uint32_t)cpu };
}

/* Adds the processors of the list TEXT, "0-3,8", in its order, each once. Returns false
 * for an invalid list, or a processor above 65,535. */
static bool
parse_cpus(struct perf_cpus *list, struct str text)
{
	struct str part, low;
	uint64_t from, to;

	if (!text.n)
		return false;
	while (text.n) {
		part = str_cut(&text, ',');
		low = str_cut(&part, '-');
		if (!str_to_u64(low, &from))
			return false;
		to = from;
		if (part.s && part.s > low.s + low.n && !str_to_u64(part, &to))
			return false;
		if (to > LARGEST_CPU || from > to)
			return false;
		for (; from <= to; from++)
			add_cpu(list, from);
	}
	return true;
}

/* Lists the online processors; without /sys, by their number. */
static void
find_online(struct perf_cpus *list, const char *root)
{
	struct buf text = { 0 };
	long n = sysconf(_SC_NPROCESSORS_ONLN), i;

	if (!sysfile_read(&text, "%s/sys/devices/system/cpu/online", root) ||
		!parse_cpus(list, buf_view(&text)))
		for (list->n = 0, i = 0; i < (n > 0 ? n : 1); i++)
			add_cpu(list, (uint64_t)i);
	buf_release(&text);
}

/* Sets the PMU of each processor on machines with several kinds. */
static void
find_kinds(struct perf_cpus *list, const char *root)
{
	static const char *const kinds[] = { "cpu_core", "cpu_atom", "cpu_lowpower" };
	struct buf text = { 0 };
	struct perf_cpus members;
	int64_t type;
	size_t k, i;

	for (k = 0; k < sizeof kinds / sizeof *kinds; k++) {
		members = (struct perf_cpus){ 0 };
		if (sysfile_number(&type, "%s/sys/bus/event_source/devices/%s/type", root,
			    kinds[k]) &&
			sysfile_read(&text, "%s/sys/bus/event_source/devices/%s/cpus",
				root, kinds[k]) &&
			parse_cpus(&members, buf_view(&text)))
			for (i = 0; i < list->n; i++)
				if (find_cpu(&members, list->items[i].cpu))
					list->items[i].pmu = (uint32_t)type;
		release_cpus(&members);
	}
	buf_release(&text);
}

/* Reduces LIST to the processors WANTED. Returns false after a message. */
static bool
choose(struct perf_cpus *list, const char *wanted)
{
	struct perf_cpus chosen = { 0 };
	size_t i;

	if (!parse_cpus(&chosen, str_of(wanted))) {
		msg_error(
			"--cpu: '%s' is not a list of processors; use one such as 0-3,8",
			wanted);
		release_cpus(&chosen);
		return false;
	}
	for (i = 0; i < chosen.n; i++) {
		if (!find_cpu(list, chosen.items[i].cpu)) {
			msg_error("processor %u is not online", chosen.items[i].cpu);
			release_cpus(&chosen);
			return false;
		}
	}
	release_cpus(list);
	*list = chosen;
	return true;
}

bool
perf_cpus_find(struct perf_cpus *list, const char *root, const char *wanted)
{
	find_online(list, root);
	if (wanted && !choose(list, wanted))
		return false;
	find_kinds(list, root);
	return true;
}

uint64_t
perf_cpus_config(const struct perf_cpu *item, const struct perf_event_attr *attr)
{
	if (attr->type != PERF_TYPE_HARDWARE && attr->type != PERF_TYPE_HW_CACHE)
		return attr->config;
	if (attr->config >> PMU_SHIFT)
		return attr->config;
	return attr->config | (uint64_t)item->pmu << PMU_SHIFT;
}

static bool
is_attached(const struct record_options *set)
{
	return set->all || set->pids.n || set->tids.n;
}

/* Finds the threads to open events on, and their processes. Returns false, after a
 * message, if there are none. */
static bool
find_threads(struct perf_session *s, pid_t command)
{
	const struct record_options *set = &s->set;
	size_t i;

	s->threads.n = s->processes.n = 0;
	if (set->all || !is_attached(set)) {
		target_add(&s->threads, set->all ? -1 : command);
		return true;
	}
	for (i = 0; i < set->pids.n; i++)
		target_add(&s->processes, set->pids.items[i]);
	if (!set->no_children)
		target_descendants(&s->processes);
	for (i = 0; i < s->processes.n; i++)
		target_threads(&s->threads, s->processes.items[i]);
	for (i = 0; i < set->tids.n; i++) {
		target_add(&s->threads, set->tids.items[i]);
		target_add(&s->processes, target_process(set->tids.items[i]));
	}
	if (!s->threads.n)
		msg_error("no process has the ID %ld", (long)s->set.pids.items[0]);
	return s->threads.n > 0;
}

/* Built-in events: the default with and without hardware counters, and the events for
 * --off-cpu and --delay. */
static const struct event cycles = { .attr = { .type = PERF_TYPE_HARDWARE,
					     .config = PERF_COUNT_HW_CPU_CYCLES,
					     .exclude_guest = 1 },
	.name = { "cycles", 6 } };
static const struct event cpu_clock = { .attr = { .type = PERF_TYPE_SOFTWARE,
						.config = PERF_COUNT_SW_CPU_CLOCK },
	.name = { "cpu-clock", 9 } };
static const struct event off_cpu = { .attr = { .type = PERF_TYPE_SOFTWARE,
					      .config = PERF_COUNT_SW_CONTEXT_SWITCHES },
	.name = { "off-cpu", 7 } };
static const struct event tracker = { .attr = { .type = PERF_TYPE_SOFTWARE,
					      .config = PERF_COUNT_SW_DUMMY },
	.name = { "dummy:u", 7 } };

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
add_event(struct perf_session *s, const struct event *e, size_t leader,
	enum perf_attr_role role)
{
	s->events[s->n] = (struct perf_event){
		.event = e, .leader = leader, .role = role, .precise = e->attr.precise_ip
	};
	s->n++;
}

/* Closes all rings and counters, but keeps the list of events. */
static void
close_all(struct perf_session *s)
{
	struct perf_event *e;
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
forget(struct perf_session *s)
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
}

/* Lists the events of -e, or the default, and the events that options need. */
static void
list_events(struct perf_session *s)
{
	const struct events *named = &s->set.events;
	size_t i;

	forget(s);
	s->has_tracker = s->set.delay_ns > 0;
	s->events = mem_zero(named->n + 3, sizeof *s->events);
	for (i = 0; i < named->n; i++)
		add_event(s, &named->items[i], named->items[i].leader, role_of(named, i));
	if (!named->n)
		add_event(s, s->by_default ? &cycles : &cpu_clock, 0, PERF_ATTR_SAMPLED);
	if (s->set.off_cpu)
		add_event(s, &off_cpu, s->n, PERF_ATTR_WAITS);
	if (s->has_tracker)
		add_event(s, &tracker, s->n, PERF_ATTR_TRACKS);
}

/* Reduces a default size of stack copies so that a ring holds enough of them. */
static void
fit_stacks(struct perf_session *s)
{
	uint64_t most = s->set.ring_bytes / STACKS_IN_RING;

	if (most < STACK_LEAST)
		most = STACK_LEAST;
	if (!s->set.stack_given && s->set.stack_bytes > most)
		s->set.stack_bytes = (uint32_t)most;
}

/* Sets the attributes of all events at the level reached. */
static void
set_attrs(struct perf_session *s)
{
	struct perf_attr_request r = {
		.set = &s->set, .level = &s->level, .whole = s->set.all
	};
	struct perf_event *e;
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
		r.tracks = i == (s->has_tracker ? s->n - 1 : 0);
		r.on_exec = s->on_exec && (!s->has_tracker || r.tracks);
		e->attr = perf_attr_of(&r);
		e->attr.precise_ip = e->precise & 3;
	}
}

/* Opens event I on processor CPU for THREAD. Returns false with errno. */
static bool
open_counter(struct perf_session *s, size_t i, pid_t thread, size_t cpu)
{
	struct perf_event *e = &s->events[i], *leader = &s->events[e->leader];
	int group =
		e->leader == i || !leader->n ? -1 : leader->counters[leader->n - 1].fd;
	struct perf_event_attr attr = e->attr;
	struct perf_counter c = { .cpu = cpu };

	attr.config = perf_cpus_config(&s->cpus.items[cpu], &attr);
	c.fd = (int)syscall(SYS_perf_event_open, &attr, thread, s->cpus.items[cpu].cpu,
		group, PERF_FLAG_FD_CLOEXEC);
	if (c.fd < 0)
		return false;
	*MEM_ADD(e->counters, e->n, e->cap) = c;
	return ioctl(c.fd, PERF_EVENT_IOC_ID, &e->counters[e->n - 1].id) == 0;
}

/* Directs event I to the ring of its processor, which the first event there maps. */
static bool
direct(struct perf_session *s, size_t i, size_t cpu)
{
	int fd = s->events[i].counters[s->events[i].n - 1].fd;

	if (!s->rings[cpu].page)
		return ring_map(&s->rings[cpu], fd, (size_t)s->set.ring_bytes);
	return ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, s->rings[cpu].fd) == 0;
}

/* Closes the counters of a thread that has ended meanwhile. */
static void
drop_thread(struct perf_session *s, size_t cpu, size_t events)
{
	struct perf_event *e;
	size_t i;

	for (i = 0; i < events; i++) {
		e = &s->events[i];
		if (e->n && s->rings[cpu].fd != e->counters[e->n - 1].fd)
			close(e->counters[--e->n].fd);
	}
}

/* Opens all counters. On failure, returns false with errno and sets *PLACE to the
 * event; if a ring failed, to the number of events. */
static bool
open_all(struct perf_session *s, size_t *place)
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

/* Each event, thread and processor needs a descriptor. */
static void
raise_limit(void)
{
	struct rlimit files;

	if (getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur == files.rlim_max)
		return;
	files.rlim_cur = files.rlim_max;
	setrlimit(RLIMIT_NOFILE, &files);
}

/* The size of a ring: as requested or as the samples need, limited by this user's
 * locked memory and to a small part of all memory. */
static uint64_t
plan_ring(struct perf_session *s)
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

/* Names the events in the recording: with :u or :k if only that part is left. */
static void
set_names(struct perf_session *s)
{
	struct perf_event *e;
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

/* Keeps a remark until it is certain that something can be recorded. */
static void
remark(struct perf_session *s, const char *text)
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

/* Virtual machines often lack counters, but every kernel has a clock. */
static bool
use_clock(struct perf_session *s)
{
	if (!s->by_default)
		return false;
	if (s->set.verbose)
		remark(s,
			"no hardware counters here: sampling cpu-clock instead of cycles");
	s->by_default = false;
	s->level.dropped = 0;
	list_events(s);
	return true;
}

/* Leaves the kernel out, unless nothing would be left. */
static bool
leave_kernel(struct perf_session *s, const struct perf_event *e)
{
	if (s->level.no_kernel || s->set.kernel_only || e->attr.exclude_user ||
		e->attr.exclude_kernel)
		return false;
	s->level.no_kernel = true;
	if (!s->set.user_only)
		remark(s,
			"this user may not sample the kernel: recording user space only");
	if (s->set.off_cpu)
		remark(s,
			"stacks of waiting threads need kernel access: recording only "
			"the times of switches");
	return true;
}

/* Before Linux 6.12, an event that reads its group cannot be inherited. */
static bool
loosen_group(struct perf_session *s, const struct perf_event *e)
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
		"this kernel cannot read groups in threads and processes that "
		"start later: not recording these");
	return true;
}

/* Halves the size of the rings. Returns false after a message, or with S->refusal. */
static bool
halve_rings(struct perf_session *s, int err)
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
refuse(struct perf_session *s, const struct perf_event *e, int err)
{
	struct buf name = { 0 }, text = { 0 };
	bool refused = err == EPERM || err == EACCES || err == ENOSYS;
	struct str own = e->event->name;
	struct advice_facts facts;
	struct advice_wish wish = { .error = err,
		.kernel = !e->attr.exclude_kernel,
		.all = s->set.all,
		.other = s->set.pids.n || s->set.tids.n,
		.probe = event_is_probe(own),
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

/* Reports errors that need no advice: the thread has ended, or too many files are
 * open. */
static bool
is_plain(const struct perf_session *s, int err)
{
	errno = err;
	if (err == ESRCH)
		msg_error("process %ld has ended", (long)s->threads.items[0]);
	else if (err == EMFILE || err == ENFILE)
		msg_error("cannot open an event for each of %zu processor%s and %zu "
			  "thread%s (see ulimit -n):",
			s->cpus.n, msg_s(s->cpus.n), s->threads.n, msg_s(s->threads.n));
	else
		return false;
	return true;
}

/* Requests less after errno ERR for event PLACE, or for a ring if PLACE is the number
 * of events. Returns false, after a message or with S->refusal, when nothing can be
 * left out. */
static bool
ask_for_less(struct perf_session *s, size_t place, int err)
{
	struct perf_event *e;

	if (place >= s->n)
		return halve_rings(s, err);
	e = &s->events[place];
	if (is_plain(s, err))
		return false;
	if (is_missing(err) && use_clock(s))
		return true;
	if ((err == EACCES || err == EPERM) && leave_kernel(s, e))
		return true;
	if (e->event->best_skid && e->precise && (is_missing(err) || is_unknown(err))) {
		e->precise--;
		return true;
	}
	if (is_unknown(err) && (loosen_group(s, e) || perf_attr_drop(&s->level)))
		return true;
	if (err == EINVAL && use_clock(s))
		return true;
	return refuse(s, e, err);
}
/* Opens all counters, and requests less as long as the kernel refuses. */
static bool
open_with_less(struct perf_session *s)
{
	size_t place;

	for (set_attrs(s); !open_all(s, &place); set_attrs(s)) {
		if (!ask_for_less(s, place, errno))
			return false;
		close_all(s);
	}
	return true;
}

/* Whether a thread was missed because it started before events were open on its parent.
 * Later threads inherit them. */
static bool
missed_threads(struct perf_session *s, pid_t command)
{
	struct record_ids had = s->threads;
	bool missed = false;
	size_t i, k;

	if (!is_attached(&s->set) || s->set.all)
		return false;
	s->threads = (struct record_ids){ 0 };
	if (find_threads(s, command))
		for (i = 0; i < s->threads.n && !missed; i++) {
			for (k = 0; k < had.n && had.items[k] != s->threads.items[i]; k++)
				;
			missed = k == had.n;
		}
	target_release(&had);
	return missed;
}

bool
perf_session_open(struct perf_session *s, pid_t command)
{
	struct str remarks, line;
	int tries = TRIES;

	s->by_default = !s->set.events.n;
	s->on_exec = command && !is_attached(&s->set);
	s->level.no_inherit = s->set.tids.n > 0;
	if (!perf_cpus_find(&s->cpus, "", s->set.cpus) || !find_threads(s, command))
		return false;
	raise_limit();
	s->rings = mem_zero(s->cpus.n, sizeof *s->rings);
	s->set.ring_bytes = plan_ring(s);
	list_events(s);
	if (!open_with_less(s))
		return false;
	while (tries-- && missed_threads(s, command)) {
		close_all(s);
		if (!open_with_less(s))
			return false;
	}
	set_names(s);
	for (remarks = buf_view(&s->remarks); remarks.n;) {
		line = str_cut(&remarks, '\n');
		msg_warn("%.*s", STR_ARG(line));
	}
	return true;
}

void
perf_session_release(struct perf_session *s)
{
	forget(s);
	free(s->rings);
	buf_release(&s->remarks);
	release_cpus(&s->cpus);
	target_release(&s->threads);
	target_release(&s->processes);
	ring_stats_release(&s->stats);
}
