/* SPDX-License-Identifier: ISC */
/*
 * Text profiles from before pprof had its own format, which Go still prints with
 * ?debug=1:
 *
 *	heap profile:   17:  20736 [ 1801: 794922] @ heapprofile
 *	    16:    20664 [   300:   344850] @ 0x004006a8 0x00400783
 *	MAPPED_LIBRARIES:
 *	00400000-00401000 r-xp 00000000 00:00 1245284     /opt/demo/work
 *
 * A row is a stack: objects and bytes in use, in brackets those ever allocated, and
 * return addresses, innermost first. The word after @ in the first line names the kind of
 * profile:
 *
 *	heapprofile		every allocation: HEAPPROFILE of gperftools
 *	heap_v2/N, heapz_v2/N	allocations of S bytes with probability 1 - exp(-S/N), so
 *				rows have to be scaled up: /pprof/heap of tcmalloc
 *	heap/N			the same with N/2: Go
 *	growthz, fragmentationz	heap growth and idle memory, not sampled
 *
 * Other profiles:
 *
 *	--- contentionz 1 ---	gperftools (C++)	rows "cycles times @ 0x... 0x..."
 *	--- mutex:		Go
 *	--- contention:		Go's block profile
 *	goroutine profile: total 13			rows "5 @ 0x437c96 0x40619b"
 *
 * with lines "cycles/second = 3201000000" and "sampling period = 100" before the rows. Go
 * prints frames below each row, including inlined ones, but without the outermost ones of
 * its runtime:
 *
 *	#	0x4beabe	sync.(*Mutex).Lock+0xfe	/usr/lib/go-1.19/src/sync/mutex.go:90
 *
 * Java's profiles (--- heapz 1 ---, --- contentionz 1 ---, with "format = java") have
 * rows "bytes objects @ 0x5 0x6" whose frames are numbers, explained at the end.
 *
 * google/pprof, profile/legacy_profile.go and legacy_java_profile.go; gperftools,
 * src/heap-profile-table.cc; Go, runtime/pprof/pprof.go.
 */
#include "stacks/quantity.h"
#include "collapse.h"
#include "formats.h"
#include "stacks/late-stacks.h"
#include "stacks/mapped-code.h"

#include <math.h>
#include <stdlib.h>

enum kind { NONE, HEAP, CONTENTION, COUNT };

enum { VALUES = 4, JAVA_RATE = 524288 };

struct profile {
	struct input *in;
	struct collapse *c;
	enum kind kind;
	bool java, exact, two; /* two: rows have both live and total allocations */
	bool needs_maps, has_maps;
	struct str type;   /* for COUNT: "goroutine"; borrowed from texts */
	uint64_t rate;	   /* for sampled allocations; 0 or 1: do not scale */
	uint64_t hz;	   /* of the clock; 0: unknown */
	uint64_t period;   /* one in PERIOD events was recorded */
	uint64_t times;	   /* ns, or bytes, per unit of a Java value */
	unsigned metric;   /* chosen */
	bool begun;	   /* the metrics are declared */
	uint64_t total[2]; /* sums over all rows, from the first line */
	uint64_t seen[2];
	bool bad; /* a row was malformed */
	struct intern texts;
	struct late_stacks stacks;
	struct mapped_code code;
	/* The current row. */
	bool has_row;
	uint64_t weight, count;
	struct str_digest key;	  /* of its addresses */
	bool is_known;		  /* late_stacks_recall had them */
	struct frame_names names; /* from the lines below it */
	struct buf labels;
	struct collapse_label *list;
	size_t list_cap;
	struct buf label_text;
};

/* Cuts a number, maybe signed, off *REST, with the blanks before it. */
static bool
cut_number(struct str *rest, int64_t *value)
{
	struct str s = *rest;
	uint64_t n = 0;
	bool minus;
	size_t i = 0;

	while (s.n && str_is_blank(s.s[0]))
		s = str_from(s, 1);
	minus = str_starts(s, STR("-"));
	s = str_from(s, minus);
	while (i < s.n && str_is_digit(s.s[i]))
		i++;
	if (!str_to_u64(str_head(s, i), &n) || n > INT64_MAX)
		return false;
	*value = minus ? -(int64_t)n : (int64_t)n;
	*rest = str_from(s, i);
	return true;
}

