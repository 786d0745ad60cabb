/* SPDX-License-Identifier: ISC */
/*
 * The header line of a sample in perf script text, as perf_sample__fprintf_start
 * and process_event in tools/perf/builtin-script.c print it; see perf-sample.h.
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
 * A comm may hold anything, also words of digits, so the line is read from its
 * time stamp to both sides, and without one from its event to the left.
 */
#include "perf-sample.h"

enum { NS = 1000000000 };

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

/* How far the end of the last word of LEFT is from that of the one before. */
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

/* LEFT without the cpu, which goes to S. With -L it is a number alone in three
 * columns, where a tid would have five. */
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

/* "VM:123 VCPU:001 comm", as perf kvm prints it, without what is in front. */
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

/* Reads what stands left of the time or event. False when no tid is there. */
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
		/* One number is the tid, unless -F says pid, which looks the same. */
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

/* Whether A goes on as an address and a symbol do. */
static bool
has_frame(struct str a)
{
	struct str word = str_word(&a);
	uint64_t address;

	return str_hex_to_u64(word, &address) && str_trim(a).n;
}

/* Reads what stands right of the time: "[period] [event:] [tail]". */
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
	if (!cut_event(&rest, &s->event) && str_trim(rest).n && !has_frame(rest))
		return PERF_SAMPLE;
	s->has_period = true;
	*tail = rest;
	return str_to_u64(word, &s->period) ? PERF_SAMPLE : PERF_SAMPLE_TOO_BIG;
}

/* The length of the time stamp that ends HEAD, at the colon: seconds, a point
 * and 6 or 9 digits, with simpleperf fewer. 0 when there is none. */
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
take_time(struct str stamp, struct collapse_sample *s)
{
	struct str seconds = str_cut(&stamp, '.');
	uint64_t whole, part;

	if (!str_to_u64(seconds, &whole) || !str_to_u64(stamp, &part) ||
		whole >= UINT64_MAX / NS)
		return;
	/* simpleperf prints microseconds without zeroes in front: 115540.8374 is
	 * 115540.008374. */
	s->time = whole * NS + (stamp.n > 6 ? part : part * 1000);
	s->has_time = true;
}

/* Reads LINE at its time stamp: the first that has a tid to its left, else the
 * first. *RIGHT gets what follows it. False when LINE has none. */
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
	take_time(found, s);
	return found.n > 0;
}

/* Whether the last number of LEFT is a period: it has ten columns, and no tid
 * stands in so many, or it follows the cpu. */
static bool
ends_in_period(struct str left)
{
	struct str before = last(drop(left));

	return is_number(last(left)) &&
		(is_cpu(before) || (is_ids(before) && columns(left) > 10));
}

/* Reads a LINE without a time at its event: the first word that ends in a colon
 * and has a number before it. */
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
	/* perf gives a tid five columns at least, after a blank. */
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
