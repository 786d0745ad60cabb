/* SPDX-License-Identifier: ISC */
/* Kernel symbols from text: kallsyms.h. */
#include "symbols/kallsyms.h"
#include "buf.h"
#include "unit.h"

static struct str
name_at(struct kallsyms *t, uint64_t address)
{
	const struct symtab_symbol *s = kallsyms_find(t, address);

	return s ? s->name : STR("(none)");
}

static const char sample[] = "0000000000000000 A fixed_percpu_data\n"
			     "0000000000001000 D cpu_info\n"
			     "ffffffff81000000 T _stext\n"
			     "ffffffff81000000 T _text\n"
			     "ffffffff81000040 t local_function\n"
			     "ffffffff81000080 W weak_function\n"
			     "ffffffff81000090 w weak_too\n"
			     "ffffffff810000a0 d data_of_text\n"
			     "ffffffff810000c0 B bss\n"
			     "ffffffff810000e0 T _etext\n"
			     "ffffffffc0000000 t ext4_fill_super\t[ext4]\n"
			     "ffffffffc0000100 t jbd2_start\t[jbd2]\r\n"
			     "ffffffffa0000000 t bpf_prog_6deef7357e7b4530\t[bpf]";

UNIT(functions_by_address)
{
	struct kallsyms *t = kallsyms_parse(STR(sample));

	CHECK(t != NULL);
	/* The last of two names at one address, as in perf. */
	CHECK_STR(name_at(t, 0xffffffff81000000), STR("_text"));
	CHECK_STR(name_at(t, 0xffffffff8100003f), STR("_text"));
	CHECK_STR(name_at(t, 0xffffffff81000040), STR("local_function"));
	CHECK_STR(name_at(t, 0xffffffff8100008f), STR("weak_function"));
	CHECK_STR(name_at(t, 0xffffffff81000090), STR("weak_too"));
	CHECK_STR(name_at(t, 0xffffffff810000a8), STR("weak_too")); /* data is ignored */
	CHECK_STR(name_at(t, 0xffffffffa0000010), STR("bpf_prog_6deef7357e7b4530"));
	CHECK_STR(name_at(t, 0xfff), STR("(none)"));
	kallsyms_free(t);
}

UNIT(kinds_of_symbols)
{
	struct kallsyms *t = kallsyms_parse(STR(sample));
	const struct symtab_symbol *s;

	CHECK((s = kallsyms_find(t, 0xffffffff81000001)) && s->binding == ELF_GLOBAL);
	CHECK(s && s->module.n == 0);
	CHECK((s = kallsyms_find(t, 0xffffffff81000041)) && s->binding == ELF_LOCAL);
	CHECK((s = kallsyms_find(t, 0xffffffff81000081)) && s->binding == ELF_WEAK);
	s = kallsyms_find(t, 0xffffffffc0000000);
	CHECK(s && str_eq(s->module, STR("[ext4]")));
	CHECK_STR(name_at(t, 0xffffffffc0000000), STR("ext4_fill_super"));
	s = kallsyms_find(t, 0xffffffffc0000100);
	CHECK(s && str_eq(s->module, STR("[jbd2]")));
	kallsyms_free(t);
}

UNIT(hidden_addresses_are_not_a_table)
{
	CHECK(kallsyms_parse(STR("")) == NULL);
	CHECK(kallsyms_parse(STR("0000000000000000 T _text\n"
				 "0000000000000000 t f\t[m]\n")) == NULL);
	CHECK(kallsyms_parse(STR("ffffffff81000000 D only_data\n")) == NULL);
}

UNIT(other_lines_are_passed_over)
{
	struct kallsyms *t = kallsyms_parse(STR("\n"
						"no symbol\n"
						"ffffffff81000000\n"
						"ffffffff81000000 \n"
						"ffffffff81000000 T\n"
						"ffffffff81000000 T \n"
						"ffffffff81000000 T \t[m]\n"
						"ffffffff81000000  T f\n"
						"ffffffff81000000 Tf\n"
						"ffffffff81000000 TT f\n"
						"fffffffff81000000 T seventeen_digits\n"
						"ffffffc008010000 t $x\n"
						" 1000 T blank\n"
						"1000 T good\n"));

	CHECK(t != NULL);
	CHECK_STR(name_at(t, 0x1000), STR("good"));
	CHECK_STR(name_at(t, 0xffffffff81000000), STR("(none)"));
	CHECK_STR(name_at(t, 0xffffffc008010000), STR("(none)"));
	kallsyms_free(t);
}

