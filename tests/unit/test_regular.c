/* SPDX-License-Identifier: ISC */
#include "msg.h"
#include "regular.h"
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* Opens and closes PATH; 0, or the error. */
static int
try_open(const char *path, bool itself)
{
	struct stat st;
	int fd = itself ? regular_open_itself(path, &st) : regular_open(path, &st);

	if (fd < 0)
		return errno;
	CHECK(S_ISREG(st.st_mode) && (fcntl(fd, F_GETFD) & FD_CLOEXEC));
	close(fd);
	return 0;
}

UNIT(only_regular_files_are_opened)
{
	char home[] = "/tmp/fg-test-XXXXXX";

	CHECK(mkdtemp(home) && chdir(home) == 0);
	close(open("file", O_WRONLY | O_CREAT, 0600));
	CHECK(mkfifo("fifo", 0600) == 0);
	CHECK(symlink("file", "link") == 0 && symlink("/dev/null", "device") == 0);
	CHECK_U64(try_open("file", false), 0);
	CHECK_U64(try_open("file", true), 0);
	CHECK_U64(try_open("link", false), 0);
	CHECK_U64(try_open("link", true), ELOOP);
	CHECK_U64(try_open("fifo", false), EINVAL);
	CHECK_U64(try_open("fifo", true), EINVAL);
	CHECK_U64(try_open("device", false), EINVAL);
	CHECK_U64(try_open("device", true), ELOOP);
	CHECK_U64(try_open("/dev/null", true), EINVAL);
	CHECK_U64(try_open(".", false), EINVAL);
	CHECK_U64(try_open("none", false), ENOENT);
	CHECK_U64(try_open("none", true), ENOENT);
	CHECK(!unlink("file") && !unlink("fifo") && !unlink("link") && !unlink("device"));
	CHECK(chdir("/") == 0 && rmdir(home) == 0);
}

/* Opens PATH below FOLDER; 0, or the error. */
static int
try_below(const char *folder, const char *path)
{
	struct stat st;
	int fd = regular_open_below(str_of(folder), str_of(path), &st);

	if (fd < 0)
		return errno;
	CHECK(S_ISREG(st.st_mode) && (fcntl(fd, F_GETFD) & FD_CLOEXEC));
	close(fd);
	return 0;
}

UNIT(links_are_followed_below_the_folder_alone)
{
	char home[] = "/tmp/fg-test-XXXXXX", inside[64], command[64];

	CHECK(mkdtemp(home) && chdir(home) == 0);
	CHECK(!mkdir("top", 0700) && !mkdir("top/in", 0700) &&
		!mkdir("top-secret", 0700));
	close(open("top/in/file", O_WRONLY | O_CREAT, 0600));
	close(open("top-secret/file", O_WRONLY | O_CREAT, 0600));
	CHECK(!mkfifo("top/fifo", 0600) && !symlink("top", "link"));
	CHECK(!symlink("in/file", "top/near") && !symlink("in", "top/in2"));
	CHECK(!symlink("../top-secret/file", "top/far") && !symlink("..", "top/up"));
	snprintf(inside, sizeof inside, "%s/top/in", home);
	CHECK(!symlink(inside, "top/in3") && !symlink("/etc", "top/etc"));
	CHECK(!symlink("../top", "top/again") && !symlink("/dev/null", "top/null"));
	CHECK_U64(try_below("top", "in/file"), 0);
	CHECK_U64(try_below("top/", "in//file"), 0);
	CHECK_U64(try_below("link", "in/file"), 0);
	CHECK_U64(try_below("", "top/in/file"), 0);
	CHECK_U64(try_below("/", inside + 1), EINVAL);
	CHECK_U64(try_below("top", "near"), 0);
	CHECK_U64(try_below("top", "in2/file"), 0);
	CHECK_U64(try_below("top", "in3/file"), 0);
	CHECK_U64(try_below("top", "again/near"), 0);
	CHECK_U64(try_below("top", "far"), EXDEV);
	CHECK_U64(try_below("top", "up/top-secret/file"), EXDEV);
	CHECK_U64(try_below("top", "../top-secret/file"), EXDEV);
	CHECK_U64(try_below("top", "etc/passwd"), EXDEV);
	CHECK_U64(try_below("top", "null"), EXDEV);
	CHECK_U64(try_below("top", "fifo"), EINVAL);
	CHECK_U64(try_below("top", "in"), EINVAL);
	CHECK_U64(try_below("top", "."), EXDEV);
	CHECK_U64(try_below("top", "none"), ENOENT);
	CHECK_U64(try_below("none", "file"), ENOENT);
	snprintf(command, sizeof command, "cd / && rm -r %s", home);
	CHECK(system(command) == 0);
}

UNIT(a_regular_file_is_read_whole)
{
	char path[] = "/tmp/fg-test-XXXXXX";
	struct buf b = { 0 }, big = { 0 };
	int fd = mkstemp(path);

	for (size_t i = 0; i < 200000; i++)
		buf_char(&big, (char)(i * 7));
	CHECK(fd >= 0 && write(fd, big.s, big.n) == (ssize_t)big.n);
	buf_str(&b, STR("what was there"));
	CHECK(regular_read(path, &b));
	CHECK_STR(buf_view(&b), buf_view(&big));
	CHECK(lseek(fd, 0, SEEK_SET) == 0 && regular_read_open(fd, path, &b));
	CHECK_STR(buf_view(&b), buf_view(&big));
	CHECK(fcntl(fd, F_GETFD) < 0);
	CHECK(!regular_read_open(-1, path, &b) && !b.n);
	CHECK(!unlink(path) && !regular_read(path, &b) && !b.n);
	CHECK(!regular_read("/dev/zero", &b) && !b.n);
	buf_release(&b);
	buf_release(&big);
}

UNIT(a_file_that_cannot_be_read_is_trouble)
{
	struct buf b = { 0 };

	CHECK(!regular_read_named("/no/such/file", &b));
	CHECK(!regular_read_open(-1, "none", &b));
	CHECK_U64((uint64_t)msg_status(MSG_DONE), MSG_DONE);
	CHECK_U64((uint64_t)msg_status(MSG_NO), MSG_NO);
	/* A folder can be opened, but not read. */
	CHECK(!regular_read_open(open(".", O_RDONLY), ".", &b) && !b.n);
	CHECK_U64((uint64_t)msg_status(MSG_DONE), MSG_TROUBLE);
	buf_release(&b);
}

UNIT(paths_without_detours)
{
	static const char *const paths[][2] = { { "/usr/bin/x", "/usr/bin/x" },
		{ "/", "/" }, { "//", "/" }, { "/..", "/" },
		{ "//dev/ptmx", "/dev/ptmx" }, { "/dev/shm/../ptmx", "/dev/ptmx" },
		{ "/a/./b", "/a/b" }, { "/a/.hidden/..x/...", "/a/.hidden/..x/..." },
		{ "/a/b/../..", "/" }, { "/../../../a", "/a" }, { "/a//b/", "/a/b" } };
	struct buf b = { 0 };

	for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
		CHECK_STR(regular_path(str_of(paths[i][0]), &b), str_of(paths[i][1]));
	buf_release(&b);
}

UNIT_MAIN
