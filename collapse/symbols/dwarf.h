/* SPDX-License-Identifier: ISC */
/*
 * DWARF 2 to 5 as far as functions need it: the units of .debug_info, the few
 * attributes that give a function's code and name, lists of ranges, strings. 32- and
 * 64-bit DWARF, addresses of 2, 4 and 8 bytes, both byte orders.
 *
 * An entry is a code, which names an abbreviation, and the values that this lists.
 * Abbreviations are compiled to steps from one useful value to the next, so that most
 * entries are skipped by one addition:
 *
 *	.debug_abbrev	5 = DW_TAG_formal_parameter: name strp, decl_file data1,
 *			decl_line data1, type ref4, location sec_offset
 *	compiled	5 = skip 14 bytes
 *
 * Offsets are in .debug_info by default. The file is untrusted, and work is bounded by
 * its size: overlapping abbreviation tables and lists of ranges that many entries share
 * have a budget.
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
#include "idmap.h"
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
	uint64_t offset, die, end; /* of the header, the first entry, the end */
	struct dwarf *of;
	size_t number;	  /* from 0, in the order of discovery */
	uint64_t abbrevs; /* in .debug_abbrev */
	uint64_t base;	  /* its low_pc, the base of its lists of ranges */
	uint64_t str_base, addr_base, rnglists_base;
	uint64_t ranges_base;	     /* in .debug_ranges, of a split unit of DWARF 4 */
	uint64_t id;		     /* of a split unit and its skeleton in DWARF 5 */
	struct dwarf_unit *skeleton; /* of a split unit: its part in the linked file */
	const struct dwarf_table *table; /* NULL: not read yet */
	struct dwarf_contexts *contexts; /* NULL: not needed yet */
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
	/* Only for dwarf_line_entry. */
	DWARF_LINE_SLOTS,
	DWARF_STMT_LIST = DWARF_LINE_SLOTS,
	DWARF_COMP_DIR,
	DWARF_CALL_FILE,
	DWARF_CALL_LINE,
	DWARF_SLOTS
};

/* The value in the file: a number, an offset, an index; for DW_FORM_string the offset
 * of the text. */
struct dwarf_value {
	uint64_t u;
	uint16_t form;
};

/* A value, with SKIP bytes before it. */
struct dwarf_step {
	int64_t implicit;
	uint32_t skip;
	uint16_t form;
	uint8_t slot; /* DWARF_SLOTS: not kept */
	uint8_t word; /* 1, 2, 4, 8: the value is a number with as many bytes */
};

struct dwarf_abbrev {
	uint64_t code;
	uint32_t step, step_n; /* in the table's steps */
	uint32_t tail;	       /* bytes after the last step */
	uint16_t tag;
	bool children;
	bool broken;   /* has an unknown form */
	uint32_t mask; /* the slots it fills */
};

