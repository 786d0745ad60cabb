/* SPDX-License-Identifier: ISC */
/* Makes frames of Java Flight Recorder's names, "java/lang/Thread.run". */
#ifndef JFR_NAMES_H
#define JFR_NAMES_H

#include <stdint.h>

#include "buf.h"
#include "collapse.h"
#include "str.h"

/* How a frame's code ran. */
enum jfr_code {
	JFR_UNKNOWN,
	JFR_INTERPRETED,
	JFR_COMPILED,
	JFR_INLINED,
	JFR_NATIVE, /* in recordings of a JDK, a Java method */
	JFR_CPP,
	JFR_KERNEL
};

/* Returns the code for the DESCRIPTION of a frame type, "JIT compiled". */
enum jfr_code jfr_names_code(struct str description);

struct jfr_method {
	struct str of_class, name; /* either may be empty */
	struct str descriptor;	   /* "([Ljava/lang/String;)V", or empty */
	enum jfr_code code;
	uint64_t line; /* 0: unknown */
};

/* Returns the name id of M's frame; SCRATCH is overwritten. */
uint32_t jfr_names_frame(
	struct collapse *c, struct buf *scratch, const struct jfr_method *m);

/* Returns the name id of a class's frame, such as an allocated object's: "byte[]" for the symbol
 * "[B", "java.lang.String" for "java/lang/String". */
uint32_t jfr_names_class(struct collapse *c, struct buf *scratch, struct str symbol);

#endif
