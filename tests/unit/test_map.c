/* SPDX-License-Identifier: ISC */
#include "map.h"
#include "unit.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGES = 4 };

static size_t
page_size(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

/* A file of PAGES pages, of the letters A, B, C, D. */
static int
make_file(void)
{
	char path[] = "/tmp/fg-test-XXXXXX";
	int fd = mkstemp(path);

	unlink(path);
	for (size_t i = 0; i < PAGES * page_size(); i++)
		if (write(fd, &"ABCD"[i / page_size()], 1) != 1)
			abort();
	return fd;
}

/* The number of bytes in M that equal C. */
static size_t
count(const struct map *m, char c)
{
	size_t n = 0;

	for (size_t i = 0; i < m->n; i++)
		n += m->bytes[i] == c;
	return n;
}

UNIT(places_within_pages)
{
	int fd = make_file();
	struct map m;

	CHECK(map_init(&m, fd, page_size() - 1, 3));
	close(fd);
	CHECK_STR(((struct str){ m.bytes, m.n }), STR("ABB"));
	CHECK(!map_was_cut(&m));
	map_release(&m);
	CHECK(!m.n && !map_was_cut(&m));
	map_release(&m);
}

UNIT(files_that_cannot_be_mapped)
{
	int fd = make_file();
	struct map m;

	CHECK(!map_init(&m, fd, UINT64_MAX - 1, 1));
	CHECK(!map_init(&m, fd, 0, SIZE_MAX - 10));
	CHECK(!map_init(&m, -1, 0, 1));
	map_release(&m);
	close(fd);
}

UNIT(removed_pages_read_as_zeroes)
{
	size_t page = page_size();
	int fd = make_file(), other = make_file();
	struct map a, b, c;

	CHECK(map_init(&a, fd, 0, PAGES * page));
	CHECK(map_init(&b, other, 0, PAGES * page));
	CHECK(map_init(&c, fd, page, 2 * page));
	CHECK(ftruncate(fd, (off_t)page) == 0);
	CHECK_U64(count(&b, 'D'), page);
	CHECK(!map_was_cut(&a) && !map_was_cut(&b));
	CHECK_U64(count(&a, 'A'), page);
	CHECK_U64(count(&a, 0), 3 * page);
	CHECK(map_was_cut(&a) && !map_was_cut(&b) && !map_was_cut(&c));
	map_release(&a);
	CHECK_U64(count(&c, 0), 2 * page);
	CHECK(map_was_cut(&c));
	CHECK_U64(count(&b, 'A'), page);
	map_release(&b);
	map_release(&c);
	close(fd);
	close(other);
}

/* The page at the new end of the file is whole: pages before it stay. */
UNIT(pages_read_before_stay)
{
	size_t page = page_size();
	int fd = make_file();
	struct map m;

	CHECK(map_init(&m, fd, 0, PAGES * page));
	CHECK(ftruncate(fd, (off_t)(2 * page)) == 0);
	CHECK(m.bytes[3 * page] == 0);
	CHECK_U64(count(&m, 'A') + count(&m, 'B'), 2 * page);
	CHECK_U64(count(&m, 0), 2 * page);
	map_release(&m);
	close(fd);
}

/* Reads beyond the end of another file, or sends itself the signal by kill. */
static void
fault(bool sent)
{
	size_t page = page_size();
	int fd = make_file();
	struct map m;
	volatile const char *own;

	if (!map_init(&m, fd, 0, page))
		_exit(0);
	if (sent)
		kill(getpid(), SIGBUS);
	own = mmap(NULL, page, PROT_READ, MAP_PRIVATE, fd, 0);
	if (ftruncate(fd, 0) == 0)
		(void)own[1];
	_exit(0);
}

UNIT(other_faults_end_the_program)
{
	for (int sent = 0; sent < 2; sent++) {
		pid_t child = fork();
		int status = 0;

		if (child == 0) {
			if (!freopen("/dev/null", "w", stderr))
				_exit(0);
			signal(SIGBUS, SIG_DFL);
			fault(sent);
		}
		CHECK(child > 0 && waitpid(child, &status, 0) == child);
		CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGBUS);
	}
}

UNIT_MAIN
