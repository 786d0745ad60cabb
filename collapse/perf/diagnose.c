/* SPDX-License-Identifier: ISC */
/* What is said of a recording as a whole; see diagnose.h. */
#include "diagnose.h"
#include "units.h"
#include "buf.h"
#include "msg.h"

#include <stdio.h>

/* Whether the first line of the file PATH is LINE. */
static bool
says(const char *path, struct str line)
{
	char text[256];
	FILE *file = fopen(path, "r");
	bool same = file && fgets(text, sizeof text, file) &&
		str_eq(str_trim(str_of(text)), line);

	if (file)
		fclose(file);
	return same;
}

bool
diagnose_is_local(const struct reader_about *about)
{
	return about->host.n && about->release.n &&
		says("/proc/sys/kernel/hostname", about->host) &&
		says("/proc/sys/kernel/osrelease", about->release);
}

bool
diagnose_is_remote(const struct reader_about *about)
{
	return about->host.n && !says("/proc/sys/kernel/hostname", about->host);
}

struct str
diagnose_advice(const char *why)
{
	static const struct {
		const char *why, *advice;
	} known[] = {
		{ "does not exist", "the file is not here: copy it and say --elf FILE" },
		{ "not found", "not found here: copy it and say --elf FILE" },
		{ "is not the file that was recorded (its build id differs)",
			"the file here is of another build: say --elf FILE for the one "
			"that was recorded" },
		{ "is not the file that --elf names (its build id differs)",
			"the file that --elf names is of another build" },
	};
	size_t i;

	for (i = 0; i < sizeof known / sizeof *known; i++)
		if (str_eq(str_of(why), str_of(known[i].why)))
			return str_of(known[i].advice);
	return str_of(why);
}

void
diagnose_tell(uint64_t strays, const char *input)
{
	struct buf b = { 0 };

	units_put_count(&b, strays);
	if (strays)
		msg_warn("%s: left %s %s in call chains out that %s no address", input,
			buf_cstr(&b), strays == 1 ? "value" : "values",
			strays == 1 ? "is" : "are");
	buf_release(&b);
}
