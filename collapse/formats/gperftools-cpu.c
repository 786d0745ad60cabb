/* SPDX-License-Identifier: ISC */
/*
 * CPU profiles of gperftools, from CPUPROFILE=FILE, ProfilerStart() or a server's /profilez. Words
 * of 32 or 64 bits in the byte order of the machine:
 *
 *	0 3 0 2000 0			number of following words, version, period in us, padding
 *	1 6 0x40129d 0x4012df ...	samples, number of frames, the frames, innermost first
 *	0 1 0				the end, followed by lines of /proc/PID/maps
 *
 * The first frame is the sampled address, the others are return addresses. With unwinding by frame
 * pointers the first one may be repeated. Java's profiles have version 1 and numbers as frames, and
 * end with lines "0x0000006 demo.Main.run (Main.java:06)" instead.
 *
 * gperftools, docs/cpuprofile-fileformat.html and src/profiledata.cc; google/pprof,
 * profile/legacy_profile.go, parseCPU.
 */
#include "bytes.h"
#include "collapse.h"
#include "formats.h"
#include "stacks/late-stacks.h"
#include "stacks/mapped-code.h"

enum { HEADER_WORDS = 5, SAMPLE_WORDS = 2, FRAMES_MOST = 1 << 20 };
enum { SAMPLES, CPU };

struct profile {
	struct input *in;
	struct collapse *c;
	unsigned size; /* bytes of a word */
	bool swap, java;
	uint64_t period; /* ns */
	unsigned metric;
	struct late_stacks stacks;
	struct mapped_code code;
	bool cut;
};

/* Whether HEAD begins with a header in words of SIZE bytes; if so, sets P from it. */
static bool
parse_header(struct profile *p, struct str head, unsigned size, bool swap)
{
	struct bytes b = bytes_of(head, swap);
	uint64_t first = bytes_uint(&b, size), words = bytes_uint(&b, size);
	uint64_t version = bytes_uint(&b, size), period = bytes_uint(&b, size);
	uint64_t padding = bytes_uint(&b, size);

	if (b.bad || first || words != 3 || version > 1 || !period || padding ||
		period > UINT32_MAX)
		return false;
	p->size = size;
	p->swap = swap;
	p->java = version == 1;
	p->period = period * 1000;
	return true;
}

static bool
detect(struct profile *p, struct str head)
{
	return parse_header(p, head, 4, false) || parse_header(p, head, 4, true) ||
		parse_header(p, head, 8, false) || parse_header(p, head, 8, true);
}

static int
probe(struct str head)
{
	struct profile p;

	return detect(&p, head) ? 100 : 0;
}

/* Adds COUNT samples of the stack of N frames at B. */
static void
add_sample(struct profile *p, struct bytes *b, uint64_t count, uint64_t n)
{
	uint64_t leaf = 0, frame, weight = count, i;

	for (i = 0; i < n; i++) {
		frame = bytes_uint(b, p->size);
		if (i == 0)
			leaf = frame;
		/* The repeated leaf: see above. */
		if (i != 1 || frame != leaf || p->java)
			late_stacks_push(&p->stacks,
				i > 0 && !p->java && frame ? frame - 1 : frame);
	}
	if (count > INT64_MAX / p->period) {
		late_stacks_drop(&p->stacks);
		collapse_lose(p->c, COLLAPSE_OVERFLOW);
		return;
	}
	collapse_count_cost(p->c, SAMPLES, (int64_t)count);
	collapse_count_cost(p->c, CPU, (int64_t)(count * p->period));
	if (p->metric == CPU)
		weight = count * p->period;
	/* The agent for Java also writes stacks with 0 samples. */
	if (count)
		late_stacks_add(&p->stacks, weight, count, (struct str){ 0 });
	else
		late_stacks_drop(&p->stacks);
}

