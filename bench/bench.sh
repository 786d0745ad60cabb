#!/bin/sh
# SPDX-License-Identifier: ISC
# Measures the programs, and the peers found in PATH, on inputs it makes itself.
#
#	bench/bench.sh			time and memory of the programs
#	bench/bench.sh --browser	the viewer in a browser (bench/browser.js)
#
# Each time is the best of RUNS (5), as a ratio to `wc -l` of the same file in the same run. Inputs stay in
# build/bench/; take a file away to have it made again.
set -u
cd "$(dirname "$0")/.." || exit 2
RUNS=${RUNS:-5}
here=build/bench
tools=build/plain/tools
export LC_ALL=C
mkdir -p $here || exit 2

say() {
	printf '%s\n' "$*"
}

# Makes the file $1 by the rest of the words, unless it is there.
make_once() {
	[ -s "$here/$1" ] && return
	file=$here/$1
	shift
	say "making $file"
	"$@" >"$file.new" && mv "$file.new" "$file"
}

# Compiles our sources several ways with compiler $1.
compile_all() {
	for level in -O1 -O2 -O3; do
		for f in common/*.c render/*.c collapse/*.c; do
			"$1" $level -std=c11 -D_POSIX_C_SOURCE=200809L -DHAVE_ZSTD=0 -Icommon -Irender -Icollapse \
				-c -o /dev/null "$f" 2>/dev/null
		done
	done
}

# Records a compiler. Debian's are built without frame pointers, so stacks are taken whole and unwound.
record_compiler() {
	if [ "${FG_BENCH_MADE_UP-}" ] || ! perf record -q -o $here/perf.data -- true >/dev/null 2>&1; then
		say 'perf events are not allowed here: a made-up profile instead' >&2
		$tools/generate perf 34000 random
		return
	fi
	compiler=$(command -v clang || command -v gcc || command -v cc)
	say "recording $compiler" >&2
	perf record -q -F 1499 --call-graph dwarf,16384 -o $here/perf.data -- \
		bench/bench.sh --compile "$compiler" >/dev/null 2>&1
	perf script --no-inline -i $here/perf.data 2>/dev/null
	rm -f $here/perf.data
}

# File $1 over and over until it has 120 MB.
repeat() {
	size=$(wc -c <"$1") n=0
	while [ $n -lt 120000000 ]; do
		cat "$1" && n=$((n + size))
	done
}

# Sorted as every program here writes, or in no order.
shuffled() {
	awk 'BEGIN { srand(7) } { print rand() "\t" $0 }' "$1" | sort -n | cut -f2-
}

# Prints one line of the table: title $1, input $2 by way $3, goal $4, and the command.
row() {
	title=$1 name=$2 way=$3 goal=$4 input=$here/$2
	shift 4
	base=$($tools/measure "$RUNS" file "$input" wc -l)
	got=$($tools/measure "$RUNS" "$way" "$input" "$@") || { say "$title: failed" && return; }
	bytes=$("$@" <"$input" 2>/dev/null | wc -c)
	say "$title|$name|$way|$base|$got|$bytes|$goal" | awk -F'|' '{
		split($4, wc, " ")
		split($5, got, " ")
		printf "%-24s %-22s %-4s %8.1f ms %6.1f x wc %7.1f MiB %10d B  %s\n",
			$1, $2, $3, got[1], got[1] / (wc[1] > 0 ? wc[1] : 0.1), got[2], $6, $7
	}'
}

# The same for a peer, when it is installed.
peer() {
	command -v "$5" >/dev/null || return 0
	row "$@"
}

make_inputs() {
	make_once compiler.txt record_compiler
	make_once repeated.txt repeat $here/compiler.txt
	make_once compiler.folded bin/fg-collapse -q $here/compiler.txt
	make_once r100k.folded $tools/generate folded 100000 random
	make_once r500k.folded $tools/generate folded 500000 random
	make_once w100k.folded $tools/generate folded 100000 wide
	make_once shuffled.folded shuffled $here/r500k.folded
}

describe_inputs() {
	say 'inputs:'
	for f in "$here"/*.txt "$here"/*.folded; do
		say "  ${f##*/}: $(wc -c <"$f") bytes, $(wc -l <"$f") lines"
	done
	samples=$(grep -c '^[^ 	#]' $here/compiler.txt)
	stacks=$(bin/fg-collapse -q --no-header $here/compiler.txt | wc -l)
	say "  compiler.txt: $samples samples of $stacks distinct folded stacks"
	say "  compiler.folded: $(bin/fg-svg -q <$here/compiler.folded | sed -n 's/.*"frames":\([0-9]*\).*/\1/p') frames"
}

measure_collapse() {
	row fg-collapse compiler.txt file 'goal: <= 10 x wc' bin/fg-collapse -q
	row fg-collapse compiler.txt pipe '' bin/fg-collapse -q
	row fg-collapse repeated.txt file 'goal: <= 5 x wc, <= 32 MiB' bin/fg-collapse -q
	row fg-collapse repeated.txt pipe 'goal: <= 32 MiB' bin/fg-collapse -q
	for input in compiler.txt repeated.txt; do
		peer inferno-collapse-perf "$input" file '1 thread' inferno-collapse-perf -n 1
		peer stackcollapse-perf.pl "$input" file '' stackcollapse-perf.pl
	done
}

measure_svg() {
	row fg-svg compiler.folded file 'goal: <= 10 ms' bin/fg-svg -q
	row fg-svg r100k.folded file '' bin/fg-svg -q
	row fg-svg r500k.folded file 'goal: <= 150 ms' bin/fg-svg -q
	row fg-svg r500k.folded pipe 'goal: <= 150 ms, <= 64 MiB' bin/fg-svg -q
	row fg-svg shuffled.folded file 'goal: <= 220 ms' bin/fg-svg -q
	row fg-svg w100k.folded file '' bin/fg-svg -q
	for input in compiler.folded r100k.folded r500k.folded w100k.folded; do
		peer inferno-flamegraph "$input" file 'leaves narrow frames out' inferno-flamegraph
		peer flamegraph.pl "$input" file 'leaves narrow frames out' flamegraph.pl
	done
}

measure_browser() {
	for name in compiler r100k r500k w100k; do
		bin/fg-svg -q $here/$name.folded >$here/$name.svg
	done
	# shellcheck disable=SC2046 # names without blanks
	node bench/browser.js $(printf "$here/%s.svg " compiler r100k r500k w100k)
}

case ${1-} in
--compile) compile_all "$2" ;;
--browser) make_inputs && measure_browser ;;
*)
	make_inputs && describe_inputs || exit
	measure_collapse
	measure_svg
	;;
esac
