/* SPDX-License-Identifier: ISC */
/* Tests of protobuf: full-width numbers, groups, damage, fields from an input. */
#include "unit.h"
#include "readers/protobuf.h"

/* Whether BYTES are exactly one varint; its value in *VALUE. */
static bool
reads(struct str bytes, uint64_t *value)
{
	struct bytes b = bytes_of(bytes, false);

	return protobuf_varint(&b, value) && !bytes_left(&b);
}

UNIT(varints_have_ten_bytes_at_most)
{
	uint64_t v;

	CHECK(reads(STR("\x00"), &v));
	CHECK_U64(v, 0);
	CHECK(reads(STR("\x96\x01"), &v));
	CHECK_U64(v, 150);
	CHECK(reads(STR("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), &v));
	CHECK_U64(v, UINT64_MAX);
	CHECK(reads(STR("\x81\x80\x80\x80\x80\x80\x80\x80\x80\x00"), &v));
	CHECK_U64(v, 1);
	CHECK(!reads(STR("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02"), &v));
	CHECK(!reads(STR("\x81\x80\x80\x80\x80\x80\x80\x80\x80\x80\x00"), &v));
	CHECK(!reads(STR("\x80"), &v));
	CHECK(!reads(STR(""), &v));
}

UNIT(fields_of_every_type)
{
	struct protobuf m =
		protobuf_of(STR("\x08\x96\x01\x11\x01\0\0\0\0\0\0\x80\x1a\x02hi"
				"\x25\x02\0\0\0\xf8\xff\xff\xff\x0f\x07"));
	struct protobuf_field f;

	CHECK(protobuf_next(&m, &f) && f.number == 1 && f.type == PROTOBUF_VARINT);
	CHECK_U64(f.value, 150);
	CHECK(protobuf_next(&m, &f) && f.number == 2 && f.type == PROTOBUF_FIXED64);
	CHECK_U64(f.value, UINT64_C(0x8000000000000001));
	CHECK(protobuf_next(&m, &f) && f.number == 3 && f.type == PROTOBUF_BYTES);
	CHECK_STR(f.bytes, STR("hi"));
	CHECK(protobuf_next(&m, &f) && f.number == 4 && f.type == PROTOBUF_FIXED32);
	CHECK_U64(f.value, 2);
	CHECK(protobuf_next(&m, &f) && f.number == (1 << 29) - 1);
	CHECK_U64(f.value, 7);
	CHECK(!protobuf_next(&m, &f) && !m.bad);
}

/* The number of fields in BYTES; -1 if damaged. */
static int
count(struct str bytes)
{
	struct protobuf m = protobuf_of(bytes);
	struct protobuf_field f;
	int n = 0;

	while (protobuf_next(&m, &f))
		n++;
	return m.bad ? -1 : n;
}

UNIT(groups_are_passed_over)
{
	CHECK(count(STR("\x0b\x08\x01\x13\x1a\x02hi\x14\x0c\x08\x02")) == 1);
	CHECK(count(STR("\x0b\x0c")) == 0);
	CHECK(count(STR("\x0b\x14")) == -1);
	CHECK(count(STR("\x0c")) == -1);
	CHECK(count(STR("\x08\x01\x0b")) == -1);
}

UNIT(damage_ends_a_message)
{
	CHECK(count(STR("\x00\x01")) == -1);
	CHECK(count(STR("\x0e\x01")) == -1);
	CHECK(count(STR("\x0f\x01")) == -1);
	CHECK(count(STR("\x1a\x03hi")) == -1);
	CHECK(count(STR("\x1a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01hi")) == -1);
	CHECK(count(STR("\x09\x01\x02\x03")) == -1);
	CHECK(count(STR("\x80\x80\x80\x80\x80\x01\x01")) == -1);
	CHECK(count((struct str){ 0 }) == 0);
}

UNIT(groups_do_not_nest_for_ever)
{
	char deep[2 * PROTOBUF_GROUPS + 2];

	memset(deep, 0x0b, sizeof deep / 2);
	memset(deep + sizeof deep / 2, 0x0c, sizeof deep / 2);
	CHECK(count((struct str){ deep + 1, sizeof deep - 2 }) == 0);
	CHECK(count((struct str){ deep, sizeof deep }) == -1);
}

UNIT(numbers_are_packed_or_not)
{
	struct protobuf_field packed = { 1, PROTOBUF_BYTES, 3, STR("\x01\x96\x01") };
	struct protobuf_field one = { 1, PROTOBUF_VARINT, 9, { 0 } };
	struct protobuf_field bad = { 1, PROTOBUF_BYTES, 2, STR("\x01\x96") };
	struct protobuf_field fixed = { 1, PROTOBUF_BYTES, 8, STR("\x05\0\0\0\0\0\0\0") };
	struct protobuf_numbers v = { .n = 0 };

	CHECK(protobuf_numbers_add(&v, &packed, false));
	CHECK(protobuf_numbers_add(&v, &one, false));
	CHECK(!protobuf_numbers_add(&v, &bad, false));
	CHECK(protobuf_numbers_add(&v, &fixed, true));
	CHECK(!protobuf_numbers_add(&v, &packed, true));
	CHECK(!protobuf_numbers_add(&v, &one, true));
	CHECK_U64(v.n, 4);
	CHECK_U64(v.items[1], 150);
	CHECK_U64(v.items[2], 9);
	CHECK_U64(v.items[3], 5);
	protobuf_numbers_release(&v);
}

UNIT(half_a_number_is_not_a_number)
{
	struct protobuf_field f = {
		.number = 1, .type = PROTOBUF_BYTES, .bytes = STR("\1\2\3\4\5\6\7")
	};
	struct protobuf_numbers v = { 0 };

	CHECK(!protobuf_numbers_add(&v, &f, true) && v.n == 0);
	protobuf_numbers_release(&v);
}

UNIT(a_stream_opens_messages)
{
	struct input *in =
		input_of_memory("x", STR("\x0a\x06\x12\x02hi\x18\x07\x1a\x01z\x20\x05"));
	struct protobuf_stream s;
	struct protobuf_field f;

	protobuf_stream_init(&s, in);
	CHECK(protobuf_stream_next(&s, &f) && f.number == 1);
	CHECK(protobuf_stream_enter(&s));
	CHECK(protobuf_stream_next(&s, &f) && f.number == 2);
	CHECK(protobuf_stream_bytes(&s, &f));
	CHECK_STR(f.bytes, STR("hi"));
	CHECK(protobuf_stream_next(&s, &f) && f.number == 3 && f.value == 7);
	CHECK(!protobuf_stream_next(&s, &f) && !s.bad);
	/* Not read, so skipped. */
	CHECK(protobuf_stream_next(&s, &f) && f.number == 3);
	CHECK(protobuf_stream_next(&s, &f) && f.number == 4 && f.value == 5);
	CHECK(!protobuf_stream_next(&s, &f) && !s.bad);
	input_close(in);
}

/* How a stream of BYTES ends, whose first field is opened: 'e'nd, 'c'ut, 'd'amage. */
static char
ends(struct str bytes)
{
	struct input *in = input_of_memory("x", bytes);
	struct protobuf_stream s;
	struct protobuf_field f;

	protobuf_stream_init(&s, in);
	if (protobuf_stream_next(&s, &f) && f.type == PROTOBUF_BYTES &&
		protobuf_stream_enter(&s))
		while (protobuf_stream_next(&s, &f))
			(void)protobuf_stream_bytes(&s, &f);
	while (protobuf_stream_next(&s, &f))
		(void)protobuf_stream_bytes(&s, &f);
	input_close(in);
	return s.cut ? 'c' : s.bad ? 'd' : 'e';
}

UNIT(a_stream_knows_how_it_ended)
{
	CHECK(ends(STR("\x0a\x02\x08\x01\x10\x01")) == 'e');
	CHECK(ends(STR("")) == 'e');
	CHECK(ends(STR("\x0a\x04\x08\x01")) == 'c');
	CHECK(ends(STR("\x0a\x02\x08\x01\x1a\x05hi")) == 'c');
	CHECK(ends(STR("\x0a\x02\x08\x01\x1a")) == 'c');
	/* A field that exceeds its message. */
	CHECK(ends(STR("\x0a\x02\x1a\x05hellohello")) == 'd');
	CHECK(ends(STR(
		      "\x0a\x02\x0b\x08\x10\x01\x10\x01\x10\x01\x10\x01\x10\x01\x10\x01\x10\x01"
		      "\x10\x01\x10\x01")) == 'd');
}

UNIT(messages_do_not_nest_for_ever)
{
	char deep[2 * PROTOBUF_DEEPEST + 4];
	struct protobuf_stream s;
	struct protobuf_field f;
	struct input *in;
	size_t i;

	for (i = 0; i < sizeof deep; i += 2) {
		deep[i] = 0x0a;
		deep[i + 1] = (char)(sizeof deep - i - 2);
	}
	in = input_of_memory("x", (struct str){ deep, sizeof deep });
	protobuf_stream_init(&s, in);
	for (i = 0; protobuf_stream_next(&s, &f) && protobuf_stream_enter(&s); i++)
		;
	CHECK_U64(i, PROTOBUF_DEEPEST);
	CHECK(s.bad && !s.cut);
	input_close(in);
}

UNIT_MAIN
