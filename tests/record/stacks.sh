#!/bin/sh
# SPDX-License-Identifier: ISC
# Records programs with the defaults of fg-record and prints how many user-space samples have a complete stack,
# one that begins at the entry of a program or a thread. A program passes with PERCENT of them.
#
#	tests/record/stacks.sh [name...]		only these programs
#
# BIN is the folder of the programs (bin). Missing tools are skipped. TABLE=1 prints the table of
# docs/comparison.md: the same recordings by perf script, and by the programs in the folder OLD if set; HOW has
# options of fg-record (-g dwarf: snapshots only).
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/record/suite.sh
SECONDS=1.5
export SECONDS
# Fewer samples are too few to judge.
LEAST=100

# stacks NAME PERCENT COMMAND...: records the command.
stacks() {
	name=$1 percent=$2
	shift 2
	# shellcheck disable=SC2086 # options
	if fg-record -q ${HOW:-} -o "$tmp/data" "$@" >/dev/null 2>"$tmp/said"; then
		judge "$name" "$percent"
	else
		echo "$name: cannot be recorded"
		head -n 3 "$tmp/said"
		failed=$((failed + 1))
	fi
}

# Prints the share of complete stacks in the folded stacks on stdin.
share() {
	awk -f tests/record/entries.awk | head -n 1 | cut -d ' ' -f 1
}

# Prints a line of the table: NAME, by perf, by the programs in OLD, by ours.
tabulate() {
	perf script --no-inline -i "$tmp/data" 2>/dev/null | fg-collapse -q -f perf-script --weight samples 2>/dev/null |
		share >"$tmp/perf"
	if [ -n "${OLD:-}" ]; then
		"$OLD/fg-collapse" -q --weight samples "$tmp/data" 2>/dev/null | share >"$tmp/old"
	else
		echo - >"$tmp/old"
	fi
	echo "| $1 | $(cat "$tmp/perf") | $(cat "$tmp/old") | $whole | $samples |"
}

# Judges the recording $tmp/data of $1, which passes with $2 percent.
judge() {
	name=$1 percent=$2
	fg-collapse -q --weight samples "$tmp/data" >"$tmp/folded" 2>"$tmp/said"
	awk -f tests/record/entries.awk "$tmp/folded" >"$tmp/share"
	read -r whole samples <"$tmp/share"
	if [ "$samples" -lt "$LEAST" ]; then
		skip "$name: only $samples samples"
		return
	fi
	[ -z "${TABLE:-}" ] || tabulate "$name"
	printf '%-16s %5s %% of %6d stacks are whole (%s %% or more)\n' "$name" "$whole" "$samples" "$percent"
	if awk "BEGIN { exit !($whole >= $percent) }"; then
		passed=$((passed + 1))
	else
		sed 1d "$tmp/share"
		failed=$((failed + 1))
	fi
}

# Removes the files in /tmp of a runtime that $tmp/noted ran.
forget() {
	[ -s "$tmp/pid" ] || return
	pid=$(cat "$tmp/pid")
	rm -f "/tmp/perf-$pid.map" "/tmp/jit-$pid.dump" "/tmp/jitted-$pid-"*.so "$tmp/pid"
}

# The first of the words that is Python 3.$1 or later.
python_of() {
	least=$1
	shift
	for python; do
		"$python" -c "import sys; sys.exit(sys.version_info < (3, $least))" 2>/dev/null && echo "$python" && return
	done
}

fg-record -q -o "$tmp/data" true 2>/dev/null || {
	echo 'perf events are refused here: no stacks are recorded'
	echo '0 passed, 0 failed, 1 skipped'
	exit 0
}
cat >"$tmp/work.pl" <<'END'
use Time::HiRes 'time';
my $end = time + $ENV{SECONDS};
sub fib { my $n = shift; return $n < 2 ? $n : fib($n - 1) + fib($n - 2) }
while (time < $end) {
	my %h;
	fib(16);
	$h{$_ % 1001} .= "x$_" for 1 .. 20000;
	my $text = join ",", map { $h{$_} } sort keys %h;
	$text =~ s/(\d+)x/$1/g;
}
END
cat >"$tmp/work.sql" <<'END'
with recursive r(n, a, b) as (select 1, 1, 1 union all select n + 1, b, (a + b) % 100003 from r where n < 700000)
select max(a), count(distinct b), sum(n) from r;
END
cat >"$tmp/work.go" <<'END'
package main

import ("fmt"; "sort"; "time")

