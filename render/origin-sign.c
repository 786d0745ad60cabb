/* SPDX-License-Identifier: ISC */
/*
 * What a name tells of its code by its spelling alone; see origin.h. Most names are
 * plain identifiers, so one look at all the bytes says which signs may be there.
 */
#include "origin.h"
#include "label.h"

/* What bytes other than letters, digits and '_' a name has. */
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

static const uint8_t CLASS[256] = { [':'] = HAS_COLON,
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
		has |= CLASS[(unsigned char)name.s[i]];
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
is_hex(struct str s)
{
	uint64_t value;

	return s.n > 0 && s.n <= 16 && str_hex_to_u64(s, &value);
}

struct str
origin_symbol(struct str name)
{
	struct str symbol = label_bare(name);
	size_t tick = str_find(symbol, '`'), plus;

	if (tick > 0 && tick < symbol.n)
		symbol = str_from(symbol, tick + 1);
	plus = str_rfind(symbol, '+');
	if (plus > 0 && plus < symbol.n &&
		str_starts(str_from(symbol, plus), STR("+0x")) &&
		is_hex(str_from(symbol, plus + 3)))
		symbol = str_head(symbol, plus);
	return symbol;
}

/* Frames by which a processor enters the kernel, or begins in it. */
bool
origin_enters_kernel(struct str symbol)
{
	LIST(heads) = { TEXT("__arm64_sys_"), TEXT("__do_sys_"), TEXT("__ia32_sys_"),
		TEXT("__riscv_sys_"), TEXT("__se_sys_"), TEXT("__x64_sys_"),
		TEXT("asm_common_interrupt"), TEXT("asm_exc_"), TEXT("asm_sysvec_"),
		TEXT("do_el0_"), TEXT("do_syscall_"), TEXT("el0_"), TEXT("el0t_"),
		TEXT("el1_"), TEXT("el1h_"), TEXT("entry_INT80"), TEXT("entry_SYSCALL"),
		TEXT("entry_SYSENTER"), TEXT("ret_from_"), TEXT("syscall_exit_to_user") };
	LIST(names) = { TEXT("apic_timer_interrupt"), TEXT("call_function_interrupt"),
		TEXT("common_interrupt"), TEXT("cpu_startup_entry"), TEXT("do_idle"),
		TEXT("do_trap_ecall_u"), TEXT("invoke_syscall"), TEXT("kthread"),
		TEXT("native_irq_return_iret"), TEXT("page_fault"),
		TEXT("reschedule_interrupt"), TEXT("rest_init"), TEXT("ret_fast_syscall"),
		TEXT("secondary_startup_64"), TEXT("start_kernel"),
		TEXT("start_secondary"), TEXT("sysret_check"),
		TEXT("system_call_fastpath"), TEXT("vector_swi"), TEXT("x64_sys_call"),
		TEXT("x86_64_start_kernel"), TEXT("x86_64_start_reservations") };

	return starts_any(symbol, IN(heads)) || is_any(symbol, IN(names));
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
		TEXT("[stack]"), TEXT("[//anon]"), TEXT("[[unknown]]") };

	if (has_any(name, IN(kernel)))
		return ORIGIN_KERNEL;
	if (has_any(name, IN(generated)))
		return ORIGIN_SCRIPT;
	return is_any(name, IN(unknown)) ? ORIGIN_UNKNOWN : ORIGIN_NATIVE;
}

static bool
is_unknown(struct str symbol)
{
	LIST(names) = { TEXT("unknown"), TEXT("(unknown)"), TEXT("<unknown>"), TEXT("??"),
		TEXT("???"), TEXT("//anon") };

	if (str_starts(symbol, STR("0x")))
		return is_hex(str_from(symbol, 2));
	return !symbol.n || is_any(symbol, IN(names)) ||
		(symbol.n >= 8 && str_is_digit(symbol.s[0]) && is_hex(symbol));
}

/* A file of a language that is run by a machine of its own, at the end of the name
 * or before a line: "main (app.py:3)". */
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
	LIST(java) = { TEXT("Ljava/"), TEXT("java/"), TEXT("javax/"), TEXT("jdk/"),
		TEXT("sun/"), TEXT("java."), TEXT("javax."), TEXT("jdk."), TEXT("sun.") };
	LIST(machine) = { TEXT("Interpreter"), TEXT("call_stub"), TEXT("vtable stub"),
		TEXT("itable stub"), TEXT("I2C/C2I adapters") };

	if (starts_any(symbol, IN(machine)) || str_starts(symbol, STR("Builtins_")))
		return true;
	if (!has)
		return false;
	if (has & HAS_DOT && has_script_file(symbol))
		return true;
	if (starts_any(symbol, IN(heads)) || starts_any(symbol, IN(java)) ||
		has_any(symbol, IN(parts)))
		return true;
	if (str_starts(symbol, STR("<")))
		return !has_any(symbol, &STR("::"), 1);
	if (str_starts(symbol, STR("(")))
		return !str_starts(symbol, STR("(anonymous namespace)"));
	return is_method(symbol);
}

