/* SPDX-License-Identifier: ISC */
/*
 * Records of perf script text, line by line; see perf-sample.h. First the header line,
 * as perf_sample__fprintf_start and process_event in tools/perf/builtin-script.c print
 * it:
 *
 *	main work  2349 [001]  2022.392930:    2004008 cpu-clock:
 *	Web Content 12  2346/2349  [001]  2022.392930: cycles:uppp:
 *	rs  5569 2026-11-21 03:01:47.220120  2078.911155:    3344481 cpu-clock:
 *	work  2346 [001] U      2022.392930:    2004008 cpu-clock:
 *	Web Cont  2349   1  2022.392930:    2004008 cpu-clock:		(-L)
 *	work 2376 [001] 2025.61388: sched:sched_switch: prev_comm=work prev_pid=2376
 *	    io;semi  2423  2032.341131:  2004008 cpu-clock:  ffffffff813a4413 f+0x93 (x)
 *	Gecko\t25122 [007] 115539.936601:\t\t1000000 task-clock:u:	(simpleperf)
 *	xwax  1896 cycles:					(no time)
 *
 * A comm may contain anything, even words of digits. So the line is parsed from its
 * time stamp to both sides or, without one, from its event to the left.
 *
 * Then the frame line, as sample__fprintf_callchain in tools/perf/util/evsel_fprintf.c
 * prints it:
 *
 *	\t    55be899f2f25 app::outer+0x35 (/opt/demo/my work)
 *	\tffffffff822057e0 its_return_thunk+0x0 ([kernel.kallsyms])
 *	\t            2eab app::lvl3+0x1b (inlined)
 *	\t           d44a3 [unknown] (/memfd:x (deleted))
 *	\t    7f4198ace577  ()			perf before 3.0
 *	\t            2f25 app::outer		-F ip,sym
 *	        b3cea6c4\tLock::unlock() (/system/lib/libc.so)	simpleperf
 *
 * Then the records, blocks of both. The first column distinguishes the lines or, where
 * it does not, their contents.
 */
#include "perf-sample.h"
#include "frame.h"

enum { NS = 1000000000 };

/* Whether A consists of the hexadecimal digits of an address. */
static bool
is_address(struct str a)
{
	uint64_t value;

	return str_hex_to_u64(a, &value);
}

static bool
is_number(struct str a)
{
	size_t i;

	for (i = 0; i < a.n; i++)
		if (!str_is_digit(a.s[i]))
			return false;
	return a.n > 0;
}

static bool
is_id(struct str a)
{
	return is_number(str_starts(a, STR("-")) ? str_from(a, 1) : a);
}

/* "2349", "2346/2349", "-1". */
static bool
is_ids(struct str a)
{
	struct str pid = str_cut(&a, '/');

	return is_id(pid) && (!a.n || is_id(a));
}

/* "[001]" */
static bool
is_cpu(struct str a)
{
	return a.n > 2 && a.s[0] == '[' && a.s[a.n - 1] == ']' &&
		is_number(str_head(str_from(a, 1), a.n - 2));
}

/* "03:01:47.220120", before a time stamp with -F +tod. */
static bool
is_clock(struct str a)
{
	return a.n > 8 && a.s[2] == ':' && a.s[5] == ':' && a.s[8] == '.';
}

/* The flags of -F +misc: "U", "K", "HS" ... */
static bool
is_misc(struct str a)
{
	size_t i;

	for (i = 0; i < a.n; i++)
		if (!memchr("UKHGgESpFM", a.s[i], 10))
			return false;
	return a.n > 0 && a.n <= 4;
}

/* The last word of LEFT. */
static struct str
last(struct str left)
{
	size_t begin;

	while (left.n && str_is_blank(left.s[left.n - 1]))
		left.n--;
	for (begin = left.n; begin > 0 && !str_is_blank(left.s[begin - 1]); begin--)
		;
	return str_from(left, begin);
}

