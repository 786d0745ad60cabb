/* SPDX-License-Identifier: ISC */
/*
 * The letters behind an event, "cycles:upp":
 *
 *	u k h	user, kernel, hypervisor; with any of them the others are left out
 *	G H	guests of this machine, the machine itself
 *	I	not while idle
 *	p pp ppp P	how exact the address is: none, asked for, demanded; as exact
 *		as there is
 *	S	the leader of a group reads its members
 *	D e	always on the counter; alone on the PMU
 */
#ifndef EVENTS_MODIFIERS_H
#define EVENTS_MODIFIERS_H

#include <stdbool.h>

#include "events.h"
#include "str.h"

/* Whether TEXT is made of such letters, and not empty. */
bool events_modifiers_are(struct str text);

/* Applies OWN, then those of the group, GROUP; both consist of such letters. False,
 * after a message, when there are too many p. */
bool events_modifiers_apply(struct event *e, struct str own, struct str group);

#endif
