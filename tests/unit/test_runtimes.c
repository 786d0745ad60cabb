/* SPDX-License-Identifier: ISC */
/* Tests of runtimes. */
#define _GNU_SOURCE
#include "runtimes.h"
#include "unit.h"

#include <fcntl.h>
#include <sys/stat.h>

enum { ROOT = 100 };

/* The environment without variables that runtimes read. */
static void
forget(void)
{
	static const char *const all[] = { "NODE_OPTIONS", "PYTHONPERFSUPPORT",
		"JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "DOTNET_PerfMapEnabled",
		"COMPlus_PerfMapEnabled" };
	size_t i;

	for (i = 0; i < sizeof all / sizeof *all; i++)
		unsetenv(all[i]);
}

static struct str
variable(const char *name)
{
	const char *value = getenv(name);

	return str_of(value ? value : "(not set)");
}

UNIT(each_runtime_is_asked_in_its_variable)
{
	struct buf said = { 0 };

	forget();
	runtimes_ask(&said);
	CHECK_STR(variable("NODE_OPTIONS"),
		STR("--perf-basic-prof --interpreted-frames-native-stack"));
	CHECK_STR(variable("PYTHONPERFSUPPORT"), STR("1"));
	CHECK_STR(variable("DOTNET_PerfMapEnabled"), STR("1"));
	CHECK_STR(variable("JDK_JAVA_OPTIONS"),
		STR("-XX:+IgnoreUnrecognizedVMOptions -XX:+PreserveFramePointer "
		    "-XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit"));
	CHECK(str_starts(buf_view(&said),
		STR("NODE_OPTIONS='--perf-basic-prof --interpreted-frames-native-stack' "
		    "PYTHONPERFSUPPORT='1' ")));
	/* Only once. */
	buf_clear(&said);
	runtimes_ask(&said);
	CHECK_U64(said.n, 0);
	buf_release(&said);
}

UNIT(settings_of_the_user_stay)
{
	struct buf said = { 0 };

	forget();
	setenv("NODE_OPTIONS",
		"--no-perf-basic-prof --no-interpreted-frames-native-stack", 1);
	setenv("PYTHONPERFSUPPORT", "0", 1);
	setenv("COMPlus_PerfMapEnabled", "0", 1);
	setenv("JDK_JAVA_OPTIONS", "-Xmx1g", 1);
	setenv("JAVA_TOOL_OPTIONS", "-XX:-PreserveFramePointer", 1);
	runtimes_ask(&said);
	CHECK_STR(variable("NODE_OPTIONS"),
		STR("--no-perf-basic-prof --no-interpreted-frames-native-stack"));
	CHECK_STR(variable("PYTHONPERFSUPPORT"), STR("0"));
	CHECK_STR(variable("DOTNET_PerfMapEnabled"), STR("(not set)"));
	CHECK_STR(variable("JDK_JAVA_OPTIONS"),
		STR("-Xmx1g -XX:+IgnoreUnrecognizedVMOptions "
		    "-XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit"));
	setenv("NODE_OPTIONS", "--max-old-space-size=99", 1);
	runtimes_ask(&said);
	CHECK_STR(variable("NODE_OPTIONS"),
		STR("--max-old-space-size=99 --perf-basic-prof "
		    "--interpreted-frames-native-stack"));
	buf_release(&said);
}

/* Makes the file FOLDER/NAME, older than the start if OLD. */
static void
make(const char *folder, const char *name, bool old)
{
	struct timespec times[2] = { { .tv_nsec = UTIME_OMIT }, { .tv_sec = 1 } };
	struct buf path = { 0 };
	int fd;

	buf_fmt(&path, "%s/%s", folder, name);
	fd = open(buf_cstr(&path), O_WRONLY | O_CREAT, 0600);
	CHECK(fd >= 0);
	close(fd);
	CHECK(!old || utimensat(AT_FDCWD, buf_cstr(&path), times, 0) == 0);
	buf_release(&path);
}

UNIT(files_are_new_and_of_descendants_and_this_user)
{
	char folder[] = "/tmp/test-runtimes-XXXXXX";
	struct buf list = { 0 }, want = { 0 }, command = { 0 };
	struct runtimes r;

	CHECK(mkdtemp(folder) != NULL);
	runtimes_begin(&r);
	runtimes_note(&r, 300, 200);
	runtimes_note(&r, 200, ROOT);
	runtimes_note(&r, 300, 300);
	runtimes_note(&r, 500, 400);
	/* A cycle, by reused process numbers. */
	runtimes_note(&r, 600, 700);
	runtimes_note(&r, 700, 600);
	make(folder, "perf-200.map", false);
	make(folder, "jit-300.dump", false);
	make(folder, "perfinfo-300.map", false);
	make(folder, "isolate-0x3b44ad40-300-v8.log", false);
	make(folder, "isolate-0x3b44ad40-500-v8.log", false);
	make(folder, "isolate-0x300-v8.log", false);
	make(folder, "isolate-0x3b\nprecious-300-v8.log", false);
	make(folder, "perf-300.map", true);
	make(folder, "perf-500.map", false);
	make(folder, "perf-600.map", false);
	make(folder, "perf-100.map", false);
	make(folder, "perf-.map", false);
	make(folder, "perf-x.map", false);
	make(folder, "perf-99999999999.map", false);
	make(folder, "perf-2000.maps", false);
	buf_fmt(&command, "ln -s /etc/passwd %s/jit-200.dump; mkdir %s/perfinfo-200.map",
		folder, folder);
	CHECK(system(buf_cstr(&command)) == 0);
	CHECK_U64(runtimes_files(&r, ROOT, folder, &list), 4);
	buf_fmt(&want,
		"%s/isolate-0x3b44ad40-300-v8.log\n%s/jit-300.dump\n"
		"%s/perf-200.map\n%s/perfinfo-300.map\n",
		folder, folder, folder, folder);
	CHECK_STR(buf_view(&list), buf_view(&want));
	CHECK_U64(runtimes_files(&r, ROOT, "/nowhere/at/all", &list), 0);
	buf_clear(&command);
	buf_fmt(&command, "rm -r %s", folder);
	CHECK(system(buf_cstr(&command)) == 0);
	runtimes_release(&r);
	buf_release(&list);
	buf_release(&want);
	buf_release(&command);
}

UNIT_MAIN
