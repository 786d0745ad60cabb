/* SPDX-License-Identifier: ISC */
/* Exact weights; see weight.h. */
#include "weight.h"

struct weight
weight_of(uint64_t value, unsigned scale)
{
	uint64_t unit, nano;

	if (!scale)
		return (struct weight){ value, 0 };
	unit = weight_units(scale);
	nano = value % unit * (WEIGHT_NANO / unit);
	return (struct weight){ value / unit, (uint32_t)nano };
}

bool
weight_add(struct weight *sum, struct weight more)
{
	uint32_t nano = sum->nano + more.nano;
	bool carry = nano >= WEIGHT_NANO;

	if (more.whole > UINT64_MAX - sum->whole ||
		(carry && more.whole == UINT64_MAX - sum->whole))
		return false;
	sum->whole += more.whole + carry;
	sum->nano = carry ? nano - WEIGHT_NANO : nano;
	return true;
}

int
weight_cmp(struct weight a, struct weight b)
{
	if (a.whole != b.whole)
		return a.whole < b.whole ? -1 : 1;
	return a.nano < b.nano ? -1 : a.nano > b.nano;
}

struct weight
weight_minus(struct weight a, struct weight b)
{
	bool borrow = a.nano < b.nano;

	if (weight_cmp(a, b) <= 0)
		return (struct weight){ 0 };
	return (struct weight){ a.whole - b.whole - borrow,
		a.nano + (borrow ? (uint32_t)WEIGHT_NANO : 0) - b.nano };
}

bool
weight_read(struct str text, struct weight *w, bool *rounded)
{
	struct str fraction = text, whole = str_cut(&fraction, '.');
	struct weight v = { 0 }, finest = { 0, 1 };
	bool finer = false;
	size_t i;

	if ((!whole.n && !fraction.n) || (whole.n && !str_to_u64(whole, &v.whole)))
		return false;
	for (i = 0; i < fraction.n || i < WEIGHT_DECIMALS; i++) {
		if (i < fraction.n && !str_is_digit(fraction.s[i]))
			return false;
		if (i < WEIGHT_DECIMALS)
			v.nano = v.nano * 10 +
				(i < fraction.n ? (uint32_t)(fraction.s[i] - '0') : 0);
		else
			finer |= fraction.s[i] != '0';
	}
	if (finer && fraction.s[WEIGHT_DECIMALS] >= '5' && !weight_add(&v, finest))
		return false;
	*rounded |= finer;
	*w = v;
	return true;
}

unsigned
weight_decimals(struct weight w)
{
	unsigned decimals = WEIGHT_DECIMALS;

	for (; decimals && w.nano % 10 == 0; decimals--)
		w.nano /= 10;
	return decimals;
}

bool
weight_scaled(struct weight w, unsigned scale, uint64_t *value)
{
	uint64_t unit = weight_units(scale), finer = WEIGHT_NANO / unit, part;

	part = w.nano / finer + (finer > 1 && w.nano % finer >= finer / 2);
	if (w.whole > (UINT64_MAX - part) / unit)
		return false;
	*value = w.whole * unit + part;
	return true;
}

void
weight_put(struct buf *b, struct weight w)
{
	uint32_t unit = WEIGHT_NANO;

	buf_u64(b, w.whole);
	if (w.nano)
		buf_char(b, '.');
	while (w.nano) {
		unit /= 10;
		buf_char(b, (char)('0' + w.nano / unit));
		w.nano %= unit;
	}
}

/* A 128-bit number. */
struct wide {
	uint64_t high, low;
};

static struct wide
multiply(uint64_t a, uint64_t b)
{
	uint64_t a0 = a & UINT32_MAX, a1 = a >> 32, b0 = b & UINT32_MAX, b1 = b >> 32;
	uint64_t bottom = a0 * b0, middle = a1 * b0 + (bottom >> 32), other;

	other = a0 * b1 + (middle & UINT32_MAX);
	return (struct wide){ a1 * b1 + (middle >> 32) + (other >> 32),
		other << 32 | (bottom & UINT32_MAX) };
}

/* N / C, where N's high part is less than C, bit by bit. */
static uint64_t
divide(struct wide n, uint64_t c)
{
	uint64_t quotient = 0;
	bool carry;
	int i;

	if (!n.high)
		return n.low / c;
	for (i = 0; i < 64; i++) {
		carry = n.high >> 63;
		n.high = n.high << 1 | n.low >> 63;
		n.low <<= 1;
		quotient <<= 1;
		if (carry || n.high >= c) {
			n.high -= c;
			quotient |= 1;
		}
	}
	return quotient;
}

bool
weight_times(uint64_t a, uint64_t b, uint64_t c, uint64_t *result)
{
	struct wide n = multiply(a, b);

	n.low += c / 2;
	n.high += n.low < c / 2;
	if (n.high >= c)
		return false;
	*result = divide(n, c);
	return true;
}

/* W in units of 10^-SCALE, rounded down; it fits. */
static uint64_t
scaled(struct weight w, unsigned scale)
{
	uint64_t unit = weight_units(scale);

	return w.whole * unit + w.nano / (WEIGHT_NANO / unit);
}

/* The most decimals with which W fits in 64 bits. */
static unsigned
most_decimals(struct weight w)
{
	uint64_t room = (UINT64_MAX - WEIGHT_NANO) / 10, whole = w.whole;
	unsigned scale = 0;

	for (; scale < WEIGHT_DECIMALS && whole <= room; scale++)
		whole *= 10;
	return scale;
}

uint64_t
weight_share(uint64_t count, struct weight part, struct weight whole)
{
	unsigned scale = most_decimals(weight_cmp(part, whole) > 0 ? part : whole);
	uint64_t of = scaled(whole, scale), result;

	if (!weight_times(count, scaled(part, scale), of, &result))
		return UINT64_MAX;
	return result || !count || !(part.whole || part.nano) ? result : 1;
}

uint64_t
weight_count(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

void
weight_put_scaled(struct buf *b, uint64_t value, unsigned scale)
{
	uint64_t unit = weight_units(scale);

	buf_u64(b, value / unit);
	value %= unit;
	if (!value)
		return;
	buf_char(b, '.');
	while (value) {
		unit /= 10;
		buf_char(b, (char)('0' + value / unit));
		value %= unit;
	}
}
