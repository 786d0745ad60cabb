/* SPDX-License-Identifier: ISC */
/*
 * Profiles of Firefox Profiler ("processed"), as samply, probe-rs and many
 * others write them, and as profiler.firefox.com saves them:
 *
 *	{"meta":{"interval":1,"preprocessedProfileVersion":55,"product":"fw",...},
 *	 "libs":[{"name":"fw","path":"/opt/fw.elf","codeId":"66b0cff14f...",...}],
 *	 "threads":[{"name":"Thread <0>","pid":"0","tid":"0",
 *	  "samples":{"stack":[1,1,null],"weight":[1,1,1],"weightType":"samples",...},
 *	  "stackTable":{"prefix":[null,0],"frame":[0,1]},
 *	  "frameTable":{"address":[1320,1418],"func":[0,1],...},
 *	  "funcTable":{"name":[1,2],"resource":[0,0],...},
 *	  "resourceTable":{"lib":[0],...},"stringArray":["fw","0x528","0x58a"]}]}
 *
 * The layout has a version (docs-developer/CHANGELOG-formats.md and
 * processed-profile-format.md of firefox-devtools/profiler). What matters here:
 *
 *	41	libs are those of all, no longer of a thread
 *	38	a caller's address is within its call; before it was behind it
 *	56	the texts are in "shared", 60: the other tables, too
 *	66	a stack says how many rows before it its caller is (prefixOffset)
 *	70	a frame has its library, no longer its function's resource
 *
 * Each table is looked for in the thread, then in "shared", so that versions
 * need not be told apart. A profile without names has addresses, of which
 * libraries.h makes names. Files of probe-rs are known by their second category,
 * "raw"; there a thread is a core.
 */
#include "collapse.h"
#include "firefox-fold.h"
#include "formats.h"
#include "json-profile.h"
#include "json-probe.h"

struct job {
	struct collapse *c;
	struct input *in;
	struct json_profile file;
	struct firefox_fold fold;
	struct arena arena;
	struct firefox_tables shared;
	struct str product;
	bool has_meta, times;
};

static int
probe(struct str head)
{
	if (json_has(head, "meta.preprocessedProfileVersion"))
		return 100;
	return json_has(head, "threads[].stackTable.prefix") ||
			json_has(head, "threads[].frameTable.func")
		? 90
		: 0;
}

/* Whether the category that comes next is one of probe-rs. */
static bool
take_category(struct json_reader *p)
{
	bool raw = false;
	struct str key, name;

	if (!json_read_object(p))
		return false;
	while (json_next_key(p, &key))
		if (str_eq(key, STR("name")) && json_read_string(p, &name))
			raw = str_eq(name, STR("raw"));
	return raw;
}

static void
take_meta(struct job *job)
{
	enum { NUDGED = 38 };
	struct json_reader *p = &job->file.p;
	uint64_t version = 0;
	struct str key;

	job->has_meta = true;
	if (!json_read_object(p))
		return;
	while (json_next_key(p, &key))
		if (str_eq(key, STR("preprocessedProfileVersion")))
			(void)json_read_u64(p, &version);
		else if (str_eq(key, STR("product")))
			job->product = firefox_text(p, &job->arena);
		else if (str_eq(key, STR("categories")) && json_read_array(p))
			while (json_next_element(p))
				job->fold.probe_rs |= take_category(p);
	job->fold.libraries.callers = job->fold.probe_rs ? LIBRARIES_PROBE_RS
		: version < NUDGED			 ? LIBRARIES_AFTER
							 : LIBRARIES_IN_CALL;
}

/* Sets what addresses without a library belong to: a profile of probe-rs is of one
 * program, which is named even when no address could be told from its start. */
static void
find_firmware(struct job *job)
{
	struct firefox_fold *f = &job->fold;
	struct library program = { .name = job->product };

	if (!f->probe_rs || f->firmware >= 0)
		return;
	f->firmware = job->shared.libs.ids.n ? job->shared.libs.ids.items[0]
					     : libraries_add(&f->libraries, &program);
}

/* Whether nothing that T needs can follow. Samples that are to be cut by time
 * have to wait for the first of all. */
static bool
is_whole(const struct job *job, const struct firefox_thread *t)
{
	const struct firefox_tables *own = t->own;

	return job->has_meta && !job->times && own && own->stacks.given &&
		own->frames.given && own->funcs.given && own->strings.given &&
		(own->libs.given || job->shared.libs.given) &&
		!t->samples[FIREFOX_JS_ALLOCATIONS] &&
		!t->samples[FIREFOX_NATIVE_ALLOCATIONS];
}

static void
take_thread(struct job *job)
{
	struct firefox_thread t = { .own = NULL };
	bool empty = true;
	int kind;

	firefox_thread_take(
		&t, &job->file.p, &job->arena, &job->fold.libraries, job->times);
	for (kind = 0; kind < FIREFOX_KINDS; kind++)
		empty &= !t.samples[kind] || !t.samples[kind]->stack.n;
	/* Of a thread that is not all there, tables are missing. */
	if (json_failed(&job->file.p) || empty) {
		firefox_thread_release(&t);
	} else if (is_whole(job, &t)) {
		find_firmware(job);
		firefox_fold_thread(&job->fold, &t, &job->shared, FIREFOX_TIMER);
		firefox_thread_release(&t);
	} else {
		firefox_fold_wait(&job->fold, &t);
	}
}

static void
take_all(struct job *job)
{
	struct json_reader *p = &job->file.p;
	struct str key;

	if (!json_read_object(p))
		return;
	while (json_next_key(p, &key)) {
		if (str_eq(key, STR("meta")))
			take_meta(job);
		else if (str_eq(key, STR("libs")))
			firefox_libs_take(&job->shared.libs, p, &job->fold.libraries);
		else if (str_eq(key, STR("shared")) && json_read_object(p))
			while (json_next_key(p, &key))
				firefox_tables_take(
					&job->shared, key, p, &job->fold.libraries);
		else if (str_eq(key, STR("threads")) && json_read_array(p))
			while (json_next_element(p))
				take_thread(job);
	}
}

static bool
run(struct input *in, struct collapse *c)
{
	struct job job = { .c = c, .in = in };

	json_profile_begin(&job.file, in, c);
	job.times = c->options->from.given || c->options->to.given;
	firefox_fold_init(&job.fold, c, in);
	take_all(&job);
	find_firmware(&job);
	firefox_fold_waiting(&job.fold, &job.shared);
	firefox_tables_release(&job.shared);
	firefox_fold_release(&job.fold);
	arena_release(&job.arena);
	return json_profile_end(&job.file, true);
}

const struct collapse_format collapse_firefox = {
	.name = "firefox",
	.about = "profiles of Firefox Profiler: samply, probe-rs, profiler.firefox.com",
	.probe = probe,
	.run = run,
	.uses = COLLAPSE_USES_BY | COLLAPSE_USES_NAMING | COLLAPSE_USES_INLINED |
		COLLAPSE_USES_INLINE | COLLAPSE_USES_NO_INLINE | COLLAPSE_USES_ELF |
		COLLAPSE_USES_SYMS,
};
