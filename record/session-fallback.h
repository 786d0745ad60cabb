/* SPDX-License-Identifier: ISC */
/* What a session does when the kernel refuses something: ask for less, or give up. */
#ifndef SESSION_FALLBACK_H
#define SESSION_FALLBACK_H

#include "perf-events.h"

/* After errno ERR for event PLACE, or for a ring when that is the number of events:
 * makes S ask for less, and true; or false after a message that says what would
 * help. */
bool session_fallback(struct session *s, size_t place, int err);

/* Lists the events anew, and forgets them; of perf-events.c. */
void perf_list(struct session *s);
void perf_forget(struct session *s);

#endif
