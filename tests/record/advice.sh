#!/bin/sh
# SPDX-License-Identifier: ISC
# Records programs and checks what fg-collapse advises: the step that helps where stacks or names are poor, and
# nothing where they are not.
#
#	tests/record/advice.sh [name...]		of these programs
#
# BIN is the folder of the programs (bin). What is not installed is skipped.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/record/suite.sh

# advice NAME TEXT COMMAND...: records with the arguments COMMAND; a message must have TEXT, or there must be none.
advice() {
	name=$1 text=$2
	shift 2
	# node leaves a log where it runs
	if ! (cd "$tmp" && fg-record -q -F 997 -o "$tmp/data" "$@") >/dev/null 2>"$tmp/said" ||
		! fg-collapse "$tmp/data" >"$tmp/folded" 2>"$tmp/said"; then
		echo "$name: cannot be recorded"
	elif [ -z "$text" ] && ! grep -q 'not whole\|no name\|no Python' "$tmp/said"; then
		passed=$((passed + 1))
		return
	elif [ -n "$text" ] && grep -q -e "$text" "$tmp/said"; then
		passed=$((passed + 1))
		return
	else
		echo "$name: expected: ${text:-no advice}"
	fi
	failed=$((failed + 1))
	head -n 1 "$tmp/folded"
	head -n 3 "$tmp/said"
}

fg-record -q -o "$tmp/data" true 2>/dev/null || {
	echo 'perf events are refused here: no advice is tested'
	echo '0 passed, 0 failed, 1 skipped'
	exit 0
}
cat >"$tmp/work.c" <<'END'
#include <time.h>
static volatile unsigned long sum;
static __attribute__((noinline)) void leaf(unsigned long n) { while (n--) sum += n * sum; sum++; }
static __attribute__((noinline)) void middle(unsigned long n) { leaf(n); sum++; }
static __attribute__((noinline)) void outer(unsigned long n) { middle(n); sum++; }
int main(void) { while (clock() < CLOCKS_PER_SEC / 2) outer(100000); return 0; }
END
cat >"$tmp/work.js" <<'END'
function leaf(n) { let s = 0; for (let i = 0; i < n; i++) s += Math.sin(i) * i % 7; return s }
function outer(n) { return leaf(n) + 1 }
const end = Date.now() + 800; let t = 0; while (Date.now() < end) t += outer(20000);
END
cat >"$tmp/work.py" <<'END'
import time
def leaf(n): return sum(i * i for i in range(n))
def outer(n): return leaf(n)
while time.process_time() < 0.6: outer(3000)
END
cat >"$tmp/Work.java" <<'END'
public class Work {
	static double leaf(int n) { double s = 0; for (int i = 0; i < n; i++) s += Math.sqrt(i) % 7; return s; }
	static double outer(int n) { return leaf(n) + 1; }
	public static void main(String[] a) {
		long end = System.currentTimeMillis() + 2500; double t = 0;
		while (System.currentTimeMillis() < end) t += outer(20000);
		System.out.println(t);
	}
}
END

if can c "${CC:-cc}"; then
	"${CC:-cc}" -O2 -fno-omit-frame-pointer -o "$tmp/fp" "$tmp/work.c"
	"${CC:-cc}" -O2 -fomit-frame-pointer -o "$tmp/nofp" "$tmp/work.c"
	"${CC:-cc}" -O2 -s -o "$tmp/stripped" "$tmp/work.c"
	"${CC:-cc}" -O1 -o "$tmp/altstack" tests/record/altstack.c
	advice frame-pointers '' -g fp "$tmp/fp"
	advice no-frame-pointers 'without frame pointers: record with -g auto' -g fp "$tmp/nofp"
	advice snapshots '' "$tmp/nofp"
	advice no-chains 'recorded without call chains' -g no "$tmp/nofp"
	advice stripped 'in \[stripped\] (stripped: install its debug symbols' "$tmp/stripped"
	advice signal-stack 'on a stack of their own' "$tmp/altstack"
fi
# shellcheck disable=SC2016 # Perl's dollar
can perl perl && advice perl 'without frame pointers: record with -g auto' -g fp perl -e 'for (1 .. 5e6) { $x += sin($_) }'
if can node node; then
	advice node 'made by V8: start node with --perf-basic-prof' node "$tmp/work.js"
	advice node-with-a-map '' node --perf-basic-prof "$tmp/work.js"
fi
if can java java && java --version >/dev/null 2>&1; then
	advice java '-XX:+PreserveFramePointer' java -XX:TieredStopAtLevel=1 "$tmp/Work.java"
	advice java-with-a-map '' java -XX:+PreserveFramePointer -XX:+UnlockDiagnosticVMOptions \
		-XX:+DumpPerfMapAtExit "$tmp/Work.java"
fi
for python in python3 python3.12 python3.13 python3.14; do
	command -v "$python" >/dev/null || continue
	can "$python" "$python" || continue
	if "$python" -c 'import sys; sys.exit(sys.version_info < (3, 12))' 2>/dev/null; then
		advice "$python" 'no Python function is in the stacks: start python with -X perf' "$python" "$tmp/work.py"
		advice "$python-X-perf" '' "$python" -X perf "$tmp/work.py"
	elif "$python" -c '' 2>/dev/null; then
		advice "$python" '' "$python" "$tmp/work.py"
	fi
done
sum_up
