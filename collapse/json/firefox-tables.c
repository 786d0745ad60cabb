/* SPDX-License-Identifier: ISC */
/* The tables of a profile of Firefox Profiler; see firefox-tables.h. */
#include "firefox-tables.h"

void
firefox_tables_release(struct firefox_tables *t)
{
	firefox_stacks_release(&t->stacks);
	pull_ints_release(&t->frames.func);
	pull_ints_release(&t->frames.inline_depth);
	pull_ints_release(&t->frames.lib);
	pull_numbers_release(&t->frames.address);
	pull_ints_release(&t->funcs.name);
	pull_ints_release(&t->funcs.resource);
	buf_release(&t->funcs.is_js);
	pull_ints_release(&t->resources.lib);
	string_table_release(&t->strings.texts);
	pull_ints_release(&t->libs.ids);
	*t = (struct firefox_tables){ .frames = { .given = false } };
}

static void
take_stacks(struct firefox_stacks *s, struct pull *p)
{
	struct str key;

	s->given = true;
	if (!pull_object(p))
		return;
	while (pull_key(p, &key))
		if (str_eq(key, STR("prefix"))) {
			pull_int_column(p, &s->prefix, -1);
		} else if (str_eq(key, STR("prefixOffset"))) {
			s->by_offset = true;
			pull_int_column(p, &s->prefix, 0);
		} else if (str_eq(key, STR("frame"))) {
			pull_int_column(p, &s->frame, -1);
		}
}

static void
take_frames(struct firefox_frames *f, struct pull *p)
{
	struct str key;

	f->given = true;
	if (!pull_object(p))
		return;
	while (pull_key(p, &key))
		if (str_eq(key, STR("func")))
			pull_int_column(p, &f->func, -1);
		else if (str_eq(key, STR("address")))
			pull_number_column(p, &f->address, -1);
		else if (str_eq(key, STR("inlineDepth")))
			pull_int_column(p, &f->inline_depth, 0);
		else if (str_eq(key, STR("lib")))
			pull_int_column(p, &f->lib, -1);
}

static void
take_bools(struct buf *b, struct pull *p)
{
	bool value;

	if (!pull_array(p))
		return;
	while (pull_element(p)) {
		value = false;
		if (!pull_null(p))
			(void)pull_bool(p, &value);
		if (!pull_failed(p))
			buf_char(b, value);
	}
}

static void
take_funcs(struct firefox_funcs *f, struct pull *p)
{
	struct str key;

	f->given = true;
	if (!pull_object(p))
		return;
	while (pull_key(p, &key))
		if (str_eq(key, STR("name")))
			pull_int_column(p, &f->name, -1);
		else if (str_eq(key, STR("resource")))
			pull_int_column(p, &f->resource, -1);
		else if (str_eq(key, STR("isJS")))
			take_bools(&f->is_js, p);
}

static void
take_resources(struct firefox_resources *r, struct pull *p)
{
	struct str key;

	r->given = true;
	if (!pull_object(p))
		return;
	while (pull_key(p, &key))
		if (str_eq(key, STR("lib")))
			pull_int_column(p, &r->lib, -1);
}

void
firefox_libs_take(struct firefox_libs *l, struct pull *p, struct libraries *n)
{
	struct pull_ints *ids = &l->ids;

	l->given = true;
	if (!pull_array(p))
		return;
	while (pull_element(p)) {
		ids->items = mem_grow(ids->items, &ids->cap, ids->n + 1, sizeof(int32_t));
		ids->items[ids->n++] = libraries_read(n, p);
	}
}

bool
firefox_tables_take(
	struct firefox_tables *t, struct str key, struct pull *p, struct libraries *n)
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
