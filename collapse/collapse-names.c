/* SPDX-License-Identifier: ISC */
/* Frame names, and what they imply: the end of a stack, the reason why a name is missing;
 * see collapse.h. */
#include "frame.h"
#include "mem.h"
#include "sink.h"

/* From this minor version on, Python 3 can name its functions for profilers. */
enum { PYTHON_WITH_NAMES = 12 };

static void
mark(struct collapse *c, uint32_t id, unsigned m)
{
	*MEM_AT(c->marks, c->mark_cap, id) |= (uint16_t)m;
}

static bool
is_stop(const struct collapse *c, struct str name)
{
	const struct opt_list *list = &c->options->skip_after;
	size_t i;

	for (i = 0; i < list->n; i++)
		if (str_eq(name, str_of(list->items[i])))
			return true;
	return false;
}

/* The annotation for KIND, 0 without; like FlameGraph, only one per frame. */
static char
choose_annotation(const struct collapse_options *o, unsigned kind)
{
	if (kind & COLLAPSE_INLINED)
		return 'i';
	if (kind & COLLAPSE_KERNEL && o->kernel)
		return 'k';
	return kind & COLLAPSE_JIT && o->jit ? 'j' : 0;
}

/* glibc, musl, bionic, macOS, Windows, Go. */
static const char *const ENTRIES[] = { "_start", "main", "__libc_start_main",
	"__libc_start_call_main", "__libc_start_main_impl", "libc_start_main_stage2",
	"_start_c", "_dl_start", "_dl_start_user", "_dl_sysdep_start", "clone", "__clone",
	"clone3", "__clone3", "start_thread", "thread_start", "start", "__libc_init",
	"__start_thread", "__pthread_start", "_pthread_start", "start_wqthread",
	"RtlUserThreadStart", "BaseThreadInitThunk", "runtime.goexit",
	"runtime.goexit.abi0", "runtime.mstart", "runtime.mstart.abi0", "runtime.rt0_go",
	"runtime.rt0_go.abi0", "_rt0_amd64_linux", "_rt0_arm64_linux" };

/* Whether NAME, apart from our suffixes, is a function in which programs or threads
 * begin. */
static bool
is_entry(struct str name)
{
	struct str plain = frame_cut_version(name);
	size_t i;

	/* "main:work.c:12" */
	i = str_find(plain, ':');
	if (i + 1 < plain.n && plain.s[i + 1] != ':')
		plain = str_head(plain, i);
	/* glibc's own aliases */
	if (str_starts(plain, STR("__GI_")))
		plain = str_from(plain, 5);
	for (i = 0; i < sizeof ENTRIES / sizeof *ENTRIES; i++)
		if (str_eq(plain, str_of(ENTRIES[i])))
			return true;
	return false;
}

uint32_t
collapse_frame(struct collapse *c, struct str name, unsigned kind)
{
	char annotation = choose_annotation(c->options, kind);
	bool placed = c->options->srcline || c->options->code;
	struct str bare = placed ? frame_cut_place(name) : name;
	uint32_t id;

	/* A stack of only empty frames could not be read back. */
	if (!name.n)
		return collapse_bare_frame(c, name, name, kind);
	buf_clear(&c->scratch);
	folded_put_frame(&c->scratch,
		c->options->full_names ? bare : frame_cut_symbol_version(bare));
	if (bare.n < name.n)
		folded_put_frame(&c->scratch, str_from(name, bare.n));
	if (annotation)
		frame_annotate(&c->scratch, annotation);
	id = intern_id(&c->tree.names, buf_view(&c->scratch));
	if (c->options->skip_after.n && (is_stop(c, name) || is_stop(c, bare)))
		mark(c, id, COLLAPSE_STOP);
	if (kind & COLLAPSE_KERNEL)
		mark(c, id, COLLAPSE_IN_KERNEL);
	else if (!(collapse_marks_of(c, id) & (COLLAPSE_AT_ENTRY | COLLAPSE_PLAIN)))
		mark(c, id, is_entry(bare) ? COLLAPSE_AT_ENTRY : COLLAPSE_PLAIN);
	return id;
}

uint32_t
collapse_bare_frame(
	struct collapse *c, struct str module, struct str address, unsigned kind)
{
	bool known = module.n > 0;
	struct buf name = { 0 };
	uint32_t id;

	buf_char(&name, '[');
	buf_str(&name, known ? frame_module_base(module) : STR("unknown"));
	if (c->options->addrs && address.n) {
		buf_str(&name, STR(" <"));
		buf_str(&name, address);
		buf_char(&name, '>');
	}
	buf_char(&name, ']');
	id = collapse_frame(c, buf_view(&name), kind);
	buf_release(&name);
	if (frame_module_is_kernel(module))
		mark(c, id, COLLAPSE_BARE_KERNEL);
	else
		mark(c, id,
			frame_module_is_file(module) ? COLLAPSE_BARE_FILE
						     : COLLAPSE_BARE_CODE);
	return id;
}

