/* SPDX-License-Identifier: ISC */
/*
 * Any bytes as the sides of a comparison. The first byte chooses options, the rest is cut
 * at its first 0x1e into before and after. Whatever they are: a side compared with itself
 * has no change, p-values are probabilities, intervals hold the change.
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
check_changes(const struct compare *c)
{
	const struct compare_change *g;

	LAW(c->tested <= c->metrics);
	for (g = c->changes; g < c->changes + c->n; g++) {
		LAW(g->p >= 0 && g->p <= 1 - c->options->confidence);
		LAW(g->weight[0] || g->weight[1]);
		LAW(isfinite(g->change));
		LAW(!(g->interval.low > g->change + 1e-6 * (1 + fabs(g->change))));
		LAW(!(g->interval.high < g->change - 1e-6 * (1 + fabs(g->change))));
	}
}

static void
write_all(const struct compare *c, const char *const *names)
{
	static void (*const forms[])(struct output *, const struct diff_report *) = {
		diff_report_write_text, diff_report_write_markdown, diff_report_write_json
	};
	struct diff_report v = { c, { names, names + 1 }, { 1, 1 }, 0 };
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

/* Compares the files, and writes the columns as fg-diff does. */
static void
compare(const struct compare_options *options, const char *const *names, size_t files,
	bool strip)
{
	struct compare c;
	struct output out;
	struct buf b = { 0 };
	FILE *f = fuzz_output(&out);
	size_t i;

	compare_init(&c, options, files, strip);
	for (i = 0; i < files; i++)
		compare_read(&c, i >= files / 2, names[i >= files / 2]);
	compare_settle(&c, &(struct folded_given){ .unit = NULL });
	if (!compare_test(&c)) {
		check_changes(&c);
		LAW(names[0] != names[1] || c.n == 0);
		write_all(&c, names);
	}
	if (!compare_scale(&c))
		folded_write(&out, &c.tree);
	fuzz_written(&out, f, &b);
	buf_release(&b);
	compare_release(&c);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str rest = { (const char *)data, size }, before;
	struct compare_options o = {
		.confidence = 0.95, .norms.frame = STR("a"), .limit = 0.05
	};
	char a[] = "/tmp/fuzz-diff-a-XXXXXX", b[] = "/tmp/fuzz-diff-b-XXXXXX";
	const char *const two[] = { a, b }, *const same[] = { a, a };
	unsigned choice;

	if (!size)
		return 0;
	choice = data[0];
	rest = str_from(rest, 1);
	before = str_cut(&rest, 0x1e);
	o.norms.norm = (enum significance_norm)(choice % 3);
	o.exact = choice & 4;
	o.gate = choice & 8;
	o.relative = choice & 16;
	put_file(a, before);
	put_file(b, rest);
	compare(&o, two, choice & 32 ? 4 : 2, choice & 64);
	compare(&o, same, choice & 32 ? 4 : 2, choice & 64);
	unlink(a);
	unlink(b);
	return 0;
}
