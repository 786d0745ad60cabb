/* SPDX-License-Identifier: ISC */
/*
 * Output of probe-rs profile ... flat (probe-rs-tools, cmd/profile/flat.rs):
 *
 *	Samples 1234
 *	src/main.rs:42
 *	                                              my_function - 12.3%
 *	UNKNOWN - 08001234 - 0.4%
 *
 * The line with the file requires --line-info. An entry is one address, so a function has
 * several. Hits are computed from the entry's share of all samples, which has one decimal
 * and is one hit too large, as the first hit counts twice. Entries do not have stacks:
 * each is one frame.
 */
#include "collapse.h"
#include "folded.h"
#include "formats.h"
#include "stacks/frame-names.h"

/* Parses "Samples 1234". */
static bool
cut_total(struct str line, uint64_t *total)
{
	return str_starts(line, STR("Samples ")) &&
		str_to_u64(str_trim(str_from(line, 8)), total);
}

/* Parses "name - 12.3%"; *SHARE is in thousandths. */
static bool
cut_entry(struct str line, struct str *name, uint64_t *share)
{
	struct str rest = str_trim(line);
	bool rounded = false;
	size_t blank;

	if (!str_ends(rest, STR("%")))
		return false;
	rest.n--;
	blank = str_rfind(rest, ' ');
	if (blank == rest.n ||
		!folded_weight(str_from(rest, blank + 1), 1, share, &rounded))
		return false;
	*name = str_head(rest, blank);
	if (!str_ends(*name, STR(" -")))
		return false;
	name->n -= 2;
	return name->n > 0;
}

/* Whether LINE is like "src/main.rs:42" or "UNKNOWN:0". */
static bool
is_place(struct str line)
{
	size_t colon = str_rfind(line, ':');
	uint64_t number;

	return colon > 0 && colon < line.n &&
		str_to_u64(str_trim(str_from(line, colon + 1)), &number);
}

static int
probe(struct str head)
{
	struct str line = str_cut(&head, '\n'), name;
	uint64_t number;

	if (!cut_total(line, &number))
		return 0;
	line = str_cut(&head, '\n');
	if (is_place(line))
		line = str_cut(&head, '\n');
	return cut_entry(line, &name, &number) ? 100 : 0;
}

/* SHARE thousandths of TOTAL, rounded, but at least 1, as each entry has a hit. */
static uint64_t
count_hits(uint64_t share, uint64_t total)
{
	uint64_t hits;

	if (total > UINT64_MAX / 1001 || share > 1000)
		return total;
	hits = (share * total + 500) / 1000;
	return hits ? hits : 1;
}

/* Adds COUNT hits of NAME; STACK only lends its memory. */
static void
add_entry(struct frame_names *stack, struct str name, uint64_t count)
{
	struct collapse *c = stack->c;
	struct collapse_sample s = { .count = count };
	struct frame_names_symbol symbol = { .name = name };
	struct str unknown = STR("UNKNOWN - ");
	uint64_t address;

	if (!collapse_wants(c, &s))
		return;
	if (str_starts(name, unknown) &&
		str_hex_to_u64(str_from(name, unknown.n), &address)) {
		symbol.name.n = 0;
		symbol.address = str_from(name, unknown.n);
	}
	stack->n = 0;
	frame_names_add(stack, &symbol);
	collapse_stack(c, &s, stack->ids, stack->n);
}

static bool
run(struct input *in, struct collapse *c)
{
	struct frame_names stack = { .c = c };
	uint64_t total = 0, share;
	struct str line, name;

	collapse_threadless(c);
	while (input_line(in, &line)) {
		if (cut_entry(line, &name, &share))
			add_entry(&stack, name, count_hits(share, total));
		else if (!cut_total(line, &total) && !is_place(line) && str_trim(line).n)
			collapse_lose(c, COLLAPSE_MALFORMED);
	}
	collapse_explain(c, (struct str){ 0 },
		STR("code outside the program, such as a boot ROM"));
	frame_names_release(&stack);
	return true;
}

const struct collapse_format collapse_probe_rs_flat = {
	.probe = probe,
	.signs = SIGNS(SIGN(MAGIC, "Samples ")),
	.run = run,
	.uses = COLLAPSE_USES_ADDRS | COLLAPSE_USES_FULL_NAMES,
};
