/* SPDX-License-Identifier: ISC */
/*
 * Output of go tool pprof -raw and pprof -raw:
 *
 *	PeriodType: cpu nanoseconds
 *	Period: 10000000
 *	Time: 2026-11-21 03:30:00.717751014 +0000 UTC
 *	Samples:
 *	samples/count cpu/nanoseconds[dflt]
 *	          2   20000000: 1 2 3
 *	                kind:[demo] worker:[2]
 *	                bytes:[16 bytes]
 *	Locations
 *	     1: 0x4be3d1 M=1 main.inl2 /opt/demo/main.go:8 s=0
 *	             main.inl /opt/demo/main.go:7 s=0
 *	     2: 0x4be3f0 M=1 [F] operator new(unsigned long) new.cc:9 s=0(_Znwm)
 *	     3: 0x7f5e5414e5b0 M=2
 *	Mappings
 *	1: 0x400000/0x4c0000/0x0 /opt/demo/prog 6af25ebed32f [FN]
 *
 * Locations are innermost first. So are a location's functions, each inlined into the
 * next; "??" is one without a name. Labels are below their sample, numeric ones on a line
 * of their own. A function's name and its file may both contain blanks.
 *
 * google/pprof, profile/profile.go, String.
 */
#include "stacks/places.h"
#include "stacks/locations.h"
#include "pprof-label.h"
#include "stacks/quantity.h"
#include "collapse.h"
#include "formats.h"
#include "stacks/late-stacks.h"

#include <stdlib.h>

enum part { HEAD, TYPES, SAMPLES, LOCATIONS, MAPPINGS };

enum { TYPES_MOST = 64 };

struct reader {
	struct input *in;
	struct collapse *c;
	enum part part;
	struct quantity types[TYPES_MOST];
	size_t type_n;
	size_t counted; /* the index of a type that counts samples; type_n: none */
	unsigned metric;
	struct intern units; /* borrowed by the quantities */
	struct late_stacks stacks;
	/* The current sample. */
	bool has_sample, is_known;
	int64_t values[TYPES_MOST];
	struct str_digest key; /* of its locations */
	struct buf labels;
	struct collapse_label *list;
	size_t list_cap;

	struct locations locations;
	struct location location; /* current */
	bool has_location;
	struct places location_ids, mapping_ids;
};

/* Cuts a decimal number off *REST, with the blanks before it. */
static bool
cut_number(struct str *rest, int64_t *value)
{
	struct str word = str_word(rest);
	bool minus = str_starts(word, STR("-"));
	uint64_t n;

	if (!str_to_u64(str_from(word, minus), &n) || n > INT64_MAX)
		return false;
	*value = minus ? -(int64_t)n : (int64_t)n;
	return true;
}

/* Cuts a number and AFTER, which has to follow it, off *REST. */
static bool
cut_until(struct str *rest, char after, bool hex, uint64_t *value)
{
	size_t end = str_find(*rest, after);
	struct str text = str_trim(str_head(*rest, end));

	if (end == rest->n)
		return false;
	*rest = str_from(*rest, end + 1);
	if (!hex)
		return str_to_u64(text, value);
	return str_starts(text, STR("0x")) && str_hex_to_u64(str_from(text, 2), value);
}

/* Takes a line before "Samples:". */
static bool
parse_head(struct reader *r, struct str line)
{
	struct str rest = line, key = str_cut(&rest, ':');

	if (str_eq(line, STR("Samples:"))) {
		r->part = TYPES;
		return true;
	}
	if (str_eq(key, STR("Time")))
		collapse_start_text(r->c, str_trim(rest));
	/* A comment may have any number of lines. */
	return true;
}

/* Adds the type in TEXT, "cpu/nanoseconds", which has its last slash at SLASH. */
static void
add_type(struct reader *r, struct str text, size_t slash, bool is_ambiguous)
{
	struct str name = str_head(text, slash), unit = str_from(text, slash + 1);
	struct quantity *q = &r->types[r->type_n];

	name = intern_str(&r->units, intern_id(&r->units, name));
	unit = intern_str(&r->units, intern_id(&r->units, unit));
	*q = quantity_of(name, unit);
	if (q->is_samples && r->counted == TYPES_MOST)
		r->counted = r->type_n;
	(void)collapse_metric(r->c, is_ambiguous ? text : name, q->unit);
	r->type_n++;
}

/* Cuts the next type off *REST: its text, and where its last slash is. Blanks separate
 * types, but a type may contain blanks too. */
static bool
cut_type(struct str *rest, struct str *text, size_t *slash)
{
	const char *from = NULL;
	struct str word;

	while ((word = str_word(rest)).n) {
		from = from ? from : word.s;
		*text = (struct str){ from, (size_t)(word.s + word.n - from) };
		*slash = str_rfind(*text, '/');
		if (*slash < text->n)
			return true;
	}
	return false;
}

