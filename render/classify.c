/* SPDX-License-Identifier: ISC */
/*
 * Where code comes from; see classify.h. The spelling of a name decides first: most names are
 * plain identifiers, so one pass over the bytes finds the special characters. The other names
 * of the profile decide next, then modules.
 */
#include "classify.h"
#include "frame.h"
#include "mem.h"

#include <stdlib.h>

/* The bytes of a name other than letters, digits and '_'. */
enum {
	HAS_COLON = 1,	/* : */
	HAS_DOT = 2,	/* . */
	HAS_SLASH = 4,	/* / */
	HAS_ANGLE = 8,	/* < > */
	HAS_PAREN = 16, /* ( ) ~ */
	HAS_SQUARE = 32,
	HAS_TICK = 64,
	HAS_OTHER = 128
};

static const uint8_t BYTES[256] = { [':'] = HAS_COLON,
	['.'] = HAS_DOT,
	['/'] = HAS_SLASH,
	['<'] = HAS_ANGLE,
	['>'] = HAS_ANGLE,
	['('] = HAS_PAREN,
	[')'] = HAS_PAREN,
	['~'] = HAS_PAREN,
	['['] = HAS_SQUARE,
	[']'] = HAS_SQUARE,
	['`'] = HAS_TICK,
	[' '] = HAS_OTHER,
	['#'] = HAS_OTHER,
	['$'] = HAS_OTHER,
	['{'] = HAS_OTHER,
	['?'] = HAS_OTHER,
	['-'] = HAS_OTHER,
	['+'] = HAS_OTHER };

#define LIST(name) static const struct str name[]
#define IN(list)   (list), sizeof(list) / sizeof(list)[0]
#define TEXT(literal)                        \
	{                                    \
		literal, sizeof(literal) - 1 \
	}

static unsigned
look_at(struct str name)
{
	unsigned has = 0;
	size_t i;

	for (i = 0; i < name.n; i++)
		has |= BYTES[(unsigned char)name.s[i]];
	return has;
}

static bool
has_any(struct str name, const struct str *parts, size_t n)
{
	while (n-- > 0)
		if (str_search(name, parts[n]) < name.n)
			return true;
	return false;
}

static bool
starts_any(struct str name, const struct str *heads, size_t n)
{
	while (n-- > 0)
		if (name.n && name.s[0] == heads[n].s[0] && str_starts(name, heads[n]))
			return true;
	return false;
}

static bool
is_any(struct str name, const struct str *names, size_t n)
{
	while (n-- > 0)
		if (str_eq(name, names[n]))
			return true;
	return false;
}

static bool
is_lower(char c)
{
	return c >= 'a' && c <= 'z';
}

static bool
is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

static bool
is_letter(char c)
{
	return is_lower(c) || is_upper(c);
}

static bool
is_identifier(char c)
{
	return is_letter(c) || str_is_digit(c) || c == '_';
}

static bool
is_hex(struct str s)
{
	uint64_t value;

	return str_hex_to_u64(s, &value);
}

/* Modules in brackets, as perf and fg-collapse call code without a symbol. */
static unsigned
module_sign(struct str name)
{
	LIST(kernel) = { TEXT("[kernel"), TEXT("guest.kernel"), TEXT("vmlinux"),
		TEXT(".ko]"), TEXT("mach_kernel") };
	LIST(generated) = { TEXT("[perf-"), TEXT("[JIT]"), TEXT("[jit]"), TEXT("[anon:"),
		TEXT("[jitted-") };
	LIST(unknown) = { TEXT("[unknown]"), TEXT("[anon]"), TEXT("[heap]"),
		TEXT("[stack]"), TEXT("[//anon]"), TEXT("[[unknown]]"), TEXT("[broken]"),
		TEXT("[truncated]"), TEXT("[elided]") };

	if (has_any(name, IN(kernel)))
		return CLASSIFY_KERNEL;
	if (has_any(name, IN(generated)))
		return CLASSIFY_SCRIPT;
	return is_any(name, IN(unknown)) ? CLASSIFY_UNKNOWN : CLASSIFY_NATIVE;
}

