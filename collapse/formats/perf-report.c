/* SPDX-License-Identifier: ISC */
/*
 * Output of perf report --stdio with folded call chains:
 *
 *	perf report --no-children --stdio -g folded,0,caller,count
 *
 *	# Samples: 944  of event 'cpu-clock:ppp'
 *	#
 *	# Overhead  Command  Shared Object  Symbol
 *	# ........  .......  .............  ....................
 *	#
 *	    56.25%  work     work           [.] app::Store::load
 *	531 main;step;app::Store::load
 *
 * An entry, then its chains with their weights: samples with "count", periods of the
 * event with "period". Chains begin at the root with "caller", at the leaf, the entry's
 * symbol, with "callee". Percentages cannot be used as weights, and with --children the
 * same sample is in many entries. (tools/perf/ui/stdio/hist.c,
 * hist_entry_callchain__fprintf)
 */
#include "collapse.h"
#include "formats.h"
#include "msg.h"
#include "stacks/counted-stack.h"

#include <inttypes.h>

/* The range of a column in each line; END is 0 without such a column. */
struct column {
	size_t at, end;
};

struct reader {
	struct input *in;
	struct collapse *c;
	struct counted_stack stack;
	struct column comm, symbol;
	struct buf heading; /* the line of column names */
	struct buf event, thread, leaf;
	uint64_t samples; /* the event's, rounded; 0: unknown */
	bool begun;	  /* a chain was read */
	bool refused;
};

static struct str
cut_column(struct str line, const struct column *column)
{
	return str_trim(str_from(str_head(line, column->end), column->at));
}

/* Parses "# ........  .......", the line below the heading. */
static void
parse_dots(struct reader *r, struct str line)
{
	struct str heading = buf_view(&r->heading), name;
	struct column column;
	size_t at = 1;

	r->comm = r->symbol = (struct column){ 0 };
	while (at < line.n) {
		while (at < line.n && line.s[at] != '.')
			at++;
		column.at = at;
		while (at < line.n && line.s[at] == '.')
			at++;
		/* The last column may be longer than its dots. */
		column.end = at < line.n ? at : SIZE_MAX;
		name = cut_column(heading, &column);
		if (str_eq(name, STR("Command")))
			r->comm = column;
		else if (str_eq(name, STR("Symbol")))
			r->symbol = column;
	}
}

/* Reports WHY this kind of report does not contain weighted stacks. */
static void
refuse(struct reader *r, const char *why)
{
	msg_error("%s:%" PRIu64 ": %s; print the report with perf report --no-children "
		  "--stdio -g folded,0,caller,count",
		input_name(r->in), input_line_number(r->in), why);
	r->refused = true;
}

/* Reads "944", "12K" or "3M", which perf has rounded down; returns an upper bound. */
static uint64_t
read_samples(struct str text)
{
	uint64_t n = 0, times = 1;

	if (str_ends(text, STR("K")))
		times = 1000;
	else if (str_ends(text, STR("M")))
		times = 1000000;
	text.n -= times > 1;
	return str_to_u64(text, &n) && n < UINT64_MAX / times - 1
		? (n + (times > 1)) * times
		: 0;
}

static void
parse_comment(struct reader *r, struct str line)
{
	struct str of = STR("of event '"), samples;
	size_t at = str_search(line, of);

	if (at < line.n) {
		samples = str_from(str_head(line, at), str_find(line, ':') + 1);
		r->samples = read_samples(str_word(&samples));
		line = str_from(line, at + of.n);
		buf_clear(&r->event);
		buf_str(&r->event, str_cut(&line, '\''));
	} else if (str_starts(line, STR("# Children "))) {
		refuse(r, "callers have the samples of those they call");
	} else if (str_starts(line, STR("# Overhead "))) {
		buf_clear(&r->heading);
		buf_str(&r->heading, line);
	} else if (str_starts(line, STR("# ..."))) {
		parse_dots(r, line);
	}
}

/* Parses the entry of the chains that follow. */
static void
parse_entry(struct reader *r, struct str line)
{
	struct str symbol = cut_column(line, &r->symbol);

	/* "[k] do_syscall_64" */
	if (str_starts(symbol, STR("[")) && symbol.n > 4 && symbol.s[2] == ']')
		symbol = str_trim(str_from(symbol, 3));
	buf_clear(&r->thread);
	buf_clear(&r->leaf);
	buf_str(&r->thread, cut_column(line, &r->comm));
	buf_str(&r->leaf, symbol);
}

