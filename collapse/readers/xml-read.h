/* SPDX-License-Identifier: ISC */
/*
 * XML to samples: the one door to expat, which may be missing from a build. A format gives
 * two functions, which fold while the text is read:
 *
 *	static const struct xml_handler handler = { take_open, take_close };
 *
 *	return xml_fold(in, c, &handler, &reader);
 *
 * A text with declarations is refused: profilers write none, and a few lines that declare
 * entities can stand for gigabytes. So is one that is deeper, or has longer texts, than the limits.
 */
#ifndef XML_READ_H
#define XML_READ_H

#include <stdbool.h>

#include "collapse.h"
#include "input.h"
#include "str.h"

/* Limits, beyond which the text is in error: elements within one another, bytes of a tag
 * or comment, bytes of a text. */
enum { XML_DEEPEST = 4096, XML_TAG_LONGEST = 1 << 20, XML_TEXT_LONGEST = 1 << 24 };

/* Borrowed for the call; names have their prefixes, entities are undone. */
struct xml_handler {
	/* ATTRS are names and values in turn, up to a NULL. */
	void (*open)(void *to, struct str name, const char **attrs);
	/* TEXT is what stands between this tag and the one before it. */
	void (*close)(void *to, struct str name, struct str text);
};

/* The value of the attribute NAME; empty when there is none. */
struct str xml_attr(const char **attrs, const char *name);

/* The same for a number from 0 to 2^64-1; false when it is none. */
bool xml_attr_u64(const char **attrs, const char *name, uint64_t *value);

/* Gives the tags of IN to HANDLER, which folds them into C, with TO. A text that is
 * damaged or ends too soon is a loss; what came before is kept: false, after a message,
 * only when nothing was folded. */
bool xml_fold(struct input *in, struct collapse *c, const struct xml_handler *handler,
	void *to);

/* Whether HEAD, the beginning of a text, is XML whose first element is called NAME. */
bool xml_begins(struct str head, const char *name);

#endif
