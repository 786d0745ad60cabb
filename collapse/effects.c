/* SPDX-License-Identifier: ISC */
/* Options that a format has no use for; see effects.h. */
#include "effects.h"
#include "msg.h"

static const char *const names[] = { "--by", "--kernel", "--jit", "--inlined", "--inline",
	"--no-inline", "--addrs", "--srcline", "--full-names", "--elf", "--syms",
	"--perf-maps" };

/* Whether O has root frames of another kind than the default. */
static bool
has_keys(const struct collapse_options *o)
{
	size_t i;

	for (i = 0; i < COLLAPSE_BY_MAX && o->by[i]; i++)
		if (o->by[i] != COLLAPSE_COMM)
			return true;
	return false;
}

/* The options that O asks for, as bits in the order of NAMES. */
static unsigned
given(const struct collapse_options *o)
{
	const bool asked[] = { has_keys(o), o->kernel, o->jit, o->inlined, o->inlines,
		o->no_inlines, o->addrs, o->srcline, o->full_names, o->elfs.n > 0,
		o->syms != NULL, o->any_maps };
	unsigned bits = 0, i;

	for (i = 0; i < sizeof asked / sizeof *asked; i++)
		bits |= (unsigned)asked[i] << i;
	return bits;
}

/* Those of NAMES whose bits are in IDLE, as words of a sentence. */
static void
put_names(struct buf *b, unsigned idle)
{
	unsigned i;

	for (i = 0; i < sizeof names / sizeof *names; i++) {
		if (!(idle >> i & 1))
			continue;
		if (b->n)
			buf_str(b, idle >> i == 1 ? STR(" and ") : STR(", "));
		buf_str(b, str_of(names[i]));
	}
}

bool
effects_check(const struct collapse_format *format,
	const struct collapse_options *options, const char *name)
{
	const unsigned marks = COLLAPSE_USES_KERNEL | COLLAPSE_USES_JIT;
	unsigned asked = given(options), idle = asked & ~format->uses;
	struct buf list = { 0 };

	if (options->cost && !(format->uses & COLLAPSE_USES_COST)) {
		msg_error(
			"%s: is %s, which has no metrics for --cost; choose an event with "
			"--event-filter",
			name, format->name);
		return false;
	}
	/* --all asks for both, and one is enough. */
	if ((asked & marks) == marks && (format->uses & marks))
		idle &= ~marks;
	if (!idle)
		return true;
	put_names(&list, idle);
	msg_warn("%s: %s %s no effect on %s", name, buf_cstr(&list),
		idle & (idle - 1) ? "have" : "has", format->name);
	buf_release(&list);
	return true;
}
