/* SPDX-License-Identifier: ISC */
/*
 * What --nameattr gives to names: a tip, a link, attributes. A line of the file is a
 * name and, each behind a tab, KEY=VALUE with one of these keys:
 *
 *	title	the tip, in place of the figures
 *	href	where a click leads
 *	target	the window for it ("_top" where there is none)
 *	id, class	of the box
 *	g_extra, a_extra	more attributes: of the box, of the link
 *
 * Values may be in quotes. Whatever would run script is left out.
 */
#ifndef ATTR_H
#define ATTR_H

#include "intern.h"

struct attr_pair {
	const char *name; /* of an XML attribute, which no other of its list has */
	struct str value;
};

struct attr_pairs {
	struct attr_pair *items;
	size_t n, cap;
};

struct attr {
	bool is_given;
	struct str title, href, target; /* n is 0 without */
	struct attr_pairs box, link;
};

struct attr_list {
	struct intern names;
	struct attr *attrs; /* by name id */
	size_t n, cap;
	struct arena texts;
};

/* Reads PATH. False, after a message, when it cannot be read; what is wrong in it is
 * told and left out. The caller releases L in any case. */
bool attr_list_init(struct attr_list *l, const char *path);
void attr_list_release(struct attr_list *l);

/* What is given to NAME, its annotation included; NULL when nothing is. Borrowed. */
const struct attr *attr_list_find(struct attr_list *l, struct str name);

#endif
