#!/bin/sh
# SPDX-License-Identifier: ISC
# Java Flight Recorder: a recording of a small program, read directly, against what jfr says of it: summary
# has the numbers of events, print the innermost frames.
set -u
for tool in java javac jfr; do
	command -v "$tool" >/dev/null || { echo "skip jfr $tool is not here" && exit 0; }
done
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
trap 'exit 2' HUP INT TERM
cd "$tmp" || exit 2

cat >Work.java <<'END'
public class Work {
	static volatile long sink;

	static long spin(long n) {
		long x = n;
		for (int i = 0; i < 40_000_000; i++)
			x = x * 6364136223846793005L + i;
		return x;
	}

	static long[] fill(int n) {
		long[] kept = null;
		for (int i = 0; i < n; i++)
			kept = new long[10_000];
		return kept;
	}

	static synchronized void contend() throws InterruptedException {
		Thread.sleep(20);
	}

	public static void main(String[] args) throws Exception {
		Thread[] threads = new Thread[2];
		for (int i = 0; i < 2; i++) {
			threads[i] = new Thread(() -> {
				try {
					for (int j = 0; j < 10; j++) {
						contend();
						sink += spin(j) + fill(500)[0];
					}
				} catch (InterruptedException e) {
					return;
				}
			});
			threads[i].start();
		}
		for (Thread t : threads)
			t.join();
	}
}
END
javac Work.java >log 2>&1 && java -XX:StartFlightRecording=filename=work.jfr,settings=profile Work >log 2>&1
[ -s work.jfr ] || { echo "skip jfr cannot record here" && exit 0; }

# Says whether the files $1, of the tool, and $2, ours, are the same: $3.
compare() {
	if [ -s "$1" ] && cmp -s "$1" "$2"; then
		echo "ok jfr $3"
	else
		echo "FAIL jfr $3"
		diff "$1" "$2" | head -n 20
	fi
}

# The number of events with a stack, as they are folded.
jfr summary work.jfr >counts
for pair in cpu:jdk.ExecutionSample alloc:jdk.ObjectAllocationSample lock:jdk.JavaMonitorEnter; do
	awk -v event="${pair#*:}" '$1 == event && $2 > 0 { print $2 }' counts >theirs
	"$BIN/fg-collapse" -q --cost "${pair%%:*}" work.jfr 2>log | sed -n '1s/.* samples=\([0-9]*\) .*/\1/p' >ours
	[ -s theirs ] && compare theirs ours "the number of ${pair#*:} is that of summary"
done

# The innermost functions of samples of the processor.
jfr print --stack-depth 1 --events jdk.ExecutionSample work.jfr | awk '
	/^  stackTrace = \[/ { getline; sub(/ line: .*/, ""); sub(/\(.*/, ""); sub(/^ */, ""); n[$0]++ }
	END { for (name in n) print name, n[name] }' | sort >theirs
"$BIN/fg-collapse" -q --no-header --by none work.jfr | awk '{
	weight = $NF; sub(/ [0-9]+$/, ""); sub(/.*;/, ""); gsub("/", "."); n[$0] += weight }
	END { for (name in n) print name, n[name] }' | sort >ours
compare theirs ours "the innermost functions are those of print"

# All that print says, in each of its forms, against the recording.
for form in json xml; do
	jfr print --stack-depth 64 --"$form" work.jfr >"work.$form"
	for cost in cpu alloc lock sleep; do
		"$BIN/fg-collapse" -q --no-header --by tid --cost $cost "work.$form" | sed 's/-[0-9?]*\//-/' >theirs
		"$BIN/fg-collapse" -q --no-header --by tid --cost $cost work.jfr | sed 's/-[0-9?]*\//-/' >ours
		[ -s theirs ] && compare theirs ours "$cost of print --$form is that of the recording"
	done
done
