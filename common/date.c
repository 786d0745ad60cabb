/* SPDX-License-Identifier: ISC */
/* Dates; see date.h. */
#include "date.h"

#include <string.h>
#include <time.h>

#define SECOND UINT64_C(1000000000)

enum { DAY = 86400, YEAR_FIRST = 1970, YEAR_LAST = 2500 };

/* Days since 1970 (Howard Hinnant, "chrono-compatible low-level date algorithms"). Years begin in
 * March, so that the leap day comes last. */
static uint64_t
count_days(uint64_t year, uint64_t month, uint64_t day)
{
	uint64_t y = year - (month < 3), m = (month + 9) % 12;

	return y * 365 + y / 4 - y / 100 + y / 400 + (m * 153 + 2) / 5 + day - 1 - 719468;
}

/* Whether the date exists. */
static bool
is_day(uint64_t year, uint64_t month, uint64_t day)
{
	uint64_t after =
		month < 12 ? count_days(year, month + 1, 1) : count_days(year + 1, 1, 1);

	return year >= YEAR_FIRST && year <= YEAR_LAST && month >= 1 && month <= 12 &&
		day >= 1 && day <= 31 && count_days(year, month, day) < after;
}

bool
date_of(const uint64_t parts[6], uint64_t *ns)
{
	if (!is_day(parts[0], parts[1], parts[2]) || parts[3] > 23 || parts[4] > 59 ||
		parts[5] > 60)
		return false;
	*ns = (count_days(parts[0], parts[1], parts[2]) * DAY + parts[3] * 3600 +
		      parts[4] * 60 + parts[5]) *
		SECOND;
	return true;
}

/* Cuts a number of N digits off *TEXT. */
static bool
cut_digits(struct str *text, size_t n, uint64_t *value)
{
	if (text->n < n || !str_to_u64(str_head(*text, n), value))
		return false;
	*text = str_from(*text, n);
	return true;
}

/* Cuts HEAD off *TEXT. */
static bool
cut(struct str *text, struct str head)
{
	bool found = str_starts(*text, head);

	if (found)
		*text = str_from(*text, head.n);
	return found;
}

bool
date_cut_clock(struct str *text, uint64_t *ns)
{
	struct str rest = *text;
	uint64_t hour, minute, second = 0, scale = SECOND / 10;

	if (!cut_digits(&rest, 2, &hour) || !cut(&rest, STR(":")) ||
		!cut_digits(&rest, 2, &minute) ||
		(cut(&rest, STR(":")) && !cut_digits(&rest, 2, &second)) || hour > 23 ||
		minute > 59 || second > 60)
		return false;
	*ns = (hour * 3600 + minute * 60 + second) * SECOND;
	if (cut(&rest, STR(".")) || cut(&rest, STR(",")))
		for (; rest.n && str_is_digit(rest.s[0]);
			rest = str_from(rest, 1), scale /= 10)
			*ns += (uint64_t)(rest.s[0] - '0') * scale;
	*text = rest;
	return true;
}

/* Cuts "2026-11-23T" off *TEXT: PARTS get year, month and day. */
static bool
cut_day(struct str *text, uint64_t parts[6])
{
	return cut_digits(text, 4, &parts[0]) &&
		(cut(text, STR("-")) || cut(text, STR("/"))) &&
		cut_digits(text, 2, &parts[1]) &&
		(cut(text, STR("-")) || cut(text, STR("/"))) &&
		cut_digits(text, 2, &parts[2]) &&
		(cut(text, STR("T")) || cut(text, STR(" at ")) || cut(text, STR(" ")));
}

/* Cuts a date of ctime(3) off *TEXT. */
static bool
cut_ctime(struct str *text, uint64_t parts[6], uint64_t *clock)
{
	static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
	struct str month;
	size_t at;

	if (str_find(*text, ' ') != 3)
		return false;
	*text = str_from(*text, 4);
	month = str_head(*text, 3);
	at = str_search(STR(months), month);
	*text = str_from(*text, 3);
	parts[1] = at / 3 + 1;
	if (month.n < 3 || at % 3 || !cut(text, STR(" ")))
		return false;
	return cut_digits(text, 1 + !cut(text, STR(" ")), &parts[2]) &&
		cut(text, STR(" ")) && date_cut_clock(text, clock) &&
		cut(text, STR(" ")) && cut_digits(text, 4, &parts[0]);
}

/* Cuts "Z", "+01:00", "+0100" or "-06", with an optional blank before it, off *TEXT: *NS gets the
 * ns east of Greenwich. False without a zone. */
static bool
cut_zone(struct str *text, int64_t *ns)
{
	struct str rest = *text;
	uint64_t hours = 0, minutes = 0;
	bool west;

	*ns = 0;
	(void)cut(&rest, STR(" "));
	if (!cut(&rest, STR("Z"))) {
		west = cut(&rest, STR("-"));
		if ((!west && !cut(&rest, STR("+"))) || !cut_digits(&rest, 2, &hours))
			return false;
		(void)cut(&rest, STR(":"));
		(void)cut_digits(&rest, 2, &minutes);
		*ns = (int64_t)((hours * 3600 + minutes * 60) * SECOND);
		*ns = west ? -*ns : *ns;
	}
	*text = rest;
	return true;
}

bool
date_cut(struct str *text, uint64_t *ns, bool *zoned)
{
	struct str rest = *text;
	uint64_t parts[6] = { 0 }, clock;
	int64_t east;

	if (!cut_day(&rest, parts) || !date_cut_clock(&rest, &clock)) {
		rest = *text;
		if (!cut_ctime(&rest, parts, &clock))
			return false;
	}
	if (!date_of(parts, ns))
		return false;
	*zoned = cut_zone(&rest, &east);
	*ns += clock;
	if (east > 0 && *ns < (uint64_t)east)
		return false;
	*ns -= (uint64_t)east;
	*text = rest;
	return true;
}

void
date_put(struct buf *b, uint64_t ns, bool zoned)
{
	time_t seconds = (time_t)(ns / SECOND);
	char text[sizeof "2001-02-03T04:05:06"];
	struct tm utc;

	if (gmtime_r(&seconds, &utc) &&
		strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &utc))
		buf_fmt(b, "%s%s", text, zoned ? "Z" : "");
}
