/* SPDX-License-Identifier: ISC */
#include "perf/process.h"
#include "unit.h"

/* A set of processes over a set of absent files. */
struct world {
	struct dso_set *dsos;
	struct process_set set;
	char text[PROCESS_COMM];
};

static void
world_init(struct world *w)
{
	static const struct dso_options none;

	w->dsos = dso_set_new(&none);
	process_init(&w->set, w->dsos);
}

static void
world_release(struct world *w)
{
	process_release(&w->set);
	dso_set_free(w->dsos);
}

static void
map(struct world *w, uint32_t pid, uint64_t start, uint64_t length, const char *path)
{
	struct recording_mmap m = { .pid = pid,
		.tid = pid,
		.start = start,
		.length = length,
		.path = str_of(path),
		.executable = true };

	process_take_mmap(&w->set, &m);
}

static void
map_kernel(struct world *w, uint64_t start, uint64_t length, const char *path)
{
	struct recording_mmap m = { .pid = UINT32_MAX,
		.tid = UINT32_MAX,
		.start = start,
		.length = length,
		.path = str_of(path),
		.executable = true,
		.kernel = true };

	process_take_mmap(&w->set, &m);
}

static void
name(struct world *w, uint32_t pid, uint32_t tid, const char *comm)
{
	struct recording_comm c = { pid, tid, str_of(comm), false };

	process_take_comm(&w->set, &c);
}

static void
fork_from(struct world *w, uint32_t parent_pid, uint32_t parent_tid, uint32_t pid,
	uint32_t tid)
{
	struct recording_task t = { pid, tid, parent_pid, parent_tid, false };

	process_take_fork(&w->set, &t);
}

static void
end(struct world *w, uint32_t pid, uint32_t tid)
{
	struct recording_task t = { pid, tid, pid, tid, false };

	process_take_exit(&w->set, &t);
}

static struct str
comm(struct world *w, uint32_t pid, uint32_t tid)
{
	return process_comm(&w->set, process_find(&w->set, pid, tid), w->text);
}

static struct process_image *
image(struct world *w, uint32_t pid)
{
	return process_find(&w->set, pid, pid)->process->image;
}

/* The file mapped at ADDRESS in PID. */
static struct str
file(struct world *w, uint32_t pid, uint64_t address)
{
	const struct address_space_map *m =
		address_space_find(&image(w, pid)->space, address);

	return m ? dso_name(m->dso) : STR("none");
}

UNIT(thread_without_a_name_is_called_by_its_number)
{
	struct world w;

	world_init(&w);
	CHECK_STR(comm(&w, 7, 8), STR(":8"));
	CHECK_STR(comm(&w, 0, 0), STR("swapper"));
	CHECK_STR(comm(&w, UINT32_MAX, UINT32_MAX), STR(":-1"));
	name(&w, 7, 8, "work");
	CHECK_STR(comm(&w, 7, 8), STR("work"));
	name(&w, 7, 8, "play");
	CHECK_STR(comm(&w, 7, 8), STR("play"));
	world_release(&w);
}

UNIT(thread_has_its_parents_name_and_its_process_s_maps)
{
	struct world w;

	world_init(&w);
	name(&w, 7, 7, "main");
	map(&w, 7, 0x1000, 0x1000, "/bin/a");
	fork_from(&w, 7, 7, 7, 8);
	CHECK_STR(comm(&w, 7, 8), STR("main"));
	CHECK(process_find(&w.set, 7, 8)->process == process_find(&w.set, 7, 7)->process);
	map(&w, 7, 0x5000, 0x1000, "/bin/b");
	CHECK_STR(file(&w, 7, 0x1800), STR("/bin/a"));
	CHECK_STR(file(&w, 7, 0x5800), STR("/bin/b"));
	world_release(&w);
}

UNIT(fork_copies_maps_and_later_ones_are_each_process_s_own)
{
	struct world w;

	world_init(&w);
	map(&w, 7, 0x1000, 0x1000, "/bin/a");
	fork_from(&w, 7, 7, 9, 9);
	CHECK(image(&w, 7) == image(&w, 9));
	map(&w, 9, 0x1000, 0x1000, "/bin/b");
	CHECK_STR(file(&w, 9, 0x1800), STR("/bin/b"));
	CHECK_STR(file(&w, 7, 0x1800), STR("/bin/a"));
	CHECK(image(&w, 7)->space.version != image(&w, 9)->space.version);
	world_release(&w);
}

