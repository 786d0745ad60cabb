/* SPDX-License-Identifier: ISC */
/* Slices; see str.h. */
#include "str.h"

int
str_cmp(struct str a, struct str b)
{
	size_t n = a.n < b.n ? a.n : b.n;
	int c = n ? memcmp(a.s, b.s, n) : 0;

	return c ? c : (a.n > b.n) - (a.n < b.n);
}

size_t
str_find(struct str a, char c)
{
	const char *p = a.n ? memchr(a.s, c, a.n) : NULL;

	return p ? (size_t)(p - a.s) : a.n;
}

size_t
str_rfind(struct str a, char c)
{
	size_t i;

	for (i = a.n; i > 0; i--)
		if (a.s[i - 1] == c)
			return i - 1;
	return a.n;
}

/* The place of the byte of NEEDLE that is rarest in profiles, to have few false matches. */
static size_t
find_rarest(struct str needle)
{
	/* The most common bytes of words, of JSON names and of numbers, in ascending order of
	 * frequency. */
	static const char common[] = "bgwpyfhmducl_/987654321srniaot0e:,\" \n";
	static const size_t n = sizeof common - 1;
	size_t i, rank, best = 0, lowest = SIZE_MAX;
	const char *p;

	for (i = 0; i < needle.n; i++) {
		p = memchr(common, needle.s[i], n);
		rank = p ? (size_t)(p - common) + 1 : 0;
		if (rank < lowest) {
			lowest = rank;
			best = i;
		}
	}
	return best;
}

size_t
str_search(struct str a, struct str needle)
{
	enum { LONG = 512 };
	size_t i = 0, at = a.n < LONG ? 0 : find_rarest(needle);
	const char *p;

	if (!needle.n)
		return 0;
	while (i + needle.n <= a.n) {
		p = memchr(a.s + i + at, needle.s[at], a.n - needle.n - i + 1);
		if (!p)
			break;
		i = (size_t)(p - a.s) - at;
		if (memcmp(a.s + i, needle.s, needle.n) == 0)
			return i;
		i++;
	}
	return a.n;
}

struct str
str_cut(struct str *rest, char c)
{
	size_t i = str_find(*rest, c);
	struct str head = str_head(*rest, i);

	*rest = str_from(*rest, i + 1);
	return head;
}

struct str
str_word(struct str *rest)
{
	struct str r = *rest, word;
	size_t i = 0;

	while (r.n && str_is_blank(r.s[0]))
		r = str_from(r, 1);
	while (i < r.n && !str_is_blank(r.s[i]))
		i++;
	word = str_head(r, i);
	*rest = str_from(r, i);
	return word;
}

static bool
is_space(char c)
{
	return str_is_blank(c) || c == '\r' || c == '\n';
}

struct str
str_trim(struct str a)
{
	while (a.n && is_space(a.s[0]))
		a = str_from(a, 1);
	while (a.n && is_space(a.s[a.n - 1]))
		a.n--;
	return a;
}

struct str
str_field(struct str text, struct str key)
{
	struct str line;

	while (text.n) {
		line = str_cut(&text, '\n');
		if (str_starts(line, key))
			return str_trim(str_from(line, key.n));
	}
	return text;
}

struct str
str_base(struct str a)
{
	size_t i = str_rfind(a, '/');

	return i == a.n ? a : str_from(a, i + 1);
}

bool
str_to_u64(struct str a, uint64_t *value)
{
	uint64_t v = 0;
	size_t i;
	unsigned d;

	for (i = 0; i < a.n; i++) {
		if (!str_is_digit(a.s[i]))
			return false;
		d = (unsigned)(a.s[i] - '0');
		if (v > (UINT64_MAX - d) / 10)
			return false;
		v = v * 10 + d;
	}
	*value = v;
	return a.n > 0;
}

