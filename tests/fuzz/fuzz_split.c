/* SPDX-License-Identifier: ISC */
/*
 * Any bytes as the sections of a program with skeleton units, and of the split file: a
 * .dwo file, or a package with an index.
 *
 * The first byte chooses the class (bit 0), the byte order (bit 1) and how often the
 * split file is added (bit 2); ten numbers of two bytes are the sizes of the sections,
 * which follow.
 */
#include "dwarf-image.h"
#include "fuzz.h"
#include "symbols/inlines.h"

enum { CAP = 64, MOST = 400, PARTS = 10, HEAD = 1 + 2 * PARTS };

static void
ask(struct inlines *x, uint64_t address)
{
	struct inlines_frame frames[CAP], again[CAP];
	struct str first;
	size_t missing = inlines_missing(x, &first),
	       n = inlines_find(x, address, frames, CAP), i;

	LAW(n <= CAP && inlines_missing(x, &first) >= missing);
	LAW(inlines_find(x, address, again, CAP) == n);
	for (i = 0; i < n; i++) {
		LAW(frames[i].inlined || i == n - 1);
		LAW(str_eq(frames[i].name, again[i].name));
	}
}

/* Looks up small addresses, and numbers all over TEXT. */
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

static void
read_files(struct image *program, struct image *split, bool twice)
{
	const char *why;
	struct elf *e = elf_of_memory(image_file(program), &why), *part;
	struct inlines *x = e ? inlines_new(e, NULL) : NULL;
	int i;

	for (i = 0; x && i <= twice; i++) {
		part = elf_of_memory(image_file(split), &why);
		if (part)
			inlines_add_split(x, part);
	}
	if (x)
		ask_all(x, image_file(program), e->swap);
	inlines_free(x);
	if (e)
		elf_close(e);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct image program, split;
	struct buf *parts[PARTS] = { &program.info, &program.abbrev, &program.addr,
		&program.ranges, &split.info, &split.abbrev, &split.str,
		&split.str_offsets, &split.rnglists, &split.cu_index };
	struct str body;
	size_t i, n;

	if (size <= HEAD)
		return 0;
	program = split =
		(struct image){ .word = data[0] & 1 ? 8 : 4, .big = data[0] & 2 };
	split.split = true;
	body = str_from((struct str){ (const char *)data, size }, HEAD);
	for (i = 0; i < PARTS; i++) {
		n = (size_t)data[1 + 2 * i] | (size_t)data[2 + 2 * i] << 8;
		buf_str(parts[i], str_head(body, n));
		body = str_from(body, n);
	}
	read_files(&program, &split, data[0] & 4);
	image_release(&program);
	image_release(&split);
	return 0;
}
