#!/bin/sh
# SPDX-License-Identifier: ISC
# Call frame information of many files, those made here and those that are installed, against libdw's.
set -u
cd "$(dirname "$0")/../.." || exit 2
oracle=$PWD/${BUILD:-build/plain}/oracle/cfi
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
trap 'exit 2' HUP INT TERM
skipped=0

skip() {
	echo "$1: skipped"
	skipped=$((skipped + 1))
}

# make NAME COMMAND...: builds $tmp/NAME by COMMAND -o FILE.
make() {
	name=$1
	shift
	if ! command -v "$1" >/dev/null; then
		skip "$name: $1 is not installed"
	elif ! "$@" -o "$tmp/$name" >"$tmp/log" 2>&1; then
		rm -f "$tmp/$name"
		skip "$name: $1 cannot build it: $(head -n 1 "$tmp/log")"
	fi
}

# large NAME COMPILER FLAGS...: a C++ program; small: a C one, which need not have .eh_frame.
large() {
	make "$@" -pthread tests/oracle/programs/unwind.cc
}
small() {
	make "$@" -std=c11 -D_POSIX_C_SOURCE=200809L -Icommon tests/torture.c
}

large gcc-O2 g++ -O2
large gcc-O0 g++ -O0
large gcc-frame-pointer g++ -O2 -fno-omit-frame-pointer
large gcc-static g++ -O2 -static
large gcc-stripped g++ -O2 -s
large gcc-no-table g++ -O2 -Wl,--no-eh-frame-hdr
large gcc-avx g++ -O3 -mavx512f
large gcc-large-model g++ -O2 -mcmodel=large
large clang-O2 clang++ -O2
large clang-lld clang++ -O2 -fuse-ld=lld
large aarch64-O2 aarch64-linux-gnu-g++ -O2
large aarch64-signed aarch64-linux-gnu-g++ -O2 -mbranch-protection=standard
large aarch64-static aarch64-linux-gnu-g++ -O2 -static
small gcc-debug-frame gcc -O2 -g -fno-asynchronous-unwind-tables
small gcc-debug-frame-compressed gcc -O2 -g -gz -fno-asynchronous-unwind-tables
small gcc-debug-frame-alone gcc -O2 -g -fno-asynchronous-unwind-tables -nostdlib -shared -fPIC -Wl,--no-eh-frame-hdr
small clang-debug-frame clang -O2 -gdwarf-5 -fno-asynchronous-unwind-tables
small aarch64-debug-frame aarch64-linux-gnu-gcc -O2 -g -fno-asynchronous-unwind-tables
make rust rustc -g -O tests/oracle/programs/unwind.rs

set -- "$tmp"/[a-z]*-* "$tmp"/rust
lib=/usr/lib/x86_64-linux-gnu
for f in "$lib"/libc.so.6 "$lib"/ld-linux-x86-64.so.2 "$lib"/libstdc++.so.6 "$lib"/libgcc_s.so.1 "$lib"/libm.so.6 \
	"$lib"/libcrypto.so.3 /usr/aarch64-linux-gnu/lib/libc.so.6 /usr/aarch64-linux-gnu/lib/ld-linux-aarch64.so.1 \
	"$(command -v node)" "$(command -v python3)" "$(gcc -print-prog-name=cc1plus)" "$(gcc -print-prog-name=cc1)" \
	"${BIN:-bin}"/fg-collapse "${BIN:-bin}"/fg-svg; do
	[ ! -f "$f" ] || set -- "$@" "$f"
done
# What is a script (of pyenv, say) is no program.
for f; do
	shift
	[ -f "$f" ] && [ "$(head -c 4 "$f" | tail -c 3)" = ELF ] && set -- "$@" "$f"
done
"$oracle" -n 50000 "$@" >"$tmp/out"
sed -e '$d' -e "s,$tmp/,," "$tmp/out"
echo "$(tail -n 1 "$tmp/out"), $skipped skipped"
