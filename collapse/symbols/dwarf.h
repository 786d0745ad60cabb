/* SPDX-License-Identifier: ISC */
/*
 * DWARF 2 to 5 as far as functions need it: the units of .debug_info, the few
 * attributes of entries that say which code a function has and what it is
 * called, lists of ranges, strings. 32- and 64-bit DWARF, addresses of 2, 4 and 8
 * bytes, both byte orders.
 *
 * An entry is a code, which names an abbreviation, and the values that this
 * one lists. Abbreviations are compiled to steps over what matters here, so
 * that most entries are passed over by one addition:
 *
 *	.debug_abbrev	5 = DW_TAG_formal_parameter: name strp, decl_file data1,
 *			decl_line data1, type ref4, location sec_offset
 *	compiled	5 = skip 14 bytes
 *
 * Offsets are those in .debug_info unless said otherwise. Nothing of the file is
 * trusted, and work is bounded by its size: overlapping abbreviation tables
 * and lists of ranges that many entries share have a budget.
 */
#ifndef DWARF_H
#define DWARF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arena.h"
#include "buf.h"
#include "bytes.h"
#include "elf.h"
#include "str.h"

enum dwarf_section {
	DWARF_INFO,
	DWARF_ABBREV,
	DWARF_STR,
	DWARF_LINE_STR,
	DWARF_STR_OFFSETS,
	DWARF_ADDR,
	DWARF_RANGES,
	DWARF_RNGLISTS,
	DWARF_LINE,
	DWARF_ARANGES,
	DWARF_SECTIONS
};

struct dwarf;
struct dwarf_table;
struct dwarf_contexts;
struct relocate;

struct dwarf_unit {
	uint64_t offset, die, end; /* the header, the first entry, what follows */
	struct dwarf *of;
	size_t number;	  /* from 0 on, as units become known */
	uint64_t abbrevs; /* in .debug_abbrev */
	uint64_t base;	  /* its low_pc: what its lists of ranges count from */
	uint64_t str_base, addr_base, rnglists_base;
	uint64_t ranges_base;	     /* in .debug_ranges, of a split unit of DWARF 4 */
	uint64_t id;		     /* of a split unit and its skeleton in DWARF 5 */
	struct dwarf_unit *skeleton; /* of a split unit: what the linked file has of it */
	const struct dwarf_table *table; /* NULL: not read yet */
	struct dwarf_contexts *contexts; /* NULL: not asked for yet */
	uint16_t language;
	uint16_t version;
	uint8_t type, address_size, offset_size;
	bool rooted; /* the bases are read */
};

/* The attributes that are kept, by slot. */
enum dwarf_slot {
	DWARF_SIBLING,
	DWARF_NAME,
	DWARF_LINKAGE_NAME,
	DWARF_LOW_PC,
	DWARF_HIGH_PC,
	DWARF_RANGE_LIST,
	DWARF_ORIGIN,
	DWARF_SPECIFICATION,
	DWARF_STR_BASE,
	DWARF_ADDR_BASE,
	DWARF_RNGLISTS_BASE,
	DWARF_SPLIT,
	DWARF_LANGUAGE,
	/* Of dwarf_line_entry alone. */
	DWARF_LINE_SLOTS,
	DWARF_STMT_LIST = DWARF_LINE_SLOTS,
	DWARF_COMP_DIR,
	DWARF_CALL_FILE,
	DWARF_CALL_LINE,
	DWARF_SLOTS
};

/* As it stands in the file: a number, an offset, an index; of DW_FORM_string
 * the offset of the text. */
struct dwarf_value {
	uint64_t u;
	uint16_t form;
};

/* A value before which SKIP bytes are passed over. */
struct dwarf_step {
	int64_t implicit;
	uint32_t skip;
	uint16_t form;
	uint8_t slot; /* DWARF_SLOTS: not kept */
	uint8_t word; /* 1, 2, 4, 8: the value is a number of so many bytes */
};

struct dwarf_abbrev {
	uint64_t code;
	uint32_t step, step_n; /* in the table's steps */
	uint32_t tail;	       /* bytes after the last step */
	uint16_t tag;
	bool children;
	bool broken;   /* has a form that nobody knows */
	uint32_t mask; /* the slots it fills */
};

