/* SPDX-License-Identifier: ISC */
/*
 * Turns XML into samples. Only this uses expat, which is optional in a build. A format
 * has two functions, which fold while the text is read:
 *
 *	static const struct xml_handler handler = { handle_open, handle_close };
 *
 *	return xml_fold(in, c, &handler, &reader);
 *
 * A text with declarations is refused: profilers do not write any, and a few lines of
 * entity declarations can expand to gigabytes. So is one beyond the limits.
 */
#ifndef XML_READ_H
#define XML_READ_H

#include <stdbool.h>

#include "collapse.h"
#include "input.h"
#include "str.h"

/* Limits, beyond which the text is malformed: nested elements, bytes of a tag or comment,
 * bytes of a text. */
enum { XML_DEEPEST = 4096, XML_TAG_LONGEST = 1 << 20, XML_TEXT_LONGEST = 1 << 24 };

/* Arguments are borrowed for the call; names include prefixes, entities are expanded. */
struct xml_handler {
	/* ATTRS are alternating names and values, up to a NULL. */
	void (*open)(void *to, struct str name, const char **attrs);
	/* TEXT is the text between this tag and the previous one. */
	void (*close)(void *to, struct str name, struct str text);
};

/* The value of the attribute NAME; empty if absent. */
struct str xml_attr(const char **attrs, const char *name);

/* The same as a number from 0 to 2^64-1. Returns false if it is not one. */
bool xml_attr_u64(const char **attrs, const char *name, uint64_t *value);

/* Calls HANDLER with TO for the tags of IN, to be folded into C. Damaged or truncated
 * text is a loss; samples before it are kept. Returns false, after a message, only if
 * nothing was folded. */
bool xml_fold(struct input *in, struct collapse *c, const struct xml_handler *handler,
	void *to);

/* Whether HEAD, the beginning of a text, is XML whose root element is NAME. */
bool xml_begins(struct str head, const char *name);

#endif
