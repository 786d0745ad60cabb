/* SPDX-License-Identifier: ISC */
/* Regular expressions through pcre2; see match.h. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "match.h"
#include "mem.h"
#include "utf8.h"

#include <pcre2.h>

/* The stack size of compiled code: enough for MATCH_LONGEST. */
enum { STACK_LEAST = 32 * 1024, STACK_MOST = 8 * 1024 * 1024 };

struct match {
	pcre2_code *code;
	pcre2_match_data *data;
	pcre2_match_context *context;
	pcre2_jit_stack *stack;
	int failure; /* an error code of pcre2, or 0 */
	char text[120];
};

/* Expressions that are not UTF-8 are matched byte by byte. */
static bool
is_utf8(struct str s)
{
	uint32_t point = 0;

	while (s.n && point != UTF8_INVALID)
		s = str_from(s, utf8_next(s, &point));
	return point != UTF8_INVALID;
}

static const unsigned char *
bytes_of(struct str s)
{
	return (const unsigned char *)(s.n ? s.s : "");
}

static void
put_error(struct buf *why, int code)
{
	unsigned char text[120];

	if (pcre2_get_error_message(code, text, sizeof text) < 0)
		buf_fmt(why, "error %d", code);
	else
		buf_str(why, str_of((const char *)text));
}

static pcre2_code *
compile(struct str pattern, unsigned flags, struct buf *why)
{
	uint32_t options = PCRE2_NEVER_BACKSLASH_C | PCRE2_DOLLAR_ENDONLY;
	PCRE2_SIZE at;
	pcre2_code *code;
	int error;

	if (flags & MATCH_ICASE)
		options |= PCRE2_CASELESS;
	if (is_utf8(pattern))
		options |= PCRE2_UTF | PCRE2_MATCH_INVALID_UTF;
	code = pcre2_compile(bytes_of(pattern), pattern.n, options, &error, &at, NULL);
	if (!code) {
		put_error(why, error);
		buf_fmt(why, " at offset %zu", (size_t)at);
	}
	return code;
}

static void *
there(void *p)
{
	if (!p)
		msg_die("out of memory for a regular expression");
	return p;
}

struct match *
match_new(struct str pattern, unsigned flags, struct buf *why)
{
	pcre2_code *code = compile(pattern, flags, why);
	struct match *m;

	if (!code)
		return NULL;
	m = mem_zero(1, sizeof *m);
	m->code = code;
	m->data = there(pcre2_match_data_create_from_pattern(code, NULL));
	m->context = there(pcre2_match_context_create(NULL));
	/* Where code cannot be generated at run time, pcre2 interprets, with the same results. */
	if (pcre2_jit_compile(code, PCRE2_JIT_COMPLETE) == 0) {
		m->stack = there(pcre2_jit_stack_create(STACK_LEAST, STACK_MOST, NULL));
		pcre2_jit_stack_assign(m->context, NULL, m->stack);
	}
	return m;
}

void
match_free(struct match *m)
{
	if (!m)
		return;
	pcre2_match_data_free(m->data);
	pcre2_match_context_free(m->context);
	pcre2_jit_stack_free(m->stack);
	pcre2_code_free(m->code);
	free(m);
}

static void
fail(struct match *m, int code)
{
	struct buf text = { 0 };

	put_error(&text, code);
	snprintf(m->text, sizeof m->text, "%s", buf_cstr(&text));
	buf_release(&text);
	m->failure = code;
}

static void
fail_of_length(struct match *m, size_t n)
{
	snprintf(m->text, sizeof m->text, "a name of %zu bytes is too long", n);
	m->failure = PCRE2_ERROR_BADDATA;
}

bool
match_find(struct match *m, struct str text, size_t start)
{
	size_t limit = text.n ? MATCH_STEPS / text.n : MATCH_STEPS;
	int n;

	if (m->failure)
		return false;
	if (text.n > MATCH_LONGEST) {
		fail_of_length(m, text.n);
		return false;
	}
	/* pcre2 restarts its count at each place where a match could begin. */
	pcre2_set_match_limit(
		m->context, (uint32_t)(limit < MATCH_LIMIT ? limit : MATCH_LIMIT));
	n = pcre2_match(m->code, bytes_of(text), text.n, start, 0, m->data, m->context);
	if (n < 0 && n != PCRE2_ERROR_NOMATCH)
		fail(m, n);
	return n >= 0;
}

bool
match_has(struct match *m, struct str text)
{
	return match_find(m, text, 0);
}

size_t
match_groups(const struct match *m)
{
	uint32_t n = 0;

	(void)pcre2_pattern_info(m->code, PCRE2_INFO_CAPTURECOUNT, &n);
	return n;
}

struct match_place
match_place(const struct match *m, size_t group)
{
	const PCRE2_SIZE *places = pcre2_get_ovector_pointer(m->data);

	if (places[2 * group] == PCRE2_UNSET)
		return (struct match_place){ 0, 0 };
	return (struct match_place){ places[2 * group], places[2 * group + 1] };
}

const char *
match_failure(const struct match *m)
{
	return m->failure ? m->text : NULL;
}
