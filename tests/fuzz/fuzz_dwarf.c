/* SPDX-License-Identifier: ISC */
/*
 * Any bytes as the sections of a file with DWARF, or as a whole file: looks up small
 * addresses and those that occur in it.
 *
 * The first byte chooses the class (bit 0), the byte order (bit 1) and whether the file
 * is its own supplementary one (bit 2); eight numbers of two bytes are the sizes of the
 * sections, which follow; the rest are line tables and their names.
 */
#include "dwarf-image.h"
#include "fuzz.h"
#include "symbols/inlines.h"

enum { CAP = 64, MOST = 600, HEAD = 17 };

/* Checks for as many locations as the N frames, or one. */
static void
ask_places(struct inlines *x, uint64_t address, size_t n)
{
	struct inlines_place places[CAP], again[CAP];
	size_t m = inlines_places(x, address, places, CAP), i;

	LAW(n ? m == n : m <= 1);
	LAW(inlines_places(x, address, again, CAP) == m);
	for (i = 0; i < m; i++) {
		LAW(places[i].line == again[i].line);
		LAW(str_eq(places[i].file, again[i].file));
	}
}

static void
ask(struct inlines *x, uint64_t address)
{
	struct inlines_frame frames[CAP], again[CAP];
	size_t bad = inlines_bad(x), n = inlines_find(x, address, frames, CAP), i;

	LAW(n <= CAP && inlines_bad(x) >= bad);
	LAW(inlines_find(x, address, again, CAP) == n);
	for (i = 0; i < n; i++) {
		LAW(frames[i].inlined || i == n - 1);
		LAW(frames[i].inlined == again[i].inlined);
		LAW(str_eq(frames[i].name, again[i].name));
		LAW(!frames[i].name.n ||
			!memchr(frames[i].name.s, '\0', frames[i].name.n));
	}
	LAW(n == 0 || n == CAP || !frames[n - 1].inlined);
	ask_places(x, address, n);
}

/* Looks up numbers of 4 and 8 bytes all over TEXT, some of which are addresses. */
static void
ask_all(struct inlines *x, struct str text, bool swap)
{
	struct bytes all = bytes_of(text, swap), b;

	for (uint64_t i = 0; i < 64; i++)
		ask(x, i * 16);
	for (int i = 0; i < MOST && bytes_left(&all) >= 8; i++) {
		b = all;
		ask(x, i % 2 ? bytes_u32(&b) : bytes_u64(&b) + 1);
		bytes_skip(&all, 1 + bytes_left(&all) / MOST);
	}
}

/* Builds M from DATA. */
static void
make_image(struct image *m, struct str data)
{
	struct buf *parts[] = { &m->info, &m->abbrev, &m->str, &m->str_offsets, &m->addr,
		&m->ranges, &m->rnglists, &m->altlink };
	struct str body = str_from(data, HEAD);
	size_t i, n;

	*m = (struct image){ .word = data.s[0] & 1 ? 8 : 4, .big = data.s[0] & 2 };
	for (i = 0; i < sizeof parts / sizeof *parts; i++) {
		n = (size_t)(uint8_t)data.s[1 + 2 * i] |
			(size_t)(uint8_t)data.s[2 + 2 * i] << 8;
		buf_str(parts[i], str_head(body, n));
		body = str_from(body, n);
	}
	buf_str(&m->line_str, body);
	buf_str(&m->line, body);
}

static void
read_file(struct str file, bool twice)
{
	const char *why;
	struct elf *e = elf_of_memory(file, &why),
		   *alt = e && twice ? elf_of_memory(file, &why) : NULL;
	struct str path, id;
	struct inlines *x;

	if (!e)
		return;
	if (inlines_alt_link(e, &path, &id))
		LAW(path.n && id.n);
	x = inlines_new(e, alt);
	if (x)
		ask_all(x, file, e->swap);
	inlines_free(x);
	if (alt)
		elf_close(alt);
	elf_close(e);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str all = { (const char *)data, size };
	struct image m;

	if (str_starts(all, STR("\177ELF"))) {
		read_file(all, false);
	} else if (size > HEAD) {
		make_image(&m, all);
		read_file(image_file(&m), data[0] & 4);
		image_release(&m);
	}
	return 0;
}
