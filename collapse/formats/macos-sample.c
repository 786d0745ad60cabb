/* SPDX-License-Identifier: ISC */
/*
 * Output of sample on macOS, and of Activity Monitor's "Sample Process".
 *
 *	Analysis of sampling rg (pid 64751) every 1 millisecond
 *	Process:         rg [64751]
 *	Path:            /usr/local/Cellar/ripgrep/11.0.1/bin/rg
 *	Date/Time:       2019-07-04 10:21:28.347 -0600
 *
 *	Call graph:
 *	    825 Thread_15758523   DispatchQueue_1: com.apple.main-thread  (serial)
 *	    + 825 start  (in libdyld.dylib) + 1  [0x7fff737cf3d5]
 *	    +   731 main  (in rg) + 41,63,...  [0x10384b549,0x10384b55f,...]  main.c:12
 *	    +   ! 31 ???  (in rg)  load address 0x103746000 + 0x1e2  [0x1037461e2]
 *
 *	Total number in stack (recursive counted multiple, when >=5):
 *
 * A line's number counts samples there and below. Unlike FlameGraph and inferno, this
 * counts waiting threads too.
 */
#include "stacks/call-tree.h"
#include "collapse.h"
#include "formats.h"

/* The first characters of all lines of the tree. */
#define MARGIN STR("    ")

/* The width of the indentation of LINE. */
static size_t
count_indent(struct str line)
{
	size_t i = 0;

	while (i < line.n && memchr(" +|:!", line.s[i], 5))
		i++;
	return i;
}

/* Where "  (in MODULE)" begins in TEXT; TEXT's length if absent. */
static size_t
find_module(struct str text)
{
	struct str mark = STR("  (in "), rest = text;
	size_t at, found = text.n;

	while ((at = str_search(rest, mark)) < rest.n) {
		found = (size_t)(rest.s - text.s) + at;
		rest = str_from(rest, at + mark.n);
	}
	return found;
}

/* The first address of "[0x7fff737cf3d5,0x7fff737cf3d9,...]" in TEXT, without "0x"; *TEXT
 * keeps the rest after the bracket. */
static struct str
cut_address(struct str *text)
{
	struct str all = *text, address;
	size_t at = str_search(all, STR("  [0x"));

	if (at == all.n)
		return (struct str){ 0 };
	all = str_from(all, at + 5);
	address = str_cut(&all, ']');
	*text = all;
	return str_cut(&address, ',');
}

static void
add_frame(struct frame_names *names, struct str text)
{
	struct frame_names_symbol s = { 0 };
	size_t in = find_module(text);
	struct str rest = str_from(text, in + 6);

	s.name = str_head(text, in);
	s.module = str_cut(&rest, ')');
	s.address = cut_address(&rest);
	s.srcline = str_trim(rest);
	/* One of several copies made by the compiler. */
	s.name = str_head(s.name, str_search(s.name, STR(" (.llvm.")));
	/* Code without symbols. */
	if (str_starts(s.name, STR("???")))
		s.name.n = 0;
	frame_names_add(names, &s);
}

/* A thread's frame is its name and its dispatch queue, without "(serial)". */
static void
add_thread(struct frame_names *names, struct str text)
{
	text = str_head(text, str_search(text, STR("  (")));
	frame_names_push(names, collapse_frame(names->c, text, 0));
}

/* TEXT up to the end of its module at IN: offsets within a function do not make different
 * frames. */
static struct str
cut_offset(const struct collapse_options *o, struct str text, size_t in)
{
	size_t end = in + 6 + str_find(str_from(text, in + 6), ')');

	return o->addrs || o->srcline || text.s[0] == '?' ? text : str_head(text, end);
}

/* Parses a line of the tree. Returns false if it is not one. */
static bool
parse_line(struct call_tree *t, struct str line)
{
	size_t depth, in;
	uint64_t total;
	struct str text;

	if (!str_starts(line, MARGIN))
		return false;
	text = str_from(line, MARGIN.n);
	depth = count_indent(text);
	text = str_from(text, depth);
	if (!str_to_u64(str_cut(&text, ' '), &total) || !text.n)
		return false;
	in = find_module(text);
	if (depth == 0 && in == text.n) {
		t->sample.tid = str_head(text, str_find(text, ' '));
		if (str_starts(t->sample.tid, STR("Thread_")))
			t->sample.tid = str_from(t->sample.tid, 7);
		call_tree_name(t, text, add_thread);
	} else {
		call_tree_name(
			t, cut_offset(collapse_options(t->names.c), text, in), add_frame);
	}
	call_tree_enter(t, depth, t->names.ids, t->names.n);
	call_tree_total(t, total);
	return true;
}

/* From the lines before the tree. */
struct about {
	struct buf comm, pid;
};

static void
parse_about(struct collapse *c, struct about *about, struct str line)
{
	struct str key = str_cut(&line, ':'), value = str_trim(line);
	size_t bracket = str_rfind(value, '[');

	if (str_eq(key, STR("Process")) && bracket < value.n) {
		buf_clear(&about->comm);
		buf_clear(&about->pid);
		buf_str(&about->comm, str_trim(str_head(value, bracket)));
		value = str_from(value, bracket + 1);
		buf_str(&about->pid, str_cut(&value, ']'));
	} else if (str_eq(key, STR("Path"))) {
		collapse_info(c, "command", value);
	} else if (str_eq(key, STR("Date/Time"))) {
		collapse_start_text(c, value);
	}
}

static bool
run(struct input *in, struct collapse *c)
{
	struct call_tree t = { .names.c = c, .samples = true };
	struct about about = { 0 };
	bool within = false, good;
	uint64_t before = collapse_samples(c);
	struct str line;

	while (input_line(in, &line)) {
		if (str_starts(line, STR("Call graph:"))) {
			within = true;
			t.sample.comm = buf_view(&about.comm);
			t.sample.pid = buf_view(&about.pid);
		} else if (!within) {
			parse_about(c, &about, line);
		} else if (str_starts(line, STR("Total number in stack"))) {
			call_tree_end(&t);
			within = false;
		} else if (str_trim(line).n && !parse_line(&t, line)) {
			collapse_lose(c, COLLAPSE_MALFORMED);
		}
	}
	call_tree_end(&t);
	good = !within || collapse_damage(c, before, true);
	call_tree_release(&t);
	buf_release(&about.comm);
	buf_release(&about.pid);
	return good;
}

static int
probe(struct str head)
{
	struct str line;

	while (head.n) {
		line = str_cut(&head, '\n');
		if (!str_starts(line, STR("Call graph:")))
			continue;
		line = str_cut(&head, '\n');
		if (!str_starts(line, MARGIN))
			return 0;
		line = str_from(line, MARGIN.n + count_indent(str_from(line, MARGIN.n)));
		return line.n && str_is_digit(line.s[0]) ? 95 : 0;
	}
	return 0;
}

const struct collapse_format collapse_macos_sample = {
	.probe = probe,
	.signs = SIGNS(SIGN(ANYWHERE, "Call graph:")),
	.run = run,
	.uses = COLLAPSE_USES_BY | COLLAPSE_USES_ADDRS | COLLAPSE_USES_SRCLINE |
		COLLAPSE_USES_FULL_NAMES,
};
