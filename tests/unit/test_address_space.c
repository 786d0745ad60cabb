/* SPDX-License-Identifier: ISC */
/* Address spaces compared with an array of bytes: address-space.h. */
#include "symbols/address-space.h"
#include "unit.h"

/* Fakes: the real functions would look for files. */
struct dso {
	enum dso_kind kind;
	bool known;
};

enum dso_kind
dso_kind(const struct dso *d)
{
	return d->kind;
}

bool
dso_address(struct dso *d, uint64_t offset, uint64_t *address)
{
	*address = offset + 0x400000;
	return d->known;
}

enum { ROOM = 100, FILES = 5 };

static struct dso files[FILES];

/* The file at each address, and the offset in it. */
struct model {
	struct {
		struct dso *dso;
		uint64_t offset;
	} at[ROOM];
};

static uint64_t
next(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005 + 1442695040888963407;
	return *seed >> 33;
}

static void
model_add(struct model *model, const struct address_space_map *m)
{
	for (uint64_t a = m->start; a < m->end; a++) {
		model->at[a].dso = m->dso;
		model->at[a].offset = m->offset + (a - m->start);
	}
}

static void
check_equal(struct address_space *s, const struct model *model)
{
	for (uint64_t a = 0; a < ROOM + 10; a++) {
		const struct address_space_map *m = address_space_find(s, a);

		if (a >= ROOM || !model->at[a].dso) {
			CHECK(m == NULL);
			continue;
		}
		CHECK(m && m->start <= a && a < m->end && m->dso == model->at[a].dso);
		if (m)
			CHECK_U64(m->offset + (a - m->start), model->at[a].offset);
	}
}

/* Checks T, whose ranges must lie in [START, END); returns its height. */
static int
check_node(const struct address_space_node *t, uint64_t start, uint64_t end)
{
	int left, right;

	if (!t)
		return 0;
	CHECK(start <= t->map.start && t->map.start < t->map.end && t->map.end <= end);
	CHECK(t->users > 0);
	left = check_node(t->side[0], start, t->map.start);
	right = check_node(t->side[1], t->map.end, end);
	CHECK(left - right <= 1 && right - left <= 1);
	CHECK_U64(t->height, 1 + (left > right ? left : right));
	return t->height;
}

static size_t
count(const struct address_space_node *t)
{
	return t ? 1 + count(t->side[0]) + count(t->side[1]) : 0;
}

UNIT(random_maps_are_as_in_an_array)
{
	uint64_t seed = 3;

	for (int round = 0; round < 1000; round++) {
		struct address_space s = { 0 };
		struct model model = { 0 };

		for (int i = 0; i < 30; i++) {
			uint64_t a = next(&seed) % (ROOM + 1),
				 b = next(&seed) % (ROOM + 1);
			struct address_space_map m = { a, b, next(&seed) % 1000,
				&files[next(&seed) % FILES] };

			address_space_add(&s, &m);
			model_add(&model, &m);
			check_node(s.root, 0, UINT64_MAX);
			(void)address_space_find(&s, next(&seed) % ROOM);
			if (i % 5 == 0 || i == 29)
				check_equal(&s, &model);
		}
		address_space_release(&s);
		CHECK(s.root == NULL && address_space_find(&s, 1) == NULL);
	}
}

UNIT(a_copy_goes_its_own_way)
{
	struct address_space s = { 0 }, copy, empty = { 0 };
	struct model model = { 0 }, changed;
	struct address_space_map a = { 10, 50, 0, &files[0] },
				 b = { 20, 30, 7, &files[1] };

	address_space_copy(&copy, &empty);
	CHECK(copy.root == NULL && address_space_find(&copy, 0) == NULL);
	address_space_release(&copy);
	address_space_add(&s, &a);
	model_add(&model, &a);
	(void)address_space_find(&s, 20);
	address_space_copy(&copy, &s);
	changed = model;
	address_space_add(&copy, &b);
	model_add(&changed, &b);
	check_equal(&s, &model);
	check_equal(&copy, &changed);
	address_space_release(&s);
	check_equal(&copy, &changed);
	address_space_release(&copy);
}

