/* SPDX-License-Identifier: ISC */
/* Any bytes as a perf map, as kallsyms and as a jitdump; the jitdump's answers are
 * compared with a linear search of its records. */
#include "fuzz.h"
#include "symbols/jitdump.h"
#include "symbols/kallsyms.h"
#include "symbols/perfmap.h"

enum { PROBES = 64, HEADER = 40, RECORD = 16, LOAD_HEAD = 40 };

static uint64_t
next(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005 + 1442695040888963407;
	return *seed;
}

/* Numbers that occur in TEXT are likelier to be found than others. */
static uint64_t
pick(struct str text, uint64_t *seed)
{
	uint64_t v = next(seed), at = text.n > 16 ? v % (text.n - 16) : 0;

	if (v & 1 && text.n > 16 &&
		str_hex_to_u64(str_head(str_from(text, at), v >> 60), &v))
		return v + (next(seed) >> 62);
	if (v & 2 && text.n > 16) {
		memcpy(&v, text.s + at, sizeof v);
		return v;
	}
	return v >> (v & 63);
}

static void
check_symbols(struct symtab *t, struct str text)
{
	uint64_t seed = str_hash(text), at;
	const struct symtab_symbol *s;

	for (int i = 0; t && i < PROBES; i++) {
		at = pick(text, &seed);
		s = symtab_find(t, at);
		if (!s)
			continue;
		LAW(s->start <= at && s->name.n > 0);
		LAW(s->name.s >= text.s && s->name.s + s->name.n <= text.s + text.n);
	}
	symtab_free(t);
}

static void
check_kallsyms(struct str text)
{
	struct kallsyms *k = kallsyms_parse(text);
	uint64_t seed = str_hash(text), at;
	const struct symtab_symbol *s;

	for (int i = 0; k && i < PROBES; i++) {
		at = pick(text, &seed);
		s = kallsyms_find(k, at);
		if (!s)
			continue;
		LAW(s->start <= at && s->name.n > 0);
		LAW(s->name.s >= text.s && s->name.s + s->name.n <= text.s + text.n);
		LAW(kallsyms_find(k, at) && kallsyms_find(k, at)->start == s->start);
	}
	kallsyms_free(k);
}

/* The last line of a perf map that contains AT, if any, by the simplest parser. */
static struct str
last_line(struct str text, uint64_t at)
{
	struct str found = { 0 }, line, word;
	uint64_t start, size;

	while (text.n) {
		line = str_cut(&text, '\n');
		word = str_word(&line);
		word = str_from(word, str_starts(word, STR("0x")) ? 2 : 0);
		if (!str_hex_to_u64(word, &start))
			continue;
		word = str_word(&line);
		word = str_from(word, str_starts(word, STR("0x")) ? 2 : 0);
		if (!str_hex_to_u64(word, &size) || !str_trim(line).n)
			continue;
		if (start <= at && at != UINT64_MAX && at - start < (size ? size : 1))
			found = str_trim(line);
	}
	return found;
}

static void
check_perfmap(struct str text)
{
	uint64_t seed = str_hash(text) + 1, at;
	size_t bad, lines = 1;
	struct symtab *t = perfmap_parse(text, &bad);
	const struct symtab_symbol *s;

	for (size_t i = 0; i < text.n; i++)
		lines += text.s[i] == '\n';
	LAW(bad <= lines);
	for (int i = 0;
		i < PROBES && lines < 1000 && str_search(text, STR("0X")) == text.n;
		i++) {
		at = pick(text, &seed);
		s = symtab_find(t, at);
		LAW(str_eq(s ? s->name : (struct str){ 0 }, last_line(text, at)));
	}
	check_symbols(t, text);
}

static uint64_t
get(const char *p, unsigned size, bool swap)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < size; i++)
		v |= (uint64_t)(unsigned char)p[swap ? size - 1 - i : i] << 8 * i;
	return v;
}

/* The latest load at TIME that contains AT, by a linear search; files with moves are
 * not supported. */
static bool
latest_load(struct str text, uint64_t at, uint64_t time, struct str *name)
{
	bool swap = text.s[0] == 'J', any = false,
	     timeless = get(text.s + 32, 8, swap) & 1;
	uint64_t when, best = 0, start, size, total;

	for (text = str_from(text, get(text.s + 8, 4, swap)); text.n >= RECORD;
		text = str_from(text, total)) {
		total = get(text.s + 4, 4, swap);
		when = get(text.s + 8, 8, swap);
		if (total < RECORD)
			break;
		if (get(text.s, 4, swap) != 0 ||
			str_head(text, total).n < RECORD + LOAD_HEAD)
			continue;
		start = get(text.s + RECORD + 16, 8, swap);
		size = get(text.s + RECORD + 24, 8, swap);
		struct str rest = str_from(str_head(text, total), RECORD + LOAD_HEAD);
		size_t n = str_find(rest, '\0');
		if (n && n < rest.n && start <= at && at != UINT64_MAX &&
			at - start < (size ? size : 1) &&
			(!time || timeless || when <= time) && (!any || when >= best)) {
			any = true;
			best = when;
			*name = str_head(rest, n);
		}
	}
	return any;
}

static bool
has_moves(struct str text)
{
	for (size_t i = 0; i + 4 < text.n; i++)
		if (text.s[i] == 1 || text.s[i + 3] == 1)
			return true;
	return false;
}

static bool
lies_in(struct str part, struct str all)
{
	return part.s >= all.s && part.s + part.n <= all.s + all.n;
}

static void
check_jitdump(struct str text)
{
	uint64_t seed = str_hash(text) + 2, at, time;
	struct jitdump_code got = { 0 };
	struct str want = { 0 };
	size_t bad;
	struct jitdump *j = jitdump_parse(text, &bad);
	bool same = j && !has_moves(str_from(text, HEADER));

	for (int i = 0; j && i < PROBES; i++) {
		at = pick(text, &seed);
		time = i % 3 ? pick(text, &seed) : 0;
		if (same) {
			bool found = jitdump_find(j, at, time, &got);

			LAW(found == latest_load(text, at, time, &want));
			LAW(!found || str_eq(got.name, want));
			LAW(!found || got.end == UINT64_MAX ||
				at - got.start < got.end - got.start);
		} else if (jitdump_find(j, at, time, &got)) {
			LAW(got.name.n && lies_in(got.name, text));
		}
		LAW(!got.frames.n || lies_in(got.frames, text));
	}
	jitdump_free(j);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = { (const char *)data, size };

	check_kallsyms(text);
	check_perfmap(text);
	check_jitdump(text);
	return 0;
}
