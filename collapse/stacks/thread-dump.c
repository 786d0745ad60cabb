/* SPDX-License-Identifier: ISC */
/* Turns threads of a dump into samples; see thread-dump.h. */
#include "thread-dump.h"

void
thread_dump_release(struct thread_dump *d)
{
	frame_names_release(&d->stack);
	buf_release(&d->text);
	buf_release(&d->labels);
	*d = (struct thread_dump){ 0 };
}

void
thread_dump_open(struct thread_dump *d, const struct collapse_sample *t)
{
	struct str *const texts[] = { &d->thread.comm, &d->thread.pid, &d->thread.tid,
		&d->thread.event };
	size_t at = 0, i;

	thread_dump_close(d);
	d->open = true;
	d->thread = *t;
	buf_clear(&d->text);
	(void)buf_room(&d->text, 1);
	for (i = 0; i < sizeof texts / sizeof *texts; i++)
		buf_str(&d->text, *texts[i]);
	for (i = 0; i < sizeof texts / sizeof *texts; i++) {
		texts[i]->s = d->text.s + at;
		at += texts[i]->n;
	}
}

void
thread_dump_label(struct thread_dump *d, struct str key, struct str value)
{
	if (d->label_n == THREAD_DUMP_LABELS)
		return;
	buf_str(&d->labels, key);
	buf_str(&d->labels, value);
	d->label[d->label_n].key = key.n;
	d->label[d->label_n++].value = value.n;
}

/* Lists the current thread's labels in TO. */
static void
list_labels(const struct thread_dump *d, struct collapse_label *to)
{
	struct str rest = buf_view(&d->labels);
	size_t i;

	for (i = 0; i < d->label_n; i++) {
		to[i].key = str_head(rest, d->label[i].key);
		rest = str_from(rest, to[i].key.n);
		to[i].value = str_head(rest, d->label[i].value);
		rest = str_from(rest, to[i].value.n);
	}
}

void
thread_dump_close(struct thread_dump *d)
{
	struct collapse_label labels[THREAD_DUMP_LABELS];
	struct collapse *c = d->stack.c;
	uint32_t node = TREE_ROOT;

	list_labels(d, labels);
	d->thread.labels = labels;
	d->thread.label_n = d->label_n;
	if (d->open && collapse_wants(c, &d->thread)) {
		if (d->stack.n) {
			node = collapse_root(c, &d->thread);
			node = collapse_mark_end(c, node, d->thread.end);
			node = collapse_path(c, node, d->stack.ids, d->stack.n);
		}
		d->thread.end = COLLAPSE_UNJUDGED;
		collapse_add(c, node, &d->thread);
	}
	d->thread.labels = NULL;
	d->thread.label_n = 0;
	thread_dump_drop(d);
}

void
thread_dump_drop(struct thread_dump *d)
{
	d->open = false;
	d->stack.n = 0;
	d->label_n = 0;
	buf_clear(&d->labels);
}

bool
thread_dump_recall(struct thread_dump *d, struct str text)
{
	d->key = str_digest(text);
	d->first = d->stack.n;
	return frame_names_recall(&d->stack, d->key);
}

void
thread_dump_keep(struct thread_dump *d)
{
	frame_names_keep(&d->stack, d->key, d->first);
}

bool
thread_dump_is_text(struct str head)
{
	return head.n && !memchr(head.s, 0, head.n);
}

bool
thread_dump_cut_number(struct str *line, uint64_t *number)
{
	struct str rest = *line, word = str_word(&rest);

	if (!word.n || word.s[0] != '#' || !str_to_u64(str_from(word, 1), number))
		return false;
	while (rest.n && str_is_blank(rest.s[0]))
		rest = str_from(rest, 1);
	*line = rest;
	return true;
}

bool
thread_dump_cut_address(struct str *line, struct str *address)
{
	size_t n = 2;

	if (!str_starts(*line, STR("0x")))
		return false;
	while (n < line->n && str_is_hex(line->s[n]))
		n++;
	*address = str_from(str_head(*line, n), 2);
	*line = str_from(*line, n);
	return address->n > 0;
}

struct str
thread_dump_cut_values(struct str call)
{
	size_t at = call.n;
	int depth = 0;

	if (!str_ends(call, STR(")")))
		return call;
	while (at > 0) {
		at--;
		depth += call.s[at] == ')';
		depth -= call.s[at] == '(';
		if (depth == 0)
			return at ? str_head(call, at) : call;
	}
	return call;
}

struct str
thread_dump_between(struct str line, struct str before, struct str after)
{
	struct str rest = str_from(line, str_search(line, before) + before.n);

	return str_head(rest, str_search(rest, after));
}
