/* SPDX-License-Identifier: ISC */
/*
 * Any bytes as an index of addresses, .debug_aranges or .gdb_index, beside units that
 * are any bytes, too.
 *
 * The first byte chooses the class (bit 0) and the byte order (bit 1); four numbers of
 * two bytes are the sizes of the sections, which follow.
 */
#include "dwarf-image.h"
#include "symbols/dwarf-index.h"
#include "fuzz.h"
#include "symbols/inlines.h"

enum { CAP = 64, PARTS = 4, HEAD = 1 + 2 * PARTS, MOST = 200 };

/* Checks that listed ranges are sorted, have code, and are found. */
static void
check_spans(struct elf *e, struct spans *s)
{
	struct dwarf *d = dwarf_new(e, NULL);
	const struct span *found;
	size_t i;

	if (!d)
		return;
	dwarf_index_read(d, s);
	for (i = 0; i < s->n; i++) {
		LAW(s->at[i].start < s->at[i].end && s->at[i].end <= s->at[i].reach);
		LAW(!i || s->at[i - 1].start <= s->at[i].start);
		if (i >= MOST)
			continue;
		found = spans_find(s, s->at[i].start, NULL);
		while (found && found != &s->at[i])
			found = spans_find(s, s->at[i].start, found);
		LAW(found == &s->at[i]);
	}
	dwarf_free(d);
}

static void
ask(struct inlines *x, uint64_t address)
{
	struct inlines_frame frames[CAP], again[CAP];
	struct inlines_place places[CAP];
	size_t n = inlines_find(x, address, frames, CAP), i;

	LAW(inlines_find(x, address, again, CAP) == n);
	for (i = 0; i < n; i++)
		LAW(str_eq(frames[i].name, again[i].name));
	i = inlines_places(x, address, places, CAP);
	LAW(n ? i == n : i <= 1);
}

static void
read_file(struct str file)
{
	const char *why;
	struct elf *e = elf_of_memory(file, &why);
	struct spans s = { 0 };
	struct inlines *x;
	size_t i;

	if (!e)
		return;
	check_spans(e, &s);
	x = inlines_new(e, NULL);
	for (i = 0; x && i < s.n && i < MOST; i++) {
		ask(x, s.at[i].start);
		ask(x, s.at[i].end);
	}
	for (i = 0; x && i < 64; i++)
		ask(x, i * 64);
	inlines_free(x);
	spans_release(&s);
	elf_close(e);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str body, all = { (const char *)data, size };
	struct image m;
	struct buf *parts[PARTS] = { &m.info, &m.abbrev, &m.aranges, &m.gdb_index };
	size_t i, n;

	if (size <= HEAD)
		return 0;
	m = (struct image){ .word = data[0] & 1 ? 8 : 4, .big = data[0] & 2 };
	body = str_from(all, HEAD);
	for (i = 0; i < PARTS; i++) {
		n = (size_t)data[1 + 2 * i] | (size_t)data[2 + 2 * i] << 8;
		buf_str(parts[i], str_head(body, n));
		body = str_from(body, n);
	}
	read_file(image_file(&m));
	image_release(&m);
	return 0;
}