/* What the layout of values depends on. */
struct dwarf_layout {
	uint64_t offset; /* in .debug_abbrev */
	uint8_t address_size, offset_size, ref_addr_size;
	bool lines; /* keeps DWARF_LINE_SLOTS, and only what can have them */
};

/* The abbreviations at one place. */
struct dwarf_table {
	struct dwarf_layout layout;
	struct dwarf_abbrev *abbrevs; /* by code */
	size_t n, cap;
	struct dwarf_step *steps;
	size_t step_n, step_cap;
	bool dense;    /* the codes are 1, 2, 3 ... */
	bool has_code; /* some function has a low_pc or ranges */
};

struct dwarf_entry {
	uint64_t offset;
	const struct dwarf_abbrev *abbrev; /* NULL: the end of a list of children */
	struct dwarf_value value[DWARF_SLOTS];
	uint32_t has; /* bit SLOT: value[SLOT] is set */
};

/* A unit that the walk over the headers has come to. */
struct dwarf_walked {
	uint64_t offset;
	struct dwarf_unit *unit;
};

struct dwarf {
	struct elf *elf, *alt_elf;
	struct relocate *relocate; /* of an object; else NULL */
	bool split;		   /* a .dwo or .dwp file */
	struct buf joined;	   /* its units, if they are in several sections */
	struct dwarf *alt;	   /* NULL: not opened yet */
	struct str sections[DWARF_SECTIONS];
	bool loaded[DWARF_SECTIONS];
	struct arena arena;	   /* the units, and paths of sources */
	struct dwarf_unit **known; /* by their offset: a power of two of slots */
	size_t known_n, known_cap;
	struct dwarf_walked *walked; /* in the order of the file */
	size_t walked_n, walked_cap;
	uint64_t walked_to; /* where the next header is */
	size_t bad; /* units of an unknown version, or with a damaged header, so far */
	struct dwarf_table **tables; /* by where they are: a power of two of slots */
	size_t table_n, table_cap;
	struct dwarf_table *first; /* to read first entries with */
	uint64_t abbrev_budget;	   /* bytes to be compiled */
	uint64_t scan_budget;	   /* bytes to be passed over */
	uint64_t range_budget;	   /* entries of lists of ranges */
	uint64_t line_budget;	   /* bytes of line tables */
	bool range_counted;
};

/* The DWARF of E, whose supplementary file is ALT or NULL; both must outlive
 * it. NULL when E has no .debug_info. */
struct dwarf *dwarf_new(struct elf *e, struct elf *alt);

/* The split units of E, a .dwo or .dwp file (.debug_info.dwo), which must outlive it. */
struct dwarf *dwarf_new_split(struct elf *e);
void dwarf_free(struct dwarf *d);

/* The bytes of SECTION, empty when it is missing. */
struct str dwarf_bytes(struct dwarf *d, enum dwarf_section section);

/* A cursor in SECTION from OFFSET on, bad when that lies outside. */
struct bytes dwarf_cursor(struct dwarf *d, enum dwarf_section section, uint64_t offset);

/* The unit whose header is at OFFSET; NULL when what is there is none. Units are known from
 * when they are asked for, or walked over, and live as long as D. */
struct dwarf_unit *dwarf_unit_at(struct dwarf *d, uint64_t offset);

/* The unit that has an entry at OFFSET, or NULL. Walks over the headers up to it. */
struct dwarf_unit *dwarf_unit_with(struct dwarf *d, uint64_t offset);

/* Walks over all headers, so that all units are in D->walked. */
void dwarf_walk(struct dwarf *d);

/* Reads the first entry of U and from it the bases of U. False when it cannot
 * be read. */
bool dwarf_root(struct dwarf_unit *u, struct dwarf_entry *e);

/* Reads the entry at the cursor B, which must be in U. False when it is
 * damaged. */
bool dwarf_entry(struct dwarf_unit *u, struct bytes *b, struct dwarf_entry *e);

/* Reads the entry at OFFSET of U, its first one or an inlined function, with what leads to lines.
 * False when it is another, or damaged. */
bool dwarf_line_entry(struct dwarf_unit *u, uint64_t offset, struct dwarf_entry *e);

/* Reads the value of FORM at B; of DW_FORM_string there must be none. B is bad when that
 * fails. */
void dwarf_value(const struct dwarf_unit *u, struct bytes *b, uint16_t form,
	struct dwarf_value *v);

