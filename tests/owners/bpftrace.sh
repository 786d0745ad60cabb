#!/bin/sh
# SPDX-License-Identifier: ISC
# bpftrace: the text of maps and their JSON give the same stacks, whose sums are those of maps without stacks.
set -u
tool=bpftrace
for need in bpftrace cc; do
	command -v $need >/dev/null 2>&1 || { echo "skip $tool: no $need" && exit 0; }
done
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"; kill "${work-}" 2>/dev/null' EXIT
trap 'exit 2' HUP INT TERM
cd "$tmp" || exit 2

cat >work.c <<'EOF'
#include <fcntl.h>
#include <unistd.h>

static char block[4096];

__attribute__((noinline)) long
take(int fd)
{
	long n = read(fd, block, sizeof block);

	__asm__ volatile("" ::: "memory");
	return n;
}

int
main(void)
{
	int fd = open("/dev/zero", O_RDONLY);
	long sum = 0;

	for (;;)
		sum += take(fd);
	return (int)sum;
}
EOF
cc -O1 -fno-omit-frame-pointer -o work work.c || { echo "skip $tool: cc failed" && exit 0; }
./work &
work=$!
probe="tracepoint:syscalls:sys_enter_read /pid == $work/"
program="$probe { @[ustack(4), comm] = count(); @all = count(); @h[ustack(2)] = hist(args->count);
	@s[kstack(3)] = stats(args->count); @n = sum(args->count); } interval:ms:300 { exit(); }"
for form in text json; do
	bpftrace -f $form -p $work -e "$program" >$form.out 2>$form.err ||
		{ echo "skip $tool: cannot run here: $(tail -n 1 $form.err)" && exit 0; }
done
grep -q '^@all: [1-9]' text.out || { echo "skip $tool: it saw nothing" && exit 0; }

sum() { awk '{ sum += $NF } END { print sum + 0 }'; }
# Says whether the sum of the map $3 of the file $2.out is $4; $1 says of what.
expect() {
	ours=$("$BIN/fg-collapse" -q --no-header --event-filter "$3" "$2.out" | sum)
	if [ "$ours" = "$4" ] && [ "$4" != 0 ]; then
		echo "ok $tool $1"
	else
		echo "FAIL $tool $1: $ours, not $4"
	fi
}

all=$(sed -n 's/^@all: //p' text.out)
bytes=$(sed -n 's/^@n: //p' text.out)
ours=$("$BIN/fg-collapse" -q --no-header text.out | sum)
if [ "$ours" = "$all" ]; then
	echo "ok $tool the text of a map has as many samples as were counted"
else
	echo "FAIL $tool the text of a map: $ours samples, not $all"
fi
expect "histograms count as often as they were added to" text @h "$all"
expect "statistics count by their total" text @s "$bytes"
all=$(sed -n 's/.*"@all": \([0-9]*\).*/\1/p' json.out)
ours=$("$BIN/fg-collapse" -q --no-header json.out | sum)
if [ "$ours" = "$all" ]; then
	echo "ok $tool the JSON of a map has as many samples as were counted"
else
	echo "FAIL $tool the JSON of a map: $ours samples, not $all"
fi
hists=$("$BIN/fg-collapse" -q --no-header --event-filter @h json.out | sum)
if [ "$hists" = "$all" ]; then
	echo "ok $tool so do histograms"
else
	echo "FAIL $tool the JSON of a histogram: $hists samples, not $all"
fi
names() { "$BIN/fg-collapse" -q --no-header "$1" | sed 's/ [0-9]*$//' | sort; }
names text.out >text.names
names json.out >json.names
if [ -s text.names ] && cmp -s text.names json.names; then
	echo "ok $tool text and JSON have the same stacks"
else
	echo "FAIL $tool text and JSON differ"
	diff text.names json.names
fi
