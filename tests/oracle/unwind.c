/* SPDX-License-Identifier: ISC */
/*
 * Compares call chains that we unwind from stack snapshots with libdwfl's.
 *
 *	unwind PERCENT RECORDING [all]
 *
 * Each sample of RECORDING is unwound by both, who see the same registers, the
 * same memory and the same files at the same addresses. At least PERCENT (as
 * "99.5") of the chains must be equal from end to end. The others are counted by
 * the file and the way in which they part. Ends with "N passed, N failed".
 */
#include <dwarf.h>
#include "elf.h"
#include <elfutils/libdwfl.h>

#include <inttypes.h>
#include <stdio.h>

#include "symbols/cfi.h"
#include "mem.h"
#include "perf/reader.h"
#include "symbols/unwind.h"

enum { CAP = 4096, CLASSES = 64, REGISTERS = 17 };

/* By DWARF's numbers, the kernel's. */
static const unsigned char kernel_number[REGISTERS] = { 0, 3, 2, 1, 4, 5, 6, 7, 16, 17,
	18, 19, 20, 21, 22, 23, 8 };

struct process {
	uint32_t pid;
	struct address_space space; /* ours: what is left of older images stays */
	/* libdwfl's: since the last exec. It has a file at one place only, and lets
	 * none overlap; with what is left of older images, hardly a chain of a python
	 * that a shell script had started was equal. */
	struct address_space image;
	Dwfl *dwfl;
	bool stale; /* dwfl has not what image has */
};

struct class
{
	char name[256];
	uint64_t n;
};

struct oracle {
	struct dso_set *dsos;
	struct unwind *unwind;
	struct process **processes;
	size_t process_n, process_cap;
	struct unwind_start start;
	struct unwind_frame ours[CAP];
	uint64_t theirs[CAP];
	size_t theirs_n;
	uint64_t samples, same, explained, unreported;
	uint64_t ends[UNWIND_ENDS];
	struct class classes[CLASSES];
	size_t class_n;
	bool show;
};

static struct process *
find_process(struct oracle *o, uint32_t pid)
{
	struct process *p;
	size_t i;

	for (i = 0; i < o->process_n; i++)
		if (o->processes[i]->pid == pid)
			return o->processes[i];
	p = mem_zero(1, sizeof *p);
	p->pid = pid;
	o->processes = mem_grow(
		o->processes, &o->process_cap, o->process_n + 1, sizeof *o->processes);
	return o->processes[o->process_n++] = p;
}

static void
on_mmap(void *context, const struct recording_mmap *m)
{
	struct oracle *o = context;
	struct dso_key key = { m->path, m->build_id, m->pid };
	struct process *p;
	struct address_space_map map;

	if (m->kernel || !m->executable)
		return;
	p = find_process(o, m->pid);
	map = (struct address_space_map){ m->start, m->start + m->length, m->offset,
		dso_get(o->dsos, &key) };
	address_space_add(&p->space, &map);
	address_space_add(&p->image, &map);
	p->stale |= dso_code(map.dso) != NULL;
}

static void
on_fork(void *context, const struct recording_task *t)
{
	struct oracle *o = context;
	struct process *p, *parent;

	if (t->pid == t->parent_pid)
		return;
	parent = find_process(o, t->parent_pid);
	p = find_process(o, t->pid);
	address_space_release(&p->space);
	address_space_copy(&p->space, &parent->space);
	address_space_release(&p->image);
	address_space_copy(&p->image, &parent->image);
	p->stale = true;
}

static void
on_comm(void *context, const struct recording_comm *c)
{
	struct oracle *o = context;

	if (c->exec)
		address_space_release(&find_process(o, c->pid)->image);
}

/* What libdwfl calls for memory, registers and the one thread there is. */

static bool
read_memory(Dwfl *dwfl, Dwarf_Addr address, Dwarf_Word *value, void *context)
{
	const struct oracle *o = context;
	uint64_t at = address - o->start.regs[7];

	(void)dwfl;
	if (o->start.stack.n < sizeof *value || at > o->start.stack.n - sizeof *value)
		return false;
	memcpy(value, o->start.stack.s + at, sizeof *value);
	return true;
}

static pid_t
next_thread(Dwfl *dwfl, void *context, void **thread)
{
	(void)dwfl;
	if (*thread)
		return 0;
	*thread = context;
	return 1;
}

static bool
set_registers(Dwfl_Thread *thread, void *context)
{
	const struct oracle *o = context;
	Dwarf_Word words[REGISTERS];
	int i;

	for (i = 0; i < REGISTERS; i++)
		words[i] = o->start.regs[kernel_number[i]];
	return dwfl_thread_state_registers(thread, 0, REGISTERS, words);
}

static int
take_frame(Dwfl_Frame *frame, void *context)
{
	struct oracle *o = context;
	Dwarf_Addr pc;

	if (o->theirs_n == CAP || !dwfl_frame_pc(frame, &pc, NULL))
		return DWARF_CB_ABORT;
	o->theirs[o->theirs_n++] = pc;
	return DWARF_CB_OK;
}

