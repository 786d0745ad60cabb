#!/bin/sh
# SPDX-License-Identifier: ISC
# Benchmarks the programs, and the peers found in PATH, on generated inputs.
#
#	bench/bench.sh			time and memory of the programs
#	bench/bench.sh --browser	the viewer in a browser (bench/browser.js, bench/trace.js)
#
# bench/table.sh explains the figures.
set -u
cd "$(dirname "$0")/.." || exit 2
. bench/table.sh

compile_all() {
	for level in -O1 -O2 -O3; do
		for f in common/*.c render/*.c collapse/*.c; do
			"$1" $level -std=c11 -D_POSIX_C_SOURCE=200809L -DHAVE_ZSTD=0 -iquotecommon -iquoterender -iquotecollapse \
				-c -o /dev/null "$f" 2>/dev/null
		done
	done
}

# Records a compiler. Debian's are built without frame pointers, so stack snapshots are taken and unwound.
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

# Repeats file $1 up to 120 MB.
repeat() {
	size=$(wc -c <"$1") n=0
	while [ $n -lt 120000000 ]; do
		cat "$1" && n=$((n + size))
	done
}

# Sorted, as all our programs write, or shuffled.
shuffled() {
	awk 'BEGIN { srand(7) } { print rand() "\t" $0 }' "$1" | sort -n | cut -f2-
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
	pictures='r1k compiler r100k r500k w100k'
	make_once r1k.folded $tools/generate folded 1000 random
	for name in $pictures; do
		bin/fg-svg -q "$here/$name.folded" >"$here/$name.svg"
	done
	# shellcheck disable=SC2046,SC2086 # names without blanks
	node bench/browser.js $(printf "$here/%s.svg " $pictures)
	make_once r30k.folded $tools/generate folded 30000 random
	make_once times.folded node bench/timeline.js $here/r30k.folded 500000
	bin/fg-svg -q $here/times.folded >$here/times.svg
	for slow in 1 4; do
		SLOW=$slow node bench/trace.js $here/r500k.svg $here/times.svg
	done
}

case ${1-} in
--compile) compile_all "$2" ;;
--browser) make_inputs && measure_browser ;;
*)
	make_inputs && describe_inputs || exit
	measure_collapse
	measure_svg
	bench/diff.sh
	bench/merge-filter.sh
	bench/perfdata.sh
	bench/formats.sh
	bench/record.sh
	say 'stacks that are whole, by the defaults of fg-record'
	tests/record/stacks.sh
	;;
esac
