/* SPDX-License-Identifier: ISC */
/*
 * Names without the parts that differ between builds or runs of the same source; see
 * frame-stable.h. fg-filter(1) lists the rules.
 *
 *	read.isra.0.cold  f(int) [clone .isra.0]  f(int) (.llvm.123)	copies and parts
 *	a::{lambda(int)#2}  a::$_1  a::'lambda0'()  a::<lambda_1f>	GCC, Clang, LLVM, MSVC
 *	a::b::h0123456789abcdef  krate[846817f741e54dfd]::a		Rust
 *	a::{closure#1}  <m::{impl#3}>::f
 *	A$$Lambda$14/0x0000000800c03000.run  A$$Lambda/0x00007f01.run	JVM
 *	A.lambda$main$0  $Proxy12.get  LambdaForm$MH/0x00007f01.invoke
 *	main.run.func1.2  main.run.gowrap1  net/http.(*T).f-range1	Go
 *	C.<Main>b__0_1  C.<Run>d__3.MoveNext				.NET
 *	JS:*f /a/b.js:1:2  LazyCompile:~f b.js:1  (anonymous b.js:1)	V8
 *
 * A rule needs a pattern that no name chosen by a person has: two functions taken for one are worse
 * than one function under two names. Addresses are left alone.
 */
#include "frame-stable.h"
#include "frame.h"

/* The scan of a name, from left to right. */
struct scan {
	struct str name;
	size_t at;
	size_t word; /* the start of the identifier around AT */
	size_t cut;  /* the end of the last cut */
	bool brace;  /* a '{' precedes AT */
	bool dot;    /* a '.' precedes AT, without a '/' in between */
	bool go;     /* the name is from Go */
	bool mangled;
};

/* The match of a rule at AT: of LENGTH bytes the first KEEP stay. */
struct cut {
	size_t keep, length;
};

static const struct cut NO_CUT = { 0, 0 };

static struct str
rest_of(const struct scan *s)
{
	return str_from(s->name, s->at);
}

static size_t
count(struct str s, bool (*is)(char))
{
	size_t n = 0;

	while (n < s.n && is(s.s[n]))
		n++;
	return n;
}

static size_t
count_digits(struct str s)
{
	return count(s, str_is_digit);
}

static size_t
count_hex(struct str s)
{
	return count(s, str_is_hex);
}

static bool
is_any(char c, struct str of)
{
	return str_find(of, c) < of.n;
}

/* Whether REST does not continue an identifier. */
static bool
ends_word(struct str rest)
{
	return !rest.n || !str_is_word(rest.s[0]);
}

/* The length of "0x" and 8 to 16 digits, the address of a JVM class; 0 for anything else. */
static size_t
address_length(struct str s)
{
	size_t n = str_starts(s, STR("0x")) ? count_hex(str_from(s, 2)) : 0;

	return n >= 8 && n <= 16 && ends_word(str_from(s, n + 2)) ? n + 2 : 0;
}

/* The length of digits, optionally with '_' and more digits; 0 if there are none. */
static size_t
pair_length(struct str s)
{
	size_t n = count_digits(s), more;

	more = n && str_starts(str_from(s, n), STR("_"))
		? count_digits(str_from(s, n + 1))
		: 0;
	return more ? n + 1 + more : n;
}

/* Suffixes of compilers and linkers. */

/* The length of a suffix at the start of S, which follows a dot. */
static size_t
suffix_length(struct str s)
{
	/* Other suffixes without a number could be method names: Object.clone. */
	static const char *const plain[] = { "cold", "lto_priv", "localalias",
		"extracted", "specialized", NULL };
	size_t i, word = str_find(s, '.'), digits = count_digits(str_from(s, word + 1));

	if (digits && ends_word(str_from(s, word + 1 + digits)) &&
		frame_is_suffix(str_head(s, word)))
		return word + 1 + digits;
	for (i = 0; plain[i]; i++)
		if (str_starts(s, str_of(plain[i])) &&
			ends_word(str_from(s, strlen(plain[i]))))
			return strlen(plain[i]);
	return 0;
}

/* The length of the suffixes, each after a dot, at the start of S. Compilers add only a few. */
static size_t
suffixes_length(struct str s)
{
	enum { MOST = 16 };
	size_t n = 0, length, i;

	for (i = 0; i < MOST && str_starts(str_from(s, n), STR(".")); i++) {
		length = suffix_length(str_from(s, n + 1));
		if (!length)
			break;
		n += 1 + length;
	}
	return n;
}

