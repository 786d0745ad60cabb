/* SPDX-License-Identifier: ISC */
/*
 * Files with code (dso, as perf says): programs, libraries, the kernel, its
 * modules, the vdso, code made at run time. Everything about one is found and
 * read when it is first asked for, and kept: the ELF file, its symbols, the file
 * with its debug information, the index of inlined functions, call frame
 * information.
 *
 * A set owns all of a run. What could not be found or did not fit is not an
 * error: such a dso has no names, and dso_trouble says why, once.
 */
#ifndef DSO_H
#define DSO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dso-path.h"
#include "elf.h"
#include "jit.h"
#include "opt.h"
#include "str.h"

struct debuginfod;

struct dso_options {
	bool full_names;	     /* keep argument lists */
	bool inlines;		     /* look for inlined functions */
	bool lines;		     /* and for lines of sources */
	bool codes;		     /* say the instruction */
	bool any_maps;		     /* perf maps and jitdumps of any user and machine */
	const struct opt_list *elfs; /* files that --elf names, or NULL */
	const char *vmlinux;  /* the file of the kernel that the user gives, or NULL */
	const char *kallsyms; /* the same of its symbols */
	struct debuginfod *servers; /* of files that are not here, or NULL; not owned */
};

struct dso_set;
struct dso;

struct dso_set *dso_set_new(const struct dso_options *options);
void dso_set_free(struct dso_set *set);

/* The dso of KEY, the same one for equal keys (the pid counts only for what is
 * a process's own: JIT code, files below another root). Never NULL; owned by
 * SET; KEY is copied. */
struct dso *dso_get(struct dso_set *set, const struct dso_key *key);

/* The kernel of the recording has BUILD_ID: symbols of the running one are
 * used only when it is that; with an empty id only when LOCAL says that the
 * recording was made on this boot of this machine. To be called before the
 * first kernel dso is asked for a name. */
void dso_set_kernel(struct dso_set *set, struct str build_id, bool local);

/* The recording is of another machine, so its processes are not those of this one: they
 * have no root here, no perf map and no jitdump. To be called before dso_get. */
void dso_set_remote(struct dso_set *set);

/* The recording ended at END, seconds since 1970: a process that began later is not of it,
 * though it has the number of one that is. To be called before dso_get; without it all are. */
void dso_set_ended(struct dso_set *set, uint64_t end);

/* In the recorded kernel SYMBOL ("_text") was at ADDRESS: symbols from another
 * boot of it are moved by as much as that differs. The last one holds. */
void dso_set_anchor(struct dso_set *set, struct str symbol, uint64_t address);

/* The module D was loaded at START. Without this only kallsyms can name it. */
void dso_set_start(struct dso *d, uint64_t start);

/* The kind, and the name as perf script prints it: the path, "[ext4]" for a
 * module, "/tmp/perf-PID.map" for code without a file. Owned by the dso. */
enum dso_kind dso_kind(const struct dso *d);
struct str dso_name(const struct dso *d);

/* The file of code itself, for segments and call frame information; NULL when
 * it could not be found or fetched, or its build id is another. Owned by the dso. */
struct elf *dso_code(struct dso *d);

/* The file with its DWARF, which may be the same one; NULL when there is none here, or was not
 * fetched for want of a name or a line. */
struct elf *dso_debug(struct dso *d);

/* The address, as the symbol table counts, of OFFSET in the file; for modules
 * OFFSET from where they were loaded, for kinds without a file the address itself.
 * False when the file is not there or has no such place. */
bool dso_address(struct dso *d, uint64_t offset, uint64_t *address);

struct dso_frame {
	struct str name; /* demangled; empty: not known */
	bool inlined;
	struct str place; /* "file:line", one copy of each; empty: not known */
	struct str code;  /* the instruction as frame.h has it; the same */
};

/* What frames have besides the function itself, if the options have it. */
enum { DSO_INLINES = 1, DSO_LINES = 2, DSO_CODE = 4 };

/* The frames at ADDRESS (as dso_address gives it) at TIME (ns of the
 * recording's clock, 0: not known), innermost first: with DSO_INLINES in WANT inlined
 * functions, then the function itself. Returns how many, 0 when there is no
 * name. *FRAMES is borrowed until the next call; the texts in it live as long
 * as the set. */
size_t dso_frames(struct dso *d, uint64_t address, uint64_t time, unsigned want,
	const struct dso_frame **frames);

/* A program, a library or a kernel whose frames got places or code: what it is called in codes, its
 * build id, in bytes, and its path. */
struct dso_program {
	struct str name, build_id, path;
};

/* Sets *P to the next one after *AT, which is 0 at first; false after the last. */
bool dso_next_program(const struct dso_set *set, size_t *at, struct dso_program *p);

/* Warns about the input NAME when lines were asked for and none was found. */
void dso_tell_lines(const struct dso_set *set, const char *name);

/* Reads the names of D, generated code, once more if their file has changed: for when
 * everything that ran has ended. The second call does nothing. */
void dso_refresh(struct dso *d);

/* D was mapped at TIME (ns of the recording's clock, 0: not known). */
void dso_set_mapped(struct dso *d, uint64_t time);

/* What relates the clock of the recording to that of files: its first and last record
 * (ns), and when it ended (seconds since 1970). */
struct dso_clock {
	uint64_t first, last, end;
	/* The clock is that of the kernel, which counts from its start. */
	bool since_start;
};

/* Calls SAY for each file that is trusted to be the recorded one for want of a build id,
 * though it was changed after it was mapped; the one asked most often comes first. */
typedef void dso_say(void *context, struct str name, uint64_t asked, const char *why);
void dso_changes(
	struct dso_set *set, const struct dso_clock *clock, dso_say *say, void *context);

/* Calls SAY for each process whose code was named by a file that another process with its
 * number may have written, going by the time of writing, with a few words that say so; the
 * one asked most often comes first. */
void dso_doubts(
	struct dso_set *set, const struct dso_clock *clock, dso_say *say, void *context);

/* Calls SAY for each dso that was asked for names and never had one, with how
 * often and why, in words ("not found"); the most frequent first. */
void dso_trouble(struct dso_set *set, dso_say *say, void *context);

/* A function as its file has it: mangled, or "NAME@plt". Lives as long as the set. */
struct dso_function {
	uint64_t start;
	struct str name;
};

/* Sets *F to the function at ADDRESS of D, a file; false when no symbol has it. */
bool dso_function(struct dso *d, uint64_t address, struct dso_function *f);

/* Sets *C to the code at ADDRESS of D, a JIT dso, at TIME as for dso_frames; false
 * when nobody described it. Borrowed until the next call for a JIT dso. */
bool dso_find_made(struct dso *d, uint64_t address, uint64_t time, struct jit_code *c);

/* Call frame information of D (cfi.h), from dso_code and dso_debug; NULL when
 * there is none. Owned by the dso. */
struct cfi;
struct cfi *dso_cfi(struct dso *d);

#endif
