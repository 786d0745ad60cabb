/* SPDX-License-Identifier: ISC */
/*
 * The options of each program, a file of rows: options/fg-svg.def. The program includes its own
 * file, whose rows say where values go:
 *
 *	OPT(.letter = 'i', .name = "inverted", .kind = OPT_FLAG, TO(&set.inverted),
 *		.help = "draw the root on top: an icicle graph")
 *
 * The tables below are the rows of fg-run and of the programs that it joins for those who pass
 * options on or read a command line, without .value and .call.
 */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "opt.h"

#define OPT(...)       { __VA_ARGS__ },
#define TO(address)    .value = (address)
#define CALL(function) .call = (function)

/* Of fg-svg, in the order of palette_list. */
#define OPTIONS_PALETTES                                                           \
	"aqua auto blue chain green hot io java js mem module orange perl purple " \
	"python red rust wakeup yellow"

/* Each ends with OPT_END. */
extern const struct opt options_record[], options_collapse[], options_svg[],
	options_diff[], options_run[];

#endif
