/* SPDX-License-Identifier: ISC */
/*
 * What sort of code a frame is, told from its name alone. Each function
 * answers for one language with one of its enum.
 *
 * The signs are those that flamegraph.pl and inferno go by. Where these two
 * disagree the annotation (_[k] and the like) counts first, since whoever
 * wrote it knew, and a plain path or library name is no class name.
 */
#ifndef KIND_H
#define KIND_H

#include "str.h"

enum kind_java {
	KIND_JAVA,
	KIND_JAVA_INLINED,
	KIND_JAVA_CXX,
	KIND_JAVA_KERNEL,
	KIND_JAVA_NATIVE
};
unsigned kind_java(struct str name);

enum kind_js {
	KIND_JS,
	KIND_JS_BUILTIN,
	KIND_JS_MODULE,
	KIND_JS_CXX,
	KIND_JS_KERNEL,
	KIND_JS_NATIVE
};
unsigned kind_js(struct str name);

enum kind_perl { KIND_PERL, KIND_PERL_CXX, KIND_PERL_KERNEL, KIND_PERL_NATIVE };
unsigned kind_perl(struct str name);

enum kind_python { KIND_PYTHON, KIND_PYTHON_PACKAGE, KIND_PYTHON_LIBRARY };
unsigned kind_python(struct str name);

enum kind_rust { KIND_RUST, KIND_RUST_LIBRARY, KIND_RUST_OTHER };
unsigned kind_rust(struct str name);

enum kind_chain { KIND_CHAIN_BLOCKED, KIND_CHAIN_WAKER };
unsigned kind_chain(struct str name);

#endif