/* LEFT without its last word. */
static struct str
drop(struct str left)
{
	struct str word = last(left);

	return word.n ? str_head(left, (size_t)(word.s - left.s)) : str_head(left, 0);
}

/* The distance between the ends of the last two words of LEFT. */
static size_t
columns(struct str left)
{
	struct str b = last(left), a = last(drop(left));

	return (size_t)((b.s + b.n) - (a.s + a.n));
}

/* LEFT without -F +tod and +misc. */
static struct str
drop_extras(struct str left)
{
	struct str rest;

	if (is_clock(last(left)))
		left = drop(drop(left));
	rest = drop(left);
	if (is_misc(last(left)) && (is_cpu(last(rest)) || is_ids(last(rest))))
		left = rest;
	return left;
}

/* LEFT without the cpu, which S gets. With -L it is just a number in three columns,
 * where a tid would have five. */
static struct str
drop_cpu(struct str left, struct collapse_sample *s)
{
	struct str word = last(left), rest = drop(left);

	if (is_cpu(word))
		s->cpu = str_head(str_from(word, 1), word.n - 2);
	else if (is_number(word) && is_number(last(rest)) && columns(left) == 4)
		s->cpu = word;
	else
		return left;
	return rest;
}

/* COMM without the prefixes of perf kvm, "VM:123 VCPU:001 comm". */
static struct str
drop_guest(struct str comm)
{
	static const char *const fronts[] = { "VM:", "VCPU:" };
	struct str rest;
	size_t i;

	comm = str_trim(comm);
	for (i = 0; i < sizeof fronts / sizeof *fronts; i++) {
		rest = comm;
		if (str_starts(str_word(&rest), str_of(fronts[i])))
			comm = str_trim(rest);
	}
	return comm;
}

/* Parses the part left of the time or event. Returns false without a tid. */
static bool
cut_left(struct str left, struct collapse_sample *s)
{
	struct str ids;

	left = drop_cpu(drop_extras(left), s);
	ids = last(left);
	if (!is_ids(ids)) {
		s->comm = drop_guest(left);
		return false;
	}
	s->comm = drop_guest(drop(left));
	s->pid = str_cut(&ids, '/');
	s->tid = ids;
	if (!ids.n) {
		/* A single number is the tid, unless -F says pid, which looks the
		 * same. */
		s->tid = s->pid;
		s->pid = ids;
	}
	return true;
}

/* Cuts "event:" off *REST. Old perf calls an event without a name "raw 0x1c0". */
static bool
cut_event(struct str *rest, struct str *event)
{
	struct str r = *rest, word = str_word(&r);
	const char *begin = word.s;

	if (str_eq(word, STR("raw")))
		word = str_word(&r);
	if (word.n < 2 || word.s[word.n - 1] != ':')
		return false;
	*event = (struct str){ begin, (size_t)(word.s + word.n - 1 - begin) };
	*rest = r;
	return true;
}

/* Whether A continues like an address and a symbol. */
static bool
goes_on_as_frame(struct str a)
{
	return is_address(str_word(&a)) && str_trim(a).n;
}

/* Parses the part right of the time: "[period] [event:] [tail]". */
static enum perf_sample_kind
cut_right(struct str right, struct collapse_sample *s, struct str *tail)
{
	struct str rest = right, word;

	*tail = right;
	if (cut_event(tail, &s->event))
		return PERF_SAMPLE;
	word = str_word(&rest);
	if (!is_number(word))
		return PERF_SAMPLE;
	if (!cut_event(&rest, &s->event) && str_trim(rest).n && !goes_on_as_frame(rest))
		return PERF_SAMPLE;
	s->has_period = true;
	*tail = rest;
	return str_to_u64(word, &s->period) ? PERF_SAMPLE : PERF_SAMPLE_TOO_BIG;
}

/* The length of the time stamp before the colon at the end of HEAD: seconds, a point
 * and 6 or 9 digits, fewer with simpleperf. 0 without one. */
