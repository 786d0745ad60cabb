/* SPDX-License-Identifier: ISC */
/* ELF files in memory. */
#ifndef ELF_MEMORY_H
#define ELF_MEMORY_H

#include "elf.h"
#include "mem.h"

/* A copy of BYTES as an ELF file; reads beyond its end fail under a sanitizer; as
 * elf_of_block. */
static inline struct elf *
elf_of_memory(struct str bytes, const char **why)
{
	char *copy = mem_alloc(bytes.n);

	if (bytes.n)
		memcpy(copy, bytes.s, bytes.n);
	return elf_of_block(copy, bytes.n, why);
}

#endif
