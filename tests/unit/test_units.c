/* SPDX-License-Identifier: ISC */
/* Tests of units: figures for display. */
#include "unit.h"
#include "units.h"

static struct str
amount(struct buf *b, uint64_t value, unsigned scale, double factor, struct str unit)
{
	buf_clear(b);
	units_put(b, value, scale, factor, unit);
	return buf_view(b);
}

UNIT(times_and_bytes_take_the_unit_of_their_size)
{
	struct buf b = { 0 };

	CHECK_STR(amount(&b, 0, 0, 1, STR("ns")), STR("0 ns"));
	CHECK_STR(amount(&b, 999, 0, 1, STR("ns")), STR("999 ns"));
	CHECK_STR(amount(&b, 1234567890, 0, 1, STR("ns")), STR("1.235 s"));
	CHECK_STR(amount(&b, 12, 0, 1, STR("ms")), STR("12 ms"));
	CHECK_STR(amount(&b, 1536, 0, 1, STR("bytes")), STR("1.5 KiB"));
	buf_release(&b);
}

UNIT(long_decimals_are_cut)
{
	struct buf b = { 0 };

	CHECK_STR(
		amount(&b, 1022019980020, 9, 1, STR("samples")), STR("1,022.02 samples"));
	CHECK_STR(amount(&b, 907407407, 9, 1, STR("samples")), STR("0.907 samples"));
	CHECK_STR(amount(&b, 999999999, 9, 1, STR("samples")), STR("1 sample"));
	CHECK_STR(amount(&b, 12345678, 9, 1, STR("samples")), STR("0.0123 samples"));
	CHECK_STR(amount(&b, 1, 9, 1, STR("samples")), STR("0.000000001 samples"));
	CHECK_STR(amount(&b, 7000000000, 9, 1, STR("samples")), STR("7 samples"));
	CHECK_STR(amount(&b, UINT64_MAX, 4, 1, STR("samples")),
		STR("1,844,674,407,370,955.162 samples"));
	buf_release(&b);
}

UNIT(other_units_are_exact)
{
	struct buf b = { 0 };

	CHECK_STR(amount(&b, UINT64_MAX, 0, 1, STR("samples")),
		STR("18,446,744,073,709,551,615 samples"));
	CHECK_STR(amount(&b, 12345, 2, 1, STR("cycles")), STR("123.45 cycles"));
	CHECK_STR(amount(&b, 3, 0, 2.5, STR("cycles")), STR("7.5 cycles"));
	buf_release(&b);
}

UNIT(one_has_no_plural)
{
	struct buf b = { 0 };

	CHECK_STR(amount(&b, 1, 0, 1, STR("samples")), STR("1 sample"));
	CHECK_STR(amount(&b, 100, 2, 1, STR("cycles")), STR("1 cycle"));
	CHECK_STR(amount(&b, 2, 0, 0.5, STR("units")), STR("1 unit"));
	CHECK_STR(amount(&b, 1, 0, 1, STR("bytes")), STR("1 byte"));
	CHECK_STR(amount(&b, 11, 0, 1, STR("bytes")), STR("11 bytes"));
	CHECK_STR(amount(&b, 11, 1, 1, STR("samples")), STR("1.1 samples"));
	CHECK_STR(amount(&b, 1, 0, 1, STR("cache-misses")), STR("1 cache-misses"));
	buf_release(&b);
}

UNIT(cells_name_no_unit_that_all_share)
{
	struct buf b = { 0 };

	units_put_cell(&b, 1234567, 0, STR("samples"));
	buf_char(&b, ' ');
	units_put_cell(&b, 12345, 2, STR("cycles"));
	buf_char(&b, ' ');
	units_put_cell(&b, 1536, 0, STR("bytes"));
	CHECK_STR(buf_view(&b), STR("1,234,567 123.45 1.5 KiB"));
	buf_release(&b);
}

UNIT(counts_have_commas_and_shares_two_decimals)
{
	struct buf b = { 0 };

	units_put_count(&b, 999);
	buf_char(&b, ' ');
	units_put_count(&b, 1000);
	buf_char(&b, ' ');
	units_put_share(&b, 1, 3);
	CHECK_STR(buf_view(&b), STR("999 1,000 33.33 %"));
	buf_release(&b);
}

/* VALUE in the form for LARGEST. */
static struct str
formed(struct buf *b, double value, double largest, bool are_whole, struct str unit)
{
	struct units_form f = units_form_of(largest, are_whole, unit);

	buf_clear(b);
	units_put_value(b, value, &f);
	units_put_unit(b, &f);
	return buf_view(b);
}

UNIT(values_of_one_form_have_one_unit)
{
	struct buf b = { 0 };

	CHECK_STR(formed(&b, 3.46e8, 7.15e8, false, STR("ns")), STR("346 ms"));
	CHECK_STR(formed(&b, 3.46e8, 1.2e9, false, STR("ns")), STR("0.35 s"));
	CHECK_STR(formed(&b, 1536, 2048, true, STR("bytes")), STR("1.50 KiB"));
	CHECK_STR(formed(&b, 12345, 99999, true, STR("samples")), STR("12,345 samples"));
	CHECK_STR(formed(&b, 5, 5.5, false, STR("")), STR("5.00"));
	CHECK_STR(formed(&b, 3.46e8, 4e8, true, STR("cycles")), STR("346 M cycles"));
	CHECK_STR(formed(&b, 3.46e9, 4e9, true, STR("")), STR("3.46 G"));
	buf_release(&b);
}

UNIT_MAIN
