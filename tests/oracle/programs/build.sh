# shellcheck shell=sh disable=SC2154 # tmp is of the suite that reads this
# SPDX-License-Identifier: ISC
# Read by suites that compare what is found in the programs of this folder: builds them for $tmp, and counts outcomes.
# The suite has a function `compare NAME FILE`.
programs=$PWD/tests/oracle/programs

has() {
	command -v "$1" >/dev/null 2>&1
}

# outcome NAME pass|fail|skip TEXT
outcome() {
	echo "$1: $3"
	echo "$2" >"$tmp/$1.outcome"
}

# program NAME TOOL COMMAND...: builds $tmp/NAME by COMMAND -o FILE, and compares it. Split files are left where
# the compiler runs.
program() {
	name=$1 tool=$2
	shift 2
	if ! has "$tool"; then
		outcome "$name" skip "$tool is not installed"
	elif ! (cd "$tmp" && "$@" -o "$tmp/$name") >"$tmp/$name.log" 2>&1; then
		outcome "$name" skip "$tool cannot build it: $(head -n 1 "$tmp/$name.log")"
	else
		compare "$name" "$tmp/$name"
	fi
}

# small NAME COMPILER OPTION...: the program in C.
small() {
	name=$1 compiler=$2
	shift 2
	program "$name" "$compiler" "$compiler" -O2 -g "$@" "$programs/inlines.c" "$programs/inlines-main.c"
}

# large NAME COMPILER OPTION...: the one in C++.
large() {
	name=$1 compiler=$2
	shift 2
	program "$name" "$compiler" "$compiler" -std=c++17 -O2 -g "$@" "$programs/inlines.cc" "$programs/inlines-other.cc"
}

# Prints the last line of a suite; fails when an outcome is a failure.
sum_outcomes() {
	echo "$(cat "$tmp"/*.outcome | grep -c pass) passed, $(cat "$tmp"/*.outcome | grep -c fail) failed," \
		"$(cat "$tmp"/*.outcome | grep -c skip) skipped"
	! grep -q fail "$tmp"/*.outcome
}
