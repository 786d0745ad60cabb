/* SPDX-License-Identifier: ISC */
/*
 * Tests of json-read. The lists of valid, invalid and extreme texts follow the
 * categories of N. Seriot's "Parsing JSON is a minefield".
 */
#include "readers/json-columns.h"
#include "readers/json-read.h"
#include "random.h"
#include "unit.h"

#include <fcntl.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>

struct text {
	struct input *in;
	struct json_reader reader;
};

static void
begin(struct text *t, struct str s)
{
	t->in = input_of_memory("text", s);
	json_reader_init(&t->reader, t->in);
}

static void
end(struct text *t)
{
	json_reader_release(&t->reader);
	input_close(t->in);
}

/* Whether S is exactly one value. */
static bool
is_json(struct str s)
{
	struct text t;
	bool good;

	begin(&t, s);
	json_skip(&t.reader);
	good = !json_failed(&t.reader) && !json_more(&t.reader);
	good &= !json_failed(&t.reader);
	end(&t);
	return good;
}

UNIT(accepts_valid_json)
{
	static const char *const good[] = { "[]", "{}", "[[]   ]", "[\"\"]",
		"[1,null,1,\"2\",{}]", "{\"\":0}", "{\"a\":\"b\",\"a\":\"b\"}",
		"{ \"min\": -1.0e+28, \"max\": 1.0e+28 }", "{\"a\":[]}",
		"{\n\"a\": \"b\"\n}", "[123e65]", "[0e+1]", "[0e1]", "[ 4]",
		"[-0.000000000000000000000000000000000000000000000000000000000000000000000000001]",
		"[20e1]", "[-0]", "[-123]", "[-1]", "[1E22]", "[1E-2]", "[1E+2]",
		"[123e45]", "[123.456e78]", "[1e-2]", "[1e+2]", "[123]", "[123.456789]",
		"[\"\\u0060\\u012a\\u12AB\"]", "[\"\\uD801\\udc37\"]",
		"[\"\\ud83d\\ude39\\ud83d\\udc8d\"]", "[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"]",
		"[\"\\\\u0000\"]", "[\"\\\"\"]", "[\"a/*b*/c/*d//e\"]", "[\"\\\\a\"]",
		"[\"\\\\n\"]", "[\"\\u0012\"]", "[\"\\uFFFF\"]", "[\"asd\"]",
		"[ \"asd\"]", "[\"new\\u00A0line\"]", "[\"\\u0000\"]", "[\"\\u0821\"]",
		"[\"\xe2\x82\xac\xf0\x9d\x84\x9e\"]", "\" \"", "[\"\x7f\"]",
		"[\"\xe2\x80\xa8\"]", "[\"\\uA66D\"]", "false", "42", "-0.1", "null",
		"\"asd\"", "true", "\"\"", "[\"a\"]\n", "[true]", " [] ", "\t[\r\n]", "9",
		"{\"a\":{\"b\":{\"c\":[[[{}]]]}}}" };
	size_t i;

	for (i = 0; i < sizeof good / sizeof *good; i++)
		if (!is_json(str_of(good[i])))
			CHECK_STR(str_of(good[i]), STR("is JSON"));
	CHECK(i == sizeof good / sizeof *good);
}

