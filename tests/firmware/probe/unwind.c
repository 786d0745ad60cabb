/* SPDX-License-Identifier: ISC */
/*
 * See unwind.h.
 */
#include "unwind.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mem.h"
#include "msg.h"

enum {
	A64_LINK = 30,
	A64_SP = 31,
	A64_PC = 32,
	ARM_SP = 13,
	ARM_LINK = 14,
	ARM_PC = 15,
	RISCV_LINK = 1,
	RISCV_SP = 2,
	RISCV_PC = 32,
	STATE_BIT = 1
		<< 5 /* of ARM's status, which is behind what QEMU has of coprocessors */
};

/* probe-rs goes back by so much for 32 bits only, and never for A32. */
static const struct unwind_machine machines[] = {
	{ "thumb", 4, ARM_SP, ARM_LINK, ARM_PC, 16, false, 2, true, true },
	{ "a32", 4, ARM_SP, ARM_LINK, ARM_PC, 16, true, 0, false, false },
	{ "aarch64", 8, A64_SP, A64_LINK, A64_PC, 33, false, 0, false, false },
	{ "rv32", 4, RISCV_SP, RISCV_LINK, RISCV_PC, 33, false, 4, false, false },
	{ "rv32c", 4, RISCV_SP, RISCV_LINK, RISCV_PC, 33, false, 2, false, false },
	{ "rv64", 8, RISCV_SP, RISCV_LINK, RISCV_PC, 33, false, 0, false, false },
};

const struct unwind_machine *
unwind_machine(const char *name)
{
	for (size_t i = 0; i < sizeof machines / sizeof *machines; i++)
		if (strcmp(machines[i].name, name) == 0)
			return &machines[i];
	msg_die("no machine is called %s", name);
}

static void
read_saved(struct unwind_rule *rule, const char *text)
{
	int used;

	while (rule->saved_n < UNWIND_SAVED &&
		sscanf(text, "%u %ld%n", &rule->saved[rule->saved_n].number,
			&rule->saved[rule->saved_n].offset, &used) == 2) {
		if (rule->saved[rule->saved_n].number >= UNWIND_REGISTERS)
			msg_die("the table saves a register that is not there");
		text += used;
		rule->saved_n++;
	}
}

void
unwind_read(struct unwind_rules *rules, const char *file)
{
	FILE *f = fopen(file, "r");
	char line[512], ra[32];
	int used;

	*rules = (struct unwind_rules){ 0 };
	if (!f)
		msg_die("cannot open %s:", file);
	while (fgets(line, sizeof line, f)) {
		struct unwind_rule rule = { 0 };

		if (sscanf(line, "%" SCNx64 " %" SCNx64 " %u %ld %31s%n", &rule.start,
			    &rule.end, &rule.cfa, &rule.offset, ra, &used) != 5 ||
			rule.cfa >= UNWIND_REGISTERS)
			msg_die("%s: not a row: %s", file, line);
		rule.saved_ra = ra[0] != '-' || ra[1];
		rule.ra = strtol(ra, NULL, 10);
		read_saved(&rule, line + used);
		rules->rows = mem_grow(
			rules->rows, &rules->cap, rules->n + 1, sizeof *rules->rows);
		rules->rows[rules->n++] = rule;
	}
	fclose(f);
}

/* A core and where it is, one call after the other further out. */
struct walk {
	struct remote *remote;
	const struct unwind_machine *machine;
	const struct unwind_rules *rules;
	uint64_t registers[UNWIND_REGISTERS];
	bool thumb;
};

static void
read_registers(struct walk *w)
{
	unsigned char bytes[8 * UNWIND_REGISTERS] = { 0 };
	unsigned word = w->machine->word;
	size_t n = remote_registers(w->remote, bytes, sizeof bytes);

	if (n < (w->machine->count + w->machine->state) * word)
		msg_die("the emulator has too few registers");
	for (unsigned i = 0; i < w->machine->count; i++) {
		w->registers[i] = 0;
		for (unsigned k = word; k > 0; k--)
			w->registers[i] = w->registers[i] << 8 | bytes[i * word + k - 1];
	}
	w->thumb =
		w->machine->thumb || (w->machine->state && (bytes[n - word] & STATE_BIT));
}

