#!/bin/sh
# SPDX-License-Identifier: ISC
# Shared by the benchmarks, which source it: paths, inputs that are made once, and the table. Each time is the
# best of RUNS (5), as a ratio to `wc -l` of the same input in the same run (`cat ... | wc -l` for several
# files). TIME=processor takes processor time instead of wall time, for a busy machine. Inputs stay in
# build/bench/; remove a file to have it made again.
RUNS=${RUNS:-5}
here=build/bench
tools=build/plain/tools
export LC_ALL=C
mkdir -p $here || exit 2
# The column of the time in the output of $tools/measure.
case ${TIME-} in
processor) time_at=3 ;;
*) time_at=1 ;;
esac

say() {
	printf '%s\n' "$*"
}

# Makes the file $1 from the output of the command $2..., unless it exists.
make_once() {
	[ -s "$here/$1" ] && return
	file=$here/$1
	shift
	say "making $file" >&2
	"$@" >"$file.new" && mv "$file.new" "$file"
}

# The time and memory of wc for the files $@.
base_of() {
	if [ $# = 1 ]; then
		$tools/measure "$RUNS" file "$1" wc -l
	else
		# shellcheck disable=SC2016 # for the shell that is measured
		$tools/measure "$RUNS" file "$1" sh -c 'cat "$@" | wc -l' sh "$@"
	fi
}

# Prints one row of the table: title $1, inputs $2 (names, of which the first is also stdin), fed as $3 (file or
# pipe), goal $4, and the command.
row() {
	title=$1 names=$2 way=$3 goal=$4 files=
	shift 4
	for name in $names; do files="$files $here/$name"; done
	first=$here/${names%% *}
	# shellcheck disable=SC2086 # names without blanks
	size=$(cat $files | wc -c) base=$(base_of $files)
	got=$($tools/measure "$RUNS" "$way" "$first" "$@") || { say "$title: failed" && return; }
	bytes=$("$@" <"$first" 2>/dev/null | wc -c)
	say "$title|$names|$way|$base|$got|$bytes|$goal|$size" | awk -F'|' -v t="$time_at" '{
		n = split($2, names, " ")
		split($4, wc, " ")
		split($5, got, " ")
		printf "%-28s %-20s %-4s %8.1f ms %6.1f x wc %6.0f MB/s %7.1f MiB %10d B  %s\n",
			$1, (n > 1 ? n " files" : $2), $3, got[t], got[t] / (wc[t] > 0 ? wc[t] : 0.1),
			$8 / 1000 / (got[t] > 0 ? got[t] : 0.1), got[2], $6, $7
	}'
}

# A row for a peer, if it is installed.
peer() {
	command -v "$5" >/dev/null || return 0
	row "$@"
}
