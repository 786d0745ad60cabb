/* SPDX-License-Identifier: ISC */
/* Colours by expressions; see palette-rules.h. */
#include "palette-rules.h"
#include "input.h"
#include "mem.h"

#include <inttypes.h>

#define ARROW STR("->")

/* Cuts what follows the last arrow off *REST and returns it, trimmed; n is 0, and
 * *REST as before, without an arrow. */
static struct str
cut_last(struct str *rest)
{
	size_t i;

	for (i = rest->n; i-- > 0;)
		if (str_starts(str_from(*rest, i), ARROW)) {
			struct str last = str_trim(str_from(*rest, i + ARROW.n));

			*rest = str_trim(str_head(*rest, i));
			return last;
		}
	return STR("");
}

/* Cuts LINE into its parts. False when there is no colour. */
static bool
cut_parts(struct str line, struct str *pattern, struct palette_rule_line *rule)
{
	struct str last, before;

	*pattern = line;
	last = cut_last(pattern);
	before = *pattern;
	if (colour_parse_any(cut_last(&before), &rule->colour)) {
		*pattern = before;
		rule->meaning = last;
		return true;
	}
	return colour_parse_any(last, &rule->colour);
}

static void
make_readable(const struct palette_rules *r, struct palette_rule_line *rule)
{
	struct colour asked = rule->colour;
	struct buf b = { 0 };

	if (colour_contrast(asked) >= COLOUR_READABLE)
		return;
	rule->colour = colour_lift(asked);
	colour_put(&b, asked);
	buf_str(&b, STR(" is too dark for the names on it, "));
	colour_put(&b, rule->colour);
	msg_warn_at(r->path, rule->line, "%s taken", buf_cstr(&b));
	buf_release(&b);
}

static bool
read_rule(struct palette_rules *r, struct str line, uint64_t number)
{
	struct palette_rule_line rule = { .line = number };
	struct buf why = { 0 };
	struct str pattern;

	if (!cut_parts(line, &pattern, &rule) || !pattern.n)
		buf_str(&why,
			STR("is not 'EXPRESSION -> COLOUR': a colour is #rgb, #rrggbb, "
			    "rgb(r,g,b) or a name of SVG's, as steelblue"));
	else
		rule.match = match_new(pattern, 0, &why);
	if (!rule.match) {
		msg_error("%s:%" PRIu64 ": %s", r->path, number, buf_cstr(&why));
		buf_release(&why);
		return false;
	}
	buf_release(&why);
	rule.meaning = arena_str(&r->texts, rule.meaning);
	make_readable(r, &rule);
	r->lines = mem_grow(r->lines, &r->cap, r->n + 1, sizeof *r->lines);
	r->lines[r->n++] = rule;
	return true;
}

bool
palette_rules_init(struct palette_rules *r, const char *path)
{
	struct input *in = input_open(path);
	struct str line;
	bool good = true;

	*r = (struct palette_rules){ .path = path };
	if (!in)
		return false;
	while (input_line(in, &line)) {
		line = str_trim(line);
		if (line.n && line.s[0] != '#')
			good &= read_rule(r, line, input_line_number(in));
	}
	good &= !input_failed(in);
	input_close(in);
	return good;
}

void
palette_rules_release(struct palette_rules *r)
{
	size_t i;

	for (i = 0; i < r->n; i++)
		match_free(r->lines[i].match);
	free(r->lines);
	arena_release(&r->texts);
}

const struct palette_rule_line *
palette_rules_find(const struct palette_rules *r, struct str name)
{
	size_t i;

	for (i = 0; i < r->n; i++)
		if (match_has(r->lines[i].match, name))
			return &r->lines[i];
	return NULL;
}

bool
palette_rules_failed(const struct palette_rules *r)
{
	const char *why;
	size_t i;

	for (i = 0; i < r->n; i++) {
		why = match_failure(r->lines[i].match);
		if (why) {
			msg_error("%s:%" PRIu64 ": giving up: %s", r->path,
				r->lines[i].line, why);
			return true;
		}
	}
	return false;
}
