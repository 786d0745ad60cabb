/* SPDX-License-Identifier: ISC */
/*
 * Where the kernel and its modules lie:
 *
 *	/proc/kallsyms:	ffffffff81000000 T _text
 *	/proc/modules:	e1000e 303104 0 - Live 0xffffffffc0357000
 *	modules.dep:	kernel/drivers/net/ethernet/intel/e1000e/e1000e.ko.xz: ...
 *
 * Addresses are 0 for users who may not know them.
 */
#include "record-put.h"
#include "synth-id.h"
#include "synth.h"

#include <stdio.h>
#include <sys/utsname.h>

#include <linux/perf_event.h>

enum { LINE_MOST = 512, KALLSYMS_LINES = 4096, PATH_MOST = 512 };

struct module {
	uint64_t start, size;
	struct str name;
};

static void
put_map(struct synth *s, uint64_t start, uint64_t length, struct str name)
{
	size_t at = record_put_begin(s->out, PERF_RECORD_MMAP, PERF_RECORD_MISC_KERNEL);
	bool is_module = !str_starts(name, STR("[kernel."));

	record_put_u32(s->out, (uint32_t)-1);
	record_put_u32(s->out, 0);
	record_put_u64(s->out, start);
	record_put_u64(s->out, length);
	/* For the kernel itself: where the symbol in its name was. */
	record_put_u64(s->out, is_module ? 0 : start);
	record_put_text(s->out, name, 8);
	synth_put_id(s, -1, 0);
	record_put_end(s->out, at);
}

/* Finds the kernel's first symbol, _text or _stext, which stands near the top of the
 * list; all of the list takes 30 ms to read. Returns its name, or NULL. */
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

/* "NAME SIZE REFS USERS STATE 0xADDRESS" */
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

/* Whether PATH is of the file of module NAME, in which '-' may stand for '_'. */
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

/* The file of module NAME by the list DEPENDENCIES, "[NAME]" when it is not there. */
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
	buf_fmt(path, "[%.*s]", (int)name.n, name.s);
}

/* Reads a file of any size; what cannot be read is empty. */
static void
read_all(struct buf *b, const char *path)
{
	FILE *f = fopen(path, "re");
	size_t got = 1;

	while (f && got) {
		got = fread(buf_room(b, 65536), 1, 65536, f);
		b->n += got;
	}
	if (f)
		fclose(f);
}

static void
put_modules(struct synth *s, struct str list)
{
	struct buf dependencies = { 0 }, path = { 0 }, folder = { 0 };
	struct utsname host;
	struct buildid id;
	struct module m;

	if (!list.n || uname(&host) != 0)
		return;
	buf_fmt(&folder, "/lib/modules/%s", host.release);
	buf_fmt(&path, "%s%s/modules.dep", s->root, buf_cstr(&folder));
	read_all(&dependencies, buf_cstr(&path));
	while (list.n) {
		if (!cut_module(&m, str_cut(&list, '\n')))
			continue;
		put_module_path(
			&path, buf_view(&dependencies), buf_view(&folder), m.name);
		put_map(s, m.start, m.size, buf_view(&path));
		id = buildid_of_module(s->root, m.name);
		buildid_put(s->out, &id, buf_view(&path), PERF_RECORD_MISC_KERNEL);
	}
	buf_release(&dependencies);
	buf_release(&path);
	buf_release(&folder);
}

/* The lowest module above START: where the kernel itself ends, as far as one knows. */
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
	struct buildid id = buildid_of_kernel(s->root);
	struct buf modules = { 0 }, path = { 0 };
	uint64_t start = 0;
	const char *name = find_kernel(s->root, &start);

	buildid_put(s->out, &id, STR("[kernel.kallsyms]"), PERF_RECORD_MISC_KERNEL);
	buf_fmt(&path, "%s/proc/modules", s->root);
	read_all(&modules, buf_cstr(&path));
	if (name)
		put_map(s, start, end_of_kernel(buf_view(&modules), start) - start,
			str_of(name));
	put_modules(s, buf_view(&modules));
	buf_release(&path);
	buf_release(&modules);
}
