/* SPDX-License-Identifier: ISC */
/* Cells of tables: cell.h. */
#include "cell.h"
#include "unit.h"

static struct buf cell;

static struct str
tsv(struct str text)
{
	buf_clear(&cell);
	cell_put_tsv(&cell, text);
	return buf_view(&cell);
}

static struct str
csv(struct str text)
{
	buf_clear(&cell);
	cell_put_csv(&cell, text);
	return buf_view(&cell);
}

UNIT(a_cell_is_not_a_formula)
{
	CHECK_STR(tsv(STR("main")), STR("main"));
	CHECK_STR(tsv(STR("")), STR(""));
	CHECK_STR(tsv(STR("a=b")), STR("a=b"));
	CHECK_STR(tsv(STR("=1+1")), STR("'=1+1"));
	CHECK_STR(tsv(STR("+[NSObject new]")), STR("'+[NSObject new]"));
	CHECK_STR(tsv(STR("-1")), STR("'-1"));
	CHECK_STR(tsv(STR("@SUM(A1)")), STR("'@SUM(A1)"));
	CHECK_STR(tsv(STR("\xef\xbc\x9d(1)")), STR("'\xef\xbc\x9d(1)"));
	CHECK_STR(tsv(STR("\t=1")), STR("\xef\xbf\xbd=1"));
	CHECK_STR(tsv(STR("\r=1")), STR("\xef\xbf\xbd=1"));
	CHECK_STR(tsv(STR("-")), STR("-"));
}

/* Removing one "'" restores the name. */
UNIT(a_mark_can_be_removed)
{
	CHECK_STR(tsv(STR("'=1")), STR("''=1"));
	CHECK_STR(tsv(STR("''-x")), STR("'''-x"));
	CHECK_STR(tsv(STR("'a")), STR("'a"));
	CHECK_STR(tsv(STR("''")), STR("''"));
}

UNIT(quotes_keep_separators_in_a_cell)
{
	CHECK_STR(csv(STR("main;work")), STR("main;work"));
	CHECK_STR(csv(STR("f(int, char)")), STR("\"f(int, char)\""));
	CHECK_STR(csv(STR("say \"x\"")), STR("\"say \"\"x\"\"\""));
	CHECK_STR(csv(STR("=f(\"x\",1)")), STR("\"'=f(\"\"x\"\",1)\""));
	CHECK_STR(csv(STR("main;=1+1;x")), STR("\"main;=1+1;x\""));
	CHECK_STR(csv(STR("=1+1")), STR("'=1+1"));
	CHECK_STR(csv(STR("a\n\033\0")), STR("a\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"));
}

UNIT_MAIN
