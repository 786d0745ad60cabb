/* SPDX-License-Identifier: ISC */
/* Values and their units; see quantity.h. */
#include "quantity.h"

#include <stddef.h>
#include <strings.h>

enum { SECOND = 1000000000 };

static const struct unit {
	const char *name; /* without a plural s */
	bool time;
	uint64_t times;
} units[] = {
	{ "n", true, 1 }, /* "ns" without its s */
	{ "nanosecond", true, 1 },
	{ "u", true, 1000 },
	{ "\xc2\xb5", true, 1000 }, /* the micro sign */
	{ "\xce\xbc", true, 1000 }, /* the Greek letter */
	{ "microsecond", true, 1000 },
	{ "m", true, 1000000 },
	{ "millisecond", true, 1000000 },
	{ "", true, SECOND }, /* "s" */
	{ "sec", true, SECOND },
	{ "second", true, SECOND },
	{ "min", true, 60 * (uint64_t)SECOND },
	{ "minute", true, 60 * (uint64_t)SECOND },
	{ "hr", true, 3600 * (uint64_t)SECOND },
	{ "hour", true, 3600 * (uint64_t)SECOND },
	{ "byte", false, 1 },
	{ "kb", false, 1 << 10 },
	{ "kilobyte", false, 1 << 10 },
	{ "mb", false, 1 << 20 },
	{ "megabyte", false, 1 << 20 },
	{ "gb", false, 1 << 30 },
	{ "gigabyte", false, 1 << 30 },
};

/* The row for UNIT; NULL if unknown. */
static const struct unit *
find_unit(struct str unit)
{
	const struct unit *u, *end = units + sizeof units / sizeof *units;
	struct str name = unit;
	size_t n;

	if (str_ends(name, STR("s")))
		name.n--;
	for (u = units; unit.n && u < end; u++) {
		n = strlen(u->name);
		/* Short names need their s: "m" does not mean milliseconds. */
		if (n == name.n && (name.n < unit.n || n > 1) &&
			(!n || strncasecmp(u->name, name.s, n) == 0))
			return u;
	}
	return NULL;
}

/* Whether values of TYPE, which count something, count samples. */
static bool
counts_samples(struct str type)
{
	static const char *const types[] = { "samples", "sample", "cpu", "wall", "itimer",
		"ctimer" };
	size_t i;

	for (i = 0; i < sizeof types / sizeof *types; i++)
		if (str_eq(type, str_of(types[i])))
			return true;
	return false;
}

struct quantity
quantity_of(struct str type, struct str unit)
{
	const struct unit *u = find_unit(unit);
	struct str last = str_from(type, str_rfind(type, '_') + 1);

	if (u)
		return (struct quantity){ u->time ? STR("ns") : STR("bytes"), u->times,
			false };
	if (unit.n && !str_eq(unit, STR("count")))
		return (struct quantity){ unit, 1, false };
	if (counts_samples(type))
		return (struct quantity){ { 0 }, 1, true };
	/* "alloc_objects" are objects. */
	if (str_eq(type, STR("goroutine")))
		last = STR("goroutines");
	return (struct quantity){ last.n ? last : type, 1, false };
}

bool
quantity_scale(const struct quantity *q, int64_t value, int64_t *result)
{
	return !__builtin_mul_overflow(value, (int64_t)q->times, result);
}
