#!/bin/sh
# SPDX-License-Identifier: ISC
# Runs fg-collapse over the collection of perf script samples, when it lies beside the checkout, and compares
# with the folded files there: one line for each that disagrees, then the sums.
#
#	tests/collapse/samples.sh [substring]
#
# For NAME.txt the collection has files NAME.expected.TOOL.folded, made by other tools with default options;
# TOOL may be followed by an event, and opt-OPTION may stand before it. Each of them has to be equal, or equal
# by the rules of samples.why, which has a reason for each.
# shellcheck disable=SC2046 # options are words
set -u
top=$(cd "$(dirname "$0")/../.." && pwd) || exit 2
collection=${SAMPLES:-$top/../shared/samples}/perf-script
why=$top/tests/collapse/samples.why
BIN=${BIN:-bin}
export LC_ALL=C
passed=0 failed=0 skipped=0

if [ ! -d "$collection" ]; then
	echo "no samples beside the checkout: skipped"
	echo "0 passed, 0 failed, 1 skipped"
	exit 0
fi
cd "$top" || exit 2
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
trap 'exit 2' HUP INT TERM

# Prints the options that the name of the expected file $1 stands for.
options_of() {
	case $1 in
	*.opt-*) o=${1#*.opt-} && echo "--${o%%.*}" ;;
	esac
	case $1 in
	*.reference.*.folded) e=${1#*.reference.} && echo "--event-filter ${e%.folded}" ;;
	esac
}

# Prints the rules of samples.why for the expected file $1.
rules_of() {
	while IFS='	' read -r pattern rule _; do
		# shellcheck disable=SC2254 # a pattern of the shell
		case $1 in
		$pattern) printf '%s\n' "$rule" ;;
		esac
	done <"$why"
}

# Sums up equal stacks and sorts, after the sed script $1: what two tools name
# apart may be one stack by its rules.
normal() {
	sed -E -f "$1" | awk '{ n = $NF; sub(/ [0-9]+$/, ""); sum[$0] += n }
		END { for (stack in sum) if (sum[stack]) printf "%s %.0f\n", stack, sum[stack] }' | sort
}

# Compares the sample $1 with the expected file $2, by the rules in $tmp/rules.
compare() {
	"$BIN/fg-collapse" -q --no-header --no-marks $(options_of "${2##*/}") "$1" >"$tmp/ours" 2>"$tmp/said"
	gzip -cdf "$2" >"$tmp/theirs"
	for side in ours theirs; do
		sed -n "s/^$side: *//p" "$tmp/rules" >"$tmp/$side.sed"
		normal "$tmp/$side.sed" <"$tmp/$side" >"$tmp/$side.normal"
	done
	cmp -s "$tmp/ours" "$tmp/theirs" || cmp -s "$tmp/ours.normal" "$tmp/theirs.normal"
}

for expected in "$collection"/*.expected*.folded*; do
	case $expected in
	*"${1-}"*) ;;
	*) continue ;;
	esac
	name=${expected%%.expected*}
	sample=$name.txt
	[ -f "$sample" ] || sample=$name.txt.gz
	rules_of "${expected##*/}" >"$tmp/rules"
	if grep -qx 'wrong' "$tmp/rules"; then
		skipped=$((skipped + 1))
		echo "${expected##*/}: skipped, samples.why says why"
	elif compare "$sample" "$expected"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "${expected##*/}: $(comm -3 "$tmp/ours.normal" "$tmp/theirs.normal" | wc -l) lines differ"
	fi
done
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ] && [ $passed -gt 0 ]
