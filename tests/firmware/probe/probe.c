/* SPDX-License-Identifier: ISC */
/*
 * Samples firmware in an emulator as probe-rs samples a microcontroller: halts the
 * cores at moments that nobody chose, looks at who called whom, lets them go on.
 *
 *	probe [-c CORES] [-n SAMPLES] [-i BUILDID] -m MACHINE -b BASE -p PATH
 *	    -t TEXT -r RULES -o PROFILE EMULATOR... >PLACES
 *	probe [-i BUILDID] -b BASE -p PATH -t TEXT -o PROFILE <ADDRESSES
 *
 * TEXT holds the bytes of .text, RULES the table of unwind.h. A line of PLACES is
 * a sample: an address in the instruction of each frame, innermost first. The
 * lines of a core stand together, as the samples in the profile do. Without an
 * emulator each line of ADDRESSES is a sample of one frame.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "mem.h"
#include "msg.h"
#include "profile.h"
#include "unwind.h"

enum { CORES = 4, ID = 16, PAGE = 4096, SAMPLES = 60, DEEP = 3, TRIES = 500 };

struct settings {
	struct profile_program program;
	const struct unwind_machine *machine;
	const char *text, *rules, *profile;
	char breakpad[2 * ID + 2];
	unsigned cores, samples;
};

static void
wait_us(uint32_t us)
{
	struct timespec t = { us / 1000000, us % 1000000 * 1000 };

	nanosleep(&t, NULL);
}

/* The id by which debuggers know the program: of its build id, or of the first
 * page of its code, in the order of fields of a GUID. */
static void
make_id(struct settings *s)
{
	static const unsigned order[ID] = { 3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13,
		14, 15 };
	unsigned char id[ID] = { 0 };
	FILE *f = fopen(s->text, "rb");
	unsigned byte;
	int c;

	if (!f)
		msg_die("cannot open %s:", s->text);
	for (unsigned i = 0; i < ID && s->program.code_id[0]; i++)
		if (sscanf(s->program.code_id + 2 * i, "%2x", &byte) == 1)
			id[i] = (unsigned char)byte;
	for (unsigned i = 0; i < PAGE && !s->program.code_id[0] && (c = getc(f)) != EOF;
		i++)
		id[i % ID] ^= (unsigned char)c;
	fclose(f);
	for (unsigned i = 0; i < ID; i++)
		snprintf(s->breakpad + 2 * i, 3, "%02X", id[order[i]]);
	s->breakpad[2 * ID] = '0';
	s->program.breakpad_id = s->breakpad;
}

/* Adds where the chosen core is to T, and a line to PLACES. */
static void
sample(struct remote *r, const struct settings *s, const struct unwind_rules *rules,
	struct profile_thread *t, FILE *places)
{
	struct unwind_frame frames[UNWIND_DEPTH];
	uint64_t told[UNWIND_DEPTH];
	size_t n = unwind_stack(r, s->machine, rules, frames);

	for (size_t i = 0; i < n; i++) {
		told[n - 1 - i] = frames[i].told;
		fprintf(places, "%s%" PRIx64, i ? " " : "", frames[i].place);
	}
	fputc('\n', places);
	profile_add(t, told, n);
}

/* Lets the cores run until each is at work, which the start-up code is not. */
static void
warm_up(struct remote *r, const struct settings *s, const struct unwind_rules *rules)
{
	struct unwind_frame frames[UNWIND_DEPTH];
	unsigned at_work = 0;

	for (int i = 0; i < TRIES && at_work < s->cores; i++) {
		remote_go(r);
		wait_us(10000);
		remote_halt(r);
		at_work = 0;
		for (unsigned c = 0; c < s->cores; c++) {
			remote_core(r, c);
			at_work += unwind_stack(r, s->machine, rules, frames) >= DEEP;
		}
	}
	if (at_work < s->cores)
		msg_die("the cores do not work");
}

static void
save(const struct settings *s, struct profile_thread *threads)
{
	FILE *out = fopen(s->profile, "w");

	if (!out)
		msg_die("cannot open %s:", s->profile);
	profile_write(out, &s->program, threads, s->cores);
	if (fclose(out) != 0)
		msg_die("cannot write %s:", s->profile);
	for (unsigned c = 0; c < s->cores; c++)
		profile_release(&threads[c]);
}

static void
run(const struct settings *s, char **emulator)
{
	struct profile_thread threads[CORES] = { 0 };
	FILE *places[CORES];
	struct unwind_rules rules;
	struct remote r;
	uint32_t moment = 1;
	char line[1024];

	for (unsigned c = 0; c < s->cores; c++)
		if (!(places[c] = tmpfile()))
			msg_die("cannot make a file:");
	unwind_read(&rules, s->rules);
	remote_start(&r, emulator);
	warm_up(&r, s, &rules);
	for (unsigned i = 0; i < s->samples; i++) {
		remote_go(&r);
		moment = moment * 1103515245 + 12345;
		wait_us(500 + (moment >> 16) % 4000);
		remote_halt(&r);
		for (unsigned c = 0; c < s->cores; c++) {
			remote_core(&r, c);
			sample(&r, s, &rules, &threads[c], places[c]);
		}
	}
	remote_end(&r);
	for (unsigned c = 0; c < s->cores; c++) {
		rewind(places[c]);
		while (fgets(line, sizeof line, places[c]))
			fputs(line, stdout);
		fclose(places[c]);
	}
	save(s, threads);
	free(rules.rows);
}

/* Makes samples of what stands on stdin. */
static void
list(const struct settings *s)
{
	struct profile_thread thread = { 0 };
	uint64_t address;

	while (scanf("%" SCNx64, &address) == 1)
		profile_add(&thread, &address, 1);
	save(s, &thread);
}

int
main(int argc, char **argv)
{
	struct settings s = { .cores = 1, .samples = SAMPLES, .program.code_id = "" };
	int c;

	msg_init(argv[0]);
	while ((c = getopt(argc, argv, "+m:b:p:i:t:r:o:c:n:")) != -1)
		switch (c) {
		case 'm': s.machine = unwind_machine(optarg); break;
		case 'b': s.program.base = strtoull(optarg, NULL, 16); break;
		case 'p': s.program.path = optarg; break;
		case 'i': s.program.code_id = optarg; break;
		case 't': s.text = optarg; break;
		case 'r': s.rules = optarg; break;
		case 'o': s.profile = optarg; break;
		case 'c': s.cores = (unsigned)strtoul(optarg, NULL, 10); break;
		case 'n': s.samples = (unsigned)strtoul(optarg, NULL, 10); break;
		default: return MSG_TROUBLE;
		}
	if (!s.program.path || !s.text || !s.profile || s.cores < 1 || s.cores > CORES ||
		(argv[optind] && (!s.machine || !s.rules)))
		msg_die("options are missing");
	make_id(&s);
	if (argv[optind])
		run(&s, argv + optind);
	else
		list(&s);
	return fflush(stdout) == 0 ? MSG_DONE : MSG_TROUBLE;
}
