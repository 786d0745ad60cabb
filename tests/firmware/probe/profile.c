/* SPDX-License-Identifier: ISC */
/*
 * See profile.h. Fields stand in the order in which the crate writes them.
 */
#include "profile.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "mem.h"

static size_t
intern(struct profile_table *t, uint64_t key)
{
	size_t i;

	for (i = 0; i < t->n; i++)
		if (t->keys[i] == key)
			return i;
	t->keys = mem_grow(t->keys, &t->cap, t->n + 1, sizeof *t->keys);
	t->keys[t->n] = key;
	return t->n++;
}

void
profile_add(struct profile_thread *t, const uint64_t *addresses, size_t n)
{
	long stack = -1;

	for (size_t i = 0; i < n; i++)
		stack = (long)intern(&t->stacks,
			(uint64_t)(stack + 1) << 32 | intern(&t->frames, addresses[i]));
	t->samples =
		mem_grow(t->samples, &t->sample_cap, t->sample_n + 1, sizeof *t->samples);
	t->samples[t->sample_n++] = stack;
}

void
profile_release(struct profile_thread *t)
{
	free(t->frames.keys);
	free(t->stacks.keys);
	free(t->samples);
	*t = (struct profile_thread){ 0 };
}

/* The file's name without folders and without what follows the last dot. */
static void
print_stem(FILE *f, const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	const char *dot = strrchr(name, '.');

	fprintf(f, "\"%.*s\"",
		(int)(dot && dot != name ? dot - name : (long)strlen(name)), name);
}

/* ,"NAME":[VALUE,...] with N times VALUE. */
static void
print_column(FILE *f, const char *name, const char *value, size_t n)
{
	fprintf(f, ",\"%s\":[", name);
	for (size_t i = 0; i < n; i++)
		fprintf(f, "%s%s", i ? "," : "", value);
	fputc(']', f);
}

/* The same with 0, 1, 2 ... from FIRST on. */
static void
print_counted(FILE *f, const char *name, size_t first, size_t n)
{
	fprintf(f, ",\"%s\":[", name);
	for (size_t i = 0; i < n; i++)
		fprintf(f, "%s%zu", i ? "," : "", first + i);
	fputc(']', f);
}

/* An address below the base is in no library. */
static bool
is_in(const struct profile_program *p, uint64_t address)
{
	return address >= p->base;
}

/* The place in frames.keys of the first that is in the library, which the name of
 * the library goes before; the length when there is none. */
static size_t
first_in(const struct profile_program *p, const struct profile_thread *t)
{
	size_t i;

	for (i = 0; i < t->frames.n && !is_in(p, t->frames.keys[i]); i++)
		continue;
	return i;
}

static void
print_frames(FILE *f, const struct profile_program *p, const struct profile_thread *t)
{
	size_t n = t->frames.n;

	fprintf(f, "{\"frameTable\":{\"length\":%zu,\"address\":[", n);
	for (size_t i = 0; i < n; i++) {
		uint64_t a = t->frames.keys[i];

		fprintf(f, is_in(p, a) ? "%s%" PRIu32 : "%s-1", i ? "," : "",
			(uint32_t)(a - p->base));
	}
	fputc(']', f);
	print_column(f, "inlineDepth", "0", n);
	print_column(f, "category", "1", n);
	print_column(f, "subcategory", "0", n);
	print_counted(f, "func", 0, n);
	print_column(f, "nativeSymbol", "null", n);
	print_column(f, "innerWindowID", "0", n);
	print_column(f, "line", "null", n);
	print_column(f, "column", "null", n);
	fputc('}', f);
}

static void
print_functions(FILE *f, const struct profile_program *p, const struct profile_thread *t)
{
	size_t n = t->frames.n, first = first_in(p, t);

	fprintf(f, ",\"funcTable\":{\"length\":%zu,\"name\":[", n);
	for (size_t i = 0; i < n; i++)
		fprintf(f, "%s%zu", i ? "," : "", i + (i >= first));
	fputc(']', f);
	print_column(f, "isJS", "false", n);
	print_column(f, "relevantForJS", "false", n);
	fputs(",\"resource\":[", f);
	for (size_t i = 0; i < n; i++)
		fprintf(f, "%s%d", i ? "," : "", is_in(p, t->frames.keys[i]) ? 0 : -1);
	fputc(']', f);
	print_column(f, "fileName", "null", n);
	print_column(f, "lineNumber", "null", n);
	print_column(f, "columnNumber", "null", n);
	fputc('}', f);
}

static void
print_resources(FILE *f, const struct profile_program *p, const struct profile_thread *t)
{
	size_t first = first_in(p, t), n = first < t->frames.n;

	fprintf(f, ",\"resourceTable\":{\"length\":%zu", n);
	print_column(f, "lib", "0", n);
	print_counted(f, "name", first, n);
	print_column(f, "host", "null", n);
	print_column(f, "type", "1", n);
	fputc('}', f);
}

