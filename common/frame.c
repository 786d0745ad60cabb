/* SPDX-License-Identifier: ISC */
/* The parts of a frame's name; see frame.h. */
#include "frame.h"

#include <inttypes.h>

enum { ANNOTATION = 4, HASH_DIGITS = 16, HASH = HASH_DIGITS + 3 };

/* The letter in "_[k]" at the end of NAME; 0 without one. */
static char
find_letter(struct str name)
{
	const char *end = name.n >= ANNOTATION ? name.s + name.n - ANNOTATION : NULL;

	return end && end[0] == '_' && end[1] == '[' && end[3] == ']' ? end[2] : 0;
}

char
frame_annotation(struct str name)
{
	char letter = find_letter(name);

	return letter == 'k' || letter == 'j' || letter == 'i' || letter == 'w' ? letter
										: 0;
}

struct str
frame_bare(struct str name)
{
	return frame_annotation(name) ? str_head(name, name.n - ANNOTATION) : name;
}

char
frame_cut_annotation(struct str *name)
{
	char letter = find_letter(*name);

	if (letter)
		name->n -= ANNOTATION;
	return letter;
}

/* The place of the last ':' in NAME that is not part of "::"; NAME.n without one. */
static size_t
find_colon(struct str name)
{
	size_t at = str_rfind(name, ':');
	bool pair = (at > 0 && at < name.n && name.s[at - 1] == ':') ||
		(at + 1 < name.n && name.s[at + 1] == ':');

	return at < name.n && !pair ? at : name.n;
}

static bool
is_number(struct str s)
{
	size_t i = 0;

	while (i < s.n && str_is_digit(s.s[i]))
		i++;
	return i == s.n;
}

/* Whether S can be a file: V8 writes "JS:f /opt/b.js:2". */
static bool
is_file(struct str s)
{
	if (str_find(s, ' ') < s.n && (s.s[0] != '/' || str_search(s, STR(" /")) < s.n))
		return false;
	return s.n && !is_number(s) && !str_starts(s, STR("//"));
}

bool
frame_find_code(struct str name, struct frame_code *c)
{
	size_t open, plus;
	struct str inner;

	/* Fast path: most names end otherwise. */
	if (!name.n || name.s[name.n - 1] != '>')
		return false;
	open = str_rfind(name, '<');
	if (open < 2 || open == name.n || name.s[open - 1] != ' ')
		return false;
	inner = str_head(str_from(name, open + 1), name.n - open - 2);
	plus = str_rfind(inner, '+');
	c->name = str_head(name, open - 1);
	c->program = str_head(inner, plus);
	return c->program.n && str_starts(str_from(inner, plus), STR("+0x")) &&
		str_hex_to_u64(str_from(inner, plus + 3), &c->address);
}

void
frame_put_program(struct buf *b, struct str file, struct str build_id)
{
	static const char odd[] = "<>;@";
	size_t i;

	for (i = 0; i < file.n; i++)
		buf_char(b,
			(unsigned char)file.s[i] > ' ' && file.s[i] != 0x7f &&
					!strchr(odd, file.s[i])
				? file.s[i]
				: '_');
	if (build_id.n < FRAME_PROGRAM_ID)
		return;
	buf_char(b, '@');
	buf_hex(b, str_head(build_id, FRAME_PROGRAM_ID));
}

void
frame_put_code(struct buf *b, struct str program, uint64_t address)
{
	buf_str(b, STR(" <"));
	buf_str(b, program);
	buf_fmt(b, "+0x%" PRIx64 ">", address);
}

struct str
frame_cut_code(struct str name)
{
	struct frame_code c;

	return frame_find_code(name, &c) ? c.name : name;
}

/* The same for a name without code. */
static bool
find_place(struct str name, struct frame_place *p)
{
	size_t line = find_colon(name), file;
	struct str rest = str_from(name, line + 1), head = str_head(name, line);

	/* Fast path: most names do not end in a digit. */
	if (line == name.n || !rest.n || rest.s[0] == '0' || !is_number(rest) ||
		!str_to_u64(rest, &p->line) || p->line > UINT32_MAX)
		return false;
	file = find_colon(head);
	/* "C:\\src\\a.c" */
	if (file > 1 && file + 1 < head.n && head.s[file + 1] == '\\' &&
		head.s[file - 2] == ':')
		file -= 2;
	p->name = str_head(head, file);
	p->file = str_from(head, file + 1);
	return p->name.n && file < head.n && is_file(p->file);
}

