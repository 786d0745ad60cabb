/* SPDX-License-Identifier: ISC */
/* Names beside a profile; see samply-syms.h. */
#include "samply-syms.h"
#include "buf.h"
#include "input.h"
#include "mem.h"
#include "msg.h"
#include "json-read.h"
#include "string-table.h"

#include <unistd.h>

/* A GUID has 32 digits; what follows them is an age, which ELF files lack. */
enum { GUID = 32 };

struct function {
	uint64_t start, size; /* size 0: that address alone */
	int32_t name;	      /* a place in texts */
};

/* A library. What is known is one address and the number of its function. */
struct samply_library {
	char guid[GUID]; /* digits in lower case; all '0': not known */
	struct buf code_id;
	struct function *functions;
	size_t function_n, function_cap;
	struct function *known; /* name is a number of functions until sorted */
	size_t known_n, known_cap;
};

struct samply_syms {
	struct string_table texts;
	struct samply_library *libraries;
	size_t n, cap;
};

/* ID as digits in lower case without hyphens; what it lacks is '0'. */
static void
put_guid(char *guid, struct str id)
{
	size_t n = 0, i;

	memset(guid, '0', GUID);
	for (i = 0; i < id.n && n < GUID; i++)
		if (id.s[i] != '-')
			guid[n++] = id.s[i] >= 'A' && id.s[i] <= 'F'
				? (char)(id.s[i] - 'A' + 'a')
				: id.s[i];
}

static void
add_function(struct function **list, size_t *n, size_t *cap, struct function f)
{
	*list = mem_grow(*list, cap, *n + 1, sizeof f);
	(*list)[(*n)++] = f;
}

static int
by_start(const void *a, const void *b)
{
	const struct function *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->name < y->name ? -1 : x->name > y->name;
}

/* A name's place: -1 when it is no such number. */
static int32_t
take_place(struct json_reader *p)
{
	uint64_t place;

	return json_read_u64(p, &place) && place <= INT32_MAX ? (int32_t)place : -1;
}

static void
take_symbols(struct samply_library *l, struct json_reader *p)
{
	struct function f;
	struct str key;

	if (!json_read_array(p))
		return;
	while (json_next_element(p)) {
		f = (struct function){ .name = -1 };
		if (!json_read_object(p))
			continue;
		while (json_next_key(p, &key)) {
			if (str_eq(key, STR("rva")))
				(void)json_read_u64(p, &f.start);
			else if (str_eq(key, STR("size")) && !json_read_null(p))
				(void)json_read_u64(p, &f.size);
			else if (str_eq(key, STR("symbol")))
				f.name = take_place(p);
		}
		add_function(&l->functions, &l->function_n, &l->function_cap, f);
	}
}

static void
take_known(struct samply_library *l, struct json_reader *p)
{
	struct function f;

	if (!json_read_array(p))
		return;
	while (json_next_element(p)) {
		f = (struct function){ .name = -1 };
		if (!json_read_array(p))
			continue;
		if (json_next_element(p))
			(void)json_read_u64(p, &f.start);
		if (json_next_element(p))
			f.name = take_place(p);
		while (json_next_element(p))
			json_skip(p);
		add_function(&l->known, &l->known_n, &l->known_cap, f);
	}
}

/* Puts both lists of L in order; what is known gets names for numbers. */
static void
settle(struct samply_library *l)
{
	struct function *f;

	for (f = l->known; f < l->known + l->known_n; f++)
		f->name = f->name >= 0 && (size_t)f->name < l->function_n
			? l->functions[f->name].name
			: -1;
	if (l->known_n)
		qsort(l->known, l->known_n, sizeof *l->known, by_start);
	if (l->function_n)
		qsort(l->functions, l->function_n, sizeof *l->functions, by_start);
}