/* The abbreviations at one offset. */
struct dwarf_table {
	bool lines; /* keeps DWARF_LINE_SLOTS, and only entries that can have them */
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

/* A unit found by the walk over the headers. */
struct dwarf_walked {
	uint64_t offset;
	struct dwarf_unit *unit;
};

struct dwarf {
	struct elf *elf, *alt_elf;
	struct relocate *relocate; /* of an object, otherwise NULL */
	bool split;		   /* a .dwo or .dwp file */
	struct buf joined;	   /* its units, if they are in several sections */
	struct dwarf *alt;	   /* NULL: not opened yet */
	struct str sections[DWARF_SECTIONS];
	bool loaded[DWARF_SECTIONS];
	struct arena arena;	     /* the units, and paths of sources */
	struct idmap known;	     /* units by their offset */
	struct dwarf_walked *walked; /* in the order of the file */
	size_t walked_n, walked_cap;
	uint64_t walked_to; /* where the next header is */
	size_t bad; /* units of an unknown version, or with a damaged header, so far */
	struct idmap tables;	   /* by offset and layout */
	struct dwarf_table *first; /* for first entries */
	uint64_t abbrev_budget;	   /* bytes left to compile */
	uint64_t scan_budget;	   /* bytes left to skip */
	uint64_t range_budget;	   /* entries left of lists of ranges */
	uint64_t line_budget;	   /* bytes left of line tables */
	bool range_counted;
};

/* The DWARF of E, whose supplementary file is ALT or NULL; both must outlive the
 * result. NULL if E has no .debug_info. */
struct dwarf *dwarf_new(struct elf *e, struct elf *alt);

/* The split units of E, a .dwo or .dwp file (.debug_info.dwo), which must outlive it. */
struct dwarf *dwarf_new_split(struct elf *e);
void dwarf_free(struct dwarf *d);

/* The bytes of SECTION, empty when it is missing. */
struct str dwarf_bytes(struct dwarf *d, enum dwarf_section section);

/* A cursor in SECTION from OFFSET on, bad if that is outside. */
struct bytes dwarf_cursor(struct dwarf *d, enum dwarf_section section, uint64_t offset);

/* The unit whose header is at OFFSET, or NULL. Units become known on request or by a
 * walk, and live as long as D. */
struct dwarf_unit *dwarf_unit_at(struct dwarf *d, uint64_t offset);

/* The unit with an entry at OFFSET, or NULL. Walks over the headers up to it. */
struct dwarf_unit *dwarf_unit_with(struct dwarf *d, uint64_t offset);

/* Walks over all headers, so that all units are in D->walked. */
void dwarf_walk(struct dwarf *d);

/* Reads the first entry of U, and from it the bases of U. Returns false if it is
 * unreadable. */
bool dwarf_root(struct dwarf_unit *u, struct dwarf_entry *e);

/* Reads the entry at the cursor B, which must be in U. Returns false if it is damaged. */
bool dwarf_entry(struct dwarf_unit *u, struct bytes *b, struct dwarf_entry *e);

/* Reads the entry at OFFSET of U, its first one or an inlined function, including the
 * attributes for lines. Returns false if it is another one, or damaged. */
bool dwarf_line_entry(struct dwarf_unit *u, uint64_t offset, struct dwarf_entry *e);

/* Reads the value of FORM at B, except for DW_FORM_string. B is bad on failure. */
void dwarf_value(const struct dwarf_unit *u, struct bytes *b, uint16_t form,
	struct dwarf_value *v);

static inline bool
dwarf_has(const struct dwarf_entry *e, enum dwarf_slot slot)
{
	return e->has & 1u << slot;
}

/* The meaning of a value: an address, a text (or empty), an entry, a constant. Returns
 * false for another class, or outside its section. */
bool dwarf_address(struct dwarf_unit *u, const struct dwarf_value *v, uint64_t *address);
struct str dwarf_text(struct dwarf_unit *u, const struct dwarf_value *v);
bool dwarf_reference(struct dwarf_unit *u, const struct dwarf_value *v, struct dwarf **d,
	uint64_t *offset);
bool dwarf_constant(const struct dwarf_value *v, uint64_t *number);

/* Reads entry I of the table of addresses. */
bool dwarf_indexed_address(struct dwarf_unit *u, uint64_t i, uint64_t *address);

/* Whether ADDRESS marks code that a linker dropped: 0, 1, or one of the two highest. */
bool dwarf_is_dead(const struct dwarf_unit *u, uint64_t address);

/* A walk over the ranges of an entry. */
struct dwarf_ranges {
	struct dwarf_unit *unit;
	struct bytes at; /* in a list */
	uint64_t base;
	bool dead; /* base is */
	bool list;
	bool pair; /* start and end are still to come */
	uint64_t start, end;
};

void dwarf_ranges_begin(
	struct dwarf_ranges *r, struct dwarf_unit *u, const struct dwarf_entry *e);

/* Sets *START and *END to the next range with code. Returns false after the last. */
bool dwarf_ranges_next(struct dwarf_ranges *r, uint64_t *start, uint64_t *end);

/* Whether lists of U were cut because they are shared more than in valid files. */
bool dwarf_ranges_spent(const struct dwarf_unit *u);

/* A function's name: its linkage name or, without one, its plain one with the entry
 * that has it. */
struct dwarf_name {
	struct str text; /* borrowed from the file; empty: none */
	bool plain;
	struct dwarf_unit *unit;
	uint64_t entry;
};

/* The name of the function at OFFSET in U: its own, or that in the entry of which it is
 * an instance or a definition. */
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

/* The scopes of a unit and its functions, found by dwarf_qualify. */
struct dwarf_contexts {
	struct dwarf_context *contexts;
	struct dwarf_member *members; /* by entry, as in the file */
	size_t n, cap, member_n, member_cap;
};

/* Appends the plain NAME with the namespaces, classes and functions around it,
 * "shapes::box<int>::area". Adds nothing and returns false if there are none, or its
 * language writes names differently. */
bool dwarf_qualify(const struct dwarf_name *name, struct buf *b);

/* The size of an unknown form. */
enum { DWARF_NO_SIZE = -2 };

/* The bytes of values of FORM in U, -1 if they vary, or DWARF_NO_SIZE. */
int dwarf_form_size(const struct dwarf_unit *u, uint64_t form);

/* The abbreviations of U, read on first use. Never NULL. */
const struct dwarf_table *dwarf_table(struct dwarf_unit *u);

/* The same. With LINES, keeps DWARF_LINE_SLOTS, for dwarf_line_entry. */
const struct dwarf_table *dwarf_abbrev_table(struct dwarf_unit *u, bool lines);

/* The abbreviation CODE of T, or NULL. */
const struct dwarf_abbrev *dwarf_abbrev_find(const struct dwarf_table *t, uint64_t code);

/* A table with at least the abbreviation CODE of U, if that exists: not all of it is
 * compiled. Borrowed until the next call. */
const struct dwarf_table *dwarf_abbrev_alone(struct dwarf_unit *u, uint64_t code);

/* A cursor at the abbreviation CODE of U in the file, behind its code; bad if it is
 * missing. */
struct bytes dwarf_abbrev_at(const struct dwarf_unit *u, uint64_t code);

/* Frees the tables of D. */
void dwarf_abbrev_release(struct dwarf *d);

#endif
