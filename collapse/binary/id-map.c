/* SPDX-License-Identifier: ISC */
/* From ids to places; see id-map.h. */
#include "id-map.h"
#include "mem.h"

void
id_map_release(struct id_map *m)
{
	free(m->dense);
	free(m->places);
	intern_release(&m->others);
}

/* The bytes of an id, as a name. */
static struct str
id_text(const uint64_t *id)
{
	return (struct str){ (const char *)id, sizeof *id };
}

void
id_map_add(struct id_map *m, uint64_t id, size_t place)
{
	enum { SPARE = 1024 };
	size_t had = m->dense_n;
	uint32_t other;

	/* Once out of the dense part, always: an id has one place. */
	if (id < had ||
		((id < SPARE || id / 2 <= place) &&
			!intern_find(&m->others, id_text(&id), &other))) {
		if (id >= had) {
			m->dense = mem_grow(m->dense, &m->dense_cap, (size_t)id + 1,
				sizeof *m->dense);
			m->dense_n = (size_t)id + 1;
			memset(m->dense + had, 0, (m->dense_n - had) * sizeof *m->dense);
		}
		m->dense[id] = (uint32_t)place + 1;
		return;
	}
	other = intern_id(&m->others, id_text(&id));
	m->places =
		mem_grow(m->places, &m->place_cap, (size_t)other + 1, sizeof *m->places);
	m->places[other] = (uint32_t)place;
}

uint64_t
id_map_find(const struct id_map *m, uint64_t id)
{
	uint32_t other;

	if (id < m->dense_n && m->dense[id])
		return m->dense[id] - 1;
	return intern_find(&m->others, id_text(&id), &other) ? m->places[other]
							     : ID_MAP_NONE;
}
