/* SPDX-License-Identifier: ISC */
/* Names of Java as frames. */
#include "jfr-names.h"

#include <inttypes.h>

enum jfr_code
jfr_names_code(struct str description)
{
	/* The last three are async-profiler's. */
	static const struct {
		const char *name;
		enum jfr_code code;
	} codes[] = { { "Interpreted", JFR_INTERPRETED },
		{ "JIT compiled", JFR_COMPILED }, { "Inlined", JFR_INLINED },
		{ "Native", JFR_NATIVE }, { "C1 compiled", JFR_COMPILED },
		{ "C++", JFR_CPP }, { "Kernel", JFR_KERNEL } };
	size_t i;

	for (i = 0; i < sizeof codes / sizeof *codes; i++)
		if (str_eq(description, str_of(codes[i].name)))
			return codes[i].code;
	return JFR_UNKNOWN;
}

/* Cuts the type at the start of a descriptor, "[Ljava/lang/String;", off *REST, and appends its
 * name in Java's notation to B. Returns false if it is malformed. */
static bool
put_type(struct buf *b, struct str *rest)
{
	static const char letters[] = "BCDFIJSZV";
	static const char *const names[] = { "byte", "char", "double", "float", "int",
		"long", "short", "boolean", "void" };
	struct str name;
	const char *letter;
	size_t deep = 0, i;

	for (; rest->n && *rest->s == '['; *rest = str_from(*rest, 1))
		deep++;
	if (!rest->n)
		return false;
	letter = memchr(letters, *rest->s, sizeof letters - 1);
	if (letter) {
		buf_str(b, str_of(names[letter - letters]));
		*rest = str_from(*rest, 1);
	} else {
		name = str_cut(rest, ';');
		if (name.s[0] != 'L')
			return false;
		for (i = 1; i < name.n; i++)
			buf_char(b, name.s[i] == '/' ? '.' : name.s[i]);
	}
	while (deep--)
		buf_str(b, STR("[]"));
	return true;
}

/* Appends "(long, java.lang.String[])" for the descriptor "(J[Ljava/lang/String;)V"; nothing if it
 * is malformed. */
static void
put_arguments(struct buf *b, struct str descriptor)
{
	size_t was = b->n;
	bool more = false;

	if (!str_starts(descriptor, STR("(")))
		return;
	buf_char(b, '(');
	descriptor = str_from(descriptor, 1);
	for (; descriptor.n && *descriptor.s != ')'; more = true) {
		if (more)
			buf_str(b, STR(", "));
		if (!put_type(b, &descriptor)) {
			b->n = was;
			return;
		}
	}
	buf_char(b, ')');
}

/* Appends "byte[]" or "java.lang.String" for the symbol "[B" or "java/lang/String". */
static void
put_class(struct buf *b, struct str symbol)
{
	size_t was = b->n, i;

	if (str_starts(symbol, STR("["))) {
		if (put_type(b, &symbol) && !symbol.n)
			return;
		b->n = was;
	}
	for (i = 0; i < symbol.n; i++)
		buf_char(b, symbol.s[i] == '/' ? '.' : symbol.s[i]);
}

static unsigned
kind_of(const struct collapse *c, enum jfr_code code)
{
	switch (code) {
	case JFR_KERNEL: return COLLAPSE_KERNEL;
	case JFR_COMPILED: return COLLAPSE_JIT;
	/* Whether a method is inlined varies from sample to sample. */
	case JFR_INLINED:
		return collapse_options(c)->inlined ? COLLAPSE_INLINED : COLLAPSE_JIT;
	default: return 0;
	}
}

uint32_t
jfr_names_frame(struct collapse *c, struct buf *scratch, const struct jfr_method *m)
{
	buf_clear(scratch);
	buf_str(scratch, m->of_class);
	if (m->of_class.n && m->name.n)
		buf_char(scratch, '.');
	buf_str(scratch, m->name);
	if (!scratch->n)
		buf_str(scratch, STR("[unknown]"));
	if (collapse_options(c)->full_names)
		put_arguments(scratch, m->descriptor);
	if (m->line)
		buf_fmt(scratch, ":%" PRIu64, m->line);
	return collapse_frame(c, buf_view(scratch), kind_of(c, m->code));
}

uint32_t
jfr_names_class(struct collapse *c, struct buf *scratch, struct str symbol)
{
	buf_clear(scratch);
	put_class(scratch, symbol);
	return collapse_frame(c, buf_view(scratch), 0);
}