bool
frame_find_place(struct str name, struct frame_place *p)
{
	return find_place(frame_cut_code(name), p);
}

struct str
frame_cut_place(struct str name)
{
	struct frame_place p;

	name = frame_cut_code(name);
	return find_place(name, &p) ? p.name : name;
}

void
frame_put_without_place(struct buf *b, struct str name)
{
	struct str bare = frame_bare(name);

	buf_str(b, frame_cut_place(bare));
	buf_str(b, str_from(name, bare.n));
}

void
frame_annotate(struct buf *b, char letter)
{
	const char text[ANNOTATION] = { '_', '[', letter, ']' };

	buf_str(b, (struct str){ text, sizeof text });
}

struct str
frame_module(struct str name)
{
	size_t tick = str_find(name, '`');

	return str_head(name, tick < name.n ? tick : 0);
}

struct str
frame_cut_module(struct str name)
{
	size_t tick = str_find(name, '`');

	return str_from(name, tick < name.n ? tick + 1 : 0);
}

struct str
frame_cut_offset(struct str name)
{
	size_t plus = str_rfind(name, '+');
	uint64_t offset;

	if (!str_starts(str_from(name, plus), STR("+0x")) ||
		!str_hex_to_u64(str_from(name, plus + 3), &offset))
		return name;
	return str_head(name, plus);
}

struct str
frame_cut_version(struct str name)
{
	return str_head(name, str_find(name, '@'));
}

struct str
frame_cut_symbol_version(struct str name)
{
	size_t at = str_find(name, '@'), i = at;
	struct str version, last;

	if (at == name.n || !at)
		return name;
	i += str_starts(str_from(name, i), STR("@@")) ? 2 : 1;
	version = str_from(name, i);
	last = str_from(version, str_rfind(version, '_') + 1);
	if (!last.n || version.s[0] < 'A' || version.s[0] > 'Z' ||
		(!str_is_digit(last.s[0]) && !str_eq(last, STR("PRIVATE"))))
		return name;
	for (i = 0; i < version.n; i++)
		if (!str_is_word(version.s[i]) && version.s[i] != '.')
			return name;
	return str_head(name, at);
}

struct str
frame_symbol(struct str name)
{
	struct str symbol = frame_bare(name), cut;

	if (frame_module(symbol).n)
		symbol = frame_cut_module(symbol);
	cut = frame_cut_offset(symbol);
	return cut.n ? cut : symbol;
}

struct str
frame_in_brackets(struct str name)
{
	if (name.n <= 2 || name.s[0] != '[' || name.s[name.n - 1] != ']')
		return str_head(name, 0);
	return (struct str){ name.s + 1, name.n - 2 };
}

bool
frame_is_address(struct str name, uint64_t *address)
{
	return str_starts(name, STR("0x")) && str_hex_to_u64(str_from(name, 2), address);
}

static const struct suffix {
	struct str word;
	unsigned char kind;
	bool ends; /* the word may end the name */
} SUFFIXES[] = {
	{ { "isra", 4 }, FRAME_CLONE, false },
	{ { "part", 4 }, FRAME_CLONE, false },
	{ { "constprop", 9 }, FRAME_CLONE, false },
	{ { "argprom", 7 }, FRAME_CLONE, false },
	{ { "cold", 4 }, FRAME_SPLIT, true },
	{ { "__part", 6 }, FRAME_SPLIT, false },
	{ { "llvm", 4 }, FRAME_SPLIT, false },
	{ { "__uniq", 6 }, FRAME_RENAMED, false },
	{ { "lto_priv", 8 }, FRAME_RENAMED, true },
	{ { "localalias", 10 }, FRAME_RENAMED, true },
	{ { "plt", 3 }, FRAME_RENAMED, true },
	{ { "clone", 5 }, FRAME_RENAMED, true },
	{ { "extracted", 9 }, FRAME_RENAMED, true },
	{ { "specialized", 11 }, FRAME_RENAMED, true },
};

/* Whether REST begins with the word of a suffix of KINDS. */
static bool
starts_suffix(struct str rest, unsigned kinds)
{
	const struct suffix *s;

	for (s = SUFFIXES; s < SUFFIXES + sizeof SUFFIXES / sizeof *SUFFIXES; s++)
		if (s->kind & kinds && str_starts(rest, s->word) &&
			(s->ends || str_starts(str_from(rest, s->word.n), STR("."))))
			return true;
	return false;
}