/* Whether a symbol can end before AFTER: a version, text from a demangler, a file or a line. */
static bool
ends_symbol(struct str after)
{
	return !after.n || after.s[0] == '@' || str_starts(after, STR(" [")) ||
		str_starts(after, STR(" (")) ||
		(after.s[0] == ':' && !str_starts(after, STR("::")));
}

/* "read.isra.0.cold". */
static struct cut
find_suffixes(const struct scan *s)
{
	size_t n = suffixes_length(rest_of(s));
	struct str after = str_from(rest_of(s), n);

	if (!s->at || is_any(s->name.s[s->at - 1], STR(" (")))
		return NO_CUT;
	return n && ends_symbol(after) ? (struct cut){ 0, n } : NO_CUT;
}

/* From demanglers: " [clone .isra.0]" of binutils, " (.isra.0.cold)" of LLVM. */
static struct cut
find_demangled_suffix(const struct scan *s)
{
	struct str head = STR(" [clone "), rest = rest_of(s);
	const char *close = "]";
	size_t n;

	if (!str_starts(rest, head)) {
		head = STR(" (");
		close = ")";
	}
	if (!str_starts(rest, head))
		return NO_CUT;
	n = suffixes_length(str_from(rest, head.n));
	if (!n || !str_starts(str_from(rest, head.n + n), str_of(close)))
		return NO_CUT;
	return (struct cut){ 0, head.n + n + 1 };
}

/* Rust. */

enum { HASH_DIGITS = 16 };

/* "::h0123456789abcdef" at the end, or before suffixes. */
static struct cut
find_hash(const struct scan *s)
{
	struct str digits = str_from(rest_of(s), 3),
		   after = str_from(digits, HASH_DIGITS);

	if (!str_starts(rest_of(s), STR("::h")) || count_hex(digits) != HASH_DIGITS ||
		!ends_symbol(str_from(after, suffixes_length(after))))
		return NO_CUT;
	return (struct cut){ 0, 3 + HASH_DIGITS };
}

/* The same in a mangled name: "_ZN3app3run17h0123456789abcdefE". */
static struct cut
find_mangled_hash(const struct scan *s)
{
	struct str digits = str_from(rest_of(s), 3),
		   after = str_from(digits, HASH_DIGITS + 1);

	if (!s->mangled || !str_starts(rest_of(s), STR("17h")) ||
		count_hex(str_head(digits, HASH_DIGITS)) != HASH_DIGITS ||
		!str_starts(str_from(digits, HASH_DIGITS), STR("E")) ||
		!ends_symbol(str_from(after, suffixes_length(after))))
		return NO_CUT;
	return (struct cut){ 0, 3 + HASH_DIGITS };
}

/* "[846817f741e54dfd]" of a crate: 64 bits without leading zeros, of which there are seldom
 * many. */
static struct cut
find_disambiguator(const struct scan *s)
{
	size_t n = count_hex(str_from(rest_of(s), 1));

	if (n < 10 || n > HASH_DIGITS || s->word == s->at ||
		!str_starts(str_from(rest_of(s), n + 1), STR("]::")))
		return NO_CUT;
	return (struct cut){ 0, n + 2 };
}

/* Numbers. */

/* "#2}" of "{lambda(int)#2}", "{closure#1}" and "{impl#3}"; not "{default arg#1}", the number of an
 * argument. */
static struct cut
find_brace_number(const struct scan *s)
{
	size_t n = count_digits(str_from(rest_of(s), 1));

	if (!n || !s->brace || !str_starts(str_from(rest_of(s), n + 1), STR("}")) ||
		str_ends(str_head(s->name, s->at), STR("default arg")))
		return NO_CUT;
	return (struct cut){ 0, n + 1 };
}

/* " #1" of Swift's "closure #1 in f". */
static struct cut
find_swift_number(const struct scan *s)
{
	size_t n = count_digits(str_from(rest_of(s), 2));

	if (!n || !str_starts(rest_of(s), STR(" #")) ||
		!str_ends(str_head(s->name, s->at), STR("closure")) ||
		!str_starts(str_from(rest_of(s), n + 2), STR(" ")))
		return NO_CUT;
	return (struct cut){ 0, n + 2 };
}

