#!/bin/sh
# SPDX-License-Identifier: ISC
# Compares recordings of two builds of one program, when a collection of them lies beside the checkout: the share
# of the weight that is in stacks with a function of which the other build has none. fg-filter
# --stable-names leaves none.
#
#	tests/diff/stable-names.sh
#
# Prints the shares as recorded and with stable names, before and after.
set -u
top=$(cd "$(dirname "$0")/../.." && pwd) || exit 2
collection=${NAMES:-$top/../shared/review/names}
BIN=${BIN:-bin}
export LC_ALL=C
passed=0 failed=0

if [ ! -d "$collection" ]; then
	echo "no recordings beside the checkout: skipped"
	echo "0 passed, 0 failed, 1 skipped"
	exit 0
fi
cd "$top" || exit 2
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
trap 'exit 2' HUP INT TERM

# Adds the runs of build $1 up, with the options $2, and leaves out the root, the program's file.
stacks() {
	# shellcheck disable=SC2086 # options are words
	"$BIN/fg-filter" -q --no-header $2 "$collection/$1".?.folded.zst | sed -n 's/^[^;]*;//p'
}

# The share of the weight of stacks $1, in percent, that have a frame which none of stacks $2 has. A function of less
# than 1 % may be met in one build and missed in another by chance.
alone() {
	awk '
	{ weight = $NF; sub(/ [0-9]+$/, ""); n = split($0, frame, ";") }
	NR == FNR { for (i = 1; i <= n; i++) has[frame[i]] = 1; next }
	{
		whole += weight
		for (i = 1; i <= n; i++) if (!(frame[i] in has)) { without += weight; break }
	}
	END { printf "%.1f\n", 100 * without / whole }' "$2" "$1"
}

# Whether builds $1 and $2 agree but for $3 percent.
compare() {
	said="$1 and $2:"
	for options in '' --stable-names; do
		for build in "$1" "$2"; do
			stacks "$build" "$options" >"$tmp/${build##*/}"
			stacks "$build" "$options --min-share 1" >"$tmp/${build##*/}.large"
		done
		a=$(alone "$tmp/${1##*/}.large" "$tmp/${2##*/}")
		b=$(alone "$tmp/${2##*/}.large" "$tmp/${1##*/}")
		said="$said $a % and $b %${options:+ with $options}"
	done
	echo "$said"
	if awk "BEGIN { exit !($a <= $3 && $b <= $3) }"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "more than $3 %"
	fi
}

compare O2 O3 0
compare O2 L 0
compare node/n2_ node/N2 0
echo "$passed passed, $failed failed"
[ $failed = 0 ]
