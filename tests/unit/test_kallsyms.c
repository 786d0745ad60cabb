/* SPDX-License-Identifier: ISC */
/* Symbols of a kernel from text: kallsyms.h. */
#include "kallsyms.h"
#include "buf.h"
#include "unit.h"

static struct str
name_at(struct symtab *t, uint64_t address)
{
	const struct symtab_symbol *s = symtab_find(t, address);

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
	struct symtab *t = kallsyms_parse(STR(sample));

	CHECK(t != NULL);
	/* The last of two names for one place, as perf has it. */
	CHECK_STR(name_at(t, 0xffffffff81000000), STR("_text"));
	CHECK_STR(name_at(t, 0xffffffff8100003f), STR("_text"));
	CHECK_STR(name_at(t, 0xffffffff81000040), STR("local_function"));
	CHECK_STR(name_at(t, 0xffffffff8100008f), STR("weak_function"));
	CHECK_STR(name_at(t, 0xffffffff81000090), STR("weak_too"));
	CHECK_STR(name_at(t, 0xffffffff810000a8), STR("weak_too")); /* data is none */
	CHECK_STR(name_at(t, 0xffffffffa0000010), STR("bpf_prog_6deef7357e7b4530"));
	CHECK_STR(name_at(t, 0xfff), STR("(none)"));
	symtab_free(t);
}

UNIT(kinds_of_symbols)
{
	struct symtab *t = kallsyms_parse(STR(sample));
	const struct symtab_symbol *s;

	CHECK((s = symtab_find(t, 0xffffffff81000001)) && s->binding == ELF_GLOBAL);
	CHECK(s && s->module.n == 0);
	CHECK((s = symtab_find(t, 0xffffffff81000041)) && s->binding == ELF_LOCAL);
	CHECK((s = symtab_find(t, 0xffffffff81000081)) && s->binding == ELF_WEAK);
	s = symtab_find(t, 0xffffffffc0000000);
	CHECK(s && str_eq(s->module, STR("[ext4]")));
	CHECK_STR(name_at(t, 0xffffffffc0000000), STR("ext4_fill_super"));
	s = symtab_find(t, 0xffffffffc0000100);
	CHECK(s && str_eq(s->module, STR("[jbd2]")));
	symtab_free(t);
}

UNIT(hidden_addresses_are_no_table)
{
	CHECK(kallsyms_parse(STR("")) == NULL);
	CHECK(kallsyms_parse(STR("0000000000000000 T _text\n"
				 "0000000000000000 t f\t[m]\n")) == NULL);
	CHECK(kallsyms_parse(STR("ffffffff81000000 D only_data\n")) == NULL);
}

UNIT(other_lines_are_passed_over)
{
	struct symtab *t = kallsyms_parse(STR("\n"
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
	symtab_free(t);
}

/* Unless the kernel hides it: then there is none. */
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
