/* SPDX-License-Identifier: ISC */
/* The search for debug information: debugfile.h. */
#include "symbols/debugfile.h"
#include "elf-image.h"
#include "unit.h"
#include "inflate.h"

#include <dlfcn.h>
#include <sys/stat.h>

static const char ID[] = "\x7c\x9d\x1a\x02\x03\x04\x05\x06\x07\xe4";
static const char OTHER[] = "\x7c\x9d\x1a\x02\x03\x04\x05\x06\x07\xff";

static struct str
id_of(const char *bytes)
{
	return (struct str){ bytes, 10 };
}

/* A folder for this test and its home; owned by the caller. */
static char *
make_home(void)
{
	char *home = strdup("/tmp/fg-debugfile-XXXXXX");

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

/* Writes B to PATH below HOME, and creates the folders in between. */
static void
write_file(const char *home, const char *path, const struct buf *b)
{
	char whole[512], *p;
	FILE *f;

	snprintf(whole, sizeof whole, "%s/%s", home, path);
	for (p = whole + strlen(home) + 1; (p = strchr(p, '/')) != NULL; p++) {
		*p = '\0';
		mkdir(whole, 0700);
		*p = '/';
	}
	f = fopen(whole, "wb");
	if (!f || fwrite(b->s, 1, b->n, f) != b->n || fclose(f))
		exit(2);
}

/* A file with ID (or without one), with DWARF, symbols, or neither. */
static void
make_file(struct buf *b, const char *id, bool dwarf, bool symbols)
{
	struct image m = { .machine = ELF_X86_64 };
	struct buf *data;
	uint32_t table;

	buf_clear(b);
	if (id)
		image_build_id(&m, id_of(id));
	if (dwarf) {
		image_section(&m, ".debug_info", ELF_PROGBITS, 0, &data);
		buf_str(data, STR("content"));
	}
	if (symbols) {
		table = image_symtab(&m, ".symtab", ELF_SYMTAB);
		image_symbol(
			&m, table, (struct elf_symbol){ STR("f"), 1, 1, 1, 2, 1, 0 });
	}
	image_end(&m, b);
}

static struct elf *
open_block(const struct buf *b)
{
	const char *why;

	return elf_of_memory(buf_view(b), &why);
}

/* Code with BUILD_ID and unknown path. */
static struct elf *
find_code(struct str build_id, struct buf *found)
{
	struct debugfile_code w = { .build_id = build_id, .found = found };

	return debugfile_find_code(&w);
}

/* The path below HOME of the file found for CODE. */
static struct str
find(const char *home, struct elf *code, const char *path, struct buf *found)
{
	struct elf *e;

	buf_clear(found);
	e = debugfile_find(code, path, code ? code->build_id : id_of(ID), found);
	CHECK((e != NULL) == (found->n > 0));
	elf_close(e);
	return str_from(buf_view(found), found->n ? strlen(home) + 1 : 0);
}

UNIT(build_ids_agree_or_are_not_known)
{
	struct buf b = { 0 };
	struct elf *e;

	make_file(&b, ID, true, false);
	e = open_block(&b);
	CHECK(debugfile_fits(e, id_of(ID)));
	CHECK(debugfile_fits(e, (struct str){ 0 }));
	CHECK(!debugfile_fits(e, id_of(OTHER)));
	CHECK(debugfile_has_dwarf(e));
	CHECK(!debugfile_has_symbols(e));
	elf_close(e);
	make_file(&b, NULL, false, true);
	e = open_block(&b);
	CHECK(debugfile_fits(e, id_of(ID)));
	CHECK(!debugfile_has_dwarf(e));
	CHECK(debugfile_has_symbols(e));
	elf_close(e);
	buf_release(&b);
}

UNIT(files_are_found_by_build_id)
{
	static const char *const places[] = {
		".cache/debuginfod_client/7c9d1a020304050607e4/debuginfo",
		".debug/.build-id/7c/9d1a020304050607e4/debug"
	};
	char *home = make_home();
	struct buf b = { 0 }, found = { 0 };
	struct elf *code;

	make_file(&b, ID, false, false);
	code = open_block(&b);
	CHECK_STR(find(home, code, "/nowhere/x", &found), STR(""));
	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		struct buf debug = { 0 };

		/* Not a file with another id, or without debug information. */
		make_file(&debug, OTHER, true, true);
		write_file(home, places[i], &debug);
		CHECK_STR(find(home, code, "/nowhere/x", &found),
			str_of(i ? places[0] : ""));
		make_file(&debug, ID, false, false);
		write_file(home, places[i], &debug);
		CHECK_STR(find(home, code, "/nowhere/x", &found),
			str_of(i ? places[0] : ""));
		make_file(&debug, ID, true, true);
		write_file(home, places[i], &debug);
		CHECK_STR(find(home, code, "/nowhere/x", &found), str_of(places[i]));
		CHECK_STR(find(home, NULL, NULL, &found), str_of(places[i]));
		buf_release(&debug);
	}
	elf_close(code);
	buf_release(&b);
	buf_release(&found);
	remove_home(home);
}

