/* SPDX-License-Identifier: ISC */
/* Messages for refusals by the kernel: advice.h. */
#include "advice.h"
#include "folder.h"
#include "unit.h"

#include <errno.h>

static const struct advice_facts user_at_2 = {
	.has_paranoid = true, .paranoid = 2, .mlock_kb = 516
};

static struct buf said;

static void
refuse(struct advice_wish wish, struct advice_facts f)
{
	buf_clear(&said);
	if (!wish.event)
		wish.event = "cycles";
	if (!wish.error)
		wish.error = EACCES;
	advice_refused(&said, &wish, &f);
	printf("%s\n", buf_cstr(&said));
}

#define CHECK_SAYS(text)     CHECK(strstr(buf_cstr(&said), (text)) != NULL)
#define CHECK_SAYS_NOT(text) CHECK(strstr(buf_cstr(&said), (text)) == NULL)

UNIT(kernel_samples_name_the_file_its_value_and_the_command)
{
	refuse((struct advice_wish){ .kernel = true }, user_at_2);
	CHECK_SAYS("cannot open cycles (Permission denied)");
	CHECK_SAYS("/proc/sys/kernel/perf_event_paranoid is 2");
	CHECK_SAYS("sysctl kernel.perf_event_paranoid=1 ");
	CHECK_SAYS("setcap cap_perfmon");
	CHECK_SAYS("leave out the kernel with --user");
	CHECK_SAYS_NOT("ptrace is");
	CHECK_SAYS_NOT("--method ptrace");
}

UNIT(the_whole_machine_takes_a_lower_level)
{
	refuse((struct advice_wish){ .kernel = true, .all = true }, user_at_2);
	CHECK_SAYS("sysctl kernel.perf_event_paranoid=0 ");
	CHECK_SAYS("recording the whole machine needs 0 or less");
	CHECK_SAYS("record your own processes: a command, or -p");
}

UNIT(kernels_of_debian_that_allow_nothing_are_known)
{
	struct advice_facts f = user_at_2;

	f.paranoid = 3;
	refuse((struct advice_wish){ .error = EACCES }, f);
	CHECK_SAYS("perf_event_paranoid is 3");
	CHECK_SAYS("sysctl kernel.perf_event_paranoid=2 ");
	CHECK_SAYS("recording your own processes needs 2 or less");
	CHECK_SAYS("--method ptrace");
	CHECK_SAYS_NOT("--user");
	f.paranoid = 4;
	refuse((struct advice_wish){ .kernel = true }, f);
	CHECK_SAYS("perf_event_paranoid is 4");
	CHECK_SAYS("sysctl kernel.perf_event_paranoid=1 ");
	CHECK_SAYS("--method ptrace");
}

UNIT(probes_need_a_capability_whatever_the_level)
{
	struct advice_facts f = user_at_2;

	f.paranoid = -1;
	refuse((struct advice_wish){ .event = "uprobe:/x:f", .probe = true }, f);
	CHECK_SAYS("probes need root or CAP_PERFMON");
	CHECK_SAYS_NOT("sysctl kernel.perf_event_paranoid");
}

UNIT(tracepoints_are_of_the_kernel)
{
	refuse((struct advice_wish){ .tracepoint = true }, user_at_2);
	CHECK_SAYS("sysctl kernel.perf_event_paranoid=1 ");
	refuse((struct advice_wish){ .tracepoint = true, .all = true }, user_at_2);
	CHECK_SAYS("recording tracepoints needs 0 or less");
}

UNIT(containers_are_named_with_their_own_option)
{
	struct advice_facts f = user_at_2;

	f.container = "docker";
	f.seccomp = true;
	refuse((struct advice_wish){ .error = EPERM }, f);
	CHECK_SAYS("docker run --cap-add PERFMON");
	CHECK_SAYS("seccomp=unconfined");
	CHECK_SAYS("filtered system calls");
	CHECK_SAYS("--method ptrace");
	f.container = "podman";
	f.seccomp = false;
	refuse((struct advice_wish){ .error = EPERM }, f);
	CHECK_SAYS("podman run --cap-add PERFMON");
	CHECK_SAYS_NOT("filtered");
	f.container = "container";
	refuse((struct advice_wish){ .error = EPERM }, f);
	CHECK_SAYS("capability PERFMON");
	CHECK_SAYS_NOT("container run");
}

UNIT(seccomp_without_a_container_is_named)
{
	struct advice_facts f = user_at_2;

	f.perfmon = f.seccomp = true;
	refuse((struct advice_wish){ .error = EPERM }, f);
	CHECK_SAYS("seccomp");
	CHECK_SAYS_NOT("perf_event_paranoid");
}

UNIT(privileged_users_get_the_remaining_causes)
{
	struct advice_facts f = user_at_2;

	f.perfmon = f.sys_admin = true;
	refuse((struct advice_wish){ .error = EPERM, .kernel = true }, f);
	CHECK_SAYS("security module");
	CHECK_SAYS_NOT("sysctl");
	f.lockdown = true;
	refuse((struct advice_wish){ .error = EPERM, .probe = true }, f);
	CHECK_SAYS("locked down");
	CHECK_SAYS_NOT("security module");
}

UNIT(another_users_process_needs_more)
{
	refuse((struct advice_wish){ .other = true }, user_at_2);
	CHECK_SAYS("CAP_SYS_PTRACE");
}

