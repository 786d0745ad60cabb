/* SPDX-License-Identifier: ISC */
/* Recordings of perf, built here in either byte order: collapse/perf/reader.h. */
#include "perf/event-attr.h"
#include "buf.h"
#include "mem.h"
#include "perf/reader.h"
#include "perf/record.h"
#include "perf/reorder.h"
#include "unit.h"
#include "inflate.h"

/* A recording under construction. */
struct made {
	struct buf b;
	bool big;
	size_t record; /* start of the open record */
};

static void
put(struct made *m, uint64_t v, int size)
{
	for (int i = 0; i < size; i++)
		buf_char(&m->b, (char)(v >> 8 * (m->big ? size - 1 - i : i)));
}

static void
put_at(struct made *m, size_t at, uint64_t v, int size)
{
	size_t n = m->b.n;

	m->b.n = at;
	put(m, v, size);
	m->b.n = n;
}

/* Writes text and zeroes up to N bytes. */
static void
put_text(struct made *m, const char *text, size_t n)
{
	buf_str(&m->b, str_head(str_of(text), n));
	for (size_t i = strlen(text); i < n; i++)
		buf_char(&m->b, 0);
}

static void
begin_record(struct made *m, uint32_t type, uint16_t misc)
{
	m->record = m->b.n;
	put(m, type, 4);
	put(m, misc, 2);
	put(m, 0, 2);
}

static void
end_record(struct made *m)
{
	put_at(m, m->record + 6, m->b.n - m->record, 2);
}

/* The attributes of an event; flags as bits of the struct on a little-endian machine. */
struct wanted {
	uint32_t type;
	uint64_t config, period, sample_type, read_format, flags, branch_type, regs;
	uint32_t clockid;
};

#define FREQ (1ull << EVENT_ATTR_FREQ)
#define ALL  (1ull << EVENT_ATTR_ID_ALL)

/* Big-endian machines begin with the highest bit of each byte; precise_ip, a field of
 * two bits, begins with its higher one. */
static void
put_flags(struct made *m, uint64_t flags)
{
	uint64_t precise = flags >> EVENT_ATTR_PRECISE & 3;

	if (m->big && (precise == 1 || precise == 2))
		flags ^= 3ull << EVENT_ATTR_PRECISE;
	for (int i = 0; i < 8; i++) {
		unsigned byte = flags >> 8 * i & 255, turned = 0;

		for (int bit = 0; bit < 8; bit++)
			turned |= (byte >> bit & 1) << (7 - bit);
		buf_char(&m->b, (char)(m->big ? turned : byte));
	}
}

enum { ATTR_SIZE = 112 };

static void
put_attr(struct made *m, const struct wanted *w)
{
	put(m, w->type, 4);
	put(m, ATTR_SIZE, 4);
	put(m, w->config, 8);
	put(m, w->period, 8);
	put(m, w->sample_type, 8);
	put(m, w->read_format, 8);
	put_flags(m, w->flags);
	put(m, 0, 8);
	put(m, 0x1234, 8);
	put(m, 0, 8);
	put(m, w->branch_type, 8);
	put(m, w->regs, 8);
	put(m, 0, 4);
	put(m, w->clockid, 4);
	put(m, 0, 8);
	put(m, 0, 8);
}

/* A pipe with the events W[0..N); event I has the ids 100 + I and 200 + I. */
static struct made
begin_pipe(bool big, const struct wanted *w, int n)
{
	struct made m = { .big = big };

	buf_str(&m.b, big ? STR("2ELIFREP") : STR("PERFILE2"));
	put(&m, 16, 8);
	for (int i = 0; i < n; i++) {
		begin_record(&m, RECORD_HEADER_ATTR, 0);
		put_attr(&m, w + i);
		put(&m, 100 + (unsigned)i, 8);
		put(&m, 200 + (unsigned)i, 8);
		end_record(&m);
	}
	return m;
}

/* The same as a file; the data section follows at once. */
static struct made
begin_file(bool big, const struct wanted *w, int n)
{
	struct made m = { .big = big };
	uint64_t ids = 104, attrs = ids + 16 * (unsigned)n;

	buf_str(&m.b, big ? STR("2ELIFREP") : STR("PERFILE2"));
	put(&m, 104, 8);
	put(&m, ATTR_SIZE + 16, 8);
	put(&m, attrs, 8);
	put(&m, (ATTR_SIZE + 16) * (uint64_t)n, 8);
	put(&m, attrs + (ATTR_SIZE + 16) * (uint64_t)n, 8);
	for (int i = 0; i < 7; i++)
		put(&m, 0, 8);
	for (int i = 0; i < n; i++) {
		put(&m, 100 + (unsigned)i, 8);
		put(&m, 200 + (unsigned)i, 8);
	}
	for (int i = 0; i < n; i++) {
		put_attr(&m, w + i);
		put(&m, ids + 16 * (unsigned)i, 8);
		put(&m, 16, 8);
	}
	return m;
}

static uint64_t
data_offset(int n)
{
	return 104 + 16 * (uint64_t)n + (ATTR_SIZE + 16) * (uint64_t)n;
}

/* Ends the data section of a file with N events. */
static void
end_data(struct made *m, int n)
{
	put_at(m, 48, m->b.n - data_offset(n), 8);
}

/* The reader's output, one line each. */
struct log {
	struct buf b;
};

static void
add_hex(struct buf *b, struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		buf_fmt(b, "%02x", (unsigned)(unsigned char)s.s[i]);
}

static void
log_sample(void *context, const struct recording_sample *s)
{
	struct buf *b = &((struct log *)context)->b;
	size_t i;

	buf_fmt(b, "sample %d", (int)s->mode);
	if (s->has_ip)
		buf_fmt(b, " ip=%" PRIx64, s->ip);
	if (s->has_tid)
		buf_fmt(b, " %u/%u", s->pid, s->tid);
	if (s->has_time)
		buf_fmt(b, " t=%" PRIu64, s->time);
	if (s->has_cpu)
		buf_fmt(b, " cpu=%u", s->cpu);
	buf_fmt(b, "%s%" PRIu64 " ", s->has_period ? " period=" : " fixed=", s->period);
	buf_str(b, s->event->name);
	for (i = 0; i < s->callchain_n; i++)
		buf_fmt(b, " %" PRIx64, s->chain[i]);
	for (i = 0; i < s->branch_n; i++)
		buf_fmt(b, " %" PRIx64 ">%" PRIx64, s->branches[i].from,
			s->branches[i].to);
	if (s->regs_abi)
		buf_fmt(b, " abi=%" PRIu64, s->regs_abi);
	for (i = 0; s->regs && i < (size_t)__builtin_popcountll(s->event->user_regs); i++)
		buf_fmt(b, " r%zu=%" PRIx64, i, s->regs[i]);
	if (s->stack.n)
		buf_str(b, STR(" stack="));
	buf_str(b, s->stack);
	buf_char(b, '\n');
}

