/* SPDX-License-Identifier: ISC */
/* Stacks cut at a frame; see root-at.h. */
#include "root-at.h"
#include "frame.h"
#include "units.h"

/* Parts that a share is rounded to. */
enum { SHARES = 10000 };

static bool
is_base(const struct opt_list *list, struct str frame)
{
	struct str bare = frame_bare(frame), name;
	size_t i;

	for (i = 0; i < list->n; i++) {
		name = str_of(list->items[i]);
		if (str_eq(name, frame) || str_eq(name, bare))
			return true;
	}
	return false;
}

bool
root_at_keep(void *list, struct str *stack, bool turned)
{
	size_t at = 0, end, found = SIZE_MAX;

	for (; at <= stack->n; at = end + 1) {
		end = at + str_find(str_from(*stack, at), ';');
		if (!is_base(list, (struct str){ stack->s + at, end - at }))
			continue;
		found = turned ? end : at;
		if (!turned)
			break;
	}
	if (found == SIZE_MAX)
		return false;
	*stack = turned ? str_head(*stack, found) : str_from(*stack, found);
	return true;
}

/* The names, "a, b". */
static void
put_names(struct buf *b, const struct opt_list *list)
{
	size_t i;

	for (i = 0; i < list->n; i++) {
		buf_str(b, i ? STR(", ") : STR(""));
		buf_str(b, str_of(list->items[i]));
	}
}

static void
put_left_out(struct buf *b, const struct folded_count *count)
{
	buf_str(b, STR(": left out "));
	units_put_count(b, count->left_out);
	buf_str(b,
		count->left_out == 1 ? STR(" stack that has") : STR(" stacks that have"));
	buf_str(b, STR(" no such frame, "));
}

/* The weight of column C with what was left out. */
static struct weight
find_whole(const struct profile *p, int c)
{
	struct weight whole = weight_of(p->tree.sum[c], p->tree.scale);

	(void)weight_add(&whole, p->count.left_weight[c]);
	return whole;
}

void
root_at_report(const struct opt_list *list, struct profile *p)
{
	const struct folded_count *count = &p->count;
	const struct tree *t = &p->tree;
	struct weight whole[TREE_COLUMNS] = { { 0 } };
	int c, last = t->columns - 1;
	struct buf b = { 0 };

	for (c = 0; c < t->columns; c++)
		whole[c] = find_whole(p, c);
	folded_info_keep(&p->info, t, whole);
	put_names(&b, list);
	folded_info_set(&p->info, "base", buf_view(&b));
	if (count->left_out && t->sum[last]) {
		put_left_out(&b, count);
		units_put_share(&b,
			weight_share(SHARES, count->left_weight[last], whole[last]),
			SHARES);
		msg_warn("--base %s of the weight", buf_cstr(&b));
	}
	buf_release(&b);
}
