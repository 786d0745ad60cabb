/* SPDX-License-Identifier: ISC */
/* Names to numbers: intern.h. */
#include "intern.h"
#include "unit.h"

UNIT(ids_count_in_order_of_first_sight)
{
	struct intern t = { 0 };

	CHECK_U64(intern_id(&t, STR("a")), 0);
	CHECK_U64(intern_id(&t, STR("b")), 1);
	CHECK_U64(intern_id(&t, STR("a")), 0);
	CHECK_U64(intern_id(&t, STR("")), 2);
	CHECK_U64(intern_id(&t, (struct str){ 0 }), 2);
	CHECK_U64(intern_id(&t, STR("a\0")), 3);
	CHECK_U64(t.n, 4);
	CHECK_STR(intern_str(&t, 3), STR("a\0"));
	intern_release(&t);
}

UNIT(names_are_copies)
{
	struct intern t = { 0 };
	char text[] = "abc";

	intern_id(&t, (struct str){ text, 3 });
	text[0] = 'x';
	CHECK_STR(intern_str(&t, 0), STR("abc"));
	CHECK_U64(intern_id(&t, STR("abc")), 0);
	intern_release(&t);
}

UNIT(many_names_keep_their_ids)
{
	struct intern t = { 0 };
	char text[32];
	uint32_t i, round;
	int n;

	for (round = 0; round < 2; round++)
		for (i = 0; i < 100000; i++) {
			n = snprintf(text, sizeof text, "name %u", i);
			if (intern_id(&t, (struct str){ text, (size_t)n }) != i)
				CHECK(!"an id moved");
		}
	CHECK_U64(t.n, 100000);
	CHECK_STR(intern_str(&t, 99999), STR("name 99999"));
	intern_release(&t);
}

UNIT(a_known_hash_gives_the_same)
{
	struct intern t = { 0 };
	uint32_t id = intern_id(&t, STR("abc"));

	CHECK_U64(intern_id_hashed(&t, STR("abc"), (uint32_t)str_hash(STR("abc"))), id);
	CHECK_U64(intern_id_hashed(&t, STR("abd"), (uint32_t)str_hash(STR("abd"))), 1);
	CHECK_U64(intern_id(&t, STR("abd")), 1);
	CHECK_U64(t.names[1].hash, (uint32_t)str_hash(STR("abd")));
	intern_release(&t);
}

UNIT(a_name_is_found_without_adding_it)
{
	struct intern t = { 0 };
	uint32_t id = 7;

	CHECK(!intern_find(&t, STR("a"), &id));
	intern_id(&t, STR("a"));
	intern_id(&t, STR("b"));
	CHECK(!intern_find(&t, STR("c"), &id));
	CHECK_U64(id, 7);
	CHECK(intern_find(&t, STR("b"), &id));
	CHECK_U64(id, 1);
	CHECK_U64(t.n, 2);
	intern_release(&t);
}

/* Equal hashes do not make equal names. */
UNIT(names_with_one_hash_are_distinct)
{
	struct intern t = { 0 };

	CHECK_U64(intern_id_hashed(&t, STR("a"), 5), 0);
	CHECK_U64(intern_id_hashed(&t, STR("b"), 5), 1);
	CHECK_U64(intern_id_hashed(&t, STR("a"), 5), 0);
	intern_release(&t);
}

UNIT_MAIN