/* The quoted number of LLVM's "'lambda0'(int)" and "'unnamed1'". */
static struct cut
find_quoted_number(const struct scan *s)
{
	struct str rest = rest_of(s);
	size_t word = str_starts(rest, STR("'lambda")) ? 7
		: str_starts(rest, STR("'unnamed"))    ? 8
						       : 0;
	size_t n = count_digits(str_from(rest, word));

	if (!word || !n || !str_starts(str_from(rest, word + n), STR("'")))
		return NO_CUT;
	return (struct cut){ word, word + n };
}

/* "$_1", a Clang closure in a C++ name. */
static struct cut
find_dollar_number(const struct scan *s)
{
	size_t n = count_digits(str_from(rest_of(s), 2));
	struct str after = str_from(rest_of(s), n + 2);

	if (!n || s->word != s->at || !str_starts(rest_of(s), STR("$_")) ||
		!ends_word(after) ||
		(!str_starts(after, STR("::")) &&
			!str_ends(str_head(s->name, s->at), STR("::"))))
		return NO_CUT;
	return (struct cut){ 2, 2 + n };
}

/* "<lambda_1f>" of MSVC. */
static struct cut
find_msvc_number(const struct scan *s)
{
	struct str head = STR("<lambda_");
	size_t n = count_hex(str_from(rest_of(s), head.n));

	if (!n || !str_starts(rest_of(s), head) ||
		!str_starts(str_from(rest_of(s), head.n + n), STR(">")))
		return NO_CUT;
	return (struct cut){ head.n - 1, head.n + n };
}

/* Closures in mangled names of C++ (Itanium C++ ABI, 5.1.5 and 5.1.8). */

/* The length of the part of a type at the start of S: a letter, a source name, a substitution, or a
 * number literal. 0, or more than S has, for anything else. */
static size_t
type_part_length(struct str s)
{
	size_t digits = count_digits(s);
	uint64_t n;

	if (digits)
		return str_to_u64(str_head(s, digits), &n) && n < s.n - digits
			? digits + (size_t)n
			: 0;
	switch (s.s[0]) {
	case 'S':
		return s.n > 1 && is_any(s.s[1], STR("tasbiod")) ? 2
								 : str_find(s, '_') + 1;
	case 'T':
	case 'A':
		digits = count_digits(str_from(s, 1));
		return str_starts(str_from(s, 1 + digits), STR("_")) ? digits + 2 : 0;
	case 'D': return s.n > 1 && !is_any(s.s[1], STR("Tt")) ? 2 : 0;
	case 'L':
		return s.n > 1 && s.s[1] >= 'a' && s.s[1] <= 'z' ? str_find(s, 'E') + 1
								 : 0;
	case 'U':
	case 'X':
	case 'Z': return 0;
	}
	return 1;
}

/* "0" of "UlvE0_" and "UlRKiS0_E12_". */
static struct cut
find_mangled_closure(const struct scan *s)
{
	enum { MOST = 256 };
	struct str rest = rest_of(s);
	size_t at = 2, depth = 0, parts = 0, part, digits;

	if (!s->mangled || !str_starts(rest, STR("Ul")))
		return NO_CUT;
	for (; at < rest.n && (rest.s[at] != 'E' || depth); at += part) {
		depth += is_any(rest.s[at], STR("NIFJ"));
		depth -= rest.s[at] == 'E';
		part = type_part_length(str_from(rest, at));
		if (!part || part > rest.n - at || ++parts > MOST)
			return NO_CUT;
	}
	digits = count_digits(str_from(rest, at + 1));
	if (!digits || !str_starts(str_from(rest, at + 1 + digits), STR("_")))
		return NO_CUT;
	return (struct cut){ at + 1, at + 1 + digits };
}

/* The number of digits at the end of "3$_0", a source name by Clang; 0 for anything else. */
static size_t
source_digits(struct str s)
{
	size_t n = s.n && str_is_digit(s.s[0]) ? (size_t)(s.s[0] - '0') : 0;

	return n > 2 && str_starts(str_from(s, 1), STR("$_")) &&
			count_digits(str_from(s, 3)) >= n - 2
		? n - 2
		: 0;
}

/* The length prefix and the number of "3$_0" and "4$_10". */
static struct cut
find_source_length(const struct scan *s)
{
	return s->mangled && source_digits(rest_of(s)) ? (struct cut){ 0, 1 } : NO_CUT;
}

