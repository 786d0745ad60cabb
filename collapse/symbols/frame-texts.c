/* SPDX-License-Identifier: ISC */
/* The texts of frames; see frame-texts.h. */
#include "frame-texts.h"
#include "demangle.h"
#include "frame.h"
#include "mem.h"
#include "msg.h"

void
frame_texts_release(struct frame_texts *t)
{
	intern_release(&t->plain);
	intern_release(&t->raw);
	arena_release(&t->arena);
	free(t->shown);
}

struct str
frame_texts_plain(struct frame_texts *t, struct str name)
{
	return intern_str(&t->plain, intern_id(&t->plain, name));
}

/* Warns once if NAME stays mangled. */
static void
warn_mangled(struct frame_texts *t, struct str name)
{
	if (demangle_works() || t->warned ||
		(!str_starts(name, STR("_Z")) && !str_starts(name, STR("_R"))))
		return;
	t->warned = true;
	msg_warn("this build cannot demangle (no libiberty): C++ and Rust "
		 "names stay mangled");
}

struct str
frame_texts_name(struct frame_texts *t, struct str name)
{
	uint32_t was = t->raw.n, id = intern_id(&t->raw, name);
	struct buf b = { 0 };

	if (id < was)
		return t->shown[id];
	t->shown = mem_grow(t->shown, &t->cap, (size_t)id + 1, sizeof *t->shown);
	warn_mangled(t, name);
	if (demangle(&b, name, t->full))
		t->shown[id] = arena_str(&t->arena, buf_view(&b));
	else
		t->shown[id] = intern_str(&t->raw, id);
	buf_release(&b);
	return t->shown[id];
}

struct str
frame_texts_place(struct frame_texts *t, struct str file, uint64_t line)
{
	struct buf b = { 0 };
	struct str place;

	if (!line || !file.n)
		return (struct str){ 0 };
	buf_str(&b, t->full ? file : str_base(file));
	buf_char(&b, ':');
	buf_u64(&b, line);
	place = frame_texts_plain(t, buf_view(&b));
	buf_release(&b);
	return place;
}

struct str
frame_texts_code(struct frame_texts *t, struct str program, uint64_t address)
{
	struct buf b = { 0 };
	struct str code;

	frame_put_code(&b, program, address);
	code = frame_texts_plain(t, buf_view(&b));
	buf_release(&b);
	return code;
}