static void
log_mmap(void *context, const struct recording_mmap *m)
{
	struct buf *b = &((struct log *)context)->b;

	buf_fmt(b, "mmap %u/%u %" PRIx64 "+%" PRIx64 "@%" PRIx64 "%s%s ", m->pid, m->tid,
		m->start, m->length, m->offset, m->executable ? " x" : "",
		m->kernel ? " k" : "");
	add_hex(b, m->build_id);
	buf_fmt(b, " %.*s\n", (int)m->path.n, m->path.s);
}

static void
log_comm(void *context, const struct recording_comm *c)
{
	buf_fmt(&((struct log *)context)->b, "comm %u/%u %.*s%s\n", c->pid, c->tid,
		(int)c->name.n, c->name.s, c->exec ? " exec" : "");
}

static void
log_fork(void *context, const struct recording_task *t)
{
	buf_fmt(&((struct log *)context)->b, "fork %u/%u of %u/%u%s\n", t->pid, t->tid,
		t->parent_pid, t->parent_tid, t->found ? " found" : "");
}

static void
log_exit(void *context, const struct recording_task *t)
{
	buf_fmt(&((struct log *)context)->b, "exit %u/%u of %u/%u\n", t->pid, t->tid,
		t->parent_pid, t->parent_tid);
}

static void
log_switched(void *context, const struct recording_switch *s)
{
	buf_fmt(&((struct log *)context)->b, "switch %u/%u t=%" PRIu64 "%s%s\n", s->pid,
		s->tid, s->time, s->out ? " out" : "", s->preempted ? " preempted" : "");
}

static void
log_ksymbol(void *context, const struct recording_ksymbol *k)
{
	buf_fmt(&((struct log *)context)->b, "ksymbol %" PRIx64 "+%u %.*s%s\n",
		k->address, k->length, (int)k->name.n, k->name.s, k->gone ? " gone" : "");
}

static void
log_lost(void *context, uint64_t n)
{
	buf_fmt(&((struct log *)context)->b, "lost %" PRIu64 "\n", n);
}

static void
log_build_id(void *context, struct str path, struct str id, bool kernel)
{
	struct buf *b = &((struct log *)context)->b;

	buf_fmt(b, "build-id%s ", kernel ? " k" : "");
	add_hex(b, id);
	buf_fmt(b, " %.*s\n", (int)path.n, path.s);
}

static void
log_begin(void *context, const struct recording_about *a)
{
	struct buf *b = &((struct log *)context)->b;

	buf_fmt(b, "begin %zu", a->event_n);
	if (a->command.n)
		buf_fmt(b, " (%.*s)", (int)a->command.n, a->command.s);
	if (a->host.n)
		buf_fmt(b, " host=%.*s", (int)a->host.n, a->host.s);
	if (a->arch.n)
		buf_fmt(b, " arch=%.*s", (int)a->arch.n, a->arch.s);
	if (a->clock)
		buf_fmt(b, " clock=%" PRIu64, a->clock);
	buf_fmt(b, "%s\n", a->compressed ? " z" : "");
}

static void
log_bad(void *context, uint64_t offset, const char *why)
{
	buf_fmt(&((struct log *)context)->b, "bad %" PRIu64 " %s\n", offset, why);
}

static bool
run_input(struct input *in, struct buf *text)
{
	struct log log = { { 0 } };
	struct recording_handler h = { &log, log_sample, log_mmap, log_comm, log_fork,
		log_exit, log_switched, log_ksymbol, log_lost, log_build_id, log_begin,
		log_bad };
	bool fine = reader_run(in, &h);

	input_close(in);
	*text = log.b;
	return fine;
}

/* Reads M from memory and from a file, whose outputs must be equal. The caller
 * releases the output. */
static bool
run(const struct made *m, struct buf *text)
{
	char path[] = "/tmp/fg-test-XXXXXX";
	struct buf again;
	bool fine = run_input(input_of_memory("memory", buf_view(&m->b)), text);
	int fd = mkstemp(path);

	if (fd < 0 || write(fd, m->b.s, m->b.n) != (ssize_t)m->b.n)
		abort();
	close(fd);
	CHECK(run_input(input_open(path), &again) == fine);
	unlink(path);
	CHECK_STR(buf_view(&again), buf_view(text));
	buf_release(&again);
	return fine;
}

/* Checks that M is readable with the output EXPECTED. */
static void
check(struct made *m, const char *expected)
{
	struct buf text;

	CHECK(run(m, &text));
	CHECK_STR(buf_view(&text), str_of(expected));
	buf_release(&text);
	buf_release(&m->b);
}

static void
check_refused(struct made *m)
{
	struct buf text;

	CHECK(!run(m, &text));
	buf_release(&text);
	buf_release(&m->b);
}

/* The simplest events: a clock with ip, tid and time. */
static const struct wanted plain = { .type = 1,
	.period = 1000,
	.sample_type = RECORDING_HAS_IP | RECORDING_HAS_TID | RECORDING_HAS_TIME,
	.flags = ALL | 1ull << EVENT_ATTR_EXCLUDE_GUEST };

static void
put_plain(struct made *m, uint64_t ip, uint32_t tid, uint64_t time)
{
	begin_record(m, RECORD_SAMPLE, RECORDING_USER);
	put(m, ip, 8);
	put(m, 7, 4);
	put(m, tid, 4);
	put(m, time, 8);
	end_record(m);
}

static void
put_comm(struct made *m, const char *name, uint32_t tid, uint64_t time)
{
	begin_record(m, RECORD_COMM, 0);
	put(m, 7, 4);
	put(m, tid, 4);
	put_text(m, name, 8);
	put(m, 7, 4);
	put(m, tid, 4);
	put(m, time, 8);
	end_record(m);
}

static void
put_round(struct made *m)
{
	begin_record(m, RECORD_FINISHED_ROUND, 0);
	end_record(m);
}

/* All fields of a sample up to the stack. */
static const struct wanted full = { .type = 0,
	.period = 4000,
	.sample_type = 0x3fff | RECORDING_HAS_IDENTIFIER,
	.read_format =
		EVENT_ATTR_READ_ENABLED | EVENT_ATTR_READ_RUNNING | EVENT_ATTR_READ_LOST,
	.branch_type = EVENT_ATTR_BRANCH_INDEX | EVENT_ATTR_BRANCH_COUNTERS,
	.regs = 0x8101,
	.flags = FREQ | ALL | 1ull << EVENT_ATTR_EXCLUDE_KERNEL |
		2ull << EVENT_ATTR_PRECISE };