/* Cuts C off *REST, with the blanks before it. */
static bool
cut_char(struct str *rest, char c)
{
	while (rest->n && str_is_blank(rest->s[0]))
		*rest = str_from(*rest, 1);
	if (!rest->n || rest->s[0] != c)
		return false;
	*rest = str_from(*rest, 1);
	return true;
}

/* Cuts "17: 20736 [ 1801: 794922] @" off *REST. */
static bool
cut_heap(struct str *rest, int64_t v[VALUES])
{
	return cut_number(rest, &v[0]) && cut_char(rest, ':') &&
		cut_number(rest, &v[1]) && cut_char(rest, '[') &&
		cut_number(rest, &v[2]) && cut_char(rest, ':') &&
		cut_number(rest, &v[3]) && cut_char(rest, ']') && cut_char(rest, '@');
}

/* Parses REST of the line "heap profile:". */
static bool
parse_heap_header(struct profile *p, struct str rest)
{
	int64_t v[VALUES], rate = 0;
	struct str type;

	if (!cut_heap(&rest, v) || v[0] < 0 || v[1] < 0)
		return false;
	type = str_trim(str_cut(&rest, '/'));
	p->kind = HEAP;
	p->exact = true;
	p->total[0] = (uint64_t)v[0];
	p->total[1] = (uint64_t)v[1];
	p->two = (v[2] != v[0] && v[2]) || (v[3] != v[1] && v[3]);
	p->needs_maps = !str_eq(type, STR("heap"));
	if (str_starts(type, STR("growth")) || str_starts(type, STR("fragmentation")))
		p->two = false;
	else if (!str_eq(type, STR("heapprofile"))) {
		(void)cut_number(&rest, &rate);
		p->rate = rate > 0 ? (uint64_t)rate : 0;
		/* Early gperftools wrote twice the rate; Go still does. */
		if (str_eq(type, STR("heap")))
			p->rate /= 2;
		p->exact = p->rate == 1;
		return str_starts(type, STR("heap"));
	}
	return true;
}

/* Parses "goroutine profile: total 13". */
static bool
parse_count_header(struct profile *p, struct str line)
{
	struct str mark = STR(" profile: total "), rest;
	size_t at = str_search(line, mark);
	int64_t total;

	rest = str_from(line, at + mark.n);
	if (at == line.n || !at || str_find(str_head(line, at), ' ') < at ||
		!cut_number(&rest, &total) || str_trim(rest).n)
		return false;
	p->kind = COUNT;
	p->type = intern_str(&p->texts, intern_id(&p->texts, str_head(line, at)));
	p->total[0] = (uint64_t)total;
	return true;
}

/* Parses the first line of a profile. Returns false if it is not one. */
static bool
parse_header(struct profile *p, struct str line)
{
	struct str heap = STR("heap profile:"), java = STR("--- heapz ");

	if (str_starts(line, heap))
		return parse_heap_header(p, str_from(line, heap.n));
	if (str_starts(line, java)) {
		p->kind = HEAP;
		p->java = true;
		p->rate = JAVA_RATE;
		return true;
	}
	if (str_starts(line, STR("--- mutex:")) ||
		str_starts(line, STR("--- contention:")) ||
		str_starts(line, STR("--- contentionz "))) {
		p->kind = CONTENTION;
		p->needs_maps = str_starts(line, STR("--- contentionz "));
		return true;
	}
	return parse_count_header(p, line);
}

/* Comments and blank lines may precede the first line. */
static bool
is_before(struct str line)
{
	return !line.n || line.s[0] == '#';
}

static int
probe(struct str head)
{
	struct profile p = { .kind = NONE };
	struct str line;
	bool is;

	do
		line = str_trim(str_cut(&head, '\n'));
	while (head.n && is_before(line));
	is = parse_header(&p, line);
	intern_release(&p.texts);
	return is ? 95 : 0;
}

