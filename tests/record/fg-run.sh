#!/bin/sh
# SPDX-License-Identifier: ISC
# fg-run as it is used: options that find their program, what comes out, the command's status and streams, and
# signals. Recordings are made by ptrace where perf events are refused, and are skipped where that is too.
#
#	tests/record/fg-run.sh [substring...]		the tests whose name has any substring
#
# BIN is the folder of the programs (bin).
set -u
cd "$(dirname "$0")/../.." || exit 2
BIN=$(cd "${BIN:-bin}" && pwd) || exit 2
PATH=$BIN:$PATH
LC_ALL=C
export PATH LC_ALL
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
trap 'exit 2' HUP INT TERM
self=$(pwd)/tests/record/fg-run.sh
export TMPDIR="$tmp"
script=$BIN/fg-run
[ -x "$script" ] || { echo "$script is not there" && exit 2; }

# A program that computes until it is told to end, a second at most.
# shellcheck disable=SC2016 # for the shell that runs it
busy='i=0; while [ $i -lt 150000 ]; do i=$((i + 1)); done'

# Runs fg-run with the arguments; its status is kept in the file status.
run() {
	"$script" "$@" >out 2>said
	echo $? >status
}

# A test ends when something is not so: $* says what.
wrong() {
	echo "not so: $*"
	sed 's/^/	said: /' said
	exit 1
}

# Fails unless the status was $1.
status_is() {
	[ "$(cat status)" = "$1" ] || wrong "the status is $1, not $(cat status)"
}

# Fails unless file $1 has a line that matches $2.
expect() {
	grep -q -E -e "$2" "$1" || wrong "$1 has '$2'"
}