UNIT(process_that_the_recorder_found_has_no_map_of_its_parent)
{
	struct recording_task t = { 9, 9, 7, 7, true };
	struct world w;

	world_init(&w);
	map(&w, 7, 0x1000, 0x1000, "/bin/a");
	name(&w, 7, 7, "parent");
	process_take_fork(&w.set, &t);
	CHECK(image(&w, 7) != image(&w, 9));
	CHECK_STR(file(&w, 9, 0x1800), STR("none"));
	map(&w, 9, 0x4000, 0x1000, "/bin/b");
	CHECK_STR(file(&w, 9, 0x4800), STR("/bin/b"));
	CHECK_STR(file(&w, 7, 0x4800), STR("none"));
	world_release(&w);
}

/* It may reuse the memory of a previous one. */
UNIT(image_of_a_process_has_a_unique_version)
{
	struct world w;
	uint64_t seen[64];
	int i, j;

	world_init(&w);
	map(&w, 1, 0x1000, 0x1000, "/bin/a");
	for (i = 0; i < 64; i++) {
		fork_from(&w, 1, 1, 9, 9);
		map(&w, 9, 0x1000, 0x1000, i % 2 ? "/bin/b" : "/bin/c");
		seen[i] = image(&w, 9)->space.version;
		for (j = 0; j < i; j++)
			CHECK(seen[j] != seen[i]);
		end(&w, 9, 9);
	}
	world_release(&w);
}

UNIT(exec_keeps_the_maps_until_new_ones_overlay_them)
{
	struct recording_comm exec = { 7, 7, STR("new"), true };
	struct world w;

	world_init(&w);
	map(&w, 7, 0x1000, 0x3000, "/bin/a");
	process_take_comm(&w.set, &exec);
	CHECK_STR(file(&w, 7, 0x1800), STR("/bin/a"));
	map(&w, 7, 0x2000, 0x1000, "/bin/b");
	CHECK_STR(file(&w, 7, 0x1800), STR("/bin/a"));
	CHECK_STR(file(&w, 7, 0x2800), STR("/bin/b"));
	CHECK_STR(file(&w, 7, 0x3800), STR("/bin/a"));
	world_release(&w);
}

UNIT(process_that_ended_keeps_name_and_maps)
{
	struct world w;

	world_init(&w);
	name(&w, 7, 7, "gone");
	map(&w, 7, 0x1000, 0x1000, "/bin/a");
	end(&w, 7, 7);
	end(&w, 7, 7);
	CHECK_STR(comm(&w, 7, 7), STR("gone"));
	CHECK_STR(file(&w, 7, 0x1800), STR("/bin/a"));
	world_release(&w);
}

UNIT(maps_go_when_many_processes_have_ended)
{
	struct world w;
	uint32_t pid;

	world_init(&w);
	map(&w, 1, 0x1000, 0x1000, "/bin/a");
	for (pid = 2; pid < 2 + 2 * PROCESS_ENDED; pid++) {
		fork_from(&w, 1, 1, pid, pid);
		end(&w, pid, pid);
	}
	CHECK_STR(file(&w, 1, 0x1800), STR("/bin/a"));
	CHECK_STR(file(&w, pid - 1, 0x1800), STR("/bin/a"));
	CHECK_U64(image(&w, 1)->users, 1 + PROCESS_ENDED);
	CHECK_STR(file(&w, 2, 0x1800), STR("none"));
	world_release(&w);
}

UNIT(number_of_an_ended_process_is_used_again)
{
	struct world w;

	world_init(&w);
	name(&w, 7, 7, "old");
	map(&w, 7, 0x1000, 0x1000, "/bin/a");
	end(&w, 7, 7);
	name(&w, 3, 3, "sh");
	map(&w, 3, 0x8000, 0x1000, "/bin/sh");
	fork_from(&w, 3, 3, 7, 7);
	CHECK_STR(comm(&w, 7, 7), STR("sh"));
	CHECK_STR(file(&w, 7, 0x8800), STR("/bin/sh"));
	CHECK_STR(file(&w, 7, 0x1800), STR("none"));
	CHECK(!process_find(&w.set, 7, 7)->ended);
	world_release(&w);
}