/* Declares the metrics. Returns false, after a message, without the metric of --cost. */
static bool
begin(struct profile *p)
{
	static const char *const heap[VALUES] = { "alloc_objects", "alloc_space",
		"inuse_objects", "inuse_space" };
	struct collapse *c = p->c;
	unsigned last = 1, i;

	p->begun = true;
	if (p->kind == COUNT) {
		(void)collapse_metric(
			c, p->type, quantity_of(p->type, STR("count")).unit);
		last = 0;
	} else if (p->kind == CONTENTION) {
		(void)collapse_metric(c, STR("contentions"), STR("contentions"));
		(void)collapse_metric(
			c, STR("delay"), p->hz || p->java ? STR("ns") : STR("cycles"));
	} else if (p->two) {
		for (i = 0; i < VALUES; i++)
			(void)collapse_metric(c, str_of(heap[i]),
				i % 2 ? STR("bytes") : STR("objects"));
		last = VALUES - 1;
	} else {
		(void)collapse_metric(c, p->java ? STR("inuse_objects") : STR("objects"),
			STR("objects"));
		(void)collapse_metric(
			c, p->java ? STR("inuse_space") : STR("space"), STR("bytes"));
	}
	if (p->exact)
		collapse_exact(c);
	p->metric = collapse_choose_metric(c, last);
	return p->metric != COLLAPSE_NO_METRIC;
}

/* Parses attributes like "cycles/second = 3201000000". Returns false if LINE is not
 * one. */
static bool
parse_attribute(struct profile *p, struct str line)
{
	struct str value = line, key = str_trim(str_cut(&value, '='));
	uint64_t n = 0;

	if (key.n == line.n || str_find(key, '@') < key.n)
		return false;
	value = str_trim(value);
	(void)str_to_u64(value, &n);
	if (str_eq(key, STR("cycles/second")))
		p->hz = n;
	else if (str_eq(key, STR("sampling period")))
		p->period = n;
	else if (str_eq(key, STR("format")))
		p->java = str_eq(value, STR("java"));
	else if (str_eq(key, STR("resolution")))
		p->times = str_eq(value, STR("microseconds")) ? 1000
			: str_eq(value, STR("milliseconds"))  ? 1000000
							      : 1;
	p->needs_maps = p->needs_maps && !p->java;
	return true;
}

/* Multiplies *VALUE by TIMES. Returns false on overflow. */
static bool
scale(int64_t *value, double times)
{
	double product = (double)*value * times;

	if (!(product < 9.2e18 && product > -9.2e18))
		return false;
	*value = (int64_t)product;
	return true;
}

/* Scales sampled OBJECTS and BYTES up to estimates of all allocations. */
static bool
scale_heap(const struct profile *p, int64_t *objects, int64_t *bytes)
{
	double times;

	if (p->rate <= 1 || !*objects || !*bytes)
		return true;
	times = 1 / (1 - exp(-((double)*bytes / (double)*objects) / (double)p->rate));
	return scale(objects, times) && scale(bytes, times);
}

/* Scales V, in the order of metrics. Returns false on overflow. */
static bool
scale_values(const struct profile *p, int64_t *v)
{
	double period = p->period ? (double)p->period : 1;

	switch (p->kind) {
	case HEAP:
		return scale_heap(p, &v[0], &v[1]) &&
			(!p->two || scale_heap(p, &v[2], &v[3]));
	case CONTENTION:
		if (p->java)
			return scale(&v[0], period) &&
				scale(&v[1], period * (double)p->times);
		return scale(&v[0], period) &&
			(p->hz ? scale(&v[1], period / ((double)p->hz / 1e9))
			       : scale(&v[1], period));
	default: return true;
	}
}

/* Cuts the values of a row off *REST, in the order of metrics. */
static bool
cut_values(struct profile *p, struct str *rest, int64_t v[VALUES])
{
	int64_t row[VALUES];

	if (p->kind == COUNT)
		return cut_number(rest, &v[0]) && cut_char(rest, '@');
	if (p->kind == CONTENTION || p->java)
		return cut_number(rest, &v[1]) && cut_number(rest, &v[0]) &&
			cut_char(rest, '@');
	if (!cut_heap(rest, row))
		return false;
	p->seen[0] += row[0] > 0 ? (uint64_t)row[0] : 0;
	p->seen[1] += row[1] > 0 ? (uint64_t)row[1] : 0;
	v[0] = row[p->two ? 2 : 0];
	v[1] = row[p->two ? 3 : 1];
	v[2] = row[0];
	v[3] = row[1];
	return true;
}

/* Cuts the next text in quotes off *REST; *TEXT has it without escapes, in P->label_text.
 * Returns false if there is none. */
