/* SPDX-License-Identifier: ISC */
/*
 * Any bytes as folded text, exported to each target: JSON is valid, protocol buffer
 * messages are complete, and the values of pprof's samples add up. The first byte
 * chooses options.
 */
#include "fuzz.h"
#include "inflate.h"
#include "input.h"
#include "msg.h"
#include "readers/protobuf.h"
#include "targets.h"
#include "text-check.h"
#include "utf8.h"

enum { SMALL = 1 << 20 };

/* Sums the first column's values in the sample BYTES. */
static uint64_t
first_value(struct str bytes)
{
	struct protobuf m = protobuf_of(bytes);
	struct protobuf_field f;
	uint64_t value = 0;
	struct bytes packed;

	while (protobuf_next(&m, &f))
		if (f.number == 2) {
			LAW(f.type == PROTOBUF_BYTES);
			packed = bytes_of(f.bytes, false);
			LAW(protobuf_varint(&packed, &value));
		}
	LAW(!m.bad);
	return value;
}

static void
check_pprof(struct str packed, uint64_t sum)
{
	struct buf message = { 0 };
	struct protobuf_field f;
	struct protobuf m;
	uint64_t found = 0;

	LAW(inflate_all(INFLATE_GZIP, packed, &message, SIZE_MAX / 2));
	m = protobuf_of(buf_view(&message));
	while (protobuf_next(&m, &f))
		if (f.number == 2)
			found += first_value(f.bytes);
	LAW(!m.bad);
	LAW(found == sum);
	buf_release(&message);
}

static void
check_message(struct str bytes)
{
	struct protobuf m = protobuf_of(bytes);
	struct protobuf_field f;

	while (protobuf_next(&m, &f))
		LAW(f.type == PROTOBUF_BYTES);
	LAW(!m.bad);
}

/* Checks that each row of a table has as many cells as the first, and that all is
 * UTF-8. */
static void
check_table(struct str text)
{
	size_t cells = 1, most = 0, n;
	bool quoted = false;
	uint32_t point;

	for (; text.n; text = str_from(text, n)) {
		n = utf8_next(text, &point);
		LAW(point != UTF8_INVALID);
		quoted ^= point == '"';
		cells += point == ',' && !quoted;
		if (point != '\n' || quoted)
			continue;
		LAW(!most || cells == most);
		most = cells;
		cells = 1;
	}
	LAW(!quoted);
}

static void
check(const struct target *t, struct str text, uint64_t sum)
{
	struct str name = str_of(t->name);

	LAW(text.n);
	if (str_eq(name, STR("pprof")))
		check_pprof(text, sum);
	else if (str_eq(name, STR("otlp")))
		check_message(text);
	else if (str_eq(name, STR("csv")) || str_eq(name, STR("nodes")))
		check_table(text);
	else if (text.s[0] == '{' && !str_eq(name, STR("d3")) &&
		t->target->needs & EXPORT_DOUBLES)
		LAW(text_check_json(text));
}

/* Exports the stacks of TEXT to T. */
static void
export_to(const struct target *t, struct str text, const struct export_settings *set)
{
	static const struct folded_options how = { .reverse = false };
	struct input *in = input_of_memory("folded", text);
	struct buf written = { 0 };
	struct profile p;
	struct output out;
	struct export x;
	FILE *f;

	profile_init(&p);
	profile_add(&p, in, &how);
	if (folded_by_settle(&p.by, &p.info) && profile_has_stacks(&p)) {
		tree_settle(&p.tree);
		if (export_init(&x, &p, set, t->target)) {
			f = fuzz_output(&out);
			x.out = &out;
			if (t->target->write(&x))
				output_str(&out, buf_view(&x.b));
			fuzz_written(&out, f, &written);
			if (written.n)
				check(t, buf_view(&written), x.sum[0]);
		}
		export_release(&x);
	}
	profile_release(&p);
	input_close(in);
	buf_release(&written);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct export_settings set = { .min_share = 0 };
	const struct target *t;

	if (!size || size > SMALL)
		return 0;
	msg_init("fuzz");
	set.before = data[0] & 1;
	set.min_share = data[0] & 2 ? 1 : 0;
	for (t = targets; t->name; t++) {
		set.target = t->name;
		export_to(t, (struct str){ (const char *)data + 1, size - 1 }, &set);
	}
	return 0;
}
