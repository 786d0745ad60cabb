/* SPDX-License-Identifier: ISC */
/* The disk space for temporary files; see disk.h. */
#include "disk.h"
#include "folded.h"
#include "mem.h"
#include "units.h"

#include <inttypes.h>
#include <sys/statvfs.h>

static void
add_size(struct disk_sizes *sizes, bool known, uint64_t bytes)
{
	if (!known)
		sizes->unknown++;
	else
		sizes->known = bytes > UINT64_MAX - sizes->known ? UINT64_MAX
								 : sizes->known + bytes;
}

/* Adds the size of the file at PATH. */
static void
add_coming(struct disk_sizes *sizes, const char *path)
{
	struct input *in = input_open_early(path);
	uint64_t bytes = 0;
	/* After the first window it is known whether it is compressed. */
	bool known = in && !folded_is_picture(in) && input_knows_size(in, &bytes);

	add_size(sizes, known, bytes);
	input_close(in);
}

/* Adds the size of IN, part of which was read. */
static void
add_open(struct disk_sizes *sizes, const struct input *in)
{
	uint64_t bytes = 0;
	bool known = input_knows_size(in, &bytes);

	add_size(sizes, known, bytes);
	if (!known)
		add_size(sizes, true, input_taken(in));
}

struct disk_sizes
disk_sizes(const struct disk_inputs *inputs)
{
	struct disk_sizes sizes = { .known = inputs->read };
	char *const *path;

	add_open(&sizes, inputs->in);
	for (path = inputs->coming; *path; path++)
		add_coming(&sizes, *path);
	return sizes;
}

/* The number of free bytes in FOLDER; false if unknown. */
static bool
find_room(const char *folder, uint64_t *bytes)
{
	struct statvfs fs;

	if (statvfs(folder, &fs) != 0 || !fs.f_frsize)
		return false;
	*bytes = fs.f_bavail > UINT64_MAX / fs.f_frsize
		? UINT64_MAX
		: (uint64_t)fs.f_bavail * fs.f_frsize;
	return true;
}

static void
put_bytes(struct buf *b, uint64_t bytes)
{
	units_put(b, bytes, 0, 1, STR("bytes"));
}

void
disk_tell(const struct spill *s, const struct disk_inputs *inputs)
{
	struct disk_sizes sizes = disk_sizes(inputs);
	struct buf text = { 0 };
	uint64_t room,
		most = spill_most(s, sizes.known, inputs->read + input_taken(inputs->in));
	bool known;

	buf_fmt(&text, "temporary files in %s will take up to ", s->folder);
	put_bytes(&text, most);
	if (sizes.unknown)
		buf_fmt(&text, ", and more for %" PRIu64 " input%s of unknown size",
			sizes.unknown, msg_s(sizes.unknown));
	known = find_room(s->folder, &room);
	if (known) {
		buf_str(&text, STR("; "));
		put_bytes(&text, room);
		buf_str(&text, STR(" are free"));
	}
	if (known && most > room)
		buf_str(&text,
			STR(", which may be too little: TMPDIR names another folder"));
	msg_warn("%s", buf_cstr(&text));
	buf_release(&text);
}
