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
#ifndef NAMEATTR_H
#define NAMEATTR_H

#include "intern.h"

struct nameattr_pair {
	const char *name; /* of an XML attribute, which no other of its list has */
	struct str value;
};

struct nameattr_pairs {
	struct nameattr_pair *items;
	size_t n, cap;
};

struct nameattr {
	bool is_given;
	struct str title, href, target; /* n is 0 without */
	struct nameattr_pairs box, link;
};

struct nameattr_list {
	struct intern names;
	struct nameattr *attrs; /* by name id */
	size_t n, cap;
	struct arena texts;
};

/* Reads PATH. False, after a message, when it cannot be read; what is wrong in it is
 * told and left out. The caller releases L in any case. */
bool nameattr_list_init(struct nameattr_list *l, const char *path);
void nameattr_list_release(struct nameattr_list *l);

/* What is given to NAME, its annotation included; NULL when nothing is. Borrowed. */
const struct nameattr *nameattr_list_find(struct nameattr_list *l, struct str name);

#endif
