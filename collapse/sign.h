/* SPDX-License-Identifier: ISC */
/*
 * Signs: bytes in the beginning of an input that show its possible formats. A format
 * lists its own, and formats.c those of formats that are not supported:
 *
 *	SIGNS(SIGN(MAGIC, "# tracer: "), SIGN(ANYWHERE, "funcgraph_"))
 */
#ifndef SIGN_H
#define SIGN_H

#include "str.h"

enum sign_place {
	SIGN_MAGIC,    /* the very first bytes */
	SIGN_START,    /* the first bytes, blanks apart */
	SIGN_ANYWHERE, /* at any place */
	SIGN_JSON,     /* at any place, of what begins as JSON does */
	SIGN_MARKUP    /* at any place, of what begins as XML and HTML do */
};

struct sign {
	enum sign_place place;
	struct str bytes;
};

/* The sign BYTES, a string literal, at PLACE without "SIGN_". */
#define SIGN(place, bytes)                       \
	{                                        \
		SIGN_##place,                    \
		{                                \
			bytes, sizeof(bytes) - 1 \
		}                                \
	}

/* A key of JSON. */
#define SIGN_KEY(name) SIGN(JSON, "\"" name "\"")

/* A list of signs, with an empty one at its end. */
#define SIGNS(...)            \
	(const struct sign[]) \
	{                     \
		__VA_ARGS__,  \
		{             \
			0     \
		}             \
	}

#endif
