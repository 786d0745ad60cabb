/* SPDX-License-Identifier: ISC */
/* The instructions of a program, from the output of GNU or LLVM objdump. */
#ifndef OBJDUMP_H
#define OBJDUMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "buf.h"
#include "str.h"

struct objdump_row {
	uint64_t address;
	struct str text; /* "mov    %rax,0x8(%rsp)" */
	struct str file; /* its source; empty: unknown */
	uint64_t line;
};

struct objdump {
	struct buf text;	  /* the output, from which the rows borrow */
	struct objdump_row *rows; /* by address */
	size_t n, cap;
};

/* A disassembler. */
struct objdump_tool {
	const char *program; /* path or name to run; NULL: one that supports MACHINE */
	unsigned machine;    /* of the file, as ELF numbers it (e_machine) */
};

/* Disassembles the file at PATH from START up to END with TOOL into O. Returns false, after a
 * message, when TOOL is not installed or fails. The caller releases O. */
bool objdump_run(struct objdump *o, struct objdump_tool tool, const char *path,
	uint64_t start, uint64_t end);

/* Parses o->text into the rows of O. */
void objdump_parse(struct objdump *o);
void objdump_release(struct objdump *o);

#endif
