/* SPDX-License-Identifier: ISC */
/*
 * Pictures by fg-svg, which carry their stacks and the header of those (svg-data.h): an SVG whose
 * class begins with "fg", alone or in a page of fg-export.
 */
#include "formats.h"
#include "markup.h"
#include "svg-data.h"
#include "folded-boxes.h"

static int
probe(struct str head)
{
	struct str rest = str_trim(head);
	bool page = str_starts(rest, SVG_DATA_PAGE);
	struct markup m;

	while ((page || str_starts(rest, STR("<"))) && markup_next(&rest, &m)) {
		if (m.kind == MARKUP_OPEN &&
			(!page || str_eq(markup_name(m.body), STR("svg"))))
			return str_eq(markup_name(m.body), STR("svg")) &&
					str_starts(markup_attr(m.body, STR("class")),
						STR("fg"))
				? 100
				: 0;
		rest = str_trim(rest);
	}
	return 0;
}

const struct collapse_format collapse_fg_svg = {
	.probe = probe,
	.signs = SIGNS(SIGN(MARKUP, "<svg")),
	.run = folded_boxes_run,
};
