/* SPDX-License-Identifier: ISC */
/*
 * The parts of a frame's name:
 *
 *	frame      = bare [ place ] [ code ] [ annotation ]
 *	bare       = [ module '`' ] symbol [ offset ]
 *	           | '[' module [ " <" address ">" ] ']'	no symbol, the module is known
 *	           | "0x" hexadecimal				nor is the module
 *	place      = ':' file ':' line				fg-collapse --srcline
 *	code       = " <" program offset ">"		fg-collapse --asm
 *	program    = name [ '@' 8 hexadecimal digits ]	of its build id
 *	annotation = "_[k]" kernel | "_[j]" JIT | "_[i]" inlined | "_[w]" waker
 *	module     = path [ " (deleted)" ] [ offset ]
 *	offset     = "+0x" hexadecimal
 *	symbol     = function { suffix } [ version ] | function [ hash ] [ arguments ]
 *	           | symbol "->" symbol
 *	suffix     = '.' word [ '.' number ]
 *	version    = '@' [ '@' ] text
 *	hash       = "::h" and 16 hexadecimal digits
 *
 *	genunix`read+0x1f		module, symbol, offset: DTrace
 *	do_syscall_64_[k]		symbol, annotation: fg-collapse, FlameGraph
 *	work:/src/spin.c:18_[i]		symbol, place, annotation
 *	work:spin.c:18 <spin@5f0c7d1e+0x1149>	symbol, place, code
 *	[libc.so.6 <2601>]		fg-collapse --addrs
 *	/lib/libc.so+0x1234		module, offset: perf script -F +dsoff
 *	read.isra.0.constprop.1		suffixes: GCC's clones of a function
 *	read.cold  read.llvm.123	suffixes: GCC and LLVM on a part or an instance of one
 *	read@@GLIBC_2.2.5  read@plt	versions of linkers, and their stubs
 *	app::run::h0123456789abcdef	hash: rustc before its own mangling
 *	f(int)::{lambda(int)#1}::operator()(int) const		arguments: the last "(int) const"
 *	LA;::f->LB;::g			A::f with B::g inlined: Java's perf maps
 *
 * async-profiler has two more annotations, _[0] interpreted and _[1] by its first compiler, which
 * only frame_cut_annotation takes off. All results are borrowed from the argument.
 */
#ifndef FRAME_H
#define FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "buf.h"
#include "str.h"

/* The annotation's letter at the end of NAME: k, j, i or w; 0 if there is none. */
char frame_annotation(struct str name);

/* NAME without that annotation. */
struct str frame_bare(struct str name);

/* Cuts an annotation of any letter off the end of *NAME and returns the letter; 0 without one. */
char frame_cut_annotation(struct str *name);

/* The place at the end of a name, and the name without it. */
struct frame_place {
	struct str name, file;
	uint64_t line;
};

/* Splits NAME, which has no annotation, into *P. False when it has no place: between its last two
 * colons (not part of "::") must be a file, not a number, then a number, then code at most. */
bool frame_find_place(struct str name, struct frame_place *p);

/* NAME, which has no annotation, without its place and code. */
struct str frame_cut_place(struct str name);

/* Adds NAME without place and code; its annotation stays. */
void frame_put_without_place(struct buf *b, struct str name);

/* The instruction at the end of a name, and the rest of the name, with its place. */
struct frame_code {
	struct str name, program; /* "spin@5f0c7d1e" */
	uint64_t address;	  /* an address as in the program's file */
};

/* Splits NAME, which has no annotation, into *C. False when it has no code. */
bool frame_find_code(struct str name, struct frame_code *c);

/* NAME, which has no annotation, without its code. */
struct str frame_cut_code(struct str name);

/* The number of build ID bytes in a program's name. */
enum { FRAME_PROGRAM_ID = 4 };

/* Adds the name of the program in FILE, a base name, with BUILD_ID, its bytes or nothing: bytes of
 * FILE that could not be parsed back become '_'. */
void frame_put_program(struct buf *b, struct str file, struct str build_id);

/* Adds the code at ADDRESS of the program named PROGRAM. */
void frame_put_code(struct buf *b, struct str program, uint64_t address);

/* Adds the annotation of LETTER. */
void frame_annotate(struct buf *b, char letter);

/* The part of NAME before the first '`'; empty without one. */
struct str frame_module(struct str name);

/* NAME without its module and the '`', and without its offset. */
struct str frame_cut_module(struct str name);
struct str frame_cut_offset(struct str name);

/* NAME up to the first '@'. */
struct str frame_cut_version(struct str name);

/* NAME without the version of a symbol at its end ("@@GLIBC_2.34"). */
struct str frame_cut_symbol_version(struct str name);

/* NAME without annotation, module and offset; a name that is only one of these stays. */
struct str frame_symbol(struct str name);

/* The text in brackets of "[module]", with its address; empty when NAME, without an annotation, has
 * another form. */
struct str frame_in_brackets(struct str name);

/* Whether NAME is "0x12ab", an address without a symbol. */
bool frame_is_address(struct str name, uint64_t *address);

/* Suffixes that compilers and linkers add to a function's name after a dot. */
enum {
	FRAME_CLONE = 1,  /* a numbered variant of the whole function: ".isra.0" */
	FRAME_SPLIT = 2,  /* a part or an instance of it: ".cold", ".llvm.123" */
	FRAME_RENAMED = 4 /* another name for it: ".lto_priv.0", ".localalias" */
};

/* The place of the dot at which the first suffix of KINDS begins in NAME, or NAME.n. */
size_t frame_find_suffix(struct str name, unsigned kinds);

/* Whether WORD, without dots, can begin a suffix. */
bool frame_is_suffix(struct str word);

/* Whether NAME ends with a hash. */
bool frame_has_hash(struct str name);

/* Adds NAME without its hash; in a name with a hash, also decodes "$LT$" and "..", which C++
 * demanglers leave. Other names are added unchanged. */
void frame_put_rust(struct buf *b, struct str name);

/* NAME without the argument list at its end and any text after it; inner argument lists
 * ("f(int)::{lambda(int)#1}"), "operator()", "(anonymous namespace)" and Go's "pkg.(*T).f" stay. */
struct str frame_cut_arguments(struct str name);

/* The place of the first "->" in NAME that joins two methods, or NAME.n. */
size_t frame_find_arrow(struct str name);

/* Whether SYMBOL is an entry point of the Linux kernel, or one of its first functions. */
bool frame_enters_kernel(struct str symbol);

/*
 * MODULE below is a profiler's name for the file of code: a path, "[kernel.kallsyms]", "[vdso]",
 * "//anon", "/tmp/perf-123.map". An empty one and "[unknown]" count as unknown.
 */

/* The frame name for it: without folders, " (deleted)" and offset. */
struct str frame_module_base(struct str module);

/* The kernel, one of its modules, or generated code in it. */
bool frame_module_is_kernel(struct str module);

/* Generated code with names: a perf map, or from perf inject. */
bool frame_module_is_jit(struct str module);

/* A program or library, which could have symbols. */
bool frame_module_is_file(struct str module);

#endif
