/* SPDX-License-Identifier: ISC */
/*
 * XML cut into tags, text, CDATA sections and the rest (comments, instructions, the document
 * type). Nothing is decoded, and nothing within one of these is taken for another.
 */
#ifndef MARKUP_H
#define MARKUP_H

#include <stdbool.h>

#include "str.h"

enum markup_kind { MARKUP_TEXT, MARKUP_OPEN, MARKUP_CLOSE, MARKUP_CDATA, MARKUP_OTHER };

struct markup {
	enum markup_kind kind;
	struct str
		body; /* what is between the delimiters: of a tag its name and attributes */
};

/* Cuts the next piece off *REST. False at the end, and where a piece has no end. All is
 * borrowed. */
bool markup_next(struct str *rest, struct markup *m);

/* The name of the tag whose body is TAG. */
struct str markup_name(struct str tag);

/* The value of the attribute NAME of TAG as it stands there; empty when it has none. */
struct str markup_attr(struct str tag, struct str name);

#endif
