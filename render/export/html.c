/* SPDX-License-Identifier: ISC */
/*
 * An HTML page that contains the picture of fg-svg: its script runs inside a page, but not in
 * an <img>.
 */
#include "export.h"
#include "mem.h"
#include "msg.h"
#include "picture.h"
#include "svg-data.h"
#include "svg.h"

static const struct picture_settings settings = PICTURE_DEFAULTS;

static void
put_title(struct export *x, struct str title)
{
	struct buf b = { 0 };
	struct str rest, text;

	buf_visible(&b, title, BUF_MARK, BUF_MOST);
	for (rest = buf_view(&b); rest.n;) {
		text = str_head(rest, 1);
		rest = str_from(rest, 1);
		buf_str(&x->b,
			text.s[0] == '<'	   ? STR("&lt;")
				: text.s[0] == '&' ? STR("&amp;")
						   : text);
	}
	buf_release(&b);
}

static void
put_picture(struct export *x, const struct timeline *timeline)
{
	struct picture p;

	picture_init(&p, &settings, x->profile, timeline);
	buf_str(&x->b, SVG_DATA_PAGE);
	buf_str(&x->b, STR("<head><meta charset=\"utf-8\">\n<title>"));
	put_title(x, picture_title(&p));
	buf_str(&x->b, STR("</title></head>\n<body>\n"));
	output_str(x->out, buf_view(&x->b));
	buf_clear(&x->b);
	svg_write(x->out, &p);
	buf_str(&x->b, STR("</body></html>\n"));
	picture_release(&p);
}

static bool
write_page(struct export *x)
{
	struct timeline timeline = { .n = 0 };
	bool has_times;

	if (!picture_has_width(&settings, x->profile)) {
		msg_error("--to html: no stack has a weight");
		return false;
	}
	has_times = timeline_init(&timeline, x->profile);
	put_picture(x, has_times ? &timeline : NULL);
	timeline_release(&timeline);
	return true;
}

const struct export_target export_html = {
	.needs = EXPORT_ASIS,
	.write = write_page,
};