static void
take_library(struct samply_syms *s, struct json_reader *p)
{
	struct samply_library *l;
	struct str key, text;

	if (!json_read_object(p))
		return;
	s->libraries = mem_grow(s->libraries, &s->cap, s->n + 1, sizeof *s->libraries);
	l = &s->libraries[s->n++];
	memset(l, 0, sizeof *l);
	put_guid(l->guid, (struct str){ 0 });
	while (json_next_key(p, &key)) {
		if (str_eq(key, STR("debug_id"))) {
			(void)json_read_string(p, &text);
			put_guid(l->guid, text);
		} else if (str_eq(key, STR("code_id")) && !json_read_null(p)) {
			(void)json_read_string(p, &text);
			buf_clear(&l->code_id);
			buf_str(&l->code_id, text);
		} else if (str_eq(key, STR("symbol_table"))) {
			take_symbols(l, p);
		} else if (str_eq(key, STR("known_addresses"))) {
			take_known(l, p);
		}
	}
	settle(l);
}

static void
take_all(struct samply_syms *s, struct json_reader *p)
{
	struct str key;

	if (!json_read_object(p))
		return;
	while (json_next_key(p, &key)) {
		if (str_eq(key, STR("string_table")))
			(void)string_table_read(&s->texts, p);
		else if (str_eq(key, STR("data")) && json_read_array(p))
			while (json_next_element(p))
				take_library(s, p);
	}
}

struct samply_syms *
samply_syms_open(const char *path)
{
	struct input *in = input_open(path);
	struct samply_syms *s;
	struct json_reader p;

	if (!in)
		return NULL;
	s = mem_zero(1, sizeof *s);
	json_reader_init(&p, in);
	take_all(s, &p);
	if (p.cut)
		msg_error("%s: ends too soon", path);
	else if (!json_failed(&p) && !s->n)
		msg_error(
			"%s: has no names: it is not what samply leaves beside a profile",
			path);
	json_reader_release(&p);
	input_close(in);
	if (s->n)
		return s;
	samply_syms_free(s);
	return NULL;
}

struct samply_syms *
samply_syms_find(const char *name)
{
	struct str whole = str_of(name), base = str_base(whole);
	size_t dot = str_rfind(base, '.');
	struct samply_syms *s = NULL;
	struct buf path = { 0 };

	if (dot < base.n) {
		buf_str(&path, str_head(whole, whole.n - base.n + dot));
		buf_str(&path, STR(".syms.json"));
		if (access(buf_cstr(&path), F_OK) == 0)
			s = samply_syms_open(buf_cstr(&path));
	}
	buf_release(&path);
	return s;
}

void
samply_syms_free(struct samply_syms *s)
{
	size_t i;

	if (!s)
		return;
	for (i = 0; i < s->n; i++) {
		buf_release(&s->libraries[i].code_id);
		free(s->libraries[i].functions);
		free(s->libraries[i].known);
	}
	free(s->libraries);
	string_table_release(&s->texts);
	free(s);
}

const struct samply_library *
samply_syms_library(const struct samply_syms *s, struct str debug_id, struct str code_id)
{
	const struct samply_library *l, *end = s->libraries + s->n;
	char guid[GUID], none[GUID];

	put_guid(guid, debug_id);
	put_guid(none, (struct str){ 0 });
	for (l = s->libraries; l < end; l++) {
		if (code_id.n && str_eq(buf_view(&l->code_id), code_id))
			return l;
		if (!memcmp(l->guid, guid, GUID) && memcmp(guid, none, GUID) != 0)
			return l;
	}
	return NULL;
}

/* The last of the N functions of LIST that does not begin after ADDRESS. */
static const struct function *
find_function(const struct function *list, size_t n, uint64_t address)
{
	size_t low = 0, middle;

	while (low < n) {
		middle = low + (n - low) / 2;
		if (list[middle].start <= address)
			low = middle + 1;
		else
			n = middle;
	}
	return low ? &list[low - 1] : NULL;
}

bool
samply_syms_name(const struct samply_syms *s, const struct samply_library *l,
	uint64_t address, struct str *name)
{
	const struct function *f = find_function(l->known, l->known_n, address);

	if (!f || f->start != address)
		f = find_function(l->functions, l->function_n, address);
	return f && (f->start == address || address - f->start < f->size) &&
		string_table_get(&s->texts, f->name, name) && name->n > 0;
}
