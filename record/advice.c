/* SPDX-License-Identifier: ISC */
/*
 * Explains why the kernel refused an event, and suggests a remedy; see advice.h.
 *
 *	cycles is refused (Permission denied)
 *	/proc/sys/kernel/perf_event_paranoid is 2; at most 1 is needed for the kernel
 *	to let it: sysctl kernel.perf_event_paranoid=1 (as root)
 *	or leave the kernel out: --user
 */
#include "advice.h"
#include "sysfile.h"

#include <errno.h>
#include <string.h>

/* Bits of CapEff (include/uapi/linux/capability.h). */
enum { IPC_LOCK = 14, SYS_PTRACE = 19, SYS_ADMIN = 21, PERFMON = 38 };

static void
read_status(struct advice_facts *f, struct str status)
{
	uint64_t capabilities = 0, mode = 0;

	(void)str_hex_to_u64(str_field(status, STR("CapEff:")), &capabilities);
	(void)str_to_u64(str_field(status, STR("Seccomp:")), &mode);
	f->ipc_lock = capabilities >> IPC_LOCK & 1;
	f->sys_ptrace = capabilities >> SYS_PTRACE & 1;
	f->sys_admin = capabilities >> SYS_ADMIN & 1;
	f->perfmon = capabilities >> PERFMON & 1;
	f->seccomp = mode == 2;
}

/* The kind of container around this process, by files that containers leave; or NULL. */
static const char *
find_container(const char *root, struct buf *b)
{
	static const struct {
		const char *word, *kind;
	} groups[] = { { "/docker", "docker" }, { "libpod", "podman" },
		{ "/kubepods", "container" }, { "/lxc", "container" } };
	size_t i;

	if (sysfile_exists("%s/.dockerenv", root))
		return "docker";
	if (sysfile_exists("%s/run/.containerenv", root))
		return "podman";
	if (sysfile_read(b, "%s/proc/self/cgroup", root))
		for (i = 0; i < sizeof groups / sizeof *groups; i++)
			if (str_search(buf_view(b), str_of(groups[i].word)) < b->n)
				return groups[i].kind;
	return NULL;
}

void
advice_read(struct advice_facts *f, const char *root)
{
	struct buf b = { 0 };

	*f = (struct advice_facts){ 0 };
	f->has_paranoid = sysfile_number(
		&f->paranoid, "%s/proc/sys/kernel/perf_event_paranoid", root);
	(void)sysfile_number(
		&f->mlock_kb, "%s/proc/sys/kernel/perf_event_mlock_kb", root);
	(void)sysfile_number(
		&f->ptrace_scope, "%s/proc/sys/kernel/yama/ptrace_scope", root);
	if (sysfile_read(&b, "%s/proc/self/status", root))
		read_status(f, buf_view(&b));
	/* "none [integrity] confidentiality" */
	f->lockdown = sysfile_read(&b, "%s/sys/kernel/security/lockdown", root) &&
		str_search(buf_view(&b), STR("[none]")) == b.n;
	f->container = find_container(root, &b);
	buf_release(&b);
}

/* Debian's and Ubuntu's kernels have levels above 2, which forbid everything. */
enum { UPSTREAM_MOST = 2, PERFMON_NEEDED = -2 };

static const char capability[] =
	"setcap cap_perfmon,cap_sys_ptrace+ep \"$(command -v fg-record)\"";

static bool
is_able(const struct advice_facts *f)
{
	return f->perfmon || f->sys_admin;
}

/* The highest level of perf_event_paranoid at which WISH is allowed; PERFMON_NEEDED if
 * it needs a capability. */
static int
level_for(const struct advice_wish *wish)
{
	if (wish->probe)
		return PERFMON_NEEDED;
	if (wish->all)
		return 0;
	/* Tracepoints without raw data, which would need -1. */
	return wish->kernel || wish->tracepoint ? 1 : UPSTREAM_MOST;
}

static const char *
what_for(const struct advice_wish *wish)
{
	if (wish->tracepoint)
		return "tracepoints";
	if (wish->all)
		return "the whole machine";
	return wish->kernel ? "the kernel" : "your own processes";
}

/* Containers filter perf_event_open unless they have the capability. */
static void
put_container(struct buf *b, const struct advice_facts *f)
{
	const char *runner = f->container;

	if (!runner && !f->seccomp)
		return;
	if (runner && strcmp(runner, "container") != 0)
		buf_fmt(b,
			"\nthis is a %s container%s: use %s run --cap-add PERFMON, and "
			"if that is not enough --security-opt seccomp=unconfined",
			runner, f->seccomp ? " with filtered system calls" : "", runner);
	else
		buf_fmt(b,
			"\nsystem calls are filtered here (seccomp, a container): allow "
			"perf_event_open and add the capability PERFMON");
}

static void
put_paranoid(struct buf *b, const struct advice_wish *wish, const struct advice_facts *f)
{
	int level = level_for(wish);

	if (level == PERFMON_NEEDED) {
		buf_fmt(b, "\nprobes need root or CAP_PERFMON: use sudo, or %s",
			capability);
		return;
	}
	if (f->paranoid <= level)
		return;
	buf_fmt(b,
		"\n/proc/sys/kernel/perf_event_paranoid is %lld, and recording %s needs %d or "
		"less: run sysctl kernel.perf_event_paranoid=%d (as root), or %s",
		(long long)f->paranoid, what_for(wish), level, level, capability);
}

