#!/bin/sh
# SPDX-License-Identifier: ISC
# Shows each file of the sample collection beside the checkout, and each input of the cases below
# tests/collapse/FORMAT/, to every format: only the one in detection.table may claim it. Prints a line for each
# file that another or several claim, then the sums.
#
#	tests/collapse/detection.sh [substring]
#
# detection.table: a pattern for FOLDER/FILE of the collection, and a format, or "-" if none may claim it. The
# first match counts. Inputs of cases, many of them damaged, may also remain unclaimed, or be claimed as folded
# stacks.
set -u
top=$(cd "$(dirname "$0")/../.." && pwd) || exit 2
collection=${SAMPLES:-$top/../shared/samples}
table=$top/tests/collapse/detection.table
BIN=${BIN:-bin}
export LC_ALL=C
cd "$top" || exit 2
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
trap 'exit 2' HUP INT TERM
tab=$(printf '\t')
passed=0 failed=0

# Prints the format of $1 in the table; nothing without a line.
format_of() {
	while IFS="$tab" read -r pattern format; do
		# shellcheck disable=SC2254 # a pattern of the shell
		case $1 in
		$pattern) echo "$format" && break ;;
		esac
	done <"$table"
}

# Prints the formats that claim the file $1, except folded, which claims the rest.
claims_of() {
	"$BIN/fg-collapse" -q --list-formats "$1" 2>/dev/null | tail -n 1 |
		grep -o '[a-z0-9-]* ([0-9]* % sure)' | sed 's/ .*//' >"$tmp/claims"
	[ "$(wc -l <"$tmp/claims")" -gt 1 ] && grep -v '^folded$' "$tmp/claims" >"$tmp/others" && mv "$tmp/others" "$tmp/claims"
	tr '\n' ' ' <"$tmp/claims" | sed 's/ $//'
}

# Judges the file $1, called $2, of the format $3.
judge() {
	claims=$(claims_of "$1")
	case $3 in
	-) wanted= ;;
	*) wanted=$3 ;;
	esac
	if [ "$claims" = "$wanted" ] || { [ "${4-}" ] && { [ -z "$claims" ] || [ "$claims" = folded ]; }; }; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "$2: claimed by ${claims:-none}, expected ${wanted:-none}"
	fi
}

for f in "$collection"/*/* "$collection"/*/*/*; do
	name=${f#"$collection"/}
	case $name in
	*"${1-}"*) [ -f "$f" ] || continue ;;
	*) continue ;;
	esac
	format=$(format_of "$name")
	[ "$format" ] || { echo "$name: no line in detection.table" && failed=$((failed + 1)) && continue; }
	[ "$format" = skip ] || judge "$f" "$name" "$format"
done
for f in tests/collapse/*/*/input*; do
	format=${f#tests/collapse/} format=${format%%/*}
	"$BIN/fg-collapse" --list-formats | grep -q "^$format " || continue
	case $f in
	*"${1-}"*) [ -f "$f" ] && judge "$f" "$f" "$format" damaged ;;
	esac
done
echo "$passed passed, $failed failed"
[ $failed = 0 ] && [ $passed -gt 0 ]