static bool
is_unknown(struct str symbol)
{
	LIST(names) = { TEXT("unknown"), TEXT("(unknown)"), TEXT("<unknown>"), TEXT("??"),
		TEXT("???"), TEXT("//anon") };
	uint64_t address;

	return !symbol.n || frame_is_address(symbol, &address) ||
		is_any(symbol, IN(names)) ||
		(symbol.n >= 8 && str_is_digit(symbol.s[0]) && is_hex(symbol));
}

/* A file of an interpreted language, at the end of the name or before a line: "main
 * (app.py:3)". */
static bool
has_script_file(struct str symbol)
{
	LIST(suffixes) = { TEXT("js"), TEXT("mjs"), TEXT("cjs"), TEXT("ts"), TEXT("tsx"),
		TEXT("jsx"), TEXT("py"), TEXT("pyx"), TEXT("rb"), TEXT("php"), TEXT("pl"),
		TEXT("pm"), TEXT("lua"), TEXT("java"), TEXT("scala"), TEXT("kt"),
		TEXT("groovy"), TEXT("clj"), TEXT("ex"), TEXT("exs"), TEXT("erl") };
	struct str rest = symbol, suffix;
	size_t n, dot;

	while ((dot = str_find(rest, '.')) < rest.n) {
		rest = str_from(rest, dot + 1);
		for (n = 0; n < rest.n && is_lower(rest.s[n]);)
			n++;
		suffix = str_head(rest, n);
		if (is_any(suffix, IN(suffixes)) &&
			(n == rest.n || str_find(STR(": )"), rest.s[n]) < 3))
			return true;
	}
	return false;
}

/* Ruby's "A#b". */
static bool
is_method(struct str symbol)
{
	size_t at = str_find(symbol, '#');

	return at > 0 && at + 1 < symbol.n && symbol.s[at - 1] != '{' &&
		!has_any(symbol, &STR("::{"), 1) && is_lower(symbol.s[at + 1]);
}

/* "a/b/C" of "La/b/C", as the virtual machine spells the type of an object. */
static struct str
without_type(struct str symbol)
{
	return str_starts(symbol, STR("L")) ? str_from(symbol, 1) : symbol;
}

/* A class in its packages: "io/netty/channel/Channel.read". */
static bool
is_class_path(struct str symbol)
{
	size_t slash;

	while ((slash = str_find(symbol, '/')) < symbol.n) {
		if (!is_lower(symbol.s[0]) ||
			str_find(str_head(symbol, slash), '.') < slash)
			return false;
		symbol = str_from(symbol, slash + 1);
	}
	return symbol.n && is_upper(symbol.s[0]);
}

static bool
is_script(struct str symbol, unsigned has)
{
	LIST(heads) = { TEXT("JS:"), TEXT("LazyCompile:"), TEXT("Function:"),
		TEXT("Script:"), TEXT("Eval:"), TEXT("RegExp:"), TEXT("Builtin:"),
		TEXT("BytecodeHandler:"), TEXT("Stub:"), TEXT("py::"),
		TEXT("node:internal/"), TEXT("block in ") };
	LIST(parts) = { TEXT("://"), TEXT(":::"), TEXT(" node:"), TEXT("(node:"),
		TEXT("[PreJIT]"), TEXT("[Optimized"), TEXT("[QuickJitted"),
		TEXT("[Tier") };
	LIST(java) = { TEXT("java/"), TEXT("javax/"), TEXT("jdk/"), TEXT("sun/"),
		TEXT("org/"), TEXT("com/"), TEXT("java."), TEXT("javax."), TEXT("jdk."),
		TEXT("sun.") };
	LIST(machine) = { TEXT("Interpreter"), TEXT("call_stub"), TEXT("vtable stub"),
		TEXT("itable stub"), TEXT("I2C/C2I adapters") };

	if (starts_any(symbol, IN(machine)) || str_starts(symbol, STR("Builtins_")))
		return true;
	if (!has)
		return false;
	if (has & HAS_DOT && has_script_file(symbol))
		return true;
	if (starts_any(symbol, IN(heads)) || has_any(symbol, IN(parts)) ||
		starts_any(without_type(symbol), IN(java)) ||
		(has & HAS_SLASH && is_class_path(without_type(symbol))))
		return true;
	if (str_starts(symbol, STR("<")))
		return !has_any(symbol, &STR("::"), 1);
	if (str_starts(symbol, STR("(")))
		return !str_starts(symbol, STR("(anonymous namespace)"));
	return is_method(symbol);
}

