/* SPDX-License-Identifier: ISC */
/* Names of generated code; see runtimes.h. */
#define _GNU_SOURCE
#include "runtimes.h"
#include "mem.h"
#include "sysfile.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * The setting of a runtime: a value, or a list of options. An option is left out if the
 * user named it in the same variable or in OTHER, a value if either is set.
 *
 * V8 interprets functions that have not become hot, through one shared trampoline; with
 * --interpreted-frames-native-stack each has its own, by its name. Node accepts it in
 * the variable since 12.17; older ones refuse to start and need --no-runtimes.
 *
 * Java reads JDK_JAVA_OPTIONS since 9, and only in its launcher `java`.
 * JAVA_TOOL_OPTIONS would also reach Java 8, which exits at unknown options.
 * DumpPerfMapAtExit came with 17: the first option makes older ones ignore it. Java
 * prints the options that it finds in either variable.
 */
static const struct request {
	const char *variable, *words, *other;
	bool is_list;
} requests[] = {
	{ "NODE_OPTIONS", "--perf-basic-prof --interpreted-frames-native-stack", NULL,
		true },
	{ "PYTHONPERFSUPPORT", "1", NULL, false },
	{ "JDK_JAVA_OPTIONS",
		"-XX:+IgnoreUnrecognizedVMOptions -XX:+PreserveFramePointer "
		"-XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit",
		"JAVA_TOOL_OPTIONS", true },
	{ "DOTNET_PerfMapEnabled", "1", "COMPlus_PerfMapEnabled", false },
};

/* How runtimes name their files: HEAD, a process, TAIL. With --perf-basic-prof, Node
 * also writes a log to its current folder, with the address of its isolate before the
 * process. */
static const struct {
	struct str head, tail;
	bool address; /* and a dash before the process */
} files[] = {
	{ { "perf-", 5 }, { ".map", 4 }, false },
	{ { "perfinfo-", 9 }, { ".map", 4 }, false },
	{ { "jit-", 4 }, { ".dump", 5 }, false },
	{ { "isolate-0x", 10 }, { "-v8.log", 7 }, true },
};

void
runtimes_begin(struct runtimes *r)
{
	*r = (struct runtimes){ 0 };
	/* The clock that files are dated by. */
	clock_gettime(CLOCK_REALTIME_COARSE, &r->began);
}

void
runtimes_release(struct runtimes *r)
{
	free(r->processes);
}

/* Whether the text of a variable, or NULL, names the option WORD, on or off. */
static bool
names(const char *text, struct str word)
{
	struct str all = str_of(text ? text : "");
	struct str key = str_from(word, str_starts(word, STR("-XX:+")) ? 5 : 2);

	return str_search(all, key) < all.n;
}

/* Appends the new value for the variable of Q, nothing if the old one may stay. */
static void
put_value(struct buf *b, const struct request *q)
{
	const char *own = getenv(q->variable),
		   *other = q->other ? getenv(q->other) : NULL;
	struct str words = str_of(q->words), word;

	if (!q->is_list && (own || other))
		return;
	while (words.n) {
		word = str_cut(&words, ' ');
		if (q->is_list && (names(own, word) || names(other, word)))
			continue;
		buf_str(b, b->n ? STR(" ") : STR(""));
		if (!b->n && own && *own)
			buf_fmt(b, "%s ", own);
		buf_str(b, word);
	}
}

static void
ask(const struct request *q, struct buf *said)
{
	struct buf value = { 0 };

	put_value(&value, q);
	if (value.n && setenv(q->variable, buf_cstr(&value), 1) == 0)
		buf_fmt(said, "%s%s='%s'", said->n ? " " : "", q->variable,
			buf_cstr(&value));
	buf_release(&value);
}

void
runtimes_ask(struct buf *said)
{
	size_t i;

	for (i = 0; i < sizeof requests / sizeof *requests; i++)
		ask(&requests[i], said);
}

void
runtimes_note(struct runtimes *r, pid_t pid, pid_t parent)
{
	if (!r || pid == parent)
		return;
	*MEM_ADD(r->processes, r->n, r->cap) = (struct runtimes_process){ pid, parent };
}

/* Whether process PID descends from ROOT, in at most as many steps as there are
 * processes. */
static bool
descends(const struct runtimes *r, pid_t pid, pid_t root)
{
	size_t steps, i;

	for (steps = 0; steps < r->n; steps++) {
		for (i = r->n; i-- > 0;)
			if (r->processes[i].pid == pid)
				break;
		if (i == SIZE_MAX)
			return false;
		pid = r->processes[i].parent;
		if (pid == root)
			return true;
	}
	return false;
}

/* The process in a runtime's file name, or 0 for other names, such as one with a
 * newline. */
static pid_t
process_of(struct str name)
{
	uint64_t pid;
	size_t i;

	if (str_find(name, '\n') < name.n)
		return 0;
	for (i = 0; i < sizeof files / sizeof *files; i++) {
		if (!str_starts(name, files[i].head) || !str_ends(name, files[i].tail) ||
			name.n <= files[i].head.n + files[i].tail.n)
			continue;
		name = str_from(name, files[i].head.n);
		name.n -= files[i].tail.n;
		if (files[i].address)
			name = str_from(name, str_find(name, '-'));
		if (files[i].address && name.n)
			name = str_from(name, 1);
		return str_to_u64(name, &pid) && pid <= INT32_MAX ? (pid_t)pid : 0;
	}
	return 0;
}

/* Whether PATH is a regular file of this user that was written since R began. */
static bool
is_own(const struct runtimes *r, const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
		(st.st_mtim.tv_sec > r->began.tv_sec ||
			(st.st_mtim.tv_sec == r->began.tv_sec &&
				st.st_mtim.tv_nsec >= r->began.tv_nsec));
}

size_t
runtimes_files(const struct runtimes *r, pid_t root, const char *folder, struct buf *list)
{
	struct sysfile_names names;
	struct arena text = { 0 };
	struct buf path = { 0 };
	size_t i, n = 0;
	pid_t pid;

	(void)sysfile_folder(&names, &text, "%s", folder);
	for (i = 0; i < names.n; i++) {
		pid = process_of(names.items[i]);
		buf_clear(&path);
		buf_fmt(&path, "%s/%s", folder, names.items[i].s);
		if (!pid || !is_own(r, buf_cstr(&path)) || !descends(r, pid, root))
			continue;
		buf_fmt(list, "%s\n", buf_cstr(&path));
		n++;
	}
	buf_release(&path);
	arena_release(&text);
	return n;
}
