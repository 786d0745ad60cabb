/* SPDX-License-Identifier: ISC */
#include "perf/callchain.h"
#include "unit.h"

#define KERNEL	   ((uint64_t)-128)
#define USER	   ((uint64_t)-512)
#define LATER	   ((uint64_t)-640)
#define GUEST_USER ((uint64_t)-2560)

/* A process 7 with "/bin/a" at 0x1000 and generated code at 0x8000, below a kernel at
 * 0xffffffff81000000. The file is missing, so addresses are unknown. */
struct world {
	struct dso_set *dsos;
	struct process_set set;
	struct callchain chain;
	struct recording_event event;
	struct recording_sample sample;
	struct callchain_place places[16];
};

static void
map(struct world *w, bool kernel, uint64_t start, const char *path)
{
	struct recording_mmap m = { .pid = 7,
		.tid = 7,
		.start = start,
		.length = 0x1000,
		.path = str_of(path),
		.executable = true,
		.kernel = kernel };

	process_take_mmap(&w->set, &m);
}

static void
world_init_arch(struct world *w, const char *arch)
{
	static const struct dso_options none;

	*w = (struct world){ .dsos = dso_set_new(&none) };
	process_init(&w->set, w->dsos);
	map(w, false, 0x1000, "/bin/a");
	map(w, false, 0x8000, "//anon");
	map(w, true, 0xffffffff81000000, "[kernel.kallsyms]_text");
	callchain_init(&w->chain, &w->set, str_of(arch));
	w->chain.show = true;
	w->event.sample_type = RECORDING_HAS_CALLCHAIN;
	w->sample = (struct recording_sample){
		.event = &w->event, .mode = RECORDING_USER, .has_ip = true, .ip = 0x8042
	};
}

static void
world_init(struct world *w)
{
	world_init_arch(w, "x86_64");
}

static void
world_release(struct world *w)
{
	callchain_release(&w->chain);
	process_release(&w->set);
	dso_set_free(w->dsos);
}

/* Looks up the places of the stack with the N values of CHAIN. */
static size_t
look_up(struct world *w, const uint64_t *chain, size_t n)
{
	size_t i;

	w->sample.chain = chain;
	w->sample.callchain_n = n;
	callchain_take(
		&w->chain, &w->sample, process_find(&w->set, 7, 7)->process->image);
	for (i = 0; i < w->chain.n && i < 16; i++)
		w->places[i] = callchain_place(&w->chain, i);
	return w->chain.n;
}

/* The file of place I. */
static struct str
file(const struct world *w, size_t i)
{
	return w->places[i].dso ? dso_name(w->places[i].dso) : STR("none");
}

UNIT(marks_say_whose_addresses_follow)
{
	const uint64_t chain[] = { KERNEL, 0xffffffff81000010, 0xffffffff81000020, USER,
		0x8010, 0x8020 };
	struct world w;

	world_init(&w);
	CHECK_U64(look_up(&w, chain, 6), 4);
	CHECK_STR(file(&w, 0), STR("[kernel.kallsyms]"));
	CHECK_STR(file(&w, 3), STR("/tmp/perf-7.map"));
	CHECK_U64(w.places[1].address, 0xffffffff81000020);
	CHECK_U64(w.places[2].address, 0x8010);
	world_release(&w);
}

UNIT(address_behind_a_call_is_one_but_the_first_after_a_mark)
{
	const uint64_t chain[] = { KERNEL, 0xffffffff81000010, 0xffffffff81000020, USER,
		0x8010, 0x8020, 0x8000 };
	struct world w;

	world_init(&w);
	CHECK_U64(look_up(&w, chain, 7), 5);
	CHECK(!w.places[0].is_return && !w.places[1].is_return);
	CHECK(!w.places[2].is_return && w.places[3].is_return);
	/* An address before the first one of a map is outside of it. */
	CHECK(!w.places[4].is_return);
	world_release(&w);
}

