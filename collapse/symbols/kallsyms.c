/* SPDX-License-Identifier: ISC */
/*
 * Symbols of a kernel; see kallsyms.h. The letters are those of nm(1): upper
 * case for global symbols, T for text, W for weak ones, which are text too here.
 */
#include "kallsyms.h"
#include "bytes.h"
#include "elf.h"

#include <fcntl.h>
#include <unistd.h>

/* The value of a hexadecimal digit and one, 0 for another byte. Addresses are as
 * good as random, and so would be a choice between digits and letters. */
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
take_address(struct str *line, uint64_t *address)
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
take_type(struct str *line, unsigned char *binding)
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

/* Whether LINE is a function with an address. ARM's kernels have marks ($a, $x)
 * among theirs, which are none. */
static bool
read_line(struct str line, struct symtab_symbol *s)
{
	*s = (struct symtab_symbol){ 0 };
	if (!take_address(&line, &s->start) || !s->start ||
		!take_type(&line, &s->binding))
		return false;
	s->name = str_trim(str_cut(&line, '\t'));
	s->module = str_trim(line);
	return s->name.n && s->name.s[0] != '$';
}

struct symtab *
kallsyms_parse(struct str text)
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

size_t
kallsyms_running_id(char id[KALLSYMS_ID])
{
	/* A few hundred bytes in fact: a handful of notes. */
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
	found = elf_note_among(bytes_of((struct str){ notes, (size_t)n }, false), 4,
		STR("GNU"), ELF_NOTE_BUILD_ID);
	if (!found.n || found.n > KALLSYMS_ID)
		return 0;
	memcpy(id, found.s, found.n);
	return found.n;
}
