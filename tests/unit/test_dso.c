/* SPDX-License-Identifier: ISC */
/* Files with code, found and named: dso.h. */
#ifdef __linux__
#define _GNU_SOURCE /* unshare */
#endif
#include "symbols/dso.h"
#include "debuginfod.h"
#include "elf-image.h"
#include "symbols/relocate.h"
#include "unit.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sched.h>
#include <sys/mount.h>
#endif

static const char ID[] = "\x11\x22\x33\x44\x55\x66\x77\x88\x99\xaa"
			 "\x11\x22\x33\x44\x55\x66\x77\x88\x99\xaa";
static const char OTHER[] = "\x99\x22\x33\x44\x55\x66\x77\x88\x99\xaa"
			    "\x11\x22\x33\x44\x55\x66\x77\x88\x99\xaa";
#define ID_TEXT "112233445566778899aa112233445566778899aa"

static struct str
id_of(const char *bytes)
{
	return (struct str){ bytes, 20 };
}

/* A folder for this test and its home; owned by the caller. */
static char *
make_home(void)
{
	char *home = strdup("/tmp/fg-dso-XXXXXX");

	if (!mkdtemp(home))
		exit(2);
	setenv("HOME", home, 1);
	unsetenv("DEBUGINFOD_CACHE_PATH");
	unsetenv("XDG_CACHE_HOME");
	return home;
}

static void
remove_home(char *home)
{
	char command[128];

	snprintf(command, sizeof command, "rm -rf '%s'", home);
	if (system(command) != 0)
		exit(2);
	free(home);
}

/* Writes S to PATH, in FOLDER, and creates the folders in between. */
static void
write_file(const char *folder, const char *path, struct str s)
{
	char whole[512], *p;
	FILE *f;

	snprintf(whole, sizeof whole, "%s/%s", folder, path);
	for (p = whole + strlen(folder) + 1; (p = strchr(p, '/')) != NULL; p++) {
		*p = '\0';
		mkdir(whole, 0700);
		*p = '/';
	}
	f = fopen(whole, "wb");
	if (!f || fwrite(s.s, 1, s.n, f) != s.n || fclose(f))
		exit(2);
}

/* Writes a program with the build id ID (or without one) and the symbols "f",
 * "_ZN1a1bEi". */
static void
write_program(const char *folder, const char *path, const char *id)
{
	struct image m = { .machine = ELF_X86_64 };
	struct buf b = { 0 }, *data;
	uint32_t table;

	image_section(&m, ".text", ELF_NOBITS, ELF_FLAG_ALLOC | ELF_FLAG_EXEC, &data);
	m.section[0].address = 0x100;
	m.section[0].size = 0x40;
	if (id)
		image_build_id(&m, id_of(id));
	table = image_symtab(&m, ".symtab", ELF_SYMTAB);
	image_symbol(&m, table,
		(struct elf_symbol){ STR("f"), 0x100, 16, 1, ELF_FUNC, ELF_GLOBAL, 0 });
	image_symbol(&m, table,
		(struct elf_symbol){
			STR("_ZN1a1bEi"), 0x110, 16, 1, ELF_FUNC, ELF_GLOBAL, 0 });
	image_end(&m, &b);
	write_file(folder, path, buf_view(&b));
	buf_release(&b);
}

static struct dso_set *
new_set(void)
{
	static const struct dso_options plain = { .inlines = true };

	return dso_set_new(&plain);
}

static struct dso *
get(struct dso_set *set, const char *path, struct str build_id, uint32_t pid)
{
	struct dso_key key = { str_of(path), build_id, pid };

	return dso_get(set, &key);
}

/* The name at ADDRESS, "-" if unknown. */
static struct str
name_at(struct dso *d, uint64_t address)
{
	const struct dso_frame *frames;
	size_t n = dso_frames(d, address, 0, true, &frames);

	return n ? frames[n - 1].name : STR("-");
}

static void
say(void *context, struct str name, uint64_t asked, const char *why)
{
	struct buf *b = context;

	buf_str(b, name);
	buf_fmt(b, " %lu %s\n", (unsigned long)asked, why);
}

/* The text of dso_trouble. */
static struct str
trouble_text(struct dso_set *set, struct buf *b)
{
	buf_clear(b);
	dso_trouble(set, say, b);
	return buf_view(b);
}