static void
print_samples(FILE *f, const struct profile_thread *t)
{
	size_t n = t->sample_n;

	fprintf(f, ",\"samples\":{\"length\":%zu,\"weightType\":\"samples\",\"stack\":[",
		n);
	for (size_t i = 0; i < n; i++) {
		fputs(i ? "," : "", f);
		if (t->samples[i] < 0)
			fputs("null", f);
		else
			fprintf(f, "%ld", t->samples[i]);
	}
	fputc(']', f);
	print_column(f, "timeDeltas", "10.125", n);
	print_column(f, "weight", "1", n);
	print_column(f, "threadCPUDelta", "0", n);
	fputc('}', f);
}

static void
print_stacks(FILE *f, const struct profile_thread *t)
{
	fprintf(f, ",\"stackTable\":{\"length\":%zu,\"prefix\":[", t->stacks.n);
	for (size_t i = 0; i < t->stacks.n; i++) {
		uint64_t prefix = t->stacks.keys[i] >> 32;

		fputs(i ? "," : "", f);
		if (prefix)
			fprintf(f, "%" PRIu64, prefix - 1);
		else
			fputs("null", f);
	}
	fputs("],\"frame\":[", f);
	for (size_t i = 0; i < t->stacks.n; i++)
		fprintf(f, "%s%" PRIu32, i ? "," : "", (uint32_t)t->stacks.keys[i]);
	fputs("]}", f);
}

static void
print_strings(FILE *f, const struct profile_program *p, const struct profile_thread *t)
{
	size_t first = first_in(p, t);

	fputs(",\"stringArray\":[", f);
	for (size_t i = 0; i < t->frames.n; i++) {
		uint64_t a = t->frames.keys[i];

		fputs(i ? "," : "", f);
		if (i == first) {
			print_stem(f, p->path);
			fputc(',', f);
		}
		fprintf(f, "\"0x%" PRIx64 "\"",
			is_in(p, a) ? (uint32_t)(a - p->base) : a);
	}
	fputc(']', f);
}

static void
print_thread(FILE *f, const struct profile_program *p, const struct profile_thread *t,
	size_t core)
{
	print_frames(f, p, t);
	print_functions(f, p, t);
	fprintf(f,
		",\"markers\":{\"length\":0,\"category\":[],\"data\":[],\"endTime\":[],"
		"\"name\":[],\"phase\":[],\"startTime\":[]},\"name\":\"Thread <%zu>\","
		"\"isMainThread\":false,\"nativeSymbols\":{\"length\":0,\"address\":[],"
		"\"functionSize\":[],\"libIndex\":[],\"name\":[]},\"pausedRanges\":[],"
		"\"pid\":\"0\",\"processName\":\"process\",\"processShutdownTime\":null,"
		"\"processStartupTime\":0.0,\"processType\":\"default\",\"registerTime\":0.0",
		core);
	print_resources(f, p, t);
	print_samples(f, t);
	print_stacks(f, t);
	print_strings(f, p, t);
	fprintf(f,
		",\"tid\":\"%zu\",\"unregisterTime\":null,\"showMarkersInTimeline\":false}",
		core);
}

static void
print_meta(FILE *f, const struct profile_program *p)
{
	fputs("{\"meta\":{\"categories\":[{\"name\":\"Other\",\"color\":\"grey\","
	      "\"subcategories\":[\"Other\"]},{\"name\":\"raw\",\"color\":\"yellow\","
	      "\"subcategories\":[\"Other\"]}],\"debug\":false,\"extensions\":{"
	      "\"baseURL\":[],\"id\":[],\"length\":0,\"name\":[]},\"interval\":10.0,"
	      "\"preprocessedProfileVersion\":55,\"processType\":0,\"product\":",
		f);
	print_stem(f, p->path);
	fputs(",\"sampleUnits\":{\"eventDelay\":\"ms\",\"threadCPUDelta\":\"\302\265s\","
	      "\"time\":\"ms\"},\"startTime\":1790000000123.0,\"symbolicated\":false,"
	      "\"pausedRanges\":[],\"version\":24,\"usesOnlyOneStackType\":true,"
	      "\"sourceCodeIsNotOnSearchfox\":true,\"markerSchema\":[]},",
		f);
}

static void
print_libs(FILE *f, const struct profile_program *p)
{
	fputs("{\"name\":", f);
	print_stem(f, p->path);
	fprintf(f, ",\"path\":\"%s\",\"debugName\":", p->path);
	print_stem(f, p->path);
	fprintf(f, ",\"debugPath\":\"%s\",\"breakpadId\":\"%s\",\"codeId\":", p->path,
		p->breakpad_id);
	fprintf(f, p->code_id[0] ? "\"%s\"" : "null", p->code_id);
	fputs(",\"arch\":null}", f);
}

void
profile_write(FILE *f, const struct profile_program *program,
	const struct profile_thread *threads, size_t n)
{
	bool used = false;

	for (size_t i = 0; i < n; i++)
		used |= first_in(program, &threads[i]) < threads[i].frames.n;
	print_meta(f, program);
	fputs("\"libs\":[", f);
	if (used)
		print_libs(f, program);
	fputs("],\"threads\":[", f);
	for (size_t i = 0; i < n; i++) {
		fputs(i ? "," : "", f);
		print_thread(f, program, &threads[i], i);
	}
	fputs("],\"pages\":[],\"profilerOverhead\":[],\"counters\":[]}", f);
}
