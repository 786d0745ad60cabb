/* SPDX-License-Identifier: ISC */
/*
 * Call graphs written by FreeBSD's pmcstat -R FILE -G OUT (pmcpl_callgraph.c):
 *
 *	@ inst_retired.any [35705 samples]
 *
 *	14.44%  [5156]     fletcher_2_native @ /boot/kernel/zfs.ko
 *	 50.62%  [2610]      arc_cksum_verify
 *	  66.02%  [1723]       arc_buf_thaw
 *	 40.00%  [2062]      zio_checksum
 *
 * A sampled function, and below it its callers, indented by one blank per level. Samples
 * that the callers do not account for belong to stacks that end there, or whose callers
 * are below pmcstat's threshold. The object file is given where it changes.
 */
#include "stacks/call-tree.h"
#include "formats.h"
#include "msg.h"

#include <inttypes.h>

struct reader {
	struct collapse *c;
	struct call_tree tree; /* the sampled function first */
	struct buf event;
};

/* Parses "  66.02%  [1723]       arc_buf_thaw @ /boot/kernel/zfs.ko". */
static bool
cut_line(struct str line, size_t *depth, uint64_t *count, struct frame_names_symbol *s)
{
	struct str rest = line, number;
	size_t at, i;

	for (*depth = 0; *depth < line.n && line.s[*depth] == ' ';)
		++*depth;
	rest = str_from(line, *depth);
	at = str_find(rest, '%');
	for (i = 0; i < at && (str_is_digit(rest.s[i]) || rest.s[i] == '.');)
		i++;
	if (!at || i < at || at == rest.n)
		return false;
	rest = str_trim(str_from(rest, at + 1));
	if (!str_starts(rest, STR("[")))
		return false;
	rest = str_from(rest, 1);
	number = str_cut(&rest, ']');
	rest = str_trim(rest);
	at = str_search(rest, STR(" @ "));
	s->name = str_trim(str_head(rest, at));
	s->module = str_trim(str_from(rest, at + 3));
	return s->name.n && str_to_u64(number, count);
}

/* Parses "@ inst_retired.any [35705 samples]". */
static bool
cut_event(struct str line, struct str *event)
{
	size_t open = str_rfind(line, '[');

	if (!str_starts(line, STR("@ ")) || !str_ends(line, STR(" samples]")) || open < 3)
		return false;
	*event = str_trim(str_head(str_from(line, 2), open - 2));
	return true;
}

static void
parse_line(struct reader *r, struct str line)
{
	struct frame_names *names = &r->tree.names;
	struct frame_names_symbol s = { 0 };
	struct str event;
	uint64_t count;
	size_t depth;

	if (cut_event(str_trim(line), &event)) {
		call_tree_end(&r->tree);
		buf_clear(&r->event);
		buf_str(&r->event, event);
		r->tree.sample.event = buf_view(&r->event);
	} else if (!cut_line(line, &depth, &count, &s)) {
		if (str_trim(line).n)
			collapse_lose(r->c, COLLAPSE_MALFORMED);
	} else if (depth > r->tree.n) {
		collapse_lose(r->c, COLLAPSE_MALFORMED);
	} else {
		names->n = 0;
		frame_names_add(names, &s);
		call_tree_enter(&r->tree, depth, names->ids, names->n);
		call_tree_total(&r->tree, count);
	}
}

static bool
run(struct input *in, struct collapse *c)
{
	struct reader r = { .c = c,
		.tree = { .names.c = c, .leaf_first = true, .samples = true } };
	struct str line;

	collapse_threadless(c);
	while (input_line(in, &line))
		parse_line(&r, line);
	call_tree_end(&r.tree);
	if (r.tree.cut)
		msg_warn("%s: callers of %" PRIu64
			 " samples are missing, mostly below pmcstat's threshold; "
			 "their stacks end early",
			input_name(in), r.tree.cut);
	call_tree_release(&r.tree);
	buf_release(&r.event);
	return true;
}

static int
probe(struct str head)
{
	struct frame_names_symbol s;
	struct str line, event;
	bool named = false;
	uint64_t count;
	size_t depth;

	while (head.n) {
		line = str_cut(&head, '\n');
		if (cut_event(str_trim(line), &event))
			named = true;
		else if (cut_line(line, &depth, &count, &s))
			return named ? 100 : 70;
	}
	return 0;
}

const struct collapse_format collapse_pmcstat = {
	.probe = probe,
	.signs = SIGNS(SIGN(ANYWHERE, "%")),
	.run = run,
	.uses = COLLAPSE_USES_FULL_NAMES,
};
