/* SPDX-License-Identifier: ISC */
/*
 * Symbols from a jitdump; see jitdump.h. A file begins
 *
 *	u32 magic "JiTD", version 1, size of this header, machine, 0, pid
 *	u64 time, flags
 *
 * and continues with records: u32 kind, u32 total size, u64 time, contents.
 *
 * Call frame information comes in a record before that of its code: u64 size of it all,
 * size of .eh_frame_hdr, size when mapped, .eh_frame, .eh_frame_hdr. Its addresses
 * refer to a file that perf inject would make, so they are useless here.
 *
 * Addresses are reused, so code is found by place and time. The ends of all pieces
 * divide memory into ranges, the leaves of a segment tree; each piece is listed, in
 * order of time, in the few nodes that make up its range. A look-up takes the latest
 * one from the lists on the path from a leaf to the root: O(log^2 n) for any file.
 */
#include "jitdump.h"
#include "bytes.h"
#include "mem.h"
#include "search.h"

enum { MAGIC = 0x4a695444, VERSION = 1, HEADER = 40, RECORD = 16 };
enum { CODE_LOAD, CODE_MOVE, UNWINDING_INFO = 4 };
enum { FLAG_ARCH_TIME = 1 };

struct piece {
	uint64_t time;
	struct jitdump_code is;
	uint64_t code;	       /* its number, the same after a move */
	size_t order;	       /* in the file */
	bool moved;	       /* named after an earlier piece with its number */
	size_t leaf, leaf_end; /* its leaves */
};

struct jitdump {
	struct piece *pieces; /* by time */
	size_t n, cap;
	struct str frames; /* for the next code */
	bool timeless;	   /* times are not from the recording's clock */
	uint64_t *points;  /* starts and ends of all pieces, sorted, each once */
	size_t point_n;
	/* Node I lists the pieces lists[first[I]] up to lists[first[I + 1]]. */
	size_t *first;
	uint32_t *lists;
};

static bool
read_header(struct bytes *b, struct jitdump *j)
{
	uint32_t size;

	if (bytes_u32(b) != MAGIC)
		return false;
	if (bytes_u32(b) > VERSION)
		return false;
	size = bytes_u32(b);
	bytes_skip(b, 3 * sizeof(uint32_t) + sizeof(uint64_t)); /* up to the flags */
	j->timeless = bytes_u64(b) & FLAG_ARCH_TIME;
	if (size < HEADER)
		return false;
	bytes_skip(b, size - HEADER);
	return !b->bad;
}

/* Code of size 0 has just its first address. */
static void
set_range(struct piece *p, uint64_t start, uint64_t size)
{
	size = size ? size : 1;
	p->is.start = start;
	p->is.end = size < UINT64_MAX - start ? start + size : UINT64_MAX;
}

/* Reads the content B of a record of KIND. Returns false if it is damaged. */
static bool
read_piece(struct bytes b, uint32_t kind, struct piece *p)
{
	uint64_t start, size;

	p->moved = kind == CODE_MOVE;
	bytes_skip(&b, 2 * sizeof(uint32_t) + sizeof(uint64_t)); /* pid, tid, vma */
	if (p->moved)
		bytes_skip(&b, sizeof(uint64_t)); /* where it was */
	start = bytes_u64(&b);
	size = bytes_u64(&b);
	p->code = bytes_u64(&b);
	if (!p->moved)
		p->is.name = bytes_cstr(&b);
	set_range(p, start, size);
	return !b.bad && start < UINT64_MAX && (p->moved || p->is.name.n);
}

/* The .eh_frame in the content B of a record of unwinding information. */
static struct str
read_frames(struct bytes b)
{
	uint64_t size = bytes_u64(&b), table = bytes_u64(&b);

	bytes_skip(&b, sizeof(uint64_t));
	if (b.bad || size > bytes_left(&b) || table > size)
		return (struct str){ 0 };
	return bytes_take(&b, size - table);
}

/* Reads the next record. Returns false at the end, and if the next one cannot be
 * found. */
static bool
read_record(struct bytes *b, struct jitdump *j, size_t *bad)
{
	struct piece p = { .order = j->n };
	struct bytes content;
	uint32_t kind, size;
	bool cut;

	if (!bytes_left(b))
		return false;
	kind = bytes_u32(b);
	size = bytes_u32(b);
	p.time = bytes_u64(b);
	if (b->bad || size < RECORD) {
		++*bad;
		return false;
	}
	/* A record that is truncated within its code still has its name. */
	cut = size - RECORD > bytes_left(b);
	size = cut ? (uint32_t)bytes_left(b) : size - RECORD;
	content = bytes_of(bytes_take(b, size), b->swap);
	if (kind == UNWINDING_INFO)
		j->frames = read_frames(content);
	if (kind <= CODE_MOVE && read_piece(content, kind, &p)) {
		p.is.swap = b->swap;
		if (kind == CODE_LOAD) {
			p.is.frames = j->frames;
			j->frames = (struct str){ 0 };
		}
		*MEM_ADD(j->pieces, j->n, j->cap) = p;
		*bad += cut;
	} else {
		*bad += cut || kind <= CODE_MOVE;
	}
	return !cut;
}

