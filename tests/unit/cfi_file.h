/* SPDX-License-Identifier: ISC */
/*
 * ELF files with call frame information for tests: one segment maps the whole file at
 * FRAMES_BASE, so that offsets and addresses differ by that.
 */
#ifndef CFI_FILE_H
#define CFI_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "buf.h"
#include "elf.h"
#include "elf-memory.h"
#include "str.h"

enum {
	FRAMES_BASE = 0x400000,
	FRAMES_HDR = 0x300,    /* offset of .eh_frame_hdr */
	FRAMES_EH = 0x400,     /* of .eh_frame */
	FRAMES_CODE = 0x10000, /* of code, which is not in the file */
	FRAMES_SIZE = 0x20000, /* of the segment in memory */
	FRAMES_SECTIONS = 6
};

struct frames {
	bool wide, swap;
	unsigned machine;
	struct str hdr, eh, debug; /* empty: section is absent */
	bool no_segment;	   /* without PT_GNU_EH_FRAME for hdr */
};

static inline void
frames_put(struct buf *b, uint64_t v, unsigned size, bool swap)
{
	uint64_t host = 1;
	bool big = (*(const char *)&host == 0) != swap;
	unsigned i;
	char byte;

	for (i = 0; i < size; i++) {
		byte = (char)(v >> 8 * (big ? size - 1 - i : i));
		buf_str(b, (struct str){ &byte, 1 });
	}
}

static inline void
frames_pad(struct buf *b, size_t n)
{
	while (b->n < n)
		buf_str(b, (struct str){ "", 1 });
}

static inline void
frames_section(struct buf *b, const struct frames *f, const uint64_t v[6])
{
	unsigned word = f->wide ? 8 : 4;

	frames_put(b, v[0], 4, f->swap); /* name */
	frames_put(b, v[1], 4, f->swap); /* type */
	frames_put(b, v[2], word, f->swap);
	frames_put(b, v[3], word, f->swap);
	frames_put(b, v[4], word, f->swap);
	frames_put(b, v[5], word, f->swap);
	frames_put(b, 0, 8, f->swap);
	frames_put(b, 1, word, f->swap);
	frames_put(b, 0, word, f->swap);
}

static inline void
frames_segment(
	struct buf *b, const struct frames *f, uint32_t type, uint64_t at, uint64_t n)
{
	unsigned word = f->wide ? 8 : 4;

	frames_put(b, type, 4, f->swap);
	if (f->wide)
		frames_put(b, 5, 4, f->swap);
	frames_put(b, at, word, f->swap);
	frames_put(b, at + FRAMES_BASE, word, f->swap);
	frames_put(b, at + FRAMES_BASE, word, f->swap);
	frames_put(b, n, word, f->swap);
	frames_put(b, type == ELF_LOAD ? (uint64_t)FRAMES_SIZE : n, word, f->swap);
	if (!f->wide)
		frames_put(b, 5, 4, f->swap);
	frames_put(b, 1, word, f->swap);
}

static inline void
frames_header(struct buf *b, const struct frames *f, uint64_t sections)
{
	unsigned word = f->wide ? 8 : 4;
	uint64_t one = 1;
	bool big = (*(const char *)&one == 0) != f->swap;
	char ident[16] = { 0x7f, 'E', 'L', 'F', f->wide ? 2 : 1, big ? 2 : 1, 1 };

	buf_str(b, (struct str){ ident, sizeof ident });
	frames_put(b, ELF_EXEC, 2, f->swap);
	frames_put(b, f->machine, 2, f->swap);
	frames_put(b, 1, 4, f->swap);
	frames_put(b, 0, word, f->swap);
	frames_put(b, f->wide ? 64 : 52, word, f->swap); /* program headers */
	frames_put(b, sections, word, f->swap);
	frames_put(b, 0, 4, f->swap);
	frames_put(b, f->wide ? 64 : 52, 2, f->swap);
	frames_put(b, f->wide ? 56 : 32, 2, f->swap);
	frames_put(b, f->no_segment || !f->hdr.n ? 1 : 2, 2, f->swap);
	frames_put(b, f->wide ? 64 : 40, 2, f->swap);
	frames_put(b, FRAMES_SECTIONS, 2, f->swap);
	frames_put(b, FRAMES_SECTIONS - 1, 2, f->swap);
}

