/* SPDX-License-Identifier: ISC */
/* Turns locations into frames; see locations.h. */
#include "locations.h"
#include "mem.h"

#include <inttypes.h>
#include <stdio.h>

void
locations_init(struct locations *l, struct collapse *c, struct input *in)
{
	*l = (struct locations){ .c = c };
	libraries_init(&l->libraries, c, in);
}

void
locations_release(struct locations *l)
{
	libraries_release(&l->libraries);
	json_texts_release(&l->texts);
	free(l->mappings);
	free(l->functions);
	free(l->lines);
	free(l->items);
	free(l->ids);
	free(l->steps);
	free(l->path);
	free(l->nodes);
}

void
locations_add_mapping(struct locations *l, const struct location_mapping *m)
{
	*MEM_ADD(l->mappings, l->mapping_n, l->mapping_cap) = *m;
}

void
locations_add_function(struct locations *l, const struct location_function *f)
{
	*MEM_ADD(l->functions, l->function_n, l->function_cap) = *f;
}

void
locations_add_line(struct locations *l, const struct location_line *line)
{
	*MEM_ADD(l->lines, l->line_n, l->line_cap) = *line;
}

void
locations_add(struct locations *l, const struct location *location)
{
	*MEM_ADD(l->items, l->n, l->cap) = *location;
}

struct str
locations_text(const struct locations *l, uint64_t i)
{
	struct str s;

	return i <= INT64_MAX && json_texts_get(&l->texts, (int64_t)i, &s)
		? s
		: (struct str){ 0 };
}

/* The mapping of P; NULL if unknown. */
static struct location_mapping *
find_mapping(const struct locations *l, const struct location *p)
{
	return p->mapping < l->mapping_n ? &l->mappings[p->mapping] : NULL;
}

/* The name of F; empty if unknown. */
static struct str
find_name(const struct locations *l, const struct location_function *f)
{
	struct str name = locations_text(l, f->name);

	return name.n ? name : locations_text(l, f->system_name);
}

/* Sets S to the function of LINE; TEXT holds its source line. */
static void
describe_line(const struct locations *l, const struct location_line *line,
	struct frame_names_symbol *s, struct buf *text)
{
	const struct location_function *f;
	struct str file;

	s->name = s->srcline = (struct str){ 0 };
	if (line->function >= l->function_n)
		return;
	f = &l->functions[line->function];
	s->name = find_name(l, f);
	file = str_base(locations_text(l, f->file));
	if (!collapse_options(l->c)->srcline || !file.n)
		return;
	buf_clear(text);
	buf_str(text, file);
	if (line->line)
		buf_fmt(text, ":%" PRIu64, line->line);
	s->srcline = buf_view(text);
}

/* Adds the frames of P's lines, in the module and at the address of S. */
static void
name_lines(struct locations *l, const struct location *p, struct frame_names_symbol *s)
{
	const struct collapse_options *o = collapse_options(l->c);
	struct location_mapping *m = find_mapping(l, p);
	struct buf text = { 0 };
	size_t i = o->no_inlines ? p->line_n - 1 : 0;

	for (; i < p->line_n; i++) {
		describe_line(l, &l->lines[p->line + i], s, &text);
		s->inlined = o->inlined && i + 1 < p->line_n;
		if (m && !s->name.n)
			m->nameless = true;
		frame_names_add(&l->libraries.stack, s);
	}
	buf_release(&text);
}

/* The library of M; -1 if unknown. */
static int32_t
find_library(struct locations *l, const struct location_mapping *m)
{
	struct library about = { .start = 0 };

	if (m)
		about.path = locations_text(l, m->file);
	if (!about.path.n)
		return -1;
	about.name = str_base(about.path);
	about.code_id = locations_text(l, m->build_id);
	return libraries_add(&l->libraries, &about);
}

/* Adds the frames at the address of P, which has no lines. */
static void
name_address(
	struct locations *l, const struct location *p, const struct location_mapping *m)
{
	struct library_place place = { .lib = find_library(l, m), .address = p->address };
	char shown[17];

