/* SPDX-License-Identifier: ISC */
/*
 * An XML document, written through a stack of open tags. The output is well-formed UTF-8
 * whatever the input: one function escapes text and attributes, and invisible characters
 * (utf8_is_visible) or those that XML forbids become U+FFFD.
 */
#ifndef XML_H
#define XML_H

#include <stdbool.h>
#include <stdint.h>

#include "buf.h"
#include "output.h"

enum { XML_DEPTH = 16 };

struct xml {
	struct output *out; /* not owned */
	struct buf scratch;
	const char *tags[XML_DEPTH]; /* borrowed: string literals */
	unsigned depth;
	bool in_tag; /* "<tag" is written, its ">" is not */
};

/* Begins a document, with the XML declaration, on OUT. */
void xml_init(struct xml *x, struct output *out);

/* Closes the open elements and frees the writer. */
void xml_release(struct xml *x);

/* Opens an element on a line of its own. TAG is kept. At most XML_DEPTH deep. */
void xml_open(struct xml *x, const char *tag);

/* Adds an attribute to the element just opened. */
void xml_attr(struct xml *x, const char *name, struct str value);
void xml_attr_int(struct xml *x, const char *name, int64_t value);

/* The same for a coordinate, in tenths of a pixel. */
void xml_attr_tenths(struct xml *x, const char *name, int64_t tenths);

void xml_text(struct xml *x, struct str text);

/* Writes a CDATA section. TEXT must be valid in XML and without "]]>", as the table, the script
 * and the output of json.h are. */
void xml_cdata(struct xml *x, struct str text);

/* Writes a comment; "--", which XML forbids there, gets a blank between. */
void xml_comment(struct xml *x, struct str text);

/* Closes the element opened last. */
void xml_close(struct xml *x);

/* Adds TEXT to B, escaped for text and for attributes in double quotes. */
void xml_escape(struct buf *b, struct str text);

/* Adds TENTHS tenths in decimal: "12", "12.5", "-0.1". */
void xml_put_tenths(struct buf *b, int64_t tenths);

#endif
