/* SPDX-License-Identifier: ISC */
/*
 * The kind of code of a frame, from its name alone. Each function classifies for one language.
 *
 * The signs are those of flamegraph.pl and inferno. Where these two disagree, the annotation
 * (_[k] and the like) decides, since its writer knew the code, and a plain path or library name
 * is not a class name.
 */
#ifndef LANGUAGE_H
#define LANGUAGE_H

#include "str.h"

enum language_java {
	LANGUAGE_JAVA,
	LANGUAGE_JAVA_INLINED,
	LANGUAGE_JAVA_CXX,
	LANGUAGE_JAVA_KERNEL,
	LANGUAGE_JAVA_NATIVE
};
unsigned language_java(struct str name);

enum language_js {
	LANGUAGE_JS,
	LANGUAGE_JS_BUILTIN,
	LANGUAGE_JS_MODULE,
	LANGUAGE_JS_CXX,
	LANGUAGE_JS_KERNEL,
	LANGUAGE_JS_NATIVE
};
unsigned language_js(struct str name);

enum language_perl {
	LANGUAGE_PERL,
	LANGUAGE_PERL_CXX,
	LANGUAGE_PERL_KERNEL,
	LANGUAGE_PERL_NATIVE
};
unsigned language_perl(struct str name);

enum language_python {
	LANGUAGE_PYTHON,
	LANGUAGE_PYTHON_PACKAGE,
	LANGUAGE_PYTHON_LIBRARY
};
unsigned language_python(struct str name);

enum language_rust { LANGUAGE_RUST, LANGUAGE_RUST_LIBRARY, LANGUAGE_RUST_OTHER };
unsigned language_rust(struct str name);

enum language_chain { LANGUAGE_CHAIN_BLOCKED, LANGUAGE_CHAIN_WAKER };
unsigned language_chain(struct str name);

#endif
