/* SPDX-License-Identifier: ISC */
/*
 * Output of Android's simpleperf report-sample --protobuf (platform/system/extras,
 * simpleperf/cmd_report_sample.proto):
 *
 *	"SIMPLEPERF" u16 version 1
 *	u32 size, Record	repeated until a size of 0; little endian
 *
 *	sample { time: 1869019844661 thread_id: 7657 callchain { vaddr_in_file: 431620 file_id: 0
 *	         symbol_id: 3 } event_count: 1000000 event_type_id: 0 }
 *	file { id: 0 path: "/system/lib64/libc.so" symbol: "open" symbol: "mprotect" }
 *	thread { thread_id: 7657 process_id: 7657 thread_name: "sampleapp" }
 *	meta_info { event_type: "cpu-clock" app_package_name: "com.example" }
 *
 * Call chains are innermost first. A symbol_id of -1 is code without a name; its address
 * is a virtual address in the file. Files and threads come after the samples, so samples
 * are kept, each chain once.
 */
#include "bytes.h"
#include "stacks/cache.h"
#include "collapse.h"
#include "formats.h"
#include "stacks/places.h"
#include "readers/json-columns.h"
#include "stacks/libraries.h"
#include "mem.h"
#include "msg.h"
#include "readers/protobuf.h"

#include <inttypes.h>
#include <stdio.h>

enum { MAGIC = 10, HEADER = MAGIC + 2, VERSION = 1 };

/* The fields of Record, and of the messages in it. */
enum { SAMPLE = 1, LOST, FILE_RECORD, THREAD, META };
enum {
	SAMPLE_TIME = 1,
	SAMPLE_THREAD,
	SAMPLE_CHAIN,
	SAMPLE_COUNT,
	SAMPLE_TYPE,
	SAMPLE_UNWINDING
};
enum { CHAIN_ADDRESS = 1, CHAIN_FILE, CHAIN_SYMBOL };
enum { UNWINDING_CODE = 3, UNWINDING_VALUES };
enum { LOST_LOST = 2, LOST_VALUES };
enum { FILE_ID = 1, FILE_PATH, FILE_SYMBOL };
enum { THREAD_ID = 1, THREAD_PROCESS, THREAD_NAME };
enum { META_TYPE = 1, META_PACKAGE };

struct sample {
	uint64_t time, count;
	uint32_t thread, type, chain; /* chain: an id in chains */
	uint32_t unwinding;
};

struct file {
	struct str path;
	size_t symbol, symbol_n; /* in symbols */
	int32_t library;	 /* -1: not added yet */
};

struct thread {
	struct str name, tid, pid;
};

struct reader {
	struct input *in;
	struct collapse *c;
	struct sample *samples;
	size_t sample_n, sample_cap;
	struct intern
		chains; /* three varints per frame: file, symbol + 1, address if without a
		         * symbol */
	struct buf chain; /* of the current sample */
	struct file *files;
	size_t file_n, file_cap;
	struct thread *threads;
	size_t thread_n, thread_cap;
	struct places file_ids, thread_ids;
	struct json_texts symbols, types;
	struct arena arena;
	struct libraries libraries;
	struct cache nodes; /* by root and chain */
	bool cut;
};

/* Adds a frame to the current chain. */
static void
read_frame(struct reader *r, struct str bytes)
{
	struct protobuf m = protobuf_of(bytes);
	uint64_t address = 0, file = 0;
	struct protobuf_field f;
	int32_t symbol = -1;

	while (protobuf_next(&m, &f))
		if (f.number == CHAIN_ADDRESS)
			address = f.value;
		else if (f.number == CHAIN_FILE)
			file = f.value;
		else if (f.number == CHAIN_SYMBOL)
			symbol = (int32_t)f.value;
	(void)protobuf_good(&m, r->c);
	protobuf_put_varint(&r->chain, file);
	protobuf_put_varint(&r->chain, symbol < 0 ? 0 : (uint64_t)symbol + 1);
	protobuf_put_varint(&r->chain, symbol < 0 ? address : 0);
}

/* Reads why unwinding ended, as an UnwindingResult code. */
static uint32_t
read_unwinding(struct reader *r, struct str bytes)
{
	uint64_t v[UNWINDING_VALUES];

	(void)protobuf_values(bytes, r->c, v, UNWINDING_VALUES);
	return (uint32_t)v[UNWINDING_CODE];
}

static void
read_sample(struct reader *r, struct str bytes)
{
	struct sample s = { .time = 0 };
	struct protobuf m = protobuf_of(bytes);
	struct protobuf_field f;

	buf_clear(&r->chain);
	while (protobuf_next(&m, &f))
		switch (f.number) {
		case SAMPLE_TIME: s.time = f.value; break;
		case SAMPLE_THREAD: s.thread = (uint32_t)f.value; break;
		case SAMPLE_CHAIN: read_frame(r, f.bytes); break;
		case SAMPLE_COUNT: s.count = f.value; break;
		case SAMPLE_TYPE: s.type = (uint32_t)f.value; break;
		case SAMPLE_UNWINDING: s.unwinding = read_unwinding(r, f.bytes); break;
		default: break;
		}
	if (!protobuf_good(&m, r->c))
		return;
	s.chain = intern_id(&r->chains, buf_view(&r->chain));
	*MEM_ADD(r->samples, r->sample_n, r->sample_cap) = s;
}

