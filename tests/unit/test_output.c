/* SPDX-License-Identifier: ISC */
/* Checked output: output.h. */
#define _XOPEN_SOURCE 700 /* mknod */
#include "output.h"
#include "unit.h"

#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

/* The content of the file FD, from its start; valid until the next call. */
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
	output_fmt(&out, "%d%" PRIu64 " %5s %%\n", 0, UINT64_MAX, "x");
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

UNIT(empty_output_is_not_an_error)
{
	FILE *f = tmpfile();
	struct output out;

	output_init(&out, fileno(f), "file");
	CHECK(output_close(&out));
	CHECK_U64(written(fileno(f)).n, 0);
	fclose(f);
}

/* A closed reader ends the program by SIGPIPE. */
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

/* Changes to an empty folder for these tests, which anyone may write to. */
static void
enter_folder(void)
{
	char folder[] = "/tmp/fg-output-XXXXXX";

	if (!mkdtemp(folder) || chdir(folder) != 0 || chmod(".", 0777) != 0)
		exit(3);
	umask(022);
}

/* Removes the folder, which must contain exactly NAMES: no temporary files are left. */
static void
leave_folder(const char *const *names)
{
	char folder[200];

	for (; *names; names++)
		CHECK(unlink(*names) == 0);
	CHECK(getcwd(folder, sizeof folder) && rmdir(folder) == 0);
}

/* Writes TEXT to the file NAME as the programs do. */
static bool
put_file(const char *name, struct str text)
{
	struct output out;

	output_open(&out, name);
	output_str(&out, text);
	return output_close(&out);
}

static struct str
content(const char *name)
{
	int fd = open(name, O_RDONLY);
	struct str s = fd < 0 ? STR("not there") : written(fd);

	close(fd);
	return s;
}

static mode_t
mode_of(const char *name)
{
	struct stat st = { .st_mode = 0 };

	CHECK(lstat(name, &st) == 0);
	return st.st_mode;
}

UNIT(a_new_file_has_the_mode_of_the_umask_and_recordings_are_private)
{
	struct output_file f;

	enter_folder();
	umask(027);
	CHECK(put_file("new", STR("x")));
	CHECK_U64(mode_of("new") & 0777, 0640);
	CHECK_STR(content("new"), STR("x"));
	CHECK(output_file_open(&f, "mine", OUTPUT_PRIVATE | OUTPUT_IN_PLACE));
	CHECK_U64(mode_of("mine") & 0777, 0600);
	CHECK(output_file_close(&f, true));
	leave_folder((const char *const[]){ "new", "mine", NULL });
}

UNIT(a_file_is_replaced_at_the_end_and_keeps_its_mode_and_owner)
{
	struct output out;
	struct stat st;

	enter_folder();
	CHECK(put_file("f", STR("before")));
	CHECK(chmod("f", 0604) == 0);
	if (geteuid() == 0)
		CHECK(chown("f", 1234, 5678) == 0);
	output_open(&out, "f");
	output_fmt(&out, "%100000d", 1);
	CHECK_STR(content("f"), STR("before"));
	CHECK(output_close(&out));
	CHECK_U64(content("f").n, 100000);
	CHECK(stat("f", &st) == 0 && (st.st_mode & 0777) == 0604);
	CHECK(geteuid() != 0 || (st.st_uid == 1234 && st.st_gid == 5678));
	leave_folder((const char *const[]){ "f", NULL });
}

UNIT(a_file_that_cannot_be_written_whole_is_unchanged)
{
	struct rlimit limit = { 60000, 60000 };
	struct output out;

	enter_folder();
	CHECK(put_file("f", STR("before")));
	signal(SIGXFSZ, SIG_IGN);
	CHECK(setrlimit(RLIMIT_FSIZE, &limit) == 0);
	for (int i = 0; i < 2; i++) {
		output_open(&out, i ? "new" : "f");
		output_fmt(&out, "%100000d", 1);
		CHECK(!output_close(&out));
	}
	CHECK_STR(content("f"), STR("before"));
	CHECK(access("new", F_OK) != 0);
	leave_folder((const char *const[]){ "f", NULL });
}

