/* SPDX-License-Identifier: ISC */
/* Fake folders for unit tests, such as /proc and /sys. */
#ifndef FOLDER_H
#define FOLDER_H

#include <errno.h>
#include <sys/stat.h>

#include "unit.h"

/* Writes TEXT to the file PATH below ROOT, and creates the folders in between. */
static inline void
folder_put(const char *root, const char *path, struct str text)
{
	char full[512], *slash;
	FILE *f;

	snprintf(full, sizeof full, "%s/%s", root, path);
	for (slash = full + strlen(root) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		if (mkdir(full, 0777) != 0 && errno != EEXIST)
			abort();
		*slash = '/';
	}
	f = fopen(full, "w");
	if (!f || (text.n && fwrite(text.s, 1, text.n, f) != text.n) || fclose(f) != 0)
		abort();
}

/* Removes ROOT recursively. */
static inline void
folder_remove(const char *root)
{
	char command[128];

	snprintf(command, sizeof command, "rm -r '%s'", root);
	CHECK(system(command) == 0);
}

#endif