/* Rust's older mangling is C++'s with a hash as the last part. */
static bool
has_mangled_hash(struct str s)
{
	enum { DIGITS = 16, HASH = 3 + DIGITS + 1 };
	struct str hash = str_from(s, s.n < HASH ? 0 : s.n - HASH);

	return hash.n == HASH && str_starts(hash, STR("17h")) &&
		is_hex(str_head(str_from(hash, 3), DIGITS));
}

static bool
is_rust(struct str symbol)
{
	LIST(parts) = { TEXT("{{"), TEXT("{closure#"), TEXT("{impl#"), TEXT("{shim:"),
		TEXT("<impl "), TEXT("$LT$"), TEXT("$u20$"), TEXT(" as "), TEXT("dyn "),
		TEXT("&mut "), TEXT("&str"), TEXT("<u8>"), TEXT("[u8]") };
	LIST(heads) = { TEXT("std::rt::"), TEXT("std::sys"), TEXT("std::io::"),
		TEXT("std::fs::"), TEXT("std::panick"), TEXT("std::collections::"),
		TEXT("std::path::"), TEXT("std::env::"), TEXT("std::backtrace"),
		TEXT("std::thread::local"), TEXT("std::time::") };

	if (str_starts(symbol, STR("_Z")))
		return has_mangled_hash(symbol);
	return frame_has_hash(symbol) || str_starts(symbol, STR("<")) ||
		str_starts(symbol, STR("_RN")) || str_starts(symbol, STR("_RI")) ||
		starts_any(symbol, IN(heads)) || has_any(symbol, IN(parts));
}

static bool
is_cxx(struct str symbol)
{
	LIST(parts) = { TEXT("(anonymous"), TEXT("operator"), TEXT("::~"),
		TEXT("{lambda"), TEXT("{unnamed"), TEXT("'lambda"), TEXT("unsigned "),
		TEXT(" const"), TEXT("std::__"), TEXT("__gnu_cxx::"), TEXT("> >"),
		TEXT("vtable for "), TEXT("typeinfo for "), TEXT("thunk to "),
		TEXT("[abi:"), TEXT("-["), TEXT("+[") };
	size_t open = str_find(symbol, '('), angle = str_find(symbol, '<');

	if (has_any(symbol, IN(parts)))
		return true;
	/* a list of parameters, not a place: "main (file:3)" */
	if (open > 0 && open < symbol.n && symbol.s[open - 1] != ' ' &&
		str_ends(symbol, STR(")")))
		return true;
	return angle > 0 && angle < symbol.n && str_search(symbol, STR("::")) > angle;
}

/* Whether NAME has inner dots other than those added by C compilers and linkers. */
static bool
is_dotted(struct str symbol)
{
	LIST(files) = { TEXT("so"), TEXT("ko"), TEXT("exe"), TEXT("dll"), TEXT("dylib") };
	struct str rest = symbol, part;

	if (!symbol.n || !is_letter(symbol.s[0]) ||
		frame_cut_version(symbol).n < symbol.n)
		return false;
	str_cut(&rest, '.');
	part = str_cut(&rest, '.');
	return part.n && !str_is_digit(part.s[0]) && !frame_is_suffix(part) &&
		!is_any(part, IN(files));
}

/* Go's methods and closures, and the roots of its scheduler. */
static bool
is_go(struct str symbol)
{
	LIST(names) = { TEXT("runtime.goexit"), TEXT("runtime.main"),
		TEXT("runtime.mcall"), TEXT("runtime.mstart"), TEXT("runtime.morestack"),
		TEXT("runtime.systemstack"), TEXT("runtime.mallocgc"),
		TEXT("runtime.gcBgMarkWorker"), TEXT("main.main"),
		TEXT("runtime.goexit.abi0"), TEXT("runtime.mstart.abi0") };
	LIST(parts) = { TEXT(".(*"), TEXT("[go.shape."), TEXT("type:."), TEXT("type..") };

	return is_any(symbol, IN(names)) || has_any(symbol, IN(parts));
}

