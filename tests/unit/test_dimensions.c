/* SPDX-License-Identifier: ISC */
/* Tests of dimensions: the header key that describes leading frames. */
#include "unit.h"
#include "dimensions.h"

/* The output for the header value BY. */
static struct str
again(struct buf *b, const char *by)
{
	struct dimensions d = { .n = 0 };

	buf_clear(b);
	if (dimensions_read(&d, str_of(by)))
		dimensions_put(b, &d);
	else
		CHECK(!d.said && !d.n);
	dimensions_release(&d);
	return buf_view(b);
}

UNIT(output_reads_back)
{
	static const char *const same[] = { "comm,tid,time", "none",
		"label:a%2Cb%25,host", "", "%6Eone", "a b;c=d" };
	struct buf b = { 0 };
	size_t i;

	for (i = 0; i < sizeof same / sizeof *same; i++)
		CHECK_STR(again(&b, same[i]), str_of(same[i]));
	buf_release(&b);
}

UNIT(names_are_decoded)
{
	struct dimensions d = { .n = 0 };

	CHECK(dimensions_read(&d, STR("label:a%2Cb,%6eone")));
	CHECK_U64(d.n, 2);
	CHECK(d.said);
	CHECK_STR(d.name[0], STR("label:a,b"));
	CHECK_U64(dimensions_find(&d, STR("none")), 1);
	CHECK_U64(dimensions_find(&d, STR("comm")), 2);
	dimensions_release(&d);
}

UNIT(malformed_lists_are_refused)
{
	static const char *const bad[] = { "comm,comm", ",", "comm,", ",tid",
		"a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,A,B,C,D,E,F,G" };
	struct buf b = { 0 };
	size_t i;

	for (i = 0; i < sizeof bad / sizeof *bad; i++)
		CHECK_STR(again(&b, bad[i]), STR(""));
	buf_release(&b);
}

UNIT(a_missing_key_is_not_none)
{
	struct dimensions d = { .n = 0 };

	CHECK(dimensions_read(&d, STR("")) && !d.said);
	CHECK(dimensions_read(&d, STR("none")) && d.said && !d.n);
	dimensions_release(&d);
}
UNIT_MAIN
