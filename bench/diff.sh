#!/bin/sh
# SPDX-License-Identifier: ISC
# Measures fg-diff on two profiles of 135 MB and 500,000 frames each, and the elder tools where they
# are installed. Each time is the best of RUNS (5), as a ratio to `cat ... | wc -l` of both files. Inputs stay
# in build/bench/.
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

# The profile $1 some time later: other weights, a tenth of the stacks gone.
later() {
	awk 'NR % 10 { w = $NF; sub(/ [0-9]+$/, ""); print $0, int(w * 1.2) + NR % 3 }' "$1"
}

# Prints one line: title $1, then the command.
row() {
	title=$1
	shift
	# shellcheck disable=SC2016 # for the shell that is measured
	base=$($tools/measure "$RUNS" file "$here/r500k.folded" sh -c 'cat "$@" | wc -l' sh "$before" "$after")
	got=$($tools/measure "$RUNS" file "$here/r500k.folded" "$@") || { echo "$title: failed" && return; }
	echo "$title|$base|$got" | awk -F'|' '{
		split($2, base, " ")
		split($3, got, " ")
		printf "%-36s %8.1f ms %6.1f x wc %7.1f MiB\n", $1, got[1],
			got[1] / (base[1] > 0 ? base[1] : 0.1), got[2]
	}'
}

# The same for a peer, when it is installed.
peer() {
	command -v "$2" >/dev/null || return 0
	row "$@"
}

make_once r500k.folded $tools/generate folded 500000 random
make_once later.folded later $here/r500k.folded
before=$here/r500k.folded after=$here/later.folded
echo "inputs: $(cat $before $after | wc -c) bytes, $(cat $before $after | wc -l) lines"
row 'fg-diff (goal: <= inferno)' bin/fg-diff "$before" "$after"
row 'fg-diff -n' bin/fg-diff -n "$before" "$after"
row 'fg-diff -s' bin/fg-diff -s "$before" "$after"
row 'fg-diff --report text' bin/fg-diff --report text "$before" "$after"
row 'fg-diff, two runs a side' bin/fg-diff --report text -a "$before" "$after" -b "$after" "$before"
peer inferno-diff-folded inferno-diff-folded "$before" "$after"
peer difffolded.pl difffolded.pl "$before" "$after"
