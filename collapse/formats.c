/* SPDX-License-Identifier: ISC */
/* The table of formats, and a description of inputs that no format claims; see
 * formats.h. */
#include "formats.h"
#include "bytes.h"
#include "readers/json-profile.h"
#include "sign.h"

#include <stdint.h>

static const struct formats_row table[] = {
#define FAMILY(heading)
#define FORMAT(symbol, name, about) { &collapse_##symbol, name, about },
#include "formats.def"
#undef FAMILY
#undef FORMAT
};

const struct formats_row *
formats_at(size_t i)
{
	return i < sizeof table / sizeof *table ? &table[i] : NULL;
}

const struct formats_row *
formats_find(struct str name)
{
	const struct formats_row *f;
	size_t i;

	for (i = 0; (f = formats_at(i)); i++)
		if (str_eq(name, str_of(f->name)))
			return f;
	return NULL;
}

/* Whether S matches HEAD, or TEXT, which is HEAD without blanks around it. */
static bool
fits(const struct sign *s, struct str head, struct str text)
{
	char first = text.n ? text.s[0] : 0;

	if (s->place == SIGN_MAGIC)
		return str_starts(head, s->bytes);
	if (s->place == SIGN_START)
		return str_starts(text, s->bytes);
	return (s->place != SIGN_JSON || first == '{' || first == '[') &&
		(s->place != SIGN_MARKUP || first == '<') &&
		str_search(head, s->bytes) < head.n;
}

/* As formats_claim, with TEXT for HEAD without blanks around it. */
static int
how_sure(const struct collapse_format *f, struct str head, struct str text)
{
	const struct sign *s = f->signs;

	while (s && s->bytes.n && !fits(s, head, text))
		s++;
	return !s || s->bytes.n ? f->probe(head) : 0;
}

int
formats_claim(const struct collapse_format *f, struct str head)
{
	return how_sure(f, head, str_trim(head));
}

/* The row that is surest of HEAD, and how sure it is: 0 if another row is equally
 * sure. */
static const struct formats_row *
find_surest(struct str head, int *sure)
{
	enum { CERTAIN = 100 };
	struct str text = str_trim(head);
	const struct formats_row *f, *best = NULL;
	int claim, most = 0;
	size_t i;

	*sure = 0;
	for (i = 0; most < CERTAIN && (f = formats_at(i)); i++) {
		claim = how_sure(f->format, head, text);
		if (claim == most)
			*sure = 0;
		if (claim <= most)
			continue;
		*sure = most = claim;
		best = f;
	}
	return best;
}

const struct formats_row *
formats_guess(struct input *in, struct str *head)
{
	enum { SURE = 45 };
	static const size_t windows[] = { 4 * 1024, 64 * 1024, 256 * 1024 };
	const struct formats_row *f = NULL;
	size_t i;
	int sure = 0;

	/* Most inputs can be recognised by their first lines. Some signs are further on,
	 * but only unrecognised inputs are read that far. */
	for (i = 0; i < sizeof windows / sizeof *windows; i++) {
		*head = str_head(input_window(in, windows[i]), windows[i]);
		f = find_surest(*head, &sure);
		if (sure >= SURE || (f && i > 0) || head->n < windows[i])
			break;
	}
	return f;
}

/* Known formats that are not supported: a sign, the format, and advice. The first match
 * counts, so special signs precede general ones. */