/* Classifies a symbol with more than letters in it. */
static unsigned
special_sign(struct str symbol, unsigned has)
{
	if (has & HAS_DOT && !(has & HAS_COLON) && is_go(symbol))
		return CLASSIFY_GO;
	if (is_script(symbol, has))
		return CLASSIFY_SCRIPT;
	if (is_rust(symbol))
		return CLASSIFY_RUST;
	if (has & ~(unsigned)(HAS_DOT | HAS_SLASH) && is_cxx(symbol))
		return CLASSIFY_CXX;
	if (str_starts(symbol, STR("core::")) || str_starts(symbol, STR("alloc::")))
		return CLASSIFY_RUST;
	if (has & HAS_COLON && str_search(symbol, STR("::")) < symbol.n)
		return CLASSIFY_SIGN_PATH;
	return has & HAS_DOT && is_dotted(symbol) ? CLASSIFY_SIGN_DOTS : CLASSIFY_NATIVE;
}

/* The language of the file of P; 0 if not specific to one language. */
static unsigned
place_sign(const struct frame_place *p)
{
	if (str_ends(p->file, STR(".rs")))
		return CLASSIFY_RUST;
	return str_ends(p->file, STR(".go")) ? CLASSIFY_GO : 0;
}

unsigned
classify_name(struct str name)
{
	LIST(kernel) = { TEXT("kernel"), TEXT("unix"), TEXT("genunix"),
		TEXT("mach_kernel"), TEXT("vmlinux"), TEXT("kernel.kallsyms") };
	struct str symbol = frame_cut_code(frame_bare(name)), module;
	char annotation = frame_annotation(name);
	unsigned has = look_at(symbol);
	struct frame_place place;

	if (annotation == 'k')
		return CLASSIFY_KERNEL;
	if (annotation == 'j')
		return CLASSIFY_SCRIPT;
	if (has & HAS_COLON && frame_find_place(symbol, &place) &&
		!has_script_file(place.file)) {
		if (place_sign(&place))
			return place_sign(&place);
		symbol = place.name;
		has = look_at(symbol);
	}
	if (has & HAS_TICK) {
		module = frame_module(symbol);
		symbol = frame_symbol(symbol);
		if (is_any(module, IN(kernel)))
			return CLASSIFY_KERNEL;
	}
	if (has & HAS_SQUARE && frame_in_brackets(symbol).n)
		return module_sign(symbol);
	if (is_unknown(symbol))
		return CLASSIFY_UNKNOWN;
	if (frame_enters_kernel(symbol))
		return CLASSIFY_KERNEL;
	if (str_starts(symbol, STR("_Z")) && !has)
		return is_rust(symbol) ? CLASSIFY_RUST : CLASSIFY_CXX;
	if (!has)
		return is_script(symbol, 0) ? CLASSIFY_SCRIPT
			: str_starts(symbol, STR("_RN")) || str_starts(symbol, STR("_RI"))
			? CLASSIFY_RUST
			: CLASSIFY_NATIVE;
	return special_sign(symbol, has);
}

/*
 * Ambiguous names are decided by their namesakes: C++ or Rust by the others of its namespace,
 * dots by whether there is any Go, and the kernel's plain names by their callers.
 */
/* The evidence from the names of a namespace. */
struct vote {
	uint32_t rust, cxx;
	uint32_t capitals; /* of functions; Rust's have none */
};

struct census {
	struct intern spaces;
	struct vote *votes; /* by namespace */
	size_t cap;
	struct vote all;
	uint32_t scripts,
		machine; /* names that only scripts, or only compiled code, can have */
	bool has_go;
};

struct str
classify_namespace(struct str symbol)
{
	size_t end = str_search(symbol, STR("::")), begin;

	if (end == symbol.n)
		return STR("");
	for (begin = end; begin > 0 && is_identifier(symbol.s[begin - 1]);)
		begin--;
	return (struct str){ symbol.s + begin, end - begin };
}

/* Whether the function, the last part of SYMBOL, has a capital. A truncated name may end in a
 * type, so this is weak evidence. */
static bool
has_capital(struct str symbol)
{
	size_t i = str_search(symbol, STR("<")), next;

	symbol = str_head(symbol, i);
	while ((next = str_search(symbol, STR("::"))) < symbol.n)
		symbol = str_from(symbol, next + 2);
	for (i = 0; i < symbol.n; i++)
		if (is_upper(symbol.s[i]))
			return true;
	return false;
}