/* Suggests an alternative that works with the current settings. */
static void
put_instead(struct buf *b, const struct advice_wish *wish, const struct advice_facts *f)
{
	bool some = f->paranoid <= UPSTREAM_MOST && !wish->probe && !wish->tracepoint;

	if (some && wish->all)
		buf_fmt(b,
			"\nor record your own processes: a command, or -p, with --user");
	else if (some && wish->kernel)
		buf_fmt(b, "\nor leave out the kernel with --user");
	else if (!wish->all && !wish->probe && !wish->tracepoint)
		buf_fmt(b,
			"\nor sample without perf events, more slowly, with --method ptrace");
}

static void
refuse_right(struct buf *b, const struct advice_wish *wish, const struct advice_facts *f)
{
	size_t before = b->n;

	if (!is_able(f))
		put_paranoid(b, wish, f);
	if (!is_able(f) || f->seccomp)
		put_container(b, f);
	if (f->lockdown && (wish->probe || wish->tracepoint || wish->kernel))
		buf_fmt(b,
			"\nthis kernel is locked down: see /sys/kernel/security/lockdown");
	if (wish->other && !is_able(f) && !f->sys_ptrace)
		buf_fmt(b,
			"\na process of another user, or a non-dumpable one, needs root "
			"or CAP_SYS_PTRACE");
	if (b->n == before)
		buf_fmt(b,
			"\nthe cause is unknown: perhaps a system call filter or a "
			"security module");
	if (!is_able(f) || f->seccomp)
		put_instead(b, wish, f);
}

static void
refuse_event(struct buf *b, const struct advice_wish *wish)
{
	if (wish->call_stack)
		buf_fmt(b,
			"\nthis processor, or its virtual machine, has no branch call "
			"stacks: use -g fp or -g dwarf");
	else if (wish->precise)
		buf_fmt(b,
			"\nthis processor, or its virtual machine, cannot sample so "
			"precisely: use fewer p");
	else if (wish->hardware)
		buf_fmt(b,
			"\nthe processor has no such counter, as in most virtual "
			"machines: use -e cpu-clock; see --list-events");
	else
		buf_fmt(b,
			"\nthis kernel does not have it or cannot sample it: see --list-events");
}

/* Explanations of errors other than missing rights. */
static const struct meaning {
	int error;
	const char *text;
} meanings[] = {
	{ EBUSY,
		"the counter is in use: by another profiler, or by the kernel's "
		"watchdog (sysctl kernel.nmi_watchdog=0)" },
	{ ENOSPC, "there are fewer counters than events: use fewer -e, or no group" },
	{ ENOMEM, "the kernel is out of memory for it" },
	{ EINVAL,
		"the kernel cannot combine these options: try without modifiers, "
		"without a group, or with -c" },
	{ E2BIG, "the kernel is too old for this request" },
	{ EINTR, "the process is starting another program just now: try again" },
	{ ENOSYS,
		"this kernel has no perf events; use --method ptrace, which is slower" },
};

static void
put_meaning(struct buf *b, int error)
{
	size_t i;

	for (i = 0; i < sizeof meanings / sizeof *meanings; i++)
		if (meanings[i].error == error)
			buf_fmt(b, "\n%s", meanings[i].text);
}

void
advice_refused(
	struct buf *b, const struct advice_wish *wish, const struct advice_facts *f)
{
	buf_fmt(b, "cannot open %s (%s)", wish->event, strerror(wish->error));
	switch (wish->error) {
	case EACCES:
	case EPERM: refuse_right(b, wish, f); break;
	case ENOENT:
	case ENODEV:
	case ENXIO:
	case EOPNOTSUPP: refuse_event(b, wish); break;
	default: put_meaning(b, wish->error); break;
	}
	if (wish->error != ENOSYS && !f->has_paranoid)
		buf_fmt(b,
			"\n/proc/sys/kernel/perf_event_paranoid is missing: this kernel "
			"has no perf events, or /proc is hidden; use --method ptrace");
}

void
advice_rings(struct buf *b, uint64_t kb, const struct advice_facts *f)
{
	buf_fmt(b, "cannot lock %llu KB of memory for samples", (unsigned long long)kb);
	if (f->ipc_lock || is_able(f)) {
		buf_fmt(b, "\nthe kernel is out of memory for it");
		return;
	}
	buf_fmt(b,
		"\n/proc/sys/kernel/perf_event_mlock_kb allows %lld KB per "
		"processor for all recorders of a user: stop other recorders, "
		"use smaller rings (-m), or raise it with sysctl "
		"kernel.perf_event_mlock_kb=%lld or ulimit -l",
		(long long)f->mlock_kb,
		(long long)(f->mlock_kb < 1024 ? 2052 : f->mlock_kb * 2));
}

void
advice_ptrace(struct buf *b, int error, bool other, const struct advice_facts *f)
{
	buf_fmt(b, "cannot trace (%s)", strerror(error));
	if (error != EPERM && error != EACCES)
		return;
	if (other && f->ptrace_scope > 0 && !f->sys_ptrace)
		buf_fmt(b,
			"\n/proc/sys/kernel/yama/ptrace_scope is %lld, which allows "
			"tracing only child processes: record a command, or run sysctl "
			"kernel.yama.ptrace_scope=0 (as root)",
			(long long)f->ptrace_scope);
	else if (other && !f->sys_ptrace)
		buf_fmt(b,
			"\na process of another user, or a non-dumpable one, needs root "
			"or CAP_SYS_PTRACE");
	else if (other)
		buf_fmt(b,
			"\nanother debugger or tracer may have the process: see "
			"TracerPid in its /proc/PID/status");
	if (f->container && !f->sys_ptrace)
		buf_fmt(b, "\nin a container it may take --cap-add SYS_PTRACE");
}
