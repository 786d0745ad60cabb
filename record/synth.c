/* SPDX-License-Identifier: ISC */
/*
 * Records from /proc; see synth.h. The addresses of the kernel and its modules:
 *
 *	/proc/kallsyms:	ffffffff81000000 T _text
 *	/proc/modules:	e1000e 303104 0 - Live 0xffffffffc0357000
 *	modules.dep:	kernel/drivers/net/ethernet/intel/e1000e/e1000e.ko.xz: ...
 *
 * They are 0 for users without the right to read them.
 */
#include "synth.h"
#include "bytes.h"
#include "elf.h"
#include "stream.h"
#include "sysfile.h"
#include "target.h"

#include <linux/perf_event.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/utsname.h>

enum { LINE_MOST = 512, KALLSYMS_LINES = 4096, PATH_MOST = 4096 };

/* Build IDs: hashes with which linkers identify their output, in a note of the file. */
static struct synth_build_id
build_id_of(struct str bytes)
{
	struct synth_build_id id = { .n = str_head(bytes, SYNTH_BUILD_ID_MOST).n };

	if (id.n)
		memcpy(id.bytes, bytes.s, id.n);
	return id;
}

/* Reads a file with the contents of a note section: binary, so nothing is trimmed. */
static struct synth_build_id
of_note_file(const char *path)
{
	struct bytes notes;
	char text[4096];
	FILE *f = fopen(path, "re");
	size_t n = f ? fread(text, 1, sizeof text, f) : 0;

	if (f)
		fclose(f);
	notes = bytes_of((struct str){ text, n }, false);
	return build_id_of(elf_note(notes, 4, STR("GNU"), ELF_NOTE_BUILD_ID));
}

static struct synth_build_id
of_elf(const char *path)
{
	struct synth_build_id id = { 0 };
	const char *why;
	struct elf *e = elf_open(path, &why);

	if (!e)
		return id;
	id = build_id_of(e->build_id);
	elf_close(e);
	return id;
}

/* Reads FILE if PATH leads to it. */
static struct synth_build_id
of_inode(const char *path, const struct synth_file *file)
{
	struct stat st;

	if (stat(path, &st) != 0 || (uint64_t)st.st_ino != file->inode)
		return (struct synth_build_id){ 0 };
	return of_elf(path);
}

/* Reads FILE, which has been deleted, through its process. */
static struct synth_build_id
of_deleted(const struct synth_file *file)
{
	struct synth_build_id id;
	char path[96];

	snprintf(path, sizeof path, "/proc/%ld/map_files/%llx-%llx", file->pid,
		(unsigned long long)file->start, (unsigned long long)file->end);
	id = of_inode(path, file);
	snprintf(path, sizeof path, "/proc/%ld/exe", file->pid);
	return id.n ? id : of_inode(path, file);
}

/* Reads the file as the process sees it, or else by its name. */
static struct synth_build_id
of_mapped(const struct synth_file *file)
{
	struct str path = file->path;
	char full[PATH_MOST];
	struct synth_build_id id;
	int n;

	if (!path.n || path.s[0] != '/' || path.n >= PATH_MOST - 64 ||
		str_starts(path, STR("//")))
		return (struct synth_build_id){ 0 };
	if (str_ends(path, STR(" (deleted)")))
		return of_deleted(file);
	n = snprintf(full, sizeof full, "/proc/%ld/root", file->pid);
	memcpy(full + n, path.s, path.n);
	full[(size_t)n + path.n] = 0;
	id = of_elf(full);
	return id.n ? id : of_elf(full + n);
}

/* The entry of FILE, valid until the next call. */
static struct synth_known_file *
know(struct synth_files *t, const struct synth_file *file)
{
	uint64_t rest[3] = { file->major, file->minor, file->inode };
	struct buf key = { 0 };
	uint32_t i;

	buf_str(&key, file->path);
	buf_char(&key, 0);
	buf_str(&key, (struct str){ (const char *)rest, sizeof rest });
	i = intern_id(&t->names, buf_view(&key));
	buf_release(&key);
	if (i == t->n)
		*MEM_ADD(t->items, t->n, t->cap) =
			(struct synth_known_file){ .id = of_mapped(file) };
	return &t->items[i];
}

void
synth_want_build_id(struct synth_files *t, const struct synth_file *file)
{
	know(t, file)->wanted = true;
}

