/* SPDX-License-Identifier: ISC */
/* The files of a recording by several threads; see parts.h. */
#include "parts.h"
#include "buf.h"
#include "mem.h"

#include <sys/stat.h>

void
parts_release(struct parts *p)
{
	size_t i;

	for (i = 0; i < p->n; i++) {
		input_close(p->list[i]);
		free(p->names[i]);
	}
	free(p->list);
	free(p->names);
	*p = (struct parts){ 0 };
}

struct input *
parts_next(struct parts *p, struct input *main)
{
	struct buf name = { 0 };
	struct input *in = NULL;
	struct stat st;

	for (; !in; p->tried++) {
		buf_clear(&name);
		buf_fmt(&name, "%s.%zu", input_name(main), p->tried);
		if (stat(buf_cstr(&name), &st) < 0) {
			buf_release(&name);
			return NULL;
		}
		in = input_open(buf_cstr(&name));
		if (!in)
			input_fail(main);
	}
	p->list = mem_grow(p->list, &p->cap, p->n + 1, sizeof(struct input *));
	p->names = mem_grow(p->names, &p->name_cap, p->n + 1, sizeof(char *));
	/* The input keeps its name. */
	p->names[p->n] = name.s;
	p->list[p->n++] = in;
	return in;
}
