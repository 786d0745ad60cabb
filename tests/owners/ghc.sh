#!/bin/sh
# SPDX-License-Identifier: ISC
# GHC's .prof files: bytes by stack against its own JSON, and ticks against the sum that the file gives.
set -u
command -v ghc >/dev/null || { echo "skip ghc: no ghc"; exit 0; }
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 2
cat >Demo.hs <<'END'
module Main where
data T = L | N T T
make :: Int -> T
make 0 = L
make d = N (make (d - 1)) (make (d - 1))
check :: T -> Int
check L = 1
check (N l r) = 1 + check l + check r
main :: IO ()
main = print (check (make 16)) >> print (sum [i * i `mod` 7 | i <- [1 .. 60000 :: Int]])
END
if ! ghc -v0 -prof -fprof-auto -O0 Demo.hs -o demo >log 2>&1; then
	echo "skip ghc: it has no libraries for profiling"
	exit 0
fi
for o in P pa pj; do
	./demo +RTS -"$o" -po"$o" -RTS >log
done

# Own figures of profiling are in the JSON only.
"$BIN/fg-collapse" -q --cost bytes pj.prof | grep -v -E '^#|PROFILING|SYSTEM' | sort >json
for o in P pa; do
	"$BIN/fg-collapse" -q --cost bytes "$o.prof" | grep -v -E '^#|PROFILING|SYSTEM' | sort >text
	if [ -s text ] && diff json text >differ; then
		echo "ok ghc bytes of -$o are those of -pj"
	else
		echo "FAIL ghc bytes of -$o are those of -pj"
		head -20 differ
	fi
done
theirs=$(sed -n 's/.*total time .*(\([0-9]*\) ticks.*/\1/p' P.prof)
ours=$("$BIN/fg-collapse" -q --cost ticks P.prof | grep -v -E '^#|PROFILING|GC\.GC|SYSTEM' | awk '{ n += $NF } END { print n + 0 }')
if [ "$theirs" = "$ours" ]; then
	echo "ok ghc ticks of -P"
else
	echo "FAIL ghc ticks of -P: $theirs in the file, $ours here"
fi