static struct cut
find_source_number(const struct scan *s)
{
	size_t n = s->mangled && s->at ? source_digits(str_from(s->name, s->at - 1)) : 0;

	return n ? (struct cut){ 2, 2 + n } : NO_CUT;
}

/* Words before a number that compilers and runtimes assign. */
static const struct numbered {
	struct str word;
	bool starts; /* the word must begin an identifier */
	size_t keep; /* bytes of the word that stay */
} NUMBERED[] = {
	{ { "$Proxy", 6 }, true, 6 },
	{ { "jdk.proxy", 9 }, true, 9 },
	{ { "jdk/proxy", 9 }, true, 9 },
	{ { "GeneratedMethodAccessor", 23 }, true, 23 },
	{ { "GeneratedConstructorAccessor", 28 }, true, 28 },
	{ { "GeneratedSerializationConstructorAccessor", 41 }, true, 41 },
	{ { "_GLOBAL__N_", 11 }, true, 11 },
	/* OpenMP in GCC and in Clang, and .NET */
	{ { "._omp_fn.", 9 }, false, 8 },
	{ { ".omp_outlined..", 15 }, false, 13 },
	{ { ".omp_outlined.", 14 }, false, 13 },
	{ { ">b__", 4 }, false, 4 },
	{ { ">d__", 4 }, false, 4 },
	{ { "<>c__DisplayClass", 17 }, false, 17 },
	{ { ".gowrap", 7 }, false, 7 },
	{ { ".deferwrap", 10 }, false, 10 },
};

static struct cut
find_numbered(const struct scan *s)
{
	const struct numbered *w = NUMBERED;
	struct str after;
	size_t n;

	/* Fast path for most bytes of a name. */
	if (!is_any(s->name.s[s->at], STR("$jG_.><")))
		return NO_CUT;
	for (; w < NUMBERED + sizeof NUMBERED / sizeof *NUMBERED; w++) {
		if (!str_starts(rest_of(s), w->word) || (w->starts && s->word != s->at))
			continue;
		after = str_from(rest_of(s), w->word.n);
		n = pair_length(after);
		if (n && ends_word(str_from(after, n)))
			return (struct cut){ w->keep, w->word.n + n };
	}
	return NO_CUT;
}

/* "|0_1" of .NET's local functions, "<Main>g__Local|0_1". */
static struct cut
find_local_number(const struct scan *s)
{
	struct str word = str_from(str_head(s->name, s->at), s->word);
	size_t n = pair_length(str_from(rest_of(s), 1));

	if (!n || !s->word || s->name.s[s->word - 1] != '>' ||
		!str_starts(word, STR("g__")) || !ends_word(str_from(rest_of(s), n + 1)))
		return NO_CUT;
	return (struct cut){ 0, n + 1 };
}

/* "[QuickJitted]" of .NET at the end: the compilation tier. */
static struct cut
find_tier(const struct scan *s)
{
	static const char *const tiers[] = { "PreJIT", "ReadyToRun", "Unknown",
		"MinOptJitted", "QuickJitted", "Optimized", "OptimizedTier1",
		"OptimizedTier1OSR", "InstrumentedTier", "InstrumentedTierOptimized",
		NULL };
	size_t i;

	for (i = 0; s->at && tiers[i]; i++)
		if (str_eq(frame_in_brackets(rest_of(s)), str_of(tiers[i])))
			return (struct cut){ 0, rest_of(s).n };
	return NO_CUT;
}

/* The JVM. */

/* "$14" and the address of "A$$Lambda$14/0x0000000800c03000"; '.' or '+' may replace the '/', and
 * JDK 8 has a hash instead. */
static struct cut
find_lambda_class(const struct scan *s)
{
	struct str head = STR("$$Lambda"), rest;
	size_t n = head.n, length;

	if (!str_starts(rest_of(s), head))
		return NO_CUT;
	rest = str_from(rest_of(s), n);
	if (str_starts(rest, STR("$")) && count_digits(str_from(rest, 1)))
		n += 1 + count_digits(str_from(rest, 1));
	while ((rest = str_from(rest_of(s), n)).n && is_any(rest.s[0], STR("/.+"))) {
		length = address_length(str_from(rest, 1));
		if (!length && rest.s[0] == '/')
			length = count_digits(str_from(rest, 1));
		if (!length)
			break;
		n += 1 + length;
	}
	if (!ends_word(rest))
		return NO_CUT;
	return (struct cut){ head.n, n };
}

