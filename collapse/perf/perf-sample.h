/* SPDX-License-Identifier: ISC */
/*
 * Parses perf script text: the header line of a sample and its frame lines, and cuts
 * text into blocks of both, within a window of the input. Nothing is copied.
 *
 * perf begins each frame line with a tab. Older versions, editors, web pages and
 * `expand` leave blanks or nothing there: then the contents decide.
 */
#ifndef PERF_SAMPLE_H
#define PERF_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse.h"
#include "str.h"

enum perf_sample_kind {
	PERF_SAMPLE_NONE,     /* not a header line, or just a comm */
	PERF_SAMPLE,	      /* with a time or an event */
	PERF_SAMPLE_SIDEBAND, /* a PERF_RECORD_... line, without a stack */
	PERF_SAMPLE_TOO_BIG   /* a period that overflows 64 bits */
};

/* Parses LINE into S, borrowed from LINE. *TAIL gets the part behind the event: a
 * tracepoint's text, or a single frame. */
enum perf_sample_kind perf_sample_parse(
	struct str line, struct collapse_sample *s, struct str *tail);

/* Parses LINE, which has neither time nor address: the rest of a header when -F
 * requests little, such as "work  2349 " or "work cycles: ". */
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

/* Parses LINE into F, borrowed from LINE. Returns false if it is not a frame line. */
bool perf_frame_parse(struct str line, struct perf_frame *f);

/* Finds an address at the end of a header line, for a sample with one frame and no call
 * chain: sixteen columns and a blank. With NAMED, a symbol and "(module)" must follow
 * it. Returns its place in TEXT, or TEXT.n. */
size_t perf_frame_find(struct str text, bool named);

struct perf_block {
	struct str header; /* a line without its end; may be empty */
	struct str frames; /* lines with their ends */
	uint64_t lines;	   /* of both, and of an empty line after them */
	bool comment;	   /* the header line begins with '#' and is not a sample's */
};

/* How lines are indented. */
struct perf_style {
	bool tabs; /* frame lines begin with a tab */
	bool all;  /* header lines begin with a tab too */
	bool bare; /* frame lines contain just an address */
	bool flat; /* there are only frame lines, each a sample of its own */
};

/* The style of a text, by the first 64 KiB of its beginning HEAD. */
struct perf_style perf_block_style(struct str head);

/* Cuts the next record off *W, a text in STYLE: a header and its frames, frames alone,
 * or a line without any. Returns false if its end is not in *W and this is not the LAST
 * window, or if *W is empty. */
bool perf_block_cut(
	struct str *w, struct perf_style style, bool last, struct perf_block *block);

/* Whether LINE, of a text in STYLE, has the contents of a frame line. */
bool perf_block_has_frame(struct perf_style style, struct str line);

/* Whether LINE, of a text in STYLE, is a frame line of a call chain. */
static inline bool
perf_block_is_frame(struct perf_style style, struct str line)
{
	return (line.n && line.s[0] == '\t' && !style.all) ||
		perf_block_has_frame(style, line);
}

/* Cuts a line off *W, without its end. Returns false as above. */
bool perf_block_line(struct str *w, bool last, struct str *line);

/* The frames of BLOCK: its own lines or, without any, the frame at the end of TAIL, a
 * part of its header. NAMED as for perf_frame_find. */
struct str perf_block_frames(const struct perf_block *block, struct str tail, bool named);

#endif
