/* SPDX-License-Identifier: ISC */
/* The files of --elf; see given-elfs.h. */
#include "given-elfs.h"
#include "debugfile.h"
#include "mem.h"

void
given_elfs_init(struct given_elfs *g, const struct opt_list *paths)
{
	const char *why;
	size_t i;

	*g = (struct given_elfs){ .paths = paths };
	if (!paths)
		return;
	g->n = paths->n;
	g->elfs = mem_zero(g->n, sizeof(struct elf *));
	for (i = 0; i < g->n; i++)
		g->elfs[i] = elf_open(paths->items[i], &why);
}

void
given_elfs_release(struct given_elfs *g)
{
	size_t i;

	for (i = 0; i < g->n; i++)
		elf_close(g->elfs[i]);
	free(g->elfs);
}

/* Whether E, or NULL, has split debug information of another file. */
static bool
is_split(const struct elf *e)
{
	return e && elf_section(e, ".debug_info.dwo");
}

struct elf *
given_elfs_with_id(const struct given_elfs *g, struct str build_id)
{
	size_t i;

	for (i = 0; i < g->n; i++)
		if (g->elfs[i] && str_eq(g->elfs[i]->build_id, build_id))
			return g->elfs[i];
	return NULL;
}

const char *
given_elfs_path(const struct given_elfs *g, const struct elf *e)
{
	size_t i = 0;

	while (g->elfs[i] != e)
		i++;
	return g->paths->items[i];
}

struct elf *
given_elfs_find(const struct given_elfs *g, struct str path, struct str build_id,
	const char **why)
{
	struct str base = str_base(path), name;
	bool only = g->n == 1 && !path.n;
	struct elf *e = build_id.n ? given_elfs_with_id(g, build_id) : NULL;
	size_t i;

	if (e)
		return e;
	for (i = 0; i < g->n; i++) {
		e = g->elfs[i];
		name = str_base(str_of(g->paths->items[i]));
		if (!e || is_split(e) || !(only || (base.n && str_eq(name, base))))
			continue;
		if (debugfile_fits(e, build_id))
			return e;
		*why = "is not the file given with --elf (its build id differs)";
	}
	return NULL;
}

bool
given_elfs_has(const struct given_elfs *g, const struct elf *e)
{
	size_t i;

	for (i = 0; i < g->n; i++)
		if (e && g->elfs[i] == e)
			return true;
	return false;
}

struct elf *
given_elfs_split(const struct given_elfs *g, size_t *at)
{
	struct elf *e = NULL;
	const char *why;
	size_t i;

	while (!e && *at < g->n) {
		i = (*at)++;
		if (is_split(g->elfs[i]))
			e = elf_open(g->paths->items[i], &why);
	}
	return e;
}
