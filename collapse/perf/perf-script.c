/* SPDX-License-Identifier: ISC */
/*
 * perf script text, from `perf script` or simpleperf's report_sample.py.
 *
 *	# hostname : vm					(with --header)
 *	main work  2349 [001]  2022.392930:    2004008 cpu-clock:
 *		           2f25 app::outer+0x35 (/opt/demo/work)
 *		  work.cpp:33				(with -F +srcline)
 *		          d44a3 [unknown] (/usr/lib/libstdc++.so.6)
 *
 *	work  2346 [001]  2022.389378: PERF_RECORD_COMM exec: work:2346/2346
 *
 * A record is a header line, frame lines, which perf begins with a tab and others do
 * not, innermost frame first, and an empty line, which the last record and records that
 * end in other data may lack: perf-sample.c reads these. With -F ip,sym there is no
 * header line, with -F comm,ip,sym it is only the comm; without -g the only frame is at
 * the end of the header line.
 *
 * Stacks repeat. So the frame lines of a record are first looked up as one piece, by
 * their digest. New ones usually share their end with the previous stack
 * (stack-cache.h). Each other line is looked up, and only new lines are parsed.
 */
#include "collapse.h"
#include "stacks/cache.h"
#include "event.h"
#include "formats.h"
#include "stacks/frame-names.h"
#include "off-cpu.h"
#include "perf-sample.h"
#include "recording.h"
#include "stack-cache.h"
#include "msg.h"

#include <inttypes.h>

/* perf's records do not exceed MOST bytes. */
enum { WINDOW = 64 * 1024, MOST = 16 << 20 };

/* Whether LINE has an address in perf's columns: in a call chain, after a tab or the
 * blanks in its place, or after a comm, which then ends in column 16. Without
 * indentation a module has to follow. */
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

/* Evidence found by probe. */
struct signs {
	int best, headers, others; /* headers without a stack; records of no kind */
};

/* How strongly REC indicates this format, 0 to 100. */
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
	/* Without a time stamp, and even more without a header, anything could be an
	 * address: no record may look different. */
	perf_block_line(&first, true, &frames);
	if (signs->headers || signs->others)
		return 0;
	if (is_padded(frames))
		return kind == PERF_SAMPLE ? 80 : 45;
	return kind == PERF_SAMPLE && s.tid.n && perf_frame_parse(frames, &f) ? 45 : 0;
}

/* Lines of other profilers also begin with hexadecimal words, so a time stamp or perf's
 * columns are required. */
static int
probe(struct str head)
{
	enum { ENOUGH = 500 }; /* of other records */
	struct perf_style style = perf_block_style(head);
	struct signs signs = { 0 };
	struct perf_block rec;
	int score;

	signs.best = str_starts(str_trim(head), STR("# ========")) ? 80 : 0;
	while (signs.best < 90 && signs.others < ENOUGH &&
		perf_block_cut(&head, style, true, &rec)) {
		if (rec.comment || (!rec.header.n && !rec.frames.n))
			continue;
		score = grade(&rec, &signs);
		/* The end of the window may cut the last record. */
		signs.others += score == 0 && head.n;
		signs.best = score > signs.best ? score : signs.best;
	}
	return signs.best > 45 || !signs.others ? signs.best : 0;
}

/* Where a line of the current stack begins, and its first frame in ids. */
struct start {
	size_t at, id;
};

struct reader {
	struct input *in;
	struct collapse *c;
	const struct collapse_options *options; /* of c */
	struct perf_style style;
	bool full;		  /* header lines have a time or an event */
	struct cache blocks;	  /* frame lines below a root -> node */
	struct stack_cache last;  /* outer frames of the current stack */
	struct frame_names stack; /* the current one, and a cache of lines */
	struct start *starts;	  /* its lines */
	size_t start_n, start_cap;
	enum collapse_end end; /* how the current stack ends */
	bool deep;	       /* the last stack has as many lines as are recorded */
	unsigned char *ends;   /* enum collapse_end, by node */
	size_t end_cap;
	bool by_waits; /* the event off-cpu is requested */
	struct off_cpu off_cpu;
};