UNIT(kinds_and_names_are_those_of_perf)
{
	static const struct {
		const char *path;
		uint32_t pid;
		enum dso_kind kind;
		const char *name;
	} cases[] = {
		{ "/usr/bin/x", 7, DSO_FILE, "/usr/bin/x" },
		{ "/usr/bin/x (deleted)", 7, DSO_FILE, "/usr/bin/x (deleted)" },
		{ "/dev/shm/x", 7, DSO_FILE, "/dev/shm/x" },
		{ "", 7, DSO_FILE, "" },
		{ "[kernel.kallsyms]", 0, DSO_KERNEL, "[kernel.kallsyms]" },
		{ "[kernel.kallsyms]_text", UINT32_MAX, DSO_KERNEL, "[kernel.kallsyms]" },
		{ "/proc/kcore", 0, DSO_KERNEL, "[kernel.kallsyms]" },
		{ "[guest.kernel.kallsyms.9]_text", UINT32_MAX, DSO_KERNEL,
			"[guest.kernel.kallsyms.9]" },
		{ "/lib/modules/6.1/kernel/snd-pcm.ko.xz", 0, DSO_MODULE, "[snd_pcm]" },
		{ "/lib/modules/6.1/kernel/ext4.ko", 0, DSO_MODULE, "[ext4]" },
		{ "[ext4]", UINT32_MAX, DSO_MODULE, "[ext4]" },
		{ "[ext4]", 0, DSO_MODULE, "[ext4]" },
		{ "[what]", 7, DSO_NONE, "[what]" },
		{ "[vdso]", 7, DSO_VDSO, "[vdso]" },
		{ "[vsyscall]", 7, DSO_NONE, "[vsyscall]" },
		{ "//anon", 7, DSO_JIT, "/tmp/perf-7.map" },
		{ "[heap]", 8, DSO_JIT, "/tmp/perf-8.map" },
		{ "[stack:12]", 8, DSO_JIT, "/tmp/perf-8.map" },
		{ "[anon:v8]", 8, DSO_JIT, "/tmp/perf-8.map" },
		{ "[anon]", 8, DSO_NONE, "[anon]" },
		{ "/dev/zero (deleted)", 8, DSO_JIT, "/tmp/perf-8.map" },
		{ "/SYSV00000000 (deleted)", 8, DSO_JIT, "/tmp/perf-8.map" },
		{ "/memfd:x (deleted)", 8, DSO_JIT, "/memfd:x (deleted)" },
		{ "//dev/ptmx", 8, DSO_NONE, "/dev/ptmx" },
		{ "/dev/shm/../ptmx", 8, DSO_NONE, "/dev/ptmx" },
		{ "/dev/./shm//x", 8, DSO_FILE, "/dev/shm/x" },
		{ "/../../..//", 8, DSO_FILE, "/" },
		{ "/proc/self/mem", 8, DSO_NONE, "/proc/self/mem" },
		{ "/x/../sys/kernel/notes", 8, DSO_NONE, "/sys/kernel/notes" },
		{ "/dev/dri/card0", 8, DSO_NONE, "/dev/dri/card0" },
		{ "/opt/u/jit-12.dump", 8, DSO_JIT, "/opt/u/jit-12.dump" },
		{ "/tmp/jitted-12-3.so", 8, DSO_FILE, "/tmp/jitted-12-3.so" },
		{ "/x/.ko", 8, DSO_FILE, "/x/.ko" },
	};
	struct dso_set *set = new_set();
	struct dso *d;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		d = get(set, cases[i].path, (struct str){ 0 }, cases[i].pid);
		CHECK_U64(dso_kind(d), cases[i].kind);
		CHECK_STR(dso_name(d), str_of(cases[i].name));
	}
	dso_set_free(set);
	dso_set_free(NULL);
}

UNIT(processes_share_files_but_not_generated_code)
{
	struct dso_set *set = new_set();
	struct str none = { 0 };
	char padded[20] = "\1\2\3\4\5\6\7\10";
	struct str shorter = { padded, 8 }, filled = { padded, 20 };

	CHECK(get(set, "/x", none, 1) == get(set, "/x", none, 2));
	CHECK(get(set, "/x", none, 1) != get(set, "/y", none, 1));
	CHECK(get(set, "/x", none, 1) != get(set, "/x", id_of(ID), 1));
	CHECK(get(set, "/x", id_of(ID), 1) == get(set, "/x", id_of(ID), 5));
	CHECK(get(set, "/x", id_of(ID), 1) != get(set, "/x", id_of(OTHER), 1));
	/* perf pads short ids. */
	CHECK(get(set, "/x", shorter, 1) == get(set, "/x", filled, 1));
	CHECK(get(set, "//anon", none, 1) != get(set, "//anon", none, 2));
	CHECK(get(set, "//anon", none, 1) == get(set, "[heap]", none, 1));
	dso_set_free(set);
}

UNIT(a_file_counts_with_the_recorded_build_id_only)
{
	char *home = make_home(), path[128];
	struct dso_set *set = new_set();
	struct buf b = { 0 };
	struct dso *d;
	uint64_t address = 0;

	snprintf(path, sizeof path, "%s/bin/x", home);
	write_program(home, "bin/x", ID);
	d = get(set, path, id_of(ID), 1);
	CHECK(dso_address(d, 0x112, &address));
	CHECK_U64(address, 0x112);
	CHECK(!dso_address(d, 1 << 30, &address));
	CHECK_STR(name_at(d, 0x105), STR("f"));
	CHECK_STR(name_at(d, 0x105), STR("f"));
	CHECK_STR(name_at(d, 0x130), STR("-"));
	CHECK(!dso_debug(d));
	CHECK_STR(name_at(get(set, path, (struct str){ 0 }, 1), 0x105), STR("f"));
	d = get(set, path, id_of(OTHER), 1);
	CHECK(!dso_code(d));
	CHECK(!dso_address(d, 0x112, &address));
	CHECK_STR(name_at(d, 0x105), STR("-"));
	CHECK_STR(name_at(d, 0x105), STR("-"));
	CHECK_STR(name_at(get(set, "/no/such/file", (struct str){ 0 }, 1), 1), STR("-"));
	trouble_text(set, &b);
	CHECK_STR(str_from(buf_view(&b), strlen(path)),
		STR(" 2 is not the recorded file (its build id differs)\n"
		    "/no/such/file 1 does not exist\n"));
	buf_release(&b);
	dso_set_free(set);
	remove_home(home);
}

