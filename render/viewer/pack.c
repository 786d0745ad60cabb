/* SPDX-License-Identifier: ISC */
/*
 * Packs the viewer when it is built: bytes from the standard input become text for CDATA on
 * the standard output. unpack.js says what it means, and computes the same in integers.
 *
 * A bit tells whether a byte is the one that followed when the three before it were last seen.
 * If it is not, eight bits tell which it is. Three models guess each bit, from the bytes before
 * it: the last, the last two, and the word that goes on. A model is a table of chances, which
 * adapt. What they guess is mixed with weights, which adapt too, and an arithmetic coder writes
 * the bits in base 93: the less the surer they were. Deflate, with the best parser, takes an
 * eighth more.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	MODELS = 3,
	TABLE = 1 << 18, /* entries of a model */
	NIBBLE = 16,	 /* entries that the bits of half a byte need */
	ONE = 4096,	 /* of chances */
	HALF = ONE / 2,
	RANGE_LEAST = 1 << 23,
	BASE = 93,
	COUNT_MOST = 12, /* how often an entry was used, as far as that matters */
	LEARN = 14,	 /* how fast weights adapt */
	WEIGHT = 24000,	 /* at first; 65536 is 1 */
	SETS = 512,	 /* of weights: by the bits so far, and whether a word goes on */
	GUESSES = 1 << 16
};

struct packer {
	int squash[ONE], stretch[ONE], rate[16];
	uint16_t chances[MODELS *
		TABLE]; /* chance ^ HALF, and in the low 4 bits the count */
	int32_t weights[SETS * MODELS];
	uint32_t hash[MODELS], slot[MODELS], last; /* the last three bytes */
	unsigned char guess[GUESSES];		   /* 0: none */
	int set;
	int64_t range;
	unsigned char *digits;
	size_t n, room;
};

static void *
allocate(void *old, size_t n)
{
	void *p = realloc(old, n);

	if (!p) {
		fputs("pack: out of memory\n", stderr);
		exit(2);
	}
	return p;
}

/* The logistic function and its inverse, of values times 256. */
static void
fill_tables(struct packer *p)
{
	double e = 1;
	int x, i;

	for (x = 0; x < HALF; x++) {
		p->squash[HALF + x] = (int)(ONE * e / (1 + e));
		p->squash[HALF - 1 - x] = ONE - 1 - p->squash[HALF + x];
		e *= 1.00391389;
	}
	for (i = x = 0; i < ONE; i++) {
		while (x < ONE - 1 && p->squash[x] < i)
			x++;
		p->stretch[i] = x - HALF;
	}
	for (i = 0; i < 16; i++)
		p->rate[i] = (int)(65536 / (i + 1.4));
	for (i = 0; i < SETS * MODELS; i++)
		p->weights[i] = WEIGHT;
}

static void
put_digit(struct packer *p)
{
	if (p->n == p->room)
		p->digits = allocate(p->digits, p->room = 2 * p->room + 1024);
	p->digits[p->n++] = 0;
	p->range *= BASE;
}

/* Adds VALUE to the number that the digits are. */
static void
add(struct packer *p, int64_t value)
{
	size_t i;

	for (i = p->n; value; value /= BASE) {
		value += p->digits[--i];
		p->digits[i] = (unsigned char)(value % BASE);
	}
}

static void
put_bit(struct packer *p, int node, int set, int bit)
{
	int32_t *weights = p->weights + set * MODELS;
	uint16_t *entry[MODELS];
	int k, input[MODELS], chance, count, error;
	int64_t sum = 0, bound;

	for (k = 0; k < MODELS; k++) {
		entry[k] = p->chances + k * TABLE + p->slot[k] + node;
		input[k] = p->stretch[(*entry[k] >> 4) ^ HALF];
		sum += (int64_t)weights[k] * input[k];
	}
	sum >>= 16;
	sum = sum < -HALF ? -HALF : sum > HALF - 1 ? HALF - 1 : sum;
	chance = p->squash[sum + HALF];
	bound = p->range / ONE * chance;
	if (!bit)
		add(p, bound);
	p->range = bit ? bound : p->range - bound;
	while (p->range < RANGE_LEAST)
		put_digit(p);
	error = (bit * ONE - chance) * LEARN;
	for (k = 0; k < MODELS; k++) {
		weights[k] += (input[k] * error + 32768) >> 16;
		count = *entry[k] & 15;
		chance = (*entry[k] >> 4) ^ HALF;
		chance += ((bit * (ONE - 1) - chance) * p->rate[count]) >> 16;
		*entry[k] =
			(uint16_t)((chance ^ HALF) << 4 | (count + (count < COUNT_MOST)));
	}
}

/* Finds where the models have their chances of what NODE stands for. */
static void
find_slots(struct packer *p, int node)
{
	int k;

	for (k = 0; k < MODELS; k++)
		p->slot[k] =
			(p->hash[k] + (uint32_t)node * 0x2f0b4c47) * 0x9e3779b1 >> 12 &
			(TABLE - NIBBLE);
}

static void
put_nibble(struct packer *p, int node, int nibble)
{
	int k, bit, place = 1;

	find_slots(p, node);
	for (k = 3; k >= 0; k--) {
		bit = nibble >> k & 1;
		put_bit(p, place, p->set + node, bit);
		place = 2 * place + bit;
		node = 2 * node + bit;
	}
}

static void
put_byte(struct packer *p, int byte)
{
	int before = (int)(p->last & 255), letter = before | 32;
	unsigned char *guess = p->guess + (p->last * 0x9e3779b1 >> 16);

	/* digits, letters and the words of words.awk */
	if ((letter > 96 && letter < 123) || (before > 47 && before < 58) ||
		before > 159) {
		p->hash[2] = (p->hash[2] + (uint32_t)before + 1) * 0x2f0b4c47;
		p->set = SETS / 2;
	} else {
		p->hash[2] = 0;
		p->set = 0;
	}
	p->hash[0] = (uint32_t)before;
	p->hash[1] = (p->last & 65535) + 65536;
	if (*guess) {
		find_slots(p, *guess + 256);
		put_bit(p, 0, p->set, *guess == byte);
	}
	if (!*guess || *guess != byte) {
		put_nibble(p, 1, byte >> 4);
		put_nibble(p, 16 | byte >> 4, byte & 15);
	}
	*guess = (unsigned char)byte;
	p->last = (p->last << 8 | (uint32_t)byte) & 0xffffff;
}

int
main(void)
{
	struct packer *p = allocate(NULL, sizeof *p);
	size_t i;
	int c;

	memset(p, 0, sizeof *p);
	fill_tables(p);
	for (p->range = 1; p->range < RANGE_LEAST;)
		put_digit(p);
	while ((c = getchar()) != EOF)
		put_byte(p, c);
	/* the end */
	put_byte(p, 0);
	for (i = 0; i < p->n; i++)
		putchar(p->digits[i] + '!' == ']' ? '~' : p->digits[i] + '!');
	c = fflush(stdout) || ferror(stdin) || ferror(stdout);
	free(p->digits);
	free(p);
	return c ? 2 : 0;
}