/* Parses LINE and MORE, the line that belongs to it. Returns false if it is not a
 * frame. */
static bool
parse_line(struct reader *r, struct str line, struct str more)
{
	struct str inlined = STR(" (inlined)"), unknown = STR("??");
	struct frame_names_symbol s;
	struct perf_frame f;

	if (!perf_frame_parse(line, &f))
		return false;
	more = str_trim(more);
	if (str_ends(more, inlined)) {
		more.n -= inlined.n;
		f.inlined = true;
	}
	/* "[kernel.kallsyms][ffffffff81000d62]" has no source line. */
	if (!r->options->srcline || str_starts(more, unknown) || str_ends(more, STR("]")))
		more.n = 0;
	s = (struct frame_names_symbol){ .name = f.symbol,
		.module = f.module,
		.address = f.address,
		.srcline = more,
		.inlined = f.inlined && r->options->inlined };
	frame_names_add(&r->stack, &s);
	return true;
}

/* LINE without an address at its start that is not in perf's columns. */
static struct str
skip_word(struct str line)
{
	struct str rest = line, word = str_word(&rest);
	uint64_t address;

	return rest.n && str_hex_to_u64(word, &address) ? rest : line;
}

/* The part of LINE that decides its frames: without the address, unless that is shown,
 * so that a place in a function is one line at all addresses. After a tab, only if
 * perf's columns contain just an address. */
static struct str
skip_address(const struct reader *r, struct str line)
{
	enum { BLANK = 1, DIGIT = 2, COLUMNS = 16 };
	static const unsigned char kinds[256] = { [' '] = BLANK,
		['0'] = DIGIT,
		['1'] = DIGIT,
		['2'] = DIGIT,
		['3'] = DIGIT,
		['4'] = DIGIT,
		['5'] = DIGIT,
		['6'] = DIGIT,
		['7'] = DIGIT,
		['8'] = DIGIT,
		['9'] = DIGIT,
		['a'] = DIGIT,
		['b'] = DIGIT,
		['c'] = DIGIT,
		['d'] = DIGIT,
		['e'] = DIGIT,
		['f'] = DIGIT };
	unsigned kind = BLANK, next, i;

	if (r->options->addrs || !line.n)
		return line;
	if (line.s[0] != '\t')
		return skip_word(line);
	if (line.n <= COLUMNS + 1 || line.s[COLUMNS + 1] != ' ')
		return line;
	for (i = 1; i <= COLUMNS; i++) {
		next = kinds[(unsigned char)line.s[i]];
		if (next < kind)
			return line;
		kind = next;
	}
	return kind == DIGIT ? str_from(line, COLUMNS + 1) : line;
}

/* Adds the frames of LINE and the line MORE that belongs to it, from the cache if their
 * bytes are known. Returns false if LINE is not a frame. */
static bool
add_line(struct reader *r, struct str line, struct str more)
{
	const char *end = more.n ? more.s + more.n : line.s + line.n;
	struct str rest = skip_address(r, line),
		   whole = { rest.s, (size_t)(end - rest.s) };
	struct str_digest key = str_digest(whole);
	size_t first = r->stack.n;

	if (frame_names_recall(&r->stack, key))
		return true;
	if (!parse_line(r, line, more))
		return false;
	frame_names_keep(&r->stack, key, first);
	return true;
}

/* Reads FRAMES into r->stack.ids and r->starts. Returns false if a line was not a
 * frame, which is counted. */
