/* SPDX-License-Identifier: ISC */
/* Any bytes as the output of objdump: rows are in the order of their addresses, each
 * with a text. */
#include "fuzz.h"
#include "objdump.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct objdump o = { .n = 0 };
	size_t i;

	buf_str(&o.text, (struct str){ (const char *)data, size });
	objdump_parse(&o);
	for (i = 0; i < o.n; i++) {
		LAW(o.rows[i].text.n > 0);
		LAW(!i || o.rows[i - 1].address < o.rows[i].address);
		LAW(str_find(o.rows[i].text, '\n') == o.rows[i].text.n);
	}
	objdump_release(&o);
	return 0;
}
