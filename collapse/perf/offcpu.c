/* SPDX-License-Identifier: ISC */
/* Time that threads did not run; see offcpu.h. */
#include "offcpu.h"
#include "event.h"

#include <inttypes.h>

void
offcpu_release(struct offcpu *o)
{
	free(o->waits);
	buf_release(&o->event);
	*o = (struct offcpu){ 0 };
}

bool
offcpu_is_event(const struct reader_event *event)
{
	return str_eq(event_plain(event->name), STR("off-cpu"));
}

void
offcpu_begin(struct offcpu *o, struct process_thread *t, uint32_t node,
	const struct collapse_sample *s)
{
	struct offcpu_wait *w;

	if (!o->event.n)
		buf_str(&o->event, s->event);
	if (!t->wait) {
		o->waits = mem_grow(o->waits, &o->cap, o->n + 1, sizeof *o->waits);
		o->waits[o->n++] = (struct offcpu_wait){ 0 };
		t->wait = (uint32_t)o->n;
	}
	w = &o->waits[t->wait - 1];
	o->endless += w->node != TREE_ROOT;
	*w = (struct offcpu_wait){ node, s->time, s->end, false };
	/* A thread that ended never returns. */
	if (t->ended)
		w->node = TREE_ROOT;
}

bool
offcpu_switch(
	struct offcpu *o, const struct process_thread *t, const struct reader_switch *s)
{
	struct offcpu_wait *w = t->wait ? &o->waits[t->wait - 1] : NULL;
	struct collapse_sample add = { .event = buf_view(&o->event), .has_period = true };
	uint32_t node, id;

	if (!w || w->node == TREE_ROOT)
		return true;
	if (s->out) {
		w->preempted = s->preempted;
		return true;
	}
	node = w->node;
	add.end = w->end;
	w->node = TREE_ROOT;
	if (w->preempted) {
		id = collapse_frame(o->c, STR("[preempted]"), COLLAPSE_KERNEL);
		node = collapse_path(o->c, node, &id, 1);
	}
	add.period = s->time > w->since ? s->time - w->since : 0;
	return collapse_add(o->c, node, &add);
}

void
offcpu_forget(struct offcpu *o)
{
	size_t i;

	for (i = 0; i < o->n; i++)
		o->waits[i].node = TREE_ROOT;
	o->endless = 0;
}

void
offcpu_tell(const struct offcpu *o, const char *input)
{
	uint64_t n = o->endless;
	size_t i;

	for (i = 0; i < o->n; i++)
		n += o->waits[i].node != TREE_ROOT;
	if (n)
		msg_warn("%s: %" PRIu64
			 " %s had not ended with the recording and %s left "
			 "out",
			input, n, n == 1 ? "wait" : "waits", n == 1 ? "is" : "are");
}