/* Adds a BUILD_ID record to B. MISC is PERF_RECORD_MISC_KERNEL or _USER. */
static void
put_build_id(
	struct buf *b, const struct synth_build_id *id, struct str path, uint16_t misc)
{
	size_t at;
	char field[24] = { 0 };

	if (!id->n)
		return;
	memcpy(field, id->bytes, id->n);
	field[SYNTH_BUILD_ID_MOST] = (char)id->n;
	at = stream_put_begin(b, STREAM_BUILD_ID, misc | STREAM_HAS_SIZE);
	stream_put_u32(b, (uint32_t)-1);
	stream_put_bytes(b, field, sizeof field);
	stream_put_text(b, path, 64);
	stream_put_end(b, at);
}

void
synth_put_build_ids(struct buf *b, const struct synth_files *t)
{
	struct str key;
	uint32_t i;

	for (i = 0; i < t->n; i++) {
		key = intern_str(&t->names, i);
		if (t->items[i].wanted)
			put_build_id(b, &t->items[i].id, str_cut(&key, 0),
				PERF_RECORD_MISC_USER);
	}
}

void
synth_files_release(struct synth_files *t)
{
	intern_release(&t->names);
	free(t->items);
	*t = (struct synth_files){ 0 };
}

/* Records of processes. */
/* Adds the sample_id of perf_event_open(2): thread, time, processor, event. */
static void
put_id(struct synth *s, pid_t pid, pid_t tid)
{
	stream_put_u32(s->out, (uint32_t)pid);
	stream_put_u32(s->out, (uint32_t)tid);
	stream_put_u64(s->out, s->time);
	stream_put_u64(s->out, 0); /* processor */
	stream_put_u64(s->out, s->id);
}

void
synth_task(struct synth *s, uint32_t type, uint16_t misc, const pid_t who[4])
{
	size_t at = stream_put_begin(s->out, type, misc), i;

	for (i = 0; i < 4; i++)
		stream_put_u32(s->out, (uint32_t)who[i]);
	stream_put_u64(s->out, s->time);
	put_id(s, who[0], who[2]);
	stream_put_end(s->out, at);
}

void
synth_comm(struct synth *s, const pid_t who[2], struct str name, bool exec)
{
	size_t at = stream_put_begin(
		s->out, PERF_RECORD_COMM, exec ? PERF_RECORD_MISC_COMM_EXEC : 0);

	stream_put_u32(s->out, (uint32_t)who[0]);
	stream_put_u32(s->out, (uint32_t)who[1]);
	stream_put_text(s->out, name, 8);
	put_id(s, who[0], who[1]);
	stream_put_end(s->out, at);
}

void
synth_lost(struct synth *s, uint64_t samples)
{
	size_t at = stream_put_begin(s->out, PERF_RECORD_LOST_SAMPLES, 0);

	stream_put_u64(s->out, samples);
	put_id(s, 0, 0);
	stream_put_end(s->out, at);
}

/* A line of maps, split into fields. */
struct mapped {
	uint64_t start, end, offset, inode, major, minor;
	struct str rights, path;
};

static bool
cut_map(struct mapped *m, struct str line)
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

/* Adds the build ID of the file or, without one, its inode. Returns the record's
 * flags. */
