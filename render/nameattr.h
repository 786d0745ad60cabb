/* SPDX-License-Identifier: ISC */
/*
 * The attributes of names from --nameattr: tooltip, link, attributes of elements. A line of the
 * file is a name followed by tab-separated KEY=VALUE pairs:
 *
 *	title	the tooltip, in place of the figures
 *	href	the link's address
 *	target	its window (default "_top")
 *	id, class	of the box
 *	g_extra, a_extra	more attributes: of the box, of the link
 *
 * Values may be quoted. Attributes that could run script are left out.
 */
#ifndef NAMEATTR_H
#define NAMEATTR_H

#include "intern.h"

struct nameattr_pair {
	const char *name; /* of an XML attribute, unique in its list */
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

/* Reads PATH. Returns false, after a message, when it cannot be read; invalid parts are skipped
 * with a warning. The caller releases L in any case. */
bool nameattr_list_init(struct nameattr_list *l, const char *path);
void nameattr_list_release(struct nameattr_list *l);

/* The attributes of NAME, annotation included; NULL without any. Borrowed. */
const struct nameattr *nameattr_list_find(struct nameattr_list *l, struct str name);

#endif
