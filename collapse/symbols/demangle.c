/* SPDX-License-Identifier: ISC */
/*
 * Demangling; see demangle.h.
 *
 *	_ZN3app5outerEi.isra.0		app::outer
 *	_ZN4core3ptr4read17h0123456789abcdefE	core::ptr::read
 *	_RNvC5hello4main		hello::main
 *	_D3std5stdio7writelnFZv		std.stdio.writeln
 *	camlStdlib__List__map_42	Stdlib.List.map_42
 *	_ZNSolsEi@plt			std::ostream::operator<<@plt
 *
 * This calls only functions of libiberty whose files have the exception for linking:
 * cplus_demangle_v3_callback (cp-demangle.c), rust_demangle_callback (rust-demangle.c)
 * and dlang_demangle (d-demangle.c); not cplus_demangle, which chooses among these and
 * others, and lacks the exception. Its order is kept: old Rust names are C++ names too,
 * so Rust is first.
 *
 * Back references let a short name stand for 2^n bytes. libiberty limits its depth, not
 * its output, so output stops after OUT_MAX bytes, when the two callbacks hold no
 * memory. The D demangler returns all output at once, so its references ('Q') are
 * counted beforehand.
 */
#include "demangle.h"
#include "frame.h"

#if HAVE_DEMANGLE
/* Its include guard has the name of ours. */
#undef DEMANGLE_H
#include <libiberty/demangle.h>
#include <setjmp.h>
#endif

enum { IN_MAX = 64 * 1024 };

#if HAVE_DEMANGLE
enum { OUT_MAX = 64 * 1024 };

/* The output so far. */
struct catch
{
	struct buf *to;
	size_t most;
	jmp_buf too_long;
};

static void
catch_text(const char *text, size_t n, void *context)
{
	struct catch *c = context;

	if (n > c->most - c->to->n)
		longjmp(c->too_long, 1);
	buf_str(c->to, (struct str){ text, n });
}

typedef int demangle_callback(const char *, int, demangle_callbackref, void *);

/* Appends NAME demangled by CALL. Returns false, possibly after adding something, if
 * CALL does not know it. */
static bool
run_callback(struct buf *b, const char *name, demangle_callback *call, int options)
{
	struct catch c = { .to = b, .most = b->n + OUT_MAX };

	if (setjmp(c.too_long))
		return false;
	return call(name, options, catch_text, &c) != 0;
}

static bool
demangle_d(struct buf *b, const char *name)
{
	enum { NAME_MAX_BYTES = 2048, REFERENCES = 24 };
	size_t references = 0, i;
	char *text;

	for (i = 0; name[i]; i++)
		references += name[i] == 'Q';
	if (i > NAME_MAX_BYTES || references > REFERENCES)
		return false;
	text = dlang_demangle(name, DMGL_DLANG);
	if (!text)
		return false;
	buf_str(b, str_of(text));
	free(text);
	return true;
}

/* Appends NAME demangled. May have added something if it returns false. */
static bool
demangle_library(struct buf *b, const char *name, bool full)
{
	const int options = full ? DMGL_PARAMS | DMGL_ANSI : DMGL_NO_OPTS;
	size_t was = b->n;

	if (name[0] != '_')
		return false;
	if (name[1] == 'D')
		return demangle_d(b, name);
	if (run_callback(b, name, rust_demangle_callback, options))
		return true;
	b->n = was;
	return run_callback(b, name, cplus_demangle_v3_callback, options);
}
#else
static bool
demangle_library(struct buf *b, const char *name, bool full)
{
	(void)b, (void)name, (void)full;
	return false;
}
#endif

bool
demangle_works(void)
{
	return HAVE_DEMANGLE;
}

/* Demangles OCaml's "camlModule__function_1": "__" is a dot, "$3e" a byte. */
static bool
demangle_ocaml(struct buf *b, struct str name)
{
	struct str rest = str_from(name, strlen("caml"));
	uint64_t byte;

	if (!str_starts(name, STR("caml")) || !rest.n || rest.s[0] < 'A' ||
		rest.s[0] > 'Z')
		return false;
	while (rest.n)
		if (str_starts(rest, STR("__"))) {
			buf_char(b, '.');
			rest = str_from(rest, 2);
		} else if (rest.n > 2 && rest.s[0] == '$' && str_is_hex(rest.s[1]) &&
			str_is_hex(rest.s[2]) &&
			str_hex_to_u64(str_head(str_from(rest, 1), 2), &byte)) {
			buf_char(b, (char)byte);
			rest = str_from(rest, 3);
		} else {
			buf_char(b, rest.s[0]);
			rest = str_from(rest, 1);
		}
	return true;
}

/* Appends NAME demangled, as perf does or FULL. */
static bool
demangle_raw(struct buf *b, struct str name, bool full)
{
	struct str plt = STR("@plt"), base = name;
	struct buf copy = { 0 };
	size_t was = b->n;
	bool done;

	if (name.n < 2 || name.n > IN_MAX || (name.s[0] != '_' && name.s[0] != 'c'))
		return false;
	/* Versions ("@@GLIBCXX_3.4") are dropped. */
	if (name.s[0] == '_')
		base = frame_cut_version(name);
	buf_str(&copy, base);
	done = demangle_library(b, buf_cstr(&copy), full) && b->n > was;
	buf_release(&copy);
	if (!done) {
		b->n = was;
		return demangle_ocaml(b, name);
	}
	if (str_ends(name, plt))
		buf_str(b, plt);
	return true;
}

bool
demangle_as_perf(struct buf *b, struct str name)
{
	return demangle_raw(b, name, false);
}

bool
demangle(struct buf *b, struct str name, bool full)
{
	struct buf raw = { 0 };
	size_t was = b->n;

	if (full)
		return demangle_raw(b, name, true);
	if (!demangle_raw(&raw, name, false)) {
		buf_release(&raw);
		return false;
	}
	frame_put_rust(b, buf_view(&raw));
	buf_release(&raw);
	b->n = was + frame_cut_arguments(str_from(buf_view(b), was)).n;
	return true;
}