static uint16_t
put_file(struct synth *s, const struct mapped *m, const struct synth_build_id *id)
{
	char field[24] = { 0 };

	if (id->n) {
		field[0] = (char)id->n;
		memcpy(field + 4, id->bytes, id->n);
		stream_put_bytes(s->out, field, sizeof field);
		return STREAM_HAS_BUILD_ID;
	}
	stream_put_u32(s->out, (uint32_t)m->major);
	stream_put_u32(s->out, (uint32_t)m->minor);
	stream_put_u64(s->out, m->inode);
	stream_put_u64(s->out, 0);
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
is_wanted(const struct synth *s, const struct mapped *m)
{
	return m->rights.s[2] == 'x' || (s->data && m->inode && m->rights.s[0] == 'r');
}

/* Offers the file of M, with its build ID or an empty ID, for copying. */
static void
offer(struct synth *s, pid_t pid, const struct mapped *m, const struct synth_build_id *id)
{
	if (s->copies && m->rights.s[2] == 'x')
		copies_add(s->copies,
			&(struct copies_map){ .path = m->path,
				.pid = (long)pid,
				.start = m->start,
				.end = m->end,
				.inode = m->inode,
				.build_id = { (const char *)id->bytes, id->n } });
}

void
synth_map(struct synth *s, pid_t pid, struct str line)
{
	static const struct synth_build_id none;
	const struct synth_build_id *id = &none;
	struct synth_file file;
	struct mapped m;
	size_t at;
	uint16_t misc;

	if (!cut_map(&m, line) || !is_wanted(s, &m))
		return;
	file = (struct synth_file){ m.path, pid, m.major, m.minor, m.inode, m.start,
		m.end };
	if (s->id_in_maps && m.inode)
		id = &know(s->files, &file)->id;
	else if (m.inode)
		synth_want_build_id(s->files, &file);
	offer(s, pid, &m, id);
	at = stream_put_begin(s->out, PERF_RECORD_MMAP2, 0);
	stream_put_u32(s->out, (uint32_t)pid);
	stream_put_u32(s->out, (uint32_t)pid);
	stream_put_u64(s->out, m.start);
	stream_put_u64(s->out, m.end - m.start);
	stream_put_u64(s->out, m.offset);
	misc = put_file(s, &m, id);
	stream_put_u32(s->out, protection(m.rights));
	stream_put_u32(s->out, m.rights.s[3] == 's' ? MAP_SHARED : MAP_PRIVATE);
	stream_put_text(s->out, m.path, 8);
	put_id(s, pid, pid);
	set_misc(s->out, at, PERF_RECORD_MISC_USER | misc);
	stream_put_end(s->out, at);
}

static bool
put_thread(struct synth *s, pid_t pid, pid_t tid)
{
	pid_t who[4] = { pid, pid, tid, pid };
	struct target_stat stat;
	struct buf name = { 0 };
	bool there = sysfile_read(
		&name, "%s/proc/%ld/task/%ld/comm", s->root, (long)pid, (long)tid);

	if (pid == tid && target_stat(&stat, s->root, pid, pid))
		who[1] = who[3] = stat.parent;
	if (there) {
		/* This flag keeps readers from copying the parent's maps. */
		synth_task(s, PERF_RECORD_FORK, STREAM_FORK_EXEC, who);
		synth_comm(s, (pid_t[]){ pid, tid }, buf_view(&name), false);
	}
	buf_release(&name);
	return there;
}

void
synth_process(struct synth *s, pid_t pid)
{
	struct record_ids threads = { 0 };
	struct buf maps = { 0 };
	struct str lines;
	size_t i;

	if (!put_thread(s, pid, pid))
		return;
	if (sysfile_read(&maps, "%s/proc/%ld/maps", s->root, (long)pid))
		for (lines = buf_view(&maps); lines.n;)
			synth_map(s, pid, str_cut(&lines, '\n'));
	target_threads(&threads, pid);
	for (i = 0; i < threads.n; i++)
		if (threads.items[i] != pid)
			put_thread(s, pid, threads.items[i]);
	target_release(&threads);
	buf_release(&maps);
}

struct module {
	uint64_t start, size;
	struct str name;
};

static void
put_kernel_map(struct synth *s, uint64_t start, uint64_t length, struct str name)
{
	size_t at = stream_put_begin(s->out, PERF_RECORD_MMAP, PERF_RECORD_MISC_KERNEL);
	bool is_module = !str_starts(name, STR("[kernel."));

	stream_put_u32(s->out, (uint32_t)-1);
	stream_put_u32(s->out, 0);
	stream_put_u64(s->out, start);
	stream_put_u64(s->out, length);
	/* For the kernel itself: the address of the symbol in its name. */
	stream_put_u64(s->out, is_module ? 0 : start);
	stream_put_text(s->out, name, 8);
	put_id(s, -1, 0);
	stream_put_end(s->out, at);
}

/* Finds the kernel's first symbol, _text or _stext, which is near the top of the list;
 * reading the whole list takes 30 ms. Returns its name, or NULL. */
static const char *
find_kernel(const char *root, uint64_t *start)
{
	char path[PATH_MOST], text[LINE_MOST];
	const char *found = NULL;
	struct str line, address;
	unsigned n;
	FILE *f;

	snprintf(path, sizeof path, "%s/proc/kallsyms", root);
	f = fopen(path, "re");
	for (n = 0; f && !found && n < KALLSYMS_LINES && fgets(text, sizeof text, f);
		n++) {
		line = str_of(text);
		address = str_word(&line);
		str_word(&line);
		line = str_word(&line);
		if (str_eq(str_trim(line), STR("_text")))
			found = "[kernel.kallsyms]_text";
		else if (str_eq(str_trim(line), STR("_stext")))
			found = "[kernel.kallsyms]_stext";
		if (found && (!str_hex_to_u64(address, start) || !*start))
			found = NULL;
	}
	if (f)
		fclose(f);
	return found;
}

/* Parses "NAME SIZE REFS USERS STATE 0xADDRESS". */
static bool
cut_module(struct module *m, struct str line)
{
	struct str size;
	int i;

	m->name = str_word(&line);
	size = str_word(&line);
	for (i = 0; i < 3; i++)
		str_word(&line);
	return str_to_u64(size, &m->size) &&
		str_hex_to_u64(str_from(str_word(&line), 2), &m->start) && m->start;
}

/* Whether PATH is the file of module NAME, in which '-' may stand for '_'. */
static bool
is_file_of(struct str path, struct str name)
{
	struct str base = str_base(path);
	size_t i;

	if (base.n <= name.n || base.s[name.n] != '.')
		return false;
	for (i = 0; i < name.n; i++)
		if ((base.s[i] == '-' ? '_' : base.s[i]) != name.s[i])
			return false;
	return true;
}

/* Sets PATH to the file of module NAME by the list DEPENDENCIES, or to "[NAME]". */
static void
put_module_path(
	struct buf *path, struct str dependencies, struct str folder, struct str name)
{
	struct str line;

	buf_clear(path);
	while (dependencies.n) {
		line = str_cut(&dependencies, '\n');
		line = str_cut(&line, ':');
		if (!is_file_of(line, name))
			continue;
		if (line.n && line.s[0] != '/') {
			buf_str(path, folder);
			buf_char(path, '/');
		}
		buf_str(path, line);
		return;
	}
	buf_fmt(path, "[%.*s]", STR_ARG(name));
}

static void
put_modules(struct synth *s, struct str list)
{
	struct buf dependencies = { 0 }, path = { 0 }, folder = { 0 }, notes = { 0 };
	struct synth_build_id id;
	struct utsname host;
	struct module m;

	if (!list.n || uname(&host) != 0)
		return;
	buf_fmt(&folder, "/lib/modules/%s", host.release);
	(void)sysfile_read(&dependencies, "%s%s/modules.dep", s->root, buf_cstr(&folder));
	while (list.n) {
		if (!cut_module(&m, str_cut(&list, '\n')))
			continue;
		put_module_path(
			&path, buf_view(&dependencies), buf_view(&folder), m.name);
		put_kernel_map(s, m.start, m.size, buf_view(&path));
		buf_clear(&notes);
		buf_fmt(&notes, "%s/sys/module/%.*s/notes/.note.gnu.build-id", s->root,
			STR_ARG(m.name));
		id = of_note_file(buf_cstr(&notes));
		put_build_id(s->out, &id, buf_view(&path), PERF_RECORD_MISC_KERNEL);
	}
	buf_release(&dependencies);
	buf_release(&path);
	buf_release(&folder);
	buf_release(&notes);
}

/* The start of the lowest module above START, as the end of the kernel is unknown. */
static uint64_t
end_of_kernel(struct str modules, uint64_t start)
{
	uint64_t end = UINT64_MAX;
	struct module m;

	while (modules.n)
		if (cut_module(&m, str_cut(&modules, '\n')) && m.start > start &&
			m.start < end)
			end = m.start;
	return end;
}

void
synth_kernel(struct synth *s)
{
	struct buf modules = { 0 };
	struct synth_build_id id;
	char notes[PATH_MOST];
	uint64_t start = 0;
	const char *name = find_kernel(s->root, &start);

	snprintf(notes, sizeof notes, "%s/sys/kernel/notes", s->root);
	id = of_note_file(notes);
	put_build_id(s->out, &id, STR("[kernel.kallsyms]"), PERF_RECORD_MISC_KERNEL);
	(void)sysfile_read(&modules, "%s/proc/modules", s->root);
	if (name)
		put_kernel_map(s, start, end_of_kernel(buf_view(&modules), start) - start,
			str_of(name));
	put_modules(s, buf_view(&modules));
	buf_release(&modules);
}
