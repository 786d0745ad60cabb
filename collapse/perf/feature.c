/* SPDX-License-Identifier: ISC */
/* What the header says; see feature.h. */
#include "feature.h"
#include "buf.h"

enum { UPDATE_NAME = 2 };

/* A length and text that is filled up with NUL. */
static struct str
take_text(struct bytes *b)
{
	struct str s = bytes_take(b, bytes_u32(b));

	return str_head(s, str_find(s, '\0'));
}

static void
take_host(struct event_attr_set *set, struct reader_about *about, struct bytes *b)
{
	about->host = arena_str(&set->arena, take_text(b));
}

static void
take_release(struct event_attr_set *set, struct reader_about *about, struct bytes *b)
{
	about->release = arena_str(&set->arena, take_text(b));
}

static void
take_version(struct event_attr_set *set, struct reader_about *about, struct bytes *b)
{
	about->version = arena_str(&set->arena, take_text(b));
}

static void
take_arch(struct event_attr_set *set, struct reader_about *about, struct bytes *b)
{
	about->arch = arena_str(&set->arena, take_text(b));
}

static void
take_command(struct event_attr_set *set, struct reader_about *about, struct bytes *b)
{
	uint32_t n = bytes_u32(b);
	struct buf line = { 0 };
	struct str word;

	for (; n > 0; n--) {
		word = take_text(b);
		if (b->bad)
			break;
		if (line.n)
			buf_char(&line, ' ');
		buf_str(&line, word);
	}
	about->command = arena_str(&set->arena, buf_view(&line));
	buf_release(&line);
}

/* Events in the order of the recording: an attr, its ids, its name. Only here do
 * files name them. */
static void
take_events(struct event_attr_set *set, struct reader_about *about, struct bytes *b)
{
	uint32_t n = bytes_u32(b), size = bytes_u32(b), ids, i;

	(void)about;
	for (i = 0; i < n && i < set->n && !b->bad; i++) {
		bytes_skip(b, size);
		ids = bytes_u32(b);
		event_attr_name(set, set->list[i], take_text(b));
		for (; ids > 0 && bytes_left(b); ids--)
			event_attr_add_id(set, set->list[i], bytes_u64(b));
	}
}

static void
take_compressed(struct event_attr_set *set, struct reader_about *about, struct bytes *b)
{
	(void)set;
	(void)b;
	about->compressed = true;
}

static void (*const features[])(
	struct event_attr_set *set, struct reader_about *about, struct bytes *b) = {
	[FEATURE_HOSTNAME] = take_host,
	[4] = take_release,
	[5] = take_version,
	[6] = take_arch,
	[11] = take_command,
	[12] = take_events,
	[FEATURE_COMPRESSED] = take_compressed,
};

bool
feature_is_wanted(uint64_t id)
{
	return id < sizeof features / sizeof *features && features[id];
}

void
feature_take(struct event_attr_set *set, struct reader_about *about, uint64_t id,
	struct bytes b)
{
	if (feature_is_wanted(id))
		features[id](set, about, &b);
}

bool
feature_update(struct event_attr_set *set, struct bytes b)
{
	uint64_t kind = bytes_u64(&b), id = bytes_u64(&b);
	struct event_attr *a = event_attr_of_id(set, id);
	struct str text = bytes_take(&b, bytes_left(&b));

	if (kind == UPDATE_NAME && a)
		event_attr_name(set, a, str_head(text, str_find(text, '\0')));
	return !b.bad && (kind != UPDATE_NAME || a);
}
