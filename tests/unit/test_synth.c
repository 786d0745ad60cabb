/* SPDX-License-Identifier: ISC */
/* Records from /proc: synth.h, on fake folders. */
#include "synth.h"
#include "folder.h"
#include "unit.h"

#include <sys/utsname.h>

#include <linux/perf_event.h>

static char root[64];

static void
make_root(void)
{
	snprintf(root, sizeof root, "/tmp/test_synth.XXXXXX");
	CHECK(mkdtemp(root) != NULL);
}

static void
remove_root(void)
{
	folder_remove(root);
}

/* Record I of B. */
static struct str
record(const struct buf *b, size_t i)
{
	struct perf_event_header h;
	size_t at = 0;

	for (; at + sizeof h <= b->n; at += h.size, i--) {
		memcpy(&h, b->s + at, sizeof h);
		if (i == 0)
			return (struct str){ b->s + at, h.size };
	}
	return (struct str){ 0 };
}

static uint64_t
number(struct str r, size_t at, size_t n)
{
	uint64_t v = 0;

	if (at + n <= r.n)
		memcpy(&v, r.s + at, n);
	return v;
}

static uint32_t
type_of(struct str r)
{
	return (uint32_t)number(r, 0, 4);
}

static struct str
text_at(struct str r, size_t at)
{
	struct str s = str_from(r, at);

	return str_cut(&s, 0);
}

UNIT(a_line_of_maps)
{
	struct synth_files ids = { 0 };
	struct buf out = { 0 };
	struct synth s = { .root = "", .time = 99, .id = 7, .files = &ids, .out = &out };
	struct str r;

	synth_map(&s, 42,
		STR("7f1c2a600000-7f1c2a755000 r-xs 00026000 08:1f 1835061      "
		    "/no/such lib.so\n"));
	r = record(&out, 0);
	CHECK_U64(type_of(r), PERF_RECORD_MMAP2);
	CHECK_U64(number(r, 4, 2), PERF_RECORD_MISC_USER);
	CHECK_U64(number(r, 8, 4), 42);
	CHECK_U64(number(r, 16, 8), 0x7f1c2a600000);
	CHECK_U64(number(r, 24, 8), 0x155000);
	CHECK_U64(number(r, 32, 8), 0x26000);
	CHECK_U64(number(r, 40, 4), 8);
	CHECK_U64(number(r, 44, 4), 0x1f);
	CHECK_U64(number(r, 48, 8), 1835061);
	CHECK_U64(number(r, 64, 4), 5);
	CHECK_U64(number(r, 68, 4), 1);
	CHECK_STR(text_at(r, 72), STR("/no/such lib.so"));
	CHECK_U64(number(r, r.n - 24, 8), 99);
	CHECK_U64(number(r, r.n - 8, 8), 7);
	CHECK(ids.n == 1 && ids.items[0].wanted);
	buf_release(&out);
	synth_files_release(&ids);
}

UNIT(only_code_unless_data_is_wanted)
{
	struct synth_files ids = { 0 };
	struct buf out = { 0 };
	struct synth s = { .root = "", .files = &ids, .out = &out, .id_in_maps = true };

	synth_map(&s, 1, STR("1000-2000 r--p 00000000 08:01 5 /x\n"));
	synth_map(&s, 1, STR("1000-2000 rw-p 00000000 00:00 0 [heap]\n"));
	CHECK_U64(out.n, 0);
	s.data = true;
	synth_map(&s, 1, STR("1000-2000 rw-p 00000000 00:00 0 [heap]\n"));
	CHECK_U64(out.n, 0);
	synth_map(&s, 1, STR("1000-2000 r--p 00000000 08:01 5 /x\n"));
	CHECK_U64(number(record(&out, 0), 64, 4), 1);
	buf_clear(&out);
	synth_map(&s, 1, STR("1000-2000 rwxp 00000000 00:00 0\n"));
	CHECK_STR(text_at(record(&out, 0), 72), STR("//anon"));
	buf_release(&out);
	synth_files_release(&ids);
}

UNIT(malformed_lines_are_skipped)
{
	static const char *const wrong[] = { "", "\n", "x", "2000-1000 r-xp 0 08:01 5 /x",
		"1000-1000 r-xp 0 08:01 5 /x", "1000 r-xp 0 08:01 5 /x",
		"1000-2000 r-x 0 08:01 5 /x", "1000-2000 r-xp z 08:01 5 /x",
		"1000-2000 r-xp 0 0801 5 /x", "1000-2000 r-xp 0 08:01 x /x",
		"10000000000000000-2 r-xp 0 08:01 5 /x" };
	struct buf out = { 0 };
	struct synth s = { .root = "", .out = &out };
	size_t i;

	for (i = 0; i < sizeof wrong / sizeof *wrong; i++)
		synth_map(&s, 1, str_of(wrong[i]));
	CHECK_U64(out.n, 0);
	buf_release(&out);
}

/* A note of 4 + 20 bytes. */
#define NOTE                             \
	"\4\0\0\0\24\0\0\0\3\0\0\0GNU\0" \
	"abcdefghijklmnopqrst"

