# SPDX-License-Identifier: ISC
# What the suites of recorded programs share; to be sourced from the top folder. Sets BIN, PATH and $tmp, a folder
# that is removed at the end, and counts in $passed, $failed and $skipped. The arguments are the names of what is
# wanted, none being all.
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

# Whether the program $1 was asked for, and $2, which it needs, is installed.
can() {
	case $wanted in "  " | *" $1 "*) ;; *) return 1 ;; esac
	command -v "$2" >/dev/null || { skip "$1: $2 is not installed" && return 1; }
}

# Ends the suite, all of it skipped, where perf events are refused: fg-record then runs what it may not record.
needs_perf_events() {
	fg-record -q --method perf -o "$tmp/trial" true >/dev/null 2>&1
	[ ! -s "$tmp/trial" ] || return 0
	skip "perf events are refused here: $(basename "$0")"
	sum_up
	exit 0
}

# Ends a suite: prints what was counted, and is false when anything failed.
sum_up() {
	if [ $skipped = 0 ]; then
		echo "$passed passed, $failed failed"
	else
		echo "$passed passed, $failed failed, $skipped skipped"
	fi
	[ $failed = 0 ]
}
