#!/bin/sh
# SPDX-License-Identifier: ISC
# Compares the index of inlined functions with libdw, and some of it with addr2line, on programs of several
# compilers and kinds of debug information. A line of NAME: what agreed.
set -u
cd "$(dirname "$0")/../.." || exit 2
oracle=$PWD/${BUILD:-build/plain}/oracle/inlines
ours=$PWD/${BIN:-bin}/fg-svg
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
trap 'exit 2' HUP INT TERM
. tests/oracle/programs/build.sh

# compare NAME FILE [REFERENCE]: whole chains at 20,000 places, as libdw sees REFERENCE.
compare() {
	if text=$("$oracle" "$2" 20000 ${3+"$3"} 2>&1); then
		outcome "$1" pass "$text"
	else
		outcome "$1" fail "$text"
	fi
}

# The same for another machine, without its libraries.
foreign() {
	name=$1 target=$2
	shift 2
	small "$name" clang "--target=$target" -ffreestanding -DFREESTANDING -nostdlib -static -fuse-ld=lld "$@"
}

c_programs() {
	for v in 2 3 4 5; do
		small "gcc-dwarf$v" gcc "-gdwarf-$v"
		small "clang-dwarf$v" clang "-gdwarf-$v"
	done
	small gcc-dwarf64 gcc -gdwarf64
	small gcc-lto gcc -flto
	small clang-lto clang -flto -fuse-ld=lld
	small gcc-gc gcc -ffunction-sections -Wl,--gc-sections
	small clang-gc-lld clang -ffunction-sections -fuse-ld=lld -Wl,--gc-sections
	small clang-icf-lld clang -ffunction-sections -fuse-ld=lld -Wl,--icf=all
	small clang-aranges clang -gdwarf-aranges
	small gcc-aarch64 aarch64-linux-gnu-gcc
	foreign clang-arm32 arm-linux-gnueabi
	foreign clang-arm32-base0 arm-none-eabi -ffunction-sections -Wl,--gc-sections -Wl,-Ttext=0
	foreign clang-mips32-big-endian mips-linux-gnu
	foreign clang-mips64-big-endian mips64-linux-gnuabi64 -gdwarf-4
	foreign clang-riscv32 riscv32-unknown-elf
}

cc_programs() {
	large g++ g++
	large g++-O3-dwarf4-types g++ -O3 -gdwarf-4 -fdebug-types-section
	large g++-types g++ -fdebug-types-section
	large g++-zlib g++ -gz=zlib
	large clang++ clang++
	large clang++-gc-lld clang++ -ffunction-sections -fdata-sections -fuse-ld=lld -Wl,--gc-sections,--icf=all
	program rust rustc rustc -O -C debuginfo=2 "$programs/inlines.rs"
	program rust-debug-v0 rustc rustc -C opt-level=1 -C debuginfo=2 -C symbol-mangling-version=v0 "$programs/inlines.rs"
	large g++-lto g++ -flto
}

# What other tools make of these, which must not change what is found.
changed_programs() {
	if [ -f "$tmp/g++" ] && has dwz; then
		cp "$tmp/g++" "$tmp/dwz-one" && cp "$tmp/g++" "$tmp/dwz-a" && cp "$tmp/gcc-dwarf5" "$tmp/dwz-b"
		cp "$tmp/g++-O3-dwarf4-types" "$tmp/dwz-c"
		dwz "$tmp/dwz-one" 2>/dev/null
		compare dwz "$tmp/dwz-one" "$tmp/g++"
		if dwz -m "$tmp/dwz-shared" -r "$tmp/dwz-a" "$tmp/dwz-b" "$tmp/dwz-c" 2>"$tmp/dwz.log"; then
			compare dwz-shared "$tmp/dwz-a" "$tmp/g++"
			compare dwz-shared-libdw "$tmp/dwz-a"
		else
			outcome dwz-shared skip "dwz cannot: $(head -n 1 "$tmp/dwz.log")"
		fi
	else
		outcome dwz skip 'dwz is not installed'
	fi
	objcopy --compress-debug-sections=zlib-gnu "$tmp/g++" "$tmp/zdebug" && compare zdebug "$tmp/zdebug"
	if objcopy --compress-debug-sections=zstd "$tmp/g++" "$tmp/zstd" 2>/dev/null; then
		compare zstd "$tmp/zstd" "$tmp/g++"
	else
		outcome zstd skip 'objcopy has no zstd'
	fi
	objcopy --only-keep-debug "$tmp/g++" "$tmp/debug" && compare only-debug "$tmp/debug" "$tmp/g++"
}

