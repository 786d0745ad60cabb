/* SPDX-License-Identifier: ISC */
/* Indexes of addresses; see dwarf-index.h. */
#include "dwarf-index.h"

/* Adds a span of UNIT, whose addresses have SIZE bytes, unless it is empty or dropped
 * code. */
static void
add(struct spans *s, uint64_t start, uint64_t end, uint64_t unit, uint8_t size)
{
	const struct dwarf_unit of = { .address_size = size };

	if (start < end && !dwarf_is_dead(&of, start))
		spans_add(s, start, end, unit);
}

/*
 * A set of .debug_aranges:
 *
 *	length, version 2, the offset of its unit, bytes of an address, and of a segment
 *	padding, up to a multiple of a pair
 *	pairs of an address and a length; the last ones are 0
 */

/* Reads the set at B, whose header is BEFORE bytes behind its start. A pair of zeroes
 * may also be code without bytes, so the length decides where the set ends. */
static void
read_set(struct spans *s, struct bytes b, size_t before, unsigned offset_size)
{
	size_t all = bytes_left(&b) + before;
	uint64_t unit, start;
	uint8_t size, segment;

	if (bytes_u16(&b) != 2)
		return;
	unit = bytes_uint(&b, offset_size);
	size = bytes_u8(&b);
	segment = bytes_u8(&b);
	if ((size != 2 && size != 4 && size != 8) || segment)
		return;
	before = (all - bytes_left(&b)) % (2u * size);
	bytes_skip(&b, before ? 2u * size - before : 0);
	while (bytes_left(&b) >= 2u * size) {
		start = bytes_uint(&b, size);
		add(s, start, start + bytes_uint(&b, size), unit, size);
	}
}

static void
read_aranges(struct spans *s, struct bytes b)
{
	unsigned offset_size, before;
	uint64_t length;

	while (bytes_left(&b)) {
		offset_size = before = 4;
		length = bytes_u32(&b);
		if (length == 0xffffffff) {
			offset_size = 8;
			before = 12;
			length = bytes_u64(&b);
		}
		read_set(
			s, bytes_of(bytes_take(&b, length), b.swap), before, offset_size);
	}
}

/*
 * .gdb_index, in little-endian order on every machine:
 *
 *	version, offsets in the index of: units, units of types, addresses, symbols ...
 *	units: offset and length, 8 bytes each
 *	addresses: start and end, 8 bytes each, and the number of the unit, 4 bytes
 */
enum { GDB_LEAST = 7, GDB_MOST = 9, GDB_UNIT = 16, GDB_ADDRESSES = 20 };

/* The bytes of X between FROM and TO, empty if they do not exist. */
static struct bytes
part(struct str x, uint32_t from, uint32_t to)
{
	bool one = to <= x.n && from <= to;
	struct bytes b = bytes_of(STR("\1\0"), false);
	bool swap = bytes_u16(&b) != 1;

	return bytes_of(one ? str_from(str_head(x, to), from) : (struct str){ 0 }, swap);
}

static void
read_gdb_index(struct spans *s, struct str x)
{
	struct bytes head = part(x, 0, (uint32_t)(x.n < 20 ? 0 : 20)), units, b, unit;
	uint32_t version = bytes_u32(&head), list = bytes_u32(&head),
		 types = bytes_u32(&head), addresses = bytes_u32(&head), number;
	uint64_t start, end;

	if (version < GDB_LEAST || version > GDB_MOST)
		return;
	units = part(x, list, types);
	b = part(x, addresses, bytes_u32(&head));
	while (bytes_left(&b) >= GDB_ADDRESSES) {
		start = bytes_u64(&b);
		end = bytes_u64(&b);
		number = bytes_u32(&b);
		unit = units;
		bytes_skip(&unit, (uint64_t)number * GDB_UNIT);
		if (bytes_left(&unit) >= GDB_UNIT)
			add(s, start, end, bytes_u64(&unit), 8);
	}
}

void
dwarf_index_read(struct dwarf *d, struct spans *s)
{
	read_gdb_index(s, elf_data(d->elf, elf_section(d->elf, ".gdb_index")));
	if (!s->n)
		read_aranges(s, dwarf_cursor(d, DWARF_ARANGES, 0));
	spans_sort(s);
}
