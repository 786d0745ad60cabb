/* SPDX-License-Identifier: ISC */
/*
 * The sections of DWARF in linked files, objects and split files; see dwarf.h.
 */
#include "dwarf.h"
#include "relocate.h"

#include <stdio.h>

static const char *const section_names[DWARF_SECTIONS] = {
	[DWARF_INFO] = ".debug_info",
	[DWARF_ABBREV] = ".debug_abbrev",
	[DWARF_STR] = ".debug_str",
	[DWARF_LINE_STR] = ".debug_line_str",
	[DWARF_STR_OFFSETS] = ".debug_str_offsets",
	[DWARF_ADDR] = ".debug_addr",
	[DWARF_RANGES] = ".debug_ranges",
	[DWARF_RNGLISTS] = ".debug_rnglists",
	[DWARF_LINE] = ".debug_line",
	[DWARF_ARANGES] = ".debug_aranges",
};

/* The section in D, called ".debug_info.dwo" if units are split. */
static const struct elf_section *
find_section(const struct dwarf *d, enum dwarf_section section)
{
	char name[32];

	if (!d->split)
		return elf_section(d->elf, section_names[section]);
	snprintf(name, sizeof name, "%s.dwo", section_names[section]);
	return elf_section(d->elf, name);
}

/* The bytes of all sections with FIRST's name: in a .dwo file, each type that may be
 * shared has one of its own. */
static struct str
join_sections(struct dwarf *d, const struct elf_section *first)
{
	const struct elf_section *s, *end = d->elf->sections + d->elf->section_n;
	size_t n = 0;

	for (s = first; s < end; s++)
		n += str_eq(s->name, first->name);
	if (n == 1)
		return elf_data(d->elf, first);
	for (s = first; s < end; s++)
		if (str_eq(s->name, first->name))
			buf_str(&d->joined, elf_data(d->elf, s));
	return buf_view(&d->joined);
}

static struct str
read_section(struct dwarf *d, enum dwarf_section section)
{
	const struct elf_section *s = find_section(d, section);
	struct str data;
	size_t bad;

	if (s && d->split && section == DWARF_INFO)
		return join_sections(d, s);
	if (!s || !d->relocate)
		return elf_data(d->elf, s);
	bad = relocate_bad(d->relocate);
	data = relocate_data(d->relocate, s);
	d->bad += relocate_bad(d->relocate) != bad;
	return data;
}

struct str
dwarf_bytes(struct dwarf *d, enum dwarf_section section)
{
	if (!d->loaded[section]) {
		d->sections[section] = read_section(d, section);
		d->loaded[section] = true;
	}
	return d->sections[section];
}

struct bytes
dwarf_cursor(struct dwarf *d, enum dwarf_section section, uint64_t offset)
{
	struct bytes b = bytes_of(dwarf_bytes(d, section), d->elf->swap);

	if (offset)
		bytes_skip(&b, offset);
	return b;
}