static size_t
stamp_length(struct str head)
{
	size_t at = head.n, fraction;

	while (at > 0 && str_is_digit(head.s[at - 1]))
		at--;
	fraction = head.n - at;
	if (!fraction || fraction > 9 || at < 2 || head.s[--at] != '.')
		return 0;
	while (at > 0 && str_is_digit(head.s[at - 1]))
		at--;
	if (at > 0 && !str_is_blank(head.s[at - 1]))
		return 0;
	return head.n - at > fraction + 1 ? head.n - at : 0;
}

static void
parse_time(struct str stamp, struct collapse_sample *s)
{
	struct str seconds = str_cut(&stamp, '.');
	uint64_t whole, part;

	if (!str_to_u64(seconds, &whole) || !str_to_u64(stamp, &part) ||
		whole >= UINT64_MAX / NS)
		return;
	/* simpleperf prints microseconds without leading zeroes: 115540.8374 is
	 * 115540.008374. */
	s->time = whole * NS + (stamp.n > 6 ? part : part * 1000);
	s->has_time = true;
}

/* Parses LINE at its time stamp: the first with a tid to its left, otherwise the first.
 * *RIGHT gets the rest. Returns false without a time stamp. */
static bool
cut_stamp(struct str line, struct collapse_sample *s, struct str *right)
{
	struct str found = { 0 }, left = { 0 };
	bool done = false;
	size_t at, n;

	for (at = str_find(line, ':'); at < line.n && !done;
		at += 1 + str_find(str_from(line, at + 1), ':')) {
		n = stamp_length(str_head(line, at));
		if (!n)
			continue;
		done = cut_left(str_head(line, at - n), s);
		if (found.n && !done)
			continue;
		left = str_head(line, at - n);
		found = str_from(str_head(line, at), at - n);
		*right = str_from(line, at + 1);
	}
	if (!done)
		cut_left(left, s);
	parse_time(found, s);
	return found.n > 0;
}

/* Whether the last number of LEFT is a period: it has ten columns, more than a tid, or
 * follows the cpu. */
static bool
ends_in_period(struct str left)
{
	struct str before = last(drop(left));

	return is_number(last(left)) &&
		(is_cpu(before) || (is_ids(before) && columns(left) > 10));
}

/* Parses a LINE without a time at its event: the first word that ends in a colon and
 * has a number before it. */
static bool
cut_timeless(struct str line, struct collapse_sample *s, struct str *tail)
{
	struct str rest = line, word, left;
	bool number = false;

	for (;;) {
		left = str_head(line, line.n - rest.n);
		word = str_word(&rest);
		if (!word.n)
			return false;
		if (number && word.s[word.n - 1] == ':' && word.n > 1)
			break;
		number |= is_ids(word);
	}
	s->event = str_head(word, word.n - 1);
	*tail = rest;
	if (ends_in_period(left)) {
		s->has_period = str_to_u64(last(left), &s->period);
		left = drop(left);
	}
	cut_left(left, s);
	return true;
}

enum perf_sample_kind
perf_sample_parse(struct str line, struct collapse_sample *s, struct str *tail)
{
	struct str record = STR("PERF_RECORD_"), right;

	*s = (struct collapse_sample){ 0 };
	*tail = (struct str){ 0 };
	if (cut_stamp(line, s, &right)) {
		if (str_starts(str_trim(right), record))
			return PERF_SAMPLE_SIDEBAND;
		return cut_right(right, s, tail);
	}
	if (str_search(line, record) < line.n)
		return PERF_SAMPLE_SIDEBAND;
	*s = (struct collapse_sample){ 0 };
	return cut_timeless(line, s, tail) ? PERF_SAMPLE : PERF_SAMPLE_NONE;
}