UNIT(value_that_is_neither_address_nor_mark_is_left_out)
{
	const uint64_t chain[] = { USER, 0x8010, 0xfffffffffffff123, 0x8020, LATER, 77 };
	struct world w;

	world_init(&w);
	CHECK_U64(look_up(&w, chain, 6), 2);
	CHECK_U64(w.chain.strays, 1);
	CHECK_U64(w.places[1].address, 0x8020);
	world_release(&w);
}

UNIT(addresses_of_guests_have_no_file)
{
	const uint64_t chain[] = { GUEST_USER, 0x8010 };
	struct world w;

	world_init(&w);
	CHECK_U64(look_up(&w, chain, 2), 1);
	CHECK_STR(file(&w, 0), STR("none"));
	world_release(&w);
}

UNIT(sample_without_a_chain_is_its_address)
{
	const uint64_t marks[] = { KERNEL, USER };
	struct world w;

	world_init(&w);
	CHECK_U64(look_up(&w, NULL, 0), 1);
	CHECK_U64(w.places[0].address, 0x8042);
	CHECK_U64(look_up(&w, marks, 2), 1);
	w.sample.mode = RECORDING_KERNEL;
	w.sample.ip = 0xffffffff81000010;
	CHECK_U64(look_up(&w, marks, 2), 1);
	CHECK_STR(file(&w, 0), STR("[kernel.kallsyms]"));
	w.sample.has_ip = false;
	CHECK_U64(look_up(&w, marks, 2), 0);
	world_release(&w);
}

UNIT(address_in_a_file_is_shown_as_its_place_there)
{
	const uint64_t chain[] = { USER, 0x1010, 0x8010, 0x9999 };
	struct world w;

	world_init(&w);
	CHECK_U64(look_up(&w, chain, 4), 3);
	CHECK_U64(w.places[0].shown, 0x10);
	CHECK(!w.places[0].known);
	CHECK_U64(w.places[1].shown, 0x8010);
	CHECK_U64(w.places[2].shown, 0x9999);
	world_release(&w);
}

UNIT(processor_s_call_stack_is_the_user_part)
{
	const uint64_t chain[] = { KERNEL, 0xffffffff81000010, USER, 0x8010, 0x8020 };
	const struct recording_branch branches[] = { { 0x8031, 0x8010 },
		{ 0x8041, 0x8030 }, { 0, 0 } };
	struct world w;

	world_init(&w);
	w.event.branch_type = RECORDING_BRANCH_CALL_STACK;
	w.sample.branches = branches;
	w.sample.branch_n = 3;
	CHECK_U64(look_up(&w, chain, 5), 4);
	CHECK_U64(w.places[1].address, 0x8010);
	CHECK_U64(w.places[2].address, 0x8031);
	CHECK(!w.places[2].is_return);
	/* A kernel thread has none, whatever the branches contain. */
	w.sample.mode = RECORDING_KERNEL;
	CHECK_U64(look_up(&w, chain, 2), 1);
	world_release(&w);
}

UNIT(snapshot_of_an_unknown_abi_is_its_program_counter)
{
	const uint64_t chain[] = { KERNEL, 0xffffffff81000010 }, regs[] = { 0x8010 };
	struct world w;

	world_init(&w);
	w.event.sample_type |= RECORDING_HAS_REGS | RECORDING_HAS_STACK;
	w.event.user_regs = 1 << 8;
	w.sample.regs = regs;
	w.sample.regs_abi = 3;
	CHECK(callchain_is_snapshot(&w.sample));
	CHECK_U64(look_up(&w, chain, 2), 2);
	CHECK_U64(w.places[1].address, 0x8010);
	CHECK(w.chain.unwound && !w.chain.spliced);
	CHECK_U64(w.chain.end, UNWIND_FOREIGN);
	world_release(&w);
}

/* Registers rbp, rsp and rip, and the words of a stack at 0x7000, of code without
 * unwind information: unwound by rbp. */
