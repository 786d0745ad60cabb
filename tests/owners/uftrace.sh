#!/bin/sh
# SPDX-License-Identifier: ISC
# uftrace replay against uftrace report: the self time of each function. Replay prints durations of 1 ms and more in
# us, which may be 1 us too little for each call.
set -u
for tool in uftrace gcc; do
	command -v $tool >/dev/null || { echo "skip uftrace there is no $tool" && exit 0; }
done
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 2

cat >traced.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static void *work(void *p) { int i; for (i = 0; i < 20; i++) fib(8); usleep(3000); return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); work(0); pthread_join(t, 0); return puts("done") < 0; }
END
gcc -O0 -pg -g -o traced traced.c -lpthread || exit 2
uftrace record -d data ./traced >log 2>&1 || { echo "skip uftrace it cannot record here" && exit 0; }

# "12.345 us fib" of the report, in ns.
uftrace report -d data -f self | awk 'BEGIN { in_ns["us"] = 1e3; in_ns["ms"] = 1e6; in_ns["s"] = 1e9 }
	$2 in in_ns { n = $1 * in_ns[$2]; $1 = $2 = ""; sub(/^ +/, ""); printf "%s %.0f\n", $0, n }' >theirs

# What each function of folded text has for itself.
sum_leaves() {
	awk '{ n = $NF; sub(/ [0-9]+$/, ""); sub(/.*;/, ""); sum[$0] += n }
		END { for (name in sum) printf "%s %.0f\n", name, sum[name] }'
}

# Compares the sums in $1 with the report's, $2 ns and 0.2 % for the digits that it leaves out.
compare() {
	awk -v slack="$2" '{ n = $NF; sub(/ [0-9]+$/, "") }
		NR == FNR { theirs[$0] = n; next }
		{ ours[$0] = n }
		END {
			for (name in theirs) {
				d = ours[name] - theirs[name]
				if ((d < 0 ? -d : d) > slack + theirs[name] * .002)
					print name ": " ours[name] ", report: " theirs[name], bad = 1
			}
			exit bad
		}' theirs "$1"
}

for how in replay chrome; do
	# The dump has the end of a pre-emption, and not its beginning.
	if [ $how = chrome ] && grep -q pre-empted theirs; then
		echo "skip uftrace chrome: a thread was pre-empted"
		continue
	fi
	if [ $how = replay ]; then
		uftrace replay -d data >trace.txt
	else
		uftrace dump -d data --chrome >trace.txt
	fi
	"$BIN/fg-collapse" -q --no-header --by none trace.txt | sum_leaves >ours
	if compare ours 12000; then
		echo "ok uftrace $how has the self times of report"
	else
		echo "FAIL uftrace $how differs from report"
	fi
done
