#!/bin/sh
# SPDX-License-Identifier: ISC
# The profiles of a small Go program, which it writes in text (debug=1) and as protobuf: what go tool pprof prints of
# the latter gives the same, by -raw all stacks, by -top the sums. The text of Go leaves out functions of
# its runtime where a stack begins.
set -u
command -v go >/dev/null || { echo "skip go is not here" && exit; }
here=$(cd "$(dirname "$0")/../.." && pwd) || exit 2
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 2
cp "$here/tests/collapse/pprof-text/recordings/work.go" .
HOME=$tmp GOCACHE=$tmp/cache GO111MODULE=off go build -o work work.go 2>/dev/null ||
	{ echo "skip go cannot build here" && exit; }
./work || exit 2
status=0

fold() {
	"$BIN/fg-collapse" -q --no-header --addrs --by label:kind,label:step "$@"
}

judge() {
	if [ -s theirs ] && cmp -s theirs ours; then
		echo "ok $1"
	else
		echo "FAIL $1"
		diff theirs ours
		status=1
	fi
}

for pair in heap/inuse_space heap/inuse_objects heap/alloc_space heap/alloc_objects mutex/contentions mutex/delay \
	block/contentions block/delay goroutine/goroutine; do
	name=${pair%/*} cost=${pair#*/}
	go tool pprof -raw "$name.pb.gz" >"$name.raw" 2>/dev/null
	fold --cost "$cost" "$name.raw" | sort >theirs
	fold --cost "$cost" "$name.pb.gz" | sort >ours
	judge "go $name $cost: -raw, all stacks"
	awk '{ sum += $NF } END { print sum }' ours >theirs
	fold --cost "$cost" "$name.txt" | awk '{ sum += $NF } END { print sum }' >ours
	judge "go $name $cost: debug=1, sum"
done
for cost in inuse_space alloc_space; do
	go tool pprof -top -nodecount=0 -unit=B -sample_index=$cost heap.pb.gz 2>/dev/null |
		sed -n 's/.* of \([0-9]*\)B total.*/\1/p; s/^Showing.*100% of \([0-9]*\)B.*/\1/p' | head -n 1 >theirs
	fold --cost $cost heap.txt | awk '{ sum += $NF } END { print sum }' >ours
	judge "go heap $cost: -top, sum"
done
exit $status
