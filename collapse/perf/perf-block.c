/* SPDX-License-Identifier: ISC */
/* perf script text cut into records; see perf-block.h. */
#include "perf-block.h"
#include "perf-frame.h"
#include "perf-sample.h"

#include <string.h>

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
	uint64_t address;

	return a.n >= 6 && str_hex_to_u64(a, &address);
}

/* Whether LINE is the digits of an address and nothing else. */
static bool
is_bare(struct str line)
{
	uint64_t address;

	return str_hex_to_u64(str_trim(line), &address);
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

/* Whether LINE, whose first word has the digits of an address, is the header of
 * a program with such a name ("dd", "cafe"), REST being what follows that word. */
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

/* Whether the content of LINE is that of a frame line with a symbol. */
static bool
has_frame(struct str line)
{
	struct str rest = line, word = str_word(&rest);
	uint64_t address;

	return str_hex_to_u64(word, &address) && str_trim(rest).n &&
		!is_header(line, rest);
}

bool
perf_block_has_frame(struct perf_style style, struct str line)
{
	return has_frame(line) || (style.bare && is_bare(line));
}

/* Whether LINE ends in the address of a place without a source: "[vdso][af0]". */
static bool
ends_in_place(struct str line)
{
	size_t open = str_rfind(line, '[');
	uint64_t address;

	return open > 0 && str_ends(line, STR("]")) && !str_is_blank(line.s[open - 1]) &&
		str_hex_to_u64(
			str_head(str_from(line, open + 1), line.n - open - 2), &address);
}

/* Whether LINE, which is no frame line, follows one without indentation: a source
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

/* Skips the lines at the start of *W that begin with a tab; false when the end
 * of one may be after the window. */
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

/* Cuts the frame lines of a record off *W; false when they may go on after the
 * window. */
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

/* Whether the frame line LINE stands where perf puts that of a sample which has
 * no call chain: its address ends in column 17 at most. */
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