#ifdef __linux__
/* A process with its own mount over HOME, containing a program. -1 if not permitted. */
static pid_t
start_apart(const char *home)
{
	int ready[2];
	char byte = 0;
	pid_t child;

	if (pipe(ready) < 0)
		return -1;
	child = fork();
	if (child == 0) {
		if (unshare(CLONE_NEWNS) < 0 ||
			mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
			mount("none", home, "tmpfs", 0, NULL) < 0)
			_exit(1);
		write_program(home, "bin/x", NULL);
		if (write(ready[1], "r", 1) == 1)
			pause();
		_exit(0);
	}
	close(ready[1]);
	if (child > 0 && read(ready[0], &byte, 1) != 1) {
		waitpid(child, NULL, 0);
		child = -1;
	}
	close(ready[0]);
	return child;
}

UNIT(a_process_with_mounts_of_its_own_has_other_files)
{
	char *home = make_home(), path[128];
	struct dso_set *set = new_set();
	struct str none = { 0 };
	pid_t child = start_apart(home);
	struct dso *d;

	snprintf(path, sizeof path, "%s/bin/x", home);
	if (child < 0) {
		puts("may not unshare mounts: skipped");
	} else {
		dso_set_kernel(set, none, true);
		d = get(set, path, none, (uint32_t)child);
		CHECK_STR(name_at(d, 0x105), STR("f"));
		CHECK(d != get(set, path, none, (uint32_t)getpid()));
		CHECK_STR(name_at(get(set, path, none, (uint32_t)getpid()), 0x105),
			STR("-"));
		/* Unchanged files are shared. */
		CHECK(get(set, "/bin/sh", none, (uint32_t)child) ==
			get(set, "/bin/sh", none, (uint32_t)getpid()));
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
	}
	dso_set_free(set);
	remove_home(home);
}
#endif

UNIT(removed_files_are_found_in_perf_s_cache)
{
	char *home = make_home(), path[128];
	struct dso_set *set = new_set();
	struct buf b = { 0 };

	snprintf(path, sizeof path, "%s/bin/x (deleted)", home);
	write_program(home, "bin/x", OTHER);
	write_program(home,
		".debug/.build-id/11/2233445566778899aa112233445566778899aa/elf", ID);
	CHECK_STR(name_at(get(set, path, id_of(ID), 1), 0x105), STR("f"));
	CHECK_STR(name_at(get(set, path, (struct str){ 0 }, 1), 0x105), STR("-"));
	trouble_text(set, &b);
	CHECK_STR(str_from(buf_view(&b), strlen(path)), STR(" 1 was deleted\n"));
	buf_release(&b);
	dso_set_free(set);
	remove_home(home);
}

UNIT(names_are_for_people)
{
	char *home = make_home(), path[128];
	struct dso_options full = { .full_names = true };
	struct dso_set *set = new_set(), *long_set = dso_set_new(&full);
	struct str cut, whole;

	snprintf(path, sizeof path, "%s/x", home);
	write_program(home, "x", NULL);
	cut = name_at(get(set, path, (struct str){ 0 }, 1), 0x110);
	whole = name_at(get(long_set, path, (struct str){ 0 }, 1), 0x110);
	CHECK(str_eq(cut, STR("a::b")) || str_eq(cut, STR("_ZN1a1bEi")));
	CHECK(str_eq(whole, STR("a::b(int)")) || str_eq(whole, cut));
	/* They live as long as the set. */
	for (uint64_t i = 0; i < 3000; i++)
		name_at(get(set, path, (struct str){ 0 }, 1), i);
	CHECK(str_starts(cut, STR("a::b")) || str_starts(cut, STR("_ZN1")));
	dso_set_free(set);
	dso_set_free(long_set);
	remove_home(home);
}

UNIT(the_user_s_files_come_first)
{
	char *home = make_home(), path[128], other[128];
	const char *items[2];
	struct opt_list list = { .items = items, .n = 1 };
	struct dso_options options = { .elfs = &list };
	struct dso_set *set;
	struct str none = { 0 };

	snprintf(path, sizeof path, "%s/firmware.elf", home);
	snprintf(other, sizeof other, "%s/second", home);
	write_program(home, "firmware.elf", ID);
	write_program(home, "second", NULL);
	items[0] = path;
	set = dso_set_new(&options);
	/* By id, by name, and for a nameless file the only one. */
	CHECK_STR(name_at(get(set, "/elsewhere/y", id_of(ID), 0), 0x100), STR("f"));
	CHECK_STR(name_at(get(set, "/elsewhere/firmware.elf", none, 0), 0x100), STR("f"));
	CHECK_STR(name_at(get(set, "", none, 0), 0x100), STR("f"));
	CHECK_STR(name_at(get(set, "/elsewhere/firmware.elf", id_of(OTHER), 0), 0x100),
		STR("-"));
	CHECK_STR(name_at(get(set, "/elsewhere/y", none, 0), 0x100), STR("-"));
	dso_set_free(set);
	items[1] = other;
	list.n = 2;
	set = dso_set_new(&options);
	CHECK_STR(name_at(get(set, "second", id_of(OTHER), 0), 0x100), STR("f"));
	CHECK_STR(name_at(get(set, "", none, 0), 0x100), STR("-"));
	dso_set_free(set);
	items[0] = "/no/such/file";
	set = dso_set_new(&options);
	CHECK_STR(name_at(get(set, "/no/such/file", none, 0), 0x100), STR("-"));
	dso_set_free(set);
	remove_home(home);
}

#define KALLSYMS                                    \
	"ffffffff81000000 T _text\n"                \
	"ffffffff81000100 T start\n"                \
	"ffffffff81000200 t second\n"               \
	"ffffffff81000300 T _etext\n"               \
	"ffffffffa0000000 t in_module\t[snd_pcm]\n" \
	"ffffffffa0000100 t last\t[snd_pcm]\n"

