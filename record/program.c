/* SPDX-License-Identifier: ISC */
/* Programs in folders and in $PATH; see program.h. */
#include "program.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

const char *
program_in(struct arena *text, struct str folder, struct str name)
{
	size_t size = folder.n + name.n + 2;
	char *path = arena_alloc(text, size);
	struct stat st;

	snprintf(path, size, "%.*s/%.*s", STR_ARG(folder), STR_ARG(name));
	return access(path, X_OK) == 0 && stat(path, &st) == 0 && S_ISREG(st.st_mode)
		? path
		: NULL;
}

const char *
program_find(struct arena *text, struct str name)
{
	struct str folders = str_of(getenv("PATH")), folder;
	const char *found = NULL;

	while (folders.n && !found) {
		folder = str_cut(&folders, ':');
		found = program_in(text, folder.n ? folder : STR("."), name);
	}
	return found;
}
