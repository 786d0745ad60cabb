/* SPDX-License-Identifier: ISC */
/*
 * Stacks saved from a PerfView window (.perfView.xml):
 *
 *	<StackWindow>
 *	 <StackSource>
 *	  <Frames Count="2">
 *	   <Frame ID="0">Process64 ls (28669)</Frame>
 *	   <Frame ID="1">ntdll!RtlUserThreadStart</Frame>
 *	  </Frames>
 *	  <Stacks Count="2">
 *	   <Stack ID="0" CallerID="-1" FrameID="0" />
 *	   <Stack ID="1" CallerID="0" FrameID="1" />
 *	  </Stacks>
 *	  <Samples Count="1">
 *	   <Sample ID="0" Time="0.1" StackID="1" Metric="0.036" />
 *
 * A stack is a frame and its caller's stack. The metric is in milliseconds in views of
 * time, and 1 if missing. Views of memory count bytes, but the file does not contain the
 * unit; heap snapshots lack times, and their metric is not scaled.
 *
 * microsoft/perfview, src/TraceEvent/Stacks/XmlStackSource.cs.
 */
#include "collapse.h"
#include "folded.h"
#include "formats.h"
#include "stacks/stack-table.h"
#include "readers/xml-read.h"

enum { MS_DECIMALS = 6 }; /* of a millisecond, down to ns */

struct reader {
	struct collapse *c;
	struct json_ints frames; /* names in the sink by ID, or -1 */
	uint64_t frame;		 /* current ID */
	struct stack_table stacks;
	bool settled, judged;
	unsigned decimals; /* of weights */
};

static void
add_frame(struct reader *r, struct str name)
{
	uint32_t id = collapse_frame(r->c, name, 0);

	if (r->frame != r->frames.n || id > INT32_MAX)
		collapse_lose(r->c, COLLAPSE_MALFORMED);
	else
		json_ints_add(&r->frames, (int32_t)id);
}

static void
read_stack(struct reader *r, const char **attrs)
{
	uint64_t id, frame, caller = STACK_NOWHERE;

	if (!xml_attr_u64(attrs, "ID", &id) || id != r->stacks.n || r->settled ||
		id >= STACK_NOWHERE) {
		collapse_lose(r->c, COLLAPSE_MALFORMED);
		return;
	}
	if (str_eq(xml_attr(attrs, "CallerID"), STR("-1")))
		caller = STACK_EMPTY;
	else if (!xml_attr_u64(attrs, "CallerID", &caller) || caller > STACK_NOWHERE)
		caller = STACK_NOWHERE;
	if (!xml_attr_u64(attrs, "FrameID", &frame) || frame >= r->frames.n) {
		caller = STACK_NOWHERE;
		frame = 0;
	}
	stack_table_add(&r->stacks, (uint32_t)caller,
		r->frames.n ? (uint32_t)r->frames.items[frame] : 0);
}

/* Reads a number like "0.036" or "5E-05": milliseconds, or unscaled if DECIMALS is 0. */
static bool
read_metric(struct str text, unsigned decimals, uint64_t *value)
{
	char copy[32] = "", *end;
	bool rounded = false;
	double number;

	if (folded_weight(text, decimals, value, &rounded))
		return true;
	if (!text.n || text.n >= sizeof copy)
		return false;
	memcpy(copy, text.s, text.n);
	number = strtod(copy, &end) * (decimals ? 1e6 : 1);
	if (*end || !(number >= 0 && number < 0x1p63))
		return false;
	*value = (uint64_t)(number + 0.5);
	return true;
}

/* The first sample shows whether the file has times; all stacks have been read by
 * then. */
static void
settle(struct reader *r, bool timed)
{
	if (!r->judged) {
		r->decimals = timed ? MS_DECIMALS : 0;
		collapse_unit(r->c, timed ? STR("ns") : STR("units"));
	}
	if (!r->settled)
		stack_table_settle(&r->stacks, STACK_ANY_DEPTH);
	r->judged = r->settled = true;
}

static void
read_sample(struct reader *r, const char **attrs)
{
	struct collapse_sample s = { .has_period = true };
	struct str time = xml_attr(attrs, "Time"), metric = xml_attr(attrs, "Metric");
	uint64_t stack = STACK_NOWHERE;

	settle(r, time.n > 0);
	s.has_time = read_metric(time, MS_DECIMALS, &s.time);
	if (!metric.n)
		metric = STR("1");
	if (str_starts(metric, STR("-"))) {
		collapse_lose(r->c, COLLAPSE_NEGATIVE);
		return;
	}
	if (!read_metric(metric, r->decimals, &s.period)) {
		collapse_lose(r->c, COLLAPSE_MALFORMED);
		return;
	}
	if (!collapse_wants(r->c, &s))
		return;
	if (str_eq(xml_attr(attrs, "StackID"), STR("-1"))) {
		collapse_lose(r->c, COLLAPSE_NO_STACK);
		return;
	}
	if (!xml_attr_u64(attrs, "StackID", &stack) || stack > STACK_NOWHERE)
		stack = STACK_NOWHERE;
	stack_table_root(&r->stacks, collapse_root(r->c, &s));
	collapse_add(r->c, stack_table_path(&r->stacks, (uint32_t)stack, r->c), &s);
}

static void
handle_open(void *to, struct str name, const char **attrs)
{
	struct reader *r = to;

	if (str_eq(name, STR("Sample")))
		read_sample(r, attrs);
	else if (str_eq(name, STR("Stack")))
		read_stack(r, attrs);
	else if (str_eq(name, STR("Frame")) && !xml_attr_u64(attrs, "ID", &r->frame))
		r->frame = UINT64_MAX;
}

static void
handle_close(void *to, struct str name, struct str text)
{
	if (str_eq(name, STR("Frame")))
		add_frame(to, text);
}

static bool
run(struct input *in, struct collapse *c)
{
	static const struct xml_handler handler = { handle_open, handle_close };
	struct reader r = { .c = c };
	bool good;

	collapse_threadless(c);
	good = xml_fold(in, c, &handler, &r);
	stack_table_release(&r.stacks);
	json_ints_release(&r.frames);
	return good;
}

static int
probe(struct str head)
{
	return xml_begins(head, "StackWindow") ? 100 : 0;
}

const struct collapse_format collapse_perfview_xml = {
	.probe = probe,
	.signs = SIGNS(SIGN(MARKUP, "StackWindow")),
	.run = run,
};
