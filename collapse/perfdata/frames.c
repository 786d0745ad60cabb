/* SPDX-License-Identifier: ISC */
/* Places in code to frames; see frames.h. */
#include "frames.h"
#include "symbols/dso.h"

#include <inttypes.h>
#include <stdio.h>

/* What decides the frames of a place. */
struct key {
	struct chain_place place;
	uint64_t inlines;
};

void
frames_release(struct frames *f)
{
	naming_release(&f->stack);
}

/* Whether NAME is the code that the kernel makes a signal handler return to: it
 * was never called, so nothing is before its first instruction. */
static bool
is_trampoline(struct str name)
{
	static const char *const names[] = { "__restore_rt", "__restore",
		"__kernel_rt_sigreturn", "__kernel_sigreturn", "__vdso_rt_sigreturn",
		"__default_rt_sa_restorer", "__default_sa_restorer" };
	size_t i;

	for (i = 0; i < sizeof names / sizeof *names; i++)
		if (str_eq(name, str_of(names[i])))
			return true;
	return false;
}

/* The frames at P. A return address stands after its call, which may be the last
 * instruction of a function: the call is what has names. */
static size_t
find_names(const struct chain_place *p, uint64_t time, bool inlines,
	const struct dso_frame **frames)
{
	size_t n;

	/* A file that is not there is asked too, since it counts what it was
	 * asked for; one that has no such place could only be wrong. */
	if (!p->known && dso_code(p->dso))
		return 0;
	if (p->is_return) {
		n = dso_frames(p->dso, p->address, time, false, frames);
		if (!n || !is_trampoline((*frames)[n - 1].name)) {
			n = dso_frames(p->dso, p->address - 1, time, inlines, frames);
			if (n)
				return n;
		}
	}
	return dso_frames(p->dso, p->address, time, inlines, frames);
}

static void
add_names(struct frames *f, const struct chain_place *p, uint64_t time, bool inlines)
{
	char address[24];
	struct naming_symbol s = { .address = { address, 0 } };
	const struct dso_frame *frames = NULL;
	size_t n = 0, i;

	s.address.n = (size_t)snprintf(address, sizeof address, "%" PRIx64, p->shown);
	if (p->jitdump)
		n = dso_frames(
			p->jitdump, p->address - p->is_return, time, false, &frames);
	if (n) {
		/* Generated code is code with a perf map, whatever its number. */
		s.module = STR("/tmp/perf-0.map");
	} else if (p->dso) {
		s.module = dso_name(p->dso);
		n = find_names(p, time, inlines, &frames);
	} else if (p->name) {
		s.module = STR("[bpf]");
		s.name = str_of(p->name);
	}
	for (i = 0; i < n; i++) {
		s.name = frames[i].name;
		s.inlined = frames[i].inlined;
		naming_add(&f->stack, &s);
	}
	if (!n)
		naming_add(&f->stack, &s);
}

void
frames_add(struct frames *f, const struct chain_place *p, uint64_t time, bool inlines)
{
	struct key key = { *p, inlines };
	struct str_digest digest = str_digest((struct str){ (char *)&key, sizeof key });
	size_t first = f->stack.n;

	if (f->steady && naming_recall(&f->stack, digest))
		return;
	add_names(f, p, time, inlines);
	if (f->steady)
		naming_keep(&f->stack, digest, first);
}