/* The N of Python 3.N if the file name BASE is its interpreter or library; else 0. */
static unsigned
find_python(struct str base)
{
	enum { MOST = 1000 };
	unsigned n = 0;

	if (str_starts(base, STR("lib")))
		base = str_from(base, 3);
	if (!str_starts(base, STR("python3.")))
		return 0;
	for (base = str_from(base, 8); base.n && str_is_digit(base.s[0]) && n < MOST;
		base = str_from(base, 1))
		n = n * 10 + (unsigned)(base.s[0] - '0');
	return n;
}

bool
collapse_is_bare(const struct collapse *c, uint32_t id)
{
	return collapse_marks_of(c, id) & COLLAPSE_BARE;
}

static struct str
function_of(const struct collapse *c, uint32_t id)
{
	return frame_cut_place(frame_bare(intern_str(&c->tree.names, id)));
}

bool
collapse_same_function(const struct collapse *c, uint32_t a, uint32_t b)
{
	if (a == b || (!c->options->srcline && !c->options->code))
		return a == b;
	return str_eq(function_of(c, a), function_of(c, b));
}

/* The runtime to which MODULE belongs. */
static unsigned
runtime_of(struct str module)
{
	struct str base = frame_module_base(module);
	unsigned python = find_python(base);

	if (str_eq(base, STR("libjvm.so")))
		return COLLAPSE_IN_JAVA;
	if (str_eq(base, STR("node")) || str_eq(base, STR("nodejs")))
		return COLLAPSE_IN_NODE;
	if (python)
		return python < PYTHON_WITH_NAMES ? COLLAPSE_IN_OLD_PYTHON
						  : COLLAPSE_IN_PYTHON;
	return frame_module_is_jit(module) ? COLLAPSE_PYTHON_FUNCTION : 0;
}

struct collapse_module
collapse_module_of(struct collapse *c, struct str module)
{
	uint32_t known = c->modules.n, id = intern_id(&c->modules, module);

	if (id == known) {
		*MEM_AT(c->module_table, c->module_cap, id) = (struct collapse_module){
			.kind = (frame_module_is_kernel(module) ? COLLAPSE_KERNEL : 0) |
				(frame_module_is_jit(module) ? COLLAPSE_JIT : 0),
			.runtime = runtime_of(module),
		};
	}
	return c->module_table[id];
}

void
collapse_mark_runtime(struct collapse *c, uint32_t id, struct collapse_module module)
{
	if (module.runtime != COLLAPSE_PYTHON_FUNCTION ||
		str_starts(intern_str(&c->tree.names, id), STR("py::")))
		mark(c, id, module.runtime);
}

void
collapse_explain(struct collapse *c, struct str module, struct str why)
{
	uint32_t id = collapse_bare_frame(c, module, (struct str){ 0 }, 0);

	*MEM_ADD(c->reasons, c->reason_n, c->reason_cap) =
		(struct collapse_reason){ id, intern_id(&c->reason_texts, why) };
}

enum collapse_end
collapse_judge_end(const struct collapse *c, const uint32_t *ids, size_t n,
	enum collapse_end otherwise)
{
	unsigned outermost = n ? collapse_marks_of(c, ids[n - 1]) : 0;

	if (outermost & (COLLAPSE_IN_KERNEL | COLLAPSE_AT_ENTRY))
		return COLLAPSE_ENTRY;
	/* At the end of frame pointers, a stray word may look like a caller; and the
	 * _start of a stripped program has no name. */
	if (outermost & COLLAPSE_BARE && n > 1 &&
		collapse_marks_of(c, ids[n - 2]) & COLLAPSE_AT_ENTRY)
		return COLLAPSE_ENTRY;
	return otherwise;
}

uint32_t
collapse_mark_end(struct collapse *c, uint32_t root, enum collapse_end end)
{
	if (c->options->no_marks)
		return root;
	switch (end) {
	case COLLAPSE_CUT:
	case COLLAPSE_DEEP:
	case COLLAPSE_SWITCHED: return tree_child(&c->tree, root, STR("[truncated]"));
	case COLLAPSE_BROKEN:
	case COLLAPSE_GONE:
	case COLLAPSE_FOREIGN:
	case COLLAPSE_NO_POINTERS:
	case COLLAPSE_NO_RULES:
	case COLLAPSE_NO_FILE: return tree_child(&c->tree, root, STR("[broken]"));
	default: return root;
	}
}