static void
put_full(struct made *m, uint64_t regs_abi)
{
	begin_record(m, RECORD_SAMPLE, 0x4000 | RECORDING_KERNEL);
	put(m, 100, 8);
	put(m, 0xffffffff81000010, 8);
	put(m, 7, 4);
	put(m, 8, 4);
	put(m, 123456, 8);
	put(m, 0xadd4, 8);
	put(m, 100, 8);
	put(m, 5, 8);
	put(m, 3, 4);
	put(m, 0, 4);
	put(m, 77, 8); /* period */
	put(m, 1, 8);  /* read: value, enabled, running, lost */
	put(m, 2, 8);
	put(m, 3, 8);
	put(m, 4, 8);
	put(m, 3, 8); /* chain */
	put(m, (uint64_t)-512, 8);
	put(m, 0x401000, 8);
	put(m, 0x402000, 8);
	put(m, 12, 4); /* raw */
	put_text(m, "raw", 12);
	put(m, 2, 8); /* branches, with an index and counters */
	put(m, 0, 8);
	put(m, 0x10, 8);
	put(m, 0x20, 8);
	put(m, 99, 8);
	put(m, 0x30, 8);
	put(m, 0x40, 8);
	put(m, 99, 8);
	put(m, 1, 8);
	put(m, 2, 8);
	put(m, regs_abi, 8);
	for (unsigned i = 0; i < 3 && regs_abi; i++)
		put(m, 0xa0 + i, 8);
	put(m, 16, 8);
	put_text(m, "stack bytes", 16);
	put(m, 5, 8);
	end_record(m);
}

UNIT(a_sample_has_all_fields_in_either_byte_order)
{
	for (int big = 0; big < 2; big++) {
		struct made m = begin_file(big, &full, 1);

		put_full(&m, 2);
		put_full(&m, 0);
		end_data(&m, 1);
		check(&m,
			"begin 1\n"
			"sample 1 ip=ffffffff81000010 7/8 t=123456 cpu=3 period=77 cycles:uhpp "
			"fffffffffffffe00 401000 402000 10>20 30>40 abi=2 r0=a0 r1=a1 r2=a2 "
			"stack=stack\n"
			"sample 1 ip=ffffffff81000010 7/8 t=123456 cpu=3 period=77 cycles:uhpp "
			"fffffffffffffe00 401000 402000 10>20 30>40 stack=stack\n");
	}
}

/* Samples of thread TID at TIME whose chain ends with COOKIE. */
static void
put_waiting(struct made *m, uint32_t tid, uint64_t time, uint64_t cookie)
{
	begin_record(m, RECORD_SAMPLE, RECORDING_KERNEL);
	put(m, 7, 4);
	put(m, tid, 4);
	put(m, time, 8);
	put(m, 4, 8);
	put(m, (uint64_t)-128, 8);
	put(m, 0xffffffff81000010, 8);
	put(m, (uint64_t)-640, 8);
	put(m, cookie, 8);
	end_record(m);
}

/* A deferred chain: N addresses from 0x1000 on, or a wrong N. */
static void
put_later(struct made *m, uint32_t tid, uint64_t time, uint64_t cookie, uint64_t n)
{
	begin_record(m, RECORD_CALLCHAIN_DEFERRED, RECORDING_USER);
	put(m, cookie, 8);
	put(m, n, 8);
	put(m, (uint64_t)-512, 8);
	for (uint64_t i = 1; i < n && i < 8; i++)
		put(m, i * 0x1000, 8);
	put(m, 7, 4);
	put(m, tid, 4);
	put(m, time, 8);
	end_record(m);
}

static const struct wanted waits = { .config = 1,
	.period = 4000,
	.sample_type = RECORDING_HAS_TID | RECORDING_HAS_TIME | RECORDING_HAS_CALLCHAIN,
	.flags = ALL };

UNIT(deferred_chain_is_joined_to_all_waiting_samples)
{
	for (int big = 0; big < 2; big++) {
		struct made m = begin_pipe(big, &waits, 1);

		put_waiting(&m, 8, 10, 1);
		put_waiting(&m, 9, 11, 1); /* another thread's */
		put_waiting(&m, 8, 12, 1);
		put_waiting(&m, 8, 13, 2);
		put_later(&m, 8, 14, 1, 3);
		put_later(&m, 9, 15, 1, 2);
		put_later(&m, 9, 16, 3, 2); /* unknown cookie */
		put_later(&m, 8, 17, 2, 1);
		put_waiting(&m, 8, 18, 2); /* never comes */
		check(&m,
			"begin 1\n"
			"sample 1 7/8 t=10 fixed=4000 instructions:HG "
			"ffffffffffffff80 ffffffff81000010 fffffffffffffe00 1000 2000\n"
			"sample 1 7/8 t=12 fixed=4000 instructions:HG "
			"ffffffffffffff80 ffffffff81000010 fffffffffffffe00 1000 2000\n"
			"sample 1 7/9 t=11 fixed=4000 instructions:HG "
			"ffffffffffffff80 ffffffff81000010 fffffffffffffe00 1000\n"
			"sample 1 7/8 t=13 fixed=4000 instructions:HG "
			"ffffffffffffff80 ffffffff81000010 fffffffffffffe00\n"
			"sample 1 7/8 t=18 fixed=4000 instructions:HG "
			"ffffffffffffff80 ffffffff81000010 fffffffffffffe00\n");
	}
}

UNIT(deferred_chain_with_a_wrong_count_is_bad)
{
	static const uint64_t counts[] = { 100, UINT64_MAX, UINT64_MAX / 8, 1 << 20 };

	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
		struct made m = begin_pipe(false, &waits, 1);

		put_waiting(&m, 8, 10, 1);
		put_later(&m, 8, 14, 1, counts[i]);
		check(&m,
			"begin 1\n"
			"bad 216 a deferred call chain is damaged\n"
			"sample 1 7/8 t=10 fixed=4000 instructions:HG "
			"ffffffffffffff80 ffffffff81000010 fffffffffffffe00\n");
	}
}

