#!/bin/sh
# SPDX-License-Identifier: ISC
# NYTProf: what nytprofcalls folds passes unchanged, and its sum is that of the calls that NYTProf timed.
set -u
tool=NYTProf
perl -MDevel::NYTProf::Core -e 1 2>/dev/null || { echo "skip $tool: no Devel::NYTProf" && exit 0; }
command -v nytprofcalls >/dev/null 2>&1 || { echo "skip $tool: no nytprofcalls" && exit 0; }
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
trap 'exit 2' HUP INT TERM
cd "$tmp" || exit 2

cat >work.pl <<'EOF'
use strict;
sub fib { my $n = shift; return $n < 2 ? $n : fib($n - 1) + fib($n - 2); }
sub slow { my @x = sort { $a <=> $b } map { $_ * 7919 % 1009 } 1 .. 2000; return scalar @x; }
for my $i (1 .. 20) { fib(9); slow(); (sub { fib(5) })->(); }
EOF
NYTPROF=calls=2:file=nytprof.out perl -d:NYTProf work.pl || { echo "skip $tool: it failed" && exit 0; }
nytprofcalls nytprof.out >calls.folded 2>said || { echo "skip $tool: nytprofcalls failed" && exit 0; }
[ -s calls.folded ] || { echo "skip $tool: no calls" && exit 0; }
"$BIN/fg-collapse" -q --no-header calls.folded >ours
awk '{ n = $NF; sub(/ [0-9]+$/, ""); sum[$0] += n } END { for (s in sum) if (sum[s]) print s, sum[s] }' calls.folded |
	sort >theirs
if cmp -s ours theirs; then
	echo "ok $tool stacks of nytprofcalls stay as they are"
else
	echo "FAIL $tool stacks of nytprofcalls"
	diff ours theirs | head
fi
if grep -q '^main::fib;main::fib;main::fib ' ours && grep -q 'main::slow;main::CORE:sort ' ours; then
	echo "ok $tool has the recursion and the sort of the program"
else
	echo "FAIL $tool lacks what the program does"
fi
"$BIN/fg-collapse" nytprof.out >refused 2>said && { echo "FAIL $tool nytprof.out itself is refused" && exit 0; }
if grep -q nytprofcalls said; then
	echo "ok $tool nytprof.out itself is refused with the command that folds it"
else
	echo "FAIL $tool what is said of nytprof.out: $(cat said)"
fi
