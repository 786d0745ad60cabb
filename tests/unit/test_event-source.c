/* SPDX-License-Identifier: ISC */
/* Probes: event-source.h. They look for functions of this test itself. */
#include "event-source.h"
#include "folder.h"
#include "unit.h"

#include <sys/stat.h>

static const char self[] = "/proc/self/exe";

/* Named like functions of C++ and Rust. Their return values keep them distinct. */
int probe_test_plain(void);
int probe_test_insert(void) __asm__("_ZN4Tree6insertEPKc");
int probe_test_find(void) __asm__("_ZNK4Tree4findEi");
int probe_test_once(void) __asm__("_Z9only_oncei");
int probe_test_twice_i(void) __asm__("_Z8twofoldsi");
int probe_test_twice_d(void) __asm__("_Z8twofoldsd");
int probe_test_rust(void) __asm__("_ZN4leaf4draw17h0123456789abcdefE");
int probe_test_versioned(void) __asm__("probe_versioned");

int
probe_test_plain(void)
{
	return 11;
}

int
probe_test_insert(void)
{
	return 12;
}

int
probe_test_find(void)
{
	return 13;
}

int
probe_test_once(void)
{
	return 14;
}

int
probe_test_twice_i(void)
{
	return 15;
}

int
probe_test_twice_d(void)
{
	return 16;
}

int
probe_test_rust(void)
{
	return 17;
}

int
probe_test_versioned(void)
{
	return 18;
}

typedef int function(void);

/* Whether OFFSET of this program is the beginning of F. */
static bool
begins(uint64_t offset, function *f)
{
	unsigned char text[12];
	FILE *file = fopen(self, "rb");
	const void *code;
	bool same;

	memcpy(&code, &f, sizeof code);
	same = file && fseek(file, (long)offset, SEEK_SET) == 0 &&
		fread(text, 1, sizeof text, file) == sizeof text &&
		memcmp(text, code, sizeof text) == 0;
	if (file)
		fclose(file);
	return same;
}

/* A fake machine with the PMU for user-space probes. */
static char root[] = "/tmp/test_probe.XXXXXX";

static void
remove_root(void)
{
	folder_remove(root);
}

static void
make_root(void)
{
	static const char *const folders[] = { "sys", "sys/bus", "sys/bus/event_source",
		"sys/bus/event_source/devices", "sys/bus/event_source/devices/uprobe",
		"sys/bus/event_source/devices/uprobe/format" };
	char path[256];
	size_t i;

	if (!mkdtemp(root))
		abort();
	atexit(remove_root);
	for (i = 0; i < sizeof folders / sizeof *folders; i++) {
		snprintf(path, sizeof path, "%s/%s", root, folders[i]);
		if (mkdir(path, 0755) != 0)
			abort();
	}
	folder_put(root, "sys/bus/event_source/devices/uprobe/type", str_of("8\n"));
	folder_put(root, "sys/bus/event_source/devices/uprobe/format/retprobe",
		str_of("config:3\n"));
}

/* Parses the probe of the function NAME of PATH. */
static bool
find(const char *path, const char *name, uint64_t *offset, struct buf *why)
{
	struct perf_event_attr attr = { 0 };
	struct arena text = { 0 };
	struct buf spec = { 0 };
	bool fine;

	buf_fmt(&spec, "uprobe:%s:%s", path, name);
	fine = event_probe(root, buf_view(&spec), &text, &attr, why);
	*offset = attr.probe_offset;
	arena_release(&text);
	buf_release(&spec);
	return fine;
}

static void
check_found(const char *name, function *f)
{
	struct buf why = { 0 };
	uint64_t offset = 0;

	printf("%s\n", name);
	CHECK(find(self, name, &offset, &why));
	CHECK_STR(buf_view(&why), STR(""));
	CHECK(begins(offset, f));
	buf_release(&why);
}

static void
check_not_found(const char *path, const char *name, const char *part)
{
	struct buf why = { 0 };
	uint64_t offset = 0;

	CHECK(!find(path, name, &offset, &why));
	printf("%s: %s\n", name, buf_cstr(&why));
	CHECK(strstr(buf_cstr(&why), part) != NULL);
	buf_release(&why);
}

UNIT(functions_are_found_where_they_begin)
{
	make_root();
	check_found("probe_test_plain", probe_test_plain);
	check_found("_ZN4Tree6insertEPKc", probe_test_insert);
	check_found("probe_versioned", probe_test_versioned);
}