/* Text of N functions "fI" from 0x1000000 on, each with a second name and some data
 * behind it, and a module's below them: more than one read returns. */
static void
put_kernel(struct buf *b, unsigned n)
{
	unsigned i;

	buf_fmt(b, "0000000000000000 A per_cpu\n");
	for (i = 0; i < n; i++) {
		buf_fmt(b, "%016x t f%u\n", 0x1000000 + i * 0x100, i);
		buf_fmt(b, "%016x T g%u\n", 0x1000000 + i * 0x100, i);
		buf_fmt(b, "%016x d data%u\n", 0x1000000 + i * 0x100 + 0x80, i);
	}
	buf_fmt(b, "0000000000400000 t m2\t[m]\n0000000000300000 t m1\t[m]\n");
}

UNIT(long_list_is_read_where_it_is_asked)
{
	enum { N = 3000 };
	struct buf b = { 0 }, name = { 0 };
	struct kallsyms *t;
	unsigned i;

	put_kernel(&b, N);
	t = kallsyms_parse(buf_view(&b));
	CHECK(t != NULL);
	for (i = N; i-- > 0;) {
		buf_clear(&name);
		buf_fmt(&name, "g%u", i);
		CHECK_STR(name_at(t, 0x1000000 + i * 0x100), buf_view(&name));
		CHECK_STR(name_at(t, 0x1000000 + i * 0x100 + 0xff), buf_view(&name));
	}
	CHECK_STR(name_at(t, 0xffffff), STR("(none)"));
	CHECK_STR(name_at(t, 0x1000000 + N * 0x100 + 0x2000), STR("(none)"));
	CHECK_STR(name_at(t, 0x300001), STR("m1"));
	CHECK_STR(name_at(t, 0x400001), STR("m2"));
	kallsyms_free(t);
	buf_release(&name);
	buf_release(&b);
}

UNIT(long_list_out_of_order_is_read_whole)
{
	struct buf b = { 0 };
	struct kallsyms *t;
	size_t at;

	put_kernel(&b, 3000);
	/* f1500 precedes all others, far from its neighbours. */
	at = str_search(buf_view(&b), STR("000000000105dc00 t"));
	CHECK(at < b.n);
	memcpy(b.s + at, "0000000000fff000", 16);
	t = kallsyms_parse(buf_view(&b));
	CHECK_STR(name_at(t, 0x1000000), STR("g0"));
	CHECK_STR(name_at(t, 0x105dc00), STR("g1500"));
	CHECK_STR(name_at(t, 0xfff004), STR("f1500"));
	CHECK_STR(name_at(t, 0x1000000), STR("g0"));
	kallsyms_free(t);
	buf_release(&b);
}

/* Data of any length. */
UNIT(function_before_much_data_goes_on)
{
	struct buf b = { 0 };
	struct kallsyms *t;
	unsigned i;

	buf_fmt(&b, "0000000000001000 T before\n");
	for (i = 0; i < 3000; i++)
		buf_fmt(&b, "%016x d data%u\n", 0x2000 + i * 16, i);
	buf_fmt(&b, "00000000000f0000 T after\n");
	t = kallsyms_parse(buf_view(&b));
	CHECK_STR(name_at(t, 0x8000), STR("before"));
	CHECK_STR(name_at(t, 0xeffff), STR("before"));
	CHECK_STR(name_at(t, 0xf0001), STR("after"));
	kallsyms_free(t);
	buf_release(&b);
}

/* Unless the kernel hides it: then it is empty. */
UNIT(the_running_kernel_has_an_id)
{
	char id[KALLSYMS_ID];
	size_t n = kallsyms_running_id(id);

	CHECK(n <= KALLSYMS_ID);
	if (access("/sys/kernel/notes", R_OK) != 0)
		printf("skipped: no notes of the kernel\n");
	else
		CHECK(n == 0 || n >= 8);
}

UNIT_MAIN