/* Whether the line of types LINE contains the name before SLASH more than once. */
static bool
is_twice(struct str line, struct str text, size_t slash)
{
	struct str other;
	size_t end, n = 0;

	while (cut_type(&line, &other, &end))
		n += str_eq(str_head(other, end), str_head(text, slash));
	return n > 1;
}

/* Parses the line of types. Returns false, after a message, if nothing can be folded. */
static bool
parse_types(struct reader *r, struct str line)
{
	struct str rest = line, text, mark = STR("[dflt]");
	size_t main = TYPES_MOST, slash;

	r->part = SAMPLES;
	while (r->type_n < TYPES_MOST && cut_type(&rest, &text, &slash)) {
		if (str_ends(text, mark)) {
			text.n -= mark.n;
			main = main == TYPES_MOST ? r->type_n : main;
		}
		add_type(r, text, slash, is_twice(line, text, slash));
	}
	if (!r->type_n) {
		msg_error("%s: has no sample types", input_name(r->in));
		return false;
	}
	if (r->counted == TYPES_MOST)
		collapse_exact(r->c);
	r->metric = collapse_choose_metric(
		r->c, (unsigned)(main < r->type_n ? main : r->type_n - 1));
	return r->metric != COLLAPSE_NO_METRIC;
}

/* Ends the current sample, whose labels are complete. */
static void
end_sample(struct reader *r)
{
	bool counts = r->counted < r->type_n && r->values[r->counted] > 0;
	int64_t value, weight = 0;
	size_t i;

	if (!r->has_sample)
		return;
	r->has_sample = false;
	for (i = 0; i < r->type_n; i++) {
		if (!quantity_scale(&r->types[i], r->values[i], &value)) {
			if (i == r->metric)
				collapse_lose(r->c, COLLAPSE_OVERFLOW);
			continue;
		}
		collapse_count_cost(r->c, (unsigned)i, value);
		if (i == r->metric)
			weight = value;
	}
	if (weight < 0)
		collapse_lose(r->c, COLLAPSE_NEGATIVE);
	if (weight <= 0) {
		late_stacks_drop(&r->stacks);
		return;
	}
	late_stacks_add(&r->stacks, (uint64_t)weight,
		counts ? (uint64_t)r->values[r->counted] : 1, buf_view(&r->labels));
	if (!r->is_known)
		late_stacks_keep(&r->stacks, r->key);
}

/* Adds the locations of a sample. */
static bool
push_locations(struct reader *r, struct str rest)
{
	const char *s = rest.s, *end = s + rest.n, *first;
	uint64_t id;

	r->key = str_digest(rest);
	r->is_known = late_stacks_recall(&r->stacks, r->key);
	while (!r->is_known) {
		while (s < end && *s == ' ')
			s++;
		if (s == end)
			return true;
		for (first = s, id = 0; s < end && str_is_digit(*s) && s < first + 18;
			s++)
			id = id * 10 + (uint64_t)(*s - '0');
		if (s == first || (s < end && *s != ' '))
			return false;
		late_stacks_push(&r->stacks, id);
	}
	return true;
}

/* Parses "2   20000000: 1 2 3". */
static bool
parse_sample(struct reader *r, struct str line)
{
	struct str rest = line, values = str_cut(&rest, ':');
	size_t i;

	end_sample(r);
	buf_clear(&r->labels);
	if (values.n == line.n)
		return false;
	for (i = 0; i < r->type_n; i++)
		if (!cut_number(&values, &r->values[i]))
			return false;
	if (str_trim(values).n)
		return false;
	r->has_sample = push_locations(r, rest);
	if (!r->has_sample)
		late_stacks_drop(&r->stacks);
	return r->has_sample;
}

/* Cuts "worker:[2]" off *REST. */
static void
cut_label(struct str *rest, struct str *key, struct str *value)
{
	struct str between = STR(":[");
	size_t end;

	*key = str_head(*rest, str_search(*rest, between));
	*rest = str_from(*rest, key->n + between.n);
	end = str_search(*rest, STR("] "));
	*value = str_head(*rest, end);
	if (end == rest->n && str_ends(*value, STR("]")))
		value->n--;
	*rest = str_trim(str_from(*rest, end + 1));
}

/* Keeps the labels in TEXT that options need or that name the thread. */
static void
keep_labels(struct reader *r, struct str text)
{
	bool all = collapse_has_root(r->c, COLLAPSE_LABEL);
	struct str rest = text, key, value;
	enum pprof_label label;

	while (rest.n) {
		cut_label(&rest, &key, &value);
		label = pprof_label_of(key);
		if (!all && (label == PPROF_LABEL_OTHER || label == PPROF_LABEL_TIME))
			continue;
		buf_str(&r->labels, key);
		buf_str(&r->labels, STR(":["));
		buf_str(&r->labels, value);
		buf_str(&r->labels, STR("] "));
	}
}