UNIT(the_kernel_is_named_by_perf_s_copy_of_its_symbols)
{
	char *home = make_home();
	struct dso_set *set = new_set();
	struct dso *kernel, *module;

	write_file(home, ".debug/[kernel.kallsyms]/" ID_TEXT "/kallsyms", STR(KALLSYMS));
	dso_set_kernel(set, id_of(ID), false);
	kernel = get(set, "[kernel.kallsyms]_text", (struct str){ 0 }, 0);
	module = get(set, "/lib/modules/1/snd-pcm.ko", (struct str){ 0 }, 0);
	CHECK(!dso_code(kernel));
	CHECK_STR(name_at(kernel, 0xffffffff81000150), STR("start"));
	CHECK_STR(name_at(kernel, 0xffffffff81000250), STR("second"));
	CHECK_STR(name_at(module, 0xffffffffa0000050), STR("in_module"));
	CHECK_STR(name_at(module, 0xffffffffa0100050), STR("-"));
	dso_set_free(set);
	remove_home(home);
}

UNIT(an_anchor_moves_the_symbols_of_another_boot)
{
	char *home = make_home();
	struct dso_set *set = new_set();
	struct dso *kernel, *module;

	write_file(home, ".debug/[kernel.kallsyms]/" ID_TEXT "/kallsyms", STR(KALLSYMS));
	dso_set_kernel(set, id_of(ID), false);
	dso_set_anchor(set, STR("_text"), 0xffffffff91000000);
	kernel = get(set, "[kernel.kallsyms]", (struct str){ 0 }, 0);
	module = get(set, "[snd_pcm]", (struct str){ 0 }, 0);
	CHECK_STR(name_at(kernel, 0xffffffff91000150), STR("start"));
	CHECK_STR(name_at(kernel, 0xffffffff81000150), STR("-"));
	/* Modules can be anywhere then. */
	CHECK_STR(name_at(module, 0xffffffffa0000050), STR("-"));
	dso_set_free(set);
	remove_home(home);
}

UNIT(another_kernel_is_not_named_by_this_one)
{
	char *home = make_home();
	struct dso_set *set = new_set();
	struct buf b = { 0 };
	struct str none = { 0 };

	dso_set_kernel(set, id_of(ID), true);
	CHECK_STR(name_at(get(set, "[kernel.kallsyms]", none, 0), UINT64_MAX - 5),
		STR("-"));
	CHECK_STR(trouble_text(set, &b),
		STR("[kernel.kallsyms] 1 is not the running kernel\n"));
	dso_set_free(set);
	set = new_set();
	dso_set_kernel(set, none, false);
	CHECK_STR(name_at(get(set, "[kernel.kallsyms]", none, 0), UINT64_MAX - 5),
		STR("-"));
	CHECK_STR(name_at(get(set, "[guest.kernel.kallsyms]", none, 0), 5), STR("-"));
	CHECK_STR(trouble_text(set, &b),
		STR("[guest.kernel.kallsyms] 1 guest kernels are not supported\n"
		    "[kernel.kallsyms] 1 the recording does not say which kernel that was\n"));
	buf_release(&b);
	dso_set_free(set);
	remove_home(home);
}

/* Writes a vmlinux with "start" at 0x100 behind _text, which is at TEXT. */
static void
write_vmlinux(const char *folder, const char *path, const char *id, uint64_t text)
{
	struct image m = { .machine = ELF_X86_64 };
	struct buf b = { 0 }, *data;
	uint32_t table;

	image_section(&m, ".text", ELF_NOBITS, ELF_FLAG_ALLOC | ELF_FLAG_EXEC, &data);
	m.section[0].address = text;
	m.section[0].size = 0x200;
	if (id)
		image_build_id(&m, id_of(id));
	table = image_symtab(&m, ".symtab", ELF_SYMTAB);
	image_symbol(&m, table,
		(struct elf_symbol){ STR("_text"), text, 0, 1, 0, ELF_GLOBAL, 0 });
	image_symbol(&m, table,
		(struct elf_symbol){
			STR("start"), text + 0x100, 16, 1, ELF_FUNC, ELF_GLOBAL, 0 });
	image_end(&m, &b);
	write_file(folder, path, buf_view(&b));
	buf_release(&b);
}

/* The code and name at an address of the kernel ID. Its list, if LISTED, has _text at
 * 0xffffffff81000000, as does the recording if ANCHORED; the file VMLINUX has it at
 * 0xffffffff80000000. */
static void
check_vmlinux(
	bool listed, bool anchored, bool as_elf, uint64_t address, const char *expect)
{
	char *home = make_home(), path[128];
	const char *items[] = { path };
	struct opt_list list = { .items = items, .n = 1 };
	struct dso_options options = { .codes = true };
	const struct dso_frame *frames;
	struct buf b = { 0 };
	struct dso_set *set;
	struct dso *kernel;

	snprintf(path, sizeof path, "%s/vmlinux-1", home);
	write_vmlinux(home, "vmlinux-1", ID, 0xffffffff80000000);
	if (listed)
		write_file(home, ".debug/[kernel.kallsyms]/" ID_TEXT "/kallsyms",
			STR(KALLSYMS));
	if (as_elf)
		options.elfs = &list;
	else
		options.vmlinux = path;
	set = dso_set_new(&options);
	dso_set_kernel(set, id_of(ID), false);
	if (anchored)
		dso_set_anchor(set, STR("_text"), 0xffffffff91000000);
	kernel = get(set, "[kernel.kallsyms]", id_of(ID), 0);
	if (dso_frames(kernel, address, 0, DSO_CODE, &frames) == 1) {
		buf_str(&b, frames[0].name);
		buf_str(&b, frames[0].code);
	}
	CHECK_STR(buf_view(&b), str_of(expect));
	buf_release(&b);
	dso_set_free(set);
	remove_home(home);
}

