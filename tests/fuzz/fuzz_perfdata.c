/* SPDX-License-Identifier: ISC */
/* Any bytes as a perf recording: every slice passed to a handler is readable, and the
 * values are consistent. */
#include "fuzz.h"
#include "msg.h"
#include "perf/reader.h"

struct seen {
	uint64_t sum;
	bool begun;
	uint64_t given, bad;
};

static void
touch(struct seen *seen, struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		seen->sum += (unsigned char)s.s[i];
	seen->given++;
}

static void
handle_sample(void *context, const struct recording_sample *s)
{
	struct seen *seen = context;
	int regs = __builtin_popcountll(s->event->user_regs);

	LAW(seen->begun);
	LAW(s->event->name.n > 0);
	LAW((uintptr_t)s->chain % _Alignof(uint64_t) == 0);
	LAW((uintptr_t)s->regs % _Alignof(uint64_t) == 0);
	for (size_t i = 0; i < s->callchain_n; i++)
		seen->sum += s->chain[i];
	for (size_t i = 0; i < s->branch_n; i++)
		seen->sum += s->branches[i].from + s->branches[i].to;
	LAW(!s->regs || s->regs_abi);
	for (int i = 0; s->regs && i < regs; i++)
		seen->sum += s->regs[i];
	touch(seen, s->event->name);
	touch(seen, s->stack);
}

static void
handle_mmap(void *context, const struct recording_mmap *m)
{
	LAW(m->build_id.n <= 20);
	touch(context, m->path);
	touch(context, m->build_id);
}

static void
handle_comm(void *context, const struct recording_comm *c)
{
	touch(context, c->name);
}

static void
handle_task(void *context, const struct recording_task *t)
{
	((struct seen *)context)->sum += t->pid + t->tid + t->parent_pid + t->parent_tid;
}

static void
handle_switch(void *context, const struct recording_switch *s)
{
	LAW(s->out || !s->preempted);
	((struct seen *)context)->sum += s->pid + s->tid + s->time;
}

static void
handle_ksymbol(void *context, const struct recording_ksymbol *k)
{
	touch(context, k->name);
}

static void
handle_lost(void *context, uint64_t n)
{
	((struct seen *)context)->sum += n;
}

static void
handle_build_id(void *context, struct str path, struct str id, bool kernel)
{
	LAW(((struct seen *)context)->begun);
	LAW(path.n > 0 && id.n > 0 && id.n <= 20);
	touch(context, path);
	touch(context, id);
	((struct seen *)context)->sum += kernel;
}

static void
handle_begin(void *context, const struct recording_about *a)
{
	struct seen *seen = context;

	LAW(!seen->begun);
	seen->begun = true;
	touch(seen, a->command);
	touch(seen, a->host);
	touch(seen, a->arch);
	touch(seen, a->release);
	touch(seen, a->version);
	for (size_t i = 0; i < a->event_n; i++)
		touch(seen, a->events[i]->name);
}

static void
handle_bad(void *context, uint64_t offset, const char *why)
{
	((struct seen *)context)->bad += offset + strlen(why);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str bytes = { (const char *)data, size };
	struct input *in = input_of_memory("fuzz", bytes);
	struct seen seen = { 0 };
	struct recording_handler h = { &seen, handle_sample, handle_mmap, handle_comm,
		handle_task, handle_task, handle_switch, handle_ksymbol, handle_lost,
		handle_build_id, handle_begin, handle_bad };

	msg_quiet(true);
	if (reader_run(in, &h))
		LAW(seen.begun);
	input_close(in);
	return 0;
}
