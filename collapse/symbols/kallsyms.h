/* SPDX-License-Identifier: ISC */
/*
 * Symbols of a kernel from text like /proc/kallsyms:
 *
 *	ffffffff81000000 T _text
 *	ffffffffc0000000 t ext4_fill_super	[ext4]
 */
#ifndef KALLSYMS_H
#define KALLSYMS_H

#include <stdbool.h>

#include "str.h"
#include "symtab.h"

/* The symbols of TEXT, which must outlive the table; sealed. NULL when no
 * symbol has an address (the kernel hides them: kernel.kptr_restrict). Lines
 * that are none are passed over. */
struct symtab *kallsyms_parse(struct str text);

/* The build id of the running kernel, from /sys/kernel/notes, into ID; how many
 * bytes it has, 0 when it is not known. */
enum { KALLSYMS_ID = 64 };
size_t kallsyms_running_id(char id[KALLSYMS_ID]);

#endif
