/* SPDX-License-Identifier: ISC */
/* Events of PMUs, by the terms of their formats; see pmu.h. */
#include "pmu.h"
#include "buf.h"
#include "msg.h"
#include "sysfile.h"

#define DEVICE "%s/sys/bus/event_source/devices/%.*s"

/* Events are made of terms, terms may be names of events: as deep as that. */
enum { DEEPEST = 4 };

/* A message names as many of a folder. */
enum { NAMED = 16 };

struct reading {
	const struct pmu *pmu;
	struct perf_event_attr *attr;
	struct str *name;
	unsigned depth;
};

/* A name that cannot lead out of its folder. */
static bool
is_plain_name(struct str name)
{
	return name.n && name.s[0] != '.' && !memchr(name.s, '/', name.n);
}

bool
pmu_type(const struct pmu *p, uint32_t *type)
{
	int64_t value;

	if (!is_plain_name(p->name) ||
		!sysfile_number(
			&value, DEVICE "/type", p->root, (int)p->name.n, p->name.s) ||
		value < 0 || value > UINT32_MAX)
		return false;
	*type = (uint32_t)value;
	return true;
}

bool
pmu_is_core(const struct pmu *p)
{
	return str_eq(p->name, STR("cpu")) ||
		sysfile_exists(DEVICE "/cpus", p->root, (int)p->name.n, p->name.s);
}

bool
pmu_has(const struct pmu *p, struct str event)
{
	return is_plain_name(event) &&
		sysfile_exists(DEVICE "/events/%.*s", p->root, (int)p->name.n, p->name.s,
			(int)event.n, event.s);
}

/* The word of ATTR that a format calls NAME. */
static __u64 *
word_of(struct perf_event_attr *attr, struct str name)
{
	if (str_eq(name, STR("config")))
		return &attr->config;
	if (str_eq(name, STR("config1")))
		return &attr->config1;
	if (str_eq(name, STR("config2")))
		return &attr->config2;
#ifdef PERF_ATTR_SIZE_VER8
	if (str_eq(name, STR("config3")))
		return &attr->config3;
#endif
	return NULL;
}

/* Reads "0-7" or "5". */
static bool
cut_range(struct str *ranges, uint64_t *low, uint64_t *high)
{
	struct str range = str_cut(ranges, ','), first = str_cut(&range, '-');

	if (!str_to_u64(first, low))
		return false;
	if (!range.n)
		*high = *low;
	else if (!str_to_u64(range, high))
		return false;
	return *low <= *high && *high < 64;
}

const char *
pmu_place(struct perf_event_attr *attr, struct str format, uint64_t value)
{
	struct str ranges = str_trim(format), name = str_cut(&ranges, ':');
	__u64 *word = word_of(attr, name);
	uint64_t low, high, mask;
	unsigned bits;

	if (!word)
		return "belongs to a part of the event that this program does not know";
	while (ranges.n) {
		if (!cut_range(&ranges, &low, &high))
			return "has a format that cannot be read";
		bits = (unsigned)(high - low + 1);
		mask = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
		*word = (*word & ~(mask << low)) | (value & mask) << low;
		value = bits == 64 ? 0 : value >> bits;
	}
	return value ? "has a value that is too large" : NULL;
}

/* Reads a decimal number, or a hexadecimal one that begins with 0x. */
static bool
number(struct str text, uint64_t *value)
{
	if (str_starts(text, STR("0x")) || str_starts(text, STR("0X")))
		return str_hex_to_u64(str_from(text, 2), value);
	return str_to_u64(text, value);
}

/* The terms that every PMU takes. *WHY is set when TERM is one of them and its
 * value is wrong. */
static bool
take_common(struct reading *r, struct str term, struct str text, const char **why)
{
	__u64 *word = word_of(r->attr, term);
	uint64_t value = 0;

	if (str_eq(term, STR("name"))) {
		*r->name = text;
		*why = text.n ? NULL : "is empty";
		return true;
	}
	if (!word && !str_eq(term, STR("period")) && !str_eq(term, STR("freq")))
		return false;
	if (!number(text, &value))
		*why = "is not a number";
	else if (word)
		*word = value;
	else {
		r->attr->freq = str_eq(term, STR("freq"));
		r->attr->sample_period = value;
		*why = value ? NULL : "is 0";
	}
	return true;
}

