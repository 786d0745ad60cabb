/* SPDX-License-Identifier: ISC */
/*
 * Any bytes as files that are added up: the first byte chooses options, the rest is cut
 * at 0x1e into up to three files. The sum does not depend on their order or the
 * available memory, and a sum of sums is the same.
 */
#include "fuzz.h"
#include "mem.h"
#include "merge.h"

#include <unistd.h>

enum { FILES = 3, PATH = 32 };

struct files {
	char path[FILES][PATH];
	size_t n;
};

static void
put_file(char path[PATH], struct str text)
{
	int fd;

	snprintf(path, PATH, "/tmp/fuzz-merge-XXXXXX");
	fd = mkstemp(path);
	LAW(fd >= 0);
	LAW(write(fd, text.s ? text.s : "", text.n) == (ssize_t)text.n);
	close(fd);
}

/* Adds up FILES, in reverse if BACKWARDS, to B. Returns the number of columns; 0 if
 * impossible. */
static int
add_up(struct files *files, const struct merge_options *how, bool backwards,
	struct buf *b)
{
	struct output out;
	struct merge m;
	bool good = true;
	int columns;
	FILE *f = fuzz_output(&out);
	char *paths[FILES + 1] = { NULL };
	size_t i;

	for (i = 0; i < files->n; i++)
		paths[i] = files->path[backwards ? files->n - 1 - i : i];
	merge_init(&m, how, "/tmp");
	for (i = 0; i < files->n && good; i++)
		good = merge_read(&m, paths[i], paths + i + 1);
	/* Prevents a name at the start from being read as a byte order mark. */
	output_str(&out, STR("#\n"));
	good = good && merge_write(&m, &out);
	columns = good ? m.sum.tree.columns : 0;
	merge_release(&m);
	fuzz_written(&out, f, b);
	return columns;
}

/* Whether SUM would be read back as it was: a text whose stacks all end in a number
 * reads as two columns. */
static bool
is_as_wide(const struct buf *sum, int columns)
{
	struct input *in = input_of_memory("sum", buf_view(sum));
	bool same = folded_shape(in).columns == columns;

	input_close(in);
	return same;
}

/* Adds up SUM again. */
static void
check_sum(const struct buf *sum, struct merge_options how, int columns)
{
	struct files one = { .n = 1 };
	struct buf again = { 0 };

	if (!is_as_wide(sum, columns))
		return;
	how.mean = false;
	put_file(one.path[0], buf_view(sum));
	LAW(add_up(&one, &how, false, &again));
	LAW(str_eq(buf_view(sum), buf_view(&again)));
	unlink(one.path[0]);
	buf_release(&again);
}

static void
check(struct files *files, struct merge_options how, bool in_any_order)
{
	struct buf sum = { 0 }, other = { 0 };
	int columns = add_up(files, &how, false, &sum);

	if (in_any_order) {
		LAW(add_up(files, &how, true, &other) == columns);
		LAW(!columns || str_eq(buf_view(&sum), buf_view(&other)));
	}
	how.memory = 1;
	LAW(add_up(files, &how, false, &other) == columns);
	LAW(!columns || str_eq(buf_view(&sum), buf_view(&other)));
	how.memory = 0;
	if (columns)
		check_sum(&sum, how, columns);
	buf_release(&sum);
	buf_release(&other);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str rest = { (const char *)data, size };
	struct files files = { .n = 0 };
	struct merge_options how;
	size_t i;

	if (!size)
		return 0;
	how = (struct merge_options){
		.force = data[0] & 1, .no_header = data[0] & 2, .mean = data[0] & 4
	};
	rest = str_from(rest, 1);
	for (; rest.n && files.n < FILES; files.n++)
		put_file(files.path[files.n], str_cut(&rest, 0x1e));
	check(&files, how, !(data[0] & 8));
	for (i = 0; i < files.n; i++)
		unlink(files.path[i]);
	return 0;
}
