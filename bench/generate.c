/* SPDX-License-Identifier: ISC */
/*
 * Writes a synthetic profile of any size, deterministic for its arguments:
 *
 *	generate folded|perf FRAMES random|wide
 *
 * A random walk over a call graph of some thousand names, each with a few callees,
 * of which the first are called most. Stacks are made until their tree has
 * FRAMES distinct frames; each shares its beginning with the previous one and adds
 * about ten frames, at most DEEPEST in all. random: realistic weights, a few
 * stacks have most. wide: equal weights and about thirty added frames, so
 * that no box is too narrow to be drawn, the worst case for a picture.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES = 2720, CALLEES = 12, DEEPEST = 127, SHALLOWEST = 8 };

struct walk {
	uint64_t random;
	unsigned name[DEEPEST]; /* the stack, outermost first */
	uint64_t path[DEEPEST]; /* hash of the frames up to each */
	unsigned depth;
	uint64_t *seen; /* a hash set of paths; 0 is free */
	size_t mask, frames, goal;
	bool wide;
};

static char names[NAMES][96];

/* Upper bits of the random number generator. */
static uint32_t
draw(struct walk *w)
{
	w->random = w->random * 6364136223846793005 + 1442695040888963407;
	return (uint32_t)(w->random >> 32);
}

static uint64_t
mix(uint64_t x)
{
	x = (x ^ x >> 32) * 0xd6e8feb86659fd93;
	x = (x ^ x >> 29) * 0x9e3779b97f4a7c15;
	return x ^ x >> 32;
}

static const char *
word(uint64_t *bits)
{
	static const char *const words[] = { "read", "write", "parse", "node", "block",
		"alloc", "free", "list", "map", "hash", "find", "insert", "visit", "emit",
		"lower", "type", "value", "symbol", "scope", "region", "page", "fault",
		"lock", "queue", "event", "task", "run", "poll", "send", "recv", "buffer",
		"stream" };
	const char *s = words[*bits & 31];

	*bits = mix(*bits + 1);
	return s;
}

/* Name number I in the style of C, the kernel, C++, Rust or Java. */
static void
make_name(unsigned i)
{
	uint64_t bits = mix(i + 1);
	const char *a = word(&bits), *b = word(&bits), *c = word(&bits);

	switch (mix(i) % 7) {
	case 0: snprintf(names[i], sizeof names[i], "%s_%s_%s_%u", a, b, c, i); break;
	case 1: snprintf(names[i], sizeof names[i], "__%s_%s_%s%u", a, b, c, i); break;
	case 2:
		snprintf(names[i], sizeof names[i], "%s::%s<%s>::visit%u", a, b, c, i);
		break;
	case 3:
		snprintf(names[i], sizeof names[i], "core::%s::%s::{impl#%u}::%s", a, b,
			i, c);
		break;
	case 4:
		snprintf(names[i], sizeof names[i], "llvm::%s%sPass::%s%u", a, b, c, i);
		break;
	case 5:
		snprintf(names[i], sizeof names[i], "org/%s/%s/%sHandler.invoke%u", a, b,
			c, i);
		break;
	default:
		snprintf(names[i], sizeof names[i],
			"std::%s_tree<%s, std::less<%s>>::_M_%u", a, b, c, i);
	}
}

/* A random callee of NAME: mostly its first ones; some names are called by everyone. */
static unsigned
callee(struct walk *w, unsigned name)
{
	uint32_t r = draw(w) & 0xffff, s = draw(w) & 0xffff;
	unsigned which = (unsigned)((uint64_t)r * s * CALLEES >> 32);
	double h = (double)(mix((uint64_t)name * CALLEES + which) >> 32) / 4294967296.0;

	return (unsigned)(h * h * h * NAMES);
}

/* Whether PATH is new; adds it. */
static bool
is_new(struct walk *w, uint64_t path)
{
	size_t at = path & w->mask;

	while (w->seen[at] && w->seen[at] != path)
		at = (at + 1) & w->mask;
	if (w->seen[at])
		return false;
	w->seen[at] = path;
	w->frames++;
	return true;
}

static void
push(struct walk *w)
{
	unsigned above = w->depth ? w->name[w->depth - 1] : 0;
	uint64_t path = w->depth ? w->path[w->depth - 1] : 1;

	w->name[w->depth] = w->depth ? callee(w, above) : 0;
	w->path[w->depth] = mix(path * NAMES + w->name[w->depth]) | 1;
	is_new(w, w->path[w->depth++]);
}

/* Unwinds some frames and pushes new ones. */
static void
step(struct walk *w)
{
	unsigned mean = w->wide ? 30 : 10, back = draw(w) % (2 * mean) + 1, more;

	w->depth = w->depth > back + SHALLOWEST ? w->depth - back
		: w->depth > SHALLOWEST		? SHALLOWEST
						: 0;
	if (w->depth == SHALLOWEST && draw(w) % 4 == 0)
		w->depth = draw(w) % SHALLOWEST;
	more = draw(w) % (2 * mean + 1) + 1;
	while (w->depth < DEEPEST && (more-- > 0 || w->depth < SHALLOWEST))
		push(w);
}

/* A few stacks have most of the weight. */
static unsigned long
weight(struct walk *w)
{
	double u = (draw(w) + 1.0) / 4294967297.0;

	return w->wide ? 10
		       : (unsigned long)(1 / (u < 1e-4 ? 1e-4 : u)) + draw(w) % 3 + 1;
}

static void
put_folded(struct walk *w)
{
	unsigned i;

	for (i = 0; i < w->depth; i++)
		printf("%s%s", i ? ";" : "", names[w->name[i]]);
	printf(" %lu\n", weight(w));
}

/* Prints a sample as perf script does: the innermost frame first. */
static void
put_perf(struct walk *w, unsigned long n)
{
	static const char *const files[] = { "/usr/bin/made-up", "/usr/lib/libmade.so.1",
		"[kernel.kallsyms]" };
	unsigned i, f;

	printf("made-up %6lu [%03lu] %5lu.%06lu: %10lu cycles:u: \n", 4000 + n % 7, n % 4,
		1000 + n / 4000, n * 250 % 1000000, 250000 + weight(w));
	for (i = w->depth; i-- > 0;) {
		f = w->name[i];
		printf("\t%16x %s+0x%x (%s)\n", 0x401000 + f * 512 + draw(w) % 256,
			names[f], draw(w) % 256, files[f % 3]);
	}
	putchar('\n');
}

int
main(int argc, char **argv)
{
	struct walk w = { .random = 20 };
	unsigned long n;

	if (argc != 4 || (w.goal = strtoul(argv[2], NULL, 10)) == 0) {
		fprintf(stderr, "usage: generate folded|perf FRAMES random|wide\n");
		return 2;
	}
	w.wide = strcmp(argv[3], "wide") == 0;
	for (w.mask = 1023; w.mask < 2 * w.goal + 1000; w.mask = 2 * w.mask + 1)
		;
	w.seen = calloc(w.mask + 1, sizeof *w.seen);
	if (!w.seen)
		return 2;
	for (n = 0; n < NAMES; n++)
		make_name((unsigned)n);
	for (n = 0; w.frames < w.goal; n++) {
		step(&w);
		if (strcmp(argv[1], "perf") == 0)
			put_perf(&w, n);
		else
			put_folded(&w);
	}
	free(w.seen);
	return fflush(stdout) != 0 || ferror(stdout);
}