static inline bool
dwarf_has(const struct dwarf_entry *e, enum dwarf_slot slot)
{
	return e->has & 1u << slot;
}

/* What a value means: an address, a text (empty when there is none), an entry, a
 * constant. False when it is of another class, or leads out of its section. */
bool dwarf_address(struct dwarf_unit *u, const struct dwarf_value *v, uint64_t *address);
struct str dwarf_text(struct dwarf_unit *u, const struct dwarf_value *v);
bool dwarf_reference(struct dwarf_unit *u, const struct dwarf_value *v, struct dwarf **d,
	uint64_t *offset);
bool dwarf_constant(const struct dwarf_value *v, uint64_t *number);

/* Entry I of the table of addresses. */
bool dwarf_indexed_address(struct dwarf_unit *u, uint64_t i, uint64_t *address);

/* Whether a linker left ADDRESS in place of code that it dropped: 0, 1, or one
 * of the two highest. */
bool dwarf_is_dead(const struct dwarf_unit *u, uint64_t address);

/* A walk over the ranges of an entry. */
struct dwarf_ranges {
	struct dwarf_unit *unit;
	struct bytes at; /* in a list */
	uint64_t base;
	bool dead; /* base is */
	bool list;
	bool pair; /* start and end are what is left */
	uint64_t start, end;
};

void dwarf_ranges_begin(
	struct dwarf_ranges *r, struct dwarf_unit *u, const struct dwarf_entry *e);

/* The next range that has code; false after the last. */
bool dwarf_ranges_next(struct dwarf_ranges *r, uint64_t *start, uint64_t *end);

/* Whether lists of U were cut because they are shared more than an honest file
 * would. */
bool dwarf_ranges_spent(const struct dwarf_unit *u);

/* What a function is called: its linkage name, or else its plain one, and then
 * the entry that has it. */
struct dwarf_name {
	struct str text; /* borrowed from the file; empty: none */
	bool plain;
	struct dwarf_unit *unit;
	uint64_t entry;
};

/* The name of the function at OFFSET in U: its own, or that of what it is an
 * instance or a definition of. */
struct dwarf_name dwarf_function_name(struct dwarf_unit *u, uint64_t offset);

/* A namespace, a class or a function. */
struct dwarf_context {
	struct dwarf_value name;
	uint32_t parent;
	uint16_t tag;
	bool named;
};

/* A function with a plain name. */
struct dwarf_member {
	uint64_t entry;
	uint32_t context;
};

/* The scopes of a unit and its functions, as dwarf_qualify finds them. */
struct dwarf_contexts {
	struct dwarf_context *contexts;
	struct dwarf_member *members; /* by entry, as in the file */
	size_t n, cap, member_n, member_cap;
};

/* Puts the plain NAME to B with the namespaces, classes and functions that it is
 * in, "shapes::box<int>::area". False, and nothing is put, when it is in none, or
 * its language does not write names so. */
bool dwarf_qualify(const struct dwarf_name *name, struct buf *b);

/* In place of the size of an unknown form. */
enum { DWARF_NO_SIZE = -2 };

/* The size of values of FORM in U, in bytes; -1 when it varies, or DWARF_NO_SIZE. */
int dwarf_form_size(const struct dwarf_unit *u, uint64_t form);

/* The abbreviations of U, read when they are first asked for. Never NULL. */
const struct dwarf_table *dwarf_table(struct dwarf_unit *u);

/* The same; when LINES, those that keep DWARF_LINE_SLOTS, of dwarf_line_entry. */
const struct dwarf_table *dwarf_abbrev_table(struct dwarf_unit *u, bool lines);

/* The abbreviation CODE of T, or NULL. */
const struct dwarf_abbrev *dwarf_abbrev_find(const struct dwarf_table *t, uint64_t code);

/* A table that has at least the abbreviation CODE of U, if there is such a one: not all of it
 * is compiled. Borrowed until the next call. */
const struct dwarf_table *dwarf_abbrev_alone(struct dwarf_unit *u, uint64_t code);

/* The abbreviation CODE of U as it is in the file, behind its code; bad when there is none. */
struct bytes dwarf_abbrev_at(const struct dwarf_unit *u, uint64_t code);

/* Frees the tables of D. */
void dwarf_abbrev_release(struct dwarf *d);

#endif
