/* SPDX-License-Identifier: ISC */
/*
 * Files with code (dso in perf): programs, libraries, the kernel, its modules, the
 * vdso, generated code. Each part is found and read on first use, and kept: the ELF
 * file, its symbols, the file with its debug information, the index of inlined
 * functions, call frame information.
 *
 * A set owns all dsos of a run. A missing or mismatched file is not an error: such a
 * dso has no names, and dso_trouble reports why, once.
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
	bool lines;		     /* and for source lines */
	bool codes;		     /* add the instruction */
	bool any_maps;		     /* perf maps and jitdumps of any user and machine */
	const struct opt_list *elfs; /* files of --elf, or NULL */
	const char *vmlinux;	     /* the user's file of the kernel, or NULL */
	const char *kallsyms;	     /* the same for its symbols */
	struct debuginfod *servers;  /* for missing files, or NULL; not owned */
};

struct dso_set;
struct dso;

struct dso_set *dso_set_new(const struct dso_options *options);
void dso_set_free(struct dso_set *set);

/* The dso of KEY, the same one for equal keys (the pid counts only for code of one
 * process: JIT code, files below another root). Never NULL; owned by SET; KEY is
 * copied. */
struct dso *dso_get(struct dso_set *set, const struct dso_key *key);

/* Sets the build id of the recorded kernel. The running kernel's symbols are used only
 * if it has BUILD_ID or, if that is empty, if the recording is LOCAL: made on this boot
 * of this machine. Call this before a kernel dso is asked for a name. */
void dso_set_kernel(struct dso_set *set, struct str build_id, bool local);

/* The recording comes from another machine, so its processes have no root here, no perf
 * map and no jitdump. Call this before dso_get. */
void dso_set_remote(struct dso_set *set);

/* The recording ended at END, seconds since 1970: a process that started later is a
 * different one, despite the same number. Call this before dso_get; without it, all
 * processes match. */
void dso_set_ended(struct dso_set *set, uint64_t end);

/* The recorded kernel had SYMBOL ("_text") at ADDRESS: symbols from another boot of it
 * are moved by the difference. The last call counts. */
void dso_set_anchor(struct dso_set *set, struct str symbol, uint64_t address);

/* The module D was loaded at START. Without this, only kallsyms can name it. */
void dso_set_start(struct dso *d, uint64_t start);

/* The kind, and the name as perf script prints it: the path, "[ext4]" for a
 * module, "/tmp/perf-PID.map" for code without a file. Owned by the dso. */
enum dso_kind dso_kind(const struct dso *d);
struct str dso_name(const struct dso *d);

/* The file with the code, for segments and call frame information; NULL if it was not
 * found or fetched, or has another build id. Owned by the dso. */
struct elf *dso_code(struct dso *d);

/* The file with its DWARF, which may be the same one; NULL if there is none here. It is
 * fetched only if names or lines need it. */
struct elf *dso_debug(struct dso *d);

/* Sets *ADDRESS to OFFSET in the file as the symbol table counts. For modules, OFFSET
 * is relative to the start; for kinds without a file it is the address. Returns false
 * if the file is missing or has no such place. */
bool dso_address(struct dso *d, uint64_t offset, uint64_t *address);

struct dso_frame {
	struct str name; /* demangled; empty: unknown */
	bool inlined;
	struct str place; /* "file:line", one copy of each; empty: unknown */
	struct str code;  /* the instruction as in frame.h; the same */
};

/* Parts of frames beside the function itself, if the options allow them. */
enum { DSO_INLINES = 1, DSO_LINES = 2, DSO_CODE = 4 };

/* The frames at ADDRESS (from dso_address) at TIME (ns of the recording's clock, 0:
 * unknown), innermost first: inlined functions with DSO_INLINES in WANT, then the
 * function itself. Returns their number, 0 without a name. *FRAMES is borrowed until
 * the next call; its texts live as long as the set. */
size_t dso_frames(struct dso *d, uint64_t address, uint64_t time, unsigned want,
	const struct dso_frame **frames);

/* A program, a library or a kernel whose frames have places or code: its name in codes,
 * its build id, in bytes, and its path. */
struct dso_program {
	struct str name, build_id, path;
};

/* Sets *P to the next one after *AT, which is 0 at first. Returns false after the
 * last. */
bool dso_next_program(const struct dso_set *set, size_t *at, struct dso_program *p);

/* Warns about the input NAME if lines were requested and none was found. */
void dso_tell_lines(const struct dso_set *set, const char *name);

/* Rereads the names of D, generated code, if their file has changed: after all programs
 * have ended. The second call does nothing. */
void dso_refresh(struct dso *d);

/* D was mapped at TIME (ns of the recording's clock, 0: unknown). */
void dso_set_mapped(struct dso *d, uint64_t time);

/* Relates the clock of the recording to the clock of files: its first and last record
 * (ns), and its end (seconds since 1970). */
struct dso_clock {
	uint64_t first, last, end;
	/* The clock is the kernel's, which counts from boot. */
	bool since_start;
};

/* Calls SAY for each file that is trusted without a build id though it changed after it
 * was mapped; the most requested one comes first. */
typedef void dso_say(void *context, struct str name, uint64_t asked, const char *why);
void dso_changes(
	struct dso_set *set, const struct dso_clock *clock, dso_say *say, void *context);

/* Calls SAY, with a reason in a few words, for each process whose code was named by a
 * file that, by its time of writing, another process with the same number may have
 * written; the most requested one comes first. */
void dso_doubts(
	struct dso_set *set, const struct dso_clock *clock, dso_say *say, void *context);

/* Calls SAY for each dso that was asked for names and never had one, with the number of
 * requests and the reason ("not found"); the most frequent first. */
void dso_trouble(struct dso_set *set, dso_say *say, void *context);

/* A function in its file: mangled, or "NAME@plt". Lives as long as the set. */
struct dso_function {
	uint64_t start;
	struct str name;
};

/* Sets *F to the function at ADDRESS of D, a file. Returns false if no symbol covers
 * it. */
bool dso_function(struct dso *d, uint64_t address, struct dso_function *f);

/* Sets *C to the code at ADDRESS of D, a JIT dso, at TIME as for dso_frames. Returns
 * false if no file describes it. Borrowed until the next call for a JIT dso. */
bool dso_find_made(struct dso *d, uint64_t address, uint64_t time, struct jit_code *c);

/* Call frame information of D (cfi.h), from dso_code and dso_debug, or NULL. Owned by
 * the dso. */
struct cfi;
struct cfi *dso_cfi(struct dso *d);

#endif