static bool
read_frames(struct reader *r, struct str frames)
{
	bool want_more = r->options->srcline || r->options->inlined, whole = true;
	struct str rest = frames, after, line, more;

	r->stack.n = r->start_n = 0;
	while (perf_block_line(&rest, true, &line)) {
		input_count_lines(r->in, 1);
		if (line.s != frames.s && !perf_block_is_frame(r->style, line))
			continue;
		after = rest;
		more = (struct str){ 0 };
		if (want_more && perf_block_line(&after, true, &more) &&
			!perf_block_is_frame(r->style, more)) {
			rest = after;
			input_count_lines(r->in, 1);
		} else {
			more.n = 0;
		}
		r->starts = mem_grow(
			r->starts, &r->start_cap, r->start_n + 1, sizeof *r->starts);
		r->starts[r->start_n] =
			(struct start){ (size_t)(line.s - frames.s), r->stack.n };
		if (add_line(r, line, more)) {
			r->start_n++;
		} else {
			collapse_lose(r->c, COLLAPSE_MALFORMED);
			whole = false;
		}
	}
	return whole;
}

/* The node of the stack in r->stack.ids and r->starts, whose outer frames are the steps
 * of r->last. */
static uint32_t
descend(struct reader *r)
{
	struct stack_cache *t = &r->last;
	uint32_t node = stack_cache_node(t);
	size_t end = r->stack.n, i;
	struct start s;

	if (r->options->skip_after.n)
		return collapse_path(r->c, t->root, r->stack.ids, r->stack.n);
	for (i = r->start_n; i > 0; i--) {
		s = r->starts[i - 1];
		node = collapse_path(r->c, node, r->stack.ids + s.id, end - s.id);
		stack_cache_push(t, t->size - s.at, node);
		end = s.id;
	}
	return node;
}

/* Reads the part of FRAMES that is not in r->last, and judges how the stack ends.
 * Returns false if a line was not a frame. */
static bool
read_stack(struct reader *r, struct str frames)
{
	struct stack_cache *t = &r->last;
	enum collapse_end end = r->end;
	bool whole, deep;

	whole = read_frames(r, str_head(frames, frames.n - stack_cache_shared(t)));
	deep = t->n + r->start_n >= RECORDING_DEEPEST;
	if (t->n && whole && deep != r->deep) {
		stack_cache_forget(t);
		whole = read_frames(r, frames);
	}
	if (!t->n && end != COLLAPSE_ALONE)
		end = collapse_judge_end(r->c, r->stack.ids, r->stack.n,
			deep ? COLLAPSE_DEEP : COLLAPSE_NO_POINTERS);
	if (!t->n)
		stack_cache_end(t, r->c, end);
	r->end = t->end;
	r->deep = deep;
	return whole;
}

/* Notes how the stack of NODE ends. */
static void
keep_end(struct reader *r, uint32_t node)
{
	r->ends = mem_grow(r->ends, &r->end_cap, (size_t)node + 1, 1);
	r->ends[node] = (unsigned char)r->end;
}

/* The node of FRAMES for S, or TREE_ROOT without frames. Sets r->end. */
static uint32_t
find_node(struct reader *r, const struct collapse_sample *s, struct str frames)
{
	uint32_t root = collapse_root(r->c, s), node;
	bool alone = s->end == COLLAPSE_ALONE;
	struct stack_cache_context context = { .root = root,
		.flags = (uint32_t)(alone * 2 + r->stack.java) };
	struct str_digest key = str_digest(frames);
	bool whole;

	/* The same frames are another stack below another root. */
	key.a += ((uint64_t)root * 4 + context.flags) * 0x9e3779b97f4a7c15;
	node = cache_find(&r->blocks, key);
	if (node != CACHE_NONE) {
		r->end = alone ? COLLAPSE_ALONE : r->ends[node];
		return node;
	}
	stack_cache_begin(&r->last, &context, frames);
	r->end = s->end;
	whole = read_stack(r, frames);
	node = r->stack.n || r->last.n ? descend(r) : TREE_ROOT;
	if (whole && node != TREE_ROOT) {
		cache_add(&r->blocks, key, node);
		if (!alone)
			keep_end(r, node);
	} else {
		stack_cache_forget(&r->last);
	}
	return node;
}