	snprintf(shown, sizeof shown, "%" PRIx64, p->address);
	place.shown = str_of(shown);
	/* Agents that omit where code was mapped give addresses as in the file. */
	place.in_file = m && (m->start || m->offset);
	place.absolute = !place.in_file;
	if (place.in_file)
		place.address -= m->start - m->offset;
	libraries_name(&l->libraries, &place);
}

/* Finds the names of P. */
static void
find_names(struct locations *l, struct location *p)
{
	const struct location_mapping *m = find_mapping(l, p);
	struct frame_names *stack = &l->libraries.stack;
	struct frame_names_symbol s = { .single = true };
	char shown[17];

	stack->n = 0;
	if (m)
		s.module = locations_text(l, m->file);
	if (p->kind & COLLAPSE_KERNEL)
		s.module = STR("[kernel.kallsyms]");
	snprintf(shown, sizeof shown, "%" PRIx64, p->address);
	s.address = str_of(shown);
	if (p->line_n)
		name_lines(l, p, &s);
	else
		name_address(l, p, m);
	p->named = true;
	p->id = l->id_n;
	p->id_n = stack->n;
	l->ids = mem_grow(l->ids, &l->id_cap, l->id_n + stack->n, sizeof *l->ids);
	memcpy(l->ids + l->id_n, stack->ids, stack->n * sizeof *l->ids);
	l->id_n += stack->n;
}

/* How many of the N PLACES, from the outermost one on, equal those of the last path. */
static size_t
count_shared(const struct locations *l, uint32_t root, const uint64_t *places, size_t n)
{
	size_t i = 0;

	while (root == l->root && i < l->step_n && i < n &&
		l->steps[i].place == places[n - 1 - i])
		i++;
	return i;
}

/* Lists the names of the N PLACES. Returns false if one is undefined. */
static bool
list_names(struct locations *l, const uint64_t *places, size_t n)
{
	struct location *p;
	size_t i;

	l->path_n = 0;
	for (i = 0; i < n; i++) {
		if (places[i] >= l->n)
			return false;
		p = &l->items[places[i]];
		if (!p->named)
			find_names(l, p);
		l->path = mem_grow(
			l->path, &l->path_cap, l->path_n + p->id_n, sizeof *l->path);
		memcpy(l->path + l->path_n, l->ids + p->id, p->id_n * sizeof *l->path);
		l->path_n += p->id_n;
	}
	l->nodes = mem_grow(l->nodes, &l->node_cap, l->path_n, sizeof *l->nodes);
	return true;
}

uint32_t
locations_path(struct locations *l, uint32_t root, const uint64_t *places, size_t n)
{
	size_t i = count_shared(l, root, places, n), at;
	uint32_t node = i ? l->steps[i - 1].node : root;
	bool good = list_names(l, places, n - i);

	l->steps = mem_grow(l->steps, &l->step_cap, n, sizeof *l->steps);
	l->root = root;
	l->step_n = good ? n : i;
	if (!good)
		return COLLAPSE_NOWHERE;
	collapse_steps(l->c, node, l->path, l->nodes, l->path_n);
	for (at = l->path_n; i < n; i++) {
		at -= l->items[places[n - 1 - i]].id_n;
		if (at < l->path_n)
			node = l->nodes[at];
		l->steps[i] = (struct location_step){ places[n - 1 - i], node };
	}
	return n ? node : TREE_ROOT;
}

void
locations_name_thread(const struct locations *l, struct collapse_sample *s)
{
	if (s->comm.n || !(s->pid.n || s->tid.n) ||
		!(collapse_has_root(l->c, COLLAPSE_PID) ||
			collapse_has_root(l->c, COLLAPSE_TID)))
		return;
	if (l->mappings)
		s->comm = str_base(locations_text(l, l->mappings->file));
}

void
locations_explain(struct locations *l)
{
	const struct location_mapping *m;

	libraries_explain(&l->libraries);
	for (m = l->mappings; m && m < l->mappings + l->mapping_n; m++)
		if (m->nameless)
			collapse_explain(l->c, locations_text(l, m->file),
				STR("the profile has functions without names"));
}