static const Dwfl_Thread_Callbacks thread_callbacks = { .next_thread = next_thread,
	.memory_read = read_memory,
	.set_initial_registers = set_registers };

static int
find_elf(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base, char **path,
	Elf **elf)
{
	(void)module, (void)data, (void)name, (void)base, (void)path, (void)elf;
	return -1;
}

static int
find_debug(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
	const char *path, const char *link, GElf_Word crc, char **found)
{
	(void)module, (void)data, (void)name, (void)base, (void)path, (void)link;
	(void)crc, (void)found;
	return -1;
}

/* What is added to the addresses of the file that M maps: M begins with the page
 * of a segment's start, or within a segment. */
static bool
find_bias(const struct address_space_map *m, uint64_t *bias)
{
	const struct elf *e = dso_code(m->dso);
	const uint64_t page = 4095;
	const struct elf_segment *p;
	size_t i;

	for (i = 0; i < e->segment_n; i++) {
		p = &e->segments[i];
		*bias = m->start - m->offset + p->offset - p->address;
		if (p->type == ELF_LOAD && p->flags & PF_X &&
			m->offset - (p->offset & ~page) < p->file_size + page)
			return true;
	}
	return false;
}

/* The maps of a process, by address. */
struct map_list {
	const struct address_space_map **items;
	size_t n, cap;
};

static void
list_maps(struct map_list *list, const struct address_space_node *at)
{
	if (!at)
		return;
	list_maps(list, at->side[0]);
	list->items = mem_grow(list->items, &list->cap, list->n + 1, sizeof *list->items);
	list->items[list->n++] = &at->map;
	list_maps(list, at->side[1]);
}

/* Whether a map before the Ith is of the same file: libdwfl has a file once. (V8
 * maps its built-in functions, a part of node, a second time.) */
static bool
is_reported(const struct map_list *list, size_t i)
{
	size_t k;

	for (k = 0; k < i && list->items[k]->dso != list->items[i]->dso; k++)
		;
	return k < i;
}

/* Tells libdwfl of all files that are mapped now. */
static bool
report_maps(struct oracle *o, struct process *p)
{
	static const Dwfl_Callbacks callbacks = { .find_elf = find_elf,
		.find_debuginfo = find_debug };
	struct map_list list = { 0 };
	const struct address_space_map *m;
	uint64_t bias;
	char path[4096];
	size_t i;

	list_maps(&list, p->image.root);
	dwfl_end(p->dwfl);
	p->dwfl = dwfl_begin(&callbacks);
	dwfl_report_begin(p->dwfl);
	for (i = 0; i < list.n; i++) {
		m = list.items[i];
		if (!dso_code(m->dso) || is_reported(&list, i) || !find_bias(m, &bias))
			continue;
		snprintf(path, sizeof path, "%.*s", (int)dso_name(m->dso).n,
			dso_name(m->dso).s);
		if (!dwfl_report_elf(p->dwfl, path, path, -1, bias, true))
			o->unreported++;
	}
	free(list.items);
	dwfl_report_end(p->dwfl, NULL, NULL);
	p->stale = false;
	return dwfl_attach_state(p->dwfl, NULL, 1, &thread_callbacks, o);
}

static bool
unwind_theirs(struct oracle *o, struct process *p)
{
	o->theirs_n = 0;
	if ((p->stale || !p->dwfl) && !report_maps(o, p))
		return false;
	(void)dwfl_getthread_frames(p->dwfl, 1, take_frame, o);
	return true;
}

static void
count_class(struct oracle *o, const char *name)
{
	size_t i;

	for (i = 0; i < o->class_n && strcmp(o->classes[i].name, name) != 0; i++)
		;
	if (i == CLASSES)
		i--;
	if (i == o->class_n)
		snprintf(o->classes[o->class_n++].name, sizeof o->classes[i].name, "%s",
			name);
	o->classes[i].n++;
}

/* Whether the innermost frame is in an epilogue: what was saved of rbp is below
 * the stack pointer, so it is back in rbp, where we leave it. libdwfl wants to
 * read the old place, which no snapshot has, and then has no rbp for the caller.
 * Our chains are the right ones. */
static bool
is_epilogue(struct oracle *o, struct process *p)
{
	const uint64_t *regs = o->start.regs;
	const struct address_space_map *m = address_space_find(&p->space, regs[8]);
	struct cfi_row row;
	uint64_t address, sp = regs[7];
	struct cfi *c = m ? dso_cfi(m->dso) : NULL;

	return c && address_space_symbol_address(m, regs[8], &address) &&
		cfi_find(c, address, &row) && row.cfa.kind == CFI_REGISTER &&
		row.cfa.reg == 7 && row.rules[6].kind == CFI_OFFSET &&
		sp + (uint64_t)row.cfa.n + (uint64_t)row.rules[6].n < sp;
}

