/* SPDX-License-Identifier: ISC */
/* Maps ids to places; see places.h. */
#include "places.h"
#include "mem.h"

void
places_release(struct places *m)
{
	free(m->dense);
	idmap_release(&m->others);
}

void
places_add(struct places *m, uint64_t id, size_t place)
{
	enum { SPARE = 1024 };
	size_t had = m->dense_n;

	/* An id outside the dense part stays there, so that it has one place. */
	if (id >= had &&
		((id >= SPARE && id / 2 > place) || idmap_find(&m->others, id, 0))) {
		*idmap_put(&m->others, id, 0) = place;
		return;
	}
	if (id >= had) {
		m->dense = mem_grow(
			m->dense, &m->dense_cap, (size_t)id + 1, sizeof *m->dense);
		m->dense_n = (size_t)id + 1;
		memset(m->dense + had, 0, (m->dense_n - had) * sizeof *m->dense);
	}
	m->dense[id] = (uint32_t)place + 1;
}

uint64_t
places_find(const struct places *m, uint64_t id)
{
	const uint64_t *other;

	if (id < m->dense_n && m->dense[id])
		return m->dense[id] - 1;
	other = idmap_find(&m->others, id, 0);
	return other ? *other : PLACES_NONE;
}
