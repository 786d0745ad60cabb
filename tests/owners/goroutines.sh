#!/bin/sh
# SPDX-License-Identifier: ISC
# The goroutines of debug=2 are those that the runtime counts, stack by stack, in debug=1.
set -u
command -v go >/dev/null || { echo "skip goroutines go is not installed"; exit 0; }
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
trap 'exit 2' HUP INT TERM

cat >"$tmp/main.go" <<'END'
package main

import (
	"os"
	"runtime/pprof"
	"sync"
	"time"
)

type box struct{ n int }

func (b *box) wait(c chan int, n int) {
	if n > 0 {
		b.wait(c, n-1)
		return
	}
	b.n = <-c
}

func lock(mu *sync.Mutex) { mu.Lock() }

func main() {
	var mu sync.Mutex
	mu.Lock()
	c := make(chan int)
	for i := 0; i < 30; i++ {
		go (&box{}).wait(c, i%7)
		go lock(&mu)
		go func() { select {} }()
		go time.Sleep(time.Hour)
	}
	time.Sleep(200 * time.Millisecond)
	one, _ := os.Create(os.Args[1])
	two, _ := os.Create(os.Args[2])
	pprof.Lookup("goroutine").WriteTo(one, 1)
	pprof.Lookup("goroutine").WriteTo(two, 2)
}
END
(cd "$tmp" && GOCACHE="$tmp/cache" HOME="$tmp" go build -o work main.go) || { echo "skip goroutines go cannot build here"; exit 0; }
"$tmp/work" "$tmp/one" "$tmp/two" || exit 2

# "30 @ 0x.. 0x..", and a line for each frame, innermost first.
awk '/^[0-9]+ @/ { n = $1; stack = "" }
	/^#\t/ { name = $3; sub(/\+0x[0-9a-f]+$/, "", name); stack = name (stack == "" ? "" : ";") stack }
	/^$/ && stack != "" { print stack, n; stack = "" }
	END { if (stack != "") print stack, n }' "$tmp/one" |
	sed -E 's/(^|;)runtime\.[^; ]*(;|)/\1/g' >"$tmp/raw"
# The goroutine that writes is elsewhere each time; debug=2 hides frames of the runtime.
grep -v 'main\.main[; ]' "$tmp/raw" | awk '{ sum[$1] += $2 } END { for (s in sum) print s, sum[s] }' | sort >"$tmp/owner"
"$BIN/fg-collapse" -q --no-header "$tmp/two" | grep -v -E '(^|;)main\.main[; ]' | sort >"$tmp/ours"
if [ -s "$tmp/owner" ] && cmp -s "$tmp/ours" "$tmp/owner"; then
	echo "ok goroutines $(grep -c '' "$tmp/ours") stacks of $(awk '{ n += $NF } END { print n }' "$tmp/ours") goroutines"
else
	echo "FAIL goroutines stacks differ"
	diff "$tmp/ours" "$tmp/owner" | head -n 20
fi