/* More deferred chains than fit: the oldest samples go without. */
UNIT(waiting_samples_are_limited)
{
	struct record_deferred d = { 0 };
	struct record_waiting *i;
	char record[60000] = "";
	uint64_t n, taken = 0;

	for (n = 0; n < 5000; n++) {
		record_deferred_hold(&d, (uint32_t)n % 7, n / 3,
			(struct str){ record, sizeof record }, n);
		if ((i = record_deferred_oldest(&d, false))) {
			CHECK_U64(i->offset, taken);
			taken++;
			free(i);
		}
	}
	CHECK(taken > 4000 && d.bytes <= 32 << 20);
	i = record_deferred_take(&d, 4998 % 7, 4998 / 3);
	CHECK(i && i->offset == 4998);
	free(i);
	CHECK(!record_deferred_take(&d, 4998 % 7, 4998 / 3));
	CHECK(!record_deferred_take(&d, 77, 0));
	while ((i = record_deferred_oldest(&d, true))) {
		CHECK_U64(i->offset, taken);
		taken += taken == 4997 ? 2 : 1;
		free(i);
	}
	CHECK_U64(d.n, 0);
	CHECK_U64(d.bytes, 0);
	CHECK_U64(taken, 5000);
	record_deferred_release(&d);
}

UNIT(a_cut_or_inconsistent_sample_is_bad_at_every_place)
{
	/* A word of the sample that counts is made too large; or the sample is made
	 * shorter, a word at a time. */
	static const size_t counts[] = { 13, 17, 19, 33 };
	struct made m;
	size_t i, start = data_offset(1), n;

	for (i = 0; i < 4; i++) {
		m = begin_file(false, &full, 1);
		put_full(&m, 2);
		put_at(&m, start + 8 + counts[i] * 8, UINT64_MAX - 7, 8);
		end_data(&m, 1);
		check(&m, "begin 1\nbad 248 a sample is cut short\n");
	}
	for (n = 8; n < 38 * 8; n += 8) {
		m = begin_file(false, &full, 1);
		put_full(&m, 2);
		m.b.n = start + n;
		put_at(&m, start + 6, n, 2);
		end_data(&m, 1);
		check(&m, "begin 1\nbad 248 a sample is cut short\n");
	}
}

UNIT(a_pipe_has_all_in_records)
{
	for (int big = 0; big < 2; big++) {
		struct made m = begin_pipe(big, &plain, 1);

		begin_record(&m, RECORD_HEADER_FEATURE, 0);
		put(&m, 11, 8);
		put(&m, 2, 4);
		put(&m, 8, 4);
		put_text(&m, "perf", 8);
		put(&m, 9,
			4); /* not a multiple of a word: the following fields are unaligned */
		put_text(&m, "record", 9);
		end_record(&m);
		begin_record(&m, RECORD_HEADER_FEATURE, 0);
		put(&m, 3, 8);
		put(&m, 8, 4);
		put_text(&m, "box", 8);
		end_record(&m);
		begin_record(&m, RECORD_EVENT_UPDATE, 0);
		put(&m, 2, 8);
		put(&m, 200, 8);
		put_text(&m, "my event", 16);
		end_record(&m);
		begin_record(&m, RECORD_TRACING_DATA, 0);
		put(&m, 13, 4);
		put(&m, 0, 4);
		end_record(&m);
		put_text(&m, "not a record at all", 16);
		put_plain(&m, 0x1000, 7, 5);
		begin_record(&m, RECORD_AUXTRACE, 0);
		put(&m, 3, 8);
		put_text(&m, "", 32);
		end_record(&m);
		put_text(&m, "abc", 3);
		put_plain(&m, 0x2000, 7, 6);
		check(&m,
			"begin 1 (perf record) host=box\n"
			"sample 2 ip=1000 7/7 t=5 fixed=1000 my event\n"
			"sample 2 ip=2000 7/7 t=6 fixed=1000 my event\n");
	}
}

UNIT(a_chain_at_an_uneven_place_is_put_right)
{
	static const struct wanted w = {
		.type = 1, .sample_type = RECORDING_HAS_CALLCHAIN, .flags = FREQ
	};
	struct made m = begin_pipe(false, &w, 1);

	begin_record(&m, RECORD_HEADER_FEATURE, 0);
	put(&m, 99, 8);
	put_text(&m, "x", 1);
	end_record(&m);
	begin_record(&m, RECORD_SAMPLE, RECORDING_USER);
	put(&m, 2, 8);
	put(&m, 0x1000, 8);
	put(&m, 0x2000, 8);
	end_record(&m);
	check(&m, "begin 1\nsample 2 fixed=1 cpu-clock:HG 1000 2000\n");
}

UNIT(samples_may_be_empty)
{
	static const struct wanted w = {
		.type = 1, .sample_type = RECORDING_HAS_CALLCHAIN, .flags = FREQ
	};

	for (int big = 0; big < 2; big++) {
		struct made m = begin_pipe(big, &w, 1);

		begin_record(&m, RECORD_SAMPLE, RECORDING_USER);
		end_record(&m);
		begin_record(&m, RECORD_SAMPLE, RECORDING_USER);
		put(&m, 0, 8);
		end_record(&m);
		check(&m,
			"begin 1\nbad 152 a sample is cut short\n"
			"sample 2 fixed=1 cpu-clock:HG\n");
	}
}

/* Sections behind the data, in the order of their bits. */
static void
put_features(struct made *m)
{
	size_t table, at[4], i;

	put_at(m, 72, 1 << 2 | 1 << 3 | 1 << 11 | 1 << 12, 8);
	table = m->b.n;
	put_text(m, "", 4 * 16);
	at[0] = m->b.n;
	begin_record(m, RECORD_BUILD_ID, RECORDING_KERNEL);
	put(m, 0xffffffff, 4);
	put_text(m, "\1\2\3\4\5\6\7\10\11\12\13\14\15\16\17\20\21\22\23\24", 24);
	put_text(m, "[kernel.kallsyms]", 24);
	end_record(m);
	begin_record(m, RECORD_BUILD_ID, 1 << 15 | RECORDING_USER);
	put(m, 0xffffffff, 4);
	put_text(m, "\1\2\3\4\5\6\7\10", 20);
	put(m, 8 << (m->big ? 24 : 0), 4);
	put_text(m, "/bin/a", 8);
	end_record(m);
	begin_record(m, RECORD_BUILD_ID, RECORDING_USER);
	put(m, 0xffffffff, 4);
	put_text(m, "\1\2\3\4\5\6\7\10", 24);
	put_text(m, "/bin/b", 8);
	end_record(m);
	at[1] = m->b.n;
	put(m, 16, 4);
	put_text(m, "host", 16);
	at[2] = m->b.n;
	put(m, 1, 4);
	put(m, 4, 4);
	put_text(m, "perf", 4);
	at[3] = m->b.n;
	put(m, 2, 4);
	put(m, ATTR_SIZE, 4);
	for (i = 0; i < 2; i++) {
		put_attr(m, &plain);
		put(m, 1, 4);
		put(m, 16, 4);
		put_text(m, i ? "second" : "first", 16);
		put(m, 300 + i, 8);
	}
	for (i = 0; i < 4; i++) {
		put_at(m, table + 16 * i, at[i], 8);
		put_at(m, table + 16 * i + 8, (i < 3 ? at[i + 1] : m->b.n) - at[i], 8);
	}
}

