/* SPDX-License-Identifier: ISC */
/* Protocol buffers; see wire.h. */
#include "wire.h"

enum { VARINT = 0, BYTES = 2, LONGEST = 10 };

void
wire_varint(struct buf *b, uint64_t value)
{
	char *p = buf_room(b, LONGEST), *first = p;

	for (; value >= 0x80; value >>= 7)
		*p++ = (char)(value | 0x80);
	*p++ = (char)value;
	b->n += (size_t)(p - first);
}

void
wire_number(struct buf *b, unsigned number, uint64_t value)
{
	if (!value)
		return;
	wire_varint(b, (uint64_t)number << 3 | VARINT);
	wire_varint(b, value);
}

void
wire_bytes(struct buf *b, unsigned number, struct str bytes)
{
	wire_varint(b, (uint64_t)number << 3 | BYTES);
	wire_varint(b, bytes.n);
	buf_str(b, bytes);
}

void
wire_fixed64(struct buf *b, uint64_t value)
{
	int i;

	for (i = 0; i < 64; i += 8)
		buf_char(b, (char)(value >> i));
}
