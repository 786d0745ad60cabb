#!/bin/sh
# SPDX-License-Identifier: ISC
# heaptrack_print on a recording of a small program: the sum of each cost, and the ten heaviest stacks.
set -u
{ command -v heaptrack && command -v heaptrack_print && command -v gcc; } >/dev/null || { echo "skip heaptrack is not here" && exit; }
here=$(cd "$(dirname "$0")/../.." && pwd) || exit 2
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 2
gcc -g -O1 -o work "$here/tests/collapse/gperftools-cpu/recordings/work.c" || exit 2
heaptrack -o ours "$tmp/work" >/dev/null 2>&1
heaptrack --raw -o raw "$tmp/work" >/dev/null 2>&1
# Without zstd it takes gzip.
for end in zst gz; do
	[ ! -f "ours.$end" ] || break
done
[ -f "ours.$end" ] || { echo "skip heaptrack cannot record here" && exit; }

# The stacks of heaptrack_print as ours: without files, nor the semicolon at the end. Inlined functions of one place
# it turns round, so that the program has none; those of libc here have one name.
print() {
	heaptrack_print -f "ours.$end" -p 0 -a 0 -T 0 -l 0 -F theirs --flamegraph-cost-type "$1" >/dev/null 2>&1
	sed -E 's/ \([^();]*\)//g; s/; ([0-9-]+)$/ \1/; s/0x[0-9a-f]+/?/g' theirs | sum
}

fold() {
	"$BIN/fg-collapse" -q --no-header --full-names --cost "$1" "${2-ours.$end}" |
		sed -E 's/_\[i\]//g; s/\[[^];]*\]/?/g' | sum
}

sum() {
	awk '{ n = $NF; sub(/ -?[0-9]+$/, ""); sum[$0] += n }
		END { for (stack in sum) if (sum[stack]) printf "%s %.0f\n", stack, sum[stack] }' | sort
}

total() {
	awk '{ sum += $NF } END { print sum + 0 }'
}

heaviest() {
	sed -E 's/(.*) (-?[0-9]+)$/\2 \1/' "$1" | sort -k1,1nr -k2 | head -n 10
}

status=0
for cost in allocations temporary leaked peak; do
	print $cost >printed
	fold $cost >folded
	if [ "$(total <printed)" = "$(total <folded)" ]; then
		echo "ok heaptrack $cost: sum"
	else
		echo "FAIL heaptrack $cost: $(total <printed) against our $(total <folded)"
		status=1
	fi
	heaviest printed >printed.ten
	heaviest folded >folded.ten
	if [ -s folded.ten ] && cmp -s printed.ten folded.ten; then
		echo "ok heaptrack $cost: the heaviest stacks"
	else
		echo "FAIL heaptrack $cost: the heaviest stacks"
		diff printed.ten folded.ten
		status=1
	fi
	# What we make of the raw recording has its own addresses, and the names that we find.
	if [ -s folded ] && [ "$(fold $cost "raw.raw.$end" | total)" = "$(total <folded)" ]; then
		echo "ok heaptrack $cost: sum of a raw recording"
	else
		echo "FAIL heaptrack $cost: raw $(fold $cost "raw.raw.$end" | total) against $(total <folded)"
		status=1
	fi
done
exit $status
