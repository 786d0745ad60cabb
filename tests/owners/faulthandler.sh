#!/bin/sh
# SPDX-License-Identifier: ISC
# Python says which functions its threads are in while faulthandler dumps them.
set -u
command -v python3 >/dev/null || { echo "skip faulthandler python3 is not installed"; exit 0; }
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
trap 'exit 2' HUP INT TERM

cat >"$tmp/work.py" <<'END'
import faulthandler, sys, threading, time

class Deep:
    def go(self, n):
        if n:
            return [self.go(n - 1) for _ in range(1)]
        event.wait()

def dump():
    for tid, frame in sys._current_frames().items():
        names = []
        if tid == threading.get_ident():
            continue
        while frame:
            code = frame.f_code
            names.append("%s (%s:%d)" % (code.co_name, code.co_filename, frame.f_lineno))
            frame = frame.f_back
        print(";".join(reversed(names)))
    sys.stdout.flush()
    faulthandler.dump_traceback()

event = threading.Event()
for n in range(5):
    threading.Thread(target=Deep().go, args=(n,), daemon=True).start()
    threading.Thread(target=lambda: event.wait(), daemon=True).start()
time.sleep(0.3)
for _ in range(3):
    dump()
END
python3 "$tmp/work.py" >"$tmp/said" 2>"$tmp/profile" || exit 2
sort "$tmp/said" | uniq -c | awk '{ n = $1; $1 = ""; print substr($0, 2), n }' | sort >"$tmp/owner"
# The thread that dumps is in another place each time.
"$BIN/fg-collapse" -q --no-header --srcline "$tmp/profile" | grep -v ';dump (' | sort >"$tmp/ours"
if [ -s "$tmp/owner" ] && cmp -s "$tmp/ours" "$tmp/owner"; then
	echo "ok faulthandler $(grep -c '' "$tmp/ours") stacks of $(grep -c '' "$tmp/said") threads"
else
	echo "FAIL faulthandler stacks differ"
	diff "$tmp/ours" "$tmp/owner" | head -n 20
fi
