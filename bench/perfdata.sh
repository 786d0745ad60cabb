#!/bin/sh
# SPDX-License-Identifier: ISC
# Measures fg-collapse on perf.data against perf script: processor time, wall time and memory on recordings that
# it makes, of a compiler with frame pointers and of programs by stack snapshots. LIMIT (120) is the timeout
# in seconds for perf script with inlined frames: its time is then a lower bound.
# shellcheck disable=SC2016,SC2086 # scripts for the shell that is measured; options are words
set -u
cd "$(dirname "$0")/.." || exit 2
. bench/table.sh
LIMIT=${LIMIT:-120}
snapshot='--call-graph dwarf,8192'

record() {
	perf record -q -e cpu-clock -F 4999 $OPTIONS -o "$here/$1" -- sh -c "$2" >/dev/null 2>&1
}

# The command of make_once prints the file; perf writes it itself.
record_once() {
	[ -s "$here/$1" ] && return
	say "recording $1" >&2
	record "$1.new" "$2" && mv "$here/$1.new" "$here/$1"
}

# Sources for the recorded compilers.
make_sources() {
	[ -s $here/big.cc ] && return
	{
		echo '#include <algorithm>'
		for h in map string vector regex functional unordered_map iostream memory; do echo "#include <$h>"; done
		i=0
		while [ $i -lt 120 ]; do
			echo "int f$i(const std::string &s) { std::regex r(\"a+b$i\"); std::map<std::string, std::vector<int>> m;"
			echo "m[s].push_back($i); std::sort(m[s].begin(), m[s].end(), [](int a, int b) { return a > b; });"
			echo "return std::regex_match(s, r) ? m.size() : $i; }"
			i=$((i + 1))
		done
	} >$here/big.cc
	awk 'BEGIN { for (i = 0; i < 6000; i++)
		print "pub fn f" i "(v: &mut Vec<u64>) -> u64 { v.sort(); v.iter().map(|x| x ^ " i ").filter(|x| x % 3 == 0).sum() }" }' \
		>$here/big.rs
}

make_programs() {
	[ -x $here/inlined ] || c++ -O2 -g -o $here/inlined bench/inlined.cc || exit 2
	# Loaded at its link-time addresses, for addr2line.
	[ -x $here/fixed ] || c++ -O2 -g -no-pie -o $here/fixed bench/inlined.cc || exit 2
}

# The number of samples in recording $1.
count_samples() {
	bin/fg-collapse -q --event-filter '*' --weight samples "$here/$1" | sed -n 's/^#fg.* samples=\([0-9]*\).*/\1/p'
}

# Two or three lines on recording $1: goal of processor time $2, goal of wall time $3 ('' for none: a recording
# without snapshots, where nothing is inlined). perf script --no-inline is compared with fg-collapse
# --no-inline.
compare() {
	file=$here/$1 alike=''
	[ "$3" ] && alike=--no-inline
	ours=$($tools/measure "$RUNS" file "$file" bin/fg-collapse -q "$file")
	bare=$($tools/measure "$RUNS" file "$file" bin/fg-collapse -q $alike "$file")
	plain=$($tools/measure 2 file "$file" sh -c 'perf script --no-inline -i "$1" 2>/dev/null | bin/fg-collapse -q' sh "$file")
	full='' limited=''
	if [ "$3" ]; then
		start=$(date +%s%N)
		timeout "$LIMIT" sh -c 'perf script -i "$1" 2>/dev/null | bin/fg-collapse -q >/dev/null' sh "$file" || limited='>'
		full=$((($(date +%s%N) - start) / 1000000))
	fi
	samples=$(count_samples "$1")
	echo "$1|$(wc -c <"$file")|$samples|$ours|$plain|$full|$limited|$2|$3|$bare" | awk -F'|' '{
		split($4, own, " ")
		split($5, perf, " ")
		split($10, bare, " ")
		printf "%-14s %4.0f MB %7d samples %8.1f ms wall %8.1f ms cpu %5.2f us/sample %6.1f MiB\n", $1, $2 / 1e6, $3,
			own[1], own[3], own[3] * 1000 / $3, own[2]
		printf "  perf script --no-inline %8.1f ms cpu: %5.1f x", perf[3], perf[3] / bare[3]
		if ($9) printf " with --no-inline (%.1f ms), %.1f x without", bare[3], perf[3] / own[3]
		printf " (goal %s)\n", $8
		if ($6) printf "  perf script %s%d ms wall: %s%.0f x (goal %s)\n", $7, $6, $7, $6 / own[1], $9
	}'
}