/* Rust's older mangling is C++'s with a hash at the end. */
static bool
has_hash(struct str s, struct str before, size_t after)
{
	struct str hash;

	if (s.n < before.n + 16 + after)
		return false;
	hash = str_from(s, s.n - before.n - 16 - after);
	return str_starts(hash, before) && is_hex((struct str){ hash.s + before.n, 16 });
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
		return has_hash(symbol, STR("17h"), 1);
	return has_hash(symbol, STR("::h"), 0) || str_starts(symbol, STR("<")) ||
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

/* Dots within a name, and not those of what C's compilers and linkers add to one. */
static bool
is_dotted(struct str symbol)
{
	LIST(added) = { TEXT("isra"), TEXT("part"), TEXT("constprop"), TEXT("cold"),
		TEXT("llvm"), TEXT("lto_priv"), TEXT("localalias"), TEXT("plt"),
		TEXT("so"), TEXT("ko"), TEXT("exe"), TEXT("dll"), TEXT("clone"),
		TEXT("extracted"), TEXT("specialized"), TEXT("dylib") };
	struct str rest = symbol, part;

	if (!symbol.n || !(is_lower(symbol.s[0]) || is_upper(symbol.s[0])) ||
		str_find(symbol, '@') < symbol.n)
		return false;
	str_cut(&rest, '.');
	part = str_cut(&rest, '.');
	return part.n && !str_is_digit(part.s[0]) && !is_any(part, IN(added));
}

/* Go's methods, its closures and what its scheduler begins with. */
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

/* Of a symbol with more than letters in it. */
static unsigned
special_sign(struct str symbol, unsigned has)
{
	if (has & HAS_DOT && !(has & HAS_COLON) && is_go(symbol))
		return ORIGIN_GO;
	if (is_script(symbol, has))
		return ORIGIN_SCRIPT;
	if (is_rust(symbol))
		return ORIGIN_RUST;
	if (has & ~(unsigned)(HAS_DOT | HAS_SLASH) && is_cxx(symbol))
		return ORIGIN_CXX;
	if (str_starts(symbol, STR("core::")) || str_starts(symbol, STR("alloc::")))
		return ORIGIN_RUST;
	if (has & HAS_COLON && str_search(symbol, STR("::")) < symbol.n)
		return ORIGIN_SIGN_PATH;
	return has & HAS_DOT && is_dotted(symbol) ? ORIGIN_SIGN_DOTS : ORIGIN_NATIVE;
}

unsigned
origin_sign(struct str name)
{
	LIST(kernel) = { TEXT("kernel"), TEXT("unix"), TEXT("genunix"),
		TEXT("mach_kernel"), TEXT("vmlinux"), TEXT("kernel.kallsyms") };
	struct str symbol = label_bare(name), module;
	unsigned has = look_at(symbol);
	char annotation = label_annotation(name);

	if (annotation == 'k')
		return ORIGIN_KERNEL;
	if (annotation == 'j')
		return ORIGIN_SCRIPT;
	if (has & HAS_TICK) {
		module = str_head(symbol, str_find(symbol, '`'));
		symbol = origin_symbol(symbol);
		if (is_any(module, IN(kernel)))
			return ORIGIN_KERNEL;
	}
	if (has & HAS_SQUARE && str_starts(symbol, STR("[")) &&
		str_ends(symbol, STR("]")))
		return module_sign(symbol);
	if (is_unknown(symbol))
		return ORIGIN_UNKNOWN;
	if (origin_enters_kernel(symbol))
		return ORIGIN_KERNEL;
	if (str_starts(symbol, STR("_Z")) && !has)
		return is_rust(symbol) ? ORIGIN_RUST : ORIGIN_CXX;
	if (!has)
		return is_script(symbol, 0) ? ORIGIN_SCRIPT
			: str_starts(symbol, STR("_RN")) || str_starts(symbol, STR("_RI"))
			? ORIGIN_RUST
			: ORIGIN_NATIVE;
	return special_sign(symbol, has);
}
