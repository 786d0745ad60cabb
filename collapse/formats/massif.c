/* SPDX-License-Identifier: ISC */
/*
 * massif.out files of valgrind --tool=massif: snapshots of live allocations by call path.
 *
 *	desc: --stacks=yes
 *	cmd: ./heap
 *	time_unit: i
 *	#-----------
 *	snapshot=14
 *	#-----------
 *	time=203394
 *	mem_heap_B=90704
 *	mem_heap_extra_B=1320
 *	mem_stacks_B=0
 *	heap_tree=peak
 *	n2: 90704 (heap allocation functions) malloc/new/new[], --alloc-fns, etc.
 *	 n1: 72704 0x48FC7B9: ??? (in /usr/lib/libstdc++.so.6.0.30)
 *	  n0: 72704 0x4004A1D: call_init (dl-init.c:74)
 *	 n0: 18000 in 3 places, all below massif's threshold (1.00%)
 *
 * A line is indented by its depth, and has the number of its callers that follow, and
 * bytes. Only "detailed" snapshots and the "peak" have a tree: the peak is folded, else
 * the last one. The tree contains neither stacks nor the allocator's overhead (extra).
 *
 * valgrind, massif/ms_main.c.
 */
#include "stacks/call-tree.h"
#include "collapse.h"
#include "formats.h"
#include "valgrind-frame.h"

#include <inttypes.h>

struct entry {
	size_t depth, end; /* end: one past its frames in ids */
	uint64_t total;
};

/* A tree that may be folded. */
struct snapshot {
	struct entry *entries;
	size_t n, cap;
	uint32_t *ids;
	size_t id_n, id_cap;
	uint64_t stacks; /* bytes */
};

struct reader {
	struct collapse *c;
	struct call_tree tree;
	struct snapshot kept;
	struct buf name; /* of the current snapshot */
	uint64_t stacks; /* its mem_stacks_B */
	unsigned metric, main;
	bool any, peaked; /* any tree was read; the peak's was */
	bool open;	  /* in a snapshot whose tree has not begun */
	bool within;	  /* in a tree */
	bool keep;	  /* the tree may be folded */
	int64_t pending;  /* lines of the tree that are still to come */
};

/* Adds the frame of "0x4004A1D: call_init (dl-init.c:74)", or one for places below the
 * threshold. */
static void
add_frame(struct frame_names *names, struct str text)
{
	struct frame_names_symbol s;

	if (str_starts(text, STR("in ")) &&
		str_search(text, STR(" below massif's")) < text.n) {
		frame_names_push(
			names, collapse_frame(names->c, STR("[below threshold]"), 0));
		return;
	}
	s = valgrind_frame_cut(text);
	frame_names_add(names, &s);
}

/* Sets *VALUE to the text of LINE after KEY. Returns false if LINE does not begin with
 * KEY. */
static bool
cut_value(struct str line, struct str key, struct str *value)
{
	*value = str_from(line, key.n);
	return str_starts(line, key);
}

/* Begins a tree, of the PEAK or of another snapshot. */
static void
begin_tree(struct reader *r, bool peak)
{
	const char *cost = collapse_options(r->c)->cost;

	if (peak) {
		buf_clear(&r->name);
		buf_str(&r->name, STR("peak"));
	}
	r->metric = collapse_metric(r->c, buf_view(&r->name), STR("bytes"));
	r->keep = cost ? str_eq(buf_view(&r->name), str_of(cost)) : peak || !r->peaked;
	if (peak || !r->peaked)
		r->main = r->metric;
	r->peaked |= peak;
	r->any = r->within = true;
	r->pending = 1;
	if (r->keep) {
		r->kept.n = r->kept.id_n = 0;
		r->kept.stacks = r->stacks;
	}
}

/* Parses "  n2: 90704 text". Returns false if LINE is something else. */
static bool
cut_line(struct str line, struct entry *entry, uint64_t *callers, struct str *text)
{
	size_t depth = 0;

	while (depth < line.n && line.s[depth] == ' ')
		depth++;
	line = str_from(line, depth);
	if (!str_starts(line, STR("n")))
		return false;
	line = str_from(line, 1);
	if (!str_to_u64(str_cut(&line, ':'), callers) || *callers > UINT32_MAX ||
		!str_starts(line, STR(" ")))
		return false;
	line = str_from(line, 1);
	*entry = (struct entry){ .depth = depth };
	if (!str_to_u64(str_cut(&line, ' '), &entry->total))
		return false;
	*text = line;
	return true;
}

