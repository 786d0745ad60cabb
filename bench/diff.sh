#!/bin/sh
# SPDX-License-Identifier: ISC
# Benchmarks fg-diff, and FlameGraph and inferno where they are installed, on two profiles of 135 MB and 500,000
# frames each; bench/table.sh explains the figures.
set -u
cd "$(dirname "$0")/.." || exit 2
. bench/table.sh

# Modifies the profile $1: other weights, a tenth of the stacks removed.
later() {
	awk 'NR % 10 { w = $NF; sub(/ [0-9]+$/, ""); print $0, int(w * 1.2) + NR % 3 }' "$1"
}

make_once r500k.folded $tools/generate folded 500000 random
make_once later.folded later $here/r500k.folded
before=$here/r500k.folded after=$here/later.folded
both='r500k.folded later.folded'
row fg-diff "$both" file 'goal: <= inferno, half its memory' bin/fg-diff "$before" "$after"
row 'fg-diff -n' "$both" file '' bin/fg-diff -n "$before" "$after"
row 'fg-diff -s' "$both" file '' bin/fg-diff -s "$before" "$after"
row 'fg-diff --report text' "$both" file '' bin/fg-diff --report text "$before" "$after"
row 'fg-diff, two runs a side' "$both $both" file '' \
	bin/fg-diff --report text -a "$before" "$after" -b "$after" "$before"
peer inferno-diff-folded "$both" file '' inferno-diff-folded "$before" "$after"
peer difffolded.pl "$both" file '' difffolded.pl "$before" "$after"