UNIT(instructions_of_the_kernel_come_from_its_vmlinux)
{
	const char *expect = "start <vmlinux-1@11223344+0xffffffff80000104>";

	for (int as_elf = 0; as_elf < 2; as_elf++) {
		check_vmlinux(true, true, as_elf, 0xffffffff91000104, expect);
		check_vmlinux(true, false, as_elf, 0xffffffff81000104, expect);
		check_vmlinux(false, true, as_elf, 0xffffffff91000104, expect);
		check_vmlinux(false, false, as_elf, 0xffffffff80000104, expect);
		check_vmlinux(false, true, as_elf, 0xffffffff80000104, "");
	}
}

/* The test's folder also is a server; the library need not be installed. */
UNIT(the_kernel_of_another_machine_is_fetched)
{
	char *home = make_home(), url[64];
	struct dso_options options = { .servers = debuginfod_new() };
	struct dso_set *set = dso_set_new(&options);
	struct str none = { 0 }, name;

	snprintf(url, sizeof url, "file://%s", home);
	setenv("DEBUGINFOD_URLS", url, 1);
	write_program(home, "buildid/" ID_TEXT "/debuginfo", ID);
	dso_set_kernel(set, id_of(ID), false);
	name = name_at(get(set, "[kernel.kallsyms]", none, 0), 0x108);
	CHECK_STR(name, dlopen("libdebuginfod.so.1", RTLD_NOW) ? STR("f") : STR("-"));
	dso_set_free(set);
	debuginfod_free(options.servers);
	remove_home(home);
}

/* A module with functions in two sections, one of them freed after start-up. */
UNIT(modules_are_named_by_their_files_too)
{
	char *home = make_home(), path[128];
	struct image m = { .machine = ELF_X86_64, .type = ELF_REL };
	struct buf b = { 0 }, *data;
	struct dso_set *set = new_set();
	struct dso *d;
	uint64_t address;
	uint32_t table;

	image_section(&m, ".text", ELF_NOBITS, ELF_FLAG_ALLOC | ELF_FLAG_EXEC, &data);
	m.section[0].size = 0x21;
	image_section(
		&m, ".init.text", ELF_NOBITS, ELF_FLAG_ALLOC | ELF_FLAG_EXEC, &data);
	m.section[1].size = 0x40;
	image_section(
		&m, ".text.unlikely", ELF_NOBITS, ELF_FLAG_ALLOC | ELF_FLAG_EXEC, &data);
	m.section[2].size = 0x40;
	table = image_symtab(&m, ".symtab", ELF_SYMTAB);
	image_symbol(&m, table,
		(struct elf_symbol){ STR("hot"), 0x10, 8, 1, ELF_FUNC, ELF_GLOBAL, 0 });
	image_symbol(&m, table,
		(struct elf_symbol){ STR("init"), 0, 64, 2, ELF_FUNC, ELF_GLOBAL, 0 });
	image_symbol(&m, table,
		(struct elf_symbol){ STR("cold"), 0x4, 8, 3, ELF_FUNC, ELF_GLOBAL, 0 });
	image_end(&m, &b);
	write_file(home, "a-b.ko", buf_view(&b));
	snprintf(path, sizeof path, "%s/a-b.ko", home);
	dso_set_kernel(set, id_of(ID), false);
	d = get(set, path, (struct str){ 0 }, 0);
	dso_set_start(d, 0xffffffffc0000000);
	CHECK(dso_address(d, 0x12, &address));
	CHECK_U64(address, 0xffffffffc0000012);
	CHECK_STR(name_at(d, address), STR("hot"));
	CHECK_STR(name_at(d, 0xffffffffc0000028), STR("cold"));
	CHECK_STR(name_at(d, 0xffffffffc0000018), STR("-"));
	CHECK_STR(name_at(d, 0x12), STR("-"));
	buf_release(&b);
	dso_set_free(set);
	remove_home(home);
}

/* The DWARF of a module with the function hot at [0x10, 0x20) and an inlined one at
 * [0x14, 0x18); without relocations, so its addresses are those of relocate.h. */
static void
put_module_dwarf(struct image *m)
{
	static const unsigned char abbrevs[] = { 1, 0x11, 1, 0x11, 1, 0x12, 6, 0, 0, 2,
		0x2e, 1, 3, 8, 0x11, 1, 0x12, 6, 0, 0, 3, 0x1d, 0, 0x31, 0x13, 0x11, 1,
		0x12, 6, 0, 0, 4, 0x2e, 0, 3, 8, 0, 0, 0 };
	struct buf *b;
	size_t inner;

	image_section(m, ".debug_abbrev", ELF_PROGBITS, 0, &b);
	buf_str(b, (struct str){ (const char *)abbrevs, sizeof abbrevs });
	image_section(m, ".debug_info", ELF_PROGBITS, 0, &b);
	image_put(b, 4, 0x3f);
	image_put(b, 2, 4);
	image_put(b, 4, 0);
	image_put(b, 1, 8);
	image_put(b, 1, 1);
	image_put(b, 8, RELOCATE_BASE);
	image_put(b, 4, 0x21);
	inner = b->n;
	image_put(b, 1, 4);
	buf_str(b, (struct str){ "inner", 6 });
	image_put(b, 1, 2);
	buf_str(b, (struct str){ "hot", 4 });
	image_put(b, 8, RELOCATE_BASE + 0x10);
	image_put(b, 4, 0x10);
	image_put(b, 1, 3);
	image_put(b, 4, inner);
	image_put(b, 8, RELOCATE_BASE + 0x14);
	image_put(b, 4, 4);
	image_put(b, 2, 0);
	CHECK_U64(b->n, 0x3f + 4);
}

