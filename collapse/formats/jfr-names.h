/* SPDX-License-Identifier: ISC */
/* Names of Java, as Java Flight Recorder has them, to frames: "java/lang/Thread.run". */
#ifndef JFR_NAMES_H
#define JFR_NAMES_H

#include <stdint.h>

#include "buf.h"
#include "collapse.h"
#include "str.h"

/* How a frame ran. */
enum jfr_code {
	JFR_UNKNOWN,
	JFR_INTERPRETED,
	JFR_COMPILED,
	JFR_INLINED,
	JFR_NATIVE, /* in a JDK's recording a method of Java */
	JFR_CPP,
	JFR_KERNEL
};

/* The code that the description of a frame's type means, "JIT compiled". */
enum jfr_code jfr_names_code(struct str description);

struct jfr_method {
	struct str of_class, name; /* either may be empty */
	struct str descriptor;	   /* "([Ljava/lang/String;)V", or empty */
	enum jfr_code code;
	uint64_t line; /* 0: not known */
};

/* The name id of the frame of M, with SCRATCH for memory. */
uint32_t jfr_names_frame(
	struct collapse *c, struct buf *scratch, const struct jfr_method *m);

/* The name id of the frame of a class that something was done with: "byte[]" for the symbol "[B",
 * "java.lang.String" for "java/lang/String". */
uint32_t jfr_names_class(struct collapse *c, struct buf *scratch, struct str symbol);

#endif
