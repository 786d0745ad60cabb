/* SPDX-License-Identifier: ISC */
/*
 * Symbols of a kernel; see kallsyms.h. The letters are as in nm(1): upper case for
 * global symbols, T for text, W for weak symbols, which are also text here.
 *
 * A kernel has more than 100,000 symbols in order of their addresses, followed by its
 * modules' symbols in order of loading. A recording needs some hundred: so only the
 * first line of each block of the ordered part is read, and a block when one of its
 * addresses is needed.
 */
#include "kallsyms.h"
#include "bytes.h"
#include "elf.h"
#include "mem.h"
#include "search.h"

#include <fcntl.h>
#include <unistd.h>

/* The value of a hexadecimal digit plus one, 0 for another byte. Addresses are as good
 * as random, so branches between digits and letters would be mispredicted. */
static const unsigned char digits[256] = { ['0'] = 1,
	['1'] = 2,
	['2'] = 3,
	['3'] = 4,
	['4'] = 5,
	['5'] = 6,
	['6'] = 7,
	['7'] = 8,
	['8'] = 9,
	['9'] = 10,
	['a'] = 11,
	['b'] = 12,
	['c'] = 13,
	['d'] = 14,
	['e'] = 15,
	['f'] = 16,
	['A'] = 11,
	['B'] = 12,
	['C'] = 13,
	['D'] = 14,
	['E'] = 15,
	['F'] = 16 };

/* Cuts an address of up to 16 digits off *LINE, and the blank behind it. */
static bool
cut_address(struct str *line, uint64_t *address)
{
	size_t n, most = line->n < 16 ? line->n : 16;
	unsigned digit;

	*address = 0;
	for (n = 0; n < most && (digit = digits[(unsigned char)line->s[n]]); n++)
		*address = *address << 4 | (digit - 1);
	if (!n || n == line->n || line->s[n] != ' ')
		return false;
	*line = str_from(*line, n + 1);
	return true;
}

/* Cuts the letter of a function off *LINE, and the blank behind it. */
static bool
cut_type(struct str *line, unsigned char *binding)
{
	char c = line->n > 2 ? line->s[0] : '\0';

	switch (c) {
	case 'T': *binding = ELF_GLOBAL; break;
	case 't': *binding = ELF_LOCAL; break;
	case 'W':
	case 'w': *binding = ELF_WEAK; break;
	default: return false;
	}
	if (line->s[1] != ' ')
		return false;
	*line = str_from(*line, 2);
	return true;
}

/* Parses LINE. Returns false unless it is a function with an address. ARM kernels list
 * marks ($a, $x) like functions. */
static bool
read_line(struct str line, struct symtab_symbol *s)
{
	*s = (struct symtab_symbol){ 0 };
	if (!cut_address(&line, &s->start) || !s->start || !cut_type(&line, &s->binding))
		return false;
	s->name = str_trim(str_cut(&line, '\t'));
	s->module = str_trim(line);
	return s->name.n && s->name.s[0] != '$';
}

enum { BLOCK = 1 << 13 };

/* Lines of the ordered part, BLOCK bytes or little more. */
struct block {
	uint64_t first;		/* the address in its first line */
	size_t at;		/* its place in the text */
	uint64_t least;		/* the lowest of its functions; UINT64_MAX: none */
	struct symtab *symbols; /* NULL: not read yet */
};

struct kallsyms {
	struct str text;
	struct block *blocks;
	size_t n, cap;
	size_t ordered; /* where the blocks end in the text */
	struct symtab *rest;
};

/* The symbols of TEXT, in any order, or NULL. */
static struct symtab *
read_all(struct str text)
{
	struct symtab *t = symtab_new();
	struct symtab_symbol s;
	bool any = false;

	while (text.n) {
		if (!read_line(str_cut(&text, '\n'), &s))
			continue;
		symtab_add(t, &s);
		any = true;
	}
	if (!any) {
		symtab_free(t);
		return NULL;
	}
	symtab_seal(t, SYMTAB_LAST, true);
	return t;
}

/* Finds the starts of blocks, up to the first line that is out of order or a module's. */
static void
find_blocks(struct kallsyms *k)
{
	struct str rest = k->text, skipped, line;
	uint64_t address, last = 0;

	while (rest.n) {
		struct block b = { .at = k->text.n - rest.n, .least = UINT64_MAX };

		line = str_head(rest, str_find(rest, '\n'));
		if (!cut_address(&line, &address) || address < last ||
			str_find(line, '\t') < line.n)
			break;
		b.first = last = address;
		*MEM_ADD(k->blocks, k->n, k->cap) = b;
		skipped = str_head(rest, BLOCK);
		rest = str_from(rest, skipped.n);
		(void)str_cut(&rest, '\n');
	}
}

