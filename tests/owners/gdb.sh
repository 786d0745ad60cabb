#!/bin/sh
# SPDX-License-Identifier: ISC
# gdb says in its Python which functions each thread is in, at the same stop at which it prints the
# backtraces.
set -u
for tool in gdb gcc; do
	command -v $tool >/dev/null || { echo "skip gdb $tool is not installed"; exit 0; }
done
tmp=$(mktemp -d) || exit 2
trap 'kill "$pid" 2>/dev/null; rm -rf "$tmp"' EXIT
trap 'exit 2' HUP INT TERM
pid=

cat >"$tmp/work.c" <<'END'
#include <pthread.h>
#include <unistd.h>
static volatile long sink;
static inline __attribute__((always_inline)) void spin(int n) { for (int i = 0; i < n; i++) sink += i; }
__attribute__((noinline)) static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
__attribute__((noinline)) static void outer(int n) { spin(n); sink++; }
static void *run(void *kind)
{
	for (;;)
		switch ((long)kind) {
		case 0: sink = fib(30); break;
		case 1: outer(100000); break;
		default: usleep(100000);
		}
}
int main(void)
{
	pthread_t t;
	for (long i = 1; i < 4; i++)
		pthread_create(&t, 0, run, (void *)i);
	run(0);
}
END
cat >"$tmp/say.py" <<'END'
for t in gdb.selected_inferior().threads():
    t.switch()
    f, names = gdb.newest_frame(), []
    while f:
        names.append(f.name() or "[unknown]")
        f = f.older()
    print("FOLDED " + ";".join(reversed(names)))
END
gcc -O2 -g -pthread -o "$tmp/work" "$tmp/work.c" || exit 2
"$tmp/work" &
pid=$!
sleep 1
if ! gdb -p "$pid" -batch -ex "thread apply all bt" -x "$tmp/say.py" >"$tmp/once" 2>"$tmp/err" ||
	! grep -q '^FOLDED' "$tmp/once"; then
	echo "skip gdb cannot attach to a program here"
	exit 0
fi
for _ in 1 2 3 4 5 6 7 8 9; do
	gdb -p "$pid" -batch -ex "thread apply all bt" -x "$tmp/say.py" >>"$tmp/once" 2>>"$tmp/err"
done
grep -v '^FOLDED' "$tmp/once" >"$tmp/profile"
sed -n 's/^FOLDED //p' "$tmp/once" | sort | uniq -c | awk '{ n = $1; $1 = ""; print substr($0, 2), n }' | sort >"$tmp/owner"
"$BIN/fg-collapse" -q --no-header --by none "$tmp/profile" | sed 's/\[[^];]*\]/[unknown]/g' | sort >"$tmp/ours"
if cmp -s "$tmp/ours" "$tmp/owner"; then
	echo "ok gdb $(grep -c '' "$tmp/ours") stacks of $(grep -c '^FOLDED' "$tmp/once") threads"
else
	echo "FAIL gdb stacks differ"
	diff "$tmp/ours" "$tmp/owner" | head -n 20
fi