/* The chain at ADDRESS of a module whose symbol there is SYMBOL, "inner<outer". */
static void
check_module(const char *symbol, uint64_t address, const char *expect)
{
	char *home = make_home(), path[128];
	struct image m = { .machine = ELF_X86_64, .type = ELF_REL };
	struct buf b = { 0 }, *data;
	struct dso_set *set = new_set();
	const struct dso_frame *frames;
	struct dso *d;
	uint32_t table;
	size_t n, i;

	image_section(&m, ".text", ELF_NOBITS, ELF_FLAG_ALLOC | ELF_FLAG_EXEC, &data);
	m.section[0].size = 0x21;
	table = image_symtab(&m, ".symtab", ELF_SYMTAB);
	image_symbol(&m, table,
		(struct elf_symbol){
			str_of(symbol), 0x10, 0x10, 1, ELF_FUNC, ELF_GLOBAL, 0 });
	put_module_dwarf(&m);
	image_build_id(&m, id_of(ID));
	image_end(&m, &b);
	write_file(home, "a-b.ko", buf_view(&b));
	snprintf(path, sizeof path, "%s/a-b.ko", home);
	d = get(set, path, id_of(ID), 0);
	dso_set_start(d, 0xffffffffc0000000);
	n = dso_frames(d, 0xffffffffc0000000 + address, 0, DSO_INLINES, &frames);
	buf_clear(&b);
	for (i = 0; i < n; i++) {
		if (i)
			buf_char(&b, '<');
		buf_str(&b, frames[i].name);
	}
	CHECK_STR(buf_view(&b), str_of(expect));
	buf_release(&b);
	dso_set_free(set);
	remove_home(home);
}

UNIT(modules_have_inlined_functions)
{
	check_module("hot", 0x14, "inner<hot");
	check_module("hot", 0x18, "hot");
	check_module("hot.cold", 0x14, "inner<hot.cold");
	/* The kernel used another layout. */
	check_module("hotter", 0x14, "hotter");
	check_module("hot", 0x4, "");
}

UNIT(generated_code_is_named_by_a_perf_map_that_may_grow)
{
	char map[64];
	struct dso_set *set = new_set();
	uint32_t pid = (uint32_t)getpid();
	struct dso *d = get(set, "//anon", (struct str){ 0 }, pid);
	struct buf b = { 0 };
	struct str name;

	CHECK_STR(name_at(d, 0x7000), STR("-"));
	CHECK(trouble_text(set, &b).n > 0);
	snprintf(map, sizeof map, "perf-%lu.map", (unsigned long)pid);
	write_file("/tmp", map, STR("7000 10 LazyCompile:~fib /app/fib.js:1\n"));
	name = name_at(d, 0x7000);
	CHECK_STR(name, STR("LazyCompile:~fib /app/fib.js:1"));
	CHECK_STR(name_at(d, 0x8000), STR("-"));
	write_file("/tmp", map,
		STR("7000 10 LazyCompile:~fib /app/fib.js:1\n8000 10 _ZN1a1bEi\n"));
	/* The map is read again after a few lookups, at the latest. */
	for (int i = 0; i < 8; i++)
		name_at(d, 0x9000);
	CHECK_STR(name_at(d, 0x8000), STR("_ZN1a1bEi"));
	CHECK_STR(name, STR("LazyCompile:~fib /app/fib.js:1"));
	CHECK_STR(
		name_at(get(set, "/memfd:jit (deleted)", (struct str){ 0 }, pid), 0x8000),
		STR("_ZN1a1bEi"));
	CHECK_U64(trouble_text(set, &b).n, 0);
	snprintf(map, sizeof map, "/tmp/perf-%lu.map", (unsigned long)pid);
	CHECK_U64((uint64_t)remove(map), 0);
	buf_release(&b);
	dso_set_free(set);
}

/* The name in a perf map for code of process PID, which is not running. */
static struct str
map_name(const struct dso_options *options, uint32_t pid, bool remote, struct buf *b)
{
	struct dso_set *set = dso_set_new(options);

	if (remote)
		dso_set_remote(set);
	buf_clear(b);
	buf_str(b, name_at(get(set, "//anon", (struct str){ 0 }, pid), 0x7000));
	dso_set_free(set);
	return buf_view(b);
}

