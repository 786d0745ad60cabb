/* SPDX-License-Identifier: ISC */
/* Samples that wait for the user part of their stack; see deferred.h. */
#include "deferred.h"
#include "mem.h"

/* What may wait; a thread may sleep for as long as it likes. */
enum { MOST_BYTES = 32 << 20, MOST = 1 << 17 };

void
deferred_release(struct deferred *d)
{
	struct deferred_item *i, *newer;

	for (i = d->oldest; i; i = newer) {
		newer = i->newer;
		free(i);
	}
	idmap_release(&d->last);
	*d = (struct deferred){ 0 };
}

/* Makes the table anew, of those that still wait. */
static void
sweep(struct deferred *d)
{
	struct deferred_item *i;

	idmap_release(&d->last);
	for (i = d->oldest; i; i = i->newer)
		*idmap_put(&d->last, i->cookie, i->tid) = (uintptr_t)i;
}

void
deferred_hold(struct deferred *d, uint32_t tid, uint64_t cookie, struct str record,
	uint64_t offset)
{
	enum { LEAST = 1024 };
	struct deferred_item *i = mem_alloc(sizeof *i + record.n), *last;
	uint64_t *place;

	if (d->last.n > LEAST + 4 * d->n)
		sweep(d);
	place = idmap_put(&d->last, cookie, tid);
	last = (struct deferred_item *)(uintptr_t)*place;
	*i = (struct deferred_item){ .next = last ? last->next : i,
		.older = d->newest,
		.cookie = cookie,
		.offset = offset,
		.tid = tid,
		.size = (uint32_t)record.n };
	memcpy(i->record, record.s, record.n);
	if (last)
		last->next = i;
	*place = (uintptr_t)i;
	*(d->newest ? &d->newest->newer : &d->oldest) = i;
	d->newest = i;
	d->n++;
	d->bytes += record.n;
}

struct deferred_item *
deferred_take(struct deferred *d, uint32_t tid, uint64_t cookie)
{
	uint64_t *place = idmap_find(&d->last, cookie, tid);
	struct deferred_item *i, *last;

	if (!place || !*place)
		return NULL;
	last = (struct deferred_item *)(uintptr_t)*place;
	i = last->next;
	if (i == last)
		*place = 0;
	else
		last->next = i->next;
	*(i->older ? &i->older->newer : &d->oldest) = i->newer;
	*(i->newer ? &i->newer->older : &d->newest) = i->older;
	d->n--;
	d->bytes -= i->size;
	return i;
}

struct deferred_item *
deferred_oldest(struct deferred *d, bool any)
{
	if (!d->oldest || (!any && d->n <= MOST && d->bytes <= MOST_BYTES))
		return NULL;
	return deferred_take(d, d->oldest->tid, d->oldest->cookie);
}