static const struct known {
	struct sign sign;
	const char *what, *advice;
} known[] = {
#define KNOWN(place, bytes, what, advice)        \
	{                                        \
		SIGN(place, bytes), what, advice \
	}
	KNOWN(START,
		"\x7f"
		"ELF",
		"an ELF program",
		"record it with fg-record PROGRAM, or name it with --elf beside its profile"),
	KNOWN(START,
		"\xdc\xdf"
		"JSLB",
		"a JsonSlabs file of Firefox Profiler",
		"open it in profiler.firefox.com and save it as JSON"),
	KNOWN(START,
		"\x17\x08\x44"
		"tracing",
		"a trace-cmd recording", "run trace-cmd report FILE | fg-collapse"),
	KNOWN(START, "go 1.", "a Go execution trace",
		"run go tool trace -pprof=sched FILE | fg-collapse"),
	KNOWN(START, "\x04\x08{", "Ruby Marshal data, but not from stackprof",
		"record with StackProf.run(out: FILE, raw: true)"),
	KNOWN(START, "\x14\0\0\0!FastSerialization.1", "a .netperf file of .NET Core 2",
		"open it in PerfView and save it as speedscope JSON"),
	KNOWN(START, "NYTProf ", "a recording of Devel::NYTProf",
		"run nytprofcalls FILE | fg-collapse, recorded with NYTPROF=calls=2"),
	KNOWN(START, "Ftrace!", "a uftrace data file",
		"run uftrace replay -f +time in its folder | fg-collapse"),
	KNOWN(START, "hdrb", "an eventlog of GHC", "convert it with hs-speedscope"),
	KNOWN(START, "Index  % CPU Time:Total", "VTune's gprof-cc report",
		"write the report callstacks instead, with -format csv"),
	KNOWN(START, "JAVA PROFILE ", "an HPROF file",
		"record with async-profiler and -o collapsed instead"),
	KNOWN(START, "v8-version,", "a log of node --prof",
		"run node --prof-process --preprocess FILE | fg-collapse"),
	KNOWN(START, "<!DOCTYPE html", "an HTML page",
		"give the profile it was made from"),
	KNOWN(START, "<html", "an HTML page", "give the profile it was made from"),
	KNOWN(ANYWHERE, "<trace-toc", "the table of contents of an Instruments recording",
		"run xctrace export --xpath "
		"'/trace-toc/run[1]/data/table[@schema=\"time-profile\"]' on the recording"),
	KNOWN(START, "<table class='xdebug-trace", "a trace of Xdebug as HTML",
		"record with xdebug.trace_format=1"),
	KNOWN(START, "# Function Call Graph for ", "the output of uftrace graph",
		"run uftrace replay | fg-collapse"),
	KNOWN(START, "%% Analysis results:", "an analysis of Erlang's fprof",
		"record with eflambe, which writes folded stacks"),
	KNOWN(START, "****** Process <", "an analysis of Erlang's eprof, without stacks",
		"record with eflambe, which writes folded stacks"),
	KNOWN(START, "Statistical profiling result from ",
		"the report of node --prof-process",
		"run node --prof-process --preprocess FILE | fg-collapse on its log"),
	KNOWN(START, "Flat profile:", "a report of gprof",
		"record with perf record --call-graph dwarf or fg-record"),
#undef KNOWN
};

/* Whether HEAD contains bytes that text does not. */
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

/* Whether HEAD begins with records of perf, each of which contains its size. */
static bool
is_perf_records(struct str head)
{
	enum {
		ENOUGH = 2,
		SMALLEST = 8,
		KERNEL_LAST = 21,
		TOOL_FIRST = 64,
		TOOL_LAST = 84
	};
	struct bytes b;
	uint32_t type;
	uint16_t size;
	int n = 0;

	for (; head.n >= SMALLEST && n < ENOUGH; n++) {
		b = bytes_of(head, false);
		type = bytes_u32(&b);
		(void)bytes_u16(&b);
		size = bytes_u16(&b);
		if (!type || (type > KERNEL_LAST && type < TOOL_FIRST) ||
			type > TOOL_LAST || size < SMALLEST || size % SMALLEST)
			return false;
		head = str_from(head, size);
	}
	return n == ENOUGH;
}

/* Adds what HEAD is a sign of. False when it has no sign. */
static bool
put_known(struct buf *b, struct str head, struct str text)
{
	const struct known *k = known, *end = k + sizeof known / sizeof *known;

	for (; k < end; k++)
		if (fits(&k->sign, head, text)) {
			buf_fmt(b, "is %s, which fg-collapse cannot read; %s", k->what,
				k->advice);
			return true;
		}
	return false;
}

/* Describes TEXT, which begins like JSON. */
static const char *
json_text(struct str text)
{
	if (json_has(text, "profileJSON"))
		return "is a Cleopatra profile from before 2017, which fg-collapse cannot read; "
		       "open it in profiler.firefox.com and save it as JSON";
	if (json_has(text, "data[].symbol_table"))
		return "is a list of symbols that samply wrote next to a profile; give the profile";
	if (json_has(text, "threadDump.processId"))
		return "is a thread dump of Java as JSON, which fg-collapse cannot read; run jcmd "
		       "PID Thread.dump_to_file FILE without -format=json";
	return "is JSON of an unknown format; see --list-formats, or name the format with -f";
}

void
formats_describe(struct buf *b, struct str head)
{
	struct str text = str_trim(head);
	const char *is;

	if (put_known(b, head, text))
		return;
	if (is_perf_records(head))
		is = "is part of a recording, such as perf record --threads writes next to "
		     "data; give the folder";
	else if (is_binary(head))
		is = "is binary, of an unknown format; see --list-formats";
	else if (!text.n)
		is = "is blank; did the command that wrote it fail?";
	else if (text.s[0] == '<' && str_search(text, STR("<svg")) < text.n)
		is = "is an SVG picture, but not a flame graph of a known tool; give the "
		     "profile it was made from";
	else if (text.s[0] == '{' || text.s[0] == '[')
		is = json_text(text);
	else
		is = "is text of an unknown format; see --list-formats, or name the format with -f";
	buf_str(b, str_of(is));
}
