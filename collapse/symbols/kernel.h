/* SPDX-License-Identifier: ISC */
/*
 * Names of the kernel and of its modules. They come from
 *
 *	the list that the user gives
 *	~/.debug/[kernel.kallsyms]/ID/kallsyms	perf's cache
 *	/proc/kallsyms		when the running kernel is the recorded one
 *	a vmlinux		that the user gives, or with the recorded build id, at last
 *				from debuginfod
 *	the file of a module	when none of these has the symbols of modules
 *
 * Kernels are loaded at another address at each boot, so symbols from another one
 * are moved by what an anchor says. Inlined functions, lines and instructions are those of
 * the vmlinux, wherever the names come from.
 */
#ifndef KERNEL_H
#define KERNEL_H

#include <stdbool.h>
#include <stdint.h>

#include "buf.h"
#include "elf.h"
#include "given-elfs.h"
#include "kallsyms.h"
#include "str.h"
#include "symtab.h"

struct debuginfod;

/* The kernel of a recording, which its modules share. Zeroed, nothing is known of it. */
struct kernel {
	const char *given_list, *given_elf; /* files that the user names, or NULL */
	const struct given_elfs *given;	    /* those of --elf, or NULL */
	struct str build_id;
	bool local;
	struct debuginfod *servers; /* or NULL; not owned */
	bool places;		    /* lines or instructions are wanted */
	struct str anchor;	    /* a symbol's name, empty: not known */
	uint64_t anchor_address;
	bool done;
	const char *why;
	struct buf text;
	struct symtab *symbols; /* of a vmlinux, or NULL */
	struct kallsyms *list;	/* else, or NULL */
	uint64_t slide;		/* recorded address - that of the list */
	bool all;		/* the list has those of modules */
	bool elf_done;
	struct elf *elf; /* the vmlinux, or NULL */
	struct buf elf_path;
	uint64_t elf_slide; /* recorded address - that of the vmlinux */
	char release[128];
};

void kernel_release(struct kernel *k);

/* The symbol of the kernel at ADDRESS, as recorded, NULL when there is none: k->why then
 * may say why. Borrowed until the next call. */
const struct symtab_symbol *kernel_find(struct kernel *k, uint64_t address);

/* The same of any of its modules, when its list has those where they were. */
const struct symtab_symbol *kernel_find_in_module(struct kernel *k, uint64_t address);

/* The vmlinux of the kernel, looked for once; k->elf_slide then relates addresses to those
 * recorded. NULL when there is none. Owned by K. */
struct elf *kernel_vmlinux(struct kernel *k);

/* A module as a recording has it: NAME is "[ext4]", PATH that or the path of its file. */
struct kernel_module {
	struct str name, path, build_id;
};

/* The file of M, an object, whose path PATH gets; NULL, and *WHY says why, when it cannot be
 * used. K is one that was asked for a symbol. The caller closes it. */
struct elf *kernel_open_module(const struct kernel *k, const struct kernel_module *m,
	struct buf *path, const char **why);

/* The symbols of M from its file, by address from where it was loaded, to be freed by the
 * caller; NULL, and *WHY says why, when that cannot be used. K is one that was asked for
 * a symbol. */
struct symtab *kernel_read_module(
	const struct kernel *k, const struct kernel_module *m, const char **why);

#endif