# split NAME COMPILER PACKER OPTION...: units in .dwo files, or packed by PACKER unless that is -, are those of the same
# program that is not split. Packers that crash are left out: both do on some input.
split() {
	name=$1 compiler=$2 packer=$3
	shift 3
	case $compiler in
	*++) set -- -std=c++17 "$@" "$programs/inlines.cc" "$programs/inlines-other.cc" ;;
	*) set -- "$@" "$programs/inlines.c" "$programs/inlines-main.c" ;;
	esac
	if ! has "$compiler" || { [ "$packer" != - ] && ! has "$packer"; }; then
		outcome "$name" skip "$compiler or $packer is not installed"
		return
	fi
	mkdir "$tmp/$name.d" && cd "$tmp/$name.d" || return
	"$compiler" -O2 "$@" -o whole && "$compiler" -O2 -gsplit-dwarf "$@" -o split || return
	if [ "$packer" = - ]; then
		compare "$name" split whole
	elif timeout 20 "$packer" -e split -o split.dwp >log 2>&1; then
		rm -- *.dwo
		compare "$name" split whole
	else
		outcome "$name" skip "$packer cannot pack it"
	fi
	cd - >/dev/null || return
}

split_programs() {
	for v in 4 5; do
		for compiler in gcc clang g++ clang++; do
			split "$compiler-split$v" "$compiler" - "-gdwarf-$v"
			split "$compiler-dwp$v" "$compiler" dwp "-gdwarf-$v"
			split "$compiler-llvm-dwp$v" "$compiler" llvm-dwp "-gdwarf-$v"
		done
		split "g++-split$v-types" g++ - "-gdwarf-$v" -fdebug-types-section
		split "g++-dwp$v-types" g++ llvm-dwp "-gdwarf-$v" -fdebug-types-section
		split "clang++-split$v-types" clang++ - "-gdwarf-$v" -fdebug-types-section
	done
	split gcc-split64 gcc - -g -gdwarf64
	split gcc-split-zlib gcc - -g -gz=zlib
	split clang-split-lld clang - -g -fuse-ld=lld -ffunction-sections -Wl,--gc-sections
	split clang-split-inlining clang - -g -fsplit-dwarf-inlining
	split gcc-split-sections gcc - -g -ffunction-sections -Wl,--gc-sections
	# Without the files, what is missing is said.
	split gcc-split-missing gcc - -g
	rm "$tmp/gcc-split-missing.d/"*.dwo
	text=$("$oracle" "$tmp/gcc-split-missing.d/split" 1000)
	case $text in
	*' 2 units missing, '*) outcome gcc-split-missing pass "$text" ;;
	*) outcome gcc-split-missing fail "$text" ;;
	esac
}

# object NAME LINKER COMMAND...: an object, whose DWARF is relocated here, is the program that LINKER makes of it with the
# same layout.
object() {
	name=$1 linker=$2
	shift 2
	if ! has "$1" || ! has "$linker"; then
		outcome "$name" skip "$1 or $linker is not installed"
	elif ! "$@" -O2 -c -o "$tmp/$name.o" >"$tmp/$name.log" 2>&1; then
		outcome "$name" skip "$1 cannot build it: $(head -n 1 "$tmp/$name.log")"
	elif ! "$linker" --no-relax --unresolved-symbols=ignore-all -e 0 -T "$tmp/layout" -o "$tmp/$name" "$tmp/$name.o" \
		>"$tmp/$name.log" 2>&1; then
		outcome "$name" skip "$linker cannot link it: $(head -n 1 "$tmp/$name.log")"
	else
		compare "$name" "$tmp/$name.o" "$tmp/$name"
	fi
}

