/* SPDX-License-Identifier: ISC */
/* Build ids; see buildid.h. */
#include "buildid.h"
#include "bytes.h"
#include "elf.h"
#include "record-put.h"
#include "sysfile.h"

#include <linux/perf_event.h>
#include <stdio.h>

enum { NOTE_BUILD_ID = 3, PATH_MOST = 4096 };

void
buildid_release(struct buildids *t)
{
	intern_release(&t->files);
	free(t->entries);
	*t = (struct buildids){ 0 };
}

static struct buildid
make(struct str bytes)
{
	struct buildid id = { .n = bytes.n < BUILDID_MOST ? bytes.n : BUILDID_MOST };

	if (id.n)
		memcpy(id.bytes, bytes.s, id.n);
	return id;
}

struct buildid
buildid_of_notes(struct str notes)
{
	struct bytes b = bytes_of(notes, false);
	struct str owner, value;
	uint32_t owner_n, value_n, type;

	while (bytes_left(&b) > 0) {
		owner_n = bytes_u32(&b);
		value_n = bytes_u32(&b);
		type = bytes_u32(&b);
		owner = bytes_take(&b, owner_n);
		bytes_skip(&b, (4 - owner_n % 4) % 4);
		value = bytes_take(&b, value_n);
		if (!b.bad && type == NOTE_BUILD_ID && str_eq(owner, STR("GNU\0")))
			return make(value);
		bytes_skip(&b, (4 - value_n % 4) % 4);
	}
	return (struct buildid){ 0 };
}

/* Notes are binary: nothing may be trimmed, so they are read with their length. */
static struct buildid
of_note_file(const char *path)
{
	char notes[4096];
	FILE *f = fopen(path, "re");
	size_t n;

	if (!f)
		return (struct buildid){ 0 };
	n = fread(notes, 1, sizeof notes, f);
	fclose(f);
	return buildid_of_notes((struct str){ notes, n });
}

struct buildid
buildid_of_kernel(const char *root)
{
	char path[PATH_MOST];

	snprintf(path, sizeof path, "%s/sys/kernel/notes", root);
	return of_note_file(path);
}

struct buildid
buildid_of_module(const char *root, struct str name)
{
	char path[PATH_MOST];

	snprintf(path, sizeof path, "%s/sys/module/%.*s/notes/.note.gnu.build-id", root,
		(int)name.n, name.s);
	return of_note_file(path);
}

static struct buildid
of_elf(const char *path)
{
	struct buildid id = { 0 };
	const char *why;
	struct elf *e = elf_open(path, &why);

	if (!e)
		return id;
	id = make(e->build_id);
	elf_close(e);
	return id;
}

/* The file as the process sees it, or else by its name. */
static struct buildid
of_mapped(struct str path, long pid)
{
	char full[PATH_MOST];
	struct buildid id;
	int n;

	if (!path.n || path.s[0] != '/' || path.n >= PATH_MOST - 64 ||
		str_starts(path, STR("//")) || str_ends(path, STR(" (deleted)")))
		return (struct buildid){ 0 };
	n = snprintf(full, sizeof full, "/proc/%ld/root", pid);
	memcpy(full + n, path.s, path.n);
	full[(size_t)n + path.n] = 0;
	id = of_elf(full);
	return id.n ? id : of_elf(full + n);
}

/* The number of FILE, which is known by then. */
static uint32_t
number_of(struct buildids *t, const struct buildid_file *file)
{
	uint64_t rest[3] = { file->major, file->minor, file->inode };
	struct buf key = { 0 };
	uint32_t i;

	buf_str(&key, file->path);
	buf_char(&key, 0);
	buf_str(&key, (struct str){ (const char *)rest, sizeof rest });
	i = intern_id(&t->files, buf_view(&key));
	buf_release(&key);
	if (i < t->known)
		return i;
	t->entries = mem_grow(t->entries, &t->cap, (size_t)i + 1, sizeof *t->entries);
	t->entries[i] = (struct buildid_entry){ .id = of_mapped(file->path, file->pid) };
	t->known++;
	return i;
}

const struct buildid *
buildid_of_file(struct buildids *t, const struct buildid_file *file)
{
	uint32_t i = number_of(t, file);

	return &t->entries[i].id;
}

void
buildid_want(struct buildids *t, const struct buildid_file *file)
{
	uint32_t i = number_of(t, file);

	t->entries[i].wanted = true;
}

void
buildid_put(struct buf *b, const struct buildid *id, struct str path, uint16_t misc)
{
	size_t at;
	char field[24] = { 0 };

	if (!id->n)
		return;
	memcpy(field, id->bytes, id->n);
	field[BUILDID_MOST] = (char)id->n;
	at = record_put_begin(b, RECORD_PUT_BUILD_ID, misc | RECORD_PUT_HAS_SIZE);
	record_put_u32(b, (uint32_t)-1);
	record_put_bytes(b, field, sizeof field);
	record_put_text(b, path, 64);
	record_put_end(b, at);
}

void
buildid_put_wanted(struct buf *b, const struct buildids *t)
{
	struct str key;
	uint32_t i;

	for (i = 0; i < t->known; i++) {
		key = intern_str(&t->files, i);
		if (t->entries[i].wanted)
			buildid_put(b, &t->entries[i].id, str_cut(&key, 0),
				PERF_RECORD_MISC_USER);
	}
}
