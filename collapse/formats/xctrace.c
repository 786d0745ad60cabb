/* SPDX-License-Identifier: ISC */
/*
 * Tables with stacks, recorded by Apple's Instruments and exported by xctrace export
 * --xpath:
 *
 *	<trace-query-result>
 *	<node xpath='...'><schema name="time-profile">...</schema>
 *	<row><sample-time id="1" fmt="00:00.100.000">100000000</sample-time>
 *	 <thread id="2" fmt="Main Thread (0x1) (App, pid: 7)"><tid id="3" fmt="0x1">1</tid>
 *	  <process id="4" fmt="App (7)"><pid id="5" fmt="7">7</pid></process></thread>
 *	 <process ref="4"/><weight id="6" fmt="1.00 ms">1000000</weight>
 *	 <tagged-backtrace id="7" fmt="leaf"><backtrace id="8">
 *	  <frame id="9" name="leaf" addr="0x1">
 *	   <binary id="10" name="App" path="/Applications/App.app/App"/></frame>
 *	  <frame id="11" name="main" addr="0x3"><binary ref="10"/>
 *	   <source line="7"><path id="12">/src/main.c</path></source></frame>
 *	 </backtrace></tagged-backtrace></row>
 *	<row>... <weight ref="6"/><tagged-backtrace ref="7"/></row>
 *	<row>... <weight ref="6"/><sentinel/></row>
 *
 * A value is written once, with an id that is valid in the whole file, and then repeated
 * as a ref. Frames are innermost first. Xcode 13 omits the tagged-backtrace, Xcode 27 the
 * backtrace in it. A weight is in ns; a cycle-weight, in the table cpu-profile, is in
 * cycles; rows of other tables count as 1. A sentinel is a cell without a value.
 */
#include "collapse.h"
#include "formats.h"
#include "stacks/frame-names.h"
#include "idmap.h"
#include "readers/xml-read.h"

/* Kinds of elements. Those before SOURCE have values, which refs may repeat. */
enum kind {
	NOTHING,
	TIME,
	WEIGHT,
	CYCLES,
	THREAD,
	TID,
	PROCESS,
	PID,
	STACK,
	FRAME,
	BINARY,
	PLACE,
	SOURCE,
	ROW,
	SCHEMA
};

static const struct {
	struct str tag;
	enum kind kind;
} TAGS[] = {
	{ { "frame", 5 }, FRAME },
	{ { "binary", 6 }, BINARY },
	{ { "backtrace", 9 }, STACK },
	{ { "tagged-backtrace", 16 }, STACK },
	{ { "weight", 6 }, WEIGHT },
	{ { "cycle-weight", 12 }, CYCLES },
	{ { "sample-time", 11 }, TIME },
	{ { "event-time", 10 }, TIME },
	{ { "start-time", 10 }, TIME },
	{ { "thread", 6 }, THREAD },
	{ { "tid", 3 }, TID },
	{ { "process", 7 }, PROCESS },
	{ { "pid", 3 }, PID },
	{ { "path", 4 }, PLACE },
	{ { "source", 6 }, SOURCE },
	{ { "row", 3 }, ROW },
	{ { "schema", 6 }, SCHEMA },
};

/* An open tag. */
struct element {
	enum kind kind;
	bool has_id, is_ref;
	uint64_t id;
};

/* A stack, or a frame with the frames that its name expands to: ids in the pool. NODE is
 * the stack's node below ROOT, the last root it was used with. */
struct span {
	size_t first, n;
	uint32_t root, node;
};

/* A process or a thread: ids in texts. */
struct owner {
	uint32_t comm, pid, tid;
};

/* The current row, and the current frame. */
struct row {
	struct collapse_sample s;
	struct owner owner;
	size_t stack; /* a span + 1 */
	bool bad;     /* has an undefined reference or an invalid number */
};
struct place {
	struct buf name, address, line;
	uint32_t module, file;
};

struct reader {
	struct collapse *c;
	struct element *open;
	size_t depth, open_cap;
	struct idmap values; /* by id and kind: numbers, ids in texts, owners or spans */
	struct intern texts;
	uint32_t *pool;
	size_t pool_n, pool_cap;
	struct span *spans;
	size_t span_n, span_cap;
	struct owner *owners;
	size_t owner_n, owner_cap;
	struct frame_names frame;
	struct place at;
	uint32_t *ids; /* of the current stack, innermost first */
	size_t id_n, id_cap;
	bool bad_stack;
	size_t inner;	/* the span of a stack nested in the current one, + 1 */
	uint32_t table; /* its name, in texts */
	struct row row;
	bool has_unit;
};

static enum kind
find_kind(struct str tag)
{
	size_t i;

	for (i = 0; i < sizeof TAGS / sizeof *TAGS; i++)
		if (str_eq(tag, TAGS[i].tag))
			return TAGS[i].kind;
	return NOTHING;
}

