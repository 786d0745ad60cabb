/* SPDX-License-Identifier: ISC */
/*
 * The options of each program, a file of rows: options/fg-svg.def. The program includes its own
 * file, whose rows say where values go:
 *
 *	OPT(.letter = 'i', .name = "inverted", .kind = OPT_FLAG, TO(&set.inverted),
 *		.help = "draw the root on top: an icicle graph")
 *
 * The tables below are the rows of fg-run and of the programs that it joins for those who pass
 * options on or read a command line, without addresses, functions and .uses.
 */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "opt.h"

#define OPT(...)       { __VA_ARGS__ },
#define TO(address)    .value = (address)
#define CALL(function) .call = (function)
#define READ(function) .read = (function)
#define USES(bits)     .uses = (bits)

/* Rows that several programs share, each with its own ADDRESS. */
#define OPTIONS_COLUMNS(address)                                         \
	OPT(.name = "columns", .arg = "N", .kind = OPT_INT, TO(address), \
		.help = "weights per line without a header, 1 or 2", .min = 1, .max = 2)
#define OPTIONS_SAMPLES(address)                                              \
	OPT(.name = "samples", .arg = "N[,M]", .kind = OPT_CALL, TO(address), \
		READ(folded_given_samples),                                   \
		.help = "number of samples: N, or N before and M after")
#define OPTIONS_UNIT(address)                                            \
	OPT(.name = "unit", .arg = "UNIT", .kind = OPT_STR, TO(address), \
		.help = "unit of weights without a header, such as ns")
#define OPTIONS_COLOUR(address)                                              \
	OPT(.name = "color", .arg = "WHEN", .kind = OPT_CHOICE, TO(address), \
		.words = OPT_WORDS("auto", "always", "never"),               \
		.help = "use colours: {} (default: auto)")
#define OPTIONS_LINE_WIDTH(address)                                                   \
	OPT(.letter = 'w', .name = "width", .arg = "N", .kind = OPT_INT, TO(address), \
		.help = "line width in columns (default: the terminal's)", .min = 20, \
		.max = 10000)
#define OPTIONS_NO_HEADER(address)                              \
	OPT(.name = "no-header", .kind = OPT_FLAG, TO(address), \
		.help = "do not write the #fg line")
#define OPTIONS_CONFIDENCE(address, text)                                   \
	OPT(.name = "confidence", .arg = "P", .kind = OPT_NUM, TO(address), \
		.help = (text), .min = 0.5, .max = 0.999999999)
#define OPTIONS_DEBUGINFOD(...)                                  \
	OPT(.name = "debuginfod", .kind = OPT_FLAG, __VA_ARGS__, \
		.help = "fetch missing files by build ID (DEBUGINFOD_URLS)")
#define OPTIONS_LIST_TARGETS(address)                              \
	OPT(.name = "list-targets", .kind = OPT_FLAG, TO(address), \
		.help = "list the targets of exports")
/* Options of other tools; the programs are single-threaded. */
#define OPTIONS_THREADS                                                         \
	OPT(.letter = 'n', .name = "nthreads", .arg = "N", .kind = OPT_IGNORED, \
		.help = "one thread is used")

/* For fg-svg, in the order of palette.c. */
#define OPTIONS_PALETTES                                                               \
	OPT_WORDS("aqua", "auto", "blue", "chain", "green", "hot", "io", "java", "js", \
		"mem", "module", "orange", "perl", "purple", "python", "red", "rust",  \
		"wakeup", "yellow")

/* Each ends with OPT_END. */
extern const struct opt options_record[], options_collapse[], options_svg[],
	options_diff[], options_run[];

#endif