static const struct wanted by_id = { .type = 1,
	.period = 1,
	.sample_type = RECORDING_HAS_IP | RECORDING_HAS_TID | RECORDING_HAS_ID,
	.flags = ALL };

static void
put_by_id(struct made *m, uint64_t id)
{
	begin_record(m, RECORD_SAMPLE, RECORDING_USER);
	put(m, 1, 8);
	put(m, 7, 4);
	put(m, 8, 4);
	put(m, id, 8);
	end_record(m);
}

UNIT(a_file_names_its_events_at_its_end)
{
	for (int big = 0; big < 2; big++) {
		struct wanted both[] = { by_id, by_id };
		struct made m = begin_file(big, both, 2);

		put_by_id(&m, 100);
		put_by_id(&m, 201);
		put_by_id(&m, 301);
		put_by_id(&m, 999);
		end_data(&m, 2);
		put_features(&m);
		check(&m,
			"begin 2 (perf) host=host\n"
			"build-id k 0102030405060708090a0b0c0d0e0f1011121314 "
			"[kernel.kallsyms]\n"
			"build-id 0102030405060708 /bin/a\n"
			"build-id 0102030405060708 /bin/b\n"
			"sample 2 ip=1 7/8 fixed=1 first\n"
			"sample 2 ip=1 7/8 fixed=1 second\n"
			"sample 2 ip=1 7/8 fixed=1 second\n"
			"bad 488 a sample of an event that is not known\n");
	}
}

UNIT(records_are_in_order_within_rounds)
{
	struct made m = begin_pipe(false, &plain, 1);

	put_plain(&m, 1, 7, 30);
	put_plain(&m, 2, 7, 40);
	put_plain(&m, 3, 8, 10);
	put_comm(&m, "ten", 8, 10);
	put_plain(&m, 4, 8, 35);
	put_round(&m);
	put_plain(&m, 5, 7, 50);
	put_plain(&m, 6, 8, 38);
	put_comm(&m, "none", 9, 0); /* without a time: at once */
	put_round(&m);
	put_plain(&m, 7, 8, 45);
	check(&m,
		"begin 1\n"
		"comm 7/9 none\n"
		"sample 2 ip=3 7/8 t=10 fixed=1000 cpu-clock\n"
		"comm 7/8 ten\n"
		"sample 2 ip=1 7/7 t=30 fixed=1000 cpu-clock\n"
		"sample 2 ip=4 7/8 t=35 fixed=1000 cpu-clock\n"
		"sample 2 ip=6 7/8 t=38 fixed=1000 cpu-clock\n"
		"sample 2 ip=2 7/7 t=40 fixed=1000 cpu-clock\n"
		"sample 2 ip=7 7/8 t=45 fixed=1000 cpu-clock\n"
		"sample 2 ip=5 7/7 t=50 fixed=1000 cpu-clock\n");
}

UNIT(a_record_later_than_its_round_is_not_lost)
{
	struct made m = begin_pipe(false, &plain, 1);

	put_plain(&m, 1, 7, 10);
	put_round(&m);
	put_plain(&m, 2, 7, 20);
	put_round(&m);
	put_plain(&m, 3, 7, 5);
	put_round(&m);
	check(&m,
		"begin 1\n"
		"sample 2 ip=1 7/7 t=10 fixed=1000 cpu-clock\n"
		"sample 2 ip=3 7/7 t=5 fixed=1000 cpu-clock\n"
		"sample 2 ip=2 7/7 t=20 fixed=1000 cpu-clock\n");
}

static struct reorder rounds;
static uint64_t last_time, taken;

static void
check_rising(void *context, const struct reorder_held *held)
{
	(void)context;
	CHECK(held->time >= last_time);
	last_time = held->time;
	taken++;
}

/* Many ascending runs, as from many CPUs, with equal times. */
UNIT(many_runs_are_merged)
{
	struct chunks_pool pool = { 0 };
	struct chunks lane = { .pool = &pool };
	uint32_t x = 1;
	size_t room;

	chunks_room(&lane, 0, &room);
	rounds.pool = &pool;
	rounds.taker.take = check_rising;
	for (unsigned i = 0; i < 10000; i++) {
		x = x * 1664525 + 1013904223;
		reorder_add(
			&rounds, x >> 20, (struct str){ lane.now->data, 8 }, lane.now);
	}
	reorder_halve(&rounds);
	CHECK_U64(taken, 5000);
	reorder_end(&rounds);
	CHECK_U64(taken, 10000);
	CHECK_U64(lane.now->users, 1);
	reorder_release(&rounds);
	chunks_clear(&lane);
	chunks_pool_release(&pool);
}

static const struct wanted leader = { .type = 1,
	.sample_type = RECORDING_HAS_IP | RECORDING_HAS_TID | RECORDING_HAS_ID |
		RECORDING_HAS_PERIOD | RECORDING_HAS_READ,
	.read_format =
		EVENT_ATTR_READ_GROUP | EVENT_ATTR_READ_ID | EVENT_ATTR_READ_ENABLED,
	.flags = FREQ | 1ull << EVENT_ATTR_INHERIT | 1ull << EVENT_ATTR_EXCLUDE_GUEST };
static const struct wanted member = {
	.type = 1, .config = 2, .flags = 1ull << EVENT_ATTR_EXCLUDE_GUEST
};

static void
put_group(struct made *m, uint32_t tid, uint64_t first, uint64_t second)
{
	begin_record(m, RECORD_SAMPLE, RECORDING_USER);
	put(m, 0x10, 8);
	put(m, 7, 4);
	put(m, tid, 4);
	put(m, 100, 8);
	put(m, 555, 8);
	put(m, 3, 8);
	put(m, 1, 8);
	put(m, first, 8);
	put(m, 100, 8);
	put(m, second, 8);
	put(m, 101, 8);
	put(m, 1, 8);
	put(m, 999, 8); /* unknown id */
	end_record(m);
}

UNIT(members_of_a_group_have_counts_since_the_last_sample)
{
	for (int big = 0; big < 2; big++) {
		struct wanted both[] = { leader, member };
		struct made m = begin_pipe(big, both, 2);

		put_group(&m, 7, 1000, 5);
		put_group(&m, 7, 1700, 5);
		put_group(&m, 8, 300, 1);
		put_group(&m, 7, 1700, 9);
		check(&m,
			"begin 2\n"
			"sample 2 ip=10 7/7 period=1000 cpu-clock\n"
			"sample 2 ip=10 7/7 period=5 page-faults\n"
			"sample 2 ip=10 7/7 period=700 cpu-clock\n"
			"sample 2 ip=10 7/8 period=300 cpu-clock\n"
			"sample 2 ip=10 7/8 period=1 page-faults\n"
			"sample 2 ip=10 7/7 period=4 page-faults\n");
	}
}

