/* SPDX-License-Identifier: ISC */
/*
 * A set of files with code as its own files see it: names (dso-frames.c), the kernel and its
 * modules (dso-kernel.c), processes (dso-process.c), all the rest (dso.c); see dso.h.
 */
#ifndef DSO_SET_H
#define DSO_SET_H

#include "arena.h"
#include "buf.h"
#include "dso.h"
#include "gopclntab.h"
#include "inlines.h"
#include "intern.h"
#include "jitdump.h"
#include "kallsyms.h"
#include "symtab.h"

/* Frames that were found at an address: set->frames[first, first + n). */
struct dso_slot {
	uint64_t address;
	uint32_t first;
	uint16_t n;
	bool used, inlines;
};

/* A file that is read whole, and may still grow. */
struct dso_text {
	struct buf path, bytes;
};

struct dso {
	struct dso_set *set;
	enum dso_kind kind;
	struct str path, name, build_id;
	uint32_t pid;
	uint64_t start;	 /* of a module; 0: not known */
	const char *why; /* there is no name, or NULL */
	uint64_t mapped; /* first, ns of the recording's clock; 0: not known, before */
	/* When its file, or that of its names, was written last, seconds since 1970; 0: not
	 * known, or the right file. */
	uint64_t changed;
	uint64_t asked;
	bool answered;

	/* Each part is looked for once. */
	bool code_done, debug_done, inlines_done, symbols_done, cfi_done;
	bool refreshed;		  /* its perf map was read once more at the end */
	struct elf *code, *debug; /* debug may be code */
	struct elf *mini, *alt;
	struct buf code_path, debug_path;
	struct symtab *symbols;
	struct inlines *inlines;
	struct gopclntab *go; /* NULL: not there, or there is something better */
	struct cfi *cfi;

	struct dso_text map; /* of JIT code: a perf map or a jitdump */
	struct jitdump *jitdump;
	bool is_jitdump;
	uint64_t missed; /* addresses that had no name */

	struct dso_slot *slots; /* a power of two, at most half used */
	size_t slot_n, slot_cap;
};

/* The kernel of the recording, which its modules share. */
struct dso_kernel {
	struct str build_id;
	bool local;
	struct str anchor; /* a symbol's name, empty: not known */
	uint64_t anchor_address;
	bool done;
	const char *why;
	struct buf text;
	struct elf *elf;
	struct symtab *symbols; /* of a vmlinux, or NULL */
	struct kallsyms *list;	/* else, or NULL */
	uint64_t slide;		/* recorded address - that of symbols */
	bool all;		/* the list has those of modules */
	char release[128];
};

struct dso_set {
	struct dso_options options;
	struct arena arena;
	struct intern keys; /* a dso each */
	struct buf key;	    /* one under way */
	struct dso **dsos;
	size_t n, cap;
	struct dso **jitdumps; /* those of them that are one */
	size_t jitdump_n, jitdump_cap;
	struct intern roots; /* 4 bytes of pid each */
	bool *foreign;	     /* by id of roots: below another root */
	size_t foreign_cap;
	struct intern plain; /* names that are shown as they are */
	struct intern raw;   /* names as files have them */
	struct str *shown;   /* the same for people, by id; s NULL: not yet */
	size_t shown_cap;
	struct dso_frame *frames;
	size_t frame_n, frame_cap;
	struct dso_kernel kernel;
	struct elf **elfs; /* of options.elfs, NULL where one cannot be read */
	size_t elf_n;
	bool remote;	   /* the recording is of another machine */
	uint64_t ended;	   /* when it ended, seconds since 1970; 0: not known */
	bool told_mangled; /* that this build cannot demangle */
};

/* All of PATH, which is a regular file, to B. */
bool dso_read_file(const char *path, struct buf *b);

/* The same of the file FD, which is closed; false when it is -1. */
bool dso_read_open(int fd, struct buf *b);

/* When this machine was started, seconds since 1970; 0: nobody says. */
uint64_t dso_machine_start(void);

/* When process PID began, seconds since 1970; 0: it does not run, or nobody says. */
uint64_t dso_process_start(uint32_t pid);

/* Whether a process that began at START, 0 being never, is none of the recording's. */
bool dso_is_another(const struct dso_set *set, uint64_t start);

/* The number of process PID within its own container; PID when it is not in one, or gone. */
unsigned long dso_inner_pid(const struct dso_set *set, uint32_t pid);

/* Whether process PID runs below another root than ours, or sees other mounts. */
bool dso_is_foreign(struct dso_set *set, uint32_t pid);

/* Whether PATH is there for such a process, and is not the same file as here. */
bool dso_is_file_foreign(struct dso_set *set, uint32_t pid, struct str path);

/* The symbol name at ADDRESS, as the file has it; false when there is none. */
bool dso_kernel_name(struct dso *d, uint64_t address, struct str *name);
void dso_kernel_release(struct dso_kernel *k);

#endif