static void
read_lost(struct reader *r, struct str bytes)
{
	uint64_t v[LOST_VALUES];

	(void)protobuf_values(bytes, r->c, v, LOST_VALUES);
	collapse_lose_recorded(r->c, v[LOST_LOST]);
}

static void
read_file(struct reader *r, struct str bytes)
{
	struct file file = { .symbol = r->symbols.n, .library = -1 };
	struct protobuf m = protobuf_of(bytes);
	struct protobuf_field f;
	uint64_t id = 0;

	while (protobuf_next(&m, &f))
		if (f.number == FILE_ID)
			id = f.value;
		else if (f.number == FILE_PATH)
			file.path = arena_str(&r->arena, f.bytes);
		else if (f.number == FILE_SYMBOL)
			json_texts_add(&r->symbols, f.bytes);
	if (!protobuf_good(&m, r->c))
		return;
	file.symbol_n = r->symbols.n - file.symbol;
	places_add(&r->file_ids, id, r->file_n);
	*MEM_ADD(r->files, r->file_n, r->file_cap) = file;
}

static struct str
number_text(struct reader *r, uint64_t value)
{
	char text[12];

	snprintf(text, sizeof text, "%" PRId32, (int32_t)value);
	return arena_str(&r->arena, str_of(text));
}

static void
read_thread(struct reader *r, struct str bytes)
{
	struct thread thread = { .name = { 0 } };
	struct protobuf m = protobuf_of(bytes);
	struct protobuf_field f;
	uint32_t id = 0;

	while (protobuf_next(&m, &f))
		if (f.number == THREAD_ID)
			id = (uint32_t)f.value;
		else if (f.number == THREAD_PROCESS)
			thread.pid = number_text(r, f.value);
		else if (f.number == THREAD_NAME)
			thread.name = arena_str(&r->arena, f.bytes);
	if (!protobuf_good(&m, r->c))
		return;
	thread.tid = number_text(r, id);
	places_add(&r->thread_ids, id, r->thread_n);
	*MEM_ADD(r->threads, r->thread_n, r->thread_cap) = thread;
}

static void
read_meta(struct reader *r, struct str bytes)
{
	struct protobuf m = protobuf_of(bytes);
	struct protobuf_field f;

	while (protobuf_next(&m, &f))
		if (f.number == META_TYPE) {
			json_texts_add(&r->types, f.bytes);
			collapse_expect(r->c, f.bytes);
		} else if (f.number == META_PACKAGE) {
			collapse_info(r->c, "command", f.bytes);
		}
	(void)protobuf_good(&m, r->c);
}

static void
read_record(struct reader *r, struct str bytes)
{
	struct protobuf m = protobuf_of(bytes);
	struct protobuf_field f;

	while (protobuf_next(&m, &f))
		switch (f.number) {
		case SAMPLE: read_sample(r, f.bytes); break;
		case LOST: read_lost(r, f.bytes); break;
		case FILE_RECORD: read_file(r, f.bytes); break;
		case THREAD: read_thread(r, f.bytes); break;
		case META: read_meta(r, f.bytes); break;
		default: break;
		}
	(void)protobuf_good(&m, r->c);
}

/* Reads the size of the next record: 0 at the end, or if the input is truncated. */
static uint32_t
read_size(struct reader *r)
{
	struct bytes b = bytes_of(input_window(r->in, sizeof(uint32_t)), false);
	const uint16_t one = 1;
	uint32_t size;

	/* The file is little endian. */
	b.swap = !*(const char *)&one;
	size = bytes_u32(&b);
	r->cut |= b.bad;
	input_skip(r->in, sizeof size);
	return size;
}

static void
read_records(struct reader *r)
{
	struct str have;
	uint32_t size;

	input_skip(r->in, HEADER);
	while ((size = read_size(r))) {
		have = input_window(r->in, size);
		if (have.n < size) {
			r->cut = true;
			return;
		}
		read_record(r, str_head(have, size));
		input_skip(r->in, size);
	}
}

/* Adds the frame at ADDRESS, which lacks a name. */
static void
add_address(struct reader *r, struct file *f, uint64_t address)
{
	struct library_place place = { .lib = -1, .address = address, .absolute = true };
	struct library about = { .start = 0 };
	char shown[17];

	snprintf(shown, sizeof shown, "%" PRIx64, address);
	place.shown = str_of(shown);
	if (f && f->library < 0) {
		about.path = f->path;
		about.name = str_base(f->path);
		f->library = libraries_add(&r->libraries, &about);
	}
	if (f)
		place.lib = f->library;
	libraries_name(&r->libraries, &place);
}

