/* SPDX-License-Identifier: ISC */
/* Runs a copy of PROGRAM that no folder has: from-memory PROGRAM ARG... */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

extern char **environ;

int
main(int argc, char **argv)
{
	static char block[1 << 16];
	int from = argc > 1 ? open(argv[1], O_RDONLY) : -1;
	int to = memfd_create("prog", MFD_CLOEXEC);
	ssize_t n;

	if (from < 0 || to < 0)
		return 99;
	while ((n = read(from, block, sizeof block)) > 0)
		if (write(to, block, (size_t)n) != n)
			return 99;
	fexecve(to, argv + 1, environ);
	return 99;
}