static bool
cut_quoted(struct profile *p, struct str *rest, struct str *text)
{
	size_t i = str_find(*rest, '"') + 1, from = p->label_text.n;

	if (i > rest->n)
		return false;
	for (; i < rest->n && rest->s[i] != '"'; i++) {
		i += rest->s[i] == '\\' && i + 1 < rest->n;
		buf_char(&p->label_text, rest->s[i]);
	}
	*rest = str_from(*rest, i + 1);
	*text = str_from(buf_view(&p->label_text), from);
	return true;
}

/* Sets the labels of S from ABOUT, '"key":"value", "other":"..."'. */
static void
describe(void *context, struct collapse_sample *s, struct str about)
{
	struct profile *p = context;
	struct collapse_label l;

	buf_clear(&p->label_text);
	/* Keeps the texts where they are. */
	(void)buf_room(&p->label_text, about.n);
	while (cut_quoted(p, &about, &l.key) && cut_quoted(p, &about, &l.value))
		*MEM_ADD(p->list, s->label_n, p->list_cap) = l;
	s->labels = p->list;
}

/* Ends the current row. Its frames come from the lines below it, or are its addresses,
 * which are named at the end of the profile. */
static void
end_row(struct profile *p)
{
	struct collapse_sample s = {
		.period = p->weight, .count = p->count, .has_period = true
	};
	struct str about = buf_view(&p->labels);

	if (!p->has_row)
		return;
	p->has_row = false;
	if (!p->weight) {
		late_stacks_drop(&p->stacks);
	} else if (!p->names.n) {
		late_stacks_add(&p->stacks, p->weight, p->count, about);
		if (!p->is_known)
			late_stacks_keep(&p->stacks, p->key);
	} else {
		late_stacks_drop(&p->stacks);
		describe(p, &s, about);
		if (collapse_wants(p->c, &s))
			collapse_stack(p->c, &s, p->names.ids, p->names.n);
	}
	p->names.n = 0;
	buf_clear(&p->labels);
}

/* Cuts a hexadecimal number after "0x" at *AT. Returns false if there is none. */
static bool
cut_address(const char **at, const char *end, uint64_t *address)
{
	const char *s = *at + 2;
	uint64_t value = 0;

	if (end - *at < 3 || memcmp(*at, "0x", 2) != 0)
		return false;
	for (; s < end && str_is_hex(*s) && !(value >> 60); s++)
		value = value << 4 | (uint64_t)((*s & 15) + (*s > '9' ? 9 : 0));
	if (s == *at + 2 || (s < end && !str_is_blank(*s)))
		return false;
	*at = s;
	*address = value;
	return true;
}

/* Adds the addresses of a row. Returns false if malformed. */
static bool
push_addresses(struct profile *p, struct str rest)
{
	const char *at = rest.s, *end = str_end(rest);
	uint64_t address;

	p->key = str_digest(rest);
	p->is_known = late_stacks_recall(&p->stacks, p->key);
	while (!p->is_known) {
		while (at < end && str_is_blank(*at))
			at++;
		if (at == end)
			return true;
		if (!cut_address(&at, end, &address))
			return false;
		late_stacks_push(&p->stacks, address - (!p->java && address));
	}
	return true;
}

/* Begins a row with the values V. Returns false if it is lost. */
static bool
begin_row(struct profile *p, int64_t v[VALUES])
{
	unsigned n = p->kind == COUNT ? 1 : p->kind == HEAP && p->two ? 4 : 2, i;
	int64_t sampled =
		p->kind == CONTENTION || p->kind == HEAP ? v[p->metric / 2 * 2] : v[0];

	if (!scale_values(p, v)) {
		collapse_lose(p->c, COLLAPSE_OVERFLOW);
		return false;
	}
	for (i = 0; i < n; i++)
		collapse_count_cost(p->c, i, v[i]);
	if (v[p->metric] < 0) {
		collapse_lose(p->c, COLLAPSE_NEGATIVE);
		return false;
	}
	p->weight = (uint64_t)v[p->metric];
	p->count = sampled > 0 ? (uint64_t)sampled : 1;
	if (p->kind == COUNT)
		p->seen[0] += p->weight;
	p->has_row = true;
	return true;
}

/* Parses a row of values and addresses. */
static void
parse_row(struct profile *p, struct str line)
{
	struct str rest = line;
	int64_t v[VALUES] = { 0 };

	end_row(p);
	if (!cut_values(p, &rest, v) || !push_addresses(p, rest)) {
		late_stacks_drop(&p->stacks);
		collapse_lose(p->c, COLLAPSE_MALFORMED);
		p->bad = true;
	} else if (!begin_row(p, v)) {
		late_stacks_drop(&p->stacks);
	}
}