UNIT(the_kernel_and_a_module)
{
	char dependencies[256];
	struct utsname host;
	struct buf out = { 0 };
	struct synth s = { .root = root, .out = &out };
	struct str r;

	make_root();
	uname(&host);
	folder_put(root, "proc/kallsyms",
		STR("0000000000000000 A fixed_percpu_data\n"
		    "ffffffff81000000 T _stext\nffffffff81000000 T _text\n"));
	folder_put(root, "proc/modules",
		STR("my_mod 16384 0 - Live 0xffffffffc0001000\n"
		    "other 4096 1 my_mod, Live 0xffffffffc0000000 (OE)\n"));
	folder_put(root, "sys/kernel/notes", STR(NOTE));
	folder_put(root, "sys/module/my_mod/notes/.note.gnu.build-id", STR(NOTE));
	snprintf(dependencies, sizeof dependencies, "lib/modules/%s/modules.dep",
		host.release);
	folder_put(root, dependencies,
		STR("kernel/a/my.ko:\nkernel/b/my-mod.ko.xz: kernel/a/my.ko\n"));
	synth_kernel(&s);
	r = record(&out, 0);
	CHECK_U64(type_of(r), 67);
	CHECK_STR(str_head(str_from(r, 12), 20), STR("abcdefghijklmnopqrst"));
	CHECK_U64(number(r, 32, 1), 20);
	CHECK_STR(text_at(r, 36), STR("[kernel.kallsyms]"));
	r = record(&out, 1);
	CHECK_U64(type_of(r), PERF_RECORD_MMAP);
	CHECK_U64(number(r, 8, 4), UINT32_MAX);
	CHECK_U64(number(r, 16, 8), 0xffffffff81000000);
	CHECK_U64(number(r, 24, 8), 0xffffffffc0000000 - 0xffffffff81000000);
	CHECK_STR(text_at(r, 40), STR("[kernel.kallsyms]_stext"));
	r = record(&out, 2);
	CHECK_U64(number(r, 16, 8), 0xffffffffc0001000);
	CHECK_U64(number(r, 24, 8), 16384);
	CHECK(str_ends(text_at(r, 40), STR("/kernel/b/my-mod.ko.xz")));
	CHECK_U64(type_of(record(&out, 3)), 67);
	CHECK_STR(text_at(record(&out, 4), 40), STR("[other]"));
	CHECK(record(&out, 5).n == 0);
	buf_release(&out);
	remove_root();
}

UNIT(a_kernel_that_hides_its_addresses)
{
	struct buf out = { 0 };
	struct synth s = { .root = root, .out = &out };

	make_root();
	folder_put(root, "proc/kallsyms",
		STR("0000000000000000 T _stext\n0000000000000000 T _text\n"));
	folder_put(
		root, "proc/modules", STR("my_mod 16384 0 - Live 0x0000000000000000\n"));
	synth_kernel(&s);
	CHECK_U64(out.n, 0);
	buf_release(&out);
	remove_root();
}

/* The size of the build id of a kernel with NOTES, 0 for none. */
static uint64_t
id_of_kernel(struct str notes)
{
	struct buf out = { 0 };
	struct synth s = { .root = root, .out = &out };
	uint64_t n = 0;

	make_root();
	folder_put(root, "sys/kernel/notes", notes);
	synth_kernel(&s);
	if (out.n)
		n = number(buf_view(&out), 8 + 4 + 20, 1);
	buf_release(&out);
	remove_root();
	return n;
}

UNIT(damaged_notes_have_no_build_id)
{
	CHECK_U64(id_of_kernel(STR(NOTE)), 20);
	CHECK_U64(id_of_kernel(str_head(STR(NOTE), 35)), 0);
	CHECK_U64(id_of_kernel(STR("\377\377\377\377\24\0\0\0\3\0\0\0GNU")), 0);
	CHECK_U64(id_of_kernel(STR("\4\0\0\0\0\0\0\0\1\0\0\0GNU\0" NOTE)), 20);
	CHECK_U64(id_of_kernel((struct str){ 0 }), 0);
}

UNIT(a_process)
{
	struct synth_files ids = { 0 };
	struct buf out = { 0 };
	struct synth s = { .root = "", .files = &ids, .out = &out, .id_in_maps = true };
	struct str r;

	synth_process(&s, getpid());
	r = record(&out, 0);
	CHECK_U64(type_of(r), PERF_RECORD_FORK);
	CHECK_U64(number(r, 8, 4), (uint64_t)getpid());
	CHECK_U64(number(r, 12, 4), (uint64_t)getppid());
	r = record(&out, 1);
	CHECK_U64(type_of(r), PERF_RECORD_COMM);
	CHECK_STR(text_at(r, 16), STR("test_synth"));
	CHECK_U64(type_of(record(&out, 2)), PERF_RECORD_MMAP2);
	buf_clear(&out);
	synth_process(&s, 0x7fffffff);
	CHECK_U64(out.n, 0);
	buf_release(&out);
	synth_files_release(&ids);
}

UNIT_MAIN
