#!/bin/sh
# SPDX-License-Identifier: ISC
# callgrind: the total and each function's own cost, against callgrind_annotate.
set -u
for tool in valgrind callgrind_annotate cc; do
	command -v "$tool" >/dev/null || { echo "skip callgrind_annotate: no $tool"; exit 0; }
done
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
cat >"$tmp/calls.c" <<'END'
#include <stdlib.h>
#include <string.h>
static int leaf(int n) { int s = 0; for (int i = 0; i < n; i++) s += i * i; return s; }
static int even(int n);
static int odd(int n) { return n ? even(n - 1) + leaf(n) : 0; }
static int even(int n) { return n ? odd(n - 1) + leaf(n) : 1; }
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static int less(const void *a, const void *b) { return strcmp(a, b); }
static int sort(int n) { char *s = malloc(n); memset(s, 'a', n); s[n - 1] = 0; qsort(s, n / 2, 2, less); free(s); return n; }
int main(void) { volatile int x = fib(12) + leaf(300) + even(20) + sort(400); return x == 0; }
END
cc -g -O0 -w -o "$tmp/calls" "$tmp/calls.c" || { echo "skip callgrind_annotate: cc cannot compile"; exit 0; }

# Compares the recording with the options "$2" of callgrind, by the event $3; $1 says what.
compare() {
	# shellcheck disable=SC2086 # options
	if ! valgrind -q --tool=callgrind $2 --callgrind-out-file="$tmp/out" "$tmp/calls" 2>"$tmp/log"; then
		echo "skip callgrind_annotate: valgrind cannot run here"
		return
	fi
	# "1,234 (5.67%)  calls.c:even'2 [/tmp/calls]"
	callgrind_annotate --threshold=100 --auto=no --show="$3" "$tmp/out" | awk '
		/PROGRAM TOTALS/ { gsub(",", ""); print "total", $1 }
		$1 ~ /^[0-9,]+$/ && /%\)  .*:/ {
			n = $1; gsub(",", "", n); sub(/ \[[^]]*\]$/, ""); sub(/^.*:/, ""); sub(/\047.*/, "")
			if ($0 !~ /^0x/) sum[$0] += n
		}
		END { for (f in sum) if (sum[f]) print f, sum[f] }' | sort >"$tmp/theirs"
	"$BIN/fg-collapse" -q --full-names --cost "$3" "$tmp/out" | awk '
		!/^#/ { n = $NF; total += n; sub(/ [0-9]+$/, ""); sub(/.*;/, ""); if ($0 !~ /^\[/) sum[$0] += n }
		END { print "total", total; for (f in sum) print f, sum[f] }' | sort >"$tmp/ours"
	if [ "$(wc -l <"$tmp/theirs")" -gt 20 ] && diff "$tmp/theirs" "$tmp/ours" >"$tmp/diff"; then
		echo "ok callgrind_annotate $1"
	else
		echo "FAIL callgrind_annotate $1"
		head -20 "$tmp/diff"
	fi
}

compare "own cost by function" "" Ir
compare "own cost by function, instructions and jumps" "--dump-instr=yes --collect-jumps=yes" Ir
compare "own reads by function, callers in names" "--cache-sim=yes --separate-callers=2 --separate-recs=3" Dr
