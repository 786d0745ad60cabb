#!/bin/sh
# SPDX-License-Identifier: ISC
# MOJO files of Austin against mojo2austin: the time of each stack.
set -u
for tool in austin mojo2austin python3; do
	command -v $tool >/dev/null || { echo "skip austin there is no $tool" && exit 0; }
done
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 2

cat >work.py <<'END'
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


for _ in range(3):
    fib(24)
END

# 4.0 writes nothing else, and knows -b no more.
austin -b -i 1000 -o work.mojo python3 work.py >log 2>&1 || austin -i 1000 -o work.mojo python3 work.py >log 2>&1
if [ "$(head -c 3 work.mojo 2>/dev/null)" != MOJ ] || ! mojo2austin work.mojo work.txt; then
	echo "skip austin it writes no MOJO here"
	exit 0
fi
sed -n 's/^P[0-9]*;T[0-9:]*;//p' work.txt | awk '{ n = $NF; sub(/ [0-9]+$/, ""); sum[$0] += n * 1000 }
	END { for (stack in sum) if (sum[stack]) printf "%s %.0f\n", stack, sum[stack] }' | sort >theirs
"$BIN/fg-collapse" -q --no-header --by none --srcline work.mojo | sort >ours
if [ -s theirs ] && cmp -s ours theirs; then
	echo "ok austin MOJO has the times of mojo2austin"
else
	echo "FAIL austin MOJO differs from mojo2austin"
	diff theirs ours | head
fi
