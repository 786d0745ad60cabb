/* SPDX-License-Identifier: ISC */
/* The end of a profile in JSON; see pull-end.h. */
#include "pull-end.h"
#include "msg.h"

bool
pull_end(const struct json_reader *p, struct collapse *c, uint64_t before)
{
	const char *name = input_name(p->in);
	bool folded = c->samples > before;

	if (!json_failed(p))
		return true;
	/* What follows the damage is one thing that nobody can count. */
	c->losses[COLLAPSE_DAMAGED] += folded;
	if (p->cut && folded)
		msg_warn("%s: ends too soon; kept what came before", name);
	else if (p->cut)
		msg_error("%s: ends too soon, and nothing could be folded", name);
	return folded;
}

bool
pull_end_all(const struct json_reader *p, struct collapse *c, uint64_t before)
{
	uint64_t i;

	for (i = 0; i < p->wrong; i++)
		collapse_lose(c, p->in, COLLAPSE_MALFORMED);
	return pull_end(p, c, before);
}
