/* SPDX-License-Identifier: ISC */
/* Text out, every write checked: output.h. */
#include "output.h"
#include "unit.h"

#include <fcntl.h>
#include <signal.h>

/* What was written to the file FD, from its start; in a buffer that the next
 * call uses again. */
static struct str
written(int fd)
{
	static char text[400000];
	ssize_t n = pread(fd, text, sizeof text, 0);

	return (struct str){ text, n > 0 ? (size_t)n : 0 };
}

UNIT(text_numbers_and_formats)
{
	FILE *f = tmpfile();
	struct output out;

	output_init(&out, fileno(f), "file");
	output_str(&out, STR("a\0b"));
	output_str(&out, (struct str){ 0 });
	output_char(&out, ' ');
	output_u64(&out, 0);
	output_u64(&out, UINT64_MAX);
	output_fmt(&out, " %5s %%\n", "x");
	CHECK(output_close(&out));
	CHECK_STR(written(fileno(f)), STR("a\0b 018446744073709551615     x %\n"));
	fclose(f);
}

UNIT(pieces_of_any_size_keep_their_order)
{
	FILE *f = tmpfile();
	struct output out;
	char text[3000];
	struct str got;
	size_t i, total = 0;

	output_init(&out, fileno(f), "file");
	for (i = 0; i < 200; i++) {
		memset(text, (char)('a' + i % 26), sizeof text);
		output_str(&out, (struct str){ text, i * 13 });
		total += i * 13;
	}
	CHECK(output_close(&out));
	got = written(fileno(f));
	CHECK_U64(got.n, total);
	for (i = 0; i < 200; i++)
		for (size_t j = 0; j < i * 13; j++, got = str_from(got, 1))
			if (got.s[0] != (char)('a' + i % 26)) {
				CHECK(!"a byte is out of place");
				return;
			}
	fclose(f);
}

UNIT(a_piece_larger_than_the_buffer)
{
	FILE *f = tmpfile();
	struct output out;
	size_t n = 300000;
	char *big = malloc(n);

	memset(big, 'x', n);
	output_init(&out, fileno(f), "file");
	output_char(&out, '<');
	output_str(&out, (struct str){ big, n });
	output_fmt(&out, "%70000d>", 1);
	CHECK(output_close(&out));
	CHECK_U64(written(fileno(f)).n, n + 70002);
	free(big);
	fclose(f);
}

UNIT(a_full_disk_shows)
{
	int fd = open("/dev/full", O_WRONLY);
	struct output out;

	if (fd < 0)
		return;
	output_init(&out, fd, "full");
	output_str(&out, STR("a"));
	CHECK(!output_close(&out));
	output_init(&out, fd, "full");
	for (int i = 0; i < 1000000; i++)
		output_str(&out, STR("more than any buffer"));
	CHECK(out.failed);
	CHECK(!output_close(&out));
}

UNIT(a_closed_descriptor_shows)
{
	struct output out;

	output_init(&out, 1000, "closed");
	output_char(&out, 'x');
	CHECK(!output_close(&out));
}

UNIT(nothing_written_is_no_error)
{
	FILE *f = tmpfile();
	struct output out;

	output_init(&out, fileno(f), "file");
	CHECK(output_close(&out));
	CHECK_U64(written(fileno(f)).n, 0);
	fclose(f);
}

/* A reader that goes away ends the program by its signal. */
UNIT(a_closed_pipe_kills)
{
	int fd[2], status = 0;
	struct output out;
	pid_t pid;

	CHECK(pipe(fd) == 0);
	pid = fork();
	if (pid == 0) {
		close(fd[0]);
		output_init(&out, fd[1], "pipe");
		output_char(&out, 'x');
		output_close(&out);
		_exit(0);
	}
	close(fd[0]);
	close(fd[1]);
	CHECK(waitpid(pid, &status, 0) == pid);
	/* The child may write before both ends are closed here. */
	CHECK(WIFSIGNALED(status) ? WTERMSIG(status) == SIGPIPE : status == 0);
}

UNIT_MAIN
