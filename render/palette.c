/* SPDX-License-Identifier: ISC */
/*
 * Palettes; see palette.h. The families are those of flamegraph.pl: each
 * channel runs over a range as a value from 0 to 1 does. Shades that black text
 * is hard to read on (of hot, io, red, blue, orange and purple) are lifted towards white.
 */
#include "palette.h"
#include "kind.h"
#include "label.h"

enum { FAMILIES = 6, SHADES_ALONE = 24, SHADES_OF_MANY = 8, STEPS = 4 };
enum { GREYS = 2 };

/* A channel: FROM + SPAN * the value of AXIS (0 or 1). */
struct channel {
	short from, span;
	unsigned char axis;
};

struct family {
	struct channel r, g, b;
	bool two_axes;
};

static const struct family HOT = { { 205, 50, 1 }, { 0, 230, 0 }, { 0, 55, 1 }, true };
static const struct family MEM = { { 0, 0, 0 }, { 190, 50, 1 }, { 0, 210, 0 }, true };
static const struct family IO = { { 80, 60, 0 }, { 80, 60, 0 }, { 190, 55, 1 }, true };
static const struct family RED = { { 200, 55, 0 }, { 50, 80, 0 }, { 50, 80, 0 }, false };
static const struct family GREEN = { { 50, 60, 0 }, { 200, 55, 0 }, { 50, 60, 0 },
	false };
static const struct family BLUE = { { 80, 60, 0 }, { 80, 60, 0 }, { 205, 50, 0 }, false };
static const struct family YELLOW = { { 175, 55, 0 }, { 175, 55, 0 }, { 50, 20, 0 },
	false };
static const struct family PURPLE = { { 190, 65, 0 }, { 80, 60, 0 }, { 190, 65, 0 },
	false };
static const struct family AQUA = { { 50, 60, 0 }, { 165, 55, 0 }, { 165, 55, 0 },
	false };
static const struct family ORANGE = { { 190, 65, 0 }, { 90, 65, 0 }, { 0, 0, 0 }, false };

struct palette_rule {
	struct str name;
	unsigned (*kind)(struct str name); /* NULL: one family */
	const struct family *families[FAMILIES];
	const char *meanings[FAMILIES];
};

static const struct palette_rule RULES[] = {
	{ { "aqua", 4 }, NULL, { &AQUA }, { NULL } },
	{ { "blue", 4 }, NULL, { &BLUE }, { NULL } },
	{ { "chain", 5 }, kind_chain, { &BLUE, &AQUA }, { "blocked", "waker" } },
	{ { "green", 5 }, NULL, { &GREEN }, { NULL } },
	{ { "hot", 3 }, NULL, { &HOT }, { NULL } },
	{ { "io", 2 }, NULL, { &IO }, { NULL } },
	{ { "java", 4 }, kind_java, { &GREEN, &AQUA, &YELLOW, &ORANGE, &RED },
		{ "Java", "inlined", "C++", "kernel", "native" } },
	{ { "js", 2 }, kind_js, { &GREEN, &AQUA, &PURPLE, &YELLOW, &ORANGE, &RED },
		{ "JavaScript", "built in", "node_modules", "C++", "kernel", "native" } },
	{ { "mem", 3 }, NULL, { &MEM }, { NULL } },
	{ { "orange", 6 }, NULL, { &ORANGE }, { NULL } },
	{ { "perl", 4 }, kind_perl, { &GREEN, &YELLOW, &ORANGE, &RED },
		{ "Perl", "C++", "kernel", "native" } },
	{ { "purple", 6 }, NULL, { &PURPLE }, { NULL } },
	{ { "python", 6 }, kind_python, { &RED, &AQUA, &YELLOW },
		{ "program", "package", "library" } },
	{ { "red", 3 }, NULL, { &RED }, { NULL } },
	{ { "rust", 4 }, kind_rust, { &AQUA, &ORANGE, &YELLOW },
		{ "Rust", "core, std, alloc", "other" } },
	{ { "wakeup", 6 }, NULL, { &AQUA }, { NULL } },
	{ { "yellow", 6 }, NULL, { &YELLOW }, { NULL } },
};

