/* SPDX-License-Identifier: ISC */
/* Names of modules; see module.h. */
#include "module.h"

/* "/lib/libc.so+0x1234" is what perf script -F +dsoff makes of it. */
static struct str
cut_offset(struct str module)
{
	size_t plus = str_rfind(module, '+');
	uint64_t offset;

	if (!str_starts(str_from(module, plus), STR("+0x")) ||
		!str_hex_to_u64(str_from(module, plus + 3), &offset))
		return module;
	return str_head(module, plus);
}

struct str
module_base(struct str module)
{
	struct str deleted = STR(" (deleted)"), base;

	if (str_ends(module, deleted))
		module.n -= deleted.n;
	module = cut_offset(module);
	base = str_base(module);
	return base.n ? base : module;
}

bool
module_is_kernel(struct str module)
{
	/* In brackets, but of the process. */
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
module_is_jit(struct str module)
{
	return (str_starts(module, STR("/tmp/perf-")) && str_ends(module, STR(".map"))) ||
		(str_search(module, STR("/jitted-")) < module.n &&
			str_ends(module, STR(".so")));
}

bool
module_is_file(struct str module)
{
	return str_starts(module, STR("/")) && !str_starts(module, STR("//")) &&
		!str_starts(module, STR("/memfd:")) && !module_is_jit(module);
}

unsigned
module_python(struct str base)
{
	enum { MOST = 1000 };
	unsigned n = 0;

	if (str_starts(base, STR("lib")))
		base = str_from(base, 3);
	if (!str_starts(base, STR("python3.")))
		return 0;
	for (base = str_from(base, 8); base.n && str_is_digit(base.s[0]) && n < MOST;
		base = str_from(base, 1))
		n = n * 10 + (unsigned)(base.s[0] - '0');
	return n;
}