static int
by_code(const void *a, const void *b)
{
	const struct piece *x = a, *y = b;

	if (x->code != y->code)
		return x->code < y->code ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

static int
by_time(const void *a, const void *b)
{
	const struct piece *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

/* Names moved code after earlier code with the same number. Drops code that was never
 * loaded, and returns the number of dropped pieces. */
static size_t
name_moved(struct jitdump *j)
{
	size_t i, kept = 0, n = j->n;
	struct piece *p, *before = NULL;

	qsort(j->pieces, n, sizeof *j->pieces, by_code);
	for (i = 0; i < n; i++) {
		p = &j->pieces[i];
		if (p->moved && before && before->code == p->code) {
			p->is.name = before->is.name;
			p->is.frames = before->is.frames;
		}
		if (!p->is.name.n)
			continue;
		j->pieces[kept] = *p;
		before = &j->pieces[kept++];
	}
	j->n = kept;
	return n - kept;
}

static int
by_value(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* The number of points at or below ADDRESS. */
static size_t
count_points(const struct jitdump *j, uint64_t address)
{
	return search_upto(j->points, j->point_n, sizeof *j->points, address);
}

static void
set_points(struct jitdump *j)
{
	size_t i, n = 0;

	j->points = mem_alloc(2 * j->n * sizeof *j->points);
	for (i = 0; i < j->n; i++) {
		j->points[n++] = j->pieces[i].is.start;
		j->points[n++] = j->pieces[i].is.end;
	}
	qsort(j->points, n, sizeof *j->points, by_value);
	for (i = 0; i < n; i++)
		if (!j->point_n || j->points[j->point_n - 1] != j->points[i])
			j->points[j->point_n++] = j->points[i];
}

static void
set_leaves(struct jitdump *j)
{
	struct piece *p;
	size_t i, end;

	for (i = 0; i < j->n; i++) {
		p = &j->pieces[i];
		p->leaf = count_points(j, p->is.start) - 1;
		/* Few pieces contain the start or end of another. */
		for (end = p->leaf + 1; j->points[end] < p->is.end && end < p->leaf + 8;)
			end++;
		if (j->points[end] != p->is.end)
			end = count_points(j, p->is.end) - 1;
		p->leaf_end = end;
	}
}

/* Enters piece NUMBER into the nodes of its range: counts it in each or, with PUT,
 * appends it to their lists. */
static void
enter(struct jitdump *j, uint32_t number, bool put)
{
	size_t low = j->pieces[number].leaf + j->point_n;
	size_t high = j->pieces[number].leaf_end + j->point_n;
	size_t node;

	for (; low < high; low /= 2, high /= 2) {
		for (int side = 0; side < 2; side++) {
			if (!(side ? high & 1 : low & 1))
				continue;
			node = side ? --high : low++;
			if (put)
				j->lists[j->first[node]] = number;
			j->first[node]++;
		}
	}
}

/* Counts first, then fills the lists: each begins where the previous one ends, which is
 * the state of first after filling. */
static void
build_tree(struct jitdump *j)
{
	size_t nodes = 2 * j->point_n, i, sum = 0, n;

	j->first = mem_zero(nodes + 1, sizeof *j->first);
	for (i = 0; i < j->n; i++)
		enter(j, (uint32_t)i, false);
	for (i = 0; i < nodes; i++) {
		n = j->first[i];
		j->first[i] = sum;
		sum += n;
	}
	j->lists = mem_alloc(sum * sizeof *j->lists);
	for (i = 0; i < j->n; i++)
		enter(j, (uint32_t)i, true);
	memmove(j->first + 1, j->first, nodes * sizeof *j->first);
	j->first[0] = 0;
}

static bool
has_moved(const struct jitdump *j)
{
	size_t i;

	for (i = 0; i < j->n; i++)
		if (j->pieces[i].moved)
			return true;
	return false;
}

struct jitdump *
jitdump_parse(struct str bytes, size_t *bad)
{
	struct jitdump *j = mem_zero(1, sizeof *j);
	struct bytes b = bytes_of(bytes, false), peek = b;

	*bad = 0;
	b.swap = bytes_u32(&peek) == __builtin_bswap32(MAGIC);
	if (!read_header(&b, j)) {
		jitdump_free(j);
		return NULL;
	}
	while (j->n < UINT32_MAX && read_record(&b, j, bad))
		continue;
	if (has_moved(j))
		*bad += name_moved(j);
	if (!j->n)
		return j;
	qsort(j->pieces, j->n, sizeof *j->pieces, by_time);
	set_points(j);
	set_leaves(j);
	build_tree(j);
	return j;
}

void
jitdump_free(struct jitdump *j)
{
	if (!j)
		return;
	free(j->pieces);
	free(j->points);
	free(j->first);
	free(j->lists);
	free(j);
}

/* The number of pieces loaded up to TIME. */
static size_t
count_until(const struct jitdump *j, uint64_t time)
{
	return !time || j->timeless
		? j->n
		: search_upto(j->pieces, j->n, sizeof *j->pieces, time);
}

/* The number, plus one, of the latest piece below UNTIL in the list of NODE, or 0. */
static size_t
latest(const struct jitdump *j, size_t node, size_t until)
{
	size_t low = j->first[node], high = j->first[node + 1], mid;
	size_t start = low;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (j->lists[mid] < until)
			low = mid + 1;
		else
			high = mid;
	}
	return low > start ? (size_t)j->lists[low - 1] + 1 : 0;
}

bool
jitdump_find(const struct jitdump *j, uint64_t address, uint64_t time,
	struct jitdump_code *code)
{
	size_t until = count_until(j, time), found = 0, at, node;
	size_t below = count_points(j, address);

	if (!below)
		return false;
	for (node = below - 1 + j->point_n; node; node /= 2) {
		at = latest(j, node, until);
		found = at > found ? at : found;
	}
	if (found)
		*code = j->pieces[found - 1].is;
	return found > 0;
}
