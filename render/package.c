/* SPDX-License-Identifier: ISC */
/* Names to modules; see package.h. */
#include "package.h"
#include "mem.h"

#include <stdlib.h>

enum { PACKAGE_PARTS = 3 };

static bool
is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || str_is_digit(c) ||
		c == '_' || c == '-' || c == '$';
}

static struct str
head_word(struct str s)
{
	size_t n = 0;

	while (n < s.n && is_word(s.s[n]))
		n++;
	return str_head(s, n);
}

/* What follows PART in S; n is 0 when PART is not there. */
static struct str
after(struct str s, struct str part)
{
	return str_from(s, str_search(s, part) + part.n);
}

/* The package that a path goes through, behind the last of FOLDER. */
static struct str
package_in(struct str symbol, struct str folder)
{
	struct str rest = after(symbol, folder), more, package, scoped;

	while ((more = after(rest, folder)).n)
		rest = more;
	if (rest.n && rest.s[0] == '@') {
		scoped = str_from(rest, 1 + str_find(str_from(rest, 1), '/') + 1);
		package = head_word(scoped);
		return (struct str){ rest.s, (size_t)(package.s + package.n - rest.s) };
	}
	return head_word(rest);
}

/* The file, or the folder of the file, in "f (/a/b/c.js:1:2)". */
static struct str
folder_of(struct str symbol)
{
	size_t slash = str_rfind(symbol, '/'), begin;
	struct str path;

	if (slash == symbol.n) {
		begin = str_rfind(str_head(symbol, str_rfind(symbol, '.')), ' ');
		path = begin < str_rfind(symbol, '.') ? str_from(symbol, begin + 1)
						      : symbol;
		path = str_from(path, path.n && path.s[0] == '(');
		return str_head(path, str_find(path, ':'));
	}
	path = str_head(symbol, slash);
	begin = str_rfind(path, '/');
	path = begin < path.n ? str_from(path, begin + 1) : path;
	begin = str_rfind(path, '(');
	return begin < path.n ? str_from(path, begin + 1) : path;
}

/* "org.a.b" of "org/a/b/C.f" and "org.a.b.C.f": what stands before the class, in
 * its own spelling. */
static struct str
java_package(struct str symbol)
{
	size_t end = 0, i = 0, parts = 0;

	if (symbol.n && symbol.s[0] == 'L' && str_find(symbol, '/') < symbol.n)
		symbol = str_from(symbol, 1);
	while (parts < PACKAGE_PARTS && i < symbol.n && symbol.s[i] >= 'a' &&
		symbol.s[i] <= 'z') {
		while (i < symbol.n && is_word(symbol.s[i]))
			i++;
		if (i == symbol.n || (symbol.s[i] != '.' && symbol.s[i] != '/'))
			break;
		end = i++;
		parts++;
	}
	return str_head(symbol, end);
}

static struct str
script_module(struct str symbol)
{
	static const struct str folders[] = { { "node_modules/", 13 },
		{ "site-packages/", 14 }, { "dist-packages/", 14 } };
	struct str package;
	size_t i;

	for (i = 0; i < sizeof folders / sizeof folders[0]; i++) {
		package = package_in(symbol, folders[i]);
		if (package.n)
			return package;
	}
	if (str_starts(symbol, STR("Builtin")))
		return STR("built in");
	if (str_search(symbol, STR("node:")) < symbol.n)
		return STR("node");
	if (str_starts(symbol, STR("<frozen ")))
		return head_word(str_from(symbol, 8));
	package = head_word(after(after(symbol, STR("/lib/python")), STR("/")));
	if (package.n)
		return package;
	if (str_find(symbol, ':') < symbol.n && str_find(symbol, '.') < symbol.n &&
		str_search(symbol, STR(":::")) == symbol.n)
		return folder_of(symbol);
	return java_package(symbol);
}

/* The first part of a mangled name: "_ZN4core3ptr" -> "core". */
static struct str
mangled_module(struct str symbol)
{
	struct str rest = str_from(symbol, 3);
	uint64_t n = 0;

	if (!str_starts(symbol, STR("_ZN")))
		return str_starts(symbol, STR("_ZSt")) ? STR("std") : STR("");
	if (str_starts(rest, STR("K")))
		rest = str_from(rest, 1);
	if (str_starts(rest, STR("St")))
		return STR("std");
	for (; rest.n && str_is_digit(rest.s[0]) && n < symbol.n;
		rest = str_from(rest, 1))
		n = 10 * n + (uint64_t)(rest.s[0] - '0');
	rest = n <= rest.n ? str_head(rest, (size_t)n) : STR("");
	if (str_starts(rest, STR("_$LT$")))
		rest = head_word(str_from(rest, 5));
	return head_word(rest);
}