UNIT(refuses_invalid_json)
{
	static const char *const bad[] = { "[1 true]", "[a\xe5]", "[\"\": 1]", "[\"\"],",
		"[,1]", "[1,,2]", "[\"x\",,]", "[\"x\"]]", "[\"\",]", "[\"x\"", "[x",
		"[3[4]]", "[\xff]", "[1:2]", "[,]", "[-]", "[   , \"\"]",
		"[\"a\",\n4\n,1,", "[1,]", "[1,,]", "[\"\va\"\\f]", "[*]", "[\"\"", "[1,",
		"[1,\n1\n,1", "[{}", "[fals]", "[nul]", "[tru]", "123\xe5", "[++1234]",
		"[+1]", "[+Inf]", "[-01]", "[-1.0.]", "[-2.]", "[-NaN]", "[.-1]",
		"[.2e-3]", "[0.1.2]", "[0.3e+]", "[0.3e]", "[0.e1]", "[0E+]", "[0E]",
		"[0e+]", "[0e]", "[1.0e+]", "[1.0e-]", "[1.0e]", "[1 000.0]", "[1eE2]",
		"[2.e+3]", "[2.e-3]", "[2.e3]", "[9.e+]", "[Inf]", "[NaN]",
		"[\xef\xbc\x91]", "[1+2]", "[0x1]", "[0x42]", "[Infinity]", "[0e+-1]",
		"[-123.123foo]", "[123\xe5]", "[1e1\xe5]", "[0\xe5]", "[-Infinity]",
		"[-foo]", "[- 1]", "[-012]", "[-.123]", "[-1x]", "[1ea]", "[1e\xe5]",
		"[1.]", "[.123]", "[1.2a-3]", "[1.8011670033376514H-308]", "[012]",
		"[\"x\", truth]", "{[: \"x\"}\n", "{\"x\", null}", "{\"x\"::\"b\"}",
		"{\"a\":\"a\" 123}", "{key: 'value'}", "{\"\xb9\":\"0\",}", "{\"a\" b}",
		"{:\"b\"}", "{\"a\" \"b\"}", "{\"a\":", "{\"a\"", "{1:1}",
		"{9999E9999:1}", "{null:null}", "{\"id\":0,,,,,}", "{'a':0}",
		"{\"id\":0,}", "{\"a\":\"b\"}/**/", "{\"a\":\"b\"}/",
		"{\"a\":\"b\",,\"c\":\"d\"}", "{a: \"b\"}", "{\"a\":\"a",
		"{ \"foo\" : \"bar\", \"a\" }", "{\"a\":\"b\"}#", " ", "[\"\\uD800\\\"]",
		"[\"\\uD800\\u\"]", "[\"\\uD800\\u1\"]", "[\"\\uD800\\u1x\"]",
		"[\xc3\xa9]", "[\"\\x00\"]", "[\"\\\\\\\"]", "[\"\\\t\"]", "[\"\\\"]",
		"[\"\\u00A\"]", "[\"\\uD834\\uDd\"]", "[\"\\uD800\\uD800\\x\"]",
		"[\"\\a\"]", "[\"\\uqqqq\"]", "[\\u0020\"asd\"]", "[\\n]", "\"",
		"['single quote']", "abc", "[\"\\", "[\"new\nline\"]", "[\"\t\"]",
		"\"\\UA66D\"", "\"\"x", "<.>", "[<null>]", "[1]x", "[1]]", "[\"asd]",
		"a\xc3\xa5", "[True]", "1]", "{\"x\": true,", "[][]", "]", "\xef\xbb{}",
		"\xe5", "[", "", "{\"\":", "{,", "{[", "{\"a", "[\"a", "{]", "{}}",
		"{\"\":[1}", "{\"a\":1]", "[{\"a\":1]]", "[\"", "\xe2\x81\xa0[]", "*",
		"[\v]", "[1\f]", "{\"a\":/*comment*/\"b\"}", "{\"a\": true} \"x\"", "'a'",
		"[\"a\" \"b\"]", "[1 2]", "-", "--1", "1.2.3", "1e1e1",
		"{\"a\":1 \"b\":2}", "nulll", "truefalse" };
	size_t i;
	int null = open("/dev/null", O_WRONLY);

	dup2(null, STDERR_FILENO);
	for (i = 0; i < sizeof bad / sizeof *bad; i++)
		if (is_json(str_of(bad[i])))
			CHECK_STR(str_of(bad[i]), STR("is no JSON"));
	CHECK(!is_json((struct str){ "\0", 1 }));
	CHECK(!is_json((struct str){ "[1]\0", 4 }));
	CHECK(!is_json((struct str){ "[\"a\0b\"]", 7 }));
}

/* Whether OPEN N times, then CLOSE N times is valid. */
static bool
is_nested(const char *open, const char *close, size_t n)
{
	struct buf b = { 0 };
	bool good;
	size_t i;

	for (i = 0; i < n; i++)
		buf_str(&b, str_of(open));
	for (i = 0; i < n; i++)
		buf_str(&b, str_of(close));
	good = is_json(buf_view(&b));
	buf_release(&b);
	return good;
}

UNIT(nesting_has_a_limit)
{
	CHECK(is_nested("[", "]", JSON_DEEPEST));
	CHECK(!is_nested("[", "]", JSON_DEEPEST + 1));
	CHECK(!is_nested("[", "]", 100000));
	CHECK(!is_nested("[", "", 100000));
	CHECK(!is_nested("{\"\":[", "]}", 50000));
}