/* Reads all symbols, in place of blocks. */
static void
give_up_order(struct kallsyms *k)
{
	size_t i;

	for (i = 0; i < k->n; i++)
		symtab_free(k->blocks[i].symbols);
	k->n = k->ordered = 0;
	symtab_free(k->rest);
	k->rest = read_all(k->text);
}

struct kallsyms *
kallsyms_parse(struct str text)
{
	struct kallsyms *k = mem_zero(1, sizeof *k);

	k->text = text;
	find_blocks(k);
	/* The order may end within the last block. */
	if (k->n && k->blocks[k->n - 1].first)
		k->ordered = k->blocks[--k->n].at;
	else
		k->n = 0;
	k->rest = read_all(str_from(text, k->ordered));
	if (k->rest || k->n)
		return k;
	kallsyms_free(k);
	return NULL;
}

void
kallsyms_free(struct kallsyms *k)
{
	size_t i;

	if (!k)
		return;
	for (i = 0; i < k->n; i++)
		symtab_free(k->blocks[i].symbols);
	symtab_free(k->rest);
	free(k->blocks);
	free(k);
}

/* The end of block I in the text. */
static size_t
block_end(const struct kallsyms *k, size_t i)
{
	return i + 1 < k->n ? k->blocks[i + 1].at : k->ordered;
}

/* Ends the last function of block I in T where the next function starts. */
static void
add_end(const struct kallsyms *k, size_t i, struct symtab *t)
{
	struct str rest = str_from(k->text, block_end(k, i));
	struct symtab_symbol s;

	while (rest.n) {
		if (!read_line(str_cut(&rest, '\n'), &s))
			continue;
		if (!s.module.n)
			symtab_add_end(t, s.start);
		return;
	}
}

/* Reads block I. Returns false if it is not in order. */
static bool
read_block(struct kallsyms *k, size_t i)
{
	struct block *b = &k->blocks[i];
	uint64_t most = i + 1 < k->n ? b[1].first : UINT64_MAX;
	struct str rest = str_from(str_head(k->text, block_end(k, i)), b->at);
	struct symtab_symbol s;

	b->symbols = symtab_new();
	while (rest.n) {
		if (!read_line(str_cut(&rest, '\n'), &s))
			continue;
		if (s.start < b->first || s.start > most || s.module.n)
			return false;
		if (s.start < b->least)
			b->least = s.start;
		symtab_add(b->symbols, &s);
	}
	if (b->least != UINT64_MAX)
		add_end(k, i, b->symbols);
	symtab_seal(b->symbols, SYMTAB_LAST, true);
	return true;
}

/* The symbol of the ordered part that contains ADDRESS. */
static const struct symtab_symbol *
find_ordered(struct kallsyms *k, uint64_t address)
{
	size_t i = search_upto(k->blocks, k->n, sizeof *k->blocks, address);

	for (; i > 0; i--) {
		if (!k->blocks[i - 1].symbols && !read_block(k, i - 1)) {
			give_up_order(k);
			return NULL;
		}
		if (k->blocks[i - 1].least <= address)
			return symtab_find(k->blocks[i - 1].symbols, address);
	}
	return NULL;
}

const struct symtab_symbol *
kallsyms_find(struct kallsyms *k, uint64_t address)
{
	const struct symtab_symbol *a = find_ordered(k, address), *b;

	b = k->rest ? symtab_find(k->rest, address) : NULL;
	return a && (!b || b->start < a->start) ? a : b;
}

size_t
kallsyms_running_id(char id[KALLSYMS_ID])
{
	/* Usually a few hundred bytes of notes. */
	char notes[65536];
	struct str found;
	ssize_t n;
	int fd = open("/sys/kernel/notes", O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return 0;
	n = read(fd, notes, sizeof notes);
	close(fd);
	if (n <= 0)
		return 0;
	found = elf_note(bytes_of((struct str){ notes, (size_t)n }, false), 4, STR("GNU"),
		ELF_NOTE_BUILD_ID);
	if (!found.n || found.n > KALLSYMS_ID)
		return 0;
	memcpy(id, found.s, found.n);
	return found.n;
}
