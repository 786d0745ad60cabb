#!/bin/sh
# SPDX-License-Identifier: ISC
# eu-stack shows a program that stands still in the same functions whatever its options are, and
# gdb sees these functions too.
set -u
for tool in eu-stack gcc; do
	command -v $tool >/dev/null || { echo "skip eu-stack $tool is not installed"; exit 0; }
done
tmp=$(mktemp -d) || exit 2
trap 'kill -9 "$pid" 2>/dev/null; rm -rf "$tmp"' EXIT
trap 'exit 2' HUP INT TERM
pid=

cat >"$tmp/work.c" <<'END'
#include <pthread.h>
#include <unistd.h>
static volatile long sink;
__attribute__((noinline)) static long down(long n) { return n ? down(n - 1) + sink : pause(); }
static void *run(void *n) { sink = down((long)n % 5); return 0; }
int main(void)
{
	pthread_t t;
	for (long i = 1; i < 13; i++)
		pthread_create(&t, 0, run, (void *)i);
	run(0);
}
END
gcc -O1 -g -pthread -o "$tmp/work" "$tmp/work.c" || exit 2
"$tmp/work" &
pid=$!
sleep 1
eu-stack -p "$pid" >"$tmp/plain" 2>"$tmp/err" || { echo "skip eu-stack cannot attach to a program here"; exit 0; }

# The frames of each thread, as the tool prints them, without versions of symbols.
awk 'function put() { if (stack != "") print stack; stack = "" }
	/^TID / { put() }
	/^#/ { sub(/@.*/, "", $3); stack = $3 (stack == "" ? "" : ";") stack }
	END { put() }' "$tmp/plain" | sort | uniq -c | awk '{ print $2, $1 }' | sort >"$tmp/owner"

# Compares the files ours and owner; $1 says what of.
compare() {
	if [ -s "$tmp/owner" ] && cmp -s "$tmp/ours" "$tmp/owner"; then
		echo "ok eu-stack $1: $(grep -c '' "$tmp/ours") stacks"
	else
		echo "FAIL eu-stack $1: stacks differ"
		diff "$tmp/ours" "$tmp/owner" | head -n 20
	fi
}

for options in "" -a -m -s -b "-a -m -s -b"; do
	# shellcheck disable=SC2086 # options are words
	eu-stack $options -p "$pid" >"$tmp/profile" 2>>"$tmp/err"
	"$BIN/fg-collapse" -q --no-header "$tmp/profile" | sort >"$tmp/ours"
	compare "with options [$options]"
done

command -v gdb >/dev/null || { echo "skip eu-stack gdb is not installed"; exit 0; }
# Outside of the program names differ by the debug information that is there.
program() {
	awk '{ n = split($1, frame, ";"); stack = ""
		for (i = 1; i <= n; i++)
			if (frame[i] ~ /^(main|run|down)$/) stack = stack frame[i] ";"
		sum[stack] += $2 } END { for (s in sum) print s, sum[s] }' | sort
}
gdb -p "$pid" -batch -ex "thread apply all bt" >"$tmp/profile" 2>>"$tmp/err"
"$BIN/fg-collapse" -q --no-header --by none "$tmp/profile" | program >"$tmp/ours"
program <"$tmp/owner" >"$tmp/cut" && mv "$tmp/cut" "$tmp/owner"
compare "and gdb"