/* The decoded string TEXT. */
static struct buf
string_of(const char *text)
{
	struct buf b = { 0 };
	struct text t;
	struct str s;

	begin(&t, str_of(text));
	CHECK(json_read_string(&t.reader, &s));
	buf_str(&b, s);
	end(&t);
	return b;
}

UNIT(escapes_are_undone)
{
	static const struct {
		const char *text;
		struct str is;
	} rows[] = {
		{ "\"plain\"", { "plain", 5 } },
		{ "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", { "\"\\/\b\f\n\r\t", 8 } },
		{ "\"a\\u0000b\"", { "a\0b", 3 } },
		{ "\"\\u00e9\\u20AC\"", { "\xc3\xa9\xe2\x82\xac", 5 } },
		{ "\"\\ud83d\\ude39\"", { "\xf0\x9f\x98\xb9", 4 } },
		{ "\"\\ud83d\"", { "\xef\xbf\xbd", 3 } },
		{ "\"\\ude39x\"", { "\xef\xbf\xbdx", 4 } },
		{ "\"\\ud83d\\u0041\"",
			{ "\xef\xbf\xbd"
			  "A",
				4 } },
		{ "\"\\ud83d\\ud83d\\ude39\"", { "\xef\xbf\xbd\xf0\x9f\x98\xb9", 7 } },
		{ "\"\\ud83d\\n\"", { "\xef\xbf\xbd\n", 4 } },
		{ "\"\xff\xfe\"", { "\xff\xfe", 2 } }, /* bytes stay as they are */
	};
	struct buf b;
	size_t i;

	for (i = 0; i < sizeof rows / sizeof *rows; i++) {
		b = string_of(rows[i].text);
		CHECK_STR(buf_view(&b), rows[i].is);
		buf_release(&b);
	}
}

static double
number_of(const char *text)
{
	struct text t;
	double value = NAN;

	begin(&t, str_of(text));
	CHECK(json_read_double(&t.reader, &value));
	end(&t);
	return value;
}

UNIT(numbers_equal_those_of_strtod)
{
	static const char *const texts[] = { "0", "-0", "1", "-1", "0.1", "1.5",
		"123456789", "9007199254740993", "9007199254740992",
		"18446744073709551615", "18446744073709551616",
		"123456789012345678901234567890", "1e22", "1e23", "1e-22", "1e-23",
		"8.5e-324", "4.9e-324", "2.4e-324", "1.7976931348623157e308", "1e400",
		"-1e400", "1e-400", "2.2250738585072011e-308", "0.1e1", "5e-1",
		"100000000000000000000", "3.141592653589793238462643383279", "0.000001",
		"1e999999999", "1e-999999999", "9007199254740993.0000000000000000000001",
		"6.0221e23", "1747.3719400000004",
		"179769313486231580793728971405301e277", "0e99999", "-0.0" };
	struct buf all = { 0 };
	struct text t;
	uint64_t seed = 1;
	const char *at;
	char *end_of_number;
	double ours, theirs;
	size_t i;
	int k;

	for (i = 0; i < sizeof texts / sizeof *texts; i++) {
		ours = number_of(texts[i]);
		theirs = strtod(texts[i], NULL);
		CHECK(memcmp(&ours, &theirs, sizeof ours) == 0);
	}
	for (k = 0; k < 200000; k++) {
		seed = seed * 6364136223846793005 + 1442695040888963407;
		buf_fmt(&all,
			k % 2 ? "%" PRIu64 ".%" PRIu64 "e%d\n"
			      : "%" PRIu64 ".%" PRIu64 "\n",
			seed >> (seed % 60), seed >> 7 >> (seed % 50),
			(int)(seed >> 33) % 330);
	}
	begin(&t, buf_view(&all));
	at = buf_cstr(&all);
	for (k = 0; k < 200000 && json_more(&t.reader); k++, at = end_of_number + 1) {
		theirs = strtod(at, &end_of_number);
		if (!json_read_double(&t.reader, &ours) ||
			memcmp(&ours, &theirs, sizeof ours) != 0)
			CHECK_STR(((struct str){ at, (size_t)(end_of_number - at) }),
				STR("strtod says otherwise"));
	}
	CHECK_U64((uint64_t)k, 200000);
	CHECK(!json_more(&t.reader) && !json_failed(&t.reader));
	end(&t);
	buf_release(&all);
}

