/* SPDX-License-Identifier: ISC */
/* Documents with a packed table, and a callback for the stacks read from one. */
#ifndef PACKED_H
#define PACKED_H

#include "buf.h"
#include "str.h"

/* A document whose table is PACKED. */
static inline struct str
packed_document(struct buf *b, struct str packed)
{
	buf_clear(b);
	buf_str(b, STR("<svg><script class=\"fg-packed\"><![CDATA["));
	buf_str(b, packed);
	buf_str(b, STR("]]></script></svg>"));
	return buf_view(b);
}

/* Appends LINE to the struct buf TO: an svg_data_line callback. */
static inline void
append_line(void *to, struct str line)
{
	buf_str(to, line);
	buf_char(to, '\n');
}

#endif