# Programs in place of the three, which write down their arguments: the folder fake.
make_fakes() {
	mkdir fake && cp "$script" fake/fg-run || exit 2
	for p in fg-record fg-collapse fg-svg; do
		cat >fake/$p <<-END
			#!/bin/sh
			for a; do [ "\$a" = --help ] && exec "$BIN/$p" --help; done
			for a; do printf '%s\n' "\$a"; done >"$case/$p.args"
			[ $p != fg-record ] || while [ \$# -gt 0 ]; do
				[ "\$1" = -o ] && echo stream >"\$2"
				shift
			done
			[ $p != fg-collapse ] || { cat >/dev/null; echo '#fg samples=1234567'; echo 'a;b 1234567'; }
			[ $p != fg-svg ] || echo '<svg/>'
		END
		chmod +x fake/$p
	done
	script=$case/fake/fg-run
}

# Fails unless the arguments of program $1 are those in $2, with blanks between.
args_are() {
	got=$(tr '\n' ' ' <"$1.args" | sed "s, -o $case/tmp/[^ ]*, -o STREAM,; s,$case/tmp/[^ ]*,FOLDED,; s, $,,")
	[ "$got" = "$2" ] || wrong "$1 gets '$2', not '$got'"
}

test_options_find_their_program() {
	make_fakes
	run -F 99 --by pid -i --call-graph=dwarf,8K --width 800 --event cpu-clock prog -F 1 --width 2
	status_is 0
	args_are fg-record '-F 99 --call-graph=dwarf,8K --event=cpu-clock -o STREAM -- prog -F 1 --width 2'
	args_are fg-collapse --by=pid
	args_are fg-svg '-i --width=800 --title=prog -F 1 --width 2 FOLDED'
}

test_an_option_of_several_is_for_the_first() {
	make_fakes
	run --kernel --collapse-kernel -c 5 --svg-colors=java --record-freq=9 -- x
	status_is 0
	args_are fg-record '--kernel -c 5 --freq=9 -o STREAM -- x'
	args_are fg-collapse --kernel
	args_are fg-svg '--colors=java --title=x FOLDED'
}

test_letters_are_joined() {
	make_fakes
	run -aiF99 -d1
	status_is 0
	args_are fg-record '-a -F 99 -d 1 -o STREAM --'
	args_are fg-svg '-i FOLDED'
}

test_words_are_passed_as_they_are() {
	make_fakes
	run --title "a 'b' \"c\" \$d \\e  f" --notes '' -- "it's" '* ?' ''
	status_is 0
	args_are fg-svg "--title=a 'b' \"c\" \$d \\e  f --notes= FOLDED"
	printf '%s\n' "it's" '* ?' '' >expected
	tail -n 3 fg-record.args | cmp -s - expected || wrong 'the words of the command are kept'
}

test_quiet_is_for_all() {
	make_fakes
	run -q x
	status_is 0
	args_are fg-record '-q -o STREAM -- x'
	args_are fg-collapse -q
	[ ! -s said ] || wrong 'nothing is said'
}

test_one_line_says_where_and_what() {
	make_fakes
	run -o 'my picture.svg' x
	status_is 0
	expect said '^fg-run: my picture\.svg: 1,234,567 samples in [0-9]+\.[0-9] s; open it in a browser$'
	expect 'my picture.svg' '<svg/>'
	run -o - x
	expect out '<svg/>'
	[ ! -s said ] || wrong 'nothing is said of stdout'
}

test_wrong_options_are_told_before_anything_runs() {
	for words in '--nope x' '-Z x' '-F' '--freq' '--width' '-o' '--user=1 x' '--svg-nope x' '--by=x x' \
		'-F 0 x' '--width=-5 x' '-o /nowhere/at/all x' ''; do
		# shellcheck disable=SC2086 # words
		run $words
		status_is 2
		[ -s said ] || wrong "'$words' is told"
		[ ! -e flamegraph.svg ] || wrong "nothing is drawn for '$words'"
	done
}

test_help_and_version() {
	run --help
	status_is 0
	expect out '^  -o, --output FILE '
	run --version
	status_is 0
	expect out '^fg-run [0-9]'
	run --list-formats
	status_is 0
	expect out '^perf-script '
}

test_a_program_that_is_missing_is_told() {
	mkdir alone && cp "$script" alone/fg-run || exit 2
	PATH=/usr/bin:/bin alone/fg-run true >out 2>said
	echo $? >status
	# Unless it is installed here.
	[ -n "$(PATH=/usr/bin:/bin command -v fg-record)" ] || status_is 2
}

# How recordings can be made here; empty: not at all.
method() {
	for m in perf ptrace; do
		fg-record -q --method $m -o probe -- true >/dev/null 2>&1 && echo "--method=$m" && return
	done
}

test_a_command_becomes_a_picture() {
	run "$method" -F 999 -- sh -c "echo to stdout; echo to stderr >&2; $busy; exit 7"
	status_is 7
	expect out '^to stdout$'
	expect said '^to stderr$'
	expect said '^fg-run: flamegraph.svg: [0-9,]+ samples? in [0-9.]+ s; open it in a browser$'
	expect flamegraph.svg '</svg>'
	expect flamegraph.svg 'sh -c echo to stdout'
	[ -z "$(ls tmp)" ] || wrong 'no temporary file stays'
}

test_a_command_that_cannot_run_leaves_no_picture() {
	run "$method" /nowhere/at/all
	status_is 127
	run "$method" --delay=5 true
	status_is 2
	expect said 'nothing was sampled'
	[ ! -e flamegraph.svg ] || wrong 'nothing is drawn'
}

test_an_end_by_a_signal_still_draws() {
	run "$method" -F 999 sh -c "$busy; kill -TERM \$\$"
	status_is 143
	expect flamegraph.svg '</svg>'
}

test_the_time_can_be_limited() {
	run "$method" -F 999 -d 1 sh -c "while :; do $busy; done"
	status_is 0
	expect flamegraph.svg '</svg>'
}

# As timeout(1) does it, and a terminal: to the whole group.
test_a_signal_to_the_group_ends_the_command_and_draws() {
	timeout -s TERM 2 "$script" "$method" -F 999 sh -c "while :; do $busy; done" >out 2>said
	echo $? >status
	status_is 124
	for _ in 1 2 3 4 5 6 7 8 9 10; do [ -s flamegraph.svg ] || sleep 1; done
	expect flamegraph.svg '</svg>'
}

test_what_is_left_behind_by_the_command_is_not_waited_for() {
	run "$method" -F 999 sh -c "sleep 60 >/dev/null 2>&1 & echo \$! >left; $busy"
	kill "$(cat left)" || wrong 'it was not waited for'
	status_is 0
	expect flamegraph.svg '</svg>'
}

# Whether the name $1 has any of the other words.
wanted() {
	name=$1
	shift
	for word; do
		case $name in *"$word"*) return 0 ;; esac
	done
	return 1
}

passed=0 failed=0 skipped=0
method=$(method)
[ $# -gt 0 ] || set -- ''
case=$tmp/case
sed -n 's/^test_\([a-z_]*\)().*/\1/p' "$self" >"$tmp/names"
while read -r name <&3; do
	wanted "$name" "$@" || continue
	if [ -z "$method" ] && sed -n "/^test_$name()/,/^}/p" "$self" | grep -q "\$method"; then
		echo "skipped: $name: nothing can be recorded here"
		skipped=$((skipped + 1))
		continue
	fi
	mkdir -p "$case/tmp" && cd "$case" || exit 2
	if (TMPDIR=$case/tmp && "test_$name") >"$tmp/log" 2>&1 3<&-; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL $name"
		sed 's/^/	/' "$tmp/log"
	fi
	cd "$tmp" && rm -rf "$case"
done 3<"$tmp/names"
if [ $skipped = 0 ]; then
	echo "$passed passed, $failed failed"
else
	echo "$passed passed, $failed failed, $skipped skipped"
fi
[ $failed = 0 ]
