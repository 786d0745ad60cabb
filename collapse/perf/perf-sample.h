/* SPDX-License-Identifier: ISC */
/*
 * A record of perf script text: the header line of a sample, its frame lines, and
 * how a text is cut into blocks of both, as far as they are in a window of the
 * input. Nothing is copied.
 *
 * perf begins each frame line with a tab. Older versions, editors, web pages and
 * `expand` leave blanks there, or nothing: then the content decides.
 */
#ifndef PERF_SAMPLE_H
#define PERF_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse.h"
#include "str.h"

enum perf_sample_kind {
	PERF_SAMPLE_NONE,     /* no header line, or one that names nothing but a comm */
	PERF_SAMPLE,	      /* with a time or an event */
	PERF_SAMPLE_SIDEBAND, /* a PERF_RECORD_... line, which has no stack */
	PERF_SAMPLE_TOO_BIG   /* a period of more than 64 bits */
};

/* Reads LINE into S, borrowed from LINE. *TAIL gets what follows the event: a
 * tracepoint's text, an only frame. */
enum perf_sample_kind perf_sample_parse(
	struct str line, struct collapse_sample *s, struct str *tail);

/* Reads LINE, which has neither time nor address: what is left of a header when
 * -F asks for little, such as "work  2349 " or "work cycles: ". */
void perf_sample_parse_bare(struct str line, struct collapse_sample *s);

/* Whether LINE has a time stamp or an event, or is a PERF_RECORD_ line. */
bool perf_sample_is_header(struct str line);

struct perf_frame {
	struct str address; /* hexadecimal digits */
	struct str symbol;  /* without the offset; empty when unresolved */
	struct str module;  /* empty when unknown */
	bool has_module;    /* a "(...)" was there, even an empty one */
	bool inlined;
};

/* Reads LINE into F, borrowed from LINE. False when it is no frame line. */
bool perf_frame_parse(struct str line, struct perf_frame *f);

/* The place in TEXT of an address that a header line ends with, when the sample
 * has one frame and no call chain: sixteen columns and a blank. With NAMED, a
 * symbol and "(module)" must follow it. TEXT.n when there is none. */
size_t perf_frame_find(struct str text, bool named);

struct perf_block {
	struct str header; /* a line without its end; empty when there is none */
	struct str frames; /* lines with their ends */
	uint64_t lines;	   /* of both, and of an empty line after them */
	bool comment;	   /* the header line begins with '#' and is no sample's */
};

/* How lines are indented. */
struct perf_style {
	bool tabs; /* frame lines begin with a tab */
	bool all;  /* header lines begin with a tab too */
	bool bare; /* frame lines hold an address and nothing else */
	bool flat; /* there is nothing but frame lines, each a sample of its own */
};

/* The style of a text that begins with HEAD, of which 64 KiB are looked at. */
struct perf_style perf_block_style(struct str head);

/* Cuts the next record off *W, a text in STYLE: a header and its frames, frames
 * alone, or a line that has none. False when its end is not in *W and this is not
 * the LAST window, or when *W is empty. */
bool perf_block_cut(
	struct str *w, struct perf_style style, bool last, struct perf_block *block);

/* Whether the content of LINE, of a text in STYLE, is that of a frame line. */
bool perf_block_has_frame(struct perf_style style, struct str line);

/* Whether LINE, of a text in STYLE, is a frame line of a call chain. */
static inline bool
perf_block_is_frame(struct perf_style style, struct str line)
{
	return (line.n && line.s[0] == '\t' && !style.all) ||
		perf_block_has_frame(style, line);
}

/* Cuts a line off *W, without its end. False as above. */
bool perf_block_line(struct str *w, bool last, struct str *line);

/* The frames of BLOCK: its own lines or, when it has none, the frame that TAIL,
 * a part of its header, ends with; NAMED as for perf_frame_find. */
struct str perf_block_frames(const struct perf_block *block, struct str tail, bool named);

#endif
