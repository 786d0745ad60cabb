/* SPDX-License-Identifier: ISC */
/*
 * The programs and libraries of code in frames; see folded.h. A sum of texts lists all of theirs,
 * in any input order:
 *
 * #fg-program name=spin@5f0c7d1e id=5f0c7d1ea0 path=/opt/demo/spin
 */
#include "folded.h"
#include "mem.h"

static int
by_name(const struct folded_program *a, const struct folded_program *b)
{
	int c = str_cmp(a->name, b->name);

	if (!c)
		c = str_cmp(a->build_id, b->build_id);
	return c ? c : str_cmp(a->path, b->path);
}

bool
folded_program_add(struct folded_info *info, const struct folded_program *program)
{
	size_t low = 0, high = info->n_programs, middle;
	struct folded_program *at;
	bool full;
	int c;

	while (low < high) {
		middle = low + (high - low) / 2;
		c = by_name(&info->programs[middle], program);
		if (!c)
			return true;
		if (c < 0)
			low = middle + 1;
		else
			high = middle;
	}
	/* The first in sorted order stay, so that sums do not depend on the order of inputs. */
	if (low == FOLDED_PROGRAMS_MOST)
		return false;
	full = info->n_programs == FOLDED_PROGRAMS_MOST;
	info->n_programs -= full;
	info->programs = mem_grow(info->programs, &info->cap_programs,
		info->n_programs + 1, sizeof *info->programs);
	at = &info->programs[low];
	memmove(at + 1, at, (info->n_programs++ - low) * sizeof *at);
	*at = (struct folded_program){ arena_str(&info->arena, program->name),
		arena_str(&info->arena, program->build_id),
		arena_str(&info->arena, program->path) };
	return !full;
}

/* Whether S is empty or pairs of hexadecimal digits in lower case. */
static bool
is_build_id(struct str s)
{
	size_t i;

	for (i = 0; i < s.n; i++)
		if (!str_is_digit(s.s[i]) && (s.s[i] < 'a' || s.s[i] > 'f'))
			return false;
	return s.n % 2 == 0;
}

const char *
folded_program_parse(struct folded_info *info, struct str text)
{
	static const char *const keys[] = { "name", "id", "path" };
	const char *wrong = NULL;
	struct buf values[] = { { 0 }, { 0 }, { 0 } };
	struct folded_program program;
	struct str word;
	size_t i;

	while ((word = str_word(&text)).n) {
		struct str key = str_cut(&word, '=');

		for (i = 0; i < sizeof keys / sizeof *keys; i++)
			if (str_eq(key, str_of(keys[i])) &&
				word.n <= FOLDED_FIELD_LONGEST) {
				buf_clear(&values[i]);
				buf_decoded(&values[i], word);
			}
	}
	program = (struct folded_program){ buf_view(&values[0]), buf_view(&values[1]),
		buf_view(&values[2]) };
	if (!program.name.n || !program.path.n || !is_build_id(program.build_id))
		wrong = "skipping an invalid #fg-program line";
	else if (!folded_program_add(info, &program))
		wrong = "skipping an #fg-program line: there are too many";
	for (i = 0; i < sizeof values / sizeof *values; i++)
		buf_release(&values[i]);
	return wrong;
}

void
folded_program_merge(struct folded_info *info, const struct folded_info *more)
{
	size_t i;

	for (i = 0; i < more->n_programs; i++)
		(void)folded_program_add(info, &more->programs[i]);
}

/* The path is encoded and last, like the names of tests. */
void
folded_program_put(struct buf *b, const struct folded_info *info)
{
	const struct folded_program *p;
	size_t i;

	for (i = 0; i < info->n_programs; i++) {
		p = &info->programs[i];
		buf_str(b, STR("#fg-program name="));
		buf_encoded(b, p->name, 0);
		if (p->build_id.n) {
			buf_str(b, STR(" id="));
			buf_encoded(b, p->build_id, 0);
		}
		buf_str(b, STR(" path="));
		buf_encoded(b, p->path, 0);
		buf_char(b, '\n');
	}
}