objects() {
	echo 'SECTIONS { .text 0x100000 : { *(.text .text.*) } }' >"$tmp/layout"
	for v in 4 5; do
		for compiler in gcc clang; do
			object "$compiler-object$v" ld $compiler "-gdwarf-$v" "$programs/inlines.c"
			object "$compiler-object$v-sections" ld $compiler "-gdwarf-$v" -ffunction-sections "$programs/inlines.c"
		done
		object "g++-object$v" ld g++ -std=c++17 "-gdwarf-$v" "$programs/inlines.cc"
		object "clang++-object$v" ld clang++ -std=c++17 "-gdwarf-$v" "$programs/inlines.cc"
		for target in i386-linux-gnu aarch64-linux-gnu riscv64-linux-gnu riscv32-unknown-elf arm-linux-gnueabi; do
			object "${target%%-*}-object$v" ld.lld clang --target=$target -ffreestanding -DFREESTANDING "-gdwarf-$v" \
				"$programs/inlines.c"
		done
		object "riscv64-gcc-object$v" riscv64-linux-gnu-ld riscv64-linux-gnu-gcc "-gdwarf-$v" "$programs/inlines.c"
		object "aarch64-gcc-object$v" aarch64-linux-gnu-ld aarch64-linux-gnu-gcc "-gdwarf-$v" "$programs/inlines.c"
	done
	object gcc-object-zlib ld gcc -g -gz=zlib "$programs/inlines.c"
	object gcc-object64 ld gcc -g -gdwarf64 "$programs/inlines.c"
}

# second_opinion NAME: what addr2line says at 2,000 places of functions.
second_opinion() {
	nm -S --defined-only "$tmp/$1" | awk 'NF == 4 && $3 ~ /^[tTwW]$/ { print $1, $2 }' | head -n 500 |
		while read -r start size; do
			for k in 0 3 11 29; do
				printf '%x\n' $((0x$start + 0x$size * k / 32))
			done
		done | sort -u >"$tmp/$1.places"
	"$oracle" -p "$tmp/$1" <"$tmp/$1.places" >"$tmp/$1.ours"
	sed 's/^/0x/' "$tmp/$1.places" | addr2line -a -i -f -e "$tmp/$1" |
		awk '/^0x[0-9a-f]*$/ { print; odd = 0; next } { odd = !odd } odd' >"$tmp/$1.theirs"
	# One line for each place: its names, in tabs.
	for who in ours theirs; do
		awk '/^0x/ { if (line) print line; line = $0; next } { line = line "\t" $0 } END { print line }' \
			"$tmp/$1.$who" >"$tmp/$1.$who.lines"
	done
	# Theirs name functions without DWARF from the symbol table; ours have none there. Where a function has
	# no linkage name (templates of local types), theirs often put the symbol at the place in its stead, which
	# is right for the outermost one alone.
	paste -d '\n' "$tmp/$1.ours.lines" "$tmp/$1.theirs.lines" | awk -F '\t' '
	NR % 2 { line = $0; n = split($0, ours, "\t"); next }
	n < 2 { next }
	{
		asked++
		wrong = n != NF
		for (i = 2; i <= n; i++)
			wrong += ours[i] != $i && (ours[i] ~ /^_[ZR]/ || $i !~ /^_Z|^main/) &&
				substr(ours[i], length(ours[i]) - length($i) - 1) != "::" $i
		same += !wrong
	}
	wrong && shown++ < 3 { print "addr2line: " $0 " ours: " line }
	END { print same + 0, asked + 0 }' >"$tmp/$1.opinion"
	set -- "$1" "$(tail -n 1 "$tmp/$1.opinion")"
	if [ "${2% *}" = "${2#* }" ] && [ "${2% *}" -gt 100 ]; then
		outcome "addr2line-$1" pass "the same chains at $2 places"
	else
		outcome "addr2line-$1" fail "$(cat "$tmp/$1.opinion")"
	fi
}

c_programs >"$tmp/c.txt" &
cc_programs >"$tmp/cc.txt"
wait
cat "$tmp/c.txt" "$tmp/cc.txt"
changed_programs
split_programs
objects
compare fg-svg "$ours"
for p in g++ rust; do
	[ -f "$tmp/$p" ] && second_opinion $p
done
sum_outcomes
