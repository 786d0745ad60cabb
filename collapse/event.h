/* SPDX-License-Identifier: ISC */
/*
 * Names of perf events: "cycles", "cycles:uppp", "cpu_core/cycles/u",
 * "sched:sched_switch".
 */
#ifndef EVENT_H
#define EVENT_H

#include <stdbool.h>

#include "str.h"

/* NAME without the modifiers at its end; borrowed from NAME. */
struct str event_plain(struct str name);

/* Whether FILTER is "*". */
bool event_is_any(struct str filter);

/* Whether --event-filter FILTER selects the event NAME: "*", the name, the name without
 * modifiers, or a tracepoint without its group. */
bool event_matches(struct str name, struct str filter);

/* Whether NAME is a tracepoint, "group:name". */
bool event_is_tracepoint(struct str name);

/* Whether the periods of NAME are nanoseconds. */
bool event_is_clock(struct str name);

#endif
