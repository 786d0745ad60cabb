#!/bin/sh
# SPDX-License-Identifier: ISC
# google-pprof on what gperftools records of a small program: the sum of each metric, and the ten heaviest stacks.
# Then pprof, as go brings it, on the same: all stacks.
set -u
{ command -v google-pprof && command -v gcc; } >/dev/null || { echo "skip gperftools: google-pprof is not here" && exit; }
here=$(cd "$(dirname "$0")/../.." && pwd) || exit 2
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 2
gcc -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -no-pie -o work \
	"$here/tests/collapse/gperftools-cpu/recordings/work.c" -Wl,--no-as-needed -lprofiler -ltcmalloc 2>/dev/null ||
	{ echo "skip gperftools: its libraries are not here" && exit; }
CPUPROFILE_FREQUENCY=500 CPUPROFILE=cpu.prof ./work >/dev/null 2>&1
HEAPPROFILE=heap ./work >/dev/null 2>&1
mv heap.0001.heap heap.txt || exit 2
status=0

# Sums up equal stacks; libc, whose functions have several names, is one frame, and tcmalloc's are called as libc's,
# which are names of the same addresses.
sum() {
	sed -E 's/<[0-9a-f]{16}>//g; s/\[inline\]//g; s/;__libc_start[^;]*//g; s/;\[[^];]*\]//g; s/;tc_([a-z]+)/;\1/g' |
		awk '{ n = $NF; sub(/ -?[0-9]+$/, ""); sum[$0] += n }
			END { for (stack in sum) if (sum[stack]) printf "%.0f %s\n", sum[stack], stack }' |
		sort -k1,1nr -k2
}

# Says in $1 whether the files theirs and ours are the same.
judge() {
	if cmp -s theirs ours; then
		echo "ok $1"
	else
		echo "FAIL $1"
		diff theirs ours
		status=1
	fi
}

total() {
	awk '{ sum += $1 } END { print sum + 0 }' "$1"
}

# Compares by metric $2 the profile $1, of which google-pprof calls that $3.
compare() {
	# shellcheck disable=SC2086 # an option, or none
	google-pprof --collapsed $3 work "$1" 2>/dev/null | grep '^_start' | sum >theirs.all
	"$BIN/fg-collapse" -q --no-header --full-names --no-inline --cost "$2" "$1" | grep '^_start' | sum >ours.all
	total theirs.all >theirs
	total ours.all >ours
	judge "gperftools $1 $2: sum"
	head -n 10 theirs.all >theirs
	head -n 10 ours.all >ours
	judge "gperftools $1 $2: the heaviest stacks"
}

compare cpu.prof samples ''
compare heap.txt inuse_space --inuse_space
compare heap.txt inuse_objects --inuse_objects
compare heap.txt alloc_space --alloc_space
compare heap.txt alloc_objects --alloc_objects

if command -v go >/dev/null; then
	for pair in cpu.prof/samples cpu.prof/cpu heap.txt/inuse_space heap.txt/alloc_objects; do
		file=${pair%/*} cost=${pair#*/}
		go tool pprof -symbolize=none -raw "$file" 2>/dev/null |
			"$BIN/fg-collapse" -q --no-header --addrs --cost "$cost" | sort >theirs
		"$BIN/fg-collapse" -q --no-header --addrs --cost "$cost" "$file" | sort >ours
		judge "pprof -raw $file $cost: all stacks"
	done
else
	echo "skip pprof: go is not here"
fi
exit $status
