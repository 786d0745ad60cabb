/* SPDX-License-Identifier: ISC */
/* Formats weights for people; see units.h. */
#include "units.h"

#include "weight.h"

#include <math.h>

/* Units with larger and smaller multiples, smallest first. */
struct unit {
	struct str name;
	double size;
};

static const struct unit TIMES[] = { { { "ns", 2 }, 1e-9 }, { { "us", 2 }, 1e-6 },
	{ { "ms", 2 }, 1e-3 }, { { "s", 1 }, 1 }, { { NULL, 0 }, 0 } };
static const struct unit BYTES[] = { { { "bytes", 5 }, 1 }, { { "KiB", 3 }, 1024 },
	{ { "MiB", 3 }, 1048576 }, { { "GiB", 3 }, 1073741824 }, { { NULL, 0 }, 0 } };
static const struct unit *const KINDS[] = { TIMES, BYTES };

/* The family of the unit NAME, and its index SIZE in it; NULL for any other unit. */
static const struct unit *
find_kin(struct str name, double *size)
{
	const struct unit *u;
	size_t i;

	for (i = 0; i < sizeof KINDS / sizeof KINDS[0]; i++)
		for (u = KINDS[i]; u->name.n; u++)
			if (str_eq(u->name, name)) {
				*size = u->size;
				return KINDS[i];
			}
	return NULL;
}

/* Adds DIGITS, optionally with decimals, with thousands separators. */
static void
put_grouped(struct buf *b, struct str digits)
{
	size_t i, whole = str_find(digits, '.');

	for (i = 0; i < digits.n; i++) {
		if (i && i < whole && (whole - i) % 3 == 0)
			buf_char(b, ',');
		buf_char(b, digits.s[i]);
	}
}

void
units_put_count(struct buf *b, uint64_t value)
{
	struct buf digits = { 0 };

	buf_u64(&digits, value);
	put_grouped(b, buf_view(&digits));
	buf_release(&digits);
}

/* Adds VALUE with at most DECIMALS decimals, without trailing zeros. */
static void
put_double(struct buf *b, double value, int decimals)
{
	struct buf digits = { 0 };

	buf_fmt(&digits, "%.*f", decimals, value);
	while (decimals > 0 && digits.s[digits.n - 1] == '0') {
		digits.n--;
		decimals--;
	}
	if (digits.s[digits.n - 1] == '.')
		digits.n--;
	put_grouped(b, buf_view(&digits));
	buf_release(&digits);
}

/* Adds UNIT after the number that begins at START: singular after 1. */
static void
put_unit(struct buf *b, size_t start, struct str unit)
{
	static const char *const plurals[] = { "samples", "units", "bytes", "cycles",
		"instructions", "objects", NULL };
	const char *const *p;
	bool one = str_eq(str_from(buf_view(b), start), STR("1"));

	buf_char(b, ' ');
	buf_str(b, unit);
	for (p = plurals; one && *p; p++)
		if (str_eq(unit, str_of(*p)))
			b->n--;
}

/* Adds VALUE in the largest unit of the family KIN that makes it at least 1, with four digits. */
static void
put_in_kin(struct buf *b, double value, const struct unit *kin)
{
	size_t start = b->n;
	double shown;

	while (kin[1].name.n && value >= kin[1].size)
		kin++;
	shown = value / kin->size;
	put_double(b, shown, shown < 10 ? 3 : shown < 100 ? 2 : shown < 1000 ? 1 : 0);
	put_unit(b, start, kin->name);
}

/* Adds VALUE with three decimals, or more below 1 to show three digits. */
static void
put_plain(struct buf *b, uint64_t value, unsigned scale)
{
	struct buf digits = { 0 };
	uint64_t part = 1;

	for (; scale > 3 && value / part >= 1000; scale--)
		part *= 10;
	value = value / part + (part > 1 && value % part >= part / 2);
	weight_put_scaled(&digits, value, scale);
	put_grouped(b, buf_view(&digits));
	buf_release(&digits);
}

void
units_put_cell(struct buf *b, uint64_t value, unsigned scale, struct str unit)
{
	double size;

	if (find_kin(unit, &size))
		units_put(b, value, scale, 1, unit);
	else
		put_plain(b, value, scale);
}

void
units_put(struct buf *b, uint64_t value, unsigned scale, double factor, struct str unit)
{
	double size, shown = (double)value / pow(10, scale) * factor;
	const struct unit *kin = find_kin(unit, &size);
	size_t start = b->n;

	if (kin) {
		put_in_kin(b, shown * size, kin);
		return;
	}
	if (factor == 1)
		put_plain(b, value, scale);
	else
		put_double(b, shown, 2);
	put_unit(b, start, unit);
}

/* Sets F to the unit of KIN that makes LARGEST, given in the unit SIZE, at least 1. */
static void
choose_unit(struct units_form *f, const struct unit *kin, double largest, double size)
{
	while (kin[1].name.n && largest * size >= kin[1].size)
		kin++;
	f->by = size / kin->size;
	f->unit = kin->name;
}

/* Adds a metric prefix to F if LARGEST has more than six digits. */
static void
choose_prefix(struct units_form *f, double largest)
{
	static const char *const prefix[] = { "M", "G", "T", "P", "E" };
	size_t i;

	if (largest < 999999.5)
		return;
	for (i = 0; i < sizeof prefix / sizeof *prefix; i++) {
		f->by = i ? f->by / 1000 : 1e-6;
		f->prefix = prefix[i];
		if (largest * f->by < 999.5)
			return;
	}
}

struct units_form
units_form_of(double largest, bool are_whole, struct str unit)
{
	struct units_form f = { 1, 0, "", unit };
	double size, shown;
	const struct unit *kin = find_kin(unit, &size);

	if (kin)
		choose_unit(&f, kin, largest, size);
	else
		choose_prefix(&f, largest);
	shown = largest * f.by;
	if (!are_whole || f.by != 1)
		f.decimals = shown < 9.995 ? 2 : shown < 99.95 ? 1 : 0;
	return f;
}

void
units_put_value(struct buf *b, double value, const struct units_form *f)
{
	struct buf digits = { 0 };

	buf_fmt(&digits, "%.*f", f->decimals, value * f->by);
	put_grouped(b, buf_view(&digits));
	buf_release(&digits);
}

void
units_put_unit(struct buf *b, const struct units_form *f)
{
	if (!f->unit.n && !*f->prefix)
		return;
	buf_char(b, ' ');
	buf_str(b, str_of(f->prefix));
	if (*f->prefix && f->unit.n)
		buf_char(b, ' ');
	buf_str(b, f->unit);
}

bool
units_are_time(struct str unit)
{
	double size;

	return find_kin(unit, &size) == TIMES;
}

void
units_put_share(struct buf *b, uint64_t part, uint64_t whole)
{
	buf_fmt(b, "%.2f %%", 100.0 * (double)part / (double)whole);
}
