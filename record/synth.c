/* SPDX-License-Identifier: ISC */
/* Records from /proc; see synth.h. Those of the kernel are in synth-kernel.c. */
#include "synth.h"
#include "record-put.h"
#include "synth-id.h"
#include "sysfile.h"
#include "target.h"

#include <stdio.h>
#include <sys/mman.h>
#include <sys/sysmacros.h>

#include <linux/perf_event.h>

/* Later than the headers that this may be built with: the first is of Linux 5.12. */
#define MISC_BUILD_ID  ((uint16_t)(1 << 14))
#define MISC_FORK_EXEC ((uint16_t)(1 << 13))

void
synth_put_id(struct synth *s, pid_t pid, pid_t tid)
{
	record_put_u32(s->out, (uint32_t)pid);
	record_put_u32(s->out, (uint32_t)tid);
	record_put_u64(s->out, s->time);
	record_put_u64(s->out, 0); /* processor */
	record_put_u64(s->out, s->id);
}

static void
put_fork(struct synth *s, const pid_t who[4])
{
	/* With this flag readers do not copy the parent's maps. */
	size_t at = record_put_begin(s->out, PERF_RECORD_FORK, MISC_FORK_EXEC), i;

	for (i = 0; i < 4; i++)
		record_put_u32(s->out, (uint32_t)who[i]);
	record_put_u64(s->out, s->time);
	synth_put_id(s, who[0], who[2]);
	record_put_end(s->out, at);
}

static void
put_comm(struct synth *s, pid_t pid, pid_t tid, struct str name)
{
	size_t at = record_put_begin(s->out, PERF_RECORD_COMM, 0);

	record_put_u32(s->out, (uint32_t)pid);
	record_put_u32(s->out, (uint32_t)tid);
	record_put_text(s->out, name, 8);
	synth_put_id(s, pid, tid);
	record_put_end(s->out, at);
}

/* A line of maps, cut into its fields. */
struct map {
	uint64_t start, end, offset, inode, major, minor;
	struct str rights, path;
};

static bool
cut_map(struct map *m, struct str line)
{
	struct str rest = str_trim(line), range = str_word(&rest);
	struct str low = str_cut(&range, '-'), device, number;

	m->rights = str_word(&rest);
	number = str_word(&rest);
	device = str_word(&rest);
	if (!str_hex_to_u64(low, &m->start) || !str_hex_to_u64(range, &m->end) ||
		!str_hex_to_u64(number, &m->offset) || m->end <= m->start ||
		m->rights.n < 4)
		return false;
	number = str_cut(&device, ':');
	if (!str_hex_to_u64(number, &m->major) || !str_hex_to_u64(device, &m->minor) ||
		!str_to_u64(str_word(&rest), &m->inode))
		return false;
	m->path = str_trim(rest);
	if (!m->path.n)
		m->path = STR("//anon");
	return true;
}

static uint32_t
protection(struct str rights)
{
	return (rights.s[0] == 'r' ? PROT_READ : 0u) |
		(rights.s[1] == 'w' ? PROT_WRITE : 0u) |
		(rights.s[2] == 'x' ? PROT_EXEC : 0u);
}

/* Either the build id of the file, or its number. Returns the record's flags. */
static uint16_t
put_file(struct synth *s, const struct map *m, const struct buildid *id)
{
	char field[24] = { 0 };

	if (id->n) {
		field[0] = (char)id->n;
		memcpy(field + 4, id->bytes, id->n);
		buf_str(s->out, (struct str){ field, sizeof field });
		return MISC_BUILD_ID;
	}
	record_put_u32(s->out, (uint32_t)m->major);
	record_put_u32(s->out, (uint32_t)m->minor);
	record_put_u64(s->out, m->inode);
	record_put_u64(s->out, 0);
	return 0;
}

static void
set_misc(struct buf *b, size_t at, uint16_t misc)
{
	struct perf_event_header h;

	memcpy(&h, b->s + at, sizeof h);
	h.misc = misc;
	memcpy(b->s + at, &h, sizeof h);
}

static bool
is_wanted(const struct synth *s, const struct map *m)
{
	return m->rights.s[2] == 'x' || (s->data && m->inode && m->rights.s[0] == 'r');
}

void
synth_map(struct synth *s, pid_t pid, struct str line)
{
	static const struct buildid none;
	struct buildid_file file;
	struct map m;
	size_t at;
	uint16_t misc;

	if (!cut_map(&m, line) || !is_wanted(s, &m))
		return;
	file = (struct buildid_file){ m.path, pid, m.major, m.minor, m.inode };
	if (!s->id_in_maps && m.inode)
		buildid_want(s->buildids, &file);
	at = record_put_begin(s->out, PERF_RECORD_MMAP2, 0);
	record_put_u32(s->out, (uint32_t)pid);
	record_put_u32(s->out, (uint32_t)pid);
	record_put_u64(s->out, m.start);
	record_put_u64(s->out, m.end - m.start);
	record_put_u64(s->out, m.offset);
	misc = put_file(s, &m,
		s->id_in_maps && m.inode ? buildid_of_file(s->buildids, &file) : &none);
	record_put_u32(s->out, protection(m.rights));
	record_put_u32(s->out, m.rights.s[3] == 's' ? MAP_SHARED : MAP_PRIVATE);
	record_put_text(s->out, m.path, 8);
	synth_put_id(s, pid, pid);
	set_misc(s->out, at, PERF_RECORD_MISC_USER | misc);
	record_put_end(s->out, at);
}

static void
put_maps(struct synth *s, pid_t pid)
{
	char path[256], *line = NULL;
	size_t cap = 0;
	ssize_t n;
	FILE *f;

	snprintf(path, sizeof path, "%s/proc/%ld/maps", s->root, (long)pid);
	f = fopen(path, "re");
	if (!f)
		return;
	while ((n = getline(&line, &cap, f)) > 0)
		synth_map(s, pid, (struct str){ line, (size_t)n });
	free(line);
	fclose(f);
}

/* The parent of process PID, from /proc/PID/stat: "PID (NAME) STATE PARENT ...". */
static pid_t
parent_of(struct synth *s, pid_t pid)
{
	struct buf text = { 0 };
	struct str rest;
	uint64_t parent = 0;

	if (sysfile_read(&text, "%s/proc/%ld/stat", s->root, (long)pid)) {
		rest = buf_view(&text);
		rest = str_from(rest, str_rfind(rest, ')') + 1);
		str_word(&rest);
		str_to_u64(str_word(&rest), &parent);
	}
	buf_release(&text);
	return (pid_t)parent;
}

static bool
put_thread(struct synth *s, pid_t pid, pid_t tid)
{
	pid_t who[4] = { pid, pid, tid, pid };
	struct buf name = { 0 };
	bool there = sysfile_read(
		&name, "%s/proc/%ld/task/%ld/comm", s->root, (long)pid, (long)tid);

	if (pid == tid)
		who[1] = who[3] = parent_of(s, pid);
	if (there) {
		put_fork(s, who);
		put_comm(s, pid, tid, buf_view(&name));
	}
	buf_release(&name);
	return there;
}

void
synth_process(struct synth *s, pid_t pid)
{
	struct record_ids threads = { 0 };
	size_t i;

	if (!put_thread(s, pid, pid))
		return;
	put_maps(s, pid);
	target_threads(&threads, pid);
	for (i = 0; i < threads.n; i++)
		if (threads.items[i] != pid)
			put_thread(s, pid, threads.items[i]);
	target_release(&threads);
}