# The extra cost of inlined frames in recording $1 if the C library has debug information, goal $2 ms.
compare_debug() {
	file=$here/$1
	ours=$($tools/measure "$RUNS" file "$file" bin/fg-collapse -q "$file")
	bare=$($tools/measure "$RUNS" file "$file" bin/fg-collapse -q --no-inline "$file")
	echo "$1|$ours|$bare|$2" | awk -F'|' '{
		split($2, own, " ")
		split($3, bare, " ")
		printf "%-14s inlined frames of the C library %8.1f ms cpu more than --no-inline (goal %s), %6.1f MiB\n", $1,
			own[3] - bare[3], $4, own[2]
	}'
}

# The cost of source lines for recording $1 of the program $2: the extra cost in fg-collapse, and the cost of
# perf script, perf annotate and addr2line, the last for the program's own addresses.
compare_lines() {
	file=$here/$1
	lines=$($tools/measure "$RUNS" file "$file" bin/fg-collapse -q --srcline "$file")
	bare=$($tools/measure "$RUNS" file "$file" bin/fg-collapse -q "$file")
	perf script --no-inline -F ip -i "$file" 2>/dev/null |
		awk '{ print $1 }' | grep -E '^[0-9a-f]{6}$' | sort -u >$here/addresses
	theirs=$($tools/measure 2 file $here/addresses addr2line -i -f -e "$2")
	start=$(date +%s%N) limited=''
	timeout "$LIMIT" sh -c 'perf script -F +srcline -i "$1" >/dev/null 2>&1' sh "$file" || limited='>'
	script=$((($(date +%s%N) - start) / 1000000))
	listing=$($tools/measure 2 file "$file" sh -c 'bin/fg-collapse -q --srcline --full-names "$1" | bin/fg-annotate -q' sh "$file")
	annotate=$($tools/measure 1 file "$file" perf annotate -q --stdio -i "$file")
	echo "$1|$(wc -l <$here/addresses)|$lines|$bare|$theirs|$script|$limited|$listing|$annotate" | awk -F'|' '{
		split($3, own, " ")
		split($4, bare, " ")
		split($5, theirs, " ")
		split($8, listing, " ")
		split($9, annotate, " ")
		printf "%-14s --srcline %8.1f ms cpu, %5.1f ms more than without, %6.1f MiB\n", $1, own[3], own[3] - bare[3], own[2]
		printf "  perf script -F +srcline %s%d ms wall: %s%.0f x\n", $7, $6, $7, $6 / own[1]
		printf "  addr2line -i of its %d addresses: %.1f ms cpu, %.1f MiB\n", $2, theirs[3], theirs[2]
		printf "  perf annotate --stdio %.1f ms cpu: %.1f x fg-collapse | fg-annotate (%.1f ms)\n", annotate[3],
			annotate[3] / listing[3], listing[3]
	}'
}

perf record -q -o $here/perf.data -- true >/dev/null 2>&1 || {
	say 'perf records nothing here: perf.data is not measured'
	exit 0
}
make_sources
make_programs
OPTIONS=-g
if command -v rustc >/dev/null; then
	record_once compiler.data "rustc -O --crate-type lib -o $here/big.rlib $here/big.rs"
else
	record_once compiler.data "clang -O2 -c -o $here/big.o $here/big.cc"
fi
OPTIONS=$snapshot
record_once gcc.data "c++ -O2 -c -o $here/big.o $here/big.cc"
record_once python.data "python3 bench/work.py"
record_once node.data "node bench/work.js"
record_once inlined.data "$here/inlined"
say "perf.data: $(perf --version), ratios to it"
compare compiler.data '15 x' ''
for name in gcc python node inlined; do compare $name.data '10 x' '30 x'; done
if ls /usr/lib/debug/.build-id/*/*.debug >/dev/null 2>&1; then
	record_once sort.data "seq 400000 | sort -R | sort"
	compare_debug sort.data 25
fi
record_once lines.data "$here/fixed"
if command -v addr2line >/dev/null; then compare_lines lines.data $here/fixed; fi