static void
keep_line(struct reader *r, struct entry entry)
{
	const struct frame_names *names = &r->tree.names;
	struct snapshot *k = &r->kept;

	k->ids = mem_grow(k->ids, &k->id_cap, k->id_n + names->n, sizeof *k->ids);
	if (names->n)
		memcpy(k->ids + k->id_n, names->ids, names->n * sizeof *names->ids);
	entry.end = k->id_n += names->n;
	*MEM_ADD(k->entries, k->n, k->cap) = entry;
}

/* Parses a line of a tree. Returns false if it is not one. */
static bool
parse_line(struct reader *r, struct str line)
{
	struct entry entry;
	uint64_t callers;
	struct str text;

	if (!cut_line(line, &entry, &callers, &text))
		return false;
	r->pending += (int64_t)callers - 1;
	if (!entry.depth)
		collapse_count_weight(r->c, r->metric, entry.total);
	if (!r->keep)
		return true;
	r->tree.names.n = 0;
	/* The outermost line names the allocation functions: it is not a frame. */
	if (entry.depth)
		call_tree_name(&r->tree, text, add_frame);
	keep_line(r, entry);
	return true;
}

static void
end_tree(struct reader *r)
{
	if (r->within && r->pending)
		collapse_lose(r->c, COLLAPSE_MALFORMED);
	r->within = false;
}

static void
parse_header(struct reader *r, struct str line)
{
	struct str value;

	if (cut_value(line, STR("snapshot="), &value)) {
		r->open = true;
		r->stacks = 0;
		buf_clear(&r->name);
		buf_fmt(&r->name, "snapshot-%.*s", STR_ARG(str_head(value, 20)));
	} else if (cut_value(line, STR("mem_stacks_B="), &value)) {
		(void)str_to_u64(value, &r->stacks);
	} else if (cut_value(line, STR("heap_tree="), &value)) {
		r->open = false;
		if (!str_eq(value, STR("empty")))
			begin_tree(r, str_eq(value, STR("peak")));
	} else if (cut_value(line, STR("cmd: "), &value)) {
		collapse_info(r->c, "command", value);
	} else if (!cut_value(line, STR("#"), &value) &&
		!cut_value(line, STR("time"), &value) &&
		!cut_value(line, STR("mem_"), &value) &&
		!cut_value(line, STR("desc:"), &value) && str_trim(line).n) {
		collapse_lose(r->c, COLLAPSE_MALFORMED);
	}
}

static void
fold(struct reader *r, const struct input *in)
{
	const struct snapshot *k = &r->kept;
	size_t i, n, from = 0;

	for (i = 0; i < k->n; i++) {
		n = k->entries[i].end - from;
		/* Without frames, ids may be NULL. */
		call_tree_enter(
			&r->tree, k->entries[i].depth, n ? k->ids + from : NULL, n);
		call_tree_total(&r->tree, k->entries[i].total);
		from += n;
	}
	call_tree_end(&r->tree);
	if (k->stacks)
		msg_warn("%s: massif's tree leaves out stacks, which had %" PRIu64
			 " bytes",
			input_name(in), k->stacks);
}

static bool
finish(struct reader *r, const struct input *in)
{
	uint64_t before = collapse_samples(r->c);
	bool cut = r->open || (r->within && r->pending > 0), good;

	if (!r->any && !cut) {
		msg_error(
			"%s: has no snapshot with stacks; record with --detailed-freq=1",
			input_name(in));
		return false;
	}
	good = r->any && collapse_choose_metric(r->c, r->main) != COLLAPSE_NO_METRIC;
	if (good)
		fold(r, in);
	if (cut && (good || !r->any))
		return collapse_damage(r->c, before, true);
	return good;
}

static bool
run(struct input *in, struct collapse *c)
{
	struct reader r = { .c = c, .tree.names.c = c, .tree.leaf_first = true };
	struct str line;
	bool good;

	collapse_threadless(c);
	collapse_exact(c);
	while (input_line(in, &line)) {
		if (r.within && parse_line(&r, line))
			continue;
		end_tree(&r);
		parse_header(&r, line);
	}
	good = finish(&r, in);
	call_tree_release(&r.tree);
	buf_release(&r.name);
	free(r.kept.entries);
	free(r.kept.ids);
	return good;
}

static int
probe(struct str head)
{
	enum { LINES = 8 };
	bool command = false;
	struct str line;
	int i;

	for (i = 0; i < LINES && head.n; i++) {
		line = str_cut(&head, '\n');
		command |= str_starts(line, STR("cmd:"));
		if (str_starts(line, STR("time_unit:")))
			return command ? 95 : 0;
	}
	return 0;
}

const struct collapse_format collapse_massif = {
	.probe = probe,
	.signs = SIGNS(SIGN(MAGIC, "desc:")),
	.run = run,
	.uses = COLLAPSE_USES_ADDRS | COLLAPSE_USES_SRCLINE | COLLAPSE_USES_FULL_NAMES |
		COLLAPSE_USES_COST,
};