/* Adds the frame of SYMBOL (counted from 1) in the file ID; if 0, of ADDRESS. */
static void
add_frame(struct reader *r, uint64_t id, uint64_t symbol, uint64_t address)
{
	const uint64_t parts[] = { id, symbol, address };
	struct str_digest key =
		str_digest((struct str){ (const char *)parts, sizeof parts });
	struct frame_names *stack = &r->libraries.stack;
	struct frame_names_symbol s = { .single = false };
	uint64_t place = places_find(&r->file_ids, id);
	struct file *f = place < r->file_n ? &r->files[place] : NULL;
	size_t first = stack->n;

	if (frame_names_recall(stack, key))
		return;
	if (f && symbol && symbol <= f->symbol_n)
		(void)json_texts_get(
			&r->symbols, (int64_t)(f->symbol + symbol - 1), &s.name);
	if (s.name.n) {
		s.module = f->path;
		frame_names_add(stack, &s);
	} else {
		add_address(r, f, address);
	}
	if (stack->n > first)
		frame_names_keep(stack, key, first);
}

/* The node of CHAIN below ROOT. */
static uint32_t
make_node(struct reader *r, uint32_t root, uint32_t chain)
{
	struct str packed = intern_str(&r->chains, chain);
	struct frame_names *stack = &r->libraries.stack;
	struct bytes rest = bytes_of(packed, false);
	uint64_t file, symbol, address;

	stack->n = 0;
	while (protobuf_varint(&rest, &file) && protobuf_varint(&rest, &symbol) &&
		protobuf_varint(&rest, &address))
		add_frame(r, file, symbol, address);
	return stack->n ? collapse_path(r->c, root, stack->ids, stack->n) : TREE_ROOT;
}

static uint32_t
find_node(struct reader *r, uint32_t root, uint32_t chain)
{
	struct str_digest key = cache_key(root, chain);
	uint32_t node = cache_find(&r->nodes, key);

	return node != CACHE_NONE ? node
				  : cache_add(&r->nodes, key, make_node(r, root, chain));
}

/* The end of a stack, from the error code of simpleperf's unwinder. */
static enum collapse_end
find_end(uint32_t code)
{
	static const enum collapse_end ends[] = { COLLAPSE_UNJUDGED, COLLAPSE_BROKEN,
		COLLAPSE_CUT, COLLAPSE_BROKEN, COLLAPSE_NO_RULES, COLLAPSE_NO_FILE,
		COLLAPSE_DEEP, COLLAPSE_BROKEN, COLLAPSE_NO_FILE };

	return code < sizeof ends / sizeof *ends ? ends[code] : COLLAPSE_BROKEN;
}

static void
fold_sample(struct reader *r, const struct sample *sample)
{
	uint64_t place = places_find(&r->thread_ids, sample->thread);
	struct collapse_sample s = { .time = sample->time,
		.period = sample->count,
		.has_time = true,
		.has_period = true,
		.end = find_end(sample->unwinding) };
	uint32_t root;

	if (place < r->thread_n) {
		s.comm = r->threads[place].name;
		s.pid = r->threads[place].pid;
		s.tid = r->threads[place].tid;
	}
	(void)json_texts_get(&r->types, sample->type, &s.event);
	if (!collapse_wants(r->c, &s))
		return;
	root = collapse_mark_end(r->c, collapse_root(r->c, &s), s.end);
	collapse_add(r->c, find_node(r, root, sample->chain), &s);
}

static void
release(struct reader *r)
{
	free(r->samples);
	intern_release(&r->chains);
	buf_release(&r->chain);
	free(r->files);
	free(r->threads);
	places_release(&r->file_ids);
	places_release(&r->thread_ids);
	json_texts_release(&r->symbols);
	json_texts_release(&r->types);
	arena_release(&r->arena);
	libraries_release(&r->libraries);
	cache_release(&r->nodes);
}

static bool
run(struct input *in, struct collapse *c)
{
	struct reader r = { .in = in, .c = c };
	uint64_t before = collapse_samples(c);
	struct str head = input_window(in, HEADER);
	bool good = true;
	size_t i;

	if (head.n < HEADER || head.s[MAGIC] != VERSION || head.s[MAGIC + 1]) {
		msg_error("%s: is not a simpleperf protobuf file of version 1; run "
			  "report_sample.py on the original recording",
			input_name(in));
		return false;
	}
	libraries_init(&r.libraries, c, in);
	read_records(&r);
	for (i = 0; i < r.sample_n; i++)
		fold_sample(&r, &r.samples[i]);
	libraries_explain(&r.libraries);
	if (r.cut)
		good = collapse_damage(c, before, true);
	release(&r);
	return good;
}

static int
probe(struct str head)
{
	(void)head;
	return 100;
}

const struct collapse_format collapse_simpleperf = {
	.probe = probe,
	.signs = SIGNS(SIGN(MAGIC, "SIMPLEPERF")),
	.run = run,
	.uses = COLLAPSE_USES_BY | COLLAPSE_USES_FILES | COLLAPSE_USES_SRCLINE,
};