/* The number of registers in a sample depends on its event, even if a group whose
 * leader has others contained it before. */
UNIT(a_member_has_the_registers_of_each_sample)
{
	struct wanted both[] = { leader, leader };
	struct made m;

	both[0].sample_type = both[1].sample_type =
		RECORDING_HAS_IDENTIFIER | RECORDING_HAS_READ | RECORDING_HAS_REGS;
	both[0].regs = 3;
	both[1].regs = 1;
	both[0].read_format = EVENT_ATTR_READ_ID;
	both[1].read_format = 0;
	m = begin_pipe(false, both, 2);
	for (unsigned i = 0; i < 3; i++) {
		begin_record(&m, RECORD_SAMPLE, RECORDING_USER);
		put(&m, 100 + i % 2, 8);
		put(&m, 10 + i, 8);
		if (i % 2 == 0)
			put(&m, 101, 8); /* the leader reads the other one */
		put(&m, 2, 8);
		put(&m, 0xa, 8);
		if (i % 2 == 0)
			put(&m, 0xb, 8);
		end_record(&m);
	}
	check(&m,
		"begin 2\n"
		"sample 2 period=10 cpu-clock abi=2 r0=a r1=b\n"
		"sample 2 fixed=1 cpu-clock abi=2 r0=a\n"
		"sample 2 period=2 cpu-clock abi=2 r0=a r1=b\n");
}

UNIT(one_counter_that_is_read_gives_its_period)
{
	struct wanted one = leader;
	struct made m;

	one.read_format = EVENT_ATTR_READ_ID;
	m = begin_pipe(false, &one, 1);
	for (unsigned i = 1; i < 4; i++) {
		begin_record(&m, RECORD_SAMPLE, RECORDING_USER);
		put(&m, 0x10, 8);
		put(&m, 7, 8);
		put(&m, 100, 8);
		put(&m, 555, 8);
		put(&m, 40 * i * i, 8);
		put(&m, 100, 8);
		end_record(&m);
	}
	check(&m,
		"begin 1\n"
		"sample 2 ip=10 7/0 period=40 cpu-clock\n"
		"sample 2 ip=10 7/0 period=120 cpu-clock\n"
		"sample 2 ip=10 7/0 period=200 cpu-clock\n");
}

static void
put_mmap(struct made *m, uint32_t type, uint16_t misc)
{
	begin_record(m, type, misc);
	put(m, 7, 4);
	put(m, 8, 4);
	put(m, 0x1000, 8);
	put(m, 0x2000, 8);
	put(m, 0x3000, 8);
}

static void
end_with_trailer(struct made *m, uint64_t time)
{
	put(m, 7, 4);
	put(m, 9, 4);
	put(m, time, 8);
	end_record(m);
}

UNIT(maps_of_all_kinds)
{
	for (int big = 0; big < 2; big++) {
		struct made m = begin_pipe(big, &plain, 1);

		put_mmap(&m, RECORD_MMAP, RECORDING_KERNEL);
		put_text(&m, "[kernel]", 16);
		end_with_trailer(&m, 1);
		put_mmap(&m, RECORD_MMAP, 1 << 13 | RECORDING_USER);
		put_text(&m, "/data", 8);
		end_with_trailer(&m, 2);
		put_mmap(&m, RECORD_MMAP2, RECORDING_USER);
		put_text(&m, "", 24);
		put(&m, 5, 4);
		put(&m, 2, 4);
		put_text(&m, "/code", 8);
		end_with_trailer(&m, 3);
		put_mmap(&m, RECORD_MMAP2, 1 << 13 | 1 << 14 | RECORDING_USER);
		put_text(&m, "\3", 4);
		put_text(&m, "\1\2\3\4", 20);
		put(&m, 1, 4);
		put(&m, 2, 4);
		put_text(&m, "/with/id", 16);
		end_with_trailer(&m, 4);
		put_mmap(&m, RECORD_MMAP2, RECORDING_USER); /* Linux 3.12 */
		put_text(&m, "", 24);
		put_text(&m, "/usr/bin/true", 16);
		end_with_trailer(&m, 5);
		put_mmap(&m, RECORD_MMAP2, RECORDING_USER); /* perf inject -j: st_mode */
		put_text(&m, "", 24);
		put(&m, 0x81a4, 4);
		put(&m, 1, 4);
		put_text(&m, "/tmp/jitted-1.so", 24);
		end_with_trailer(&m, 6);
		put_mmap(&m, RECORD_MMAP2, RECORDING_USER);
		end_with_trailer(&m, 7);
		check(&m,
			"begin 1\n"
			"mmap 7/8 1000+2000@3000 x k  [kernel]\n"
			"mmap 7/8 1000+2000@3000  /data\n"
			"mmap 7/8 1000+2000@3000 x  /code\n"
			"mmap 7/8 1000+2000@3000 010203 /with/id\n"
			"mmap 7/8 1000+2000@3000 x  /usr/bin/true\n"
			"mmap 7/8 1000+2000@3000 x  /tmp/jitted-1.so\n"
			"bad 696 a map is cut short\n");
	}
}

static void
put_task(struct made *m, uint32_t type, uint16_t misc, uint64_t time)
{
	begin_record(m, type, misc);
	put(m, 11, 4);
	put(m, 7, 4);
	put(m, 12, 4);
	put(m, 8, 4);
	put(m, time, 8);
	end_with_trailer(m, time);
}