static void
add_snapshot(struct world *w, const uint64_t *regs, const uint64_t *words, size_t n)
{
	w->event.sample_type |= RECORDING_HAS_REGS | RECORDING_HAS_STACK;
	w->event.user_regs = 1 << 6 | 1 << 7 | 1 << 8;
	w->sample.regs = regs;
	w->sample.regs_abi = 2;
	w->sample.stack = (struct str){ (const char *)words, n * sizeof *words };
}

/* Checks the addresses of the stack, innermost first. */
static void
check_places(const struct world *w, const uint64_t *addresses, size_t n)
{
	size_t i;

	CHECK_U64(w->chain.n, n);
	for (i = 0; i < n && i < w->chain.n; i++)
		CHECK_U64(w->chain.steps[i].pc, addresses[i]);
}

UNIT(frame_pointers_go_on_where_the_snapshot_ends)
{
	const uint64_t kernel = 0xffffffff81000010;
	const uint64_t regs[] = { 0x7000, 0x7000, 0x8010 };
	const uint64_t words[] = { 0x7010, 0x8020, 0x5, 0x8030 };
	const uint64_t chain[] = { KERNEL, kernel, USER, 0x8010, 0x8020, 0x8030, 0x8040,
		0x8050, 0xfffffffffffff123, 0x8060 };
	const uint64_t skips[] = { USER, 0x8010, 0x8030, 0x8040 };
	const uint64_t other[] = { USER, 0x8010, 0x8100, 0x8200 };
	struct world w;

	world_init(&w);
	add_snapshot(&w, regs, words, 4);
	look_up(&w, chain, 10);
	/* An unmapped address is not a frame. */
	check_places(&w,
		(const uint64_t[]){ kernel, 0x8010, 0x8020, 0x8030, 0x8040, 0x8050 }, 6);
	CHECK(w.chain.unwound && w.chain.spliced);
	CHECK_U64(w.chain.end, UNWIND_NO_RULE);
	CHECK(w.places[4].is_return && str_eq(file(&w, 4), STR("/tmp/perf-7.map")));
	CHECK_U64(w.chain.strays, 0);
	/* Frames that the branches skip are kept. */
	look_up(&w, skips, 4);
	check_places(&w, (const uint64_t[]){ 0x8010, 0x8020, 0x8030, 0x8040 }, 4);
	/* They share only the beginning. */
	look_up(&w, other, 4);
	check_places(&w, (const uint64_t[]){ 0x8010, 0x8020, 0x8030 }, 3);
	CHECK(!w.chain.spliced);
	world_release(&w);
}

UNIT(frame_pointers_are_all_where_the_snapshot_gives_one_frame)
{
	const uint64_t regs[] = { 3, 0x7000, 0x8010 }, words[] = { 0, 0 };
	const uint64_t chain[] = { USER, 0x8010, 0x8100, 0x8200 };
	struct world w;

	world_init(&w);
	add_snapshot(&w, regs, words, 2);
	look_up(&w, chain, 4);
	check_places(&w, (const uint64_t[]){ 0x8010, 0x8100, 0x8200 }, 3);
	/* The branches contain all callers. */
	look_up(&w, chain, 2);
	check_places(&w, (const uint64_t[]){ 0x8010 }, 1);
	CHECK(!w.chain.spliced);
	world_release(&w);
}

UNIT(whole_snapshot_needs_no_frame_pointers)
{
	const uint64_t regs[] = { 0x7000, 0x7000, 0x1010 };
	const uint64_t words[] = { 0x7010, 0x1020, 0, 0x0 };
	const uint64_t chain[] = { USER, 0x1010, 0x1020, 0x1030 };
	struct world w;

	world_init(&w);
	add_snapshot(&w, regs, words, 4);
	look_up(&w, chain, 4);
	check_places(&w, (const uint64_t[]){ 0x1010, 0x1020 }, 2);
	CHECK_U64(w.chain.end, UNWIND_WHOLE);
	CHECK(!w.chain.spliced);
	world_release(&w);
}

