/* SPDX-License-Identifier: ISC */
/* Selects stacks by the values of their dimensions; see where.h. */
#include "where.h"
#include "folded.h"
#include "mem.h"
#include "msg.h"

void
where_release(struct where *w)
{
	free(w->conditions);
	*w = (struct where){ .n = 0 };
}

/* Parses TEXT, "1.5s", "20ms" or "3" for seconds, as ns. */
static bool
read_time(struct str text, uint64_t *ns)
{
	bool rounded = false;

	return folded_time(text, ns) || folded_weight(text, 9, ns, &rounded);
}

/* Parses "A..B"; one of them may be missing. Returns an error text, or NULL. */
static const char *
read_range(struct where_condition *c)
{
	static const char wrong[] =
		"is not a range of time; use one such as time=1.2s..3.4s";
	size_t at = str_search(c->value, STR(".."));
	struct str first = str_head(c->value, at), end = str_from(c->value, at + 2);

	c->is_range = at < c->value.n;
	c->end = UINT64_MAX;
	if (!c->is_range)
		return NULL;
	if ((first.n && !read_time(first, &c->first)) ||
		(end.n && !read_time(end, &c->end)))
		return wrong;
	return c->first < c->end ? NULL : "is an empty range of time";
}

const char *
where_add(struct where *w, const char *text)
{
	struct where_condition c = { .value = str_of(text) };
	const char *wrong = NULL;

	c.name = str_cut(&c.value, '=');
	if (!c.name.n || c.name.n == strlen(text))
		return "is not DIM=VALUE, such as tid=4711 or time=1s..2.5s";
	if (str_eq(c.name, STR("time")))
		wrong = read_range(&c);
	if (wrong)
		return wrong;
	w->conditions = mem_grow(w->conditions, &w->cap, w->n + 1, sizeof *w->conditions);
	w->conditions[w->n++] = c;
	return NULL;
}

void
where_put(struct buf *b, const struct where *w)
{
	size_t i;

	for (i = 0; i < w->n; i++) {
		if (i)
			buf_char(b, ' ');
		buf_str(b, w->conditions[i].name);
		buf_char(b, '=');
		buf_str(b, w->conditions[i].value);
	}
}

/* Finds the dimension of C in D. The key of a label may contain '='. */
static bool
find_place(struct where_condition *c, const struct dimensions *d)
{
	struct str name = c->name, value = c->value;

	for (;;) {
		c->place = dimensions_find(d, name);
		if (c->place < d->n || str_find(value, '=') == value.n)
			break;
		name.n += 1 + str_cut(&value, '=').n;
	}
	if (c->place == d->n)
		return false;
	c->name = name;
	c->value = value;
	return true;
}

/* Finds the dimensions of W in D. */
static bool
find_places(struct where *w, const struct dimensions *d)
{
	size_t i;

	for (i = 0; i < w->n; i++)
		if (!find_place(&w->conditions[i], d)) {
			dimensions_tell_missing(d, w->conditions[i].name, w->option);
			return false;
		}
	return true;
}

static bool
is_number(struct str text)
{
	size_t i = 0;

	while (i < text.n && str_is_digit(text.s[i]))
		i++;
	return text.n && i == text.n;
}

/* Whether FRAME ends in the byte BEFORE and NUMBER. */
static bool
ends_in(struct str frame, char before, struct str number)
{
	size_t at = str_rfind(frame, before);

	return at < frame.n && str_eq(str_from(frame, at + 1), number);
}

/* Whether FRAME, of a dimension of threads or CPUs, has this NUMBER. */
static bool
has_number(struct str name, struct str frame, struct str number)
{
	uint64_t have, want;

	if (str_eq(name, STR("pid")))
		return ends_in(frame, '-', number);
	if (str_eq(name, STR("tid")))
		return ends_in(frame, '/', number);
	return str_eq(name, STR("cpu")) && str_starts(frame, STR("cpu")) &&
		str_to_u64(str_from(frame, 3), &have) && str_to_u64(number, &want) &&
		have == want;
}

static bool
holds(const struct where_condition *c, struct str frame)
{
	uint64_t start, asked;

	if (str_eq(c->value, frame))
		return true;
	if (str_eq(c->name, STR("time"))) {
		if (!str_ends(frame, STR("s")) || !read_time(frame, &start))
			return false;
		if (c->is_range)
			return start >= c->first && start < c->end;
		return read_time(c->value, &asked) && asked == start;
	}
	return is_number(c->value) && has_number(c->name, frame, c->value);
}

/* Whether the conditions allow FRAME in PLACE. */
static bool
fits(const struct where *w, size_t place, struct str frame)
{
	bool asked = false;
	size_t i;

	for (i = 0; i < w->n; i++) {
		if (w->conditions[i].place != place)
			continue;
		if (holds(&w->conditions[i], frame))
			return true;
		asked = true;
	}
	return !asked;
}

/* Drops the weight of NODE. */
static void
drop(const struct where *w, struct tree *t, uint32_t node, uint64_t dropped[TREE_COLUMNS])
{
	int c;

	for (c = 0; c < t->columns; c++)
		if (!w->column || c == w->column - 1)
			tree_drop(t, node, c, &dropped[c]);
}

bool
where_take(struct where *w, const struct dimensions *d, struct tree *t,
	uint64_t dropped[TREE_COLUMNS])
{
	uint32_t *depth, i, parent;
	bool *out, ends;
	size_t k;

	if (!find_places(w, d))
		return false;
	depth = tree_depths(t);
	out = mem_zero(t->n, sizeof *out);
	for (i = TREE_ROOT + 1; i < t->n; i++) {
		parent = t->nodes[i].parent;
		out[i] = out[parent] ||
			(depth[i] <= d->n &&
				!fits(w, depth[i] - 1,
					intern_str(&t->names, t->nodes[i].name)));
		/* A stack may end before its last value. */
		ends = out[i];
		for (k = depth[i]; k < d->n && !ends; k++)
			ends = !fits(w, k, DIMENSIONS_NO_VALUE);
		if (ends)
			drop(w, t, i, dropped);
	}
	free(depth);
	free(out);
	return true;
}