UNIT(whole_numbers_keep_64_bits)
{
	static const struct {
		const char *text;
		bool is_u64, is_i64;
		uint64_t u;
		int64_t i;
	} rows[] = {
		{ "18446744073709551615", true, false, UINT64_MAX, 0 },
		{ "18446744073709551616", false, false, 0, 0 },
		{ "9223372036854775807", true, true, INT64_MAX, INT64_MAX },
		{ "-9223372036854775808", false, true, 0, INT64_MIN },
		{ "-9223372036854775809", false, false, 0, 0 },
		{ "-1", false, true, 0, -1 },
		{ "-0", true, true, 0, 0 },
		{ "1.0", true, true, 1, 1 },
		{ "1.5", false, false, 0, 0 },
		{ "2e3", true, true, 2000, 2000 },
		{ "2000e-3", true, true, 2, 2 },
		{ "1e20", false, false, 0, 0 },
		{ "0e99999", true, true, 0, 0 },
		{ "\"1\"", false, false, 0, 0 },
	};
	struct text t;
	uint64_t u;
	int64_t i;
	size_t k;

	for (k = 0; k < sizeof rows / sizeof *rows; k++) {
		u = 0;
		i = 0;
		begin(&t, str_of(rows[k].text));
		CHECK_U64(json_read_u64(&t.reader, &u), rows[k].is_u64);
		CHECK_U64(t.reader.wrong, !rows[k].is_u64);
		CHECK(!rows[k].is_u64 || u == rows[k].u);
		end(&t);
		begin(&t, str_of(rows[k].text));
		CHECK_U64(json_read_i64(&t.reader, &i), rows[k].is_i64);
		CHECK(!rows[k].is_i64 || i == rows[k].i);
		end(&t);
	}
}

UNIT(columns_accept_null_and_count_wrong_values)
{
	struct json_doubles numbers = { 0 };
	struct json_ints ints = { 0 };
	struct text t;
	size_t i;
	static const int32_t want[] = { 0, -1, 12, 7, -5, 2147483647, -5, -5, 3, -5, -5,
		8 };

	begin(&t,
		STR("[0,-1,12, 7,null,2147483647,2147483648,\"x\",3,{\"a\":[1]},1.5, 8 ]"));
	CHECK(json_read_ints(&t.reader, &ints, -5));
	CHECK_U64(ints.n, sizeof want / sizeof *want);
	for (i = 0; i < ints.n && i < sizeof want / sizeof *want; i++)
		CHECK(ints.items[i] == want[i]);
	CHECK_U64(t.reader.wrong, 4);
	end(&t);
	begin(&t, STR("[0.5,null,-2,true]"));
	CHECK(json_read_doubles(&t.reader, &numbers, 9));
	CHECK_U64(numbers.n, 4);
	CHECK(numbers.items[0] == 0.5 && numbers.items[1] == 9 &&
		numbers.items[2] == -2 && numbers.items[3] == 9);
	end(&t);
	json_ints_release(&ints);
	json_doubles_release(&numbers);
}

UNIT(columns_are_checked_as_other_arrays)
{
	static const char *const bad[] = { "[1,2,]", "[01]", "[1,02,3]", "[1 2]",
		"[1,,2]", "[1,2", "[1,2,", "[--1]", "[1,-]", "[1,2}",
		"[1,2,3,4,5,6,7,8,9,10,11,12,]",
		"[1,2,3,4,5,6,7,8,9,10,011,12,13,14,15,16]" };
	struct json_ints ints = { 0 };
	struct text t;
	size_t i;
	int null = open("/dev/null", O_WRONLY);

	dup2(null, STDERR_FILENO);
	for (i = 0; i < sizeof bad / sizeof *bad; i++) {
		begin(&t, str_of(bad[i]));
		if (json_read_ints(&t.reader, &ints, 0))
			CHECK_STR(str_of(bad[i]), STR("is no column"));
		CHECK(json_failed(&t.reader));
		end(&t);
		json_ints_release(&ints);
	}
}