/* The address of another class without a file, "A/0x0000000800c03000", and of the JVM's
 * "LambdaForm$MH", in the same forms. */
static struct cut
find_hidden_class(const struct scan *s)
{
	struct str word = str_from(str_head(s->name, s->at), s->word),
		   tail = str_from(rest_of(s), 1);
	size_t n = address_length(tail);
	bool form = str_starts(word, STR("LambdaForm$"));

	if (!n && form && s->name.s[s->at] == '/' &&
		ends_word(str_from(tail, count_digits(tail))))
		n = count_digits(tail);
	if (!n || !word.n || (s->name.s[s->at] != '/' && !form))
		return NO_CUT;
	return (struct cut){ 0, n + 1 };
}

/* "$0" of "lambda$main$0", Kotlin's "main$lambda$0" and Scala's "$anonfun$main$1". */
static struct cut
find_lambda_method(const struct scan *s)
{
	struct str word = str_from(str_head(s->name, s->at), s->word),
		   scala = STR("$anonfun");
	size_t n = count_digits(str_from(rest_of(s), 1));

	if (!n || !ends_word(str_from(rest_of(s), n + 1)))
		return NO_CUT;
	if (str_starts(word, STR("lambda$")) || str_ends(word, STR("$lambda")) ||
		str_search(word, scala) < word.n)
		return (struct cut){ 0, n + 1 };
	return NO_CUT;
}

/* Go. */

/* Whether BASE, without folders, is a function of a main program, or one without a receiver from
 * Go's own packages: "io" and "net" begin names of Java too. */
static bool
is_go_own(struct str base)
{
	static const char *const packages[] = { "runtime", "bufio", "bytes", "context",
		"errors", "expvar", "flag", "fmt", "hash", "html", "image", "io", "iter",
		"log", "maps", "mime", "net", "os", "path", "plugin", "reflect", "regexp",
		"slices", "sort", "strconv", "strings", "sync", "syscall", "testing",
		"time", "unicode", NULL };
	struct str rest = base, package = str_cut(&rest, '.');
	size_t i;

	if (str_eq(package, STR("main")))
		return true;
	(void)str_cut(&rest, '.');
	for (i = 0; packages[i]; i++)
		if (str_eq(package, str_of(packages[i])))
			return str_starts(rest, STR("func"));
	return false;
}

/* Whether NAME is from Go, by its package or a receiver: "net/http.f", "main.f", "pkg.(*T).f". */
static bool
is_go(struct str name)
{
	struct str head = str_head(name, str_find(name, '(')), base;

	head = str_head(head, str_find(head, '['));
	if (str_find(head, ' ') < head.n || str_find(head, ':') < head.n ||
		str_starts(head, STR("/")))
		return false;
	base = str_base(head);
	return str_starts(str_from(name, head.n ? head.n - 1 : 0), STR(".(*")) ||
		(base.n < head.n && str_find(base, '.') < base.n) || is_go_own(base);
}

/* The length of numbers, each after a dot, at the start of S. */
static size_t
numbers_length(struct str s)
{
	size_t n = 0, digits;

	while (str_starts(str_from(s, n), STR(".")) &&
		(digits = count_digits(str_from(s, n + 1))) > 0)
		n += 1 + digits;
	return n;
}

/* "1" of "main.run.func1.2": the text before has a dot for the package and one for the function. */
static struct cut
find_go_function(const struct scan *s)
{
	struct str head = STR(".func");
	size_t n = count_digits(str_from(rest_of(s), head.n)), more;

	if (!n || !str_starts(rest_of(s), head) || !s->dot)
		return NO_CUT;
	more = numbers_length(str_from(rest_of(s), head.n + n));
	if (!ends_word(str_from(rest_of(s), head.n + n + more)) ||
		(!more && !s->go && !str_ends(str_head(s->name, s->at), STR("glob."))))
		return NO_CUT;
	return (struct cut){ head.n, head.n + n };
}

/* Then "2", for a closure inside that one. */
static struct cut
find_go_level(const struct scan *s)
{
	size_t n = count_digits(str_from(rest_of(s), 1));

	if (!n || s->cut != s->at || !s->at || !str_is_digit(s->name.s[s->at - 1]))
		return NO_CUT;
	return (struct cut){ 1, 1 + n };
}