UNIT(names_without_arguments_find_mangled_ones)
{
	make_root();
	check_found("Tree::insert", probe_test_insert);
	check_found("Tree::find", probe_test_find);
	check_found("only_once", probe_test_once);
	check_found("leaf::draw", probe_test_rust);
}

UNIT(names_of_several_functions_ask_for_an_address)
{
	make_root();
	check_not_found(
		self, "twofolds", "has 2 functions 'twofolds'; give one's address: 0x");
	check_found("_Z8twofoldsi", probe_test_twice_i);
	check_found("_Z8twofoldsd", probe_test_twice_d);
}

UNIT(missing_names_list_similar_ones)
{
	make_root();
	check_not_found(self, "twofol", "similar: _Z8twofolds");
	check_not_found(self, "probe_test_plian", "did you mean probe_test_plain");
	check_not_found(self, "Tre::insert", "_ZN4Tree6insertEPKc");
	check_not_found(self, "Tree::", "has no function");
	check_not_found(self, "", "uprobe:PATH:FUNCTION");
	check_not_found(self, "::", "has no function");
}

UNIT(addresses_become_offsets_or_are_refused)
{
	make_root();
	check_not_found(self, "0xffffffffffff", "no code at 0xffffffffffff");
	check_not_found(self, "0xzz", "'0xzz' is not an address");
}

UNIT(files_that_are_not_programs_are_refused)
{
	make_root();
	check_not_found("/proc/self/status", "main", "/proc/self/status: ");
	check_not_found("/nowhere/at/all", "main", "/nowhere/at/all: ");
}

static bool
parse(const char *spec, struct arena *text, struct perf_event_attr *attr)
{
	struct buf why = { 0 };
	bool fine = event_probe(root, str_of(spec), text, attr, &why);

	printf("%s: %s\n", spec, buf_cstr(&why));
	buf_release(&why);
	return fine;
}

UNIT(attributes_point_to_the_path_and_the_place)
{
	struct perf_event_attr attr = { 0 };
	struct arena text = { 0 };
	uint64_t place = 0;

	make_root();
	CHECK(parse("uprobe:/proc/self/exe:probe_test_plain", &text, &attr));
	CHECK_U64(attr.type, 8);
	CHECK_U64(attr.config, 0);
	CHECK_STR(str_of((const char *)(uintptr_t)attr.uprobe_path), str_of(self));
	CHECK(begins(attr.probe_offset, probe_test_plain));
	place = attr.probe_offset;
	CHECK(parse("uprobe:/proc/self/exe:probe_test_plain+0x4", &text, &attr));
	CHECK_U64(attr.probe_offset, place + 4);
	CHECK(parse("uretprobe:/proc/self/exe:Tree::find", &text, &attr));
	CHECK_U64(attr.config, 8);
	CHECK(begins(attr.probe_offset, probe_test_find));
	CHECK(!parse("uretprobe:/proc/self/exe:main+4", &text, &attr));
	CHECK(!parse("uprobe::main", &text, &attr));
	CHECK(!parse("uprobe:", &text, &attr));
	CHECK(!parse("other:", &text, &attr));
	arena_release(&text);
}

UNIT(a_program_without_a_slash_is_searched_in_the_path)
{
	struct perf_event_attr attr = { 0 };
	struct arena text = { 0 };
	char folder[300], file[300], exe[256];
	ssize_t n = readlink(self, exe, sizeof exe - 1);

	make_root();
	exe[n > 0 ? n : 0] = '\0';
	snprintf(file, sizeof file, "%s/its-name", root);
	CHECK(symlink(exe, file) == 0);
	snprintf(folder, sizeof folder, "/nowhere::%s:/bin", root);
	setenv("PATH", folder, 1);
	CHECK(parse("uprobe:its-name:probe_test_plain", &text, &attr));
	CHECK_STR(str_of((const char *)(uintptr_t)attr.uprobe_path), str_of(file));
	CHECK(chdir(root) == 0);
	setenv("PATH", ":/nowhere", 1);
	CHECK(parse("uprobe:its-name:probe_test_plain", &text, &attr));
	setenv("PATH", "/proc:/nowhere", 1);
	check_not_found("self", "probe_test_plain", "in PATH");
	setenv("PATH", "/nowhere", 1);
	CHECK(!parse("uprobe:its-name:probe_test_plain", &text, &attr));
	setenv("PATH", "/bin:/usr/bin", 1);
	arena_release(&text);
}

UNIT_MAIN
