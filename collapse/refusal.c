/* SPDX-License-Identifier: ISC */
/* What an input is that no format wants; see refusal.h. */
#include "refusal.h"
#include "sniff.h"

#include <stdint.h>

/* By the bytes at the start. */
static const struct {
	const char *bytes, *text;
	size_t n;
} magics[] = {
#define MAGIC(bytes, text)                     \
	{                                      \
		bytes, text, sizeof(bytes) - 1 \
	}
	MAGIC("SIMPLEPERF",
		"is a simpleperf protobuf recording; say: report_sample.py perf.data "
		"| fg-collapse"),
	MAGIC("\x7f"
	      "ELF",
		"is an ELF program, not a profile; record it: perf record -g PROGRAM"),
	MAGIC("\xdc\xdf"
	      "JSLB",
		"is a JsonSlabs file of Firefox Profiler; open it there and save it as JSON"),
	MAGIC("FLR\0", "is a Java Flight Recorder file; convert it with jfr print"),
	MAGIC("\x17\x08\x44tracing", "is a trace-cmd recording; say: trace-cmd report"),
	MAGIC("\x04\x08{",
		"is Ruby's Marshal, perhaps of stackprof; say: stackprof --json FILE"),
	MAGIC("v8-version,",
		"is a log of node --prof; say: node --prof-process --preprocess FILE "
		"| fg-collapse"),
	MAGIC("#fg ", "is folded already; give it to fg-svg"),
#undef MAGIC
};

/* Whether HEAD holds bytes that text does not. */
static bool
is_binary(struct str head)
{
	size_t i;

	for (i = 0; i < head.n; i++)
		if ((unsigned char)head.s[i] < ' ' &&
			!memchr("\t\n\v\f\r\b\033", head.s[i], 7))
			return true;
	return false;
}

/* Whether LINE ends in a blank and a number after something else. */
static bool
has_weight(struct str line)
{
	uint64_t weight;
	size_t blank;

	line = str_trim(line);
	blank = str_rfind(line, ' ');
	return blank > 0 && blank < line.n &&
		str_to_u64(str_from(line, blank + 1), &weight);
}

/* Whether nine of ten lines of HEAD are stacks with a weight. */
static bool
is_folded(struct str head)
{
	size_t lines = 0, stacks = 0, joined = 0;
	struct str line;

	while (head.n) {
		line = str_cut(&head, '\n');
		/* The last line may be cut off by the end of the window. */
		if (!str_trim(line).n || line.s[0] == '#' || (!head.n && lines))
			continue;
		lines++;
		stacks += has_weight(line);
		joined += str_find(line, ';') < line.n;
	}
	return joined > 0 && stacks * 10 >= lines * 9;
}

const char *
refusal_text(struct str head)
{
	struct str text = str_trim(head);
	size_t i;

	for (i = 0; i < sizeof magics / sizeof *magics; i++)
		if (str_starts(head, (struct str){ magics[i].bytes, magics[i].n }))
			return magics[i].text;
	if (is_binary(head))
		return "is binary and no profile known here";
	if (!text.n)
		return "holds nothing but blanks; did the command that wrote it fail?";
	if (str_starts(text, STR("<")) && str_search(text, STR("<svg")) < text.n)
		return "is an SVG picture, not a profile; give the text it was made from";
	if (sniff_has(head, "profileJSON"))
		return "is a profile of Cleopatra, from before 2017, which is not read; "
		       "profiler.firefox.com opens it and saves it as JSON of today";
	if (sniff_has(head, "data[].symbol_table"))
		return "holds names that samply wrote beside a profile; give the profile";
	if (text.s[0] == '{' || text.s[0] == '[')
		return "is JSON of a kind not known here; see --list-formats";
	if (is_folded(text))
		return "is folded already; give it to fg-svg";
	return "is text of a kind not known here; see --list-formats, and choose one with -f NAME";
}
