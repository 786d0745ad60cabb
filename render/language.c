/* SPDX-License-Identifier: ISC */
/* Kinds of code by name; see language.h. */
#include "language.h"
#include "frame.h"

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

static bool
has(struct str name, struct str part)
{
	return str_search(name, part) < name.n;
}

static bool
has_any(struct str name, const struct str *parts, size_t n)
{
	while (n > 0)
		if (has(name, parts[--n]))
			return true;
	return false;
}

/* Whether NAME begins with a common package of Java, as a path of the VM (Ljava/lang/) or with
 * dots. */
static bool
is_java_package(struct str name)
{
	static const struct str heads[] = { { "java", 4 }, { "javax", 5 }, { "jdk", 3 },
		{ "net", 3 }, { "org", 3 }, { "com", 3 }, { "io", 2 }, { "sun", 3 } };
	struct str rest = name, head;
	size_t i;

	if (str_starts(name, STR("L")))
		rest = str_from(name, 1);
	for (i = 0; i < COUNT(heads); i++) {
		head = heads[i];
		if (rest.n > head.n && str_starts(rest, head) &&
			(rest.s[head.n] == '/' || rest.s[head.n] == '.'))
			return true;
	}
	return false;
}

static bool
is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* A class and its method: begins with a letter and has a separator. Libraries, and functions
 * cloned by C compilers, have dots as well. */
static bool
is_java_method(struct str name)
{
	if (!name.n || !is_letter(name.s[0]) || has(name, STR(".so")) ||
		frame_find_suffix(name, FRAME_CLONE | FRAME_SPLIT) < name.n)
		return false;
	return (name.s[0] >= 'A' && name.s[0] <= 'Z') || has(name, STR("/")) ||
		has(name, STR("."));
}

static bool
is_cxx(struct str name)
{
	return has(name, STR("::")) || str_starts(name, STR("-[")) ||
		str_starts(name, STR("+["));
}

unsigned
language_java(struct str name)
{
	switch (frame_annotation(name)) {
	case 'k': return LANGUAGE_JAVA_KERNEL;
	case 'i': return LANGUAGE_JAVA_INLINED;
	case 'j': return LANGUAGE_JAVA;
	default: break;
	}
	/* perf's inlined chains of Java write "a:::b" */
	if (has(name, STR(":::")))
		return LANGUAGE_JAVA;
	if (is_cxx(name))
		return LANGUAGE_JAVA_CXX;
	return is_java_package(name) || is_java_method(name) ? LANGUAGE_JAVA
							     : LANGUAGE_JAVA_NATIVE;
}

/* A script file after a path: the suffix in any case. */
static bool
is_script(struct str name)
{
	static const struct str suffixes[] = { { ".js", 3 }, { ".mjs", 4 }, { ".cjs", 4 },
		{ ".ts", 3 } };

	return has_any(str_from(name, str_find(name, '/')), suffixes, COUNT(suffixes));
}

unsigned
language_js(struct str name)
{
	char annotation = frame_annotation(name);

	if (annotation == 'k')
		return LANGUAGE_JS_KERNEL;
	if (has(name, STR("node_modules/")))
		return LANGUAGE_JS_MODULE;
	if (annotation == 'j')
		return has(name, STR("/")) ? LANGUAGE_JS : LANGUAGE_JS_BUILTIN;
	if (is_cxx(name))
		return LANGUAGE_JS_CXX;
	if (is_script(name) || str_eq(name, STR(" ")))
		return LANGUAGE_JS;
	return has(name, STR(":")) ? LANGUAGE_JS_BUILTIN : LANGUAGE_JS_NATIVE;
}

unsigned
language_perl(struct str name)
{
	if (frame_annotation(name) == 'k')
		return LANGUAGE_PERL_KERNEL;
	if (has(name, STR("Perl")) || has(name, STR(".pl")))
		return LANGUAGE_PERL;
	return has(name, STR("::")) ? LANGUAGE_PERL_CXX : LANGUAGE_PERL_NATIVE;
}

unsigned
language_python(struct str name)
{
	static const struct str library[] = { { "/lib/python", 11 }, { "/python3", 8 },
		{ "\\lib\\", 5 }, { "\\Lib\\", 5 }, { "<built-in", 9 }, { "<method", 7 },
		{ "<frozen", 7 } };

	if (has(name, STR("site-packages")) || has(name, STR("dist-packages")))
		return LANGUAGE_PYTHON_PACKAGE;
	return has_any(name, library, COUNT(library)) ? LANGUAGE_PYTHON_LIBRARY
						      : LANGUAGE_PYTHON;
}

unsigned
language_rust(struct str name)
{
	static const struct str crates[] = { { "core::", 6 }, { "std::", 5 },
		{ "alloc::", 7 } };
	struct str rest = frame_cut_module(name);
	size_t i;

	if (str_starts(rest, STR("<")))
		rest = str_from(rest, 1);
	for (i = 0; i < COUNT(crates); i++)
		if (str_starts(rest, crates[i]))
			return LANGUAGE_RUST_LIBRARY;
	return has(name, STR("::")) ? LANGUAGE_RUST : LANGUAGE_RUST_OTHER;
}

unsigned
language_chain(struct str name)
{
	return frame_annotation(name) == 'w' ? LANGUAGE_CHAIN_WAKER
					     : LANGUAGE_CHAIN_BLOCKED;
}
