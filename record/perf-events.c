/* SPDX-License-Identifier: ISC */
/* Opening events; see perf-events.h. What to do when one is refused is session-fallback.c. */
#define _GNU_SOURCE
#include "perf-events.h"
#include "chosen.h"
#include "session-fallback.h"
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
	s->events[s->n] = (struct session_event){
		.event = e, .leader = leader, .role = role, .precise = e->attr.precise_ip
	};
	s->n++;
}

/* Lists the events that were named, or the default, and what options need. */
void
perf_list(struct session *s)
{
	const struct events *named = &s->set.events;
	bool tracker = s->set.delay_ns > 0;
	size_t i, first;

	perf_forget(s);
	if (!named->n)
		events_add_default(&s->own, s->by_default);
	first = s->own.n;
	if (s->set.off_cpu)
		add_own(s, "off-cpu", PERF_COUNT_SW_CONTEXT_SWITCHES);
	if (tracker)
		add_own(s, "dummy:u", PERF_COUNT_SW_DUMMY);
	if (!named->n)
		named = &s->own;
	else
		first = named->n;
	s->events = mem_zero(named->n + s->own.n, sizeof *s->events);
	for (i = 0; i < first; i++)
		add_event(s, &named->items[i], named->items[i].leader, role_of(named, i));
	i = named == &s->own ? first : 0;
	if (s->set.off_cpu)
		add_event(s, &s->own.items[i++], s->n, PERF_ATTR_WAITS);
	if (tracker)
		add_event(s, &s->own.items[i], s->n, PERF_ATTR_TRACKS);
}

/* Closes all that is open; the list of events stays. */
static void
close_all(struct session *s)
{
	struct session_event *e;
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

void
perf_forget(struct session *s)
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

/* Sets the attributes of all events at the level reached. */
static void
set_attrs(struct session *s)
{
	struct perf_attr_request r = {
		.set = &s->set, .level = &s->level, .whole = s->set.all
	};
	bool has_tracker = s->n && s->events[s->n - 1].role == PERF_ATTR_TRACKS;
	struct session_event *e;
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
		r.tracks = i == (has_tracker ? s->n - 1 : 0);
		r.on_exec = s->on_exec && (!has_tracker || r.tracks);
		e->attr = perf_attr_of(&r);
		e->attr.precise_ip = e->precise & 3;
	}
}

/* Opens event I on processor CPU for THREAD. False with errno. */
static bool
open_counter(struct session *s, size_t i, pid_t thread, size_t cpu)
{
	struct session_event *e = &s->events[i], *leader = &s->events[e->leader];
	int group =
		e->leader == i || !leader->n ? -1 : leader->counters[leader->n - 1].fd;
	struct perf_event_attr attr = e->attr;
	struct session_counter c = { .cpu = cpu };

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
	struct session_event *e;
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
	struct session_event *e;
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

static void
tell_remarks(const struct session *s)
{
	struct str rest = buf_view(&s->remarks), line;

	while (rest.n) {
		line = str_cut(&rest, '\n');
		msg_warn("%.*s", (int)line.n, line.s);
	}
}

bool
perf_open(struct session *s, const struct record_options *set, pid_t command)
{
	size_t place;

	*s = (struct session){ .set = *set, .by_default = !set->events.n };
	s->on_exec = command && !is_attached(set);
	s->level.no_inherit = set->tids.n > 0;
	if (!cpus_find(&s->cpus, "", set->cpus) || !find_threads(s, command))
		return false;
	raise_limit();
	s->rings = mem_zero(s->cpus.n, sizeof *s->rings);
	s->set.ring_bytes = plan_ring(s);
	perf_list(s);
	for (set_attrs(s); !open_all(s, &place); set_attrs(s)) {
		if (!session_fallback(s, place, errno))
			return false;
		close_all(s);
	}
	set_names(s);
	tell_remarks(s);
	if (set->verbose)
		chosen_print(s);
	return true;
}

void
perf_close(struct session *s)
{
	perf_forget(s);
	free(s->rings);
	buf_release(&s->remarks);
	buf_release(&s->refusal);
	cpus_release(&s->cpus);
	target_release(&s->threads);
}

static void
tell(const struct session_event *e, unsigned long request)
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

void
perf_begin(struct session *s)
{
	if (s->on_exec)
		return;
	if (s->events[s->n - 1].role == PERF_ATTR_TRACKS)
		tell(&s->events[s->n - 1], PERF_EVENT_IOC_ENABLE);
	else
		tell_all(s, PERF_EVENT_IOC_ENABLE);
}

void
perf_sample(struct session *s)
{
	tell_all(s, PERF_EVENT_IOC_ENABLE);
}

void
perf_end(struct session *s)
{
	tell_all(s, PERF_EVENT_IOC_DISABLE);
}

int
perf_next_fd(const struct session *s, size_t cpu, int fd)
{
	const struct session_event *e;
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