UNIT(missing_events_suggest_others)
{
	refuse((struct advice_wish){ .error = ENOENT, .hardware = true }, user_at_2);
	CHECK_SAYS("-e cpu-clock");
	CHECK_SAYS("--list-events");
	refuse((struct advice_wish){ .error = EOPNOTSUPP, .call_stack = true },
		user_at_2);
	CHECK_SAYS("-g fp");
	refuse((struct advice_wish){ .error = EOPNOTSUPP, .precise = true }, user_at_2);
	CHECK_SAYS("fewer p");
	refuse((struct advice_wish){ .error = ENODEV }, user_at_2);
	CHECK_SAYS("--list-events");
}

UNIT(other_errors_are_explained)
{
	static const struct {
		int error;
		const char *part;
	} rows[] = {
		{ EBUSY, "kernel.nmi_watchdog=0" },
		{ EINVAL, "cannot combine" },
		{ ENOSYS, "--method ptrace" },
		{ EIO, "cannot open" },
	};
	size_t i;

	for (i = 0; i < sizeof rows / sizeof *rows; i++) {
		refuse((struct advice_wish){ .error = rows[i].error }, user_at_2);
		CHECK_SAYS(rows[i].part);
		CHECK_SAYS_NOT("sysctl kernel.perf_event_paranoid");
	}
}

UNIT(kernels_without_perf_events_are_named)
{
	refuse((struct advice_wish){ .error = EIO }, (struct advice_facts){ 0 });
	CHECK_SAYS("perf_event_paranoid is missing");
	CHECK_SAYS("--method ptrace");
}

UNIT(rings_name_the_limit)
{
	struct advice_facts f = user_at_2;

	advice_rings(&said, 8, &f);
	CHECK_SAYS("cannot lock 8 KB");
	CHECK_SAYS("/proc/sys/kernel/perf_event_mlock_kb allows 516 KB");
	CHECK_SAYS("sysctl kernel.perf_event_mlock_kb=2052");
	buf_clear(&said);
	f.ipc_lock = true;
	advice_rings(&said, 8, &f);
	CHECK_SAYS_NOT("sysctl");
}

UNIT(ptrace_names_the_obstacle)
{
	struct advice_facts f = user_at_2;

	f.ptrace_scope = 1;
	advice_ptrace(&said, EPERM, true, &f);
	CHECK_SAYS("yama/ptrace_scope is 1");
	CHECK_SAYS("sysctl kernel.yama.ptrace_scope=0");
	buf_clear(&said);
	f.ptrace_scope = 0;
	f.container = "docker";
	advice_ptrace(&said, EPERM, true, &f);
	CHECK_SAYS("CAP_SYS_PTRACE");
	CHECK_SAYS("--cap-add SYS_PTRACE");
	buf_clear(&said);
	f.sys_ptrace = true;
	advice_ptrace(&said, EPERM, true, &f);
	CHECK_SAYS("TracerPid");
	buf_clear(&said);
	advice_ptrace(&said, ESRCH, true, &f);
	CHECK_SAYS_NOT("\n");
}

/* A fake machine. */
static char root[] = "/tmp/test_advice.XXXXXX";

static void
remove_root(void)
{
	folder_remove(root);
}

static void
make_root(void)
{
	if (!mkdtemp(root))
		abort();
	atexit(remove_root);
}

UNIT(facts_are_read)
{
	struct advice_facts f;

	make_root();
	folder_put(root, "proc/sys/kernel/perf_event_paranoid", str_of("-1\n"));
	folder_put(root, "proc/sys/kernel/perf_event_mlock_kb", str_of("516\n"));
	folder_put(root, "proc/sys/kernel/yama/ptrace_scope", str_of("2\n"));
	folder_put(root, "proc/self/status",
		str_of("Name:\tx\nCapEff:\t0000004000084000\nSeccomp:\t2\n"));
	folder_put(root, "sys/kernel/security/lockdown",
		str_of("none [integrity] confidentiality\n"));
	folder_put(root, "proc/self/cgroup", str_of("0::/system.slice/docker/abc\n"));
	advice_read(&f, root);
	CHECK(f.has_paranoid && f.paranoid == -1);
	CHECK(f.mlock_kb == 516 && f.ptrace_scope == 2);
	CHECK(f.perfmon && f.sys_ptrace && f.ipc_lock);
	CHECK(!f.sys_admin);
	CHECK(f.seccomp && f.lockdown);
	CHECK_STR(str_of(f.container), STR("docker"));
}

UNIT(facts_of_a_machine_without_information)
{
	struct advice_facts f;

	make_root();
	advice_read(&f, root);
	CHECK(!f.has_paranoid && !f.perfmon && !f.seccomp && !f.lockdown);
	CHECK(f.container == NULL);
	folder_put(root, "run/.containerenv", str_of(""));
	folder_put(root, "proc/self/status", str_of("Seccomp:\t1\n"));
	folder_put(root, "sys/kernel/security/lockdown",
		str_of("[none] integrity confidentiality\n"));
	folder_put(root, "proc/sys/kernel/perf_event_paranoid", str_of("many\n"));
	advice_read(&f, root);
	CHECK(!f.seccomp && !f.lockdown && !f.has_paranoid);
	CHECK_STR(str_of(f.container), STR("podman"));
}

UNIT_MAIN