/* A column longer than any window. */
UNIT(long_columns_and_strings_cross_windows)
{
	enum { N = 300000, LONG = 1 << 20 };
	struct json_ints ints = { 0 };
	struct buf b = { 0 };
	struct text t;
	struct str s;
	int i;

	buf_char(&b, '[');
	for (i = 0; i < N; i++)
		buf_fmt(&b, i % 3 ? "%d, " : "%d,", i % 7 ? i : -i);
	buf_str(&b, STR("0]\""));
	for (i = 0; i < LONG; i++)
		buf_str(&b, i % 100 ? STR("x") : STR("\\u0041"));
	buf_char(&b, '"');
	begin(&t, buf_view(&b));
	CHECK(json_read_ints(&t.reader, &ints, -1));
	CHECK_U64(ints.n, N + 1);
	for (i = 0; i < N; i++)
		if (ints.items[i] != (i % 7 ? i : -i))
			break;
	CHECK_U64((uint64_t)i, N);
	CHECK(json_more(&t.reader));
	CHECK(json_read_string(&t.reader, &s));
	CHECK_U64(s.n, LONG);
	CHECK(!json_more(&t.reader) && !json_failed(&t.reader));
	end(&t);
	json_ints_release(&ints);
	buf_release(&b);
}

UNIT(unread_values_are_skipped)
{
	struct text t;
	struct str key, s;
	uint64_t n = 0;
	int seen = 0;

	begin(&t, STR("{\"a\":[1,[2,{\"b\":3}]],\"n\":7,\"z\":{\"n\":8},\"s\" : \"x\"}"));
	CHECK(json_read_object(&t.reader));
	while (json_next_key(&t.reader, &key)) {
		seen++;
		if (str_eq(key, STR("n")))
			CHECK(json_read_u64(&t.reader, &n));
		if (str_eq(key, STR("s"))) {
			CHECK(json_read_string(&t.reader, &s));
			CHECK_STR(s, STR("x"));
		}
		if (str_eq(key, STR("z")))
			CHECK(!json_read_array(&t.reader));
	}
	CHECK_U64((uint64_t)seen, 4);
	CHECK_U64(n, 7);
	CHECK_U64(t.reader.wrong, 1);
	CHECK(!json_failed(&t.reader) && !json_more(&t.reader));
	end(&t);
}

UNIT(a_text_that_ends_too_soon_is_cut_not_damaged)
{
	static const char *const cut[] = { "", "[", "[1", "[1,", "{\"a", "{\"a\"",
		"{\"a\":", "{\"a\":tr", "[\"\\u00", "[1.", "[{\"a\":1}" };
	struct text t;
	size_t i;

	for (i = 0; i < sizeof cut / sizeof *cut; i++) {
		begin(&t, str_of(cut[i]));
		json_skip(&t.reader);
		if (!json_failed(&t.reader) || !t.reader.cut)
			CHECK_STR(str_of(cut[i]), STR("is cut"));
		end(&t);
	}
}

UNIT(values_may_follow_one_another)
{
	struct text t;
	uint64_t n, sum = 0;

	begin(&t, STR(" 1\n2 [3]\n{}4\n"));
	while (json_more(&t.reader))
		if (json_peek(&t.reader) == JSON_NUMBER && json_read_u64(&t.reader, &n))
			sum += n;
	CHECK_U64(sum, 7);
	CHECK(!json_failed(&t.reader));
	end(&t);
}

/* Numbers far from the end of a text take another path than those near it. */
static const char REST[] =
	",0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]";

/* Adds a number of up to 20 digits to B, possibly with a sign, decimals or a leading
 * blank. */
static void
put_number(struct buf *b, uint64_t *random)
{
	uint64_t bits = random_u64(random);
	char text[64];
	int n = snprintf(text, sizeof text, "%s%s%" PRIu64, bits & 3 ? "" : " ",
		bits & 12 ? "" : "-", random_u64(random) >> (bits >> 4 & 63));

	if (!(bits >> 10 & 3))
		n += snprintf(text + n, sizeof text - (size_t)n, ".%0*" PRIu64,
			(int)(1 + (bits >> 12 & 7)), bits >> 20 & 0xffffff);
	buf_str(b, (struct str){ text, (size_t)n });
}

