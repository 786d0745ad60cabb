# SPDX-License-Identifier: ISC
# Shared by the suites of recorded programs, which source it from the top folder. Sets BIN, PATH and $tmp, a
# folder removed at the end, and counts in $passed, $failed and $skipped. The arguments are the names of the
# tests to run; without any, all run.
# shellcheck shell=sh
# shellcheck disable=SC2034 # the suites use what is set here
BIN=$(cd "${BIN:-bin}" && pwd) || exit 2
PATH=$BIN:$PATH
LC_ALL=C
export PATH LC_ALL
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
trap 'exit 2' HUP INT TERM
passed=0 failed=0 skipped=0 wanted=" $* "

skip() {
	echo "$1: skipped"
	skipped=$((skipped + 1))
}

# Whether the program $1 was asked for, and its requirement $2 is installed.
can() {
	case $wanted in "  " | *" $1 "*) ;; *) return 1 ;; esac
	command -v "$2" >/dev/null || { skip "$1: $2 is not installed" && return 1; }
}

# Skips the whole suite if perf events are refused: fg-record would run the commands without recording them.
needs_perf_events() {
	fg-record -q --method perf -o "$tmp/trial" true >/dev/null 2>&1
	[ ! -s "$tmp/trial" ] || return 0
	skip "perf events are refused here: $(basename "$0")"
	sum_up
	exit 0
}

# Ends a suite: prints the counts. Returns false if anything failed.
sum_up() {
	if [ $skipped = 0 ]; then
		echo "$passed passed, $failed failed"
	else
		echo "$passed passed, $failed failed, $skipped skipped"
	fi
	[ $failed = 0 ]
}