UNIT(dwarf_is_preferred_to_symbols_alone)
{
	char *home = make_home();
	struct buf b = { 0 }, found = { 0 };

	make_file(&b, ID, false, true);
	write_file(home, ".debug/.build-id/7c/9d1a020304050607e4/debug", &b);
	CHECK_STR(find(home, NULL, NULL, &found),
		STR(".debug/.build-id/7c/9d1a020304050607e4/debug"));
	make_file(&b, ID, true, false);
	setenv("XDG_CACHE_HOME", home, 1);
	write_file(home, "debuginfod_client/7c9d1a020304050607e4/debuginfo", &b);
	CHECK_STR(find(home, NULL, NULL, &found),
		STR("debuginfod_client/7c9d1a020304050607e4/debuginfo"));
	buf_release(&b);
	buf_release(&found);
	remove_home(home);
}

UNIT(code_is_found_by_build_id_alone)
{
	char *home = make_home();
	struct buf b = { 0 }, found = { 0 };
	struct elf *e;

	make_file(&b, NULL, false, true);
	write_file(home, ".debug/.build-id/7c/9d1a020304050607e4/elf", &b);
	CHECK(!find_code(id_of(ID), &found));
	make_file(&b, ID, false, false);
	write_file(home, "cache/7c9d1a020304050607e4/executable", &b);
	CHECK(!find_code(id_of(ID), &found));
	buf_str(&found, str_of(home));
	buf_str(&found, STR("/cache"));
	setenv("DEBUGINFOD_CACHE_PATH", buf_cstr(&found), 1);
	e = find_code(id_of(ID), &found);
	CHECK(e != NULL);
	elf_close(e);
	/* Invalid ids. */
	CHECK(!find_code((struct str){ 0 }, &found));
	CHECK(!find_code((struct str){ ID, 1 }, &found));
	buf_release(&b);
	buf_release(&found);
	remove_home(home);
}

/* CRC-32 of B as in gzip, bit by bit. */
static uint32_t
crc(const struct buf *b)
{
	uint32_t c = UINT32_MAX;

	for (size_t i = 0; i < b->n; i++) {
		c ^= (unsigned char)b->s[i];
		for (int bit = 0; bit < 8; bit++)
			c = c >> 1 ^ (c & 1 ? 0xedb88320 : 0);
	}
	return ~c;
}

UNIT(links_are_followed_when_the_checksum_is_right)
{
	char *home = make_home(), path[128];
	struct buf b = { 0 }, debug = { 0 }, found = { 0 }, *data;
	struct image m = { .machine = ELF_X86_64 };
	struct elf *code;

	make_file(&debug, NULL, true, false);
	image_section(&m, ".gnu_debuglink", ELF_PROGBITS, 0, &data);
	buf_str(data, (struct str){ "x.debug\0\0\0\0", 8 });
	image_put(data, 4, crc(&debug));
	image_end(&m, &b);
	code = open_block(&b);
	snprintf(path, sizeof path, "%s/bin/x", home);
	write_file(home, "bin/x", &b);
	CHECK_STR(find(home, code, path, &found), STR(""));
	write_file(home, "bin/.debug/x.debug", &debug);
	CHECK_STR(find(home, code, path, &found), STR("bin/.debug/x.debug"));
	debug.s[debug.n - 1] ^= 1;
	write_file(home, "bin/x.debug", &debug);
	CHECK_STR(find(home, code, path, &found), STR("bin/.debug/x.debug"));
	debug.s[debug.n - 1] ^= 1;
	write_file(home, "bin/x.debug", &debug);
	CHECK_STR(find(home, code, path, &found), STR("bin/x.debug"));
	elf_close(code);
	buf_release(&b);
	buf_release(&debug);
	buf_release(&found);
	remove_home(home);
}

