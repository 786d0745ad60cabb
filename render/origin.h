/* SPDX-License-Identifier: ISC */
/*
 * Where the code of a frame comes from: the kernel, a compiler of some language, a
 * machine that runs a script. It is told by the spelling of names, by what the other
 * names of a profile are, and by where a function is called.
 */
#ifndef ORIGIN_H
#define ORIGIN_H

#include "tree.h"

enum origin {
	ORIGIN_NATIVE, /* C, and any plain name */
	ORIGIN_CXX,
	ORIGIN_RUST,
	ORIGIN_GO,
	ORIGIN_SCRIPT, /* compiled while it runs, or interpreted */
	ORIGIN_KERNEL,
	ORIGIN_INLINED,
	ORIGIN_UNKNOWN, /* an address, "[unknown]" */
	ORIGINS,
	/* what a name alone may leave open */
	ORIGIN_SIGN_PATH = ORIGINS, /* "a::b": C++ or Rust */
	ORIGIN_SIGN_DOTS	    /* "a.b": Go or script */
};

/* What NAME is, an enum origin or an open sign. */
unsigned origin_sign(struct str name);

/* NAME without what is around a symbol: annotation, module ("libc`read"), offset. */
struct str origin_symbol(struct str name);

/* The namespace, crate or class before the first "::" of SYMBOL; n is 0 without. */
struct str origin_namespace(struct str symbol);

/* Whether SYMBOL is a place where a processor enters the kernel. */
bool origin_enters_kernel(struct str symbol);

struct origin_how {
	const uint64_t *totals; /* by node */
	bool reversed;		/* the tree's stacks begin at their leaves */
	bool inlined_apart;	/* as ORIGIN_INLINED; else by what they are */
};

/* The kind of each name of T, which the caller frees. A plain name is the kernel's
 * when most of its weight is below a frame that enters the kernel. */
unsigned char *origin_of_names(const struct origin_how *how, const struct tree *t);

#endif
