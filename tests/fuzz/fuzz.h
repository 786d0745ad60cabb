/* SPDX-License-Identifier: ISC */
/* Shared by the fuzz targets: texts written to memory, and laws that end the run. */
#ifndef FUZZ_H
#define FUZZ_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "buf.h"
#include "output.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Ends the run, which keeps the input, if CONDITION is false. */
#define LAW(condition)                                                                 \
	do {                                                                           \
		if (!(condition)) {                                                    \
			fprintf(stderr, "%s:%d: law broken: %s\n", __FILE__, __LINE__, \
				#condition);                                           \
			abort();                                                       \
		}                                                                      \
	} while (0)

/* An unused temporary file, or NULL: one serves many inputs. */
static FILE *fuzz_spare;

/* Begins an output to a temporary file. */
static inline FILE *
fuzz_output(struct output *out)
{
	FILE *f = fuzz_spare ? fuzz_spare : tmpfile();

	if (!f || lseek(fileno(f), 0, SEEK_SET) != 0 || ftruncate(fileno(f), 0) != 0)
		abort();
	fuzz_spare = NULL;
	output_init(out, fileno(f), "memory");
	return f;
}

/* Ends the output and appends its text to B. */
static inline void
fuzz_written(struct output *out, FILE *f, struct buf *b)
{
	off_t n;

	LAW(output_close(out));
	n = lseek(fileno(f), 0, SEEK_END);
	buf_clear(b);
	LAW(n >= 0 && pread(fileno(f), buf_room(b, (size_t)n), (size_t)n, 0) == n);
	b->n = (size_t)n;
	if (fuzz_spare)
		fclose(f);
	else
		fuzz_spare = f;
}

#endif
