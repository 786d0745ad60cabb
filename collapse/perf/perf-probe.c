/* SPDX-License-Identifier: ISC */
/* Whether a text is perf script's; see perf-probe.h. */
#include "perf-probe.h"
#include "perf-block.h"
#include "perf-frame.h"
#include "perf-sample.h"

/* Whether LINE holds an address in the columns that perf gives it: in a call
 * chain, after a tab or the blanks that one stands for, or after a comm, which then
 * ends in column 16. Without indentation a module has to follow. */
static bool
is_padded(struct str line)
{
	enum { COMM = 16, TAB = 8 };
	struct perf_frame f;
	size_t end;

	if (perf_frame_parse(line, &f)) {
		end = (size_t)(f.address.s + f.address.n - line.s);
		return end == COMM + 1 || end == TAB + COMM ||
			(f.address.n >= 4 && f.module.n &&
				(f.module.s[0] == '/' || f.module.s[0] == '['));
	}
	return line.n > COMM && str_is_blank(line.s[0]) &&
		!str_is_blank(line.s[COMM - 1]) && str_is_blank(line.s[COMM]) &&
		perf_frame_find(line, false) < line.n;
}

/* What probe has seen. */
struct signs {
	int best, headers, others; /* headers without a stack; records of no kind */
};

/* How much REC speaks for this format. */
static int
grade(const struct perf_block *rec, struct signs *signs)
{
	struct str tail, frames = rec->frames, first = frames.n ? frames : rec->header;
	struct collapse_sample s;
	struct perf_frame f;
	enum perf_sample_kind kind = perf_sample_parse(rec->header, &s, &tail);

	if (kind == PERF_SAMPLE_SIDEBAND)
		return s.has_time || str_starts(rec->header, STR("PERF_RECORD_")) ? 75
										  : 0;
	if (kind == PERF_SAMPLE && s.has_time) {
		first = perf_block_frames(rec, tail, false);
		perf_block_line(&first, true, &frames);
		signs->headers += s.event.n && s.tid.n;
		return perf_frame_parse(frames, &f) ? 95 : signs->headers >= 3 ? 50 : 0;
	}
	/* Without a time stamp, and so much the more without a header, anything
	 * could be an address: no record may look otherwise. */
	perf_block_line(&first, true, &frames);
	if (signs->headers || signs->others)
		return 0;
	if (is_padded(frames))
		return kind == PERF_SAMPLE ? 80 : 45;
	return kind == PERF_SAMPLE && s.tid.n && perf_frame_parse(frames, &f) ? 45 : 0;
}

int
perf_probe(struct str head)
{
	struct signs signs = { 0 };
	struct perf_block rec;
	int score;

	struct perf_style style = perf_block_style(head);

	signs.best = str_starts(str_trim(head), STR("# ========")) ? 80 : 0;
	while (signs.best < 90 && perf_block_cut(&head, style, true, &rec)) {
		if (rec.comment || (!rec.header.n && !rec.frames.n))
			continue;
		score = grade(&rec, &signs);
		/* The last record may be cut off by the end of the window. */
		signs.others += score == 0 && head.n;
		signs.best = score > signs.best ? score : signs.best;
	}
	return signs.best > 45 || !signs.others ? signs.best : 0;
}