static uint8_t
channel_at(struct channel c, const double value[2])
{
	return (uint8_t)(c.from + c.span * value[c.axis] + 0.5);
}

/* Shade I of N: along the first axis, or on a grid of both. */
static struct colour
family_shade(const struct family *f, unsigned i, unsigned n)
{
	double value[2] = { (i + 0.5) / n, 0 };

	if (f->two_axes) {
		value[0] = (i / STEPS + 0.5) / (n / STEPS);
		value[1] = (i % STEPS + 0.5) / STEPS;
	}
	return colour_lift((struct colour){ channel_at(f->r, value),
		channel_at(f->g, value), channel_at(f->b, value) });
}

struct str
palette_name(size_t i)
{
	return i < sizeof RULES / sizeof RULES[0] ? RULES[i].name : STR("");
}

void
palette_list(struct buf *b)
{
	size_t i;

	for (i = 0; palette_name(i).n; i++) {
		if (i)
			buf_str(b, STR(", "));
		buf_str(b, palette_name(i));
	}
}

static const struct palette_rule *
find_rule(struct str name)
{
	size_t i;

	for (i = 0; palette_name(i).n; i++)
		if (str_eq(RULES[i].name, name))
			return &RULES[i];
	return NULL;
}

bool
palette_init(struct palette *p, struct str name, bool by_spelling)
{
	const struct palette_rule *rule = find_rule(name);
	unsigned f, i;

	if (!rule)
		return false;
	*p = (struct palette){ .rule = rule, .by_spelling = by_spelling };
	while (p->families < FAMILIES && rule->families[p->families])
		p->families++;
	p->shades = p->families > 1 ? SHADES_OF_MANY : SHADES_ALONE;
	for (f = 0; f < p->families; f++)
		for (i = 0; i < p->shades; i++)
			p->colours[p->n++] =
				family_shade(rule->families[f], i, p->shades);
	p->colours[p->n++] = (struct colour){ 200, 200, 200 };
	p->colours[p->n++] = (struct colour){ 160, 160, 160 };
	return true;
}

/* The value, above 0 and at most 1, that the elder tools' --hash gives the
 * letters of NAME from AT on in steps of STEP: the remainders of the first
 * three by 10, 11 and 12, scaled to 1, each weighing 0.7 of the one before. */
static double
spelling(struct str name, size_t at, int step)
{
	double sum = 0, most = 1, weight = 1;
	unsigned i, mod;

	for (i = 0; i < 3 && i < name.n; i++) {
		mod = 10 + i;
		sum += (unsigned char)name.s[at] % mod * weight / (mod - 1);
		most += weight;
		weight *= 0.7;
		at = step > 0 ? at + 1 : at - 1;
	}
	return 1 - sum / most;
}

/* Which of N equal steps from 0 to 1 VALUE is on. */
static unsigned
step_at(double value, unsigned n)
{
	unsigned step = (unsigned)(value * n);

	return step < n ? step : n - 1;
}

static unsigned
shade_by_spelling(const struct palette *p, const struct family *f, struct str name)
{
	double a, b;

	/* a module before the name ("libc`read") does not count */
	size_t tick = str_find(name, '`');

	if (tick > 0 && tick < name.n)
		name = str_from(name, tick + 1);
	a = spelling(name, 0, 1);
	b = spelling(name, name.n - 1, -1);
	if (!f->two_axes)
		return step_at(a, p->shades);
	return step_at(a, p->shades / STEPS) * STEPS + step_at(b, STEPS);
}

unsigned
palette_pick(const struct palette *p, struct str name)
{
	struct str bare = label_bare(name);
	unsigned family = 0, shade = 0;

	if (str_eq(name, STR("-")))
		return p->n - GREYS;
	if (str_eq(name, STR("--")))
		return p->n - 1;
	if (p->rule->kind)
		family = p->rule->kind(name);
	if (p->by_spelling)
		shade = bare.n ? shade_by_spelling(p, p->rule->families[family], bare)
			       : 0;
	else
		shade = (unsigned)(str_hash(bare) % p->shades);
	return family * p->shades + shade;
}

struct str
palette_meaning(const struct palette *p, unsigned i)
{
	return str_of(p->rule->meanings[i]);
}
