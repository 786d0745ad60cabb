/* SPDX-License-Identifier: ISC */
/* Dates of the Gregorian calendar, from 1970 to 2500, as ns since 1970. */
#ifndef DATE_H
#define DATE_H

#include <stdbool.h>
#include <stdint.h>

#include "buf.h"
#include "str.h"

/* Converts PARTS: year, month and day, from 1, hour, minute and second, 60 for a leap second. False
 * for a date that does not exist. */
bool date_of(const uint64_t parts[6], uint64_t *ns);

/* Cuts a date off the beginning of *TEXT: ISO 8601 or RFC 3339, "2026-11-23T05:20:00Z", also with a
 * blank or " at " for the T, '/' for '-', a blank before the zone or without a zone; or ctime(3),
 * "Mon Nov 23 05:20:00 2026". Seconds may have decimals or be missing. *ZONED says whether there is
 * a zone; a time without one counts as UTC. False, with *TEXT unchanged, when it does not begin
 * with a date. */
bool date_cut(struct str *text, uint64_t *ns, bool *zoned);

/* The same for a time of day without a zone, "05:20:00.5", as ns since midnight. */
bool date_cut_clock(struct str *text, uint64_t *ns);

/* Adds NS to the second, "2026-11-23T05:20:00Z"; a local time if not ZONED, without the Z. */
void date_put(struct buf *b, uint64_t ns, bool zoned);

#endif
