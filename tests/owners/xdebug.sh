#!/bin/sh
# SPDX-License-Identifier: ISC
# Traces of Xdebug against its own profiler in the same run: the functions, how much time there is in all, and the
# functions of both formats of a trace.
set -u
command -v php >/dev/null || { echo "skip xdebug there is no php" && exit 0; }
php -m | grep -q -i '^xdebug$' || { echo "skip xdebug php has no Xdebug" && exit 0; }
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 2

cat >work.php <<'END'
<?php
class Sums {
	static function fib($n) { return $n < 2 ? $n : self::fib($n - 1) + self::fib($n - 2); }
	function total($a) { return array_sum(array_map(fn($x) => self::fib($x), $a)); }
}
include __DIR__ . '/more.php';
$s = new Sums;
usleep(2000);
more($s->total([3, 5, 7]));
END
cat >more.php <<'END'
<?php function more($n) { return md5(str_repeat("x", $n)); }
END

# Runs the program with the trace format $1; more options follow.
trace() {
	format=$1
	shift
	php -d xdebug.start_with_request=yes -d xdebug.trace_format="$format" -d xdebug.use_compression=0 \
		-d xdebug.output_dir="$tmp" -d xdebug.trace_output_name="trace$format" \
		-d xdebug.profiler_output_name=profile "$@" work.php
}

# The functions of folded text, as the profiler names them.
list_functions() {
	sed 's/ [0-9]*$//' | tr ';' '\n' | sed 's/include(\(.*\))/include::\1/' | sort -u
}

trace 1 -d xdebug.mode=trace,profile
trace 0 -d xdebug.mode=trace
"$BIN/fg-collapse" -q --no-header trace1.xt >folded
sed -n 's/^c*fn=([0-9]*) //p' profile | sed 's/^php:://; s/{closure:[^}]*}/{closure}/' | sort -u >theirs
list_functions <folded | sed 's/{closure:[^}]*}/{closure}/' >ours
if [ -s theirs ] && [ -z "$(comm -13 theirs ours)" ]; then
	echo "ok xdebug a trace has functions of the profiler"
else
	echo "FAIL xdebug a trace has functions that the profiler has not"
	comm -3 theirs ours
fi

# Everything runs below {main}: from its line to its return, or to the last line with a time.
awk -F '\t' '$3 == 0 && $6 == "{main}" { from = $4 } !done && $4 != "" { to = $4 } $1 == 1 && $3 == 1 { done = 1 }
	END { printf "%.0f\n", (to - from) * 1e9 }' trace1.xt >theirs
awk '{ sum += $NF } END { printf "%.0f\n", sum }' folded >ours
if cmp -s theirs ours; then
	echo "ok xdebug the time of a trace is all there"
else
	echo "FAIL xdebug $(cat ours) ns of $(cat theirs) are there"
fi

# The format for people has times of 0.1 ms, so that most functions have none.
list_functions <folded >theirs
"$BIN/fg-collapse" -q --no-header trace0.xt | list_functions >ours
if grep -q usleep ours && [ -z "$(comm -13 theirs ours)" ]; then
	echo "ok xdebug the format for people has functions of the other one"
else
	echo "FAIL xdebug the format for people has other functions"
	comm -3 theirs ours
fi