/* Anyone can write a map for any process to /tmp. */
UNIT(a_perf_map_is_believed_by_its_owner)
{
	static const struct dso_options plain = { .inlines = true },
					any = { .any_maps = true };
	enum { PID = 4000097, SOMEBODY = 4242 };
	const char *map = "/tmp/perf-4000097.map", *other = "/tmp/perf-4000096.map";
	struct buf b = { 0 };

	(void)remove(map);
	(void)remove(other);
	write_file("/tmp", "perf-4000097.map", STR("7000 10 f\n"));
	CHECK_STR(map_name(&plain, PID, false, &b), STR("f"));
	CHECK_STR(map_name(&plain, PID, true, &b), STR("-"));
	CHECK_STR(map_name(&any, PID, true, &b), STR("f"));
	CHECK(symlink(map, other) == 0);
	CHECK_STR(map_name(&plain, PID - 1, false, &b), STR("-"));
	CHECK_STR(map_name(&any, PID - 1, false, &b), STR("f"));
	if (chown(map, SOMEBODY, SOMEBODY) == 0) {
		CHECK_STR(map_name(&plain, PID, false, &b), STR("-"));
		CHECK_STR(map_name(&any, PID, false, &b), STR("f"));
	}
	CHECK(remove(map) == 0 && remove(other) == 0);
	buf_release(&b);
}

/* The name in a perf map for code of process PID in a recording that ended at END. */
static struct str
name_until(uint64_t end, uint32_t pid, bool any, struct buf *b)
{
	struct dso_options options = { .any_maps = any };
	struct dso_set *set = dso_set_new(&options);

	dso_set_ended(set, end);
	buf_clear(b);
	buf_str(b, name_at(get(set, "//anon", (struct str){ 0 }, pid), 0x7000));
	dso_set_free(set);
	return buf_view(b);
}

/* Sets the modification time of the file at PATH. */
static void
set_time(const char *path, time_t when)
{
	struct timespec times[2] = { { .tv_sec = when }, { .tv_sec = when } };

	if (utimensat(AT_FDCWD, path, times, 0) < 0)
		exit(2);
}

static void
say_doubt(void *context, struct str name, uint64_t asked, const char *why)
{
	buf_fmt(context, "%.*s %llu %s\n", (int)name.n, name.s, (unsigned long long)asked,
		why);
}

/* The doubts about names of a map written at WRITTEN. */
static struct str
doubts_of(const char *map, uint32_t pid, time_t written, struct dso_clock clock,
	struct buf *b)
{
	const uint64_t second = 1000000000;
	struct dso_set *set = new_set();
	struct dso *d = get(set, "//anon", (struct str){ 0 }, pid);

	set_time(map, written);
	dso_set_mapped(d, 30 * second);
	name_at(d, 0x7000);
	buf_clear(b);
	dso_doubts(set, &clock, say_doubt, b);
	dso_set_free(set);
	return buf_view(b);
}

UNIT(a_perf_map_of_a_later_process_names_nothing)
{
	enum { AGO = 100 };
	uint64_t now = (uint64_t)time(NULL);
	struct buf b = { 0 };
	char name[32], map[48];
	pid_t pid = fork();

	if (!pid) {
		pause();
		_exit(0);
	}
	snprintf(name, sizeof name, "perf-%d.map", (int)pid);
	snprintf(map, sizeof map, "/tmp/%s", name);
	write_file("/tmp", name, STR("7000 10 f\n"));
	set_time(map, (time_t)now + AGO);
	CHECK_STR(name_until(0, (uint32_t)pid, false, &b), STR("f"));
	CHECK_STR(name_until(now, (uint32_t)pid, false, &b), STR("f"));
	CHECK_STR(name_until(now - AGO, (uint32_t)pid, true, &b), STR("f"));
	if (access("/proc/self/stat", R_OK) == 0)
		CHECK_STR(name_until(now - AGO, (uint32_t)pid, false, &b), STR("-"));
	/* The map of the previous process. */
	set_time(map, (time_t)now - AGO);
	CHECK_STR(name_until(now - AGO, (uint32_t)pid, false, &b), STR("f"));
	CHECK(kill(pid, SIGKILL) == 0 && waitpid(pid, NULL, 0) == pid);
	CHECK(remove(map) == 0);
	buf_release(&b);
}

/* For a process that ended, it is unknown whether its number was used before. */
UNIT(perf_maps_of_another_time_are_doubted)
{
	enum { PID = 4000095, AGO = 1000 };
	const uint64_t second = 1000000000;
	const char *map = "/tmp/perf-4000095.map";
	time_t end = time(NULL) - AGO;
	struct dso_clock clock = { 10 * second, 60 * second, (uint64_t)end, true };
	struct buf b = { 0 };

	write_file("/tmp", "perf-4000095.map", STR("7000 10 f\n"));
	CHECK_STR(doubts_of(map, PID, end, clock, &b), STR(""));
	/* It was mapped 30 s before the end. */
	CHECK_STR(doubts_of(map, PID, end - 29, clock, &b), STR(""));
	CHECK_STR(doubts_of(map, PID, end + 10, clock, &b),
		STR("/tmp/perf-4000095.map 1 was written after the recording\n"));
	if (access("/proc/uptime", R_OK) == 0) {
		CHECK_STR(doubts_of(map, PID, 1000, clock, &b),
			STR("/tmp/perf-4000095.map 1 was written before its process generated "
			    "code\n"));
		clock.since_start = false;
		CHECK_STR(doubts_of(map, PID, 1000, clock, &b), STR(""));
	}
	CHECK(remove(map) == 0);
	buf_release(&b);
}

/* Adds to B a record of SIZE bytes of code NAME at ADDRESS, loaded at TIME. */
static void
put_load(struct buf *b, uint64_t time, uint64_t address, const char *name)
{
	size_t n = strlen(name) + 1;

	image_put(b, 4, 0);
	image_put(b, 4, 16 + 40 + n + 16);
	image_put(b, 8, time);
	image_put(b, 4, 1);
	image_put(b, 4, 1);
	image_put(b, 8, address);
	image_put(b, 8, address);
	image_put(b, 8, 16);
	image_put(b, 8, time);
	buf_str(b, (struct str){ name, n });
	for (int i = 0; i < 16; i++)
		buf_char(b, '\0');
}

