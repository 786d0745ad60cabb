/* SPDX-License-Identifier: ISC */
/*
 * Output of jfr print --xml, from a Java Flight Recorder recording:
 *
 *	<recording xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><events>
 *	  <event type="jdk.ExecutionSample">
 *	    <value name="startTime">2026-11-22T06:43:07.959679339Z</value>
 *	    <struct name="stackTrace">
 *	      <array name="frames" size="1">
 *	        <struct index="0"><struct name="method">...
 */
#include "collapse.h"
#include "formats.h"
#include "jfr-printed.h"
#include "readers/xml-read.h"

struct reader {
	struct jfr_printed to;
	struct buf name; /* of the current value */
	bool within;	 /* in an event */
};

static bool
is_struct(struct str tag)
{
	return str_eq(tag, STR("struct")) || str_eq(tag, STR("array"));
}

static void
handle_open(void *to, struct str tag, const char **attrs)
{
	struct reader *r = to;

	if (str_eq(tag, STR("event"))) {
		jfr_printed_begin(&r->to, xml_attr(attrs, "type"));
		r->within = true;
	} else if (r->within && is_struct(tag)) {
		(void)jfr_printed_open(&r->to, xml_attr(attrs, "name"));
	} else if (r->within && str_eq(tag, STR("value"))) {
		buf_clear(&r->name);
		buf_str(&r->name, xml_attr(attrs, "name"));
	}
}

static void
handle_close(void *to, struct str tag, struct str text)
{
	struct reader *r = to;

	if (!r->within)
		return;
	if (str_eq(tag, STR("event"))) {
		jfr_printed_end(&r->to);
		r->within = false;
	} else if (is_struct(tag)) {
		jfr_printed_close(&r->to);
	} else if (str_eq(tag, STR("value"))) {
		jfr_printed_value(&r->to, buf_view(&r->name), text);
	}
}

static bool
run(struct input *in, struct collapse *c)
{
	static const struct xml_handler handler = { handle_open, handle_close };
	struct reader r = { .within = false };
	bool good;

	jfr_printed_init(&r.to, c);
	good = xml_fold(in, c, &handler, &r) && jfr_printed_done(&r.to);
	jfr_printed_release(&r.to);
	buf_release(&r.name);
	return good;
}

static int
probe(struct str head)
{
	return xml_begins(head, "recording") ? 90 : 0;
}

const struct collapse_format collapse_jfr_xml = {
	.probe = probe,
	.signs = SIGNS(SIGN(MARKUP, "<events>")),
	.run = run,
	.uses = COLLAPSE_USES_BY | COLLAPSE_USES_FRAME_NAMES | COLLAPSE_USES_INLINED |
		COLLAPSE_USES_SRCLINE | COLLAPSE_USES_COST,
};