UNIT(columns_of_numbers_equal_those_of_strtod)
{
	enum { N = 5000 };
	struct json_doubles column = { .n = 0 };
	struct buf text = { 0 };
	uint64_t random = 1;
	const char *at;
	char *behind;
	struct text t;
	size_t i;

	for (i = 0; i < N; i++) {
		buf_char(&text, i ? ',' : '[');
		put_number(&text, &random);
	}
	buf_str(&text, STR(REST));
	at = buf_cstr(&text);
	begin(&t, buf_view(&text));
	CHECK(json_read_doubles(&t.reader, &column, NAN));
	CHECK(column.n > N);
	for (i = 0; i < N; i++, at = behind) {
		CHECK(column.items[i] == strtod(at + 1, &behind));
		CHECK(behind > at + 1);
	}
	json_doubles_release(&column);
	end(&t);
	buf_release(&text);
}

UNIT(wholes_end_where_others_begin)
{
	static const struct {
		const char *text;
		size_t n;
		int64_t last;
	} lists[] = { { "[1,22,333", 5, 0 }, { "[-5,1.5", 1, -5 }, { "[7,01", 1, 7 },
		{ "[7,-", 1, 7 }, { "[7,,", 1, 7 }, { "[7, 8", 5, 0 }, { "[7,  8", 1, 7 },
		{ "[7,1e2", 1, 7 }, { "[7,null", 1, 7 }, { "[1234567812345678", 5, 0 },
		{ "[12345678123456789", 0, 0 }, { "[0,-0", 5, 0 }, { "[7,8]", 1, 7 } };
	int64_t wholes[5];
	struct buf text = { 0 };
	struct text t;
	size_t i, n;

	for (i = 0; i < sizeof lists / sizeof *lists; i++) {
		buf_clear(&text);
		buf_str(&text, str_of(lists[i].text));
		buf_str(&text, STR(REST));
		begin(&t, buf_view(&text));
		CHECK(json_read_array(&t.reader) && json_next_element(&t.reader));
		n = json_take_wholes(&t.reader, wholes, 5);
		CHECK_U64(n, lists[i].n);
		CHECK(!n || wholes[n - 1] == lists[i].last);
		CHECK(json_peek(&t.reader) != JSON_NOTHING || lists[i].text[3] == ',');
		end(&t);
	}
	buf_release(&text);
}

UNIT(rows_of_plain_numbers_are_read_at_once)
{
	static const struct {
		const char *text;
		size_t n;
	} rows[] = { { "[[1,-2.5]", 2 }, { "[[1]", 1 }, { "[[]", 0 }, { "[[1,2,3,4]", 0 },
		{ "[[1,null]", 0 }, { "[[1, 2]", 0 }, { "[1", 0 }, { "[[01]", 0 } };
	struct buf text = { 0 };
	double row[3];
	struct text t;
	size_t i, n;

	for (i = 0; i < sizeof rows / sizeof *rows; i++) {
		buf_clear(&text);
		buf_str(&text, str_of(rows[i].text));
		buf_str(&text, STR(REST));
		begin(&t, buf_view(&text));
		CHECK(json_read_array(&t.reader) && json_next_element(&t.reader));
		n = json_take_row(&t.reader, row, 3);
		CHECK_U64(n, rows[i].n);
		CHECK(n < 2 || (row[0] == 1 && row[1] == -2.5));
		CHECK(json_peek(&t.reader) ==
			(n					 ? JSON_NOTHING
					: rows[i].text[1] == '[' ? JSON_ARRAY
								 : JSON_NUMBER));
		end(&t);
	}
	buf_release(&text);
}

UNIT(texts_are_kept_by_place)
{
	struct json_texts t = { .n = 0 };
	struct str s;

	json_texts_add(&t, STR("main"));
	json_texts_add(&t, STR(""));
	json_texts_add(&t, STR("f (in x)"));
	json_texts_add_head(&t, 2, 1);
	json_texts_add_head(&t, 2, 100);
	CHECK(json_texts_get(&t, 0, &s));
	CHECK_STR(s, STR("main"));
	CHECK(json_texts_get(&t, 1, &s));
	CHECK_STR(s, STR(""));
	CHECK(json_texts_get(&t, 3, &s));
	CHECK_STR(s, STR("f"));
	CHECK(json_texts_get(&t, 4, &s));
	CHECK_STR(s, STR("f (in x)"));
	CHECK(!json_texts_get(&t, 5, &s));
	CHECK(!json_texts_get(&t, -1, &s));
	json_texts_release(&t);
}

UNIT_MAIN
