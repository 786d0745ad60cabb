/* SPDX-License-Identifier: ISC */
/*
 * The tables of a profile of Firefox Profiler. A row of one names rows of
 * others:
 *
 *	stack -> frame -> func -> name, a text
 *			  func -> resource -> library (to version 69)
 *		 frame -> library (from version 70)
 *
 * They belong to a thread, or from version 56 on, one after another, to all.
 */
#ifndef FIREFOX_TABLES_H
#define FIREFOX_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "firefox-stacks.h"
#include "libraries.h"
#include "json-read.h"
#include "string-table.h"

struct firefox_frames {
	struct json_ints func, inline_depth, lib;
	struct json_doubles address; /* from where the library begins; -1: none */
	bool given;
};

struct firefox_funcs {
	struct json_ints name, resource;
	struct buf is_js; /* a byte each */
	bool given;
};

struct firefox_resources {
	struct json_ints lib;
	bool given;
};

struct firefox_strings {
	struct string_table texts;
	bool given;
};

struct firefox_libs {
	struct json_ints ids; /* of libraries.h */
	bool given;
};

/* A zeroed one has no table. */
struct firefox_tables {
	struct firefox_stacks stacks;
	struct firefox_frames frames;
	struct firefox_funcs funcs;
	struct firefox_resources resources;
	struct firefox_strings strings;
	struct firefox_libs libs;
};

void firefox_tables_release(struct firefox_tables *t);

/* Takes the value of KEY when it is one of the tables; false when it is not. The
 * libraries go to N. */
bool firefox_tables_take(struct firefox_tables *t, struct str key, struct json_reader *p,
	struct libraries *n);

/* Takes an array of libraries. */
void firefox_libs_take(
	struct firefox_libs *l, struct json_reader *p, struct libraries *n);

#endif