UNIT(threads_and_their_other_records)
{
	for (int big = 0; big < 2; big++) {
		struct made m = begin_pipe(big, &plain, 1);

		put_task(&m, RECORD_FORK, 1 << 13, 0);
		put_task(&m, RECORD_FORK, 0, 1);
		begin_record(&m, RECORD_COMM, 1 << 13);
		put(&m, 11, 4);
		put(&m, 12, 4);
		put_text(&m, "new name", 16);
		end_with_trailer(&m, 2);
		begin_record(&m, RECORD_SWITCH, 1 << 13 | 1 << 14);
		end_with_trailer(&m, 3);
		begin_record(&m, RECORD_SWITCH_CPU_WIDE, 1 << 14);
		put(&m, 55, 8);
		end_with_trailer(&m, 4);
		begin_record(&m, RECORD_KSYMBOL, 0);
		put(&m, 0xffffffffc0000000, 8);
		put(&m, 64, 4);
		put(&m, 1, 2);
		put(&m, 1, 2);
		put_text(&m, "bpf_prog", 16);
		end_with_trailer(&m, 5);
		begin_record(&m, RECORD_LOST, 0);
		put(&m, 100, 8);
		put(&m, 3, 8);
		end_with_trailer(&m, 6);
		begin_record(&m, RECORD_LOST_SAMPLES, 0);
		put(&m, 4, 8);
		end_with_trailer(&m, 7);
		begin_record(&m, RECORD_LOST_SAMPLES, 1 << 15);
		put(&m, 5, 8);
		end_with_trailer(&m, 8);
		begin_record(&m, 16, 0); /* NAMESPACES */
		put(&m, 5, 8);
		end_with_trailer(&m, 9);
		begin_record(&m, 32800, 0); /* simpleperf's */
		put(&m, 5, 2);
		end_record(&m);
		put_task(&m, RECORD_EXIT, 1 << 13, 10);
		check(&m,
			"begin 1\n"
			"fork 11/12 of 7/8 found\n"
			"fork 11/12 of 7/8\n"
			"comm 11/12 new name exec\n"
			"switch 7/9 t=3 out preempted\n"
			"switch 7/9 t=4\n"
			"ksymbol ffffffffc0000000+64 bpf_prog gone\n"
			"lost 3\n"
			"lost 4\n"
			"exit 11/12 of 7/8\n");
	}
}

/* The trailer of an event is identified by the id at its end. */
UNIT(trailers_differ_by_event)
{
	struct wanted both[] = { plain, plain };
	struct made m;

	both[0].sample_type = RECORDING_HAS_TID | RECORDING_HAS_CPU | RECORDING_HAS_TIME |
		RECORDING_HAS_IDENTIFIER;
	both[1].sample_type =
		RECORDING_HAS_TID | RECORDING_HAS_TIME | RECORDING_HAS_IDENTIFIER;
	m = begin_pipe(false, both, 2);
	begin_record(&m, RECORD_SWITCH, 0);
	put(&m, 7, 4);
	put(&m, 8, 4);
	put(&m, 20, 8);
	put(&m, 3, 8);
	put(&m, 100, 8);
	end_record(&m);
	begin_record(&m, RECORD_SWITCH, 0);
	put(&m, 7, 4);
	put(&m, 9, 4);
	put(&m, 10, 8);
	put(&m, 101, 8);
	end_record(&m);
	check(&m, "begin 2\nswitch 7/9 t=10\nswitch 7/8 t=20\n");
}

UNIT(a_clock_is_reported)
{
	for (int big = 0; big < 2; big++) {
		struct wanted w = plain;
		struct made m;

		w.flags |= 1ull << EVENT_ATTR_USE_CLOCKID;
		w.clockid = 4;
		m = begin_file(big, &w, 1);
		put_plain(&m, 1, 7, 1);
		end_data(&m, 1);
		check(&m,
			"begin 1 clock=5\nsample 2 ip=1 7/7 t=1 fixed=1000 cpu-clock\n");
	}
}

