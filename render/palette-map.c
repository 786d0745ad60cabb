/* SPDX-License-Identifier: ISC */
/* Colours of names in a file; see palette-map.h. */
#include "palette-map.h"
#include "input.h"
#include "mem.h"
#include "output.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#define ARROW STR("->")

static struct palette_map_entry *
entry_of(struct palette_map *m, struct str name)
{
	uint32_t id = intern_id(&m->names, name);

	if (id >= m->n) {
		m->entries =
			mem_grow(m->entries, &m->cap, (size_t)id + 1, sizeof *m->entries);
		m->entries[id] = (struct palette_map_entry){ 0 };
		m->n = (size_t)id + 1;
	}
	return &m->entries[id];
}

/* Where the last arrow of LINE is: a name may hold others. */
static size_t
last_arrow(struct str line)
{
	size_t i, at = line.n;

	for (i = 0; i + ARROW.n <= line.n; i++)
		if (str_starts(str_from(line, i), ARROW))
			at = i;
	return at;
}

static void
read_line(struct palette_map *m, struct input *in, struct str line)
{
	size_t arrow = last_arrow(line);
	struct palette_map_entry *entry;
	struct colour c;

	if (arrow == line.n ||
		!colour_parse_rgb(str_trim(str_from(line, arrow + ARROW.n)), &c)) {
		msg_warn_at(input_name(in), input_line_number(in),
			"is not 'name->rgb(r,g,b)', left out");
		return;
	}
	entry = entry_of(m, str_head(line, arrow));
	if (entry->stored)
		msg_warn_at(input_name(in), input_line_number(in),
			"has a name that was before, left out");
	else
		*entry = (struct palette_map_entry){ c, true };
}

bool
palette_map_init(struct palette_map *m, const char *path)
{
	struct input *in;
	struct stat st;
	struct str line;
	bool good;

	*m = (struct palette_map){ .path = path };
	/* A FIFO and a device have no colours to be read: one would wait for them. */
	if (stat(path, &st) == 0 ? !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode)
				 : errno == ENOENT)
		return true;
	in = input_open(path);
	if (!in)
		return false;
	while (input_line(in, &line))
		if (line.n)
			read_line(m, in, line);
	good = !input_failed(in);
	input_close(in);
	return good;
}

void
palette_map_release(struct palette_map *m)
{
	intern_release(&m->names);
	free(m->entries);
}

bool
palette_map_find(struct palette_map *m, struct str name, struct colour *c)
{
	const struct palette_map_entry *entry = entry_of(m, name);

	*c = entry->colour;
	return entry->stored;
}

void
palette_map_add(struct palette_map *m, struct str name, struct colour c)
{
	/* no line could hold such a name */
	if (str_find(name, '\n') < name.n || str_find(name, '\r') < name.n)
		return;
	*entry_of(m, name) = (struct palette_map_entry){ c, true };
	m->changed = true;
}

/* A stored name, to be sorted. */
struct stored {
	struct str name;
	struct colour colour;
};

static int
compare_stored(const void *va, const void *vb)
{
	const struct stored *a = va, *b = vb;

	return str_cmp(a->name, b->name);
}

static void
put_lines(struct output *out, const struct palette_map *m)
{
	struct stored *all = mem_zero(m->n, sizeof *all);
	uint32_t i, n = 0;

	for (i = 0; i < m->n; i++)
		if (m->entries[i].stored)
			all[n++] = (struct stored){ intern_str(&m->names, i),
				m->entries[i].colour };
	qsort(all, n, sizeof *all, compare_stored);
	for (i = 0; i < n; i++) {
		output_str(out, all[i].name);
		output_fmt(out, "->rgb(%d,%d,%d)\n", all[i].colour.r, all[i].colour.g,
			all[i].colour.b);
	}
	free(all);
}

bool
palette_map_write(const struct palette_map *m)
{
	struct output out;

	if (!m->changed)
		return true;
	output_open(&out, m->path);
	put_lines(&out, m);
	return output_close(&out);
}
