/* SPDX-License-Identifier: ISC */
/* What becomes of damaged JSON; see verdict.h. */
#include "verdict.h"
#include "msg.h"

bool
verdict_of(const struct pull *p, struct collapse *c, uint64_t before)
{
	if (!pull_failed(p))
		return true;
	if (p->cut)
		msg_error("%s: ends too soon", input_name(p->in));
	c->losses[COLLAPSE_MALFORMED]++;
	return c->samples > before;
}
