/* SPDX-License-Identifier: ISC */
/* Any bytes to every format of the table, or to the one in the variable FORMAT:
 * weights are preserved, and the output is folded text. The first two bytes choose
 * options. */
#include "profile.h"
#include "formats.h"
#include "fuzz.h"
#include "mem.h"
#include "mutate.h"
#include "sink.h"

const size_t fuzz_options_bytes = 2;

static void
choose(struct collapse_options *o, unsigned a, unsigned b)
{
	static const char *const costs[8] = { NULL, "acc", "tl", "eb", "alloc" };

	*o = (struct collapse_options){ .by = { COLLAPSE_COMM },
		.kernel = a & 1,
		.jit = a & 2,
		.inlined = a & 4,
		.addrs = a & 8,
		.srcline = a & 16,
		.full_names = a & 32,
		.count = a & 64,
		.in_order = a & 128,
		.event = b & 1 ? "*" : NULL,
		.cost = costs[b >> 3 & 7] };
	if (b & 2) {
		o->by[0] = COLLAPSE_PID;
		o->by[1] = COLLAPSE_TID;
		o->by[2] = COLLAPSE_CPU;
	}
	if (b & 4)
		o->by[0] = 0;
}

/* Checks that the output of C is folded text with its samples' total weight. */
static void
check_written(struct collapse *c)
{
	static const struct folded_options plain = { .reverse = false };
	struct buf b = { 0 };
	struct output out;
	FILE *f = fuzz_output(&out);
	struct input *in;
	struct profile p;

	/* Prevents a name at the start from being read as a byte order mark. */
	output_str(&out, STR("#\n"));
	collapse_write(c, &out, true);
	fuzz_written(&out, f, &b);
	/* A text whose stacks all end in a number reads as two columns. */
	in = input_of_memory("written", buf_view(&b));
	profile_init(&p);
	profile_add(&p, in, &plain);
	input_close(in);
	/* Decimals that no weight needs are not written. */
	if (p.tree.columns == 1 && tree_set_scale(&p.tree, c->tree.scale)) {
		LAW(p.count.malformed == 0 && p.count.overflow == 0);
		LAW(p.tree.sum[0] == c->tree.sum[0]);
	}
	profile_release(&p);
	buf_release(&b);
}

static void
run_format(const struct collapse_format *format, struct str text,
	const struct collapse_options *options)
{
	struct input *in = input_of_memory("fuzz", text);
	struct collapse *c = collapse_new(options);
	int sure = formats_claim(format, text);

	LAW(sure >= 0 && sure <= 100);
	collapse_begin(c, in);
	if (format->run(in, c))
		check_written(c);
	collapse_free(c);
	input_close(in);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = { (const char *)data, size };
	const char *name = getenv("FORMAT");
	const struct formats_row *row = name ? formats_find(str_of(name)) : NULL;
	struct collapse_options options;
	size_t n = 0;

	LAW(!name || row);
	if (size < fuzz_options_bytes)
		return 0;
	choose(&options, data[0], data[1]);
	text = str_from(text, fuzz_options_bytes);
	if (row) {
		run_format(row->format, text, &options);
		return 0;
	}
	while (formats_at(n))
		n++;
	/* All formats would take too long: the claiming ones, and one of the others. */
	for (size_t i = 0; i < n; i++)
		if (formats_claim(formats_at(i)->format, text) > 0 || i == size % n)
			run_format(formats_at(i)->format, text, &options);
	return 0;
}
