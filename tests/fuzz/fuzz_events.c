/* SPDX-License-Identifier: ISC */
/*
 * Any text as the argument of -e, on a machine without /sys: it is refused, or becomes
 * events with names, in groups that begin with a leader.
 */
#include "events.h"
#include "fuzz.h"
#include "mem.h"

static void
check(const struct events *list)
{
	const struct event *e;
	size_t i;

	LAW(list->n > 0);
	for (i = 0; i < list->n; i++) {
		e = &list->items[i];
		LAW(e->name.n > 0);
		LAW(e->leader <= i && list->items[e->leader].leader == e->leader);
		LAW(e->attr.precise_ip <= 3);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct events list = { .root = "/nowhere" };
	struct str text = { (const char *)data, size };
	struct buf spec = { 0 };

	buf_str(&spec, str_head(text, str_find(text, 0)));
	if (events_parse(&list, buf_cstr(&spec)))
		check(&list);
	events_release(&list);
	buf_release(&spec);
	return 0;
}