UNIT(function_that_calls_itself_is_spliced_where_it_was)
{
	const uint64_t regs[] = { 0x7000, 0x7000, 0x8010 };
	const uint64_t words[] = { 0x7010, 0x8020, 0x7020, 0x8020, 3, 0x8020 };
	const uint64_t chain[] = { USER, 0x8010, 0x8020, 0x8020, 0x8020, 0x8020, 0x8020,
		0x8030 };
	struct world w;

	world_init(&w);
	add_snapshot(&w, regs, words, 6);
	look_up(&w, chain, 8);
	check_places(&w,
		(const uint64_t[]){
			0x8010, 0x8020, 0x8020, 0x8020, 0x8020, 0x8020, 0x8030 },
		7);
	world_release(&w);
}

UNIT(snapshot_of_an_unknown_abi_has_its_frame_pointers)
{
	const uint64_t regs[] = { 3, 0x7000, 0x8010 }, words[] = { 0, 0 };
	const uint64_t chain[] = { USER, 0x8010, 0x8020 };
	struct world w;

	world_init(&w);
	add_snapshot(&w, regs, words, 2);
	w.sample.regs_abi = 3;
	look_up(&w, chain, 3);
	check_places(&w, (const uint64_t[]){ 0x8010, 0x8020 }, 2);
	CHECK_U64(w.chain.end, UNWIND_FOREIGN);
	world_release(&w);
}

/* Each sample specifies whether its process is a 32-bit one. */
UNIT(snapshot_of_32_bits_has_words_of_four_bytes)
{
	const uint64_t regs[] = { 0x7000, 0x7000, 0x8010 };
	const uint64_t words[] = { 0x802000007008, 0x803000000000, 0, 0 };
	struct world w;

	world_init(&w);
	add_snapshot(&w, regs, words, 4);
	w.sample.regs_abi = 1;
	look_up(&w, NULL, 0);
	check_places(&w, (const uint64_t[]){ 0x8010, 0x8020, 0x8030 }, 3);
	CHECK_U64(w.chain.end, UNWIND_NO_RULE);
	w.sample.regs_abi = 2;
	look_up(&w, NULL, 0);
	check_places(&w, (const uint64_t[]){ 0x8010 }, 1);
	world_release(&w);
}

/* The processor is in the recording's header, or follows from the registers. */
UNIT(snapshots_of_other_processors)
{
	static const struct {
		const char *arch;
		uint64_t fp, sp, pc, mask;
		size_t at; /* in words: where the caller's pair is */
	} cases[] = {
		{ "aarch64", 29, 31, 32, 0x1ffffffff, 0 },
		{ "", 29, 31, 32, 0x1ffffffff, 0 },
		{ "riscv64", 8, 2, 0, 0xffffffff, 2 },
		{ "", 8, 2, 0, 0xffffffff, 2 },
	};
	uint64_t regs[33], words[4];
	struct world w;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		world_init_arch(&w, cases[i].arch);
		memset(regs, 0, sizeof regs);
		memset(words, 0, sizeof words);
		regs[cases[i].fp] = 0x7000 + 8 * cases[i].at;
		regs[cases[i].sp] = 0x7000;
		regs[cases[i].pc] = 0x8010;
		words[1] = 0x8020;
		add_snapshot(&w, regs, words, 4);
		w.event.user_regs = cases[i].mask;
		look_up(&w, NULL, 0);
		check_places(&w, (const uint64_t[]){ 0x8010, 0x8020 }, 2);
		CHECK_U64(w.chain.end, UNWIND_NO_RULE);
		world_release(&w);
	}
}

UNIT(jitdump_is_asked_for_code_without_a_file)
{
	const uint64_t chain[] = { USER, 0x8010, 0x1010, 0x9999 };
	struct world w;

	world_init(&w);
	map(&w, false, 0x20000, "/tmp/jit-7.dump");
	CHECK_U64(look_up(&w, chain, 4), 3);
	CHECK(w.places[0].jitdump && w.places[2].jitdump);
	CHECK(!w.places[1].jitdump);
	world_release(&w);
}

UNIT_MAIN