/* The term by its format. A term without a value is 1. */
static bool
take_format(struct reading *r, struct str term, struct str text, const char **why)
{
	const struct pmu *p = r->pmu;
	struct buf format = { 0 };
	uint64_t value = 1;
	bool found = is_plain_name(term) &&
		sysfile_read(&format, DEVICE "/format/%.*s", p->root, (int)p->name.n,
			p->name.s, (int)term.n, term.s);

	if (found && text.s && !number(text, &value))
		*why = str_eq(text, STR("?")) ? "needs a value of yours"
					      : "is not a number";
	else if (found)
		*why = pmu_place(r->attr, buf_view(&format), value);
	buf_release(&format);
	return found;
}

static bool take_terms(struct reading *r, struct str terms);

/* The terms of the event NAME of the PMU. */
static bool
take_event(struct reading *r, struct str name, bool *fine)
{
	const struct pmu *p = r->pmu;
	struct str unused, *kept = r->name;
	struct buf terms = { 0 };

	if (r->depth == DEEPEST || !is_plain_name(name) ||
		!sysfile_read(&terms, DEVICE "/events/%.*s", p->root, (int)p->name.n,
			p->name.s, (int)name.n, name.s))
		return false;
	r->depth++;
	r->name = &unused;
	*fine = take_terms(r, buf_view(&terms));
	r->name = kept;
	r->depth--;
	buf_release(&terms);
	return true;
}

/* What the folder has, for a message. */
static void
put_names(struct buf *b, const struct pmu *p, const char *folder)
{
	struct arena text = { 0 };
	struct sysfile_names names = { 0 };
	struct buf path = { 0 };
	size_t i, n = 0;

	buf_fmt(&path, DEVICE "/%s", p->root, (int)p->name.n, p->name.s, folder);
	(void)sysfile_folder(&names, &text, buf_cstr(&path));
	for (i = 0; i < names.n && n < NAMED; i++) {
		/* Not the files beside an event, such as its unit. */
		if (str_find(names.items[i], '.') < names.items[i].n)
			continue;
		buf_fmt(b, "%s%.*s", n++ ? ", " : "", (int)names.items[i].n,
			names.items[i].s);
	}
	if (i < names.n)
		buf_str(b, STR(", ..."));
	if (!n)
		buf_str(b, STR("none"));
	buf_release(&path);
	arena_release(&text);
}

static void
complain(const struct pmu *p, struct str term, const char *why)
{
	struct buf b = { 0 };

	if (why) {
		msg_error("%.*s: term '%.*s' %s", (int)p->name.n, p->name.s, (int)term.n,
			term.s, why);
		return;
	}
	buf_fmt(&b, "%.*s has no term or event '%.*s'; terms: ", (int)p->name.n,
		p->name.s, (int)term.n, term.s);
	put_names(&b, p, "format");
	buf_str(&b, STR("; events: "));
	put_names(&b, p, "events");
	msg_error("%s", buf_cstr(&b));
	buf_release(&b);
}

static bool
take_terms(struct reading *r, struct str terms)
{
	struct str text, term;
	const char *why;
	bool found, fine, valued;

	while (terms.n) {
		text = str_cut(&terms, ',');
		valued = str_find(text, '=') < text.n;
		term = str_cut(&text, '=');
		if (!valued)
			text = (struct str){ 0 };
		why = NULL;
		fine = true;
		found = take_common(r, term, text, &why) ||
			take_format(r, term, text, &why) ||
			(!text.s && take_event(r, term, &fine));
		if (!fine)
			return false;
		if (!found || why) {
			complain(r->pmu, term, why);
			return false;
		}
	}
	return true;
}

bool
pmu_parse(const struct pmu *p, struct str terms, struct perf_event_attr *attr,
	struct str *name)
{
	struct reading r = { .pmu = p, .attr = attr, .name = name };
	uint32_t type;

	if (!pmu_type(p, &type))
		return false;
	attr->type = type;
	return take_terms(&r, terms);
}
