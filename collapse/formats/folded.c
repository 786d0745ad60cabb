/* SPDX-License-Identifier: ISC */
/*
 * Folded text (fg-folded.5) by any tool; fg-collapse passes it through:
 *
 *	main;work;read 12			FlameGraph, inferno, fg; difffolded.pl: two weights
 *	fib (fib.py:3);fib (fib.py:4) 7		py-spy record -f raw
 *	main - a.rb:3;fib - a.rb:9 7		rbspy record -f raw
 *	java/lang/Thread.run_[j];read_[k] 3	async-profiler -o collapsed
 *	main::fib;main::fib 1255		nytprofcalls, in ticks
 *	;/srv/w.php;A::go 10			PHP's excimer; first frame empty
 *	main;recurse 8				uftrace dump --flame-graph
 *	@0x562f0466e2c0;w.lua:0;fib 3		luajit -jp=G, mixed with the program's output
 *
 * Without a header the unit of the weights is unknown.
 */
#include "collapse.h"
#include "formats.h"
#include "folded-boxes.h"

/* Whether LINE is text, a blank and a number. */
static bool
has_weight(struct str line)
{
	struct str weight;
	size_t blank, i;

	line = str_trim(line);
	blank = str_rfind(line, ' ');
	if (!blank || blank == line.n)
		return false;
	weight = str_from(line, blank + 1);
	for (i = 0; i < weight.n; i++)
		if (!str_is_digit(weight.s[i]) && weight.s[i] != '.')
			return false;
	return true;
}

/* The weakest evidence of all formats: most lines are stacks with a weight, and have several
 * frames. */
static int
probe(struct str head)
{
	enum { WEAK = 20, WEAKER = 10 };
	size_t lines = 0, stacks = 0, joined = 0;
	bool is_lua = false;
	struct str line;

	if (str_find(head, 0) < head.n)
		return 0;
	while (head.n) {
		line = str_cut(&head, '\n');
		if (str_starts(line, STR("#fg ")) && str_find(line, '=') < line.n)
			return 100;
		/* The last line may be cut off by the end of the window. */
		if (!str_trim(line).n || line.s[0] == '#' || (!head.n && lines))
			continue;
		lines++;
		if (!has_weight(line))
			continue;
		stacks++;
		joined += str_find(line, ';') < line.n;
		is_lua |= str_starts(line, STR("@0x")) && str_find(line, ';') < line.n;
	}
	if (joined && stacks * 10 >= lines * 9)
		return WEAK;
	return is_lua || (joined * 2 > lines && stacks * 4 >= lines * 3) ? WEAKER : 0;
}

const struct collapse_format collapse_folded = {
	.probe = probe,
	.run = folded_boxes_run,
};
