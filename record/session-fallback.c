/* SPDX-License-Identifier: ISC */
/* Asking for less; see session-fallback.h. */
#include "session-fallback.h"
#include "advice.h"
#include "msg.h"

#include <errno.h>

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
	perf_list(s);
	return true;
}

/* Leaves the kernel out, if that is not what was asked for. */
static bool
leave_kernel(struct session *s, const struct session_event *e)
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
loosen_group(struct session *s, const struct session_event *e)
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
	advice_rings(&s->refusal, s->set.ring_bytes / 1024, &facts);
	return false;
}

static bool
refuse(struct session *s, const struct session_event *e, int err)
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
	advice_refused(refused ? &s->refusal : &text, &wish, &facts);
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

bool
session_fallback(struct session *s, size_t place, int err)
{
	struct session_event *e;

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
