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

/* Whether LINE, after a frame line that begins with a tab, belongs to the same
 * record: a source line, a branch stack, registers. */
static bool
is_more(struct str line)
{
	return line.n && line.s[0] == ' ' &&
		(perf_frame_is_line(line) || !perf_sample_is_header(line));
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
cut_frames(struct str *w, bool last, struct perf_block *rec)
{
	struct str rest = *w, after, line;

	for (;;) {
		if (!skip_tabbed(&rest, last, &rec->lines))
			return false;
		after = rest;
		if (!rest.n || rest.s[0] != ' ')
			break;
		if (!perf_block_line(&after, last, &line))
			return false;
		if (!(rest.n < w->n ? is_more(line) : perf_frame_is_line(line)))
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

bool
perf_block_cut(struct str *w, bool last, struct perf_block *rec)
{
	struct str rest = *w;

	*rec = (struct perf_block){ 0 };
	if (!perf_block_line(&rest, last, &rec->header))
		return false;
	if (perf_frame_is_line(rec->header)) {
		rec->header.n = 0;
		rest = *w;
	} else {
		rec->lines++;
	}
	if (!cut_frames(&rest, last, rec))
		return false;
	*w = rest;
	return true;
}

struct str
perf_block_frames(const struct perf_block *rec, struct str tail, bool named)
{
	if (rec->frames.n)
		return rec->frames;
	return str_from(tail, perf_frame_find(tail, named));
}
