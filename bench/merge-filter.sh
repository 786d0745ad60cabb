#!/bin/sh
# SPDX-License-Identifier: ISC
# Measures fg-merge on 50 files of 20 MB, of repeated and of differing stacks, and fg-filter on one of 138 MB and
# 500,000 frames. Each time is the best of RUNS (5), as a ratio to `cat ... | wc -l` of the same files. Inputs
# stay in build/bench/.
set -u
cd "$(dirname "$0")/.." || exit 2
RUNS=${RUNS:-5}
here=build/bench
tools=build/plain/tools
export LC_ALL=C
mkdir -p $here || exit 2

# Makes the file $1 by the rest of the words, unless it is there.
make_once() {
	[ -s "$here/$1" ] && return
	file=$here/$1
	shift
	echo "making $file" >&2
	"$@" >"$file.new" && mv "$file.new" "$file"
}

# The profile $1 with other weights, in the $2nd way.
weighed() {
	awk -v way="$2" '/^#/ { print; next } { w = $NF; sub(/ [0-9]+$/, ""); print $0, w + NR % way }' "$1"
}

# A $2nd of the lines of $1, from the $3rd on.
part() {
	awk -v of="$2" -v at="$3" '/^#/ || NR % of == at' "$1"
}

# Prints one line: title $1, then the command, which is given the files of $inputs.
row() {
	title=$1
	shift
	# shellcheck disable=SC2086,SC2016 # a list of names; for the shell that is measured
	{
		base=$($tools/measure "$RUNS" file /dev/null sh -c 'cat "$@" | wc -l' sh $inputs)
		got=$($tools/measure "$RUNS" file /dev/null "$@" $inputs) || { echo "$title: failed" && return; }
		bytes=$(cat $inputs | wc -c)
	}
	echo "$title|$base|$got|$bytes" | awk -F'|' '{
		split($2, base, " ")
		split($3, got, " ")
		printf "%-40s %8.1f ms %6.1f x wc %6.0f MB/s %7.1f MiB\n", $1, got[1],
			got[1] / (base[1] > 0 ? base[1] : 0.1), $4 / 1000 / got[1], got[2]
	}'
}

# The names of $1 once for each other word.
repeat() {
	names=$1
	shift
	for _; do printf '%s ' "$names"; done
}

make_once r500k.folded $tools/generate folded 500000 random
make_once once.folded $tools/generate folded 74000 random
repeated='' parts=''
for i in 1 2 3 4 5; do
	make_once "repeated$i.folded" weighed $here/once.folded $i
	repeated="$repeated $here/repeated$i.folded"
	make_once "part$i.folded" part $here/r500k.folded 7 $i
	parts="$parts $here/part$i.folded"
done

inputs=$(repeat "$repeated" 1 2 3 4 5 6 7 8 9 10)
# shellcheck disable=SC2086 # a list of names
set -- $inputs
echo "fg-merge: $# files of $(wc -c <$here/repeated1.folded) bytes"
row 'fg-merge (goal: >= 500 MB/s)' bin/fg-merge
row 'fg-merge --label' bin/fg-merge --label
row 'fg-merge --max-memory 2M' bin/fg-merge --max-memory 2M
inputs=$(repeat "$parts" 1 2 3 4 5 6 7 8 9 10)
row 'fg-merge, stacks that differ' bin/fg-merge
row 'fg-merge --max-memory 4M, the same' bin/fg-merge --max-memory 4M
inputs=$here/r500k.folded
echo "fg-filter: $(wc -c <$here/r500k.folded) bytes, $(wc -l <$here/r500k.folded) lines"
row 'fg-filter, no step' bin/fg-filter
row 'fg-filter --focus' bin/fg-filter --focus '1$'
row 'fg-filter --hide' bin/fg-filter --hide '1$'
row 'fg-filter --rename' bin/fg-filter --rename 's/[0-9]+$/N/'
row 'fg-filter --min-share' bin/fg-filter --min-share 0.01
row 'fg-filter --collapse-cycles' bin/fg-filter --collapse-cycles
row 'fg-filter --reverse' bin/fg-filter --reverse
