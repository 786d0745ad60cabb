/* SPDX-License-Identifier: ISC */
/* Checks of text; see text-check.h. */
#include "text-check.h"
#include "readers/json-read.h"
#include "utf8.h"

bool
text_check_harmless(struct str text, bool tabs)
{
	uint32_t point;
	size_t n;

	for (; text.n; text = str_from(text, n)) {
		n = utf8_next(text, &point);
		if (point == UTF8_INVALID || point == 0x7f ||
			(point >= 0x80 && point < 0xa0) ||
			(point < ' ' && point != '\n' && !(tabs && point == '\t')))
			return false;
	}
	return true;
}

bool
text_check_json(struct str text)
{
	struct input *in = input_of_memory("json", text);
	struct json_reader p;
	bool good;

	json_reader_init(&p, in);
	good = json_peek(&p) == JSON_OBJECT;
	json_skip(&p);
	good = !json_more(&p) && !json_failed(&p) && good;
	json_reader_release(&p);
	input_close(in);
	return good;
}