/* The number of "main.run-range1". */
static struct cut
find_go_range(const struct scan *s)
{
	struct str head = STR("-range");
	size_t n = count_digits(str_from(rest_of(s), head.n));

	if (!s->go || !n || !str_starts(rest_of(s), head) ||
		!ends_word(str_from(rest_of(s), head.n + n)))
		return NO_CUT;
	return (struct cut){ head.n, head.n + n };
}

/* The rules, by the first byte of a match. */
static const struct rule {
	char first; /* 0: any */
	struct cut (*find)(const struct scan *);
} RULES[] = {
	{ '.', find_suffixes },
	{ ' ', find_demangled_suffix },
	{ ':', find_hash },
	{ '1', find_mangled_hash },
	{ '[', find_disambiguator },
	{ '[', find_tier },
	{ '#', find_brace_number },
	{ ' ', find_swift_number },
	{ '\'', find_quoted_number },
	{ '$', find_lambda_class },
	{ 'U', find_mangled_closure },
	{ '$', find_source_number },
	{ 0, find_source_length },
	{ '$', find_dollar_number },
	{ '$', find_lambda_method },
	{ '<', find_msvc_number },
	{ '|', find_local_number },
	{ '/', find_hidden_class },
	{ '.', find_hidden_class },
	{ '+', find_hidden_class },
	{ '.', find_go_function },
	{ '.', find_go_level },
	{ '-', find_go_range },
	{ 0, find_numbered },
};

static struct cut
find_cut(const struct scan *s)
{
	const struct rule *r = RULES;
	struct cut c = NO_CUT;

	for (; r < RULES + sizeof RULES / sizeof *RULES && !c.length; r++)
		if (!r->first || r->first == s->name.s[s->at])
			c = r->find(s);
	return c;
}

/* Adds SYMBOL after cutting it by the rules. */
static void
put_symbol(struct buf *b, struct str symbol)
{
	struct scan s = { .name = symbol,
		.go = is_go(symbol),
		.mangled = str_starts(symbol, STR("_Z")) };
	struct cut c;
	char first;

	while (s.at < symbol.n) {
		first = symbol.s[s.at];
		c = find_cut(&s);
		if (c.length) {
			buf_str(b, str_head(rest_of(&s), c.keep));
			s.at += c.length;
			s.cut = s.at;
		} else {
			buf_char(b, first);
			s.at++;
			if (!str_is_word(first))
				s.word = s.at;
		}
		s.brace |= first == '{';
		s.dot = first != '/' && (s.dot || first == '.');
	}
}

/* Scripts and lines. */

/* Extensions of files whose functions V8 runs, then of others with lines. */
static const char *const SCRIPTS[] = { "js", "mjs", "cjs", "jsx", "ts", "mts", "cts",
	"tsx", "vue", "svelte", "html", NULL };
static const char *const SOURCES[] = { "c", "cc", "cpp", "cxx", "h", "hh", "hpp", "hxx",
	"inc", "ipp", "m", "mm", "rs", "go", "py", "pyx", "rb", "php", "pl", "pm", "lua",
	"java", "kt", "scala", "groovy", "clj", "cs", "fs", "swift", "d", "zig", "nim",
	"ex", "exs", "erl", "hs", "ml", "jl", "f90", "S", "s", NULL };

static bool
ends_in(struct str file, const char *const *endings)
{
	size_t dot = str_rfind(file, '.'), i;

	for (i = 0; dot < file.n && endings[i]; i++)
		if (str_eq(str_from(file, dot + 1), str_of(endings[i])))
			return true;
	return false;
}

/* Whether FILE is V8's name for a script: a path, an address, a module of node, or evaluated
 * text. */
static bool
is_script(struct str file)
{
	static const char *const texts[] = { "[eval]", "[eval]-wrapper", "eval]",
		"evalmachine.<anonymous>", NULL };
	struct str path = str_from(file, str_search(file, STR("://")) + 3);
	size_t i;

	for (i = 0; texts[i]; i++)
		if (str_eq(file, str_of(texts[i])))
			return true;
	return ends_in(file, SCRIPTS) || str_find(path, '/') < path.n ||
		str_starts(file, STR("node:"));
}

/* A name that ends in a line of a file: "f /a/b.js:1:2", "f (b.py:1)", "f:b.c:1". */
struct located {
	struct str named; /* "f ", "f (", "f:"; empty without a name */
	struct str
		file; /* "b.py"; if it has blanks or colons, with the end of the name */
	struct str line;   /* ":1:2" */
	struct str closer; /* ")" or nothing */
};