size_t
frame_find_suffix(struct str name, unsigned kinds)
{
	struct str rest = name;
	size_t dot;

	while ((dot = str_find(rest, '.')) < rest.n) {
		rest = str_from(rest, dot + 1);
		if (starts_suffix(rest, kinds))
			return name.n - rest.n - 1;
	}
	return name.n;
}

bool
frame_is_suffix(struct str word)
{
	size_t i;

	for (i = 0; i < sizeof SUFFIXES / sizeof *SUFFIXES; i++)
		if (str_eq(word, SUFFIXES[i].word))
			return true;
	return false;
}

bool
frame_has_hash(struct str name)
{
	uint64_t hash;

	return name.n >= HASH && str_starts(str_from(name, name.n - HASH), STR("::h")) &&
		str_hex_to_u64(str_from(name, name.n - HASH_DIGITS), &hash);
}

/* Adds the character for the escape between two '$'; false when it is unknown. The letters are
 * those of rustc's legacy mangling. */
static bool
put_escape(struct buf *b, struct str escape)
{
	static const struct {
		char code[3], means;
	} escapes[] = { { "SP", '@' }, { "BP", '*' }, { "RF", '&' }, { "LT", '<' },
		{ "GT", '>' }, { "LP", '(' }, { "RP", ')' }, { "C", ',' } };
	uint64_t code;
	size_t i;

	for (i = 0; i < sizeof escapes / sizeof *escapes; i++)
		if (str_eq(escape, str_of(escapes[i].code))) {
			buf_char(b, escapes[i].means);
			return true;
		}
	if (escape.n != 3 || escape.s[0] != 'u' ||
		!str_hex_to_u64(str_from(escape, 1), &code) || code < 0x20 || code > 0x7e)
		return false;
	buf_char(b, (char)code);
	return true;
}

void
frame_put_rust(struct buf *b, struct str name)
{
	struct str rest;
	size_t end;

	/* The name consists of a hash alone. */
	if (name.n == HASH || !frame_has_hash(name)) {
		buf_str(b, name);
		return;
	}
	rest = str_head(name, name.n - HASH);
	/* rustc puts '_' before an escape at the beginning. */
	if (str_starts(rest, STR("_$")))
		rest = str_from(rest, 1);
	while (rest.n) {
		if (str_starts(rest, STR(".."))) {
			buf_str(b, STR("::"));
			rest = str_from(rest, 2);
			continue;
		}
		end = str_find(str_from(rest, 1), '$') + 1;
		if (rest.s[0] == '$' && end < rest.n &&
			put_escape(b, str_from(str_head(rest, end), 1))) {
			rest = str_from(rest, end + 1);
			continue;
		}
		buf_char(b, rest.s[0]);
		rest = str_from(rest, 1);
	}
}

/* The length of the C++ operator symbol at AT if "operator" precedes it: its brackets are not
 * paired. */
static size_t
operator_length(struct str name, size_t at)
{
	static const char *const symbols[] = { "()", "[]", "->*", "->", "<=>",
		"<<=", ">>=", "<<", ">>", "<=", ">=", "<", ">" };
	struct str word = STR("operator"), rest = str_from(name, at);
	size_t i;

	if (at < word.n || !str_ends(str_head(name, at), word) ||
		(at > word.n && str_is_word(name.s[at - word.n - 1])))
		return 0;
	for (i = 0; i < sizeof symbols / sizeof *symbols; i++)
		if (str_starts(rest, str_of(symbols[i])))
			return strlen(symbols[i]);
	return 0;
}

/* The change of the bracket depth at AT; *LENGTH gets the bytes to skip. */
static int
step(struct str name, size_t at, size_t *length)
{
	char c = name.s[at];

	*length = 1;
	if (str_is_word(c))
		return 0;
	*length = operator_length(name, at);
	if (*length)
		return 0;
	*length = 1;
	if (c == '(' || c == '<' || c == '{' || c == '[')
		return 1;
	if (c == '>' && at > 0 && (name.s[at - 1] == '-' || name.s[at - 1] == '='))
		return 0;
	return c == ')' || c == '>' || c == '}' || c == ']' ? -1 : 0;
}

/* Whether an argument list may begin at AT: not a Go receiver, not C++'s
 * "(anonymous namespace)", not after a blank ("void (*f())()"). */
static bool
may_be_arguments(struct str name, size_t at)
{
	return name.s[at] == '(' && at > 0 && name.s[at - 1] != '.' &&
		!str_is_blank(name.s[at - 1]) &&
		!str_starts(str_from(name, at), STR("(anonymous"));
}

