/* SPDX-License-Identifier: ISC */
/* The instructions of a program, as objdump prints them, of GNU or of LLVM. */
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
	struct str file; /* its source; empty: not known */
	uint64_t line;
};

struct objdump {
	struct buf text;	  /* what was printed, which the rows borrow from */
	struct objdump_row *rows; /* by address */
	size_t n, cap;
};

/* What disassembles. */
struct objdump_tool {
	const char *
		program; /* to run, with or without folders; NULL: one that knows MACHINE */
	unsigned machine; /* of the file, as ELF numbers it (e_machine) */
};

/* Makes O the instructions of the file at PATH from START up to END, by TOOL. False, after a
 * message, when that is not installed or fails. The caller releases O. */
bool objdump_run(struct objdump *o, struct objdump_tool tool, const char *path,
	uint64_t start, uint64_t end);

/* Makes O the rows of o->text. */
void objdump_parse(struct objdump *o);
void objdump_release(struct objdump *o);

#endif
