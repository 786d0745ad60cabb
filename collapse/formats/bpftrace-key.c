/* SPDX-License-Identifier: ISC */
/* Parses keys of bpftrace's maps. (bpftrace, src/bpftrace.cpp, get_stack) */
#include "bpftrace-key.h"
#include "frame.h"
#include "perf/perf-sample.h"

void
bpftrace_key_release(struct bpftrace_key *k)
{
	counted_stack_release(&k->stack);
	buf_release(&k->others);
}

void
bpftrace_key_begin(struct bpftrace_key *k)
{
	k->stack.names.n = k->first = 0;
	k->stack.sample = (struct collapse_sample){ 0 };
	buf_clear(&k->others);
}

bool
bpftrace_key_is_frame(struct str line)
{
	return str_starts(line, STR("    ")) || str_starts(line, STR("\t"));
}

/* Returns "work" of "work+12". */
static struct str
cut_offset(struct str text)
{
	size_t plus = str_rfind(text, '+');
	uint64_t value;

	return plus > 0 && plus < text.n && str_to_u64(str_from(text, plus + 1), &value)
		? str_head(text, plus)
		: text;
}

static void
cut_frame(struct str line, struct frame_names_symbol *s)
{
	struct str text = str_trim(line);
	struct perf_frame f;
	uint64_t value;

	s->name = cut_offset(text);
	if (line.s[0] == '\t' && perf_frame_parse(line, &f)) {
		s->name = cut_offset(f.symbol);
		s->module = f.module;
		s->address = f.address;
	} else if (frame_is_address(text, &value)) {
		s->address = str_from(text, 2);
		s->name.n = 0;
	} else if (str_hex_to_u64(text, &value)) {
		/* ustack(raw) prints bare addresses; symbols have an offset, so this is not one. */
		s->address = text;
		s->name.n = 0;
	}
}

/* Trims commas and blanks; an empty stack leaves two commas in a row. */
static struct str
trim_commas(struct str text)
{
	struct str had;

	do {
		had = text = str_trim(text);
		if (str_starts(text, STR(",")))
			text = str_from(text, 1);
		if (str_ends(text, STR(",")))
			text.n--;
	} while (text.n != had.n);
	return text;
}

void
bpftrace_key_line(struct bpftrace_key *k, struct str line)
{
	if (bpftrace_key_is_frame(line)) {
		frame_names_line(&k->stack.names, line, cut_frame);
		return;
	}
	if (!k->first)
		k->first = k->stack.names.n;
	line = trim_commas(line);
	if (!line.n)
		return;
	if (k->others.n)
		buf_char(&k->others, ',');
	buf_str(&k->others, line);
}

/* Cuts the number after the last comma off *TEXT; returns empty if there is none. */
static struct str
cut_number(struct str *text)
{
	size_t comma = str_rfind(*text, ',');
	struct str number = str_trim(str_from(*text, comma + 1));
	uint64_t value;

	if (comma == text->n || !str_to_u64(number, &value))
		return (struct str){ 0 };
	text->n = comma;
	return number;
}

/* Moves the kernel's stack inside the user's for @[ustack, kstack]. */
static void
order_stacks(struct bpftrace_key *k)
{
	struct frame_names *n = &k->stack.names;
	size_t i;

	if (!k->first || k->first == n->n ||
		collapse_judge_end(n->c, n->ids, k->first, COLLAPSE_UNJUDGED) !=
			COLLAPSE_ENTRY)
		return;
	for (i = 0; i < k->first; i++)
		frame_names_push(n, n->ids[i]);
	n->n -= k->first;
	memmove(n->ids, n->ids + k->first, n->n * sizeof *n->ids);
}

void
bpftrace_key_end(struct bpftrace_key *k, struct str name)
{
	struct collapse_sample *s = &k->stack.sample;
	struct str last, other;

	order_stacks(k);
	/* "main work", "main work,2349", "main work,2349,2350". A number alone serves as the
	 * name. */
	s->comm = buf_view(&k->others);
	last = cut_number(&s->comm);
	other = cut_number(&s->comm);
	s->pid = other.n ? other : last;
	s->tid = other.n ? last : other;
	/* A plain @ is not worth a name. */
	if (name.n > 1)
		s->event = name;
}