void
perf_sample_parse_bare(struct str line, struct collapse_sample *s)
{
	struct str word = last(line);

	*s = (struct collapse_sample){ 0 };
	if (word.n > 1 && word.s[word.n - 1] == ':') {
		s->event = str_head(word, word.n - 1);
		line = drop(line);
	}
	if (is_number(last(line)) && (columns(line) > 10 || !last(drop(line)).n)) {
		s->has_period = last(line).s - line.s + last(line).n >= 10 &&
			str_to_u64(last(line), &s->period);
		line = s->has_period ? drop(line) : line;
	}
	/* perf pads a tid to at least five columns, after a blank. */
	if (is_cpu(last(line)) || !last(drop(line)).n || columns(line) > 5)
		cut_left(line, s);
	else
		s->comm = str_trim(line);
}

bool
perf_sample_is_header(struct str line)
{
	struct collapse_sample s;
	struct str tail;

	return perf_sample_parse(line, &s, &tail) != PERF_SAMPLE_NONE;
}

/* Finds the '(' of the balanced group that ends A, which ends in ')'. Returns A.n if it
 * does not balance. */
static size_t
find_group(struct str a)
{
	size_t at = a.n, depth = 0;

	while (at-- > 0) {
		if (a.s[at] == ')')
			depth++;
		else if (a.s[at] == '(' && --depth == 0)
			return at;
	}
	return a.n;
}

/* Finds the last " (/" or " ([" of A, for a module whose own brackets do not pair.
 * Returns A.n without one. */
static size_t
find_path(struct str a)
{
	size_t at;

	for (at = a.n; at-- > 1;)
		if (str_is_blank(a.s[at - 1]) &&
			(str_starts(str_from(a, at), STR("(/")) ||
				str_starts(str_from(a, at), STR("(["))))
			return at;
	return a.n;
}

/* Cuts " (module)" off the end of *REST. A group that touches the symbol is an
 * argument list or "operator()". */
static bool
cut_module(struct str *rest, struct str *module)
{
	bool closed = str_ends(*rest, STR(")"));
	size_t open = closed ? find_group(*rest) : rest->n;

	if (open == rest->n || (open > 0 && !str_is_blank(rest->s[open - 1])))
		open = find_path(*rest);
	if (open == rest->n)
		return false;
	/* A truncated line may lack the bracket. */
	*module = (struct str){ rest->s + open + 1, rest->n - open - 1 - closed };
	*rest = str_trim(str_head(*rest, open));
	return true;
}

bool
perf_frame_parse(struct str line, struct perf_frame *f)
{
	struct str rest = line, unknown = STR("[unknown]");

	*f = (struct perf_frame){ 0 };
	f->address = str_word(&rest);
	if (!is_address(f->address))
		return false;
	rest = str_trim(rest);
	f->has_module = cut_module(&rest, &f->module);
	f->symbol = frame_cut_offset(rest);
	f->inlined = f->has_module && str_eq(f->module, STR("inlined"));
	if (f->inlined || str_eq(f->module, unknown))
		f->module = (struct str){ 0 };
	if (str_eq(f->symbol, unknown))
		f->symbol = (struct str){ 0 };
	return true;
}

size_t
perf_frame_find(struct str text, bool named)
{
	enum { COLUMNS = 17, TRIES = 16 };
	struct str rest = text, before, word;
	struct perf_frame f;
	int tries;

	if (named && !str_ends(str_trim(text), STR(")")))
		return text.n;
	for (tries = 0; rest.n && tries < TRIES; tries += is_address(word)) {
		before = rest;
		word = str_word(&rest);
		if (before.n - rest.n < COLUMNS || !is_address(word))
			continue;
		before = str_from(text, text.n - rest.n - word.n);
		if (!named || (perf_frame_parse(before, &f) && f.has_module))
			return text.n - before.n;
	}
	return text.n;
}

bool
perf_block_line(struct str *w, bool last, struct str *line)
{
	const char *end = w->n ? memchr(w->s, '\n', w->n) : NULL;

	if (!end && !(last && w->n))
		return false;
	*line = str_head(*w, end ? (size_t)(end - w->s) : w->n);
	*w = str_from(*w, line->n + 1);
	if (line->n && line->s[line->n - 1] == '\r')
		line->n--;
	return true;
}

