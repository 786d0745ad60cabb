/* SPDX-License-Identifier: ISC */
/* The colours of a tree's names; see name-colours.h. */
#include "name-colours.h"
#include "classify.h"
#include "mem.h"
#include "msg.h"

#include <inttypes.h>

#define ROOT ((struct colour){ 217, 217, 217 })

enum { SLOTS = 4 * NAME_COLOURS_MAX }; /* a power of two */

/* What is needed while names are painted. */
struct painter {
	struct name_colours *p;
	const struct name_colours_how *how;
	const struct tree *t;
	struct palette palette;
	unsigned char *family; /* by name id */
	struct classify_modules modules;
	bool shown[PALETTE_FAMILIES]; /* families that some name has */
	bool *used;		      /* rules, the same */
	uint32_t lost;		      /* colours that are not there */
	uint32_t dark;		      /* stored ones that are hard to read on */
};

static uint32_t
pack(struct colour c)
{
	return (uint32_t)c.r << 16 | (uint32_t)c.g << 8 | c.b;
}

static int
distance(struct colour a, struct colour b)
{
	int r = a.r - b.r, g = a.g - b.g, blue = a.b - b.b;

	return r * r + g * g + blue * blue;
}

static uint16_t
nearest(const struct name_colours *p, struct colour c)
{
	uint32_t i, best = 0;

	for (i = 1; i < p->n; i++)
		if (distance(p->colours[i], c) < distance(p->colours[best], c))
			best = i;
	return (uint16_t)best;
}

/* The index of C among the colours, added when it is new. */
static uint16_t
index_of(struct painter *painter, struct colour c)
{
	struct name_colours *p = painter->p;
	uint32_t slot = pack(c) * 2654435761u >> 18 & (SLOTS - 1);

	for (; p->slots[slot]; slot = (slot + 1) & (SLOTS - 1))
		if (pack(p->colours[p->slots[slot] - 1]) == pack(c))
			return (uint16_t)(p->slots[slot] - 1);
	if (p->n == NAME_COLOURS_MAX) {
		painter->lost++;
		return nearest(p, c);
	}
	p->colours[p->n++] = c;
	p->slots[slot] = (uint16_t)p->n;
	return (uint16_t)(p->n - 1);
}

static bool
is_alone(const unsigned char *classes, const struct table_order *o)
{
	uint32_t i;

	for (i = 0; i < o->n; i++)
		if (classes[o->ids[i]] != CLASSIFY_NATIVE)
			return false;
	return true;
}

static void
find_by_class(struct painter *painter, const struct table_order *o)
{
	struct classify_how how = { painter->how->totals, painter->how->reversed, true };

	painter->family = classify_names(&how, painter->t);
	/* plain names alone may have all the warm colours */
	if (is_alone(painter->family, o))
		memset(painter->family, PALETTE_CLASS_ALONE, painter->t->names.n);
}

static void
find_by_module(struct painter *painter, const struct table_order *o)
{
	struct classify_how how = { painter->how->totals, painter->how->reversed, false };

	classify_modules_init(&painter->modules, &how, painter->t);
	if (painter->modules.n) {
		painter->family = painter->modules.of;
		painter->modules.of = NULL;
		return;
	}
	palette_init(&painter->palette, STR("auto"), painter->how->by_spelling);
	find_by_class(painter, o);
}

static void
find_families(struct painter *painter, const struct table_order *o)
{
	const struct intern *names = &painter->t->names;
	uint32_t i;

	switch (palette_by(&painter->palette)) {
	case PALETTE_BY_CLASS: find_by_class(painter, o); return;
	case PALETTE_BY_MODULE: find_by_module(painter, o); return;
	case PALETTE_BY_NAME: break;
	}
	painter->family = mem_alloc(names->n);
	for (i = 0; i < names->n; i++)
		painter->family[i] = (unsigned char)palette_family(
			&painter->palette, intern_str(names, i));
}

