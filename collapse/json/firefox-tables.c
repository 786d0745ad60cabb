/* SPDX-License-Identifier: ISC */
/* The tables of a profile of Firefox Profiler; see firefox-tables.h. */
#include "firefox-tables.h"

void
firefox_tables_release(struct firefox_tables *t)
{
	firefox_stacks_release(&t->stacks);
	json_ints_release(&t->frames.func);
	json_ints_release(&t->frames.inline_depth);
	json_ints_release(&t->frames.lib);
	json_doubles_release(&t->frames.address);
	json_ints_release(&t->funcs.name);
	json_ints_release(&t->funcs.resource);
	buf_release(&t->funcs.is_js);
	json_ints_release(&t->resources.lib);
	string_table_release(&t->strings.texts);
	json_ints_release(&t->libs.ids);
	*t = (struct firefox_tables){ .frames = { .given = false } };
}

static void
take_stacks(struct firefox_stacks *s, struct json_reader *p)
{
	struct str key;

	s->given = true;
	if (!json_read_object(p))
		return;
	while (json_next_key(p, &key))
		if (str_eq(key, STR("prefix"))) {
			json_read_ints(p, &s->prefix, -1);
		} else if (str_eq(key, STR("prefixOffset"))) {
			s->by_offset = true;
			json_read_ints(p, &s->prefix, 0);
		} else if (str_eq(key, STR("frame"))) {
			json_read_ints(p, &s->frame, -1);
		}
}

static void
take_frames(struct firefox_frames *f, struct json_reader *p)
{
	struct str key;

	f->given = true;
	if (!json_read_object(p))
		return;
	while (json_next_key(p, &key))
		if (str_eq(key, STR("func")))
			json_read_ints(p, &f->func, -1);
		else if (str_eq(key, STR("address")))
			json_read_doubles(p, &f->address, -1);
		else if (str_eq(key, STR("inlineDepth")))
			json_read_ints(p, &f->inline_depth, 0);
		else if (str_eq(key, STR("lib")))
			json_read_ints(p, &f->lib, -1);
}

static void
take_bools(struct buf *b, struct json_reader *p)
{
	bool value;

	if (!json_read_array(p))
		return;
	while (json_next_element(p)) {
		value = false;
		if (!json_read_null(p))
			(void)json_read_bool(p, &value);
		if (!json_failed(p))
			buf_char(b, value);
	}
}

static void
take_funcs(struct firefox_funcs *f, struct json_reader *p)
{
	struct str key;

	f->given = true;
	if (!json_read_object(p))
		return;
	while (json_next_key(p, &key))
		if (str_eq(key, STR("name")))
			json_read_ints(p, &f->name, -1);
		else if (str_eq(key, STR("resource")))
			json_read_ints(p, &f->resource, -1);
		else if (str_eq(key, STR("isJS")))
			take_bools(&f->is_js, p);
}

static void
take_resources(struct firefox_resources *r, struct json_reader *p)
{
	struct str key;

	r->given = true;
	if (!json_read_object(p))
		return;
	while (json_next_key(p, &key))
		if (str_eq(key, STR("lib")))
			json_read_ints(p, &r->lib, -1);
}

void
firefox_libs_take(struct firefox_libs *l, struct json_reader *p, struct libraries *n)
{
	l->given = true;
	if (!json_read_array(p))
		return;
	while (json_next_element(p))
		json_ints_add(&l->ids, libraries_read(n, p));
}

bool
firefox_tables_take(struct firefox_tables *t, struct str key, struct json_reader *p,
	struct libraries *n)
{
	if (str_eq(key, STR("stackTable"))) {
		take_stacks(&t->stacks, p);
	} else if (str_eq(key, STR("frameTable"))) {
		take_frames(&t->frames, p);
	} else if (str_eq(key, STR("funcTable"))) {
		take_funcs(&t->funcs, p);
	} else if (str_eq(key, STR("resourceTable"))) {
		take_resources(&t->resources, p);
	} else if (str_eq(key, STR("stringArray")) || str_eq(key, STR("stringTable"))) {
		t->strings.given = true;
		string_table_read(&t->strings.texts, p);
	} else if (str_eq(key, STR("libs"))) {
		firefox_libs_take(&t->libs, p, n);
	} else {
		return false;
	}
	return true;
}
