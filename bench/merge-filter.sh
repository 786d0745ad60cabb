#!/bin/sh
# SPDX-License-Identifier: ISC
# Benchmarks fg-merge on 50 files of 20 MB, of repeated and of distinct stacks, and fg-filter on one of 138 MB
# and 500,000 frames; bench/table.sh explains the figures.
set -u
cd "$(dirname "$0")/.." || exit 2
. bench/table.sh

# The profile $1 with the weights of variant $2.
weighed() {
	awk -v way="$2" '/^#/ { print; next } { w = $NF; sub(/ [0-9]+$/, ""); print $0, w + NR % way }' "$1"
}

# Every $2nd line of $1, from line $3 on.
part() {
	awk -v of="$2" -v at="$3" '/^#/ || NR % of == at' "$1"
}

# A row for fg-merge: title $1, inputs $2, goal $3, and its options.
merge() {
	names=$2 paths=
	for name in $names; do paths="$paths $here/$name"; done
	title=$1 goal=$3
	shift 3
	# shellcheck disable=SC2086 # a list of names
	row "$title" "$names" file "$goal" bin/fg-merge -q "$@" $paths
}

# A row for fg-filter with the options $@.
filter() {
	row "fg-filter${1:+ $1}" r500k.folded file '' bin/fg-filter "$@"
}

# Prints the names $1 once per further argument.
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
	repeated="$repeated repeated$i.folded"
	make_once "part$i.folded" part $here/r500k.folded 7 $i
	parts="$parts part$i.folded"
done

fifty=$(repeat "$repeated" 1 2 3 4 5 6 7 8 9 10)
say "fg-merge: 50 files of $(wc -c <$here/repeated1.folded) bytes; then 50 of $(wc -c <$here/part1.folded) bytes, a 7th of r500k.folded each"
merge fg-merge "$fifty" 'goal: >= 500 MB/s'
merge 'fg-merge --label' "$fifty" '' --label
merge 'fg-merge --max-memory 2M' "$fifty" '' --max-memory 2M
fifty=$(repeat "$parts" 1 2 3 4 5 6 7 8 9 10)
merge 'fg-merge, they differ' "$fifty" ''
merge 'fg-merge --max-memory 4M' "$fifty" '' --max-memory 4M
filter
filter --focus '1$'
filter --hide '1$'
filter --rename 's/[0-9]+$/N/'
filter --min-share 0.01
filter --collapse-cycles
filter --reverse