/* The colour of the name with ID. */
static struct colour
choose(struct painter *painter, uint32_t id)
{
	const struct name_colours_how *how = painter->how;
	struct str name = intern_str(&painter->t->names, id);
	unsigned family = painter->family[id];
	const struct palette_rule_line *rule =
		how->rules ? palette_rules_find(how->rules, name) : NULL;
	struct colour c, stored;
	bool known;

	if (rule) {
		painter->used[rule - how->rules->lines] = true;
		c = rule->colour;
	} else {
		c = painter->palette
			    .colours[palette_shade(&painter->palette, family, name)];
	}
	if (how->map && palette_is_named(name)) {
		known = palette_map_find(how->map, name, &stored);
		if (!known)
			palette_map_add(how->map, name, c);
		else if (!rule && pack(stored) != pack(c)) {
			painter->dark += colour_contrast(stored) < COLOUR_READABLE;
			return stored;
		}
	}
	if (!rule && palette_is_named(name))
		painter->shown[family] = true;
	return c;
}

static void
add_meaning(struct name_colours *p, struct colour c, struct str text)
{
	struct str word;

	if (!text.n)
		return;
	word = intern_str(&p->words, intern_id(&p->words, text));
	p->meanings =
		mem_grow(p->meanings, &p->cap, p->meanings_n + 1, sizeof *p->meanings);
	p->meanings[p->meanings_n++] = (struct name_colours_meaning){ c, word };
}

/* The legend: what rules mean, then the palette's families. */
static void
explain(struct painter *painter)
{
	const struct palette *palette = &painter->palette;
	const struct palette_rules *rules = painter->how->rules;
	unsigned i, n = 0;
	struct str text;

	for (i = 0; rules && i < rules->n; i++)
		if (painter->used[i])
			add_meaning(painter->p, rules->lines[i].colour,
				rules->lines[i].meaning);
	for (i = 0; i < palette->families; i++)
		n += painter->shown[i];
	if (n < 2 && !painter->p->meanings_n && palette_by(palette) != PALETTE_BY_NAME)
		return;
	for (i = 0; i < palette->families; i++) {
		text = i < painter->modules.n ? painter->modules.names[i]
					      : palette_meaning(palette, i);
		if (painter->shown[i])
			add_meaning(painter->p,
				palette->colours[i * palette->shades +
					palette->shades / 2],
				text);
	}
}

static void
name_colours_root(struct painter *painter)
{
	struct palette_map *map = painter->how->map;

	painter->p->root = ROOT;
	if (map && !palette_map_find(map, STR(""), &painter->p->root)) {
		painter->p->root = ROOT;
		palette_map_add(map, STR(""), ROOT);
	}
}

static void
tell(const struct painter *painter)
{
	if (painter->lost)
		msg_warn("more than %d colours: the nearest is taken for %" PRIu32
			 " name%s",
			NAME_COLOURS_MAX, painter->lost, msg_s(painter->lost));
	if (painter->dark)
		msg_warn("%s: colours too dark for the names on them: %" PRIu32,
			painter->how->map->path, painter->dark);
}

void
name_colours_init(struct name_colours *p, const struct name_colours_how *how,
	const struct tree *t, const struct table_order *o)
{
	struct painter painter = { .p = p, .how = how, .t = t };
	uint32_t i, id;

	*p = (struct name_colours){ .colours = mem_zero(
					    NAME_COLOURS_MAX, sizeof *p->colours),
		.slots = mem_zero(SLOTS, sizeof *p->slots),
		.of = mem_zero(t->names.n, sizeof *p->of) };
	palette_init(&painter.palette, how->palette, how->by_spelling);
	painter.used = mem_zero(how->rules ? how->rules->n : 0, sizeof *painter.used);
	find_families(&painter, o);
	for (i = 0; i < o->n; i++) {
		id = o->ids[i];
		p->of[id] = index_of(&painter, choose(&painter, id));
	}
	name_colours_root(&painter);
	explain(&painter);
	tell(&painter);
	free(painter.family);
	free(painter.used);
	classify_modules_release(&painter.modules);
}

void
name_colours_release(struct name_colours *p)
{
	free(p->colours);
	free(p->slots);
	free(p->of);
	free(p->meanings);
	intern_release(&p->words);
}