/* Keeps the N IDS. Returns the span's index. */
static uint64_t
add_span(struct reader *r, const uint32_t *ids, size_t n)
{
	r->pool = mem_grow(r->pool, &r->pool_cap, r->pool_n + n, sizeof *r->pool);
	if (n)
		memcpy(r->pool + r->pool_n, ids, n * sizeof *ids);
	r->spans = mem_grow(r->spans, &r->span_cap, r->span_n + 1, sizeof *r->spans);
	r->spans[r->span_n] = (struct span){ r->pool_n, n, TREE_ROOT, TREE_ROOT };
	r->pool_n += n;
	return r->span_n++;
}

static void
set_text(struct buf *b, struct str text)
{
	buf_clear(b);
	buf_str(b, text);
}

/* The name in "App (7)", a process's display name. */
static uint32_t
find_comm(struct reader *r, struct str shown)
{
	size_t bracket = str_rfind(shown, '(');

	if (bracket > 0 && bracket < shown.n)
		shown = str_trim(str_head(shown, bracket));
	return intern_id(&r->texts, shown);
}

static void
begin_frame(struct reader *r, const char **attrs)
{
	set_text(&r->at.name, xml_attr(attrs, "name"));
	set_text(&r->at.address, xml_attr(attrs, "addr"));
	buf_clear(&r->at.line);
	r->at.module = r->at.file = intern_id(&r->texts, (struct str){ 0 });
}

static void
begin_binary(struct reader *r, const char **attrs)
{
	struct str path = xml_attr(attrs, "path");

	if (!path.n)
		path = xml_attr(attrs, "name");
	r->at.module = intern_id(&r->texts, path);
	collapse_explain(
		r->c, path, STR("Instruments had no symbols for it, such as a dSYM"));
}

/* Begins an element of KIND, of which only the attributes are known. */
static void
begin(struct reader *r, enum kind kind, const char **attrs)
{
	switch (kind) {
	case ROW:
		r->row = (struct row){ .stack = 0 };
		r->id_n = 0;
		break;
	case SCHEMA: r->table = intern_id(&r->texts, xml_attr(attrs, "name")); break;
	case STACK:
		r->inner = r->id_n = 0;
		r->bad_stack = false;
		break;
	case FRAME: begin_frame(r, attrs); break;
	case SOURCE: set_text(&r->at.line, xml_attr(attrs, "line")); break;
	case BINARY: begin_binary(r, attrs); break;
	case PROCESS: r->row.owner.comm = find_comm(r, xml_attr(attrs, "fmt")); break;
	default: break;
	}
}

static void
handle_open(void *to, struct str name, const char **attrs)
{
	struct reader *r = to;
	struct element e = { .kind = find_kind(name) };

	e.is_ref = xml_attr_u64(attrs, "ref", &e.id);
	e.has_id = !e.is_ref && xml_attr_u64(attrs, "id", &e.id);
	*MEM_ADD(r->open, r->depth, r->open_cap) = e;
	if (!e.is_ref)
		begin(r, e.kind, attrs);
}

/* Turns the current frame into a span. */
static uint64_t
make_frame(struct reader *r)
{
	struct frame_names_symbol s = { .name = buf_view(&r->at.name),
		.module = intern_str(&r->texts, r->at.module),
		.address = buf_view(&r->at.address) };
	struct str file = str_base(intern_str(&r->texts, r->at.file));
	struct buf place = { 0 };

	if (str_starts(s.name, STR("0x")))
		s.name.n = 0;
	if (str_starts(s.address, STR("0x")))
		s.address = str_from(s.address, 2);
	if (file.n && collapse_options(r->c)->srcline) {
		buf_fmt(&place, "%.*s:", STR_ARG(file));
		buf_str(&place, buf_view(&r->at.line));
		s.srcline = buf_view(&place);
	}
	r->frame.n = 0;
	frame_names_add(&r->frame, &s);
	buf_release(&place);
	return add_span(r, r->frame.ids, r->frame.n);
}

static uint64_t
add_owner(struct reader *r)
{
	r->owners = mem_grow(r->owners, &r->owner_cap, r->owner_n + 1, sizeof *r->owners);
	r->owners[r->owner_n] = r->row.owner;
	return r->owner_n++;
}

/* Sets *VALUE for the element of KIND, which ends with TEXT. Returns false if it has no
 * value. */
static bool
make(struct reader *r, enum kind kind, struct str text, uint64_t *value)
{
	switch (kind) {
	case TIME:
	case WEIGHT:
	case CYCLES: return str_to_u64(str_trim(text), value);
	case TID:
	case PID:
	case PLACE: *value = intern_id(&r->texts, str_trim(text)); return true;
	case BINARY: *value = r->at.module; return true;
	case THREAD:
	case PROCESS: *value = add_owner(r); return true;
	case FRAME: *value = make_frame(r); return true;
	case STACK:
		if (r->bad_stack)
			return false;
		*value = r->inner ? r->inner - 1 : add_span(r, r->ids, r->id_n);
		return true;
	default: return false;
	}
}

