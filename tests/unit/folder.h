/* SPDX-License-Identifier: ISC */
/* Folders that unit tests make up, as those of /proc and /sys. */
#ifndef FOLDER_H
#define FOLDER_H

#include <errno.h>
#include <sys/stat.h>

#include "unit.h"

/* Puts the bytes of TEXT into the file PATH below ROOT, and makes the folders between them. */
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

/* Removes ROOT with all that is in it. */
static inline void
folder_remove(const char *root)
{
	char command[128];

	snprintf(command, sizeof command, "rm -r '%s'", root);
	CHECK(system(command) == 0);
}

#endif
