#!/bin/sh
# SPDX-License-Identifier: ISC
# Inlined functions, lines and instructions of the kernel. Its debug information takes a GB, so the test links
# its own vmlinux: a single function, named like one of the running kernel, at its address less the load offset.
#
#	tests/record/kernel.sh
#
# BIN is the folder of the programs (bin). Skipped where the kernel hides its addresses.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/record/suite.sh
CC=${CC:-cc}
here=$(pwd)/tests/record
hot=vfs_write

fail() {
	echo "$1"
	failed=$((failed + 1))
	head -n 3 "$tmp/said" "$tmp/folded"
}

# check NAME EXPRESSION [ARGUMENTS]...: a stack of $tmp/data, folded with the arguments, matches EXPRESSION.
# Stacks and messages stay in $tmp.
check() {
	name=$1 expression=$2
	shift 2
	if ! fg-collapse "$@" "$tmp/data" >"$tmp/folded" 2>"$tmp/said"; then
		fail "$name: cannot be folded"
	elif ! grep -q -e "$expression" "$tmp/folded"; then
		fail "$name: no stack has $expression"
	else
		passed=$((passed + 1))
	fi
}

# said NAME EXPRESSION: a message of the last check matches EXPRESSION.
said() {
	if grep -q -e "$2" "$tmp/said"; then passed=$((passed + 1)); else fail "$1: not said: $2"; fi
}

# The address $1, 16 digits, less $2; shell arithmetic has 63 bits.
lower() {
	printf '0x%s%08x' "${1%????????}" $((0x${1#????????} - $2))
}

# link ID MOVED: makes $tmp/vmlinux with the build id ID, linked MOVED lower than the kernel.
link() {
	ld -o "$tmp/vmlinux" --build-id="0x$1" --defsym=_text="$(lower "$text" "$2")" \
		-Ttext="$(lower "$start" "$2")" -e 0 "$tmp/kernel.o"
}

text=$(awk '$3 == "_text" { print $1; exit }' /proc/kallsyms)
start=$(awk -v hot=$hot '$3 == hot { print $1; exit }' /proc/kallsyms)
end=$(awk -v hot=$hot 'found { print $1; exit } $3 == hot { found = 1 }' /proc/kallsyms)
case $start in
*[!0]*) ;;
*) skip "kernel: its addresses are hidden" && sum_up && exit ;;
esac
fg-record -q -F 1999 -g fp -o "$tmp/data" dd if=/dev/zero of=/dev/null bs=16 count=1000000 2>"$tmp/said" || {
	skip "kernel: cannot be recorded: $(head -n 1 "$tmp/said")" && sum_up
	exit
}
fg-collapse "$tmp/data" 2>/dev/null | grep -q "$hot" || { skip "kernel: $hot was not sampled" && sum_up && exit; }
id=$(od -An -v -tx1 /sys/kernel/notes | tr -d ' \n' | sed 's/.*474e5500\([0-9a-f]\{40\}\).*/\1/')
$CC -g -O1 -c -fno-pie -fcf-protection=none -fno-asynchronous-unwind-tables -DHOT=$hot \
	-DSIZE="\"$((0x${end#????????} - 0x${start#????????} - 16))\"" -o "$tmp/kernel.o" "$here/kernel.c" || exit 2

place="$hot:kernel.c:16;body:kernel.c:8_\[i\]"
link "$id" 0x200000
check vmlinux "$place" --srcline --vmlinux "$tmp/vmlinux"
check vmlinux-as-elf "$place" --srcline --elf "$tmp/vmlinux"
check inlined "$hot;body_\[i\]" --inline -k "$tmp/vmlinux"
check without '^[^:]*$' --srcline --no-inline
check instructions "$hot <vmlinux@$(printf %.8s "$id")+0x[0-9a-f]*>" --asm -k "$tmp/vmlinux"
check instructions-of "^#fg-program name=vmlinux@.* id=$id path=$tmp/vmlinux" --asm -k "$tmp/vmlinux"
# The list has another name, vmlinux the lines.
sed "s/ $hot\$/ renamed/" /proc/kallsyms >"$tmp/list"
check list ';renamed' --kallsyms "$tmp/list"
check list-and-vmlinux ';renamed:kernel.c:16;body:kernel.c:8' --srcline --kallsyms "$tmp/list" -k "$tmp/vmlinux"
link "$(printf %s "$id" | tr 0-9a-f a-f0-9)" 0
check of-another-kernel ";${hot}[; ]" --srcline --vmlinux "$tmp/vmlinux"
said of-another-kernel "vmlinux: is not the recorded kernel (its build id differs)"
for wrong in --vmlinux --kallsyms; do
	if fg-collapse $wrong /dev/null "$tmp/data" >"$tmp/folded" 2>"$tmp/said"; then
		fail "$wrong takes an empty file"
	else
		said "empty-$wrong" "^fg-collapse: $wrong /dev/null: "
	fi
done
sum_up