UNIT(a_signal_leaves_no_temporary_file)
{
	static const int numbers[] = { SIGHUP, SIGINT, SIGTERM };
	struct sigaction had;
	struct output out;
	int status;
	pid_t pid;
	size_t i;

	enter_folder();
	CHECK(put_file("out", STR("old")));
	for (i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		/* nohup and background jobs ignore one of them. */
		if (sigaction(numbers[i], NULL, &had) < 0 || had.sa_handler == SIG_IGN)
			continue;
		pid = fork();
		if (pid == 0) {
			output_open(&out, "out");
			output_str(&out, STR("new"));
			raise(numbers[i]);
			_exit(0);
		}
		CHECK(waitpid(pid, &status, 0) == pid);
		CHECK(WIFSIGNALED(status) && WTERMSIG(status) == numbers[i]);
		CHECK_STR(content("out"), STR("old"));
	}
	leave_folder((const char *const[]){ "out", NULL });
}

UNIT(links_are_followed_and_stay)
{
	enter_folder();
	CHECK(put_file("target", STR("before")));
	CHECK(symlink("target", "link") == 0 && symlink("link", "second") == 0);
	CHECK(symlink("nowhere", "dangling") == 0);
	CHECK(put_file("second", STR("after")));
	CHECK(put_file("dangling", STR("new")));
	CHECK(S_ISLNK(mode_of("link")) && S_ISLNK(mode_of("second")));
	CHECK(S_ISLNK(mode_of("dangling")) && S_ISREG(mode_of("nowhere")));
	CHECK_STR(content("target"), STR("after"));
	CHECK_STR(content("nowhere"), STR("new"));
	leave_folder((const char *const[]){
		"target", "link", "second", "dangling", "nowhere", NULL });
}

UNIT(devices_and_pipes_are_written_through)
{
	struct stat st;
	pid_t pid;
	char c = 0;
	int fd;

	enter_folder();
	CHECK(mkfifo("fifo", 0600) == 0);
	pid = fork();
	if (pid == 0)
		_exit(put_file("fifo", STR("x")) ? 0 : 1);
	fd = open("fifo", O_RDONLY);
	CHECK(read(fd, &c, 1) == 1 && c == 'x');
	CHECK(waitpid(pid, NULL, 0) == pid);
	CHECK(S_ISFIFO(mode_of("fifo")));
	/* The null device, if root may create it. */
	if (mknod("null", S_IFCHR | 0600, 0x103) == 0) {
		CHECK(symlink("null", "to-null") == 0);
		put_file("null", STR("x"));
		put_file("to-null", STR("x"));
		CHECK(lstat("null", &st) == 0 && S_ISCHR(st.st_mode) &&
			st.st_rdev == 0x103);
		CHECK(S_ISLNK(mode_of("to-null")));
		unlink("null");
		unlink("to-null");
	}
	if (access("/dev/full", W_OK) == 0)
		CHECK(!put_file("/dev/full", STR("x")));
	leave_folder((const char *const[]){ "fifo", NULL });
}

UNIT(a_file_created_meanwhile_is_not_replaced)
{
	struct output out;

	enter_folder();
	output_open(&out, "f");
	output_str(&out, STR("x"));
	CHECK(mkfifo("f", 0600) == 0);
	CHECK(!output_close(&out));
	CHECK(S_ISFIFO(mode_of("f")));
	leave_folder((const char *const[]){ "f", NULL });
}

UNIT(a_file_in_a_folder_that_is_read_only_is_written_in_place)
{
	enter_folder();
	CHECK(put_file("f", STR("before, and long")));
	CHECK(chmod("f", 0666) == 0 && chmod(".", 0555) == 0);
	if (geteuid() == 0)
		CHECK(seteuid(1234) == 0);
	CHECK(put_file("f", STR("after")));
	CHECK(!put_file("new", STR("x")));
	if (getuid() == 0)
		CHECK(seteuid(0) == 0);
	CHECK(chmod(".", 0777) == 0);
	CHECK_STR(content("f"), STR("after"));
	leave_folder((const char *const[]){ "f", NULL });
}

UNIT(a_file_that_may_not_be_written_to_is_not_replaced)
{
	enter_folder();
	CHECK(put_file("f", STR("before")));
	CHECK(chmod("f", 0444) == 0);
	if (geteuid() == 0)
		CHECK(seteuid(1234) == 0);
	CHECK(!put_file("f", STR("after")));
	if (getuid() == 0)
		CHECK(seteuid(0) == 0);
	CHECK_STR(content("f"), STR("before"));
	leave_folder((const char *const[]){ "f", NULL });
}

UNIT(the_owner_stays_though_the_file_is_then_written_in_place)
{
	struct stat st;

	if (geteuid() != 0)
		return;
	enter_folder();
	CHECK(put_file("f", STR("before, and long")));
	CHECK(chown("f", 1000, 1000) == 0 && chmod("f", 0666) == 0);
	CHECK(seteuid(1234) == 0);
	CHECK(put_file("f", STR("after")));
	CHECK(seteuid(0) == 0);
	CHECK_STR(content("f"), STR("after"));
	CHECK(stat("f", &st) == 0 && st.st_uid == 1000);
	leave_folder((const char *const[]){ "f", NULL });
}

