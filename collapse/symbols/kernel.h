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
 * Kernels are loaded at another address at each boot, so symbols from another boot are
 * moved by an anchor. Inlined functions, lines and instructions always come from the
 * vmlinux.
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

/* The kernel of a recording, shared by its modules. If zeroed, nothing is known about
 * it. */
struct kernel {
	const char *given_list, *given_elf; /* files that the user names, or NULL */
	const struct given_elfs *given;	    /* files of --elf, or NULL */
	struct str build_id;
	bool local;
	struct debuginfod *servers; /* or NULL; not owned */
	bool places;		    /* lines or instructions are requested */
	struct str anchor;	    /* a symbol's name, empty: unknown */
	uint64_t anchor_address;
	bool done;
	const char *why;
	struct buf text;
	struct symtab *symbols; /* of a vmlinux, or NULL */
	struct kallsyms *list;	/* otherwise, or NULL */
	uint64_t slide;		/* recorded address - address in the list */
	bool all;		/* the list includes modules */
	bool elf_done;
	struct elf *elf; /* the vmlinux, or NULL */
	struct buf elf_path;
	uint64_t elf_slide; /* recorded address - address in the vmlinux */
	char release[128];
};

void kernel_release(struct kernel *k);

/* The symbol of the kernel at the recorded ADDRESS, or NULL; k->why then may have a
 * reason. Borrowed until the next call. */
const struct symtab_symbol *kernel_find(struct kernel *k, uint64_t address);

/* The same for its modules, if its list has them at the recorded addresses. */
const struct symtab_symbol *kernel_find_in_module(struct kernel *k, uint64_t address);

/* The vmlinux of the kernel, searched for once, or NULL. k->elf_slide then relates its
 * addresses to recorded ones. Owned by K. */
struct elf *kernel_vmlinux(struct kernel *k);

/* A module as recorded: NAME is "[ext4]", PATH the same or the path of its file. */
struct kernel_module {
	struct str name, path, build_id;
};

/* Opens the file of M, an object, and sets PATH. If it cannot be used, returns NULL
 * with the reason in *WHY. K has been asked for a symbol before. The caller closes the
 * result. */
struct elf *kernel_open_module(const struct kernel *k, const struct kernel_module *m,
	struct buf *path, const char **why);

/* The symbols of M from its file, relative to its load address; the caller frees them.
 * If the file cannot be used, returns NULL with the reason in *WHY. K has been asked
 * for a symbol before. */
struct symtab *kernel_read_module(
	const struct kernel *k, const struct kernel_module *m, const char **why);

#endif