/* Whether A is made of BYTES only. */
static bool
is_made_of(struct str a, const char *bytes)
{
	size_t i;

	for (i = 0; i < a.n; i++)
		if (!strchr(bytes, a.s[i]) || !a.s[i])
			return false;
	return a.n > 0;
}

static bool
is_long_address(struct str a)
{
	return a.n >= 6 && is_address(a);
}

/* Whether LINE is just the digits of an address. */
static bool
is_bare(struct str line)
{
	return is_address(str_trim(line));
}

/* Whether a colon of LINE ends a word, as after a time stamp or an event. */
static bool
has_label(struct str line)
{
	size_t at;

	for (at = str_find(line, ':'); at < line.n;
		at += 1 + str_find(str_from(line, at + 1), ':'))
		if (at + 1 == line.n || str_is_blank(line.s[at + 1]))
			return true;
	return false;
}

/* Whether LINE, whose first word looks like an address, is the header of a program with
 * such a name ("dd", "cafe"). REST follows that word. */
static bool
is_header(struct str line, struct str rest)
{
	const char *number = "0123456789/-[].:";
	struct str word = str_word(&rest), left = rest, next = str_word(&rest), tail;
	struct collapse_sample s;

	if (next.n && next.s[0] == '(')
		return false;
	/* "dd 2349 [001] 2022.392930:" with any of these left out. */
	if (is_made_of(word, number) && (!next.n || is_made_of(next, number)))
		return true;
	/* "dd  ffffffff813a4413 f+0x93 (x)", "dd 2349 ffffffff813a4413 f (x)" */
	if (is_long_address(is_made_of(word, number) ? next : word) && next.n)
		return true;
	/* "dd cycles:" */
	if (word.s[word.n - 1] == ':' && (!next.n || is_long_address(next)))
		return true;
	/* "Ad blocker  2349 cycles:"; but "12345678 LazyCompile: x.js:1 (x)". */
	return has_label(left) &&
		perf_sample_parse(line, &s, &tail) != PERF_SAMPLE_NONE &&
		(s.has_time || s.comm.n);
}

/* Whether LINE has the contents of a frame line with a symbol. */
static bool
has_frame(struct str line)
{
	struct str rest = line, word = str_word(&rest);

	return is_address(word) && str_trim(rest).n && !is_header(line, rest);
}

bool
perf_block_has_frame(struct perf_style style, struct str line)
{
	return has_frame(line) || (style.bare && is_bare(line));
}

/* Whether LINE ends in an address without a source: "[vdso][af0]". */
static bool
ends_in_place(struct str line)
{
	size_t open = str_rfind(line, '[');

	return open > 0 && str_ends(line, STR("]")) && !str_is_blank(line.s[open - 1]) &&
		is_address(str_head(str_from(line, open + 1), line.n - open - 2));
}

/* Whether LINE, which is not a frame line, may follow one without indentation: a source
 * line, a branch stack, registers. */
static bool
is_extra(struct str line)
{
	struct str inlined = STR(" (inlined)"), number;

	if (str_ends(line, inlined))
		line.n -= inlined.n;
	number = str_from(line, str_rfind(line, ':') + 1);
	return is_made_of(number, "0123456789?") || ends_in_place(line) ||
		(str_starts(line, STR("0x")) && str_find(line, '/') < line.n) ||
		str_starts(line, STR("ABI:"));
}

/* Whether LINE, after a frame line, belongs to the same record. */
static bool
is_more(struct perf_style style, struct str line)
{
	if (!str_trim(line).n)
		return false;
	if (perf_block_is_frame(style, line))
		return true;
	return str_is_blank(line.s[0]) ? !perf_sample_is_header(line) : is_extra(line);
}

/* Skips the lines at the start of *W that begin with a tab. Returns false if the last
 * one may continue behind the window. */