static const struct unwind_rule *
find_rule(const struct walk *w, uint64_t place)
{
	for (size_t i = 0; i < w->rules->n; i++)
		if (place >= w->rules->rows[i].start && place < w->rules->rows[i].end)
			return &w->rules->rows[i];
	return NULL;
}

static bool
load(const struct walk *w, uint64_t address, uint64_t *value)
{
	return remote_memory(w->remote, address, w->machine->word, value);
}

/* Goes to the caller by RULE; *RA is where it goes on. */
static bool
step_by(struct walk *w, const struct unwind_rule *rule, uint64_t *ra)
{
	uint64_t mask = w->machine->word == 4 ? UINT32_MAX : UINT64_MAX;
	uint64_t cfa = (w->registers[rule->cfa] + (uint64_t)rule->offset) & mask;

	*ra = w->registers[w->machine->link];
	if (rule->saved_ra && !load(w, (cfa + (uint64_t)rule->ra) & mask, ra))
		return false;
	for (size_t i = 0; i < rule->saved_n; i++)
		if (!load(w, (cfa + (uint64_t)rule->saved[i].offset) & mask,
			    &w->registers[rule->saved[i].number]))
			return false;
	w->registers[w->machine->sp] = cfa;
	w->registers[w->machine->link] = *ra;
	return true;
}

/* Goes from the handler of an exception to what it interrupted: eight words that
 * the processor has put on the stack. */
static bool
step_exception(struct walk *w, uint64_t *pc)
{
	static const unsigned stacked[] = { 0, 1, 2, 3, 12, ARM_LINK, ARM_PC };
	enum { STATUS = 28, SIZE = 32, PADDED = 1 << 9 };
	uint64_t sp = w->registers[ARM_SP], status;

	for (unsigned i = 0; i < sizeof stacked / sizeof *stacked; i++)
		if (!load(w, sp + 4 * i, &w->registers[stacked[i]]))
			return false;
	if (!load(w, sp + STATUS, &status))
		return false;
	w->registers[ARM_SP] = sp + SIZE + (status & PADDED ? 4 : 0);
	*pc = w->registers[ARM_PC];
	return true;
}

static bool
is_exception(const struct walk *w, uint64_t ra)
{
	return w->machine->exceptions && ra >= 0xffffffe0 && ra < 0xffffffff;
}

/* What probe-rs makes of the return address RA, and a place in the call. */
static struct unwind_frame
caller(const struct walk *w, uint64_t ra)
{
	if (w->thumb)
		return (struct unwind_frame){ (ra - 2) & ~UINT64_C(1),
			(ra & ~UINT64_C(1)) - 1 };
	return (struct unwind_frame){ ra - w->machine->back, (ra & ~UINT64_C(1)) - 1 };
}

/* The frame above one at PLACE; only the innermost may be without a rule. */
static bool
go_up(struct walk *w, uint64_t place, bool innermost, struct unwind_frame *frame)
{
	const struct unwind_rule *rule = find_rule(w, place);
	uint64_t ra = w->registers[w->machine->link];
	uint64_t none = w->machine->word == 4 ? UINT32_MAX : UINT64_MAX;

	if (rule ? !step_by(w, rule, &ra) : !innermost)
		return false;
	if (is_exception(w, ra)) {
		if (!step_exception(w, &ra))
			return false;
		*frame = (struct unwind_frame){ ra, ra };
		return true;
	}
	if (ra == 0 || ra == none)
		return false;
	*frame = caller(w, ra);
	return true;
}

size_t
unwind_stack(struct remote *r, const struct unwind_machine *m,
	const struct unwind_rules *rules, struct unwind_frame frames[UNWIND_DEPTH])
{
	struct walk w = { .remote = r, .machine = m, .rules = rules };
	size_t n = 1;

	read_registers(&w);
	frames[0].told = frames[0].place = w.registers[m->pc];
	while (n < UNWIND_DEPTH && go_up(&w, frames[n - 1].place, n == 1, &frames[n]))
		n++;
	return n;
}
