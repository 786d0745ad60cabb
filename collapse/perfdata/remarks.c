/* SPDX-License-Identifier: ISC */
/* What is said of a recording as a whole; see remarks.h. */
#include "remarks.h"
#include "amount.h"
#include "buf.h"
#include "msg.h"

#include <stdio.h>

/* Whether the first line of the file PATH is LINE. */
static bool
says(const char *path, struct str line)
{
	char text[256];
	FILE *file = fopen(path, "r");
	bool same = file && fgets(text, sizeof text, file) &&
		str_eq(str_trim(str_of(text)), line);

	if (file)
		fclose(file);
	return same;
}

bool
remarks_is_local(const struct reader_about *about)
{
	return about->host.n && about->release.n &&
		says("/proc/sys/kernel/hostname", about->host) &&
		says("/proc/sys/kernel/osrelease", about->release);
}

bool
remarks_is_remote(const struct reader_about *about)
{
	return about->host.n && !says("/proc/sys/kernel/hostname", about->host);
}

struct str
remarks_advice(const char *why)
{
	static const struct {
		const char *why, *advice;
	} known[] = {
		{ "no symbols there", "stripped: install debug symbols" },
		{ "does not exist", "the file is not here: copy it and say --elf FILE" },
		{ "not found", "not found here: copy it and say --elf FILE" },
		{ "is not the file that was recorded (its build id differs)",
			"the file here is of another build: say --elf FILE for the one "
			"that was recorded" },
		{ "is not the file that --elf names (its build id differs)",
			"the file that --elf names is of another build" },
	};
	size_t i;

	for (i = 0; i < sizeof known / sizeof *known; i++)
		if (str_eq(str_of(why), str_of(known[i].why)))
			return str_of(known[i].advice);
	return str_of(why);
}

/* Adds ", 12 WHAT", when N is not 0. */
static void
put_kind(struct buf *b, uint64_t n, const char *what)
{
	if (!n)
		return;
	if (b->n)
		buf_str(b, STR(", "));
	amount_put_count(b, n);
	buf_char(b, ' ');
	buf_str(b, str_of(what));
}

/* Says how many stacks are not whole. */
static void
tell_ends(const struct chain_counts *counts, const char *input)
{
	static const char *const ends[UNWIND_ENDS] = {
		[UNWIND_CUT] = "cut with their snapshot (record more of it: -g "
			       "dwarf,65528)",
		[UNWIND_SWITCHED] = "continued on another stack (a signal handler's, "
				    "or a coroutine's)",
		[UNWIND_ABSENT] = "without memory to unwind (as within exec)",
		[UNWIND_NO_RULE] = "lost in code without unwind information",
		[UNWIND_NO_FILE] = "lost in code whose file is not here",
		[UNWIND_NO_MAP] = "lost where nothing is mapped",
		[UNWIND_BROKEN] = "lost where the stack makes no sense",
		[UNWIND_DEEP] = "deeper than 1,024 frames",
		[UNWIND_FOREIGN] = "of processors that are not unwound here",
	};
	struct buf b = { 0 }, n = { 0 };
	uint64_t partial = 0;
	int i;

	for (i = 0; i < UNWIND_ENDS; i++) {
		put_kind(&b, ends[i] ? counts->ends[i] : 0, ends[i]);
		partial += ends[i] ? counts->ends[i] : 0;
	}
	amount_put_count(&n, partial);
	buf_str(&n, STR(" of "));
	amount_put_count(&n, counts->snapshots);
	buf_str(&n, STR(" stacks"));
	if (b.n)
		msg_warn("%s: %s are not whole: %s", input, buf_cstr(&n), buf_cstr(&b));
	buf_release(&b);
	buf_release(&n);
}

void
remarks_tell(const struct chain_counts *counts, const char *input)
{
	struct buf b = { 0 };

	tell_ends(counts, input);
	put_kind(&b, counts->strays, counts->strays == 1 ? "value" : "values");
	if (b.n)
		msg_warn("%s: left %s in call chains out that %s no address", input,
			buf_cstr(&b), counts->strays == 1 ? "is" : "are");
	buf_release(&b);
}
