/* SPDX-License-Identifier: ISC */
/* A perf.data recording, record by record; see reader.h. */
#include "reader.h"
#include "event-attr.h"
#include "bytes.h"
#include "feature.h"
#include "header.h"
#include "chunks.h"
#include "msg.h"
#include "zstd-records.h"
#include "parts.h"
#include "record.h"
#include "reorder.h"

#include <inttypes.h>

/* Bytes of records that may wait; beyond, the elder half is given out. */
enum { MOST_HELD = 256 * 1024 * 1024 };

struct reader {
	struct input *in;
	const struct reader_handler *handler;
	struct event_attr_set attrs;
	struct reader_about about;
	struct chunks_pool pool;
	struct chunks plain;
	struct zstd_records packed;
	struct reorder round;
	struct record_run run;
	uint64_t at;   /* in the input, of the next byte to read */
	uint64_t left; /* bytes of records from there on, UINT64_MAX: to the end */
	bool begun, damaged, refused, traces;
	bool mapped;  /* not read */
	bool divided; /* among files, of which all is held before any is given out */
	struct parts parts;
};

bool
reader_knows(struct str head)
{
	return header_is(head);
}

static void
begin(struct reader *r)
{
	const struct event_attr *first = r->attrs.n ? r->attrs.list[0] : NULL;

	if (r->begun)
		return;
	r->begun = true;
	if (first && event_attr_flag(first, EVENT_ATTR_USE_CLOCKID))
		r->about.clock = (uint64_t)first->clockid + 1;
	r->about.events = r->attrs.events;
	r->about.event_n = r->attrs.n;
	if (r->handler->begin)
		r->handler->begin(r->handler->context, &r->about);
}

/* Nothing that follows can be trusted: records have no mark to find again. */
static void
give_up(struct reader *r, uint64_t offset, const char *why)
{
	record_bad(&r->run, offset, why);
	r->damaged = true;
}

/* Bounds what waits. */
static void
relieve(struct reader *r)
{
	if (r->pool.used > MOST_HELD && !r->divided)
		reorder_halve(&r->round);
}

/* Reads more of the input. False at the end. */
static bool
read_more(struct reader *r)
{
	size_t room, n = 0;
	char *to;

	if (!r->left)
		return false;
	if (r->mapped)
		n = chunks_map(&r->plain, r->in, r->at);
	if (n > r->left) {
		chunks_cut(&r->plain, n - (size_t)r->left);
		n = (size_t)r->left;
	}
	if (!r->mapped) {
		to = chunks_room(&r->plain, r->at, &room);
		n = input_read(r->in, to, r->left < room ? (size_t)r->left : room);
		chunks_added(&r->plain, n);
	}
	r->at += n;
	if (r->left != UINT64_MAX)
		r->left -= n;
	relieve(r);
	return n > 0;
}

/* Passes over N bytes that stand behind a record and belong to it. */
static void
skip_extra(struct reader *r, uint64_t n)
{
	size_t some;

	while (n > 0) {
		some = chunks_left(&r->plain) < n ? chunks_left(&r->plain) : (size_t)n;
		chunks_skip(&r->plain, some);
		n -= some;
		if (n && !read_more(r)) {
			give_up(r, r->at, "the recording was truncated and ends here");
			return;
		}
	}
}

static void run_lane(struct reader *r, struct chunks *l);

static void
take_attr(struct reader *r, const struct record *rec, uint64_t offset)
{
	struct bytes b = bytes_of(rec->body, r->attrs.swap);
	struct event_attr *a = event_attr_add(&r->attrs, &b, bytes_left(&b));

	if (!a) {
		record_bad(&r->run, offset, "an event is damaged");
		return;
	}
	while (bytes_left(&b) >= sizeof(uint64_t))
		event_attr_add_id(&r->attrs, a, bytes_u64(&b));
}

static void
take_update(struct reader *r, const struct record *rec, uint64_t offset)
{
	if (!feature_update(&r->attrs, bytes_of(rec->body, r->attrs.swap)))
		record_bad(&r->run, offset, "a name of an event is damaged");
}

static void
take_feature(struct reader *r, const struct record *rec, uint64_t offset)
{
	struct bytes b = bytes_of(rec->body, r->attrs.swap);
	uint64_t id = bytes_u64(&b);

	(void)offset;
	feature_take(&r->attrs, &r->about, id, b);
}

/* The formats of tracepoints: their size counts up to the next word. */
static void
take_tracing_data(struct reader *r, const struct record *rec, uint64_t offset)
{
	struct bytes b = bytes_of(rec->body, r->attrs.swap);

	(void)offset;
	skip_extra(r, ((uint64_t)bytes_u32(&b) + 7) & ~(uint64_t)7);
}

static void
take_build_id(struct reader *r, const struct record *rec, uint64_t offset)
{
	record_build_id(&r->run, rec, offset);
}

static void
take_round(struct reader *r, const struct record *rec, uint64_t offset)
{
	(void)rec;
	(void)offset;
	if (!r->divided)
		reorder_finish(&r->round);
}

