/* SPDX-License-Identifier: ISC */
/*
 * Colours that a user chose, by lines of a file:
 *
 *	# anything about storage
 *	(?i)sql|btree -> #8fbcbb -> storage
 *	^std::        -> rgb(200,200,210)
 *
 * An expression (match.h), a colour (colour_parse_any) and, if the legend is to name
 * it, a text. The first expression that matches a name counts. Black text must be
 * readable on every colour, so dark ones are lifted (colour_lift), and that is told.
 */
#ifndef PALETTE_RULES_H
#define PALETTE_RULES_H

#include "arena.h"
#include "colour.h"
#include "match.h"

struct palette_rule_line {
	struct match *match;
	struct colour colour;
	struct str meaning; /* n is 0 without */
	uint64_t line;
};

struct palette_rules {
	const char *path; /* not owned */
	struct palette_rule_line *lines;
	size_t n, cap;
	struct arena texts;
};

/* Reads PATH, which must outlive R. False, after a message with the place of
 * whatever is wrong. The caller releases R in any case. */
bool palette_rules_init(struct palette_rules *r, const char *path);
void palette_rules_release(struct palette_rules *r);

/* The first line that matches NAME; NULL when none does. */
const struct palette_rule_line *palette_rules_find(
	const struct palette_rules *r, struct str name);

/* Whether an expression was given up; that is told, and what was found does not
 * count. */
bool palette_rules_failed(const struct palette_rules *r);

#endif
