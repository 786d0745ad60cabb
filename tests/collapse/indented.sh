#!/bin/sh
# SPDX-License-Identifier: ISC
# Tabs and indentation in perf script text do not matter: each input of the cases, and each sample of a
# collection beside the checkout, folds to the same bytes with blanks for a leading tab, and without leading
# blanks. Inputs named in indented.why are exempt.
set -u
top=$(cd "$(dirname "$0")/../.." && pwd) || exit 2
collection=${SAMPLES:-$top/../shared/samples}
BIN=${BIN:-bin}
export LC_ALL=C
passed=0 failed=0 skipped=0
cd "$top" || exit 2
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
trap 'exit 2' HUP INT TERM

# -f is needed: whether text without a header line is perf script's cannot be guessed.
fold() {
	"$BIN/fg-collapse" -q -f perf-script 2>/dev/null
}

# Whether indented.why exempts the input $1, by its folder and name.
is_let_off() {
	folder=${1%/*}
	grep -q "^${folder##*/}/${1##*/}	" tests/collapse/indented.why
}

for input in tests/collapse/perf-script/*/input* "$collection"/perf-script/*.txt* "$collection"/simpleperf/*.txt; do
	[ -f "$input" ] || continue
	if is_let_off "$input"; then
		skipped=$((skipped + 1))
		continue
	fi
	case $input in
	*.expected*) continue ;;
	*.gz) gzip -dc "$input" >"$tmp/text" ;;
	*) cp "$input" "$tmp/text" ;;
	esac
	fold <"$tmp/text" >"$tmp/folded"
	if sed 's/^	/        /' "$tmp/text" | fold | cmp -s - "$tmp/folded" &&
		sed 's/^[ 	]*//' "$tmp/text" | fold | cmp -s - "$tmp/folded"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "$input: reads in another way without its tabs or blanks"
	fi
done
[ $skipped = 0 ] || echo "$skipped inputs skipped: indented.why says why"
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ] && [ $passed -gt 0 ]
