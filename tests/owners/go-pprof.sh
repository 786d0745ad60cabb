#!/bin/sh
# SPDX-License-Identifier: ISC
# Each profile that Go's runtime writes, by each of its sample types: the stacks that go tool pprof -raw lists,
# with inlined functions, are those of fg-collapse; so are the labels.
set -u
command -v go >/dev/null || { echo "skip go-pprof go is not installed"; exit 0; }
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
trap 'exit 2' HUP INT TERM

cat >"$tmp/main.go" <<'END'
package main

import (
	"context"
	"os"
	"runtime"
	"runtime/pprof"
	"sync"
	"time"
)

type shape interface{ area() int }
type square struct{ side int }
type pair[T any] struct{ a, b T }

var sum int
var kept []any

func add(a, b int) int { return a + b }

func (s *square) area() int {
	n := 0
	for i := 0; i < 300000; i++ {
		n = add(n, i*s.side)
	}
	return n
}

func work(s shape, d time.Duration) {
	for end := time.Now().Add(d); time.Now().Before(end); {
		sum += s.area()
	}
}

func (p *pair[T]) keep(n int) {
	for i := 0; i < n; i++ {
		kept = append(kept, &pair[T]{}, make([]byte, 4096))
	}
}

func contend() {
	var mu sync.Mutex
	var all sync.WaitGroup
	for i := 0; i < 4; i++ {
		all.Add(1)
		go func() {
			defer all.Done()
			for j := 0; j < 20; j++ {
				mu.Lock()
				time.Sleep(time.Millisecond)
				mu.Unlock()
			}
		}()
	}
	all.Wait()
}

func main() {
	runtime.MemProfileRate = 4096
	runtime.SetMutexProfileFraction(1)
	runtime.SetBlockProfileRate(1)
	cpu, _ := os.Create(os.Args[1] + "/cpu.pb.gz")
	pprof.StartCPUProfile(cpu)
	pprof.Do(context.Background(), pprof.Labels("endpoint", "/login"), func(context.Context) {
		work(&square{3}, 300*time.Millisecond)
	})
	work(&square{4}, 200*time.Millisecond)
	(&pair[int]{}).keep(300)
	(&pair[string]{}).keep(200)
	contend()
	pprof.StopCPUProfile()
	for _, name := range []string{"heap", "allocs", "mutex", "block", "goroutine"} {
		f, _ := os.Create(os.Args[1] + "/" + name + ".pb.gz")
		pprof.Lookup(name).WriteTo(f, 0)
		f.Close()
	}
}
END
export HOME="$tmp" GOCACHE="$tmp/cache" PPROF_TMPDIR="$tmp"
(cd "$tmp" && go build -o work main.go) || { echo "skip go-pprof go cannot build here"; exit 0; }
"$tmp/work" "$tmp" || exit 2

# Stacks with the values of column $2 from the text $1 of go tool pprof -raw; below the label $3, if that is
# given. Locations come after the samples that name them, innermost first, and so do the lines of each.
raw_stacks() {
	awk -v column="$2" -v label="${3-}" '
		function finish() { if (ids != "") { stack[++n] = ids; value[n] = weight; by[n] = tag } ids = "" }
		/^Samples:/ { part = 1; next }
		/^Locations/ { finish(); part = 2; next }
		/^Mappings/ { part = 3 }
		part == 1 && /^ *-?[0-9].*: / {
			finish()
			split($0, half, ":")
			split(half[1], values, " ")
			weight = values[column]; ids = half[2]; tag = "-"
		}
		part == 1 && label != "" && (at = index($0, label ":[")) {
			tag = substr($0, at + length(label) + 2); sub(/\].*/, "", tag)
		}
		part == 2 && /^ *[0-9]+: / { id = $1 + 0; name = $4; if ($3 !~ /^M=/) name = $3; frames[id] = name; next }
		part == 2 { frames[id] = $1 ";" frames[id] }
		END {
			for (i = 1; i <= n; i++) {
				count = split(stack[i], place, " ")
				text = label == "" ? "" : by[i]
				for (k = count; k > 0; k--)
					text = text (text == "" ? "" : ";") frames[place[k]]
				sum[text] += value[i]
			}
			for (text in sum)
				if (sum[text])
					printf "%s %.0f\n", text, sum[text]
		}' "$1" | sort
}

# Compares the stacks of the profile $1, by the type $2 in column $3, with label $4 as root frame.
compare() {
	raw_stacks "$tmp/raw" "$3" "${4-}" >"$tmp/owner"
	"$BIN/fg-collapse" -q --no-header --cost "$2" ${4:+--by "label:$4"} "$tmp/$1.pb.gz" | sort >"$tmp/ours"
	if [ -s "$tmp/owner" ] && cmp -s "$tmp/ours" "$tmp/owner"; then
		echo "ok go-pprof $1 by $2${4:+ and $4}: $(grep -c '' "$tmp/ours") stacks"
	else
		echo "FAIL go-pprof stacks of $1 by $2${4:+ and $4}"
		diff "$tmp/ours" "$tmp/owner" | head -n 20
	fi
}

for profile in cpu heap allocs mutex block goroutine; do
	go tool pprof -raw "$tmp/$profile.pb.gz" >"$tmp/raw" 2>"$tmp/said" ||
		{ echo "skip go-pprof go tool pprof does not work here" && exit 0; }
	column=0
	types=$(sed -n '/^Samples:/{n;p;}' "$tmp/raw")
	for type in $types; do
		column=$((column + 1))
		compare "$profile" "${type%%/*}" $column
	done
	[ "$profile" != cpu ] || compare cpu cpu 2 endpoint
done