static void
take_trace(struct reader *r, const struct record *rec, uint64_t offset)
{
	struct bytes b = bytes_of(rec->body, r->attrs.swap);

	(void)offset;
	r->traces = true;
	if (rec->type == RECORD_AUXTRACE)
		skip_extra(r, bytes_u64(&b));
}

static void
take_compressed(struct reader *r, const struct record *rec, uint64_t offset)
{
	struct bytes b = bytes_of(rec->body, r->attrs.swap);
	uint64_t size = bytes_left(&b);
	enum zstd_records_state state;
	struct str data;

	if (!zstd_records_can()) {
		msg_error(
			"%s: is compressed by zstd, which this build cannot read: use perf "
			"script -i FILE |",
			input_name(r->in));
		r->refused = true;
		return;
	}
	if (rec->type == RECORD_COMPRESSED2)
		size = bytes_u64(&b);
	data = bytes_take(&b, size);
	if (b.bad) {
		give_up(r, offset, "a compressed record is damaged");
		return;
	}
	do {
		state = zstd_records_run(&r->packed, &data, offset);
		run_lane(r, &r->packed.lane);
		relieve(r);
	} while (state == ZSTD_RECORDS_MORE && !r->damaged);
	if (state == ZSTD_RECORDS_BAD && !r->damaged)
		give_up(r, offset, "the compressed records are damaged");
}

/* perf's own records. Those of a header may come before begin. */
static const struct own {
	void (*take)(struct reader *r, const struct record *rec, uint64_t offset);
	bool header;
} owns[] = {
	[RECORD_HEADER_ATTR - RECORD_USER] = { take_attr, true },
	[RECORD_EVENT_TYPE - RECORD_USER] = { NULL, true },
	[RECORD_TRACING_DATA - RECORD_USER] = { take_tracing_data, true },
	[RECORD_BUILD_ID - RECORD_USER] = { take_build_id, false },
	[RECORD_FINISHED_ROUND - RECORD_USER] = { take_round, false },
	[RECORD_ID_INDEX - RECORD_USER] = { NULL, true },
	[RECORD_AUXTRACE_INFO - RECORD_USER] = { take_trace, true },
	[RECORD_AUXTRACE - RECORD_USER] = { take_trace, false },
	[RECORD_THREAD_MAP - RECORD_USER] = { NULL, true },
	[RECORD_CPU_MAP - RECORD_USER] = { NULL, true },
	[RECORD_EVENT_UPDATE - RECORD_USER] = { take_update, true },
	[RECORD_TIME_CONV - RECORD_USER] = { NULL, true },
	[RECORD_HEADER_FEATURE - RECORD_USER] = { take_feature, true },
	[RECORD_COMPRESSED - RECORD_USER] = { take_compressed, false },
	[RECORD_FINISHED_INIT - RECORD_USER] = { NULL, true },
	[RECORD_COMPRESSED2 - RECORD_USER] = { take_compressed, false },
};

/* A record of perf's own, which means something where it stands. */
static void
run_own(struct reader *r, const struct chunks *l, const struct record *rec,
	uint64_t offset)
{
	const struct own *own;

	if (rec->type - RECORD_USER >= sizeof owns / sizeof *owns)
		return;
	own = owns + (rec->type - RECORD_USER);
	if (!own->header)
		begin(r);
	if (!own->take)
		return;
	/* What was unpacked holds no records with bytes behind them, nor such as
	 * are packed again. */
	if (l != &r->plain &&
		(own->take == take_compressed || own->take == take_trace ||
			own->take == take_tracing_data)) {
		give_up(r, offset, "the compressed records are damaged");
		return;
	}
	own->take(r, rec, offset);
}

/* A record of the kernel. Without a time it is given out at once, as perf does. */
static void
run_kernel(struct reader *r, struct chunks *l, const struct record *rec, const char *p)
{
	uint64_t time;

	begin(r);
	if (!record_is_timed(rec->type))
		return;
	if (event_attr_time(&r->attrs, rec->body, rec->type == RECORD_SAMPLE, &time) &&
		time && time != UINT64_MAX)
		reorder_add(&r->round, time, (struct str){ p, rec->size }, l->now);
	else
		record_deliver(&r->run, rec, chunks_offset(l->now, p));
}

/* Cuts L into records. */
static void
run_lane(struct reader *r, struct chunks *l)
{
	struct record rec;
	uint64_t offset;
	const char *p;

	while (chunks_left(l) >= RECORD_HEADER && !r->damaged && !r->refused) {
		p = chunks_front(l);
		offset = chunks_offset(l->now, p);
		rec = record_at(p, r->attrs.swap);
		/* The kernel keeps to whole words; perf does not. */
		if (rec.size < RECORD_HEADER ||
			(rec.type < RECORD_USER && rec.size % 8)) {
			give_up(r, offset,
				chunks_was_cut(l)
					? "the recording was truncated while it was read"
					: "a record has an impossible size");
			return;
		}
		if (rec.size > chunks_left(l))
			return;
		chunks_skip(l, rec.size);
		if (rec.type < RECORD_USER)
			run_kernel(r, l, &rec, p);
		else
			run_own(r, l, &rec, offset);
	}
}