static bool
skip_tabbed(struct str *w, bool last, uint64_t *lines)
{
	const char *at = w->s, *end = w->s + w->n, *newline;

	for (; at < end && *at == '\t'; at = newline + 1, ++*lines) {
		newline = memchr(at, '\n', (size_t)(end - at));
		if (!newline && !last)
			return false;
		if (!newline)
			newline = end - 1;
	}
	*w = str_from(*w, (size_t)(at - w->s));
	return true;
}

/* Cuts the frame lines of a record off *W. Returns false if they may continue behind
 * the window. */
static bool
cut_frames(struct str *w, struct perf_style style, bool last, struct perf_block *rec)
{
	struct str rest = *w, after, line;

	for (;;) {
		if (!style.all && !skip_tabbed(&rest, last, &rec->lines))
			return false;
		after = rest;
		if (!rest.n || rest.s[0] == '\n')
			break;
		if (!perf_block_line(&after, last, &line))
			return false;
		if (!(rest.n < w->n ? is_more(style, line)
				    : perf_block_is_frame(style, line)))
			break;
		rest = after;
		rec->lines++;
	}
	if (!rest.n && !last)
		return false;
	rec->frames = str_head(*w, w->n - rest.n);
	if (rest.n && rest.s[0] == '\n') {
		rest = str_from(rest, 1);
		rec->lines++;
	}
	*w = rest;
	return true;
}

/* Whether LINE is a comment; a comm that begins with '#' has a blank before it. */
static bool
is_comment(struct str line)
{
	return line.n && (line.s[0] == '#' || str_is_blank(line.s[0])) &&
		str_starts(str_trim(line), STR("#")) &&
		(line.s[0] == '#' || !perf_sample_is_header(line));
}

bool
perf_block_cut(struct str *w, struct perf_style style, bool last, struct perf_block *rec)
{
	struct str rest = *w;

	*rec = (struct perf_block){ 0 };
	if (!perf_block_line(&rest, last, &rec->header))
		return false;
	if (style.flat && perf_block_is_frame(style, rec->header)) {
		rec->frames = rec->header;
		rec->header.n = 0;
		rec->lines++;
		*w = rest;
		return true;
	}
	if (perf_block_is_frame(style, rec->header)) {
		rec->header.n = 0;
		rest = *w;
	} else {
		rec->lines++;
	}
	rec->comment = is_comment(rec->header);
	if (!cut_frames(&rest, style, last, rec))
		return false;
	*w = rest;
	return true;
}

/* Whether the frame line LINE is where perf puts the frame of a sample without a call
 * chain: its address ends in column 17 at most. */
static bool
is_alone(struct str line)
{
	enum { COLUMNS = 17 };
	struct str rest = line, word = str_word(&rest);

	return line.s[0] != '\t' && word.s + word.n - line.s <= COLUMNS;
}

struct perf_style
perf_block_style(struct str head)
{
	enum { MOST = 64 * 1024 };
	struct perf_style style = { .flat = true };
	struct str rest = str_head(head, head.n < MOST ? head.n : MOST), line, text;
	bool header = false, frame;
	int n = 0;

	while (!style.tabs && perf_block_line(&rest, true, &line)) {
		text = str_trim(line);
		style.flat &= text.n > 0 || !n;
		if (!text.n || is_comment(line))
			continue;
		frame = has_frame(line);
		if (!n) {
			header = perf_sample_is_header(line) && !frame;
			style.all = header && line.s[0] == '\t';
			style.flat &= frame && is_alone(line);
		}
		if (n == header)
			style.bare = text.n >= 4 && is_bare(line);
		style.bare &= !frame;
		style.tabs = line.s[0] == '\t' && !style.all && frame;
		n++;
	}
	style.flat &= !style.tabs;
	style.bare &= !style.tabs;
	return style;
}

struct str
perf_block_frames(const struct perf_block *rec, struct str tail, bool named)
{
	if (rec->frames.n)
		return rec->frames;
	return str_from(tail, perf_frame_find(tail, named));
}