func fib(n int) int { if n < 2 { return n }; return fib(n-1) + fib(n-2) }
func work(end time.Time, done chan int) {
	s := 0
	for time.Now().Before(end) {
		m := map[string]int{}
		for i := 0; i < 5000; i++ { m[fmt.Sprint("k", i*7919%997)] += i }
		keys := []string{}
		for k := range m { keys = append(keys, k) }
		sort.Strings(keys)
		s += fib(18) + len(keys)
	}
	done <- s
}
func main() {
	end, done := time.Now().Add(1500*time.Millisecond), make(chan int)
	for i := 0; i < 2; i++ { go work(end, done) }
	fmt.Println(<-done + <-done)
}
END
cat >"$tmp/Work.java" <<'END'
import java.util.*;
public class Work {
	static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
	public static void main(String[] a) {
		long end = System.currentTimeMillis() + 2000, s = 0;
		while (System.currentTimeMillis() < end) {
			List<Integer> l = new ArrayList<>();
			for (int i = 0; i < 20000; i++) l.add(i * 7919 % 10007);
			Collections.sort(l, (x, y) -> y - x);
			Map<String, Integer> m = new HashMap<>();
			for (int i = 0; i < 5000; i++) m.merge("k" + i % 97, i, Integer::sum);
			s += m.size() + fib(20);
		}
		System.out.println(s);
	}
}
END
printf '#!/bin/sh\necho $$ >%s/pid\nexec "$@"\n' "$tmp" >"$tmp/noted"
chmod +x "$tmp/noted"
cat "$BIN"/* | head -c 2500000 >"$tmp/input"
programs=tests/oracle/programs

can g++ g++ && stacks g++ 98 g++ -O2 -c -o "$tmp/x.o" bench/inlined.cc
can clang++ clang++ && stacks clang++ 95 clang++ -O2 -c -o "$tmp/x.o" bench/inlined.cc
can python3 python3 && stacks python3 98 python3 bench/work.py
can perl perl && stacks perl 98 perl "$tmp/work.pl"
# shellcheck disable=SC2016 # for that shell
can bash bash && stacks bash 95 bash -c 'for ((i = 0; i < 300000; i++)); do s=$((s + i)) t="$t${i: -1}"; t=${t: -9}; done'
can xz xz && stacks xz 98 xz -T1 -9 -k -c "$tmp/input"
if can git git; then
	if git rev-parse HEAD >/dev/null 2>&1; then stacks git 98 git log -p -400; else skip 'git: no history here'; fi
fi
can node node && stacks node 98 node bench/work.js
can rust rustc && rustc -O -o "$tmp/rs" $programs/unwind.rs 2>/dev/null && stacks rust 98 "$tmp/rs" 40
can altstack cc && cc -O2 -fno-omit-frame-pointer -o "$tmp/altstack" tests/record/altstack.c &&
	stacks altstack 98 "$tmp/altstack"
can sqlite3 sqlite3 && stacks sqlite3 98 sqlite3 :memory: ".read $tmp/work.sql"
can go go && GOCACHE=$tmp/go GOFLAGS=-mod=mod go build -o "$tmp/work-go" "$tmp/work.go" && stacks go 98 "$tmp/work-go"
GOCACHE=$tmp/go GOFLAGS=-mod=mod go build -ldflags='-s -w' -o "$tmp/stripped-go" "$tmp/work.go" 2>/dev/null &&
	stacks go-stripped 98 "$tmp/stripped-go"
can java java && stacks java 95 java -XX:+PreserveFramePointer "$tmp/Work.java"
# Only for the table: these end in code generated at run time without frame pointers.
[ -n "${TABLE:-}" ] && can java java && stacks java-default 20 java "$tmp/Work.java"
can i386 gcc && gcc -m32 -O2 -o "$tmp/i386" tests/record/libc.c -lm 2>/dev/null && stacks i386 75 "$tmp/i386"
can musl musl-gcc && musl-gcc -O2 -static -fasynchronous-unwind-tables -o "$tmp/musl" tests/record/libc.c -lm &&
	stacks musl 30 "$tmp/musl"
can altstack-cut cc && cc -O2 -fomit-frame-pointer -o "$tmp/altstack" tests/record/altstack.c &&
	[ -n "${TABLE:-}" ] && stacks altstack-no-pointers 0 "$tmp/altstack"
python=$(python_of 12 python3 python3.14 python3.13 python3.12)
can perf-map "${python:-a Python of 3.12 or later}" && stacks perf-map 95 "$tmp/noted" "$python" -X perf bench/work.py
forget
python=$(python_of 13 python3 python3.14 python3.13)
can jitdump "${python:-a Python of 3.13 or later}" && stacks jitdump 95 "$tmp/noted" "$python" -X perf_jit bench/work.py
forget
# The same, after perf inject made a file for each piece of code.
if can inject "${python:-a Python of 3.13 or later}" && can inject perf; then
	perf record -q -k mono -e cpu-clock:u -F 997 --call-graph dwarf,65528 -o "$tmp/plain" \
		"$tmp/noted" "$python" -X perf_jit bench/work.py >/dev/null 2>&1 &&
		HOME=$tmp perf inject -j -i "$tmp/plain" -o "$tmp/data" >/dev/null 2>&1 && judge inject 95
	forget
fi
sum_up