/* Parses a frame: "0x4beabe", a tab, "sync.(*Mutex).Lock+0xfe", tabs,
 * "/usr/.../mutex.go:90". */
static void
cut_frame(struct str line, struct frame_names_symbol *s)
{
	s->address = str_from(str_cut(&line, '\t'), 2);
	s->name = str_trim(str_cut(&line, '\t'));
	s->name = str_head(s->name, str_search(s->name, STR("+0x")));
	s->srcline = str_base(str_trim(line));
}

static void
parse_comment(struct profile *p, struct str line)
{
	struct str rest = str_trim(str_from(line, 1)), labels = STR("labels: {");

	if (!p->has_row)
		return;
	if (str_starts(rest, STR("0x"))) {
		frame_names_line(&p->names, rest, cut_frame);
	} else if (str_starts(rest, labels) && str_ends(rest, STR("}"))) {
		buf_clear(&p->labels);
		buf_str(&p->labels, str_from(rest, labels.n));
		p->labels.n--;
	}
}

/* Parses a line after the first. Returns false, after a message, if the profile cannot be
 * read. */
static bool
parse_line(struct profile *p, struct str line)
{
	if (p->has_maps) {
		if (line.n && !mapped_code_take_line(&p->code, line))
			collapse_lose(p->c, COLLAPSE_MALFORMED);
		return true;
	}
	if (!line.n) {
		end_row(p);
		return true;
	}
	if (line.s[0] == '#') {
		parse_comment(p, line);
		return true;
	}
	if (str_search(line, STR("MAPPED_LIBRARIES:")) < line.n ||
		str_search(line, STR("--- Memory map: ---")) < line.n) {
		p->has_maps = true;
		return true;
	}
	if (p->kind != COUNT && parse_attribute(p, line))
		return true;
	if (!p->begun && !begin(p))
		return false;
	if (!(p->java && mapped_code_tell_java(&p->code, line)))
		parse_row(p, line);
	return true;
}

static void
name(void *context, struct frame_names *stack, uint64_t frame)
{
	struct profile *p = context;

	mapped_code_name(&p->code, frame, stack);
}

/* Folds the stacks of addresses, and reports a truncated profile. */
static bool
finish(struct profile *p)
{
	bool less = p->seen[0] < p->total[0] || p->seen[1] < p->total[1];
	bool cut = (p->needs_maps && !p->has_maps) || (less && !p->bad);

	end_row(p);
	late_stacks_fold(&p->stacks, name, describe, p);
	libraries_explain(&p->code.libraries);
	return !cut || collapse_damage(p->c, 0, true);
}

/* Reads the profile. */
static bool
parse_profile(struct profile *p)
{
	struct str line = { 0 };

	while (input_line(p->in, &line) && is_before(str_trim(line)))
		;
	if (!parse_header(p, str_trim(line))) {
		msg_error("%s: does not begin like a text profile of pprof",
			input_name(p->in));
		return false;
	}
	while (input_line(p->in, &line))
		if (!parse_line(p, str_trim(line)))
			return false;
	return (p->begun || begin(p)) && finish(p);
}

static bool
run(struct input *in, struct collapse *c)
{
	struct profile p = { .in = in, .c = c, .times = 1, .stacks.c = c, .names.c = c };
	bool good;

	collapse_threadless(c);
	mapped_code_init(&p.code, c, in);
	good = parse_profile(&p);
	late_stacks_release(&p.stacks);
	mapped_code_release(&p.code);
	frame_names_release(&p.names);
	intern_release(&p.texts);
	buf_release(&p.labels);
	buf_release(&p.label_text);
	free(p.list);
	return good;
}

const struct collapse_format collapse_pprof_text = {
	.probe = probe,
	.signs = SIGNS(SIGN(ANYWHERE, "heap profile:"), SIGN(ANYWHERE, "--- "),
		SIGN(ANYWHERE, " profile: total ")),
	.run = run,
	.uses = COLLAPSE_USES_BY | COLLAPSE_USES_FILES | COLLAPSE_USES_SRCLINE |
		COLLAPSE_USES_COST,
};