UNIT(the_file_of_stdout_is_shared_with_it)
{
	int fd;

	enter_folder();
	fd = open("f", O_WRONLY | O_CREAT, 0600);
	CHECK(write(fd, "one ", 4) == 4);
	CHECK(dup2(fd, STDOUT_FILENO) == STDOUT_FILENO);
	CHECK(put_file("f", STR("two ")));
	CHECK(write(fd, "three", 5) == 5);
	CHECK_STR(content("f"), STR("one two three"));
	leave_folder((const char *const[]){ "f", NULL });
}

UNIT(in_place_nothing_is_cut_off_before_the_first_byte)
{
	struct output_file f;

	enter_folder();
	CHECK(put_file("f", STR("before")));
	CHECK(output_file_open(&f, "f", OUTPUT_IN_PLACE));
	CHECK(output_file_close(&f, false));
	CHECK_STR(content("f"), STR("before"));
	CHECK(output_file_open(&f, "new", OUTPUT_IN_PLACE));
	CHECK(output_file_close(&f, false));
	CHECK(access("new", F_OK) != 0);
	leave_folder((const char *const[]){ "f", NULL });
}

/* Whether NAME can be opened as a recording; closes it without writing to it. */
static bool
opens_private(const char *name)
{
	struct output_file f;
	bool opens = output_file_open(&f, name, OUTPUT_PRIVATE | OUTPUT_IN_PLACE);

	return opens && output_file_close(&f, false);
}

UNIT(a_private_file_of_ours_is_made_private)
{
	enter_folder();
	CHECK(put_file("f", STR("before")) && chmod("f", 0666) == 0);
	CHECK(symlink("f", "link") == 0 && opens_private("link"));
	CHECK_U64(mode_of("f") & 07777, 0600);
	CHECK_STR(content("f"), STR("before"));
	CHECK(link("f", "second") == 0 && chmod("f", 0644) == 0 && !opens_private("f"));
	CHECK_U64(mode_of("f") & 07777, 0644);
	CHECK_STR(content("f"), STR("before"));
	CHECK(symlink("new", "dangling") == 0);
	CHECK(opens_private("dangling") && opens_private("/dev/null"));
	leave_folder((const char *const[]){ "f", "link", "second", "dangling", NULL });
}

UNIT(a_private_file_is_not_one_of_another_user)
{
	if (geteuid() != 0)
		return;
	enter_folder();
	CHECK(chmod(".", 01777) == 0 && put_file("f", STR("before")));
	CHECK(chmod("f", 0666) == 0 && symlink("f", "link") == 0);
	/* In another folder, a pipe belongs to someone who waits for a recording. */
	CHECK(mkfifo("pipe", 0666) == 0 && mkdir("own", 0755) == 0 &&
		mkfifo("own/pipe", 0666) == 0);
	CHECK(open("pipe", O_RDONLY | O_NONBLOCK) >= 0);
	CHECK(open("own/pipe", O_RDONLY | O_NONBLOCK) >= 0);
	CHECK(opens_private("link") && opens_private("pipe") && chmod("f", 0666) == 0);
	CHECK(lchown("link", 1234, 1234) == 0 && !opens_private("link"));
	CHECK(chown("f", 1234, 1234) == 0 && !opens_private("f"));
	CHECK(chown("pipe", 1234, 1234) == 0 && !opens_private("pipe"));
	CHECK(chown("own/pipe", 1234, 1234) == 0 && opens_private("own/pipe"));
	CHECK_U64(mode_of("f") & 0777, 0666);
	CHECK_STR(content("f"), STR("before"));
	/* Root's links belong to the system. */
	CHECK(unlink("f") == 0 && symlink("own/new", "of-root") == 0);
	CHECK(chown("own", 1234, 1234) == 0 && seteuid(1234) == 0);
	CHECK(opens_private("of-root"));
	CHECK(seteuid(0) == 0);
	CHECK(unlink("own/pipe") == 0 && rmdir("own") == 0);
	leave_folder((const char *const[]){ "link", "pipe", "of-root", NULL });
}

UNIT(folders_and_missing_paths_are_refused)
{
	CHECK(!put_file("/", STR("x")));
	CHECK(!put_file("/no/such/folder", STR("x")));
	CHECK(!put_file("", STR("x")));
}

UNIT_MAIN