/* Reads the next stack. Returns false at the end of the stacks, or of truncated input. */
static bool
read_record(struct profile *p)
{
	struct str window = input_window(p->in, (size_t)SAMPLE_WORDS * p->size);
	struct bytes b = bytes_of(window, p->swap);
	uint64_t count = bytes_uint(&b, p->size), n = bytes_uint(&b, p->size), first;
	size_t size;

	p->cut = b.bad || n > FRAMES_MOST;
	if (p->cut)
		return false;
	size = (SAMPLE_WORDS + (size_t)n) * p->size;
	window = input_window(p->in, size);
	p->cut = window.n < size;
	if (p->cut)
		return false;
	b = bytes_of(str_from(window, (size_t)SAMPLE_WORDS * p->size), p->swap);
	first = n ? bytes_uint(&b, p->size) : 1;
	if (!count && n == 1 && !first) {
		input_skip(p->in, size);
		return false;
	}
	b = bytes_of(str_from(window, (size_t)SAMPLE_WORDS * p->size), p->swap);
	add_sample(p, &b, count, n);
	input_skip(p->in, size);
	return true;
}

/* Reads the lines after the stacks. */
static void
read_text(struct profile *p)
{
	struct str line;

	while (input_line(p->in, &line))
		if (str_trim(line).n &&
			!(p->java ? mapped_code_tell_java(&p->code, line)
				  : mapped_code_take_line(&p->code, line)))
			collapse_lose(p->c, COLLAPSE_MALFORMED);
}

static void
name(void *context, struct frame_names *stack, uint64_t frame)
{
	mapped_code_name(context, frame, stack);
}

/* Whether FRAME is unnamed code in a library that calls signal handlers. */
static bool
is_handler(struct profile *p, uint64_t frame)
{
	int32_t library = mapped_code_find(&p->code, frame).lib;
	struct frame_names stack = { .c = p->c };
	struct str base;
	bool bare;

	mapped_code_name(&p->code, frame, &stack);
	bare = collapse_is_bare(p->c, stack.ids[0]);
	frame_names_release(&stack);
	if (library < 0 || !bare)
		return false;
	base = str_base(libraries_module(&p->code.libraries, library));
	return str_starts(base, STR("libpthread")) || str_starts(base, STR("libc")) ||
		str_starts(base, STR("[vdso]"));
}

static void
skip_handlers(struct profile *p)
{
	uint64_t frame;
	int i;

	for (i = 0; i < 2 && !p->java; i++)
		if (late_stacks_find_second(&p->stacks, &frame) && is_handler(p, frame))
			late_stacks_skip_second(&p->stacks, frame);
}

/* Folds the stacks. Returns false if the input is truncated before the first one. */
static bool
finish(struct profile *p)
{
	const char *file = input_name(p->in);
	bool any = p->stacks.n > 0;

	if (p->cut && any)
		msg_warn(
			"%s: is truncated; kept the samples before its end, without names "
			"of functions",
			file);
	else if (p->cut)
		msg_error("%s: is truncated, and nothing could be folded", file);
	if (p->cut)
		collapse_lose_quietly(p->c, COLLAPSE_DAMAGED, any);
	skip_handlers(p);
	late_stacks_fold(&p->stacks, name, NULL, &p->code);
	libraries_explain(&p->code.libraries);
	return any || !p->cut;
}

static bool
run(struct input *in, struct collapse *c)
{
	struct profile p = { .in = in, .c = c, .stacks.c = c };
	struct str head = input_window(in, HEADER_WORDS * sizeof(uint64_t));
	bool good = detect(&p, head);

	if (!good) {
		msg_error("%s: is not a CPU profile of gperftools", input_name(in));
		return false;
	}
	collapse_threadless(c);
	(void)collapse_metric(c, STR("samples"), (struct str){ 0 });
	(void)collapse_metric(c, STR("cpu"), STR("ns"));
	p.metric = collapse_choose_metric(c, CPU);
	mapped_code_init(&p.code, c, in);
	good = p.metric != COLLAPSE_NO_METRIC;
	if (good) {
		input_skip(in, (size_t)HEADER_WORDS * p.size);
		while (read_record(&p))
			;
		if (!p.cut)
			read_text(&p);
		good = finish(&p);
	}
	late_stacks_release(&p.stacks);
	mapped_code_release(&p.code);
	return good;
}

const struct collapse_format collapse_gperftools_cpu = {
	.probe = probe,
	.signs = SIGNS(SIGN(MAGIC, "\0\0\0\0")),
	.run = run,
	.uses = COLLAPSE_USES_FILES | COLLAPSE_USES_SRCLINE | COLLAPSE_USES_COST,
};
