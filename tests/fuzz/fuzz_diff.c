/* SPDX-License-Identifier: ISC */
/*
 * Any bytes as the sides of a comparison. The first two bytes choose options, the rest
 * is cut at its first 0x1e into before and after. For any input: a side compared with
 * itself has no change, p-values are probabilities, and intervals contain the change.
 */
#include "compare.h"
#include "fuzz.h"
#include "mem.h"
#include "diff-report.h"

#include <math.h>
#include <unistd.h>

/* TEXT as a file, for readers that take names. */
static void
put_file(char *path, struct str text)
{
	int fd = mkstemp(path);

	LAW(fd >= 0);
	LAW(write(fd, text.s ? text.s : "", text.n) == (ssize_t)text.n);
	close(fd);
}

static void
check_value(const struct compare *c, const struct compare_value *v)
{
	LAW(v->p >= 0 && v->p <= 1 && v->strict_p >= v->p * (1 - 1e-9));
	LAW(!isnan(v->change) && !isnan(v->points) && isfinite(v->excess));
	LAW(!v->is_change || v->p <= 1 - c->options->confidence);
	LAW(!(v->interval.low > v->change + 1e-6 * (1 + fabs(v->change))));
	LAW(!(v->interval.high < v->change - 1e-6 * (1 + fabs(v->change))));
	LAW(!v->failed || (c->options->gate && v->excess > 0));
}

static void
check_changes(const struct compare *c)
{
	const struct compare_row *r;
	size_t i;

	LAW(c->tested <= c->metrics && c->causes <= c->n);
	check_value(c, &c->total);
	for (i = 0; i < c->n; i++) {
		r = &c->rows[i];
		check_value(c, &r->total);
		check_value(c, &r->self);
		LAW(r->total.is_change || r->self.is_change);
		LAW(r->cause < c->causes && c->rows[r->cause].cause == r->cause);
		LAW((r->cause == i) == (i < c->causes));
		LAW(c->rows[r->renamed].renamed == i);
		LAW(isfinite(r->own_excess));
	}
}

static void
write_all(const struct compare *c, const struct runs_files *files)
{
	static void (*const forms[])(struct output *, const struct diff_report *) = {
		diff_report_write_text, diff_report_write_markdown, diff_report_write_json
	};
	struct diff_report v = { .compare = c, .files = files };
	struct output out;
	struct buf b = { 0 };
	size_t i;
	FILE *f;

	for (i = 0; i < sizeof forms / sizeof *forms; i++) {
		f = fuzz_output(&out);
		forms[i](&out, &v);
		fuzz_written(&out, f, &b);
		LAW(b.n > 0);
	}
	buf_release(&b);
}

/* Scales the side before: non-zero weights stay so, and the sum is that of its parts. */
static bool
scale(const struct compare *c, struct runs *r)
{
	struct tree *t = &r->tree;
	bool *was = mem_zero(t->n, sizeof *was), good;
	uint64_t sum = 0;
	uint32_t i;

	for (i = 0; i < t->n; i++)
		was[i] = t->self[RUNS_BEFORE][i] > 0;
	good = !compare_scale(c, r);
	for (i = 0; good && i < t->n; i++) {
		LAW((t->self[RUNS_BEFORE][i] > 0) == was[i]);
		sum += t->self[RUNS_BEFORE][i];
	}
	LAW(!good || sum == t->sum[RUNS_BEFORE]);
	free(was);
	return good;
}

/* Compares FILES, and writes the columns as fg-diff does. */
static void
compare(const struct compare_options *options, const struct runs_options *reading,
	const struct runs_files *files, bool is_same)
{
	struct runs r;
	struct compare c;
	struct output out;
	struct buf b = { 0 };
	FILE *f = fuzz_output(&out);

	runs_init(&r, reading);
	(void)runs_read(&r, files);
	runs_settle(&r, &(struct folded_given){ .unit = NULL });
	if (!compare_init(&c, &r, options)) {
		check_changes(&c);
		LAW(!is_same || (c.n == 0 && !c.total.is_change));
		write_all(&c, files);
		if (scale(&c, &r))
			folded_write(&out, &r.tree);
	}
	compare_release(&c);
	fuzz_written(&out, f, &b);
	buf_release(&b);
	runs_release(&r);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str rest = { (const char *)data, size }, before;
	struct compare_options o = {
		.confidence = 0.95, .norms.frame = STR("a"), .limit = 0.05
	};
	char a[] = "/tmp/fuzz-diff-a-XXXXXX", b[] = "/tmp/fuzz-diff-b-XXXXXX";
	const char *const first[] = { a, a, a }, *const second[] = { b, b, b };
	struct runs_options reading;
	struct runs_files files;
	size_t runs;

	if (size < 2)
		return 0;
	rest = str_from(rest, 2);
	before = str_cut(&rest, 0x1e);
	o.norms.norm = (enum changes_norm)(data[0] % 4);
	o.exact = data[0] & 4;
	o.gate = data[0] & 8;
	o.relative = data[0] & 16;
	o.min_share = data[0] & 128 ? 0.01 : 0;
	reading = (struct runs_options){ data[0] & 64, data[1] & 1 };
	runs = data[0] & 32 ? 3 : 1;
	files = (struct runs_files){ .path = { first, second, first },
		.n = { runs, runs, data[1] & 2 ? 2 : 0 },
		.one = data[1] & 4 ? a : NULL };
	put_file(a, before);
	put_file(b, rest);
	compare(&o, &reading, &files, false);
	files.path[RUNS_AFTER] = first;
	compare(&o, &reading, &files, !files.one);
	unlink(a);
	unlink(b);
	return 0;
}
