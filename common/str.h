/* SPDX-License-Identifier: ISC */
/*
 * struct str: a borrowed slice of bytes. It is passed by value, never freed and never kept: to keep
 * one, intern it or copy it to an arena. It has no terminator and may hold any byte. s may be NULL
 * when n is 0.
 */
#ifndef STR_H
#define STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct str {
	const char *s;
	size_t n;
};

/* A slice of a string literal. */
#define STR(literal) ((struct str){ (literal), sizeof(literal) - 1 })

/* The arguments of "%.*s" to print the slice A, a variable or a member. */
#define STR_ARG(a) (int)(a).n, (a).s

static inline struct str
str_of(const char *cstring)
{
	return (struct str){ cstring, cstring ? strlen(cstring) : 0 };
}

/* The eight bytes at AT as a little-endian number, on any machine. */
static inline uint64_t
str_eight(const char *at)
{
	uint64_t w;

	memcpy(&w, at, sizeof w);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	w = __builtin_bswap64(w);
#endif
	return w;
}

/* The end of A, after its last byte; for an empty one A.s, which may be NULL. */
static inline const char *
str_end(struct str a)
{
	return a.n ? a.s + a.n : a.s;
}

static inline bool
str_eq(struct str a, struct str b)
{
	return a.n == b.n && (a.n == 0 || memcmp(a.s, b.s, a.n) == 0);
}

static inline bool
str_starts(struct str a, struct str head)
{
	return a.n >= head.n && (head.n == 0 || memcmp(a.s, head.s, head.n) == 0);
}

static inline bool
str_ends(struct str a, struct str tail)
{
	return a.n >= tail.n &&
		(tail.n == 0 || memcmp(a.s + a.n - tail.n, tail.s, tail.n) == 0);
}

/* A without its first N bytes; empty if N is larger. */
static inline struct str
str_from(struct str a, size_t n)
{
	n = n < a.n ? n : a.n;
	return (struct str){ a.s ? a.s + n : NULL, a.n - n };
}

/* The first N bytes of A, or all of A if N is larger. */
static inline struct str
str_head(struct str a, size_t n)
{
	return (struct str){ a.s, n < a.n ? n : a.n };
}

/* A blank within a line: space or tab. */
static inline bool
str_is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static inline bool
str_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* A hexadecimal digit of either case. */
static inline bool
str_is_hex(char c)
{
	return str_is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* A byte of an identifier; many languages have '$' in theirs. */
static inline bool
str_is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || str_is_digit(c) ||
		c == '_' || c == '$';
}

/* Byte order: memcmp over the shorter length, then the shorter first. */
int str_cmp(struct str a, struct str b);

/* The first or last place of byte C in A, or A.n if absent. */
size_t str_find(struct str a, char c);
size_t str_rfind(struct str a, char c);

/* The first place of NEEDLE in A, or A.n if absent; an empty NEEDLE is found at 0. */
size_t str_search(struct str a, struct str needle);

/* Cuts the part before the first byte C off *REST and returns it; C is dropped. Without a C,
 * returns all of *REST and empties it. */
struct str str_cut(struct str *rest, char c);

/* The same for the next word, separated by blanks. Leading blanks are skipped. */
struct str str_word(struct str *rest);

/* What follows KEY, trimmed, in the first line of TEXT that begins with it, as in
 * /proc/PID/status; empty if none does. */
struct str str_field(struct str text, struct str key);

/* A without blanks, CR and LF at its ends. */
struct str str_trim(struct str a);

/* The part of A after the last '/', or all of A. */
struct str str_base(struct str a);

/* Parses A, which must consist of digits, into *VALUE. False when it is empty, holds another byte,
 * or overflows 64 bits. */
bool str_to_u64(struct str a, uint64_t *value);

/* The same for a number of bytes, which K, M, G or T may follow. */
bool str_to_bytes(struct str a, uint64_t *value);

/* The same as str_to_u64 for hexadecimal digits of either case, without a prefix. */
bool str_hex_to_u64(struct str a, uint64_t *value);

/* A 64-bit hash of A for tables: the same on every machine, not resistant to deliberate
 * collisions. */
uint64_t str_hash(struct str a);

/* A 128-bit digest of A: equal bytes have equal digests, and two different slices collide by chance
 * once in 2^128. Reads about 8 bytes a cycle. */
struct str_digest {
	uint64_t a, b;
};
struct str_digest str_digest(struct str a);

#endif
