/* SPDX-License-Identifier: ISC */
/*
 * Where the code of a frame comes from: its class (the kernel, a compiler of some language, a
 * machine that runs a script) and its module (a library, package, crate or namespace). Both
 * follow from the spelling of names; classes also from the other names of a profile and from the
 * callers of a function.
 */
#ifndef CLASSIFY_H
#define CLASSIFY_H

#include "tree.h"

enum classify_class {
	CLASSIFY_NATIVE, /* C, and any plain name */
	CLASSIFY_CXX,
	CLASSIFY_RUST,
	CLASSIFY_GO,
	CLASSIFY_SCRIPT, /* compiled while it runs, or interpreted */
	CLASSIFY_KERNEL,
	CLASSIFY_ROW,	  /* not code: a process, thread or other dimension */
	CLASSIFY_UNKNOWN, /* an address, "[unknown]" */
	CLASSIFY_CLASSES,
	/* open signs, when a name alone is ambiguous */
	CLASSIFY_SIGN_PATH = CLASSIFY_CLASSES, /* "a::b": C++ or Rust */
	CLASSIFY_SIGN_DOTS		       /* "a.b": Go or script */
};

/* The class of NAME: an enum classify_class or an open sign. */
unsigned classify_name(struct str name);

/* The namespace, crate or class before the first "::" of SYMBOL; n is 0 without one. */
struct str classify_namespace(struct str symbol);

struct classify_how {
	const uint64_t *totals; /* by node */
	bool reversed;		/* the tree's stacks begin at their leaves */
	size_t rows;		/* leading frames of each stack that are not functions */
};

/* The class of each name of T; the caller frees it. Inlined functions are classified as if
 * called. A plain name belongs to the kernel when most of its weight is below a frame that
 * enters the kernel, and to a script where all others do. */
unsigned char *classify_names(const struct classify_how *how, const struct tree *t);

/* The module of NAME, whose code is of CLASS; n is 0 if unknown. The result is part of NAME, or
 * static. */
struct str classify_module(struct str name, enum classify_class class);

enum { CLASSIFY_MODULES_MOST = 11 };

struct classify_modules {
	struct str names[CLASSIFY_MODULES_MOST]; /* the heaviest first */
	unsigned n;
	unsigned char *of; /* by name id: an index into names, or CLASSIFY_MODULES_MOST */
	struct intern all;
};

/* Lists the modules of T by weight, calls to other modules included. The caller releases M. */
void classify_modules_init(
	struct classify_modules *m, const struct classify_how *how, const struct tree *t);
void classify_modules_release(struct classify_modules *m);

#endif