static void
cut_frame(struct str line, struct frame_names_symbol *s)
{
	s->name = line;
}

/* Whether CHAIN begins with the entry's symbol, and so goes from leaf to root. */
static bool
is_leaf_first(const struct reader *r, struct str chain)
{
	struct str rest = chain, first = str_cut(&rest, ';'),
		   last = str_from(chain, str_rfind(chain, ';') + 1);
	struct str leaf = buf_view(&r->leaf);

	return rest.n && leaf.n && str_eq(first, leaf) && !str_eq(last, leaf);
}

/* Adds the frames of CHAIN, innermost first. */
static void
add_chain(struct reader *r, struct str chain)
{
	bool leaf_first = is_leaf_first(r, chain);
	size_t at;

	while (chain.n) {
		if (leaf_first) {
			frame_names_line(
				&r->stack.names, str_cut(&chain, ';'), cut_frame);
			continue;
		}
		at = str_rfind(chain, ';');
		at = at < chain.n ? at + 1 : 0;
		frame_names_line(&r->stack.names, str_from(chain, at), cut_frame);
		chain.n = at ? at - 1 : 0;
	}
}

/* A chain heavier than the number of samples is weighed in periods, whose number of
 * samples is unknown. The heaviest chain comes first. */
static void
judge_weights(struct reader *r, struct str number)
{
	uint64_t n;

	if (r->begun)
		return;
	r->begun = true;
	if (!r->samples || !str_to_u64(number, &n) || n <= r->samples)
		return;
	r->stack.unit = 1;
	collapse_exact(r->c);
}

static void
parse_line(struct reader *r, struct str line)
{
	struct str rest = line, number;

	if (!line.n)
		return;
	if (line.s[0] == '#') {
		parse_comment(r, line);
		return;
	}
	if (str_is_blank(line.s[0])) {
		parse_entry(r, line);
		return;
	}
	number = str_word(&rest);
	rest = str_trim(rest);
	if (str_ends(number, STR("%")) && rest.n) {
		refuse(r, "the call chains have percentages");
	} else if (counted_stack_is_number(number) && rest.n) {
		r->stack.sample = (struct collapse_sample){ .comm = buf_view(&r->thread),
			.event = buf_view(&r->event) };
		judge_weights(r, number);
		add_chain(r, rest);
		counted_stack_end(&r->stack, number);
	} else {
		collapse_lose(r->c, COLLAPSE_MALFORMED);
	}
}

static bool
run(struct input *in, struct collapse *c)
{
	struct reader r = { .in = in, .c = c, .stack.names.c = c };
	struct str line;

	collapse_threadless(c);
	while (!r.refused && input_line(in, &line))
		parse_line(&r, line);
	counted_stack_release(&r.stack);
	buf_release(&r.heading);
	buf_release(&r.event);
	buf_release(&r.thread);
	buf_release(&r.leaf);
	return !r.refused;
}

/* Whether LINE is "531 main;step" or "56.25% main;step". */
static bool
is_chain(struct str line)
{
	struct str number = str_word(&line);
	size_t i;

	if (str_ends(number, STR("%")))
		number.n--;
	for (i = 0; i < number.n; i++)
		if (!str_is_digit(number.s[i]) && number.s[i] != '.')
			return false;
	return number.n && str_trim(line).n;
}

static int
probe(struct str head)
{
	bool named = false, entry = false;
	struct str line;

	while (head.n) {
		line = str_cut(&head, '\n');
		if (str_starts(line, STR("# Overhead ")) ||
			str_starts(line, STR("# Children ")))
			named = true;
		if (entry && is_chain(line))
			return 90;
		/* "    56.25%  work" */
		entry = named && line.n && line.s[0] == ' ' &&
			str_find(line, '%') < line.n;
	}
	return 0;
}

const struct collapse_format collapse_perf_report = {
	.probe = probe,
	.signs = SIGNS(SIGN(ANYWHERE, "# Overhead "), SIGN(ANYWHERE, "# Children ")),
	.run = run,
	.uses = COLLAPSE_USES_BY | COLLAPSE_USES_FULL_NAMES,
};
