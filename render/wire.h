/* SPDX-License-Identifier: ISC */
/*
 * Writes the wire format of protocol buffers: fields of varints, of bytes and of packed
 * varints. A nested message is built in a buffer of its own.
 */
#ifndef WIRE_H
#define WIRE_H

#include <stdint.h>

#include "buf.h"
#include "str.h"

void wire_varint(struct buf *b, uint64_t value);

/* Adds the field NUMBER; 0 is left out, as it is the default. */
void wire_number(struct buf *b, unsigned number, uint64_t value);

/* Adds the 8 bytes of VALUE, as in a list of fixed64. */
void wire_fixed64(struct buf *b, uint64_t value);

/* Adds the field NUMBER of BYTES: a text, a message or packed varints. */
void wire_bytes(struct buf *b, unsigned number, struct str bytes);

#endif
