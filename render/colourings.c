/* SPDX-License-Identifier: ISC */
/* Colourings, as JSON; see colourings.h. */
#include "colourings.h"
#include "json.h"
#include "table.h"

void
colourings_put_list(
	struct buf *b, const char *key, const struct colour *colours, size_t n)
{
	struct buf text = { 0 };
	size_t i;

	json_array(b, key);
	for (i = 0; i < n; i++) {
		buf_clear(&text);
		colour_put(&text, colours[i]);
		json_element_str(b, buf_view(&text));
	}
	json_array_end(b);
	buf_release(&text);
}

/* Adds the legend of COLOURS and, for each colour, the number of its entry in the table's
 * digits: 1 for the first, 0 for none. */
static void
put_legend(struct buf *b, const struct palette_colours *colours)
{
	struct buf text = { 0 };
	uint32_t i;

	for (i = 0; i < colours->n; i++)
		table_put_number(&text,
			colours->key[i] == PALETTE_NO_KEY ? 0 : colours->key[i] + 1U);
	json_str(b, "keys", buf_view(&text));
	if (colours->inlined != PALETTE_NO_KEY)
		json_u64(b, "inlined", colours->inlined + 1U);
	json_array(b, "legend");
	for (i = 0; i < colours->meanings_n; i++) {
		buf_clear(&text);
		colour_put(&text, colours->meanings[i].colour);
		json_element_str(b, buf_view(&text));
		json_element_str(b, colours->meanings[i].text);
	}
	json_array_end(b);
	buf_release(&text);
}

static struct str
name_colouring(const struct palette_colours *colours)
{
	static const struct str names[] = { [PALETTE_BY_NAME] = { "name", 4 },
		[PALETTE_BY_ORIGIN] = { "origin", 6 },
		[PALETTE_BY_MODULE] = { "module", 6 } };

	return names[colours->by];
}

/* Adds the other colourings: their colours, in the order of the table. */
static void
put_other(struct buf *b, const struct picture *p)
{
	struct buf of = { 0 };
	uint32_t i;

	json_begin(b, "other");
	json_str(b, "by", name_colouring(&p->other));
	colourings_put_list(b, "fills", p->other.items, p->other.n);
	for (i = 0; i < p->order.n; i++)
		table_put_number(&of, p->other.of[p->order.ids[i]]);
	json_str(b, "of", buf_view(&of));
	put_legend(b, &p->other);
	json_end(b);
	buf_release(&of);
}

void
colourings_put(struct buf *b, const struct picture *p)
{
	json_str(b, "colorby", name_colouring(&p->colours));
	put_legend(b, &p->colours);
	if (p->other.meanings_n && p->other.by != p->colours.by)
		put_other(b, p);
}