/* Parses a line of the samples' part. */
static bool
parse_sample_line(struct reader *r, struct str line)
{
	struct str text = str_trim(line);

	if (str_eq(line, STR("Locations"))) {
		end_sample(r);
		r->part = LOCATIONS;
		return true;
	}
	/* Labels have a bracket after the colon, samples a number before it. */
	if (str_search(text, STR(":[")) == text.n)
		return parse_sample(r, line);
	if (r->has_sample)
		keep_labels(r, text);
	return true;
}

static uint64_t
keep_text(struct reader *r, struct str text)
{
	json_texts_add(&r->locations.texts, text);
	return r->locations.texts.n - 1;
}

/* Adds the function in TEXT, "main.work /opt/my demo/main.go:7 s=0(main.work)", to the
 * current location. Returns false if malformed. */
static bool
parse_function(struct reader *r, struct str text)
{
	struct location_function f = { .name = 0 };
	struct location_line line = { .line = 0 };
	size_t at = text.n, colon, blank;
	struct str place;

	if (str_eq(text, STR("??"))) {
		line.function = PLACES_NONE;
		locations_add_line(&r->locations, &line);
		return true;
	}
	/* The last "s=", as the name may contain one. */
	while (at > 0 &&
		!(str_starts(str_from(text, at), STR(" s=")) && at + 3 < text.n &&
			str_is_digit(text.s[at + 3])))
		at--;
	place = str_head(text, at);
	colon = str_rfind(place, ':');
	if (!at || colon == place.n)
		return false;
	(void)str_to_u64(str_from(place, colon + 1), &line.line);
	place = str_head(place, colon);
	blank = str_search(place, STR(" /"));
	if (blank == place.n)
		blank = str_rfind(place, ' ');
	f.name = keep_text(r, str_trim(str_head(place, blank)));
	f.file = keep_text(r, str_from(place, blank + 1));
	line.function = r->locations.function_n;
	locations_add_function(&r->locations, &f);
	locations_add_line(&r->locations, &line);
	return true;
}

/* Ends the current location. */
static void
end_location(struct reader *r)
{
	if (!r->has_location)
		return;
	r->has_location = false;
	r->location.line_n = r->locations.line_n - r->location.line;
	locations_add(&r->locations, &r->location);
}

/* Parses "1: 0x4be3d1 M=1 main.work /opt/demo/main.go:7 s=0", or a function that the
 * previous one is inlined into. */
static bool
parse_location(struct reader *r, struct str line)
{
	struct str rest = line, mark = STR("             "), folded = STR("[F] ");
	struct str word;
	uint64_t id;

	if (str_eq(line, STR("Mappings"))) {
		end_location(r);
		r->part = MAPPINGS;
		return true;
	}
	if (r->has_location && str_starts(line, mark))
		return parse_function(r, str_trim(line));
	end_location(r);
	r->location = (struct location){ .line = r->locations.line_n, .mapping = 0 };
	if (!cut_until(&rest, ':', false, &id) ||
		places_find(&r->location_ids, id) != PLACES_NONE)
		return false;
	places_add(&r->location_ids, id, r->locations.n);
	r->has_location = true;
	word = str_word(&rest);
	if (!str_starts(word, STR("0x")) ||
		!str_hex_to_u64(str_from(word, 2), &r->location.address))
		return false;
	rest = str_from(rest, rest.n > 0);
	if (str_starts(rest, STR("M="))) {
		rest = str_from(rest, 2);
		(void)str_to_u64(str_word(&rest), &r->location.mapping);
		rest = str_from(rest, rest.n > 0);
	}
	if (str_starts(rest, folded))
		rest = str_from(rest, folded.n);
	rest = str_trim(rest);
	return !rest.n || parse_function(r, rest);
}

/* Parses "1: 0x400000/0x4c0000/0x0 /opt/demo/prog 6af25ebed32f [FN]". */
static bool
parse_mapping(struct reader *r, struct str line)
{
	struct location_mapping m = { .file = 0 };
	struct str rest = line, id = { 0 }, offset;
	size_t blank;
	uint64_t number;

	if (!cut_until(&rest, ':', false, &number) ||
		places_find(&r->mapping_ids, number) != PLACES_NONE)
		return false;
	places_add(&r->mapping_ids, number, r->locations.mapping_n);
	if (!cut_until(&rest, '/', true, &m.start) ||
		!cut_until(&rest, '/', true, &m.limit)) {
		locations_add_mapping(&r->locations, &m);
		return false;
	}
	offset = str_word(&rest);
	(void)str_hex_to_u64(str_from(offset, 2), &m.offset);
	rest = str_from(rest, rest.n > 0);
	/* The last two words are the build id, and flags for the names that the file
	 * has. */
	blank = str_rfind(rest, ' ');
	rest = str_head(rest, blank);
	blank = str_rfind(rest, ' ');
	if (blank < rest.n) {
		id = str_from(rest, blank + 1);
		rest = str_head(rest, blank);
	}
	m.file = keep_text(r, str_trim(rest));
	m.build_id = keep_text(r, id);
	locations_add_mapping(&r->locations, &m);
	return true;
}