static struct vote *
vote_of(struct census *c, struct str symbol)
{
	uint32_t n = c->spaces.n, id = intern_id(&c->spaces, classify_namespace(symbol));

	if (c->spaces.n > n) {
		c->votes = mem_grow(c->votes, &c->cap, c->spaces.n, sizeof *c->votes);
		c->votes[id] = (struct vote){ 0 };
	}
	return &c->votes[id];
}

/* Whether compiled code has such names: libraries, the kernel, the start of C programs. */
static bool
is_machine(struct str name, unsigned sign)
{
	LIST(starts) = { TEXT("_start"), TEXT("__libc_start"), TEXT("start_thread"),
		TEXT("clone"), TEXT("0x") };

	return sign == CLASSIFY_KERNEL || sign == CLASSIFY_CXX || sign == CLASSIFY_RUST ||
		sign == CLASSIFY_GO || frame_module(name).n ||
		frame_in_brackets(frame_bare(name)).n || starts_any(name, IN(starts));
}

/* Counts the evidence of NAME: dots, without Go, mean a script. */
static void
count_origin(struct census *c, struct str name, unsigned sign)
{
	c->scripts += sign == CLASSIFY_SCRIPT || sign == CLASSIFY_SIGN_DOTS;
	c->machine += is_machine(name, sign);
}

/* Whether so many of N names are of scripts, and none of compiled code, that plain names are of
 * scripts too. */
static bool
is_all_script(const struct census *c, uint32_t n)
{
	enum { PART = 20 };

	return !c->machine && (uint64_t)c->scripts * PART >= n && c->scripts;
}

static void
count_vote(struct census *c, struct str name, unsigned sign)
{
	struct str symbol = frame_symbol(name);
	bool rust = sign == CLASSIFY_RUST, cxx = sign == CLASSIFY_CXX;
	struct vote *vote;

	c->has_go |= sign == CLASSIFY_GO;
	if (!rust && !cxx && sign != CLASSIFY_SIGN_PATH)
		return;
	vote = vote_of(c, symbol);
	vote->rust += rust;
	vote->cxx += cxx;
	vote->capitals += sign == CLASSIFY_SIGN_PATH && has_capital(symbol);
	c->all.rust += rust;
	c->all.cxx += cxx;
}

/* Decides "a::b", valid in both languages: by its namespace, else by all names if they agree,
 * else by capitals. */
static enum classify_class
settle_path(struct census *c, struct str symbol)
{
	struct vote vote = *vote_of(c, symbol);

	if (vote.rust != vote.cxx)
		return vote.rust > vote.cxx ? CLASSIFY_RUST : CLASSIFY_CXX;
	if (c->all.rust && c->all.cxx && vote.capitals)
		return CLASSIFY_CXX;
	return c->all.rust > c->all.cxx ? CLASSIFY_RUST : CLASSIFY_CXX;
}

/* The class of NAME with the open SIGN, among the names of C. */
static enum classify_class
settle(struct census *c, struct str name, unsigned sign)
{
	if (sign == CLASSIFY_SIGN_PATH)
		return settle_path(c, frame_symbol(name));
	return c->has_go ? CLASSIFY_GO : CLASSIFY_SCRIPT;
}

/* The factor from a weight to its share of 2^31: sums of such shares are exact, whatever the
 * order of the stacks. */
static double
find_share(const struct classify_how *how)
{
	return 2147483648.0 / ((double)how->totals[TREE_ROOT] + 1);
}

/* The shares of a name, in the profile and in the kernel. */
struct place {
	uint64_t all, inside;
};

/* Marks the nodes that are called, however far down, by a frame that enters the kernel. In
 * REVERSED stacks callers are below: a mark then means that one of them enters the kernel. */
static void
mark_inside(const struct classify_how *how, const struct tree *t, const bool *entry,
	uint64_t *inside)
{
	uint32_t i, parent;

	for (i = TREE_ROOT + 1; i < t->n && !how->reversed; i++) {
		parent = t->nodes[i].parent;
		if (parent != TREE_ROOT && t->nodes[parent].name != TREE_GAP &&
			(inside[parent] || entry[t->nodes[parent].name]))
			inside[i] = how->totals[i];
	}
	for (i = t->n; i-- > TREE_ROOT + 1 && how->reversed;) {
		parent = t->nodes[i].parent;
		if (t->nodes[i].name == TREE_GAP)
			continue;
		inside[parent] += entry[t->nodes[i].name] ? how->totals[i] : inside[i];
	}
}

