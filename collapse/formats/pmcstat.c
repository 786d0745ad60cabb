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
#include "stacks/counted-stack.h"
#include "formats.h"
#include "mem.h"
#include "msg.h"

#include <inttypes.h>

/* An open line of the tree. */
struct level {
	uint32_t id;
	uint64_t count, below; /* samples: here, and in its callers */
};

struct reader {
	struct collapse *c;
	struct frame_names names; /* one frame, of the current line */
	struct level *levels;	  /* the sampled function first */
	size_t n, cap;
	uint32_t *ids; /* of the same length */
	size_t id_cap;
	struct buf event;
	uint64_t cut; /* samples of functions some of whose callers are missing */
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

/* Closes the innermost open line. Samples that its callers do not account for end
 * here. */
static void
close_level(struct reader *r)
{
	struct level *l = &r->levels[r->n - 1];
	struct collapse_sample s = { .event = buf_view(&r->event) };
	size_t i;

	if (l->below < l->count) {
		s.count = l->count - l->below;
		r->cut += l->below ? s.count : 0;
		r->ids = mem_grow(r->ids, &r->id_cap, r->n, sizeof *r->ids);
		for (i = 0; i < r->n; i++)
			r->ids[i] = r->levels[i].id;
		if (collapse_wants(r->c, &s))
			collapse_stack(r->c, &s, r->ids, r->n);
	} else if (l->below > l->count) {
		collapse_lose(r->c, COLLAPSE_MALFORMED);
	}
	r->n--;
}

static void
open_level(struct reader *r, uint64_t count, const struct frame_names_symbol *s)
{
	struct level *caller = r->n ? &r->levels[r->n - 1] : NULL;

	if (caller)
		caller->below = caller->below > UINT64_MAX - count
			? UINT64_MAX
			: caller->below + count;
	r->names.n = 0;
	frame_names_add(&r->names, s);
	r->levels = mem_grow(r->levels, &r->cap, r->n + 1, sizeof *r->levels);
	r->levels[r->n++] = (struct level){ r->names.ids[r->names.n - 1], count, 0 };
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
	struct frame_names_symbol s = { 0 };
	struct str event;
	uint64_t count;
	size_t depth;

	if (cut_event(str_trim(line), &event)) {
		while (r->n)
			close_level(r);
		buf_clear(&r->event);
		buf_str(&r->event, event);
	} else if (!cut_line(line, &depth, &count, &s)) {
		if (str_trim(line).n)
			collapse_lose(r->c, COLLAPSE_MALFORMED);
	} else if (depth > r->n) {
		collapse_lose(r->c, COLLAPSE_MALFORMED);
	} else {
		while (r->n > depth)
			close_level(r);
		open_level(r, count, &s);
	}
}

static bool
run(struct input *in, struct collapse *c)
{
	struct reader r = { .c = c, .names.c = c };
	struct str line;

	collapse_threadless(c);
	while (input_line(in, &line))
		parse_line(&r, line);
	while (r.n)
		close_level(&r);
	if (r.cut)
		msg_warn("%s: callers of %" PRIu64
			 " samples are missing, mostly below pmcstat's threshold; "
			 "their stacks end early",
			input_name(in), r.cut);
	frame_names_release(&r.names);
	buf_release(&r.event);
	free(r.levels);
	free(r.ids);
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
