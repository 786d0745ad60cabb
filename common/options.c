/* SPDX-License-Identifier: ISC */
/* Tables of options; see options.h. */
#include "options.h"

#undef TO
#undef CALL
#undef READ
#undef USES
#define TO(address)    .value = NULL
#define CALL(function) .call = NULL
#define READ(function) .read = NULL
#define USES(bits)     .uses = 0

const struct opt options_record[] = {
#include "options/fg-record.def"
	{ .kind = OPT_END },
};

const struct opt options_collapse[] = {
#include "options/fg-collapse.def"
	{ .kind = OPT_END },
};

const struct opt options_svg[] = {
#include "options/fg-svg.def"
	{ .kind = OPT_END },
};

const struct opt options_diff[] = {
#include "options/fg-diff.def"
	{ .kind = OPT_END },
};

const struct opt options_run[] = {
#include "options/fg-run.def"
	{ .kind = OPT_END },
};