/* Parses a line. Returns false, after a message, if nothing can be folded. */
static bool
parse_line(struct reader *r, struct str line)
{
	bool good = true;

	if (r->part == TYPES)
		return parse_types(r, line);
	if (!str_trim(line).n)
		return true;
	switch (r->part) {
	case HEAD: good = parse_head(r, line); break;
	case SAMPLES: good = parse_sample_line(r, line); break;
	case LOCATIONS: good = parse_location(r, line); break;
	default: good = parse_mapping(r, line); break;
	}
	if (!good)
		collapse_lose(r->c, COLLAPSE_MALFORMED);
	return true;
}

/* Sets the labels of S and its thread from TEXT, "kind:[demo] worker:[2] ". */
static void
describe(struct reader *r, struct collapse_sample *s, struct str text)
{
	struct str rest = str_trim(text), key, value;
	enum pprof_label label;

	while (rest.n) {
		cut_label(&rest, &key, &value);
		label = pprof_label_of(key);
		if (label == PPROF_LABEL_COMM)
			s->comm = value;
		else if (label == PPROF_LABEL_PID)
			s->pid = value;
		else if (label == PPROF_LABEL_TID)
			s->tid = value;
		*MEM_ADD(r->list, s->label_n, r->list_cap) =
			(struct collapse_label){ key, value };
	}
	s->labels = r->list;
	locations_name_thread(&r->locations, s);
}

static void
fold_stack(void *context, struct collapse_sample *s, const uint64_t *frames, size_t n,
	struct str about)
{
	struct reader *r = context;
	uint64_t *places = mem_zero(n + 1, sizeof *places);
	size_t i;

	describe(r, s, about);
	for (i = 0; i < n; i++)
		places[i] = places_find(&r->location_ids, frames[i]);
	if (collapse_wants(r->c, s))
		collapse_add(r->c,
			locations_path(&r->locations, collapse_root(r->c, s), places, n),
			s);
	free(places);
}

/* Folds the samples. Returns false, after a message, if the text is truncated and nothing
 * can be folded. */
static bool
finish(struct reader *r)
{
	struct location *p;

	end_sample(r);
	end_location(r);
	for (p = r->locations.items; p && p < r->locations.items + r->locations.n; p++)
		p->mapping = places_find(&r->mapping_ids, p->mapping);
	if (r->part > SAMPLES)
		late_stacks_each(&r->stacks, fold_stack, r);
	locations_explain(&r->locations);
	return r->part == MAPPINGS || collapse_damage(r->c, 0, true);
}

static void
free_reader(struct reader *r)
{
	locations_release(&r->locations);
	late_stacks_release(&r->stacks);
	intern_release(&r->units);
	places_release(&r->location_ids);
	places_release(&r->mapping_ids);
	buf_release(&r->labels);
	free(r->list);
}

static bool
run(struct input *in, struct collapse *c)
{
	struct reader r = { .in = in, .c = c, .stacks.c = c, .counted = TYPES_MOST };
	struct str line;
	bool good = true;

	collapse_threadless(c);
	locations_init(&r.locations, c, in);
	(void)keep_text(&r, (struct str){ 0 });
	while (good && input_line(in, &line))
		good = parse_line(&r, line);
	good = good && finish(&r);
	free_reader(&r);
	return good;
}

static int
probe(struct str head)
{
	struct str line;

	while (head.n) {
		line = str_trim(str_cut(&head, '\n'));
		if (str_eq(line, STR("Samples:"))) {
			line = str_cut(&head, '\n');
			return str_find(line, '/') < line.n ? 95 : 0;
		}
	}
	return 0;
}

const struct collapse_format collapse_pprof_raw = {
	.probe = probe,
	.signs = SIGNS(SIGN(MAGIC, "PeriodType: "), SIGN(MAGIC, "Comment: "),
		SIGN(MAGIC, "Period: ")),
	.run = run,
	.uses = COLLAPSE_USES_BY | COLLAPSE_USES_FILES | COLLAPSE_USES_SRCLINE |
		COLLAPSE_USES_COST,
};