UNIT(generated_code_is_named_by_the_jitdump_of_its_process_and_time)
{
	char *home = make_home(), path[128];
	struct dso_set *set = new_set();
	struct buf b = { 0 };
	const struct dso_frame *frames = NULL;
	struct dso *d;

	image_put(&b, 4, 0x4a695444);
	image_put(&b, 4, 1);
	image_put(&b, 4, 40);
	image_put(&b, 4, 62);
	image_put(&b, 8, 99);
	image_put(&b, 8, 1);
	image_put(&b, 8, 0);
	put_load(&b, 100, 0x7000, "early");
	put_load(&b, 200, 0x7000, "late");
	write_file(home, "jit-99.dump", buf_view(&b));
	snprintf(path, sizeof path, "%s/jit-99.dump", home);
	CHECK_U64(dso_kind(get(set, path, (struct str){ 0 }, 4000099)), DSO_JIT);
	d = get(set, "//anon", (struct str){ 0 }, 4000099);
	CHECK_U64(dso_frames(d, 0x7004, 150, false, &frames), 1);
	CHECK_STR(frames[0].name, STR("early"));
	CHECK_U64(dso_frames(d, 0x7004, 250, false, &frames), 1);
	CHECK_STR(frames[0].name, STR("late"));
	CHECK_U64(dso_frames(d, 0x7004, 50, false, &frames), 0);
	CHECK_U64(dso_frames(get(set, "//anon", (struct str){ 0 }, 4000098), 0x7004, 150,
			  false, &frames),
		0);
	buf_release(&b);
	dso_set_free(set);
	remove_home(home);
}

/* The number of changed files in a recording that ended at END, 10 s after it mapped
 * them. */
static size_t
count_changes(const char *path, struct str id, uint64_t end)
{
	const uint64_t second = 1000000000;
	struct dso_clock clock = { 5 * second, 100 * second, end, true };
	struct dso_set *set = new_set();
	struct dso *d = get(set, path, id, 1);
	struct buf b = { 0 };
	size_t n;

	dso_set_mapped(d, 95 * second);
	dso_set_mapped(d, 90 * second);
	dso_set_mapped(d, 97 * second);
	dso_changes(set, &clock, say, &b);
	CHECK_U64(b.n, 0);
	(void)name_at(d, 0x105);
	dso_changes(set, &clock, say, &b);
	n = b.n;
	CHECK(!n ||
		str_eq(str_from(buf_view(&b), strlen(path)), STR(" 1 was changed\n")));
	buf_release(&b);
	dso_set_free(set);
	return n > 0;
}

UNIT(files_changed_after_mapping_are_reported_unless_they_have_a_build_id)
{
	char *home = make_home(), path[128];
	struct str none = { 0 };
	struct stat st;
	uint64_t now;

	snprintf(path, sizeof path, "%s/bin/x", home);
	write_program(home, "bin/x", ID);
	CHECK(stat(path, &st) == 0);
	now = (uint64_t)st.st_mtime;
	CHECK_U64(count_changes(path, none, now + 8), 0);
	CHECK_U64(count_changes(path, none, now + 7), 1);
	CHECK_U64(count_changes(path, none, 11), 1);
	CHECK_U64(count_changes(path, id_of(ID), 11), 0);
	remove_home(home);
}

/* The vdso of this process, if there is one. */
UNIT(the_vdso_of_this_kernel_comes_from_memory)
{
	struct dso_set *set = new_set();
	struct dso *d;
	struct str id;
	struct elf *e;

	dso_set_kernel(set, (struct str){ 0 }, true);
	d = get(set, "[vdso]", (struct str){ 0 }, 1);
	e = dso_code(d);
	if (e) {
		id = e->build_id;
		CHECK(e->type == ELF_DYN);
		CHECK(dso_code(get(set, "[vdso]", id, 1)) != NULL);
		CHECK(!dso_code(get(set, "[vdso]", id_of(OTHER), 1)));
	}
	dso_set_free(set);
	set = new_set();
	CHECK(!dso_code(get(set, "[vdso]", (struct str){ 0 }, 1)));
	dso_set_free(set);
}

/* A function of this program, by its own symbols and DWARF. */
UNIT(this_program_is_named)
{
	struct dso_set *set = new_set();
	struct dso *d = get(set, "/proc/self/exe", (struct str){ 0 }, 0);
	struct elf *e = dso_code(d);
	const struct dso_frame *frames = NULL;
	struct elf_symbol sym;
	size_t i, found = 0;

	for (i = e ? e->section_n : 0; i-- > 0 && !found;)
		for (size_t j = 0; j < elf_symbol_count(e, &e->sections[i]); j++)
			if (elf_symbol(e, &e->sections[i], j, &sym) &&
				str_eq(sym.name, STR("unit_this_program_is_named"))) {
				found = dso_frames(d, sym.value, 0, true, &frames);
				CHECK(found > 0);
			}
	if (found) {
		CHECK_STR(frames[found - 1].name, STR("unit_this_program_is_named"));
		CHECK(!frames[found - 1].inlined);
		CHECK(!dso_debug(d) || dso_debug(d) == dso_code(d));
		CHECK(dso_cfi(d) != NULL);
	}
	dso_set_free(set);
}

UNIT_MAIN