/* Adds the frames of span I to the current stack. */
static void
push_frames(struct reader *r, uint64_t i)
{
	const struct span *span = &r->spans[i];

	r->ids = mem_grow(r->ids, &r->id_cap, r->id_n + span->n, sizeof *r->ids);
	if (span->n)
		memcpy(r->ids + r->id_n, r->pool + span->first, span->n * sizeof *r->ids);
	r->id_n += span->n;
}

static void
set_weight(struct reader *r, struct str unit, uint64_t weight)
{
	r->row.s.has_period = true;
	r->row.s.period = weight;
	if (!r->has_unit)
		collapse_unit(r->c, unit);
	r->has_unit = true;
}

static void
set_stack(struct reader *r, uint64_t span)
{
	r->inner = (size_t)span + 1;
	if (!r->row.stack)
		r->row.stack = r->inner;
}

/* Applies VALUE, of KIND, to the enclosing element. */
static void
apply(struct reader *r, enum kind kind, uint64_t value)
{
	switch (kind) {
	case TIME:
		r->row.s.time = value;
		r->row.s.has_time = true;
		break;
	case WEIGHT: set_weight(r, STR("ns"), value); break;
	case CYCLES: set_weight(r, STR("cycles"), value); break;
	case TID: r->row.owner.tid = (uint32_t)value; break;
	case PID: r->row.owner.pid = (uint32_t)value; break;
	case PLACE: r->at.file = (uint32_t)value; break;
	case BINARY: r->at.module = (uint32_t)value; break;
	case THREAD: r->row.owner = r->owners[value]; break;
	case PROCESS:
		r->row.owner.comm = r->owners[value].comm;
		r->row.owner.pid = r->owners[value].pid;
		break;
	case FRAME: push_frames(r, value); break;
	case STACK: set_stack(r, value); break;
	default: break;
	}
}

/* The node of the row's stack below ROOT. The span remembers its last one. */
static uint32_t
find_node(struct reader *r, uint32_t root)
{
	struct span *span;

	if (!r->row.stack || !r->spans[r->row.stack - 1].n)
		return TREE_ROOT;
	span = &r->spans[r->row.stack - 1];
	if (span->node == TREE_ROOT || span->root != root) {
		span->node = collapse_path(r->c, root, r->pool + span->first, span->n);
		span->root = root;
	}
	return span->node;
}

static void
end_row(struct reader *r)
{
	struct collapse_sample *s = &r->row.s;

	s->comm = intern_str(&r->texts, r->row.owner.comm);
	s->pid = intern_str(&r->texts, r->row.owner.pid);
	s->tid = intern_str(&r->texts, r->row.owner.tid);
	s->event = intern_str(&r->texts, r->table);
	if (r->row.bad)
		collapse_lose(r->c, COLLAPSE_MALFORMED);
	else if (collapse_wants(r->c, s))
		collapse_add(r->c, find_node(r, collapse_root(r->c, s)), s);
}

static void
handle_close(void *to, struct str name, struct str text)
{
	struct reader *r = to;
	struct element e = r->open[--r->depth];
	uint64_t value = 0, *kept;
	bool good;

	(void)name;
	if (e.kind == ROW)
		end_row(r);
	if (e.kind == NOTHING || e.kind >= SOURCE)
		return;
	if (e.is_ref) {
		kept = idmap_find(&r->values, e.id, e.kind);
		good = kept != NULL;
		value = kept ? *kept : 0;
	} else {
		good = make(r, e.kind, text, &value);
		if (good && e.has_id)
			*idmap_put(&r->values, e.id, e.kind) = value;
	}
	if (good)
		apply(r, e.kind, value);
	else
		r->row.bad = true;
	r->bad_stack |= !good && e.kind == FRAME;
}

static void
reader_release(struct reader *r)
{
	idmap_release(&r->values);
	intern_release(&r->texts);
	frame_names_release(&r->frame);
	buf_release(&r->at.name);
	buf_release(&r->at.address);
	buf_release(&r->at.line);
	free(r->open);
	free(r->pool);
	free(r->spans);
	free(r->owners);
	free(r->ids);
}

static bool
run(struct input *in, struct collapse *c)
{
	static const struct xml_handler handler = { handle_open, handle_close };
	struct reader r = { .c = c, .frame.c = c };
	bool good;

	collapse_threadless(c);
	/* Text 0 stands for unknown values. */
	intern_id(&r.texts, STR(""));
	collapse_explain(c, STR(""), STR("code outside all files known to Instruments"));
	good = xml_fold(in, c, &handler, &r);
	reader_release(&r);
	return good;
}

static int
probe(struct str head)
{
	return xml_begins(head, "trace-query-result") ? 100 : 0;
}

const struct collapse_format collapse_xctrace = {
	.probe = probe,
	.signs = SIGNS(SIGN(MARKUP, "trace-query-result")),
	.run = run,
	.uses = COLLAPSE_USES_BY | COLLAPSE_USES_ADDRS | COLLAPSE_USES_SRCLINE |
		COLLAPSE_USES_FULL_NAMES,
};