UNIT(events_without_a_name_get_one)
{
	static const struct {
		uint32_t type;
		uint64_t config, flags;
		const char *name;
	} cases[] = {
		{ 0, 0, 1 << 20, "cycles" },
		{ 0, 0x400000001, 1 << 20, "instructions" },
		{ 0, 77, 1 << 20, "unknown-hardware" },
		{ 0, 0, 0, "cycles:HG" },
		{ 0, 0, 1 << 5, "cycles:uh" },
		{ 0, 0, 1 << 5 | 1 << 6 | 3 << 15, "cycles:uppp" },
		{ 0, 0, 1 << 4 | 1 << 6 | 1 << 20, "cycles:kH" },
		{ 1, 9, 1 << 20, "dummy" },
		{ 1, 99, 1 << 20, "unknown-software" },
		{ 2, 300, 1 << 20, "unknown tracepoint" },
		{ 3, 0x010000, 1 << 20, "L1-dcache-load-misses" },
		{ 3, 0x000203, 1 << 20, "dTLB-prefetches" },
		{ 3, 0x000009, 1 << 20, "invalid-cache" },
		{ 4, 0x1a8, 1 << 20, "raw 0x1a8" },
		{ 5, 0, 1 << 20, "mem:0x1234:" },
		{ 9, 0, 1 << 20, "unknown attr type: 9" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct made m = { 0 };
		struct event_attr_set set = { 0 };
		struct wanted w = { .type = cases[i].type,
			.config = cases[i].config,
			.flags = cases[i].flags };
		struct bytes b;
		struct event_attr *a;

		put_attr(&m, &w);
		b = bytes_of(buf_view(&m.b), false);
		a = event_attr_add(&set, &b, m.b.n);
		CHECK(a != NULL);
		if (a)
			CHECK_STR(a->event.name, str_of(cases[i].name));
		event_attr_set_release(&set);
		buf_release(&m.b);
	}
}

UNIT(a_killed_recorder_leaves_a_readable_file)
{
	struct made m = begin_file(false, &plain, 1);

	put_at(&m, 72, 1 << 12, 8); /* a bit whose section was never written */
	put_plain(&m, 1, 7, 1);
	put_plain(&m, 2, 7, 2);
	m.b.n -= 8;
	check(&m,
		"begin 1\n"
		"sample 2 ip=1 7/7 t=1 fixed=1000 cpu-clock\n"
		"bad 280 the recording was truncated and ends here\n");
}

UNIT(a_file_that_is_cut_says_so)
{
	struct made m = begin_file(false, &plain, 1);

	put_plain(&m, 1, 7, 1);
	put_plain(&m, 2, 7, 2);
	end_data(&m, 1);
	m.b.n -= 32;
	check(&m,
		"begin 1\n"
		"sample 2 ip=1 7/7 t=1 fixed=1000 cpu-clock\n"
		"bad 280 the recording was truncated and ends here\n");
}

UNIT(after_an_impossible_size_nothing_is_believed)
{
	static const uint16_t sizes[] = { 0, 7, 33 };

	for (size_t i = 0; i < 3; i++) {
		struct made m = begin_file(false, &plain, 1);

		put_plain(&m, 1, 7, 1);
		put_plain(&m, 2, 7, 2);
		put_at(&m, m.record + 6, sizes[i], 2);
		put_plain(&m, 3, 7, 3);
		end_data(&m, 1);
		check(&m,
			"begin 1\n"
			"bad 280 a record has an impossible size\n"
			"sample 2 ip=1 7/7 t=1 fixed=1000 cpu-clock\n");
	}
}

/* A frame of zstd with uncompressed blocks (RFC 8878, 3.1.1). */
static void
put_zstd(struct made *m, const struct made *data, size_t from, size_t to)
{
	if (!from)
		buf_str(&m->b, STR("\x28\xb5\x2f\xfd\0\x58"));
	for (int i = 0; i < 3; i++)
		buf_char(&m->b, (char)((to - from) << 3 >> 8 * i));
	buf_str(&m->b, str_head(str_from(buf_view(&data->b), from), to - from));
}

UNIT(compressed_records_are_one_stream)
{
	struct made m = begin_file(false, &plain, 1), data = { 0 };

	if (!inflate_knows(INFLATE_ZSTD)) {
		printf("skipped: no zstd\n");
		buf_release(&m.b);
		return;
	}
	put_plain(&data, 1, 7, 1);
	put_plain(&data, 2, 7, 2);
	put_plain(&data, 3, 7, 3);
	begin_record(&m, RECORD_COMPRESSED, 0);
	put_zstd(&m, &data, 0, 45); /* within the second sample */
	end_record(&m);
	put_plain(&m, 4, 7, 4);
	begin_record(&m, RECORD_COMPRESSED2, 0);
	put(&m, data.b.n - 45 + 3, 8);
	put_zstd(&m, &data, 45, data.b.n);
	put_text(&m, "pad", 5);
	end_record(&m);
	end_data(&m, 1);
	check(&m,
		"begin 1\n"
		"sample 2 ip=1 7/7 t=1 fixed=1000 cpu-clock\n"
		"sample 2 ip=2 7/7 t=2 fixed=1000 cpu-clock\n"
		"sample 2 ip=3 7/7 t=3 fixed=1000 cpu-clock\n"
		"sample 2 ip=4 7/7 t=4 fixed=1000 cpu-clock\n");
	buf_release(&data.b);
}

UNIT(a_damaged_stream_ends_the_reading)
{
	struct made m = begin_file(false, &plain, 1);

	put_plain(&m, 1, 7, 1);
	begin_record(&m, RECORD_COMPRESSED, 0);
	put_text(&m, "no zstd", 16);
	end_record(&m);
	put_plain(&m, 2, 7, 2);
	end_data(&m, 1);
	if (inflate_knows(INFLATE_ZSTD))
		check(&m,
			"begin 1\n"
			"bad 280 the compressed records are damaged\n"
			"sample 2 ip=1 7/7 t=1 fixed=1000 cpu-clock\n");
	else
		check_refused(&m);
}

UNIT(unreadable_recordings_are_refused)
{
	struct made m = { 0 };

	put_text(&m, "PERFFILE", 200);
	CHECK(reader_knows(buf_view(&m.b)));
	check_refused(&m);
	m = (struct made){ 0 };
	put_text(&m, "PERFILE2", 12);
	check_refused(&m);
	m = (struct made){ 0 };
	put_text(&m, "something", 200);
	CHECK(!reader_knows(buf_view(&m.b)));
	check_refused(&m);
	m = begin_file(false, &plain, 0);
	check_refused(&m);
	m = begin_pipe(false, &plain, 1); /* Intel PT */
	begin_record(&m, RECORD_AUXTRACE_INFO, 0);
	put(&m, 1, 8);
	end_record(&m);
	put_comm(&m, "name", 7, 0);
	check_refused(&m);
}

UNIT(a_pipe_without_samples_is_fine)
{
	struct made m = begin_pipe(false, &plain, 1);

	check(&m, "begin 1\n");
	m = begin_pipe(true, &plain, 0);
	check(&m, "begin 0\n");
}

/* A sanitizer detects reads beyond the end. */
UNIT(any_prefix_of_a_recording_is_read_safely)
{
	struct wanted both[] = { full, full };
	struct made m = begin_file(true, both, 2);
	struct buf text;

	put_full(&m, 1);
	put_round(&m);
	put_mmap(&m, RECORD_MMAP2, 1 << 14);
	put_text(&m, "", 40);
	end_with_trailer(&m, 1);
	end_data(&m, 2);
	put_features(&m);
	for (size_t n = 0; n < m.b.n; n++) {
		char *copy = mem_alloc(n);

		memcpy(copy, m.b.s, n);
		(void)run_input(input_of_memory("cut", (struct str){ copy, n }), &text);
		buf_release(&text);
		free(copy);
	}
	buf_release(&m.b);
}

/* A file that its writer truncates at the first record. */
struct shrinking {
	int fd;
	uint64_t samples;
	bool told;
};

static void
shrink(void *context, const struct recording_comm *c)
{
	(void)c;
	CHECK(ftruncate(((struct shrinking *)context)->fd, 64 * 1024) == 0);
}

static void
count_sample(void *context, const struct recording_sample *s)
{
	(void)s;
	((struct shrinking *)context)->samples++;
}

static void
note_truncated(void *context, uint64_t offset, const char *why)
{
	CHECK(offset >= 64 * 1024 && offset < 72 * 1024);
	((struct shrinking *)context)->told =
		str_eq(str_of(why), STR("the recording was truncated while it was read"));
}

UNIT(file_truncated_while_reading_gives_its_beginning)
{
	struct made m = begin_pipe(false, &plain, 1);
	char path[] = "/tmp/fg-test-XXXXXX";
	struct shrinking w = { .fd = mkstemp(path) };
	struct recording_handler h = { .context = &w,
		.comm = shrink,
		.sample = count_sample,
		.bad = note_truncated };
	struct input *in;

	put_comm(&m, "first", 7, 0);
	for (unsigned i = 0; i < 10000; i++)
		put_plain(&m, i, 7, 1 + i);
	CHECK(write(w.fd, m.b.s, m.b.n) == (ssize_t)m.b.n);
	in = input_open(path);
	CHECK(reader_run(in, &h));
	CHECK(input_failed(in));
	CHECK(w.told && w.samples > 1000 && w.samples < 3000);
	input_close(in);
	close(w.fd);
	unlink(path);
	buf_release(&m.b);
}

/* Records that do not fit one chunk, nor one piece of a file, in runs to be merged. */
UNIT(records_across_chunks)
{
	struct made m = begin_pipe(false, &plain, 1);
	struct buf expected = { 0 }, text;
	unsigned i;

	for (i = 0; i < 80000; i++)
		put_plain(&m, i, 7, 1 + i % 40000);
	CHECK(run(&m, &text));
	buf_str(&expected, STR("begin 1\n"));
	for (i = 0; i < 80000; i++)
		buf_fmt(&expected, "sample 2 ip=%x 7/7 t=%u fixed=1000 cpu-clock\n",
			i / 2 + i % 2 * 40000, 1 + i / 2);
	CHECK_STR(buf_view(&text), buf_view(&expected));
	buf_release(&text);
	buf_release(&expected);
	buf_release(&m.b);
}

UNIT_MAIN
