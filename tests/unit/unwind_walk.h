/* SPDX-License-Identifier: ISC */
/*
 * Processes for tests of unwinding: one hand-made file (cfi_file.h) instead of dso.c, a
 * stack, registers, and the resulting chain.
 */
#ifndef UNWIND_WALK_H
#define UNWIND_WALK_H

#include "cfi_file.h"
#include "symbols/cfi.h"
#include "unit.h"
#include "symbols/unwind.h"

enum { CODE = FRAMES_CODE, TOP = 0x7000, CAP = 16 };
/* Code without entries; stubs. */
enum { UNTOLD = CODE + 0x4000, PLT = CODE + 0x8000 };
/* Kernel numbers. */
enum { BX = 1, DI = 5, BP = 6, SP = 7, IP = 8, FP = 29, LR = 30, ARM_SP = 31, PC = 32 };

/* Replaces dso.c: one file, loaded BIAS bytes above its addresses. */
struct dso {
	enum dso_kind kind;
	struct frames parts;
	struct buf eh, file;
	struct elf *elf;
	struct cfi *cfi;
	struct jit_code made; /* of kind JIT */
};

enum dso_kind
dso_kind(const struct dso *d)
{
	return d->kind;
}

struct elf *
dso_code(struct dso *d)
{
	return d->elf;
}

struct cfi *
dso_cfi(struct dso *d)
{
	return d->cfi;
}

/* Functions of 0x100 bytes. */
bool
dso_function(struct dso *d, uint64_t address, struct dso_function *f)
{
	*f = (struct dso_function){ address & ~(uint64_t)0xff, STR("f") };
	return d->kind == DSO_FILE;
}

bool
dso_find_made(struct dso *d, uint64_t address, uint64_t time, struct jit_code *m)
{
	*m = d->made;
	return m->start <= address && address < m->end && time == 77;
}

bool
dso_address(struct dso *d, uint64_t offset, uint64_t *address)
{
	*address = offset + FRAMES_BASE;
	return d->elf != NULL;
}

/* Functions of 0x100 bytes each, from CODE on. */
#define INITIAL "\x0c\x07\x08\x90\x01"

static inline size_t
add_cie(struct dso *d, const char *letters, struct str program)
{
	size_t at = d->eh.n;

	unsigned ra = d->parts.machine == ELF_X86_64 ? 16
		: d->parts.machine == ELF_386	     ? 8
		: d->parts.machine == ELF_RISCV	     ? 1
						     : 30;

	frames_cie(&d->eh, str_of(letters), STR("\x1b"), ra, program);
	return at;
}

/* Adds an entry of CIE for 0x100 bytes at AT. */
static inline void
add(struct dso *d, size_t cie, uint64_t at, struct str program)
{
	frames_fde(&d->eh, cie, at, 0x100, program);
}

static inline void
open_dso(struct dso *d)
{
	const char *why;

	d->parts.eh = buf_view(&d->eh);
	frames_file(&d->file, &d->parts);
	d->elf = elf_of_memory(buf_view(&d->file), &why);
	CHECK(d->elf != NULL);
	d->cfi = cfi_new(d->elf, NULL);
	CHECK(d->cfi != NULL);
}

static inline void
close_dso(struct dso *d)
{
	cfi_free(d->cfi);
	elf_close(d->elf);
	buf_release(&d->eh);
	buf_release(&d->file);
}

/* A process with one file at MAPPED, and the arguments of the walk. */
struct walk {
	struct dso dso;
	struct address_space space;
	struct unwind *u;
	struct unwind_start start;
	struct buf stack;
	struct unwind_frame frames[CAP];
	size_t n;
	enum unwind_end end;
};

enum { MAPPED = 0x55550000 };

static inline void
begin(struct walk *w, enum unwind_machine machine)
{
	struct address_space_map m = { MAPPED, MAPPED + FRAMES_SIZE, 0, &w->dso };

	memset(w, 0, sizeof *w);
	w->start.machine = machine;
	w->start.mask = UINT64_MAX;
	w->start.full = true;
	w->u = unwind_new();
	address_space_add(&w->space, &m);
}

static inline void
push(struct walk *w, uint64_t word)
{
	frames_put(&w->stack, word, 8, w->start.swap);
}

static inline void
go(struct walk *w)
{
	struct unwind_chain chain = { w->frames, CAP, 0, UNWIND_WHOLE };
	uint64_t one = 1;

	/* The words are written in little-endian order. */
	w->start.swap = *(const char *)&one == 0;
	w->start.stack = buf_view(&w->stack);
	unwind_stack(w->u, &w->space, &w->start, &chain);
	w->n = chain.n;
	w->end = chain.end;
}

static inline void
end(struct walk *w)
{
	close_dso(&w->dso);
	address_space_release(&w->space);
	unwind_free(w->u);
	buf_release(&w->stack);
}

/* Checks that the chain consists of N program counters at PCS, in the file. */
static inline void
check_chain(const struct walk *w, const uint64_t *pcs, size_t n, enum unwind_end why)
{
	CHECK_U64(w->n, n);
	CHECK_U64(w->end, why);
	for (size_t i = 0; i < w->n && i < n; i++)
		CHECK_U64(w->frames[i].pc, MAPPED + pcs[i]);
}

#define CHECK_CHAIN(w, why, ...)                            \
	check_chain((w), (const uint64_t[]){ __VA_ARGS__ }, \
		sizeof((const uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t), why)

#endif