/* The crate that a path begins with, or that of the type that it is about. */
static struct str
rust_module(struct str symbol)
{
	static const struct str marks[] = { { "<", 1 }, { "&", 1 }, { "mut ", 4 },
		{ "dyn ", 4 }, { "*const ", 7 }, { "*mut ", 5 }, { "_<", 2 },
		{ "_$LT$", 5 }, { "$LT$", 4 }, { "(", 1 }, { "[", 1 }, { "impl ", 5 } };
	size_t i;

	if (str_starts(symbol, STR("_ZN")))
		return mangled_module(symbol);
	for (i = 0; i < sizeof marks / sizeof marks[0]; i++)
		if (str_starts(symbol, marks[i])) {
			symbol = str_from(symbol, marks[i].n);
			i = (size_t)-1;
		}
	for (i = 0; i < symbol.n && is_word(symbol.s[i]) && symbol.s[i] != '$';)
		i++;
	if (!str_starts(str_from(symbol, i), STR("::")) &&
		!str_starts(str_from(symbol, i), STR("..")))
		return STR("");
	return str_head(symbol, i);
}

/* "a.org/b/c" of "a.org/b/c.(*T).M". */
static struct str
go_module(struct str symbol)
{
	size_t slash = str_rfind(str_head(symbol, str_find(symbol, '(')), '/'), dot;

	slash = slash < symbol.n && symbol.s[slash] == '/' ? slash + 1 : 0;
	dot = str_find(str_from(symbol, slash), '.');
	return str_head(symbol, slash + dot < symbol.n ? slash + dot : 0);
}

static struct str
cxx_module(struct str symbol)
{
	struct str space = origin_namespace(symbol);

	if (str_starts(symbol, STR("_Z")))
		return mangled_module(symbol);
	return space.n ? space : STR("");
}

struct str
package_of(struct str name, enum origin origin)
{
	struct str symbol = origin_symbol(name), module = STR("");
	size_t tick = str_find(name, '`');

	if (origin == ORIGIN_KERNEL)
		return STR("kernel");
	if (tick > 0 && tick < name.n)
		return str_base(str_head(name, tick));
	if (origin == ORIGIN_UNKNOWN)
		return module;
	if (symbol.n > 2 && symbol.s[0] == '[' && symbol.s[symbol.n - 1] == ']')
		return str_base((struct str){ symbol.s + 1, symbol.n - 2 });
	if (origin == ORIGIN_SCRIPT)
		module = script_module(symbol);
	else if (origin == ORIGIN_RUST)
		module = rust_module(symbol);
	else if (origin == ORIGIN_GO)
		module = go_module(symbol);
	else if (origin == ORIGIN_CXX)
		module = cxx_module(symbol);
	return module;
}

struct weighed {
	uint64_t weight; /* in shares of 2^31 */
	struct str name;
	uint32_t id;
};

static int
compare_weighed(const void *va, const void *vb)
{
	const struct weighed *a = va, *b = vb;

	if (a->weight != b->weight)
		return a->weight < b->weight ? 1 : -1;
	return str_cmp(a->name, b->name);
}

/* Adds the totals of the frames at which modules are entered from others; MODULE is
 * that of each name. */
static void
weigh(struct weighed *w, const uint32_t *module, const struct origin_how *how,
	const struct tree *t)
{
	double share = 2147483648.0 / ((double)how->totals[TREE_ROOT] + 1);
	uint32_t i, parent, own;

	for (i = TREE_ROOT + 1; i < t->n; i++) {
		parent = t->nodes[i].parent;
		if (t->nodes[i].name == TREE_GAP)
			continue;
		own = module[t->nodes[i].name];
		if (parent == TREE_ROOT || module[t->nodes[parent].name] != own)
			w[own].weight += (uint64_t)((double)how->totals[i] * share);
	}
}

/* Lists the heaviest of W, which has N, and finds the names' places in the list. */
static void
choose(struct package_list *m, struct weighed *w, const uint32_t *module, uint32_t names)
{
	uint32_t i, n = m->all.n;
	unsigned char *place = mem_alloc(n);

	memset(place, PACKAGE_MOST, n);
	qsort(w, n, sizeof *w, compare_weighed);
	for (i = 0; i < n && m->n < PACKAGE_MOST; i++) {
		if (!w[i].name.n)
			continue;
		place[w[i].id] = (unsigned char)m->n;
		m->names[m->n++] = w[i].name;
	}
	for (i = 0; i < names; i++)
		m->of[i] = place[module[i]];
	free(place);
}

void
package_list_init(
	struct package_list *m, const struct origin_how *how, const struct tree *t)
{
	uint32_t *module = mem_resize(NULL, t->names.n, sizeof *module), i;
	unsigned char *origins = origin_of_names(how, t);
	struct weighed *w;

	*m = (struct package_list){ .of = mem_alloc(t->names.n) };
	for (i = 0; i < t->names.n; i++)
		module[i] = intern_id(&m->all,
			package_of(intern_str(&t->names, i), (enum origin)origins[i]));
	w = mem_zero(m->all.n, sizeof *w);
	for (i = 0; i < m->all.n; i++)
		w[i] = (struct weighed){ 0, intern_str(&m->all, i), i };
	weigh(w, module, how, t);
	choose(m, w, module, t->names.n);
	free(w);
	free(origins);
	free(module);
}

void
package_list_release(struct package_list *m)
{
	free(m->of);
	intern_release(&m->all);
}
