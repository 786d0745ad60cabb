#!/bin/sh
# SPDX-License-Identifier: ISC
# Measures the overhead of recording: the slowdown of the recorded program with -g auto and -g fp, the lost samples,
# and the memory of fg-record and of fg-collapse behind it.
#
# Machines drift, so the three ways take turns, and the result is the median of the ratios of RUNS (5) turns.
set -u
cd "$(dirname "$0")/.." || exit 2
. bench/table.sh

# The processor time in ms of the command $@, alone or recorded with the options $how; the summary of fg-record
# goes to $here/said.
time_of() {
	if [ "$how" = alone ]; then
		$tools/measure 1 file /dev/null "$@" | awk '{ print $3 }'
	else
		# shellcheck disable=SC2086 # words
		bin/fg-record $how -o $here/recording -- $tools/measure 1 file /dev/null "$@" 2>>$here/said | awk '{ print $3 }'
	fi
}

# The median of the numbers on stdin.
median() {
	sort -n | awk '{ n[NR] = $1 } END { printf "%.2f", NR ? n[int((NR + 1) / 2)] : 0 }'
}

# The median ratio of column $1 to column $2.
ratio() {
	awk -v over="$1" -v under="$2" '$under > 0 { print $over / $under }' $here/times | median
}

# Samples and losses of all recordings, from the summaries in file $1.
losses() {
	awk '{
		for (i = 2; i <= NF; i++) {
			gsub(/,/, "", $(i - 1))
			if ($i ~ /^samples?,$/) samples += $(i - 1)
			if ($i ~ /^lost/) lost += $(i - 1)
		}
	} END { printf "%d of %d samples lost", lost, samples + lost }' "$1"
}

measure_slowdown() {
	title=$1
	shift
	: >$here/times
	: >$here/said-fp
	: >$here/said-auto
	turn=0
	while [ $turn -lt "$RUNS" ]; do
		line=
		for how in alone '-g fp' '-g auto'; do
			: >$here/said
			line="$line $(time_of "$@")"
			[ "$how" = alone ] || cat $here/said >>"$here/said-${how#-g }"
		done
		say "$line" >>$here/times
		turn=$((turn + 1))
	done
	say "$title: -g fp x$(ratio 2 1), -g auto x$(ratio 3 1), auto / fp $(ratio 3 2) (goal: <= 1.3)"
	say "$title: -g fp $(losses $here/said-fp), -g auto $(losses $here/said-auto) (goal: none)"
}

# The peak memory of fg-record $1 and of fg-collapse behind it, polled while they run.
measure_memory() {
	title=$1
	shift
	rm -f $here/stream
	mkfifo $here/stream || return
	bin/fg-record -q -o $here/stream -- "$@" >/dev/null 2>&1 &
	recorder=$!
	$tools/measure 1 file $here/stream bin/fg-collapse -q >$here/collapse &
	while kill -0 $recorder 2>/dev/null; do
		sed -n 's/^VmHWM:[^0-9]*\([0-9]*\) kB/\1/p' /proc/$recorder/status 2>/dev/null >$here/hwm.new
		[ -s $here/hwm.new ] && mv $here/hwm.new $here/hwm
		sleep 0.1
	done
	wait
	awk -v title="$title" -v record="$(cat $here/hwm)" '{
		printf "%s: fg-record %.1f MiB, fg-collapse %.1f MiB (goal: < 100 MB together)\n", title, record / 1024, $2
	}' $here/collapse
	rm -f $here/stream
}

say 'recording at 997 Hz'
for compiler in g++ clang++; do
	command -v $compiler >/dev/null || continue
	measure_slowdown $compiler $compiler -O2 -c -o /dev/null bench/inlined.cc
	measure_memory $compiler $compiler -O2 -c -o /dev/null bench/inlined.cc
done
rm -f $here/recording $here/times $here/said $here/said-fp $here/said-auto $here/collapse $here/hwm