bool
str_to_bytes(struct str a, uint64_t *value)
{
	static const char letters[] = "KMGT";
	const char *letter =
		a.n ? memchr(letters, a.s[a.n - 1], sizeof letters - 1) : NULL;
	unsigned shift = letter ? (unsigned)(letter - letters + 1) * 10 : 0;
	uint64_t v;

	a.n -= letter != NULL;
	if (!str_to_u64(a, &v) || v > UINT64_MAX >> shift)
		return false;
	*value = v << shift;
	return true;
}

static int
hex_digit(char c)
{
	if (str_is_digit(c))
		return c - '0';
	c = (char)(c | 0x20);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool
str_hex_to_u64(struct str a, uint64_t *value)
{
	uint64_t v = 0;
	size_t i;
	int d;

	if (!a.n || a.n > 16)
		return false;
	for (i = 0; i < a.n; i++) {
		d = hex_digit(a.s[i]);
		if (d < 0)
			return false;
		v = v << 4 | (unsigned)d;
	}
	*value = v;
	return true;
}

/* Odd constants without structure: the fractional parts of the square roots of 2, 3, 5 and 7. */
static const uint64_t ODD[4] = { 0x6a09e667f3bcc909, 0xbb67ae8584caa73b,
	0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1 };

/* The last N (1 to 7) bytes of a string, at P, as one word, zero filled. If the string IS_LONG, 8
 * bytes or more, the bytes before P are read with them. */
static uint64_t
load_tail(const char *p, size_t n, bool is_long)
{
	uint64_t w = 0;
	size_t i;

	if (is_long)
		return str_eight(p + n - 8) >> (64 - 8 * n);
	for (i = 0; i < n; i++)
		w |= (uint64_t)(unsigned char)p[i] << 8 * i;
	return w;
}

static uint64_t
rotate(uint64_t x, int by)
{
	return x << by | x >> (64 - by);
}

/* Every bit of X reaches every bit of the result. */
static uint64_t
scatter(uint64_t x)
{
	x = (x ^ x >> 32) * 0xd6e8feb86659fd93;
	x = (x ^ x >> 32) * 0xd6e8feb86659fd93;
	return x ^ x >> 32;
}

uint64_t
str_hash(struct str a)
{
	uint64_t h = a.n * ODD[0];
	bool is_long = a.n >= 8;

	for (; a.n >= 8; a = str_from(a, 8))
		h = rotate((h ^ str_eight(a.s)) * ODD[1], 29);
	if (a.n)
		h = (h ^ load_tail(a.s, a.n, is_long)) * ODD[2];
	return scatter(h);
}

/* The four chains of a digest, separate so that each has a register and their multiplications
 * overlap. */
struct lanes {
	uint64_t a, b, c, d;
};

static uint64_t
stir(uint64_t lane, uint64_t word, uint64_t odd)
{
	return rotate((lane ^ word) * odd, 31);
}

static inline void
stir_block(struct lanes *l, const char *p)
{
	l->a = stir(l->a, str_eight(p), ODD[0]);
	l->b = stir(l->b, str_eight(p + 8), ODD[1]);
	l->c = stir(l->c, str_eight(p + 16), ODD[2]);
	l->d = stir(l->d, str_eight(p + 24), ODD[3]);
}

struct str_digest
str_digest(struct str a)
{
	struct lanes l = { ODD[0], ODD[1], ODD[2], ODD[3] };
	char last[32] = { 0 };
	uint64_t left, right;
	size_t at;

	for (at = 0; at + 32 < a.n; at += 32)
		stir_block(&l, a.s + at);
	/* The last block ends with A: it overlaps the previous one, which avoids a branch on the
	 * rest. The size keeps different lengths apart. */
	if (a.n >= 32) {
		stir_block(&l, a.s + a.n - 32);
	} else {
		if (a.n)
			memcpy(last, a.s, a.n);
		stir_block(&l, last);
	}
	/* Each half mixes all lanes in its own way. */
	left = l.a + rotate(l.b, 13) + rotate(l.c, 29) + rotate(l.d, 47);
	right = (l.a ^ rotate(l.c, 41)) * ODD[0] + (l.b ^ rotate(l.d, 19)) * ODD[2];
	return (struct str_digest){ scatter(left + a.n), scatter(right ^ a.n) };
}
