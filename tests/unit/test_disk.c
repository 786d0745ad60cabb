/* SPDX-License-Identifier: ISC */
/* The sizes of a merge's inputs: disk.h. */
#include "disk.h"
#include "folder.h"

#include <zlib.h>

static char root[] = "/tmp/fg-test-disk-XXXXXX";

/* The content sizes of the files NAMES in the folder, up to a NULL. The first is open,
 * with READ bytes already read. */
static struct disk_sizes
sizes_of(const char *const *names, uint64_t read)
{
	char text[8][64], *paths[9] = { NULL };
	struct disk_inputs inputs = { .read = read };
	struct disk_sizes sizes;
	size_t i;

	for (i = 0; names[i]; i++) {
		snprintf(text[i], sizeof text[i], "%s/%s", root, names[i]);
		paths[i] = text[i];
	}
	inputs.in = input_open(paths[0]);
	(void)input_window(inputs.in, 1);
	inputs.coming = paths + 1;
	sizes = disk_sizes(&inputs);
	input_close(inputs.in);
	return sizes;
}

static void
check(const char *const *names, uint64_t read, uint64_t known, uint64_t unknown)
{
	struct disk_sizes sizes = sizes_of(names, read);

	CHECK_U64(sizes.known, known);
	CHECK_U64(sizes.unknown, unknown);
}

static void
make_files(void)
{
	char path[64];
	gzFile gz;

	CHECK(mkdtemp(root) != NULL);
	folder_put(root, "text", STR("a;b 1\n"));
	folder_put(root, "longer", STR("a;b;c;d 1\n"));
	folder_put(root, "picture", STR("<svg></svg>"));
	folder_put(root, "empty", STR(""));
	snprintf(path, sizeof path, "%s/pipe", root);
	CHECK(mkfifo(path, 0600) == 0);
	snprintf(path, sizeof path, "%s/packed", root);
	gz = gzopen(path, "w");
	CHECK(gz && gzputs(gz, "a;b 1\n") == 6 && gzclose(gz) == Z_OK);
}

/* A pipe among the later inputs does not block, either. */
UNIT(sizes_of_files_are_known)
{
	make_files();
	check((const char *const[]){ "text", NULL }, 0, 6, 0);
	check((const char *const[]){ "text", "longer", "longer", "empty", NULL }, 100,
		126, 0);
	check((const char *const[]){ "longer", "packed", "pipe", "picture", "none",
		      NULL },
		0, 10, 4);
	check((const char *const[]){ "packed", "text", NULL }, 0, 12, 1);
	check((const char *const[]){ "text", NULL }, UINT64_MAX - 1, UINT64_MAX, 0);
	folder_remove(root);
}

UNIT_MAIN
