/* SPDX-License-Identifier: ISC */
/* Modifiers of events; see events-modifiers.h. */
#include "events-modifiers.h"
#include "msg.h"

bool
events_modifiers_are(struct str text)
{
	static const char letters[] = "ukhGHIpPSDe";
	size_t i;

	for (i = 0; i < text.n; i++)
		if (!memchr(letters, text.s[i], sizeof letters - 1))
			return false;
	return text.n > 0;
}

/* The first letter of the levels, or of the machines, leaves all others out. */
static void
only_levels(struct event *e)
{
	if (e->levels)
		return;
	e->levels = true;
	e->attr.exclude_user = e->attr.exclude_kernel = e->attr.exclude_hv = 1;
}

static void
only_machines(struct event *e, bool *machines)
{
	if (*machines)
		return;
	*machines = true;
	e->attr.exclude_guest = e->attr.exclude_host = 1;
}

static void
apply(struct event *e, char letter, bool *machines, unsigned *precise)
{
	switch (letter) {
	case 'u':
		only_levels(e);
		e->attr.exclude_user = 0;
		break;
	case 'k':
		only_levels(e);
		e->attr.exclude_kernel = 0;
		break;
	case 'h':
		only_levels(e);
		e->attr.exclude_hv = 0;
		break;
	case 'G':
		only_machines(e, machines);
		e->attr.exclude_guest = 0;
		break;
	case 'H':
		only_machines(e, machines);
		e->attr.exclude_host = 0;
		break;
	case 'I': e->attr.exclude_idle = 1; break;
	case 'p': ++*precise; break;
	case 'P': e->best_skid = true; break;
	case 'S': e->read_group = true; break;
	case 'D': e->attr.pinned = 1; break;
	case 'e': e->attr.exclusive = 1; break;
	default: break;
	}
}

bool
events_modifiers_apply(struct event *e, struct str own, struct str group)
{
	bool machines = false;
	unsigned precise = 0;
	size_t i;

	for (i = 0; i < own.n; i++)
		apply(e, own.s[i], &machines, &precise);
	for (i = 0; i < group.n; i++)
		apply(e, group.s[i], &machines, &precise);
	if (precise > 3) {
		msg_error("%.*s: more than three p; ppp is the most exact",
			(int)e->name.n, e->name.s);
		return false;
	}
	if (e->best_skid)
		precise = 3;
	e->attr.precise_ip = precise & 3;
	/* A PMU that finds the exact address cannot tell guests apart. */
	if (precise && !machines)
		e->attr.exclude_guest = 1;
	return true;
}