/* Writes the file of F into B, which must be empty. It has a section .plt of 64 bytes
 * at FRAMES_CODE + 0x8000, and .plt.got after it. */
static inline void
frames_file(struct buf *b, const struct frames *f)
{
	static const char names[] =
		"\0.eh_frame\0.debug_frame\0.plt\0.plt.got\0.shstrtab";
	uint64_t debug = FRAMES_EH + f->eh.n, text = debug + f->debug.n,
		 table = text + 64;
	uint64_t plt = FRAMES_BASE + FRAMES_CODE + 0x8000;

	frames_header(b, f, table);
	frames_segment(b, f, ELF_LOAD, 0, table);
	if (f->hdr.n)
		frames_segment(b, f, ELF_EH_FRAME, FRAMES_HDR, f->hdr.n);
	frames_pad(b, FRAMES_HDR);
	buf_str(b, str_head(f->hdr, FRAMES_EH - FRAMES_HDR));
	frames_pad(b, FRAMES_EH);
	buf_str(b, f->eh);
	buf_str(b, f->debug);
	buf_str(b, (struct str){ names, sizeof names });
	frames_pad(b, (size_t)table);
	frames_section(b, f, (uint64_t[6]){ 0 });
	frames_section(b, f,
		(uint64_t[6]){ 1, f->eh.n ? ELF_PROGBITS : 0, ELF_FLAG_ALLOC,
			FRAMES_BASE + FRAMES_EH, FRAMES_EH, f->eh.n });
	frames_section(b, f, (uint64_t[6]){ 11, ELF_PROGBITS, 0, 0, debug, f->debug.n });
	frames_section(b, f,
		(uint64_t[6]){
			24, ELF_PROGBITS, ELF_FLAG_ALLOC | ELF_FLAG_EXEC, plt, 0, 64 });
	frames_section(b, f,
		(uint64_t[6]){ 29, ELF_PROGBITS, ELF_FLAG_ALLOC | ELF_FLAG_EXEC, plt + 64,
			0, 64 });
	frames_section(b, f, (uint64_t[6]){ 38, ELF_STRTAB, 0, 0, text, sizeof names });
}

/* Pads the entry that began at AT with nops and writes its length. */
static inline void
frames_end(struct buf *b, size_t at, bool swap)
{
	struct buf length = { 0 };

	while ((b->n - at) % 8)
		buf_str(b, (struct str){ "", 1 });
	frames_put(&length, b->n - at - 4, 4, swap);
	memcpy(b->s + at, length.s, 4);
	buf_release(&length);
}

/* Writes a CIE of .eh_frame: code alignment 1, data alignment -8, augmentation data as
 * given. */
static inline void
frames_cie(struct buf *b, struct str augmentation, struct str data, unsigned ra,
	struct str program)
{
	size_t at = b->n;

	frames_put(b, 0, 8, false); /* length, id */
	frames_put(b, 1, 1, false);
	buf_str(b, augmentation);
	frames_put(b, 0, 1, false);
	frames_put(b, 0x7801, 2, false);
	frames_put(b, ra, 1, false);
	if (augmentation.n) {
		frames_put(b, data.n, 1, false);
		buf_str(b, data);
	}
	buf_str(b, program);
	frames_end(b, at, false);
}

/* Writes an FDE of the CIE at offset CIE for SIZE bytes of code at START, an offset in
 * the segment; pointers are pcrel sdata4. */
static inline void
frames_fde(struct buf *b, uint64_t cie, uint64_t start, uint64_t size, struct str program)
{
	size_t at = b->n;

	frames_put(b, 0, 4, false);
	frames_put(b, at + 4 - cie, 4, false);
	frames_put(b, start - (FRAMES_EH + at + 8), 4, false);
	frames_put(b, size, 4, false);
	frames_put(b, 0, 1, false);
	buf_str(b, program);
	frames_end(b, at, false);
}

#endif
