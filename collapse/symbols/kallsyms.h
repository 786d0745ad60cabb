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

struct kallsyms;

/* The symbols of TEXT, which must outlive the result. NULL if no symbol has an address
 * (the kernel hides them: kernel.kptr_restrict). Other lines are skipped. */
struct kallsyms *kallsyms_parse(struct str text);
void kallsyms_free(struct kallsyms *k);

/* The symbol that contains ADDRESS, or NULL: of several at one address the last, as in
 * perf. Ends are as in symtab_seal. Borrowed until the next call. */
const struct symtab_symbol *kallsyms_find(struct kallsyms *k, uint64_t address);

/* Reads the build id of the running kernel from /sys/kernel/notes into ID. Returns its
 * number of bytes, 0 if unknown. */
enum { KALLSYMS_ID = 64 };
size_t kallsyms_running_id(char id[KALLSYMS_ID]);

#endif
