/* SPDX-License-Identifier: ISC */
/* Tests of wire: the bytes of protocol buffers. */
#include "wire.h"
#include "unit.h"

UNIT(varints_have_seven_bits_a_byte)
{
	struct buf b = { 0 };

	wire_varint(&b, 0);
	wire_varint(&b, 127);
	wire_varint(&b, 300);
	CHECK_STR(buf_view(&b), STR("\0\x7f\xac\x02"));
	buf_clear(&b);
	wire_varint(&b, UINT64_MAX);
	CHECK_STR(buf_view(&b), STR("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"));
	buf_release(&b);
}

UNIT(numbers_that_are_0_are_left_out)
{
	struct buf b = { 0 };

	wire_number(&b, 1, 0);
	CHECK_U64(b.n, 0);
	wire_number(&b, 1, 5);
	wire_bytes(&b, 2, STR("ab"));
	CHECK_STR(buf_view(&b),
		STR("\x08\x05\x12\x02"
		    "ab"));
	buf_release(&b);
}

UNIT(elements_of_lists_may_be_empty)
{
	struct buf b = { 0 };

	wire_bytes(&b, 20, STR(""));
	CHECK_STR(buf_view(&b), STR("\xa2\x01\0"));
	buf_release(&b);
}

UNIT(fixed_numbers_have_the_lowest_byte_first)
{
	struct buf b = { 0 };

	wire_fixed64(&b, 0x0102030405060708);
	CHECK_STR(buf_view(&b), STR("\x08\x07\x06\x05\x04\x03\x02\x01"));
	buf_release(&b);
}

UNIT_MAIN