/* Classes are by what both saw last, and how each went on. */
static void
classify(
	struct oracle *o, struct process *p, size_t n, size_t common, enum unwind_end end)
{
	static const char *const ends[] = { "whole", "cut", "unknown", "broken", "deep" };
	const struct address_space_map *m = NULL;
	uint64_t pc = common ? o->theirs[common - 1] : 0, address = 0;
	struct str dso = STR("?");
	const char *why = "";
	char name[256];

	if (common)
		m = address_space_find(&p->space, pc - (common > 1));
	if (m) {
		dso = str_base(dso_name(m->dso));
		(void)address_space_symbol_address(m, pc, &address);
	}
	if (common == o->theirs_n && is_epilogue(o, p)) {
		why = ", after an epilogue's pop of rbp";
		o->explained++;
	}
	snprintf(name, sizeof name, "in %.*s %s, ours ends %s%s", (int)dso.n, dso.s,
		common == n			? "we stop"
			: common == o->theirs_n ? "they stop"
						: "both go on",
		ends[end], why);
	count_class(o, name);
	if (o->show)
		printf("%s: %#" PRIx64 " at frame %zu of %zu, %zu\n", name, address,
			common, n, o->theirs_n);
}

static void
compare(struct oracle *o, struct process *p)
{
	struct unwind_chain chain = { o->ours, CAP, 0, UNWIND_WHOLE };
	size_t n, i;

	unwind_stack(o->unwind, &p->space, &o->start, &chain);
	n = chain.n;
	if (!unwind_theirs(o, p))
		return;
	for (i = 0; i < n && i < o->theirs_n && o->ours[i].pc == o->theirs[i]; i++)
		;
	o->samples++;
	o->ends[chain.end]++;
	if (i == n && i == o->theirs_n)
		o->same++;
	else
		classify(o, p, n, i, chain.end);
}

static void
on_sample(void *context, const struct recording_sample *s)
{
	struct oracle *o = context;
	size_t i, n = 0;

	if (s->regs_abi != 2 || !s->stack.n)
		return;
	o->start = (struct unwind_start){ .machine = UNWIND_X86_64,
		.mask = s->event->user_regs,
		.stack = s->stack,
		.full = s->stack_full };
	for (i = 0; i < 64; i++)
		if (o->start.mask >> i & 1)
			o->start.regs[i] = s->regs[n++];
	compare(o, find_process(o, s->pid));
}

static int
by_count(const void *a, const void *b)
{
	const struct class *x = a, *y = b;

	return x->n < y->n ? 1 : x->n > y->n ? -1 : strcmp(x->name, y->name);
}

static void
report(struct oracle *o, const char *path)
{
	printf("%s: of %" PRIu64 " chains %" PRIu64 " are equal, %" PRIu64
	       " differ where libdwfl is known to be wrong; ours are %" PRIu64
	       " whole, %" PRIu64 " cut, %" PRIu64 " without a rule, %" PRIu64
	       " broken\n",
		path, o->samples, o->same, o->explained, o->ends[UNWIND_WHOLE],
		o->ends[UNWIND_CUT], o->ends[UNWIND_NO_RULE], o->ends[UNWIND_BROKEN]);
	if (o->unreported)
		printf("%7" PRIu64 " maps of files that libdwfl cannot open\n",
			o->unreported);
	qsort(o->classes, o->class_n, sizeof *o->classes, by_count);
	for (size_t i = 0; i < o->class_n; i++)
		printf("%7" PRIu64 " %s\n", o->classes[i].n, o->classes[i].name);
}

static void
release(struct oracle *o)
{
	size_t i;

	for (i = 0; i < o->process_n; i++) {
		dwfl_end(o->processes[i]->dwfl);
		address_space_release(&o->processes[i]->space);
		address_space_release(&o->processes[i]->image);
		free(o->processes[i]);
	}
	free(o->processes);
	unwind_free(o->unwind);
	dso_set_free(o->dsos);
	free(o);
}

int
main(int argc, char **argv)
{
	static const struct dso_options options = { .inlines = false };
	struct oracle *o = mem_zero(1, sizeof *o);
	struct recording_handler handler = { .context = o,
		.sample = on_sample,
		.mmap = on_mmap,
		.comm = on_comm,
		.fork = on_fork };
	struct input *in;
	double least;
	bool passed;

	if (argc < 3)
		return 2;
	least = strtod(argv[1], NULL);
	o->show = argc > 3;
	in = input_open(argv[2]);
	if (!in)
		return 2;
	o->dsos = dso_set_new(&options);
	o->unwind = unwind_new();
	passed = reader_run(in, &handler) && o->samples > 0;
	input_close(in);
	report(o, argv[2]);
	passed = passed &&
		100.0 * (double)(o->same + o->explained) >= least * (double)o->samples;
	printf("%d passed, %d failed\n", passed, !passed);
	release(o);
	return !passed;
}