static struct place *
weigh_names(const struct classify_how *how, const struct tree *t, const bool *entry)
{
	struct place *places = mem_zero(t->names.n, sizeof *places);
	uint64_t *inside = mem_zero(t->n, sizeof *inside);
	double share = find_share(how);
	struct place *place;
	uint32_t i;

	mark_inside(how, t, entry, inside);
	for (i = TREE_ROOT + 1; i < t->n; i++) {
		if (t->nodes[i].name == TREE_GAP)
			continue;
		place = &places[t->nodes[i].name];
		place->all += (uint64_t)((double)how->totals[i] * share);
		place->inside += (uint64_t)((double)inside[i] * share);
	}
	free(inside);
	return places;
}

/* Assigns plain names to the kernel that are mostly called there. */
static void
find_kernel(const struct classify_how *how, const struct tree *t, unsigned char *classes)
{
	bool *entry = mem_zero(t->names.n, sizeof *entry), any = false;
	struct place *places;
	uint32_t i;

	for (i = 0; i < t->names.n; i++) {
		entry[i] = classes[i] == CLASSIFY_KERNEL &&
			frame_enters_kernel(frame_symbol(intern_str(&t->names, i)));
		any |= entry[i];
	}
	if (any) {
		places = weigh_names(how, t, entry);
		for (i = 0; i < t->names.n; i++)
			if (classes[i] == CLASSIFY_NATIVE &&
				places[i].inside > places[i].all / 2)
				classes[i] = CLASSIFY_KERNEL;
		free(places);
	}
	free(entry);
}

/* Assigns open names to scripts. */
static void
find_scripts(const struct tree *t, unsigned char *classes)
{
	uint32_t i;

	for (i = 0; i < t->names.n; i++)
		if (classes[i] == CLASSIFY_NATIVE || classes[i] >= CLASSIFY_CLASSES)
			classes[i] = CLASSIFY_SCRIPT;
}

/* A thread or process as perf's scripts and fg-collapse write it: "java-12", "java-12/34". */
static bool
is_thread(struct str name)
{
	size_t dash = str_rfind(name, '-');
	struct str id = str_from(name, dash + 1);

	if (dash == 0 || dash >= name.n || !id.n)
		return false;
	for (; id.n; id = str_from(id, 1))
		if (!str_is_digit(id.s[0]) && id.s[0] != '/' && id.s[0] != '?')
			return false;
	return true;
}

/* Finds the names that only occur at the root, outside of all functions. */
static void
find_rows(const struct classify_how *how, const struct tree *t, unsigned char *classes)
{
	uint32_t *depth = tree_depths(t), i, name;
	bool *inside = mem_zero(t->names.n, sizeof *inside);

	for (i = TREE_ROOT + 1; i < t->n; i++) {
		name = t->nodes[i].name;
		if (name != TREE_GAP)
			inside[name] |= depth[i] > how->rows &&
				(depth[i] > 1 || how->reversed ||
					!is_thread(intern_str(&t->names, name)));
	}
	for (i = 0; i < t->names.n; i++)
		if (!inside[i])
			classes[i] = CLASSIFY_ROW;
	free(inside);
	free(depth);
}

/* NAME without the mark of an inlined function. */
static struct str
not_inlined(struct str name)
{
	return frame_annotation(name) == 'i' ? frame_bare(name) : name;
}

unsigned char *
classify_names(const struct classify_how *how, const struct tree *t)
{
	unsigned char *classes = mem_zero(t->names.n, sizeof *classes);
	struct census c = { 0 };
	struct str name;
	uint32_t i;

	for (i = 0; i < t->names.n; i++) {
		name = not_inlined(intern_str(&t->names, i));
		classes[i] = (unsigned char)classify_name(name);
		count_vote(&c, name, classes[i]);
		count_origin(&c, name, classes[i]);
	}
	if (is_all_script(&c, t->names.n))
		find_scripts(t, classes);
	for (i = 0; i < t->names.n; i++)
		if (classes[i] >= CLASSIFY_CLASSES)
			classes[i] = (unsigned char)settle(
				&c, not_inlined(intern_str(&t->names, i)), classes[i]);
	find_kernel(how, t, classes);
	find_rows(how, t, classes);
	intern_release(&c.spaces);
	free(c.votes);
	return classes;
}