/* Cuts ":1" off the end of *TEXT. */
static bool
cut_line(struct str *text)
{
	size_t colon = str_rfind(*text, ':');
	struct str digits = str_from(*text, colon + 1);

	if (!digits.n || count_digits(digits) != digits.n)
		return false;
	text->n = colon;
	return true;
}

/* The length of the text before the file at the end of TEXT. */
static size_t
named_length(struct str text)
{
	size_t i = text.n;

	while (i > 0 && !str_is_blank(text.s[i - 1]) && text.s[i - 1] != '(')
		i--;
	if (i > 0 || str_search(text, STR("://")) < text.n ||
		str_starts(text, STR("node:")))
		return i;
	i = str_find(text, ':') + 1;
	return i < text.n && text.s[i] != '\\' ? i : 0;
}

static bool
find_location(struct str name, struct located *l)
{
	struct str text = name, whole;

	if (str_ends(name, STR(")")) || str_ends(name, STR("}")))
		text.n--;
	whole = text;
	l->closer = str_from(name, text.n);
	if (!cut_line(&text))
		return false;
	(void)cut_line(&text);
	l->line = str_from(whole, text.n);
	l->named = str_head(text, named_length(text));
	l->file = str_from(text, l->named.n);
	return true;
}

/* Cuts V8's mark for the compiler of a function off the beginning of *NAME. */
static bool
cut_mark(struct str *name)
{
	if (name->n < 2 || !is_any(name->s[0], STR("*~^+")))
		return false;
	*name = str_from(*name, 1);
	return true;
}

/* Cuts V8's kind and mark of code off the beginning of *NAME and adds the kind as current versions
 * spell it. LOCATED: it ends in a line. */
static bool
put_kind(struct buf *b, struct str *name, bool located)
{
	static const struct {
		struct str old, now;
	} kinds[] = { { { "JS:", 3 }, { "JS:", 3 } },
		{ { "LazyCompile:", 12 }, { "JS:", 3 } },
		{ { "Function:", 9 }, { "JS:", 3 } },
		{ { "Script:", 7 }, { "Script:", 7 } },
		{ { "Eval:", 5 }, { "Eval:", 5 } } };
	struct str rest;
	size_t i;

	for (i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		rest = str_from(*name, kinds[i].old.n);
		if (!str_starts(*name, kinds[i].old) || (!cut_mark(&rest) && !located))
			continue;
		buf_str(b, kinds[i].now);
		*name = rest;
		return true;
	}
	return false;
}

/* Whether LINE is the start of a script and NAMED has no function: the code of the script itself,
 * which does not move. */
static bool
is_whole_script(struct str named, struct str line)
{
	static const char *const unnamed[] = { "", "(anonymous", "(anonymous)",
		"<anonymous>", NULL };
	size_t i;

	for (i = 0; unnamed[i]; i++)
		if (str_eq(str_trim(named), str_of(unnamed[i])))
			return str_eq(line, STR(":1")) || str_eq(line, STR(":1:1"));
	return false;
}

/* Adds SYMBOL without V8's marks and lines. */
static void
put_located(struct buf *b, struct str symbol)
{
	struct located l = { 0 };
	bool located = find_location(symbol, &l), script = located && is_script(l.file);
	bool blank = str_find(l.named, ' ') < l.named.n;
	struct str text = symbol;

	if (put_kind(b, &text, located && blank))
		located = located && blank;
	else if (located && (script || ends_in(l.file, SOURCES)) && l.named.n)
		(void)(script && blank && cut_mark(&text));
	else
		located = false;
	if (!located ||
		is_whole_script(str_head(text, (size_t)(l.file.s - text.s)), l.line)) {
		put_symbol(b, text);
		return;
	}
	put_symbol(b, str_head(text, (size_t)(l.line.s - text.s)));
	buf_str(b, l.closer);
}

void
frame_put_stable(struct buf *b, struct str name)
{
	struct str bare = name, symbol, body;
	size_t head, was;

	(void)frame_cut_annotation(&bare);
	symbol = frame_module(bare).n ? frame_cut_module(bare) : bare;
	head = bare.n - symbol.n;
	body = frame_cut_offset(symbol);
	buf_str(b, str_head(name, head));
	was = b->n;
	if (!frame_in_brackets(bare).n)
		put_located(b, body);
	if (b->n == was)
		buf_str(b, body);
	buf_str(b, str_from(name, head + body.n));
}
