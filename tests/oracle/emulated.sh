#!/bin/sh
# SPDX-License-Identifier: ISC
# Unwinds snapshots of other processors, which a program takes of itself in QEMU (programs/sampled.c), and of this one.
# Each stack must have the functions that the program noted itself, but where a sample fell between a function's begin
# and its note; and it must reach the program's entry.
set -u
cd "$(dirname "$0")/../.." || exit 2
program=tests/oracle/programs/sampled.c
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
trap 'exit 2' HUP INT TERM
PATH=$PWD/${BIN:-bin}:$PATH
passed=0 failed=0 skipped=0

skip() {
	echo "$1: skipped: $2"
	skipped=$((skipped + 1))
}

# The share of the stacks of $tmp/folded that are those of $tmp/noted, by functions of the program, then that of those
# which have an entry.
judge() {
	awk '
	function own(stack,    part, n, i, text) {
		n = split(stack, part, ";")
		for (i = 1; i <= n; i++)
			if (sub(/\.[a-z.0-9]*$/, "", part[i]) + 1 && part[i] ~ /^(main|burn|recurse|varying|sort|compare)$/)
				text = text (text == "" ? "" : ";") part[i]
		return text
	}
	FNR == NR { noted[$0]++; total++; next }
	/^#/ { next }
	{
		weight = $NF
		sub(/ [0-9]+$/, "")
		if ($0 ~ /^[^;]*;(_start|__libc_start_)[^;]*;/) entry += weight
		name = own($0)
		found = weight < noted[name] ? weight : noted[name] + 0
		same += found
		noted[name] -= found
	}
	END { printf "%.1f %.1f %d\n", 100 * same / total, 100 * entry / total, total }' "$tmp/noted" "$tmp/folded"
}

# unwound NAME SAME ENTRY EMULATOR COMPILER FLAGS...: SAME and ENTRY percent pass.
unwound() {
	name=$1 same=$2 entry=$3 emulator=$4
	shift 4
	for need in "${emulator%% *}" "$1"; do
		command -v "$need" >/dev/null || {
			skip "$name" "$need is not installed"
			return
		}
	done
	if ! "$@" -std=gnu11 -o "$tmp/$name" $program >"$tmp/log" 2>&1; then
		skip "$name" "$1 cannot build it: $(head -n 1 "$tmp/log")"
		return
	fi
	# shellcheck disable=SC2086 # the emulator's options
	if ! $emulator "$tmp/$name" 600 3>"$tmp/data" 4>"$tmp/noted" 2>"$tmp/log"; then
		skip "$name" "it does not run here: $(head -n 1 "$tmp/log")"
		return
	fi
	fg-collapse -q --no-inline --weight samples "$tmp/data" >"$tmp/folded" 2>"$tmp/log"
	judge >"$tmp/share"
	read -r is_same has_entry samples <"$tmp/share"
	printf '%-24s %5s %% of %d stacks as noted, %5s %% reach the entry\n' "$name" "$is_same" "$samples" "$has_entry"
	if awk "BEGIN { exit !($is_same >= $same && $has_entry >= $entry && $samples >= 600) }"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		cut -c1-200 "$tmp/log"
	fi
	rm -f "$tmp/$name"
}

fp='-fno-omit-frame-pointer -fno-asynchronous-unwind-tables -fno-unwind-tables -DNO_SORT'
arm='aarch64-linux-gnu-gcc -static' riscv='riscv64-linux-gnu-gcc -static' tables=-fasynchronous-unwind-tables
# shellcheck disable=SC2086 # several words each
{
	unwound x86-64 94 99 env gcc -O2
	unwound x86-64-pointers 94 99 env gcc -O0 $fp -static
	# The C library's memcpy for i386 has wrong entries; its function that calls main is never named.
	unwound i386 80 80 env gcc -m32 -O2 -static
	unwound i386-own 94 99 env gcc -m32 -O2 -static -DNO_SORT
	unwound i386-realigned 94 99 env gcc -m32 -O1 -mstackrealign -static -DNO_SORT
	unwound i386-pointers 94 99 env gcc -m32 -O0 $fp -static
	unwound aarch64 94 99 qemu-aarch64 $arm -O2
	unwound aarch64-signed 94 99 'qemu-aarch64 -cpu max' $arm -O2 -march=armv8.3-a -mbranch-protection=standard
	unwound aarch64-pointers 94 99 qemu-aarch64 $arm -O0 $fp
	# Most of the C library for RISC-V has no entries: memcpy is one of those.
	unwound riscv64 80 80 qemu-riscv64 $riscv -O2 $tables
	unwound riscv64-own 94 99 qemu-riscv64 $riscv -O2 $tables -DNO_SORT
	unwound riscv64-pointers 94 90 qemu-riscv64 $riscv -O0 $fp
}
echo "$passed passed, $failed failed, $skipped skipped"