/* Modules, from the spelling of names of a known class. */
/* A letter of package and crate names. */
static bool
is_word(char c)
{
	return is_identifier(c) || c == '-' || c == '$';
}

static struct str
head_word(struct str s)
{
	size_t n = 0;

	while (n < s.n && is_word(s.s[n]))
		n++;
	return str_head(s, n);
}

/* The rest of S after PART; n is 0 when PART is not in S. */
static struct str
after(struct str s, struct str part)
{
	return str_from(s, str_search(s, part) + part.n);
}

/* The package in a path, after the last FOLDER. */
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

/* "org.a.b" of "org/a/b/C.f" and "org.a.b.C.f": the part before the class, spelled as in the
 * name. */
static struct str
java_package(struct str symbol)
{
	enum { PARTS = 3 };
	size_t end = 0, i = 0, parts = 0;

	if (symbol.n && symbol.s[0] == 'L' && str_find(symbol, '/') < symbol.n)
		symbol = str_from(symbol, 1);
	while (parts < PARTS && i < symbol.n && is_lower(symbol.s[i])) {
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
	LIST(folders) = { TEXT("node_modules/"), TEXT("site-packages/"),
		TEXT("dist-packages/") };
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

/* The crate at the start of a path, or of the type that the path is about. */
static struct str
rust_module(struct str symbol)
{
	LIST(marks) = { TEXT("<"), TEXT("&"), TEXT("mut "), TEXT("dyn "), TEXT("*const "),
		TEXT("*mut "), TEXT("_<"), TEXT("_$LT$"), TEXT("$LT$"), TEXT("("),
		TEXT("["), TEXT("impl ") };
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
	struct str space = classify_namespace(symbol);

	if (str_starts(symbol, STR("_Z")))
		return mangled_module(symbol);
	return space.n ? space : STR("");
}

struct str
classify_module(struct str name, enum classify_class class)
{
	struct str symbol = frame_symbol(name), module = frame_module(name);

	if (class == CLASSIFY_KERNEL)
		return STR("kernel");
	if (module.n)
		return str_base(module);
	if (class == CLASSIFY_UNKNOWN)
		return module;
	if (frame_in_brackets(symbol).n)
		return str_base(frame_in_brackets(symbol));
	if (class == CLASSIFY_SCRIPT)
		module = script_module(symbol);
	else if (class == CLASSIFY_RUST)
		module = rust_module(symbol);
	else if (class == CLASSIFY_GO)
		module = go_module(symbol);
	else if (class == CLASSIFY_CXX)
		module = cxx_module(symbol);
	return module;
}

struct weighed {
	uint64_t weight; /* a share */
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

/* Adds the totals of frames that enter their module from another; MODULE is by name. */
static void
weigh(struct weighed *w, const uint32_t *module, const struct classify_how *how,
	const struct tree *t)
{
	double share = find_share(how);
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

/* Lists the heaviest of the N weights W, and maps the names to the list. */
static void
choose(struct classify_modules *m, struct weighed *w, const uint32_t *module,
	uint32_t names)
{
	uint32_t i, n = m->all.n;
	unsigned char *place = mem_alloc(n);

	memset(place, CLASSIFY_MODULES_MOST, n);
	qsort(w, n, sizeof *w, compare_weighed);
	for (i = 0; i < n && m->n < CLASSIFY_MODULES_MOST; i++) {
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
classify_modules_init(
	struct classify_modules *m, const struct classify_how *how, const struct tree *t)
{
	uint32_t *module = mem_resize(NULL, t->names.n, sizeof *module), i;
	unsigned char *classes = classify_names(how, t);
	struct weighed *w;

	*m = (struct classify_modules){ .of = mem_alloc(t->names.n) };
	for (i = 0; i < t->names.n; i++)
		module[i] = intern_id(&m->all,
			classify_module(intern_str(&t->names, i),
				(enum classify_class)classes[i]));
	w = mem_zero(m->all.n, sizeof *w);
	for (i = 0; i < m->all.n; i++)
		w[i] = (struct weighed){ 0, intern_str(&m->all, i), i };
	weigh(w, module, how, t);
	choose(m, w, module, t->names.n);
	free(w);
	free(classes);
	free(module);
}

void
classify_modules_release(struct classify_modules *m)
{
	free(m->of);
	intern_release(&m->all);
}