/* With ALONE, FRAMES are one, beside a header line: no stack was recorded. */
static void
fold(struct reader *r, struct collapse_sample *s, struct str frames, bool alone)
{
	uint32_t node;

	if (!collapse_wants(r->c, s))
		return;
	r->stack.java = frame_names_is_java(s->comm);
	s->end = alone ? COLLAPSE_ALONE : COLLAPSE_UNJUDGED;
	node = frames.n ? find_node(r, s, frames) : TREE_ROOT;
	s->end = r->end;
	collapse_add(r->c, node, s);
}

/* Adds the wait W, which ended with NEWS at the time NOW. */
static void
fold_wait(struct reader *r, struct off_cpu_wait *w, const struct off_cpu_news *news,
	uint64_t now)
{
	struct collapse_sample s = { .event = OFF_CPU_EVENT,
		.end = w->end,
		.time = w->since,
		.has_time = true,
		.period = news->has_delay ? news->delay
			: now > w->since  ? now - w->since
					  : 0,
		.has_period = true };

	if (w->node && s.period && collapse_wants(r->c, &s))
		collapse_add(r->c, w->node, &s);
	w->node = 0;
}

/* Uses the tracepoint of S, with the text TEXT, for the event off-cpu. */
static void
fold_waits(
	struct reader *r, struct collapse_sample *s, struct str text, struct str frames)
{
	struct off_cpu_news news;
	struct off_cpu_wait *w;
	uint32_t node;

	if (!s->has_time || !off_cpu_read(s->event, text, &news)) {
		if (str_eq(s->event, STR("sched:sched_switch")))
			collapse_lose(r->c, COLLAPSE_MALFORMED);
		return;
	}
	fold_wait(r, off_cpu_of(&r->off_cpu, news.back), &news, s->time);
	/* The idle task, 0, waits for nothing. */
	if (!news.left.n || str_eq(news.left, STR("0")))
		return;
	s->event = OFF_CPU_EVENT;
	r->stack.java = frame_names_is_java(s->comm);
	s->end = COLLAPSE_UNJUDGED;
	node = news.waits && frames.n ? find_node(r, s, frames) : TREE_ROOT;
	w = off_cpu_of(&r->off_cpu, news.left);
	*w = (struct off_cpu_wait){ node, s->time, r->end };
}

/* Folds a record whose header line, if any, has neither time nor event. */
static void
fold_bare(struct reader *r, const struct perf_block *rec)
{
	struct str frames = perf_block_frames(rec, rec->header, false);
	struct collapse_sample s;
	struct str left = rec->header;

	if (r->full || !frames.n) {
		collapse_lose(r->c, COLLAPSE_MALFORMED);
		return;
	}
	if (!rec->frames.n)
		left.n -= frames.n;
	perf_sample_parse_bare(left, &s);
	fold(r, &s, frames, !rec->frames.n || r->style.flat);
}

/* Reads a field of perf script --header from LINE. */
static void
parse_comment(struct reader *r, struct str line)
{
	static const struct {
		const char *from, *to;
	} fields[] = { { "hostname", "host" }, { "cmdline", "command" } };
	struct str value = str_from(line, 1), key = str_trim(str_cut(&value, ':'));
	size_t i;

	if (str_eq(key, STR("captured on")))
		collapse_start_text(r->c, str_trim(value));
	for (i = 0; i < sizeof fields / sizeof *fields; i++)
		if (str_eq(key, str_of(fields[i].from)))
			collapse_info(r->c, fields[i].to, str_trim(value));
}

/* Reads the number from "PERF_RECORD_LOST id:12: lost:34". */
static void
parse_sideband(struct reader *r, struct str line)
{
	struct str lost = str_from(line, str_search(line, STR("PERF_RECORD_LOST")));
	uint64_t n;

	lost = str_from(lost, str_search(lost, STR("lost")) + 4);
	while (lost.n && !str_is_digit(lost.s[0]))
		lost = str_from(lost, 1);
	if (str_to_u64(str_word(&lost), &n))
		collapse_lose_recorded(r->c, n);
}

