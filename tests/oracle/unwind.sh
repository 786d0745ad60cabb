#!/bin/sh
# SPDX-License-Identifier: ISC
# Records a compiler, programs in C++ and Rust with debug information, python and node with stack snapshots, and
# compares the chains we make of them with libdwfl's. What is not installed, or may not be recorded, is skipped.
set -u
cd "$(dirname "$0")/../.." || exit 2
oracle=$PWD/${BUILD:-build/plain}/oracle/unwind
programs=$PWD/tests/oracle/programs
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
trap 'exit 2' HUP INT TERM
passed=0 failed=0 skipped=0

skip() {
	echo "$1: skipped"
	skipped=$((skipped + 1))
}

# Whether $1 is there and a snapshot can be taken of it.
can() {
	command -v "$1" >/dev/null || { skip "$1 is not installed" && return 1; }
}

# compare NAME PERCENT HZ COMMAND...: records the command, and looks at each sample.
compare() {
	name=$1 percent=$2 hz=$3
	shift 3
	if ! perf record -q -F "$hz" -e cpu-clock:u --call-graph dwarf,32768 -o "$tmp/$name" "$@" \
		>"$tmp/log" 2>&1; then
		head -n 3 "$tmp/log"
		failed=$((failed + 1))
		return
	fi
	if "$oracle" "$percent" "$tmp/$name" >"$tmp/out" 2>&1; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
	fi
	sed -e '$d' -e "s,$tmp/,," "$tmp/out"
	rm -f "$tmp/$name"
}

if ! command -v perf >/dev/null ||
	! perf record -q -e cpu-clock:u --call-graph dwarf,4096 -o "$tmp/probe" true >/dev/null 2>&1; then
	echo 'perf cannot record here: no chains are compared'
	echo '0 passed, 0 failed, 1 skipped'
	exit 0
fi

# A compiler that is itself stripped and has no frame pointers.
can g++ && compare gcc 99.5 499 g++ -O2 -pthread -o "$tmp/optimised" "$programs/unwind.cc"
can g++ && g++ -g -O2 -pthread -o "$tmp/cc" "$programs/unwind.cc" && compare cc-program 99.5 997 "$tmp/cc" 12
can g++ && g++ -O0 -fno-omit-frame-pointer -static -pthread -o "$tmp/static" "$programs/unwind.cc" &&
	compare static-program 99.5 499 "$tmp/static" 6
can rustc && rustc -g -O -o "$tmp/rs" "$programs/unwind.rs" && compare rust-program 99.5 1999 "$tmp/rs" 40
can python3 && compare python 99.5 997 python3 "$programs/unwind.py" 50
can node && compare node 99 499 node "$programs/unwind.js" 60
echo "$passed passed, $failed failed, $skipped skipped"