/* Whether a scope follows the argument list: then the list belongs to the enclosing function. */
static bool
goes_on(struct str rest)
{
	static const char *const qualifiers[] = { " const", " volatile", " noexcept",
		" &&", " &" };
	size_t i = 0;

	while (i < sizeof qualifiers / sizeof *qualifiers)
		if (str_starts(rest, str_of(qualifiers[i]))) {
			rest = str_from(rest, strlen(qualifiers[i]));
			i = 0;
		} else {
			i++;
		}
	return str_starts(rest, STR("::"));
}

struct str
frame_cut_arguments(struct str name)
{
	size_t at, length, open = name.n;
	int depth = 0, by;

	if (str_find(name, '(') == name.n)
		return name;
	for (at = 0; at < name.n; at += length) {
		by = step(name, at, &length);
		if (by > 0 && depth == 0 && open == name.n && may_be_arguments(name, at))
			open = at;
		depth += by;
		if (by < 0 && depth == 0 && open < name.n) {
			if (!goes_on(str_from(name, at + 1)))
				break;
			open = name.n;
		}
		/* More closed than opened: starts over. */
		if (depth < 0)
			depth = 0;
	}
	return str_head(name, open);
}

size_t
frame_find_arrow(struct str name)
{
	size_t at, length;
	int depth = 0;

	if (str_search(name, STR("->")) == name.n)
		return name.n;
	for (at = 0; at < name.n; at += length) {
		if (depth == 0 && at > 0 && name.s[at - 1] != ' ' &&
			!operator_length(name, at) &&
			str_starts(str_from(name, at), STR("->")))
			return at;
		depth += step(name, at, &length);
	}
	return name.n;
}

bool
frame_enters_kernel(struct str symbol)
{
	static const char *const heads[] = { "__arm64_sys_", "__do_sys_", "__ia32_sys_",
		"__riscv_sys_", "__se_sys_", "__x64_sys_", "asm_common_interrupt",
		"asm_exc_", "asm_sysvec_", "do_el0_", "do_syscall_", "el0_", "el0t_",
		"el1_", "el1h_", "entry_INT80", "entry_SYSCALL", "entry_SYSENTER",
		"ret_from_", "syscall_exit_to_user" };
	static const char *const names[] = { "apic_timer_interrupt",
		"call_function_interrupt", "common_interrupt", "cpu_startup_entry",
		"do_idle", "do_trap_ecall_u", "invoke_syscall", "kthread",
		"native_irq_return_iret", "page_fault", "reschedule_interrupt",
		"rest_init", "ret_fast_syscall", "secondary_startup_64", "start_kernel",
		"start_secondary", "sysret_check", "system_call_fastpath", "vector_swi",
		"x64_sys_call", "x86_64_start_kernel", "x86_64_start_reservations" };
	size_t i;

	for (i = 0; i < sizeof heads / sizeof *heads; i++)
		if (str_starts(symbol, str_of(heads[i])))
			return true;
	for (i = 0; i < sizeof names / sizeof *names; i++)
		if (str_eq(symbol, str_of(names[i])))
			return true;
	return false;
}

struct str
frame_module_base(struct str module)
{
	struct str deleted = STR(" (deleted)"), base;

	if (str_ends(module, deleted))
		module.n -= deleted.n;
	module = frame_cut_offset(module);
	base = str_base(module);
	return base.n ? base : module;
}

bool
frame_module_is_kernel(struct str module)
{
	/* In brackets, but in user space. */
	static const char *const user[] = { "[vdso", "[vsyscall", "[heap]", "[stack",
		"[anon", "[unknown]", "[JIT]", "[uprobes]", NULL };
	struct str base = str_base(module);
	int i;

	if (!str_starts(module, STR("[")))
		return str_starts(base, STR("vmlinux")) || str_ends(base, STR(".ko")) ||
			str_search(base, STR(".ko.")) < base.n;
	for (i = 0; user[i]; i++)
		if (str_starts(module, str_of(user[i])))
			return false;
	return true;
}

bool
frame_module_is_jit(struct str module)
{
	return (str_starts(module, STR("/tmp/perf-")) && str_ends(module, STR(".map"))) ||
		(str_search(module, STR("/jitted-")) < module.n &&
			str_ends(module, STR(".so")));
}

bool
frame_module_is_file(struct str module)
{
	return str_starts(module, STR("/")) && !str_starts(module, STR("//")) &&
		!str_starts(module, STR("/memfd:")) && !frame_module_is_jit(module);
}
