/* SPDX-License-Identifier: ISC */
/*
 * Splits XML into tags, text, CDATA sections and the rest (comments, instructions, the document
 * type). Nothing is decoded, and delimiters within a piece are ignored.
 */
#ifndef MARKUP_H
#define MARKUP_H

#include <stdbool.h>

#include "str.h"

enum markup_kind { MARKUP_TEXT, MARKUP_OPEN, MARKUP_CLOSE, MARKUP_CDATA, MARKUP_OTHER };

struct markup {
	enum markup_kind kind;
	struct str
		body; /* the text between the delimiters: for a tag its name and attributes */
};

/* Cuts the next piece off *REST. False at the end, and at an unterminated piece. All is
 * borrowed. */
bool markup_next(struct str *rest, struct markup *m);

/* The name of the tag whose body is TAG. */
struct str markup_name(struct str tag);

/* The undecoded value of the attribute NAME of TAG; empty if it has none. */
struct str markup_attr(struct str tag, struct str name);

#endif