/* Goes to the data of a file. */
static void
skip_to(struct reader *r, uint64_t offset)
{
	struct str w;

	while (r->at < offset) {
		w = input_window(r->in, 1);
		if (!w.n)
			return;
		if (w.n > offset - r->at)
			w.n = (size_t)(offset - r->at);
		input_skip(r->in, w.n);
		r->at += w.n;
	}
}

static bool
start(struct reader *r)
{
	struct header h;

	if (!header_read(&h, r->in))
		return false;
	r->attrs.swap = h.swap;
	r->about.pipe = h.pipe;
	r->left = UINT64_MAX;
	if (h.pipe) {
		skip_to(r, h.size);
		return true;
	}
	if (!header_take(&h, &r->attrs, &r->about))
		return false;
	r->divided = h.features[FEATURE_PARTS / 64] >> FEATURE_PARTS % 64 & 1;
	begin(r);
	header_build_ids(&h, &r->run);
	skip_to(r, h.data.offset);
	if (h.data.size)
		r->left = h.data.size;
	else
		msg_warn(
			"%s: perf record was killed: names of events and build ids are missing",
			input_name(r->in));
	return true;
}

/* Says that the records of a file end before its last one does. */
static void
check_end(struct reader *r)
{
	size_t cut = chunks_left(&r->plain) + chunks_left(&r->packed.lane);

	if (!r->damaged && !r->refused && (cut || (r->left && r->left != UINT64_MAX)))
		record_bad(&r->run, r->at - chunks_left(&r->plain),
			"the recording was truncated and ends here");
}

/* Gives out what still waits, and says what is missing. */
static bool
end(struct reader *r)
{
	begin(r);
	reorder_end(&r->round);
	record_give_up(&r->run, true);
	check_end(r);
	if (r->round.late)
		msg_warn("%s: %" PRIu64 " record%s came later than their round allows",
			input_name(r->in), r->round.late, msg_s(r->round.late));
	if (r->run.unjoined)
		msg_warn("%s: %" PRIu64 " sample%s without a user stack: the call chains "
			 "that the kernel deferred are missing",
			input_name(r->in), r->run.unjoined, msg_s(r->run.unjoined));
	if (r->traces && !r->run.samples && !r->refused) {
		msg_error(
			"%s: has only a hardware trace (Intel PT, ARM SPE, ...): use perf "
			"script --itrace=i100us -i FILE |",
			input_name(r->in));
		return false;
	}
	return !r->refused;
}

static void
take_held(void *context, const struct reorder_held *held)
{
	struct reader *r = context;
	struct record rec = record_at(held->record.s, r->attrs.swap);

	record_deliver(&r->run, &rec, chunks_offset(held->chunk, held->record.s));
}

/* Reads the records of the input from its present place on. */
static void
run_records(struct reader *r)
{
	struct input_piece first;

	r->mapped = input_map(r->in, r->at, 1, &first);
	if (r->mapped)
		input_unmap(&first);
	while (!r->damaged && !r->refused && read_more(r))
		run_lane(r, &r->plain);
}

/* Reads the other files of a recording that is divided; damage ends with its file. */
static bool
run_parts(struct reader *r)
{
	struct input *in = r->in;

	while (!r->refused && (r->in = parts_next(&r->parts, in))) {
		check_end(r);
		chunks_clear(&r->plain);
		zstd_records_release(&r->packed);
		zstd_records_init(&r->packed, &r->pool);
		r->at = 0;
		r->left = UINT64_MAX;
		r->damaged = false;
		run_records(r);
		if (input_failed(r->in))
			input_fail(in);
	}
	r->in = in;
	if (!r->parts.n)
		msg_error("%s: is a part of a recording by perf record --threads, whose "
			  "other parts (data.0 ...) are not here: give its folder",
			input_name(in));
	return r->parts.n > 0;
}

bool
reader_run(struct input *in, const struct reader_handler *h)
{
	struct reader r = { .in = in, .handler = h };
	bool fine;

	r.plain.pool = &r.pool;
	r.run = (struct record_run){ .handler = h, .attrs = &r.attrs };
	r.round.pool = &r.pool;
	r.round.taker = (struct reorder_taker){ &r, take_held };
	zstd_records_init(&r.packed, &r.pool);
	fine = start(&r);
	if (fine) {
		run_records(&r);
		fine = (!r.divided || run_parts(&r)) && end(&r);
	}
	reorder_release(&r.round);
	chunks_clear(&r.plain);
	zstd_records_release(&r.packed);
	chunks_pool_release(&r.pool);
	record_run_release(&r.run);
	event_attr_set_release(&r.attrs);
	parts_release(&r.parts);
	return fine;
}
