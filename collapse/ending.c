/* SPDX-License-Identifier: ISC */
/* Where stacks end; see ending.h. */
#include "ending.h"

/* glibc, musl, bionic, macOS, Windows, Go. */
static const char *const ENTRIES[] = { "_start", "main", "__libc_start_main",
	"__libc_start_call_main", "__libc_start_main_impl", "libc_start_main_stage2",
	"_start_c", "_dl_start", "_dl_start_user", "_dl_sysdep_start", "clone", "__clone",
	"clone3", "__clone3", "start_thread", "thread_start", "start", "__libc_init",
	"__start_thread", "__pthread_start", "_pthread_start", "start_wqthread",
	"RtlUserThreadStart", "BaseThreadInitThunk", "runtime.goexit",
	"runtime.goexit.abi0", "runtime.mstart", "runtime.mstart.abi0", "runtime.rt0_go",
	"runtime.rt0_go.abi0", "_rt0_amd64_linux", "_rt0_arm64_linux" };

bool
ending_is_entry(struct str name)
{
	struct str plain = str_head(name, str_find(name, '@'));
	size_t i;

	/* "main:work.c:12" */
	i = str_find(plain, ':');
	if (i + 1 < plain.n && plain.s[i + 1] != ':')
		plain = str_head(plain, i);
	for (i = 0; i < sizeof ENTRIES / sizeof *ENTRIES; i++)
		if (str_eq(plain, str_of(ENTRIES[i])))
			return true;
	return false;
}

enum collapse_end
ending_judge(const struct collapse *c, const uint32_t *ids, size_t n,
	enum collapse_end otherwise)
{
	unsigned outermost = n ? collapse_marks_of(c, ids[n - 1]) : 0;

	if (outermost & (COLLAPSE_IN_KERNEL | COLLAPSE_AT_ENTRY))
		return COLLAPSE_ENTRY;
	/* Where frame pointers end, a word that is none may be taken for a caller; and the
	 * _start of a stripped program has no name. */
	if (outermost & COLLAPSE_BARE && n > 1 &&
		collapse_marks_of(c, ids[n - 2]) & COLLAPSE_AT_ENTRY)
		return COLLAPSE_ENTRY;
	return otherwise;
}

uint32_t
ending_mark(struct collapse *c, uint32_t root, enum collapse_end end)
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

/* The weights of stacks that end in MODULE. */
static struct collapse_stuck *
find_stuck(struct collapse *c, struct str module)
{
	uint32_t id = intern_id(&c->end_modules, module);
	size_t had = c->stuck_cap;

	c->stuck = mem_grow(c->stuck, &c->stuck_cap, (size_t)id + 1, sizeof *c->stuck);
	if (c->stuck_cap > had)
		memset(c->stuck + had, 0, (c->stuck_cap - had) * sizeof *c->stuck);
	return &c->stuck[id];
}

void
ending_count(struct collapse *c, const struct collapse_sample *s, uint64_t weight)
{
	c->ends[s->end] += weight;
	if (s->end_module.n)
		find_stuck(c, s->end_module)->weight[s->end] += weight;
}

void
ending_forget(struct collapse *c)
{
	memset(c->ends, 0, sizeof c->ends);
	if (c->stuck)
		memset(c->stuck, 0, c->stuck_cap * sizeof *c->stuck);
	c->snapshot = 0;
}