UNIT(packed_symbols_are_unpacked)
{
	/* An ELF file without sections, compressed by xz. */
	static const char packed[] =
		"\xfd\x37\x7a\x58\x5a\x00\x00\x01\x69\x22\xde\x36\x02\x00"
		"\x21\x01\x1c\x00\x00\x00\x10\xcf\x58\xcc\xe0\x00\x3f\x00"
		"\x1b\x5d\x00\x3f\x91\x45\x84\x68\x3d\x89\xa6\xda\x8a\xe1"
		"\x83\x32\x4e\xc0\x2f\x23\x5c\x0d\xb8\x9f\xd3\xb1\x69\x07"
		"\xc0\x00\x00\x00\x7d\xa0\x27\x04\x00\x01\x33\x40\x8b\x91"
		"\x31\xa2\x90\x42\x99\x0d\x01\x00\x00\x00\x00\x01\x59\x5a";
	struct image m = { .machine = ELF_X86_64 };
	struct buf b = { 0 }, *data;
	struct elf *code, *mini;

	image_section(&m, ".gnu_debugdata", ELF_PROGBITS, 0, &data);
	buf_str(data, (struct str){ packed, sizeof packed - 1 });
	image_end(&m, &b);
	code = open_block(&b);
	mini = debugfile_mini(code);
	CHECK((mini != NULL) == inflate_knows(INFLATE_XZ));
	if (mini)
		CHECK_U64(mini->machine, ELF_X86_64);
	elf_close(mini);
	/* Damaged. */
	((char *)(uintptr_t)elf_data(code, elf_section(code, ".gnu_debugdata")).s)[30] ^=
		1;
	mini = debugfile_mini(code);
	CHECK(!mini);
	elf_close(mini);
	elf_close(code);
	buf_release(&b);
}

UNIT(shared_dwarf_is_found_beside_the_file_by_its_id)
{
	char *home = make_home(), path[128];
	struct image m = { .machine = ELF_X86_64 };
	struct buf b = { 0 }, alt = { 0 }, *data;
	struct elf *debug, *e;

	image_section(&m, ".gnu_debugaltlink", ELF_PROGBITS, 0, &data);
	buf_str(data, (struct str){ "../dwz/common", 14 });
	buf_str(data, id_of(ID));
	image_end(&m, &b);
	debug = open_block(&b);
	write_file(home, "debug/x.debug", &b);
	snprintf(path, sizeof path, "%s/debug/x.debug", home);
	CHECK(!debugfile_alt(debug, path, NULL));
	make_file(&alt, OTHER, true, false);
	write_file(home, "dwz/common", &alt);
	CHECK(!debugfile_alt(debug, path, NULL));
	CHECK(!debugfile_alt(debug, NULL, NULL));
	make_file(&alt, ID, true, false);
	write_file(home, "dwz/common", &alt);
	e = debugfile_alt(debug, path, NULL);
	CHECK(e != NULL);
	elf_close(e);
	elf_close(debug);
	buf_release(&b);
	buf_release(&alt);
	remove_home(home);
}

/* The test's folder also is a server; the library need not be installed. */
UNIT(missing_files_are_fetched)
{
	char *home = make_home(), url[64];
	struct debuginfod *servers = debuginfod_new();
	const bool can = dlopen("libdebuginfod.so.1", RTLD_NOW) != NULL;
	struct debugfile_code w = { .build_id = id_of(ID), .servers = servers };
	struct image m = { .machine = ELF_X86_64 };
	struct buf b = { 0 }, found = { 0 }, *data;
	struct elf *debug, *e;

	snprintf(url, sizeof url, "file://%s", home);
	setenv("DEBUGINFOD_URLS", url, 1);
	w.found = &found;
	make_file(&b, ID, true, false);
	write_file(home, "buildid/7c9d1a020304050607e4/executable", &b);
	write_file(home, "buildid/7c9d1a020304050607e4/debuginfo", &b);
	make_file(&b, OTHER, false, false);
	write_file(home, "buildid/7c9d1a020304050607ff/debuginfo", &b);
	image_section(&m, ".gnu_debugaltlink", ELF_PROGBITS, 0, &data);
	buf_str(data, (struct str){ "common", 7 });
	buf_str(data, id_of(ID));
	buf_clear(&b);
	image_end(&m, &b);
	debug = open_block(&b);
	e = debugfile_alt(debug, NULL, servers);
	CHECK((e != NULL) == can);
	elf_close(e);
	e = debugfile_find_code(&w);
	CHECK((e != NULL) == can);
	CHECK((w.why == NULL) == can);
	elf_close(e);
	e = debugfile_fetch(servers, NULL, id_of(ID), &found);
	CHECK((e != NULL) == can);
	CHECK((found.n > 0) == can);
	elf_close(e);
	/* A file without names is skipped. */
	CHECK(!debugfile_fetch(servers, NULL, id_of(OTHER), &found));
	elf_close(debug);
	buf_release(&b);
	buf_release(&found);
	debuginfod_free(servers);
	remove_home(home);
}

UNIT_MAIN
