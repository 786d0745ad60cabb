/* SPDX-License-Identifier: ISC */
/* perf script text cut into records; see perf-block.h. */
#include "perf-block.h"
#include "perf-frame.h"
#include "perf-sample.h"

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

/* Cuts the frame lines of a record off *W; false when they may go on after the
 * window. */
static bool
cut_frames(struct str *w, bool last, struct perf_block *rec)
{
	struct str rest = *w, line;
	bool any = false;

	for (;;) {
		if (!rest.n)
			break;
		line = rest;
		if (line.s[0] != '\t') {
			if (line.s[0] != ' ')
				break;
			if (!perf_block_line(&rest, last, &line))
				return false;
			if (!(any ? is_more(line) : perf_frame_is_line(line))) {
				rest = str_from(*w, (size_t)(line.s - w->s));
				break;
			}
		} else if (!perf_block_line(&rest, last, &line)) {
			return false;
		}
		any = true;
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