/* Copies of copies, some released while others change. */
UNIT(random_copies_share_nothing_that_changes)
{
	enum { SPACES = 6, STEPS = 4000 };
	struct address_space s[SPACES];
	struct model model[SPACES];
	uint64_t seed = 5;

	memset(s, 0, sizeof s);
	memset(model, 0, sizeof model);
	for (int i = 0; i < STEPS; i++) {
		size_t from = next(&seed) % SPACES, to = next(&seed) % SPACES;
		uint64_t a = next(&seed) % ROOM, n = next(&seed) % (i % 7 ? 6 : ROOM);
		struct address_space_map m = { a, a + n < ROOM ? a + n : ROOM, i,
			&files[next(&seed) % FILES] };

		if (next(&seed) % 4 == 0 && from != to) {
			address_space_release(&s[to]);
			address_space_copy(&s[to], &s[from]);
			model[to] = model[from];
		}
		address_space_add(&s[from], &m);
		model_add(&model[from], &m);
		for (size_t j = 0; j < SPACES && i % 16 == 0; j++) {
			check_node(s[j].root, 0, UINT64_MAX);
			check_equal(&s[j], &model[j]);
		}
	}
	for (size_t j = 0; j < SPACES; j++)
		address_space_release(&s[j]);
}

/* Overlapped maps are removed whole; a copy keeps them. */
UNIT(removed_maps_are_removed_whole)
{
	struct address_space s = { 0 }, copy = { 0 };

	for (uint64_t i = 0; i < 1000; i++) {
		struct address_space_map m = { i * 10, i * 10 + 8, 0, files };

		address_space_add(&s, &m);
	}
	address_space_copy(&copy, &s);
	address_space_remove(&s, 25, 9961);
	CHECK_U64(count(s.root), 2 + 3);
	CHECK(check_node(s.root, 0, UINT64_MAX) <= 3);
	CHECK(address_space_find(&s, 17) && !address_space_find(&s, 20) &&
		!address_space_find(&s, 9960));
	CHECK(address_space_find(&s, 9970));
	address_space_remove(&s, 8, 10);
	address_space_remove(&s, 0, 0);
	CHECK_U64(count(s.root), 5);
	address_space_remove(&s, 0, UINT64_MAX);
	CHECK(!s.root);
	address_space_remove(&s, 0, UINT64_MAX);
	CHECK_U64(count(copy.root), 1000);
	address_space_release(&s);
	address_space_release(&copy);
}

/* Added in order, in reverse order and each over all before: the height stays small. */
UNIT(many_maps_stay_balanced)
{
	enum { MANY = 20000 };
	struct address_space s = { 0 };

	for (uint64_t way = 0; way < 3; way++) {
		for (uint64_t i = 0; i < MANY; i++) {
			uint64_t at = (way == 1 ? MANY - i : i) * 16;
			struct address_space_map m = { at,
				way == 2 ? MANY * 32 - at : at + 8, i, &files[way] };

			address_space_add(&s, &m);
		}
		CHECK(check_node(s.root, 0, UINT64_MAX) <= 20);
		address_space_release(&s);
	}
}

UNIT(the_ends_of_the_address_space)
{
	struct address_space s = { 0 };
	struct address_space_map high = { UINT64_MAX - 10, UINT64_MAX, 0, &files[0] };
	struct address_space_map all = { 0, UINT64_MAX, 5, &files[1] };
	struct address_space_map wrong = { 20, 10, 0, &files[2] };
	const struct address_space_map *m;

	address_space_add(&s, &high);
	address_space_add(&s, &wrong);
	CHECK_U64(count(s.root), 1);
	CHECK(address_space_find(&s, UINT64_MAX) == NULL);
	CHECK(address_space_find(&s, UINT64_MAX - 1) != NULL);
	address_space_add(&s, &all);
	CHECK_U64(count(s.root), 1);
	address_space_add(&s, &high);
	CHECK_U64(count(s.root), 2);
	m = address_space_find(&s, 0);
	CHECK(m && m->dso == &files[1] && m->end == UINT64_MAX - 10);
	address_space_release(&s);
}

UNIT(addresses_of_symbols)
{
	struct dso kernel = { DSO_KERNEL, false }, jit = { DSO_JIT, false };
	struct dso file = { DSO_FILE, true }, lost = { DSO_FILE, false };
	struct address_space_map m = { 0x7000, 0x9000, 0x1000, &file };
	uint64_t symbol = 0;

	CHECK(address_space_symbol_address(&m, 0x7010, &symbol));
	CHECK_U64(symbol, 0x401010);
	m.dso = &lost;
	CHECK(!address_space_symbol_address(&m, 0x7010, &symbol));
	m.dso = &kernel;
	CHECK(address_space_symbol_address(&m, 0x7010, &symbol) && symbol == 0x7010);
	m.dso = &jit;
	CHECK(address_space_symbol_address(&m, 0x7011, &symbol) && symbol == 0x7011);
}

UNIT_MAIN