UNIT(number_of_a_thread_moves_to_another_process)
{
	struct world w;

	world_init(&w);
	map(&w, 7, 0x1000, 0x1000, "/bin/a");
	map(&w, 9, 0x1000, 0x1000, "/bin/b");
	CHECK(process_find(&w.set, 7, 20)->process->pid == 7);
	CHECK(process_find(&w.set, 9, 20)->process->pid == 9);
	CHECK_U64(process_find(&w.set, 7, 7)->process->live, 1);
	world_release(&w);
}

UNIT(kernel_maps_belong_to_all)
{
	struct world w;
	const struct address_space_map *m;

	world_init(&w);
	map_kernel(&w, 0xffffffff81000000, 0x1000000, "[kernel.kallsyms]_text");
	map_kernel(&w, 0xffffffffc0000000, 0x1000, "[ext4]");
	map_kernel(&w, 0xffffffffc0800000, UINT64_MAX, "[guest.kernel.kallsyms]");
	m = process_kernel_map(&w.set, 0xffffffff81000010);
	CHECK(m && str_eq(dso_name(m->dso), STR("[kernel.kallsyms]")));
	m = process_kernel_map(&w.set, 0xffffffffc0000010);
	CHECK(m && str_eq(dso_name(m->dso), STR("[ext4]")));
	CHECK(!process_kernel_map(&w.set, 0xffffffffc0800010));
	CHECK(!image(&w, 7)->space.root);
	world_release(&w);
}

UNIT(kernel_addresses_need_no_kernel_map)
{
	const struct address_space_map *m;
	struct world w;

	world_init(&w);
	m = process_kernel_map(&w.set, 0xffffffff81000010);
	CHECK(m && str_eq(dso_name(m->dso), STR("[kernel.kallsyms]")));
	world_release(&w);
}

UNIT(pieces_of_the_kernel_come_and_go)
{
	struct recording_ksymbol a = { 0x1000, 0x100, false, STR("a") }, b = a;
	struct world w;

	world_init(&w);
	process_take_ksymbol(&w.set, &a);
	b.address = 0x3000;
	b.name = STR("b");
	process_take_ksymbol(&w.set, &b);
	CHECK_STR(process_kernel_piece(&w.set, 0x1000), STR("a"));
	CHECK_STR(process_kernel_piece(&w.set, 0x30ff), STR("b"));
	CHECK(!process_kernel_piece(&w.set, 0x1100).s);
	CHECK(!process_kernel_piece(&w.set, 0x3100).s);
	/* A symbol that overlaps both replaces them. */
	b = (struct recording_ksymbol){ 0x1080, 0x2000, false, STR("c") };
	process_take_ksymbol(&w.set, &b);
	CHECK_STR(process_kernel_piece(&w.set, 0x2000), STR("c"));
	CHECK(!process_kernel_piece(&w.set, 0x1000).s);
	CHECK(!process_kernel_piece(&w.set, 0x3080).s);
	b.gone = true;
	process_take_ksymbol(&w.set, &b);
	CHECK(!process_kernel_piece(&w.set, 0x2000).s);
	/* An end beyond all addresses. */
	b = (struct recording_ksymbol){ UINT64_MAX - 1, 100, false, STR("d") };
	process_take_ksymbol(&w.set, &b);
	CHECK(!w.set.pieces.root);
	world_release(&w);
}

UNIT(build_id_of_a_path_is_the_kernel_s_when_it_is_the_kernel_s)
{
	struct world w;

	world_init(&w);
	process_take_build_id(&w.set, STR("/bin/a"), STR("\1\2\3"), false);
	CHECK_U64(w.set.kernel_id.n, 0);
	process_take_build_id(&w.set, STR("[ext4]"), STR("\4\5"), true);
	CHECK_U64(w.set.kernel_id.n, 0);
	process_take_build_id(&w.set, STR("[kernel.kallsyms]"), STR("\6\7"), true);
	CHECK_STR(w.set.kernel_id, STR("\6\7"));
	world_release(&w);
}

UNIT(map_at_the_end_of_memory_ends_there)
{
	struct world w;

	world_init(&w);
	map(&w, 7, UINT64_MAX - 0xfff, UINT64_MAX, "/bin/a");
	CHECK_STR(file(&w, 7, UINT64_MAX - 1), STR("/bin/a"));
	world_release(&w);
}

UNIT_MAIN
