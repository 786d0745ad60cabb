/* SPDX-License-Identifier: ISC */
/* What names of frames tell; see filter-name.h. */
#include "filter-name.h"

/* The list is that of fg-filter(1). */
struct waiting {
	const char *name;
	enum filter_name_idle idle;
};

static const struct waiting WAITING[] = {
	/* the idle loops of Linux, FreeBSD and illumos */
	{ "swapper", FILTER_NAME_IDLE },
	{ "cpu_startup_entry", FILTER_NAME_IDLE },
	{ "do_idle", FILTER_NAME_IDLE },
	{ "cpu_idle", FILTER_NAME_IDLE },
	{ "cpu_idle_loop", FILTER_NAME_IDLE },
	{ "call_cpuidle", FILTER_NAME_IDLE },
	{ "cpuidle_enter", FILTER_NAME_IDLE },
	{ "cpuidle_enter_state", FILTER_NAME_IDLE },
	{ "default_idle", FILTER_NAME_IDLE },
	{ "default_idle_call", FILTER_NAME_IDLE },
	{ "arch_cpu_idle", FILTER_NAME_IDLE },
	{ "intel_idle", FILTER_NAME_IDLE },
	{ "intel_idle_irq", FILTER_NAME_IDLE },
	{ "acpi_idle_enter", FILTER_NAME_IDLE },
	{ "acpi_idle_do_entry", FILTER_NAME_IDLE },
	{ "mwait_idle", FILTER_NAME_IDLE },
	{ "poll_idle", FILTER_NAME_IDLE },
	{ "native_safe_halt", FILTER_NAME_IDLE },
	{ "sched_idletd", FILTER_NAME_IDLE },
	{ "acpi_cpu_idle", FILTER_NAME_IDLE },
	{ "mach_cpu_idle", FILTER_NAME_IDLE },
	/* waiting for events or time */
	{ "epoll_wait", FILTER_NAME_WAITS },
	{ "__epoll_wait", FILTER_NAME_WAITS },
	{ "epoll_pwait", FILTER_NAME_WAITS },
	{ "poll", FILTER_NAME_WAITS },
	{ "__poll", FILTER_NAME_WAITS },
	{ "__GI___poll", FILTER_NAME_WAITS },
	{ "ppoll", FILTER_NAME_WAITS },
	{ "__ppoll", FILTER_NAME_WAITS },
	{ "select", FILTER_NAME_WAITS },
	{ "__select", FILTER_NAME_WAITS },
	{ "pselect", FILTER_NAME_WAITS },
	{ "nanosleep", FILTER_NAME_WAITS },
	{ "__nanosleep", FILTER_NAME_WAITS },
	{ "clock_nanosleep", FILTER_NAME_WAITS },
	{ "__clock_nanosleep", FILTER_NAME_WAITS },
	{ "sleep", FILTER_NAME_WAITS },
	{ "usleep", FILTER_NAME_WAITS },
	{ "pause", FILTER_NAME_WAITS },
	{ "kevent", FILTER_NAME_WAITS },
	{ "mach_msg_trap", FILTER_NAME_WAITS },
	{ "mach_msg2_trap", FILTER_NAME_WAITS },
	{ "__semwait_signal", FILTER_NAME_WAITS },
	{ "runtime.epollwait", FILTER_NAME_WAITS },
	{ "runtime.usleep", FILTER_NAME_WAITS },
	/* the same in the kernel, seen when a thread gives its processor up */
	{ "ep_poll", FILTER_NAME_SLEEPS },
	{ "do_epoll_wait", FILTER_NAME_SLEEPS },
	{ "do_poll", FILTER_NAME_SLEEPS },
	{ "do_sys_poll", FILTER_NAME_SLEEPS },
	{ "do_select", FILTER_NAME_SLEEPS },
	{ "do_nanosleep", FILTER_NAME_SLEEPS },
	{ "hrtimer_nanosleep", FILTER_NAME_SLEEPS },
	{ "schedule", FILTER_NAME_SCHEDULES },
	{ "__schedule", FILTER_NAME_SCHEDULES },
	{ "finish_task_switch", FILTER_NAME_SCHEDULES },
	{ "schedule_timeout", FILTER_NAME_SCHEDULES },
	{ "schedule_hrtimeout_range", FILTER_NAME_SCHEDULES },
	{ "schedule_hrtimeout_range_clock", FILTER_NAME_SCHEDULES },
	{ "poll_schedule_timeout", FILTER_NAME_SCHEDULES },
};

/* Cuts an annotation off the end of *NAME and returns its letter; 0 without one. */
static char
cut_annotation(struct str *name)
{
	size_t n = name->n;
	char letter;

	if (n < 4 || name->s[n - 1] != ']' || name->s[n - 3] != '[' ||
		name->s[n - 4] != '_')
		return 0;
	letter = name->s[n - 2];
	name->n -= 4;
	return letter;
}

struct str
filter_name_bare(struct str name)
{
	size_t at;

	(void)cut_annotation(&name);
	at = str_find(name, '`');
	if (at < name.n)
		name = str_from(name, at + 1);
	name = str_head(name, str_find(name, '+'));
	name = str_head(name, str_find(name, '@'));
	at = str_search(name, STR(".constprop."));
	name = str_head(name, at);
	at = str_search(name, STR(".isra."));
	name = str_head(name, at);
	at = str_search(name, STR(".part."));
	return str_head(name, at);
}

/* "swapper/3", "swapper-0", "swapper/3-0/3": the idle thread with its numbers. */
static bool
is_swapper(struct str name)
{
	static const struct str swapper = { "swapper", 7 };

	return str_starts(name, swapper) && name.n > swapper.n + 1 &&
		strchr("/-", name.s[swapper.n]);
}

enum filter_name_idle
filter_name_idle(struct str name)
{
	struct str bare = filter_name_bare(name);
	size_t i;

	for (i = 0; i < sizeof WAITING / sizeof *WAITING; i++)
		if (str_eq(bare, str_of(WAITING[i].name)))
			return WAITING[i].idle;
	return is_swapper(bare) ? FILTER_NAME_IDLE : FILTER_NAME_BUSY;
}

/* Whether TEXT, in parentheses at the end of a name, can be a file rather than
 * the arguments of a function. */
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

/* The file of "function (file)" and "function (in file)". */
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

/* The file of "[file]" and "[file <2601>]", which stand for functions without a name. */
static struct str
in_brackets(struct str name)
{
	name = str_from(str_head(name, name.n - 1), 1);
	name = str_head(name, str_search(name, STR(" <")));
	return str_eq(name, STR("unknown")) ? (struct str){ 0 } : str_base(name);
}

struct str
filter_name_module(struct str name, bool *inlined)
{
	char letter = cut_annotation(&name);
	struct str module = { 0 };
	size_t at = str_find(name, '`');

	*inlined = letter == 'i';
	if (at > 0 && at < name.n)
		module = str_head(name, at);
	else if (str_starts(name, STR("[")) && str_ends(name, STR("]")) && name.n > 2)
		module = in_brackets(name);
	else
		module = in_parentheses(name);
	if (!module.n && letter == 'k')
		module = STR("kernel");
	if (!module.n && letter == 'j')
		module = STR("jit");
	return module;
}