static void
fold_record(struct reader *r, const struct perf_block *rec)
{
	struct collapse_sample s;
	struct str tail, header = rec->header;
	enum perf_sample_kind kind;

	if (rec->comment) {
		parse_comment(r, str_trim(header));
		return;
	}
	if (!str_trim(header).n && !rec->frames.n)
		return;
	kind = perf_sample_parse(header, &s, &tail);
	r->full |= kind != PERF_SAMPLE_NONE;
	if (kind == PERF_SAMPLE && r->by_waits)
		fold_waits(r, &s, tail, rec->frames);
	else if (kind == PERF_SAMPLE)
		fold(r, &s, perf_block_frames(rec, tail, event_is_tracepoint(s.event)),
			!rec->frames.n);
	else if (kind == PERF_SAMPLE_NONE)
		fold_bare(r, rec);
	else if (kind == PERF_SAMPLE_SIDEBAND)
		parse_sideband(r, header);
	else
		collapse_lose(r->c, COLLAPSE_MALFORMED);
}

/* Whether the header lines of HEAD have a time or an event. */
static bool
is_full(struct str head, struct perf_style style)
{
	struct perf_block rec;

	while (perf_block_cut(&head, style, true, &rec))
		if (!rec.comment && perf_sample_is_header(rec.header))
			return true;
	return false;
}

/* Folds the complete records in W and returns the rest of it. */
static struct str
fold_window(struct reader *r, struct str w, bool last)
{
	struct perf_block rec;
	uint64_t line;

	while (perf_block_cut(&w, r->style, last, &rec)) {
		line = input_line_number(r->in);
		input_count_lines(r->in, rec.header.s != NULL);
		fold_record(r, &rec);
		/* Lines were counted on the way, for messages: correct the sum. */
		input_count_lines(r->in, line + rec.lines - input_line_number(r->in));
	}
	return w;
}

/* If the event off-cpu is requested, all waits and their lengths are known. */
static void
begin_waits(struct reader *r)
{
	const char *event = r->options->event;

	r->by_waits = event && str_eq(str_of(event), OFF_CPU_EVENT);
	if (!r->by_waits)
		return;
	collapse_unit(r->c, STR("ns"));
	collapse_exact(r->c);
}

static void
end_waits(struct reader *r)
{
	uint64_t n = off_cpu_count(&r->off_cpu);

	if (n)
		msg_warn("%s: left out %" PRIu64 " thread%s that still waited at the end",
			input_name(r->in), n, msg_s(n));
	off_cpu_release(&r->off_cpu);
}

static bool
run(struct input *in, struct collapse *c)
{
	struct reader r = {
		.in = in, .c = c, .options = collapse_options(c), .stack.c = c
	};
	struct str w = input_window(in, WINDOW), rest;
	size_t asked = WINDOW;
	bool good = true;

	collapse_perf(c);
	begin_waits(&r);
	r.style = perf_block_style(w);
	r.full = is_full(str_head(w, WINDOW), r.style);
	while (w.n) {
		rest = fold_window(&r, w, w.n < asked);
		input_skip(in, w.n - rest.n);
		if (rest.n == w.n && w.n > MOST) {
			msg_error("%s:%" PRIu64 ": a record is longer than 16 MB",
				input_name(in), input_line_number(in) + 1);
			good = false;
			break;
		}
		/* Double the window for a record that exceeds it, so that the work
		 * stays in proportion. */
		asked = rest.n == w.n ? w.n * 2 : WINDOW;
		w = input_window(in, asked);
	}
	end_waits(&r);
	stack_cache_release(&r.last);
	free(r.starts);
	free(r.ends);
	cache_release(&r.blocks);
	frame_names_release(&r.stack);
	return good;
}

const struct collapse_format collapse_perf_script = {
	.probe = probe,
	.run = run,
	.uses = COLLAPSE_USES_BY | COLLAPSE_USES_FRAME_NAMES | COLLAPSE_USES_INLINED |
		COLLAPSE_USES_SRCLINE,
	.for_times = "print them with perf script -F +time",
};
