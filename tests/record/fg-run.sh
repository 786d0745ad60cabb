#!/bin/sh
# SPDX-License-Identifier: ISC
# Tests fg-run from the outside: options for each program, outputs, the command's status and streams, and
# signals. Records by ptrace if perf events are refused, and skips recordings if that is refused too.
#
#	tests/record/fg-run.sh [substring...]		tests whose name contains a substring
#
# BIN is the folder of the programs (bin).
set -u
# nohup ignores HUP, and a shell cannot undo that for its children.
if [ -z "${UNIGNORED-}" ] && env --default-signal=HUP,INT,QUIT true 2>/dev/null; then
	UNIGNORED=1 exec env --default-signal=HUP,INT,QUIT "$0" "$@"
fi
cd "$(dirname "$0")/../.." || exit 2
. tests/record/suite.sh
top=$(pwd)
self=$top/tests/record/fg-run.sh
export TMPDIR="$tmp"
script=$BIN/fg-run
SKIP=77
[ -x "$script" ] || { echo "$script is not there" && exit 2; }

# A program that computes until it gets a signal, for at most a second.
# shellcheck disable=SC2016 # for the shell that runs it
busy='i=0; while [ $i -lt 150000 ]; do i=$((i + 1)); done'

# Runs fg-run with the arguments, and writes its status to the file status.
run() {
	$script "$@" >out 2>said
	echo $? >status
}

# Ends the test: $* was expected, and is not so.
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

# Makes stand-ins for the three programs, which log their arguments, in the folder fake.
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
			[ $p != fg-collapse ] || {
				cat >/dev/null
				[ ! -e "$case/folded" ] || { cat "$case/folded"; exit \$?; }
				[ ! -e "$case/fold-fails" ] || { cat "$case/fold-fails" >&2; exit 2; }
				echo '#fg samples=1234567'
				echo 'a;b 1234567'
			}
			[ $p != fg-svg ] || [ ! -e "$case/svg-fails" ] || exit 2
			[ $p != fg-svg ] || {
				cat "\$a" >"$case/fg-svg.folded"
				while [ "\$1" != -o ]; do shift; done
				if [ "\$2" = - ]; then echo '<svg/>'; else echo '<svg/>' >"\$2"; fi
			}
		END
		chmod +x fake/$p
	done
	ln -s "$BIN/fg-diff" fake
	script=$case/fake/fg-run
}

# Fails unless the arguments of program $1 are those in $2, separated by blanks.
args_are() {
	got=$(tr '\n' ' ' <"$1.args" |
		sed "s,-o $case/tmp/[^ ]* --command-line .* --runtimes --runtime-files $case/tmp/[^ ]*,-o STREAM,; s,$case/tmp/[^ ]*,FOLDED,; s,-o [^ ]* FOLDED,FOLDED,; s, $,,")
	[ "$got" = "$2" ] || wrong "$1 gets '$2', not '$got'"
}

# The same, with an fg-diff that logs its calls, and a recorder that logs its commands.
make_comparing_fakes() {
	make_fakes
	# shellcheck disable=SC2016 # for the shell that runs it
	sed -i '/--help/a\
while [ "$#" != 0 ] \&\& [ "$1" != -- ]; do words="${words-}$1 "; shift; done; shift\
echo "$*" >>record.calls; set -- $words -- "$@"' fake/fg-record
	rm fake/fg-diff
	cat >fake/fg-diff <<-END
		#!/bin/sh
		for a; do [ "\$a" = --help ] && exec "$BIN/fg-diff" "\$@"; done
		case "\$*" in *' -a '*) ;; *) exec "$BIN/fg-diff" "\$@" ;; esac
		echo "\$*" | sed "s,$case/tmp/[^ ]*/,,g" >>diff.calls
		exec "$BIN/fg-diff" "\$@"
	END
	chmod +x fake/fg-diff
}

test_a_comparison_takes_turns() {
	make_comparing_fakes
	run --compare --runs 3 ./old a 'b  c' --- ./new d
	status_is 0
	printf './old a b  c\n./new d\n' >both
	{
		cat both && cat both && tail -n 1 both && head -n 1 both && cat both
	} >expected
	cmp -s expected record.calls || wrong "the order is $(cat record.calls)"
	expect said '^fg-run: old, new: 3 runs each in [0-9.]+ s, 1234567 samples or more; flamegraph.svg$'
	[ "$(wc -l <said)" = 1 ] || wrong 'nothing else is said'
	[ -s out ] || wrong 'there is a report'
	! grep -q "$case" out || wrong 'it names no temporary folder'
	expect fg-svg.args '^--title=./old a b  c → ./new d$'
	expect fg-svg.folded '^#fg .*name-before=old name=new '
	expect diff.calls '^--report text -a old.1.folded old.2.folded old.3.folded -b new.1.folded '
	rm record.calls
	run --compare --warmup 0 -q -o %n.svg ./old --- ./new
	[ "$(wc -l <record.calls)" = 10 ] || wrong 'five runs are the default'
	[ ! -s said ] || wrong 'nothing is said'
	[ -s new.svg ] || wrong 'the picture has the name of the program after'
	[ -z "$(ls tmp)" ] || wrong 'no temporary file stays'
}

test_a_comparison_takes_commands_in_many_ways() {
	make_comparing_fakes
	printf './old\n./new\n./new\n./old\n' >none
	sed 's/$/ -x y --- z/' none | sed 's/ --- z//' >both
	for words in './old ./new' '-- ./old --- ./new' '-F 99 -- ./old ./new --'; do
		rm -f record.calls
		# shellcheck disable=SC2086 # words
		run --warmup 0 --runs 2 --compare $words
		status_is 0
		cmp -s none record.calls || wrong "'$words' runs $(cat record.calls)"
	done
	for words in './old ./new -- -x y' '-- ./old ./new -- -x y' './old -x y --- ./new -x y'; do
		rm -f record.calls
		# shellcheck disable=SC2086 # words
		run --warmup 0 --runs 2 --compare $words
		status_is 0
		cmp -s both record.calls || wrong "'$words' runs $(cat record.calls)"
	done
	rm -f record.calls
	run --warmup 0 --runs 1 --compare './old 1 | wc' './new 1' -- 2
	expect record.calls '^sh -c ./old 1 \| wc "\$@" sh 2$'
	expect said 'old, new: '
	run --compare --runs 1 a/prog --- b/prog
	expect said '^fg-run: before, after: 1 run each'
	rm record.calls
	for words in '' ./old './old ---' '--- ./new' 'a --- b --- c' './old ./new x' './old -x ./new' \
		'--before ./old --after ./new' '--runs 0 a b' '--runs x a b' '--warmup -1 a b' '-o - a b' \
		'--perfdata x a b' '--flamechart a b' '--fail-over x a b' '--bin x a b' '--relative a b' \
		'--only ( a b' '--keep /dev/null a b'; do
		# shellcheck disable=SC2086 # words
		run --compare $words
		status_is 2
		expect said '^fg-'
		[ ! -e record.calls ] || wrong "nothing runs for '$words'"
	done
	for words in --runs=3 --fail-over=5 -s --show-output --keep=k; do
		run "$words" ./old
		status_is 2
		expect said "^fg-run: ${words%=*} needs --compare$"
	done
}

test_options_of_a_comparison_find_their_program() {
	make_comparing_fakes
	run --compare --runs 3 -F 99 --by pid --width 800 --only b --fail-over 5 --strip-hex --confidence 0.9 \
		--norm total --diff-top=3 ./old ./new
	status_is 0
	expect fg-record.args '^99$'
	expect fg-collapse.args '^--by=pid$'
	expect fg-svg.args '^--width=800$'
	expect fg-svg.args '^--confidence=0.9$'
	head -n 1 diff.calls >first
	expect first '^--report text +--only=b --fail-over=5 --strip-hex --confidence=0.9 --norm=total --top=3 -a old.1'
	tail -n 1 diff.calls >last
	expect last '^-q +--strip-hex --norm=total -a old.1'
}

# Takes all words up to the next option, like fg-diff.
test_an_option_of_a_comparison_takes_several_files() {
	make_comparing_fakes
	cat >fake/fg-diff <<-END
		#!/bin/sh
		echo "\$*" >>diff.calls
		printf '#fg columns=2\na 1 1\n'
		[ "\$1" = -q ] || printf 'picture: %s | fg-svg\n' "fg-diff \$*"
	END
	run --compare --runs 1 --noise x 'y z' --noise=v w -- ./old ./new
	status_is 0
	tail -n 1 diff.calls >last
	expect out '^picture: fg-run --compare --runs 1 --noise x y z --noise=v w -- \./old \./new$'
	expect last '^-q +--noise=x --noise=y z --noise=v --noise=w -a /'
	run --compare --runs 1 --strict ./old ./new
	expect diff.calls '^--report text +--strict -a'
	run --compare --runs 1 --collapse-strict ./old ./new
	expect fg-collapse.args '^--strict$'
	run --strict ./new
	expect fg-collapse.args '^--strict$'
}

test_a_comparison_needs_runs() {
	make_comparing_fakes
	run --compare --runs 2 a b
	expect said '^fg-run: --runs 2 is too few'
	run --compare --runs 3 a b
	! grep -q 'too few' said || wrong '3 are enough'
	printf '%s\n' '#fg samples=20' 'a;b 20' >folded
	run --compare --runs 3 a b
	status_is 0
	expect said '^fg-run: only 20 samples in the shortest run'
	echo '#fg samples=0' >folded
	run --compare a b
	status_is 2
	expect said '^fg-run: nothing was sampled in warm-up 1 of 1 \(a\)'
}

test_a_comparison_shows_on_a_terminal_how_far_it_is() {
	need script script
	make_comparing_fakes
	: >said
	# -e: exits with the status of the command.
	command script -q -e -c "$script --compare --runs 2 ./old ./new" typescript >shown
	echo $? >status
	status_is 0
	tr '\r' '\n' <shown >out
	expect out 'comparing: warm-up 1 of 1 \(new\)$'
	expect out 'comparing: run 1 of 4 \(old\)$'
	expect out 'comparing: run 4 of 4 \(old\), about [0-9]+ s left$'
	! grep -q 'not set' out || wrong 'nothing is wrong'
	"$script" -q --compare --runs 2 ./old ./new >out 2>said
	[ ! -s said ] || wrong 'nothing is said'
}

test_recordings_of_a_failed_comparison_are_kept() {
	make_comparing_fakes
	run --compare --runs 3 --norm nowhere ./old ./new
	status_is 2
	kept=$(sed -n 's/.*fg-diff failed; the recordings are kept in //p' said)
	[ "$(find "$kept" -name '*.folded' | wc -l)" = 6 ] || wrong 'six files are kept'
	[ "$(find tmp -type f | wc -l)" = 6 ] || wrong 'nothing else is'
}

# Otherwise every stack would be removed or new.
test_programs_that_are_compared_have_one_name() {
	make_comparing_fakes
	{
		echo '#fg samples=6'
		printf '%s\n' 'a-program-that-;[a-program-that-is-old];f 1' 'a-program-that- 1' 'f;a-program-that- 2' \
			'a-program-that-is-old;g 1' 'f;g;[a-program-that-is-old] 1'
	} >folded
	run --compare --keep kept a-program-that-is-old new
	status_is 0
	printf '%s\n' 'new;[new];f 1' 'new 1' 'f;a-program-that- 2' 'a-program-that-is-old;g 1' 'f;g;[new] 1' >expected
	tail -n 5 kept/a-program-that-is-old.5.folded | cmp -s expected - || wrong 'the names are those'
	tail -n 6 kept/new.5.folded | cmp -s folded - || wrong 'those after stay'
}

test_the_runs_of_a_comparison_are_kept() {
	make_comparing_fakes
	run --compare --runs 3 --keep my/runs old new
	status_is 0
	for file in my/runs/*; do echo "${file#my/runs/}"; done >files
	printf '%s.folded\n' new.1 new.2 new.3 old.1 old.2 old.3 | cmp -s files - ||
		wrong 'the runs are there'
	sed -n 's/^fg-run: to compare again: //p' said | PATH=$BIN:$PATH sh >again
	cmp -s out again || wrong 'the same comes again'
	run --compare --keep my/runs old new
	status_is 2
	expect said 'my/runs: is not empty'
}

test_options_find_their_program() {
	make_fakes
	run -F 99 --by pid -i --call-graph=dwarf,8K --width 800 --event cpu-clock prog -F 1 --width 2
	status_is 0
	args_are fg-record '-F 99 --call-graph=dwarf,8K --event=cpu-clock -o STREAM -- prog -F 1 --width 2'
	args_are fg-collapse --by=pid
	args_are fg-svg '-i --width=800 --title=prog -F 1 --width 2 FOLDED'
}

# fg-record writes them into the recording, fg-collapse into the header.
test_the_recorder_notes_the_words_of_the_command_line() {
	make_fakes
	run é.sh 'a b'
	expect fg-record.args '^fg-run é.sh a b$'
}

test_cargo_runs_the_program_by_this_script() {
	make_fakes
	printf '#!/bin/sh\necho host: here-linux\n' >fake/rustc
	# shellcheck disable=SC2016 # for the script
	printf '#!/bin/sh\nfor word; do echo "$word"; done >cargo.words\nexit 7\n' >fake/cargo
	chmod +x fake/rustc fake/cargo
	PATH=$case/fake:$PATH
	run --bin demo -F 99 --title 'a "b"' -p core --pid=7 -o x.svg -- one 'two three'
	status_is 7
	cat >expected <<-END
		run
		--release
		--bin=demo
		--package=core
		--config
		target.here-linux.runner=["$case/fake/fg-run","-F","99","--title","a \\"b\\"","--pid=7","-o","x.svg","-o","$case/x.svg","--",]
		--
		one
		two three
	END
	cmp -s expected cargo.words || wrong "cargo gets $(cat expected), not $(cat cargo.words)"
	run --unit-test=demo --unit-test-kind bin --dev --target t
	head -n 4 cargo.words | tr '\n' ' ' | grep -q '^test --profile=dev --target=t --bin=demo $' ||
		wrong "not $(cat cargo.words)"
	run --bench speed
	head -n 2 cargo.words | tr '\n' ' ' | grep -q '^bench --bench=speed $' || wrong "not $(cat cargo.words)"
}

test_an_option_of_several_is_for_the_first() {
	make_fakes
	run --kernel --collapse-kernel -c 5 --svg-colors=java --record-freq=9 -- x
	status_is 0
	args_are fg-record '--kernel -c 5 --freq=9 -o STREAM -- x'
	args_are fg-collapse '--by=comm,tid,time:auto --kernel'
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
	args_are fg-collapse '--by=comm,tid,time:auto -q'
	run -q --no-time x
	args_are fg-collapse -q
	[ ! -s said ] || wrong 'nothing is said'
}

test_one_line_names_the_samples_and_the_picture() {
	make_fakes
	run -o 'my picture.svg' x
	status_is 0
	expect said '^fg-run: 1,234,567 samples in [0-9]+\.[0-9] s; hottest: b 100 %; my picture\.svg$'
	expect 'my picture.svg' '<svg/>'
	run -o - x
	expect out '<svg/>'
	[ ! -s said ] || wrong 'nothing is said of stdout'
}

test_the_closing_line_has_one_sample_and_whole_stacks() {
	make_fakes
	printf '#fg samples=1 stacks=cut:0.01,entry:0.99\na;b 1\n' >folded
	run x
	expect said '^fg-run: 1 sample in [0-9.]+ s, 99 % whole stacks; hottest: b 100 %; flamegraph\.svg$'
	printf 'main;a 6\nmain;b 3\nmain 1\nmain;c 1\n' >folded
	run x
	expect said '^fg-run: [0-9.]+ s; hottest: a 55 %, b 27 %, main 9 %; flamegraph\.svg$'
	printf 'main;scan_[i] 6\nmain;sys_read_[k] 4\n' >folded
	run x
	expect said '; hottest: scan 60 %, sys_read 40 %; '
	printf 'main;a\033[2J\302\233\342\200\256b 1\n' >folded
	run x
	! grep -q -e "$(printf '\033')" -e "$(printf '\302\233')" -e "$(printf '\342\200\256')" said ||
		wrong 'names cannot control a terminal'
	printf 'a;%060d 1\n' 0 >folded
	run x
	expect said 'hottest: 0{47}\.\.\. 100 %; '
}

test_the_name_of_the_picture_has_the_process_and_the_program() {
	make_fakes
	run -o '%n-%p-%%-%x.svg' /usr/bin/prog
	status_is 0
	find . -name 'prog-*.svg' >found
	expect found '/prog-[0-9]+-%-%x\.svg$'
	FG_OUTPUT='from %n' run prog
	expect 'from prog' '<svg/>'
	FG_OUTPUT='from %n' run -o given.svg prog
	expect given.svg '<svg/>'
}

test_a_picture_is_replaced_with_its_mode_and_through_links() {
	make_fakes
	rm fake/fg-svg
	mkdir deep && echo old >deep/real.svg && chmod 600 deep/real.svg && ln -s deep/real.svg link.svg
	run -o link.svg x
	status_is 0
	[ -L link.svg ] || wrong 'the link stays'
	expect deep/real.svg '</svg>'
	[ "$(stat -c %a deep/real.svg)" = 600 ] || wrong 'the mode stays'
	[ "$(ls -A deep)" = real.svg ] || wrong 'nothing else is left'
}

test_a_full_disk_keeps_the_picture_elsewhere() {
	[ -e /dev/full ] || { echo 'no /dev/full' && exit $SKIP; }
	make_fakes
	rm fake/fg-svg
	run -o /dev/full x
	status_is 2
	kept=$(sed -n 's/.*the picture is kept in //p' said)
	expect "$kept" '</svg>'
	[ -c /dev/full ] || wrong '/dev/full is a device'
	[ "$(find tmp -type f | wc -l)" = 1 ] || wrong 'nothing else is kept'
	run -o /dev/stdout x
	status_is 0
	expect out '</svg>'
}

test_a_reader_that_has_gone_ends_it() {
	make_fakes
	rm fake/fg-svg
	mkfifo pipe
	: <pipe &
	$script -o - x >pipe 2>said
	echo $? >status
	wait
	status_is 141
	[ ! -s said ] || wrong 'nothing is said'
	[ -z "$(ls tmp)" ] || wrong 'nothing is kept'
}

test_a_link_finds_the_other_programs() {
	make_fakes
	ln -s "$script" linked
	PATH=/usr/bin:/bin ./linked x >out 2>said
	echo $? >status
	status_is 0
	args_are fg-record '-o STREAM -- x'
}

test_a_flame_chart_is_in_time_order() {
	make_fakes
	run --flamechart x
	args_are fg-collapse --no-merge
	args_are fg-svg '--flamechart --title=x FOLDED'
}

test_call_graph_swallows_no_command() {
	make_fakes
	run -g ./prog
	args_are fg-record '-o STREAM -- ./prog'
	run -ig ./prog
	args_are fg-record '-o STREAM -- ./prog'
	run --call-graph ./prog
	args_are fg-record '-o STREAM -- ./prog'
	run -g dwarf,4096 ./prog
	args_are fg-record '-g dwarf,4096 -o STREAM -- ./prog'
	run -gfp ./prog
	args_are fg-record '-g fp -o STREAM -- ./prog'
}

test_options_of_cargo_flamegraph() {
	make_fakes
	run --palette java --image-width 900 --post-process 'sed s/b/c/' -- x
	status_is 0
	args_are fg-svg '--colors=java --width=900 --title=x FOLDED'
	expect said 'hottest: c 100 %'
	run --post-process 'exit 3' x
	status_is 2
	expect said "no picture: --post-process 'exit 3' failed"
	rm fg-record.args
	run --perfdata recorded.data
	status_is 0
	args_are fg-collapse '--by=comm,tid,time:auto -- recorded.data'
	[ ! -e fg-record.args ] || wrong 'nothing is recorded'
	printf '#fg command=recorded samples=1\na;b 1\n' >folded
	run --perfdata recorded.data
	expect fg-svg.folded '^#fg command=recorded samples=1$'
	rm folded
	run --perfdata recorded.data
	expect said '^fg-run: 1,234,567 samples; hottest: b 100 %; flamegraph\.svg$'
	run --perfdata recorded.data x
	status_is 2
	run --perfdata recorded.data -F 9
	status_is 2
}

test_root_is_asked_of_sudo() {
	make_fakes
	[ "$(id -u)" != 0 ] || {
		need setpriv setpriv
		run --root x
		args_are fg-record '-o STREAM -- x'
		chmod -R a+rwX . && chmod 755 "$tmp"
		script="setpriv --reuid 65534 --regid 65534 --clear-groups $script"
	}
	# shellcheck disable=SC2016 # for the shells that run them
	printf '#!/bin/sh\nprintf "%%s " "$1" "$2" >sudo.args\nshift 2; exec "$@"\n' >sudo
	chmod +x sudo
	PATH=$case:$PATH run --root='-n -E' x
	status_is 0
	expect sudo.args '^-n -E '
	args_are fg-record '-o STREAM -- x'
}

test_the_picture_is_opened() {
	make_fakes
	# shellcheck disable=SC2016 # for the shell that runs it
	printf '#!/bin/sh\necho "$1" >opened\n' >viewer
	chmod +x viewer
	BROWSER=$case/viewer run --open -o my.svg x
	status_is 0
	expect opened '^my\.svg$'
	printf '#!/bin/sh\nexit 3\n' >viewer
	BROWSER=$case/viewer run --open x
	status_is 0
	expect said 'flamegraph\.svg: .*/viewer cannot open it$'
	run --open -o - x
	status_is 2
}

test_messages_of_fg_collapse_come_first_and_its_failure_is_ours() {
	make_fakes
	echo 'fg-collapse: it is broken' >fold-fails
	run x
	status_is 2
	expect said '^fg-collapse: it is broken$'
	expect said '^fg-run: no picture: fg-collapse failed$'
	[ ! -e flamegraph.svg ] || wrong 'nothing is drawn'
	: >folded
	run x
	status_is 2
	expect said 'no picture: nothing was folded'
}

test_stacks_that_cannot_be_drawn_are_kept() {
	make_fakes
	: >svg-fails
	run x
	status_is 2
	expect "$(sed -n 's/.*fg-svg failed; the folded stacks are kept in //p' said)" '^a;b '
}

test_a_recording_that_was_refused_leaves_the_status_of_the_command() {
	make_fakes
	sed 's/echo stream >/: >/' "$case/fake/fg-record" >refused && cat refused >"$case/fake/fg-record"
	echo 'fg-collapse: <stdin>: is empty; did the command that wrote it fail?' >fold-fails
	run x
	status_is 0
	[ ! -s said ] || wrong 'fg-record alone says why'
}

test_wrong_options_are_reported_before_anything_runs() {
	for words in '--nope x' '-Z x' '-F' '--freq' '--width' '-o' '--user=1 x' '--svg-nope x' '--by=x x' \
		'-F 0 x' '--width=-5 x' '-o /nowhere/at/all x' '-o . x' ''; do
		# shellcheck disable=SC2086 # words
		run $words
		status_is 2
		[ -s said ] || wrong "'$words' prints a message"
		[ ! -e flamegraph.svg ] || wrong "nothing is drawn for '$words'"
	done
	run -o '' touch ran
	status_is 2
	[ ! -e ran ] || wrong 'nothing runs for a picture without a name'
}

test_near_options_are_suggested() {
	run --titel x
	status_is 2
	expect said '^fg-run: unknown option --titel; did you mean --title'
	run --dely=3 x
	expect said '^fg-run: unknown option --dely=3; did you mean --delay'
}

test_help_and_version() {
	run --help
	status_is 0
	expect out '^  -o, --output FILE '
	run --version
	status_is 0
	expect out '^fg-run [0-9]'
	run -V
	status_is 0
	expect out '^fg-run [0-9]'
	run --list-formats
	status_is 0
	expect out '^perf-script '
}

test_a_missing_program_is_reported() {
	mkdir alone && cp "$script" alone/fg-run || exit 2
	PATH=/usr/bin:/bin alone/fg-run true >out 2>said
	echo $? >status
	# An installed fg-record would be found.
	[ -n "$(PATH=/usr/bin:/bin command -v fg-record)" ] || status_is 2
}

# The recording method that works here; empty: none.
method() {
	for m in perf ptrace; do
		rm -f "$tmp/probe"
		# A command runs even if it cannot be recorded.
		fg-record -q --method $m -o "$tmp/probe" -- true >/dev/null 2>&1 && [ -s "$tmp/probe" ] && echo "--method=$m" && return
	done
}

test_a_command_becomes_a_picture() {
	run "$method" -F 999 -- sh -c "echo to stdout; echo to stderr >&2; $busy; exit 7"
	status_is 7
	expect out '^to stdout$'
	expect said '^to stderr$'
	expect said '^fg-run: [0-9,]+ samples? in [0-9.]+ s(, [0-9]+ % whole stacks)?; hottest: [^;]+ %; flamegraph.svg$'
	expect flamegraph.svg '</svg>'
	expect flamegraph.svg 'sh -c echo to stdout'
	expect flamegraph.svg 'command=fg-run[^ ]*sh%20-c'
	! grep -q "$tmp" flamegraph.svg || wrong 'the picture names no temporary file'
	[ -z "$(ls tmp)" ] || wrong 'no temporary file stays'
}

test_a_command_that_cannot_run_leaves_no_picture() {
	run "$method" /nowhere/at/all
	status_is 127
	run "$method" --delay=5 true
	status_is 2
	expect said 'no picture: nothing was sampled; it used too little processor time'
	run "$method" -F 999 --event-filter nosuch sh -c "$busy"
	status_is 2
	expect said 'there is no event nosuch'
	[ ! -e flamegraph.svg ] || wrong 'nothing is drawn'
}

test_a_command_runs_where_recording_is_refused() {
	need setpriv setpriv
	if [ "$(id -u)" != 0 ] || [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -lt 2 ]; then
		echo 'root and perf_event_paranoid of 2 or more are needed'
		exit $SKIP
	fi
	mkdir plain && cp "$BIN"/fg-* plain && chmod 777 . tmp plain && chmod 755 "$tmp"
	script='setpriv --reuid 65534 --regid 65534 --clear-groups plain/fg-run'
	$script --kernel -- sh -c 'echo ran; exit 6' >out 2>said
	echo $? >status
	status_is 6
	expect out '^ran$'
	[ "$(wc -l <said)" = 1 ] || wrong 'there is one warning'
	expect said '^fg-record: sh runs unrecorded: '
	[ ! -e flamegraph.svg ] || wrong 'nothing is drawn'
	[ -z "$(ls tmp)" ] || wrong 'no temporary file stays'
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
	run "$method" -F 999 -d 1 sh -c "trap 'exit 9' TERM; while :; do $busy; done"
	status_is 0
}

# To the whole group, as timeout(1) and terminals do.
test_a_signal_to_the_group_ends_the_command_and_draws() {
	timeout -s TERM 2 "$script" "$method" -F 999 sh -c "while :; do $busy; done" >out 2>said
	echo $? >status
	status_is 124
	for _ in 1 2 3 4 5 6 7 8 9 10; do [ -s flamegraph.svg ] || sleep 1; done
	expect flamegraph.svg '</svg>'
}

# INT, TERM, HUP and QUIT, with the resulting status.
signals='INT:130 TERM:143 HUP:129 QUIT:131'

# As from a supervisor, docker stop and kill(1).
test_a_signal_to_it_alone_ends_the_command_and_draws() {
	for signal in $signals; do
		timeout --foreground --preserve-status -k 20 -s "${signal%:*}" 1 "$script" "$method" -F 999 \
			sh -c "while :; do $busy; done" >out 2>said
		echo $? >status
		status_is "${signal#*:}"
		expect said '^fg-run: [0-9]+ samples? in '
		expect flamegraph.svg '</svg>'
		rm flamegraph.svg
		[ -z "$(ls tmp)" ] || wrong 'no temporary file stays'
	done
}

test_a_signal_to_it_alone_ends_an_attached_recording() {
	sh -c "while :; do $busy; done" &
	for signal in $signals; do
		timeout --foreground --preserve-status -k 20 -s "${signal%:*}" 1 "$script" "$method" -F 999 -p $! >out 2>said
		echo $? >status
		status_is 0
		expect flamegraph.svg '</svg>'
		rm flamegraph.svg
	done
	kill $!
}

# A shell starts background jobs with INT and QUIT ignored; the command inherits that, and gets TERM.
test_a_signal_ends_the_background_job_of_a_script() {
	for signal in $signals; do
		"$script" "$method" -F 999 -o "$signal.svg" sh -c "while :; do $busy; done" >out 2>said &
		sleep 1
		kill "-${signal%:*}" $!
		wait $!
		echo $? >status
		case $signal in
		INT* | QUIT*) status_is 143 ;;
		*) status_is "${signal#*:}" ;;
		esac
		expect "$signal.svg" '</svg>'
	done
	fg-record -q "$method" -o recorded sh -c "while :; do $busy; done" &
	sleep 1
	kill -INT $!
	wait $!
	[ -s recorded ] || wrong 'fg-record alone ends, too'
}

test_nohup_keeps_a_recording() {
	(trap '' HUP && exec "$script" "$method" -F 999 sh -c "$busy; $busy; $busy; $busy; exit 4") >out 2>said &
	sleep 0.2
	kill -HUP $!
	wait $!
	echo $? >status
	status_is 4
}

# The command ends by itself, after a signal that it handles.
test_a_command_may_take_its_time_after_a_signal() {
	# shellcheck disable=SC2016 # for the shell that runs it
	timeout --foreground --preserve-status -k 20 -s TERM 1 "$script" "$method" -F 999 \
		sh -c 'trap "sleep 1; echo ended; exit 5" TERM; while :; do :; done' >out 2>said
	echo $? >status
	status_is 5
	expect out '^ended$'
	expect flamegraph.svg '</svg>'
}

test_a_second_signal_ends_the_recording_of_a_command_that_goes_on() {
	# shellcheck disable=SC2016 # for the shell that runs it
	"$script" "$method" -F 999 sh -c 'trap "" TERM; echo $$ >pid; while :; do :; done' >out 2>said &
	sleep 1
	kill -TERM $!
	sleep 1.5
	kill -0 "$(cat pid)" || wrong 'the command goes on'
	kill -0 $! || wrong 'the recording goes on'
	kill -TERM $!
	wait $!
	echo $? >status
	kill -KILL "$(cat pid)" || wrong 'the command goes on'
	status_is 143
	expect flamegraph.svg '</svg>'
}

test_a_signal_while_it_draws_ends_it() {
	make_fakes
	# shellcheck disable=SC2016 # for the shell that runs it
	printf '#!/bin/sh\ncase " $* " in *" --help "*) ;; *) exec sleep 30 ;; esac\n' >fake/fg-svg
	"$script" x >out 2>said &
	sleep 1
	kill -TERM $!
	wait $!
	echo $? >status
	status_is 143
	expect said '^fg-run: interrupted: no picture$'
	[ -z "$(ls tmp)" ] || wrong 'no temporary file stays'
}

test_process_1_ends_by_a_signal_and_reaps_orphans() {
	need unshare unshare
	unshare -p -f --mount-proc true 2>said || need '' 'a namespace of processes'
	for signal in $signals; do
		unshare -p -f --mount-proc "$script" "$method" -F 999 \
			sh -c "(sleep 0.1 &); while :; do $busy; done" >out 2>said &
		sleep 1
		read -r pid <"/proc/$!/task/$!/children"
		kill "-${signal%:*}" "$pid"
		wait $!
		echo $? >status
		case $signal in
		INT* | QUIT*) status_is 143 ;;
		*) status_is "${signal#*:}" ;;
		esac
		expect flamegraph.svg '</svg>'
		rm flamegraph.svg
	done
}

test_children_that_are_there_are_recorded() {
	sh -c "sh -c 'sh -c \"while :; do $busy; done\" & wait' & wait" &
	sleep 0.5
	run "$method" -F 999 -d 1 -p $!
	status_is 0
	expect flamegraph.svg '</svg>'
	run --method ptrace -d 1 -p $!
	status_is 0
	run "$method" -F 999 -d 1 -p $! --no-children
	status_is 2
	expect said 'nothing was sampled'
	pkill -P "$(pgrep -P $!)"
	wait $!
}

# As in containers.
test_ptrace_is_used_where_perf_events_are_refused() {
	${CC:-cc} -o refuse "$top/tests/refuse.c" || wrong 'it compiles'
	./refuse 1 fg-record -q --method ptrace -o recorded true || need '' 'a machine that lets programs be traced'
	# EPERM, EACCES, ENOSYS
	for error in 1 13 38; do
		./refuse $error "$script" sh -c "$busy; exit 6" >out 2>said
		echo $? >status
		status_is 6
		expect said '^fg-record: perf events are refused here: sampling user space by ptrace'
		[ "$(grep -c refused said)" = 1 ] || wrong 'one line says so'
		expect flamegraph.svg '</svg>'
		rm flamegraph.svg
		./refuse $error "$script" --method perf sh -c "exit 6" >out 2>said
		echo $? >status
		status_is 6
		expect said 'sh runs unrecorded: '
		[ ! -e flamegraph.svg ] || wrong 'nothing is drawn'
	done
}

# When the command writes to the terminal, like an interpreter's prompt, fg-run prints no progress there.
test_progress_is_not_mixed_with_the_output_of_the_command() {
	need script script
	slow="$busy; sleep 2.5"
	command script -q -e -c "$script $method sh -c '$slow'" typescript >shown </dev/null
	! grep -q 'fg-record: [12] s,' shown || wrong 'no progress is shown'
	command script -q -e -c "$script $method sh -c '$slow' >file" typescript >shown </dev/null
	grep -q 'fg-record: [12] s,' shown || wrong 'progress is shown'
}

test_a_recording_in_place_of_a_command_is_explained() {
	make_fakes
	echo PERFILE2 >perf.data
	run perf.data
	status_is 2
	expect said '^fg-run: perf.data is not a program; to draw a recording, use --perfdata perf.data$'
	[ ! -e fg-record.args ] || wrong 'nothing is recorded'
}

test_a_link_named_cargo_flamegraph_is_cargo_flamegraph() {
	make_fakes
	ln -s fg-run fake/cargo-flamegraph
	printf '#!/bin/sh\necho host: here\n' >fake/rustc
	# shellcheck disable=SC2016 # for the script
	printf '#!/bin/sh\nfor word; do echo "$word"; done >cargo.words\n' >fake/cargo
	chmod +x fake/rustc fake/cargo
	PATH=$case/fake:$PATH
	cargo-flamegraph flamegraph --bin demo -F 99 -- one >out 2>said
	echo $? >status
	status_is 0
	[ "$(sed '/^--config/,/^target/d' cargo.words | tr '\n' ' ')" = 'run --release --bin=demo -- one ' ] ||
		wrong "not $(cat cargo.words)"
}

# For a function whose name a shell would read as an escape.
test_each_target_is_known() {
	make_fakes
	for target in $(fg-export --list-targets | sed 's/ .*//'); do
		run -q --export "$target" x
		! grep -q 'no target' said || wrong "$target is one"
	done
	run --export nosuch x
	status_is 2
}

test_names_are_printed_as_they_are() {
	make_fakes
	printf 'main;evil\\033]0;pwned\\007\\c 5\n' >folded
	run x
	grep -q -F 'hottest: evil\033]0:pwned\007\c 100 %' said || grep -q -F '\007\c 100 %' said || wrong 'the letters are there'
	if grep -q "$(printf '\033')" said; then wrong 'no escape is printed'; fi
	printf 'main;=a 5\nmain;  +b 4\n' >folded
	run x
	grep -q -F "hottest: =a 56 %,   +b 44 %;" said || wrong 'formulas are as in the profile'
}

test_background_children_of_the_command_are_not_waited_for() {
	run "$method" -F 999 sh -c "sleep 60 >/dev/null 2>&1 & echo \$! >left; $busy"
	kill "$(cat left)" || wrong 'it was not waited for'
	status_is 0
	expect flamegraph.svg '</svg>'
}

test_a_slowdown_fails_a_comparison() {
	# shellcheck disable=SC2016 # for the shell that runs it
	slow='i=0; while [ $i -lt 150000 ]; do i=$((i + 1)); done; echo out; echo err >&2'
	run "$method" -F 999 --compare --runs 3 --fail-over 30 -- sh -c "$(echo "$slow" | sed s/150/50/)" --- sh -c "$slow"
	status_is 1
	[ -s out ] || wrong 'there is a report'
	! grep -E '^(out|err)$' out said || wrong 'the commands are not heard'
	expect flamegraph.svg 'before → after'
	expect flamegraph.svg '</svg>'
	[ -z "$(ls tmp)" ] || wrong 'no temporary file stays'
	run "$method" -F 999 --compare --runs 3 --fail-over 9000 --report json --show-output "$slow" "$slow"
	status_is 0
	expect out '"gate":'
	[ "$(grep -c '^out$' said)" = 8 ] || wrong 'the commands are heard on standard error'
}

test_each_run_of_a_comparison_reads_a_file_from_its_beginning() {
	echo line >input
	run "$method" -F 999 --compare --runs 1 "$busy; cat >>read.1" "$busy; cat >>read.2" <input
	[ "$(cat read.1 read.2 | tr '\n' ' ')" = 'line line line line ' ] || wrong 'each reads all of it'
	rm read.*
	echo line | run "$method" -F 999 --compare --runs 1 "$busy; cat >>read.1" "$busy; cat >>read.2"
	[ ! -s read.1 ] || wrong 'a pipe is not read'
}

test_a_command_that_fails_ends_a_comparison() {
	run "$method" -F 999 --compare --runs 1 -- sh -c "$busy" --- sh -c "$busy; echo broken >&2; exit 7"
	status_is 2
	expect said '^broken$'
	expect said '^fg-run: warm-up 1 of 1 \(after\) ended with status 7, see --ignore-status; nothing was compared$'
	[ ! -s out ] || wrong 'nothing is printed'
	[ ! -e flamegraph.svg ] || wrong 'nothing is drawn'
	[ -z "$(ls tmp)" ] || wrong 'no temporary file stays'
	run "$method" -F 999 --compare --runs 1 --ignore-status -- sh -c "$busy" --- sh -c "$busy; exit 7"
	status_is 0
	expect flamegraph.svg '</svg>'
}

test_a_signal_ends_a_comparison() {
	for signal in INT TERM; do
		timeout -s $signal 1 "$script" "$method" -F 999 --compare --keep kept -- sh -c "while :; do $busy; done" \
			--- true >out 2>said
		echo $? >status
		status_is 124
		for _ in 1 2 3 4 5 6 7 8 9 10; do grep -q 'nothing was' said || sleep 1; done
		expect said '^fg-run: interrupted in warm-up 1 of 1 \(sh\); nothing was compared$'
		[ ! -e flamegraph.svg ] || wrong 'nothing is drawn'
		[ -z "$(ls tmp)" ] || wrong 'no temporary file stays'
		[ ! -e kept ] || wrong 'no empty folder stays'
	done
}

# Skips a test of program $1 if it is not installed; $2 is its name.
need() {
	[ -n "$1" ] && command -v "$1" >/dev/null && return
	echo "$2 is not installed"
	exit $SKIP
}

# Runs fg-run on the arguments, a program that prints its process id, and removes the program's file of names.
run_runtime() {
	run "$method" -F 499 -v "$@"
	pid=$(tail -n 1 out)
	[ "$pid" -gt 1 ] || wrong 'the program prints its process ID'
	[ ! -e "/tmp/perf-$pid.map" ] || wrong "/tmp/perf-$pid.map is removed"
	[ -z "$(find . -name '*.log')" ] || wrong 'logs of node are removed'
}

fib_js='function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); } function once() { fib(36); } once(); console.log(process.pid)'

test_functions_of_node_have_names() {
	need node node
	NODE_OPTIONS=--no-warnings run_runtime node -e "$fib_js"
	status_is 0
	expect said "added to the environment: NODE_OPTIONS='--no-warnings --perf-basic-prof --interpreted-frames-native-stack'"
	expect said 'hottest: JS:.?fib '
	grep -q 'JS:~once' flamegraph.svg || wrong 'an interpreted function has a name'
	run "$method" -v --no-runtimes -o without.svg node -e "$fib_js"
	! grep -q 'set in the environment' said || wrong 'nothing is set'
	! grep -q 'JS:.fib' without.svg || wrong 'names are asked for by --runtimes alone'
}

# The newest Python that writes names: 3.12 or later.
find_python() {
	for python in python3 python3.13 python3.12 "$HOME"/.pyenv/versions/3.1[2-9]*/bin/python3; do
		"$python" -c 'import sys; sys.exit(not hasattr(sys, "activate_stack_trampoline"))' 2>/dev/null &&
			echo "$python" && return
	done
}

test_functions_of_python_have_names() {
	python=$(find_python)
	need "$python" 'Python 3.12 or later'
	printf 'def fib(n):\n    return n if n < 2 else fib(n - 1) + fib(n - 2)\nfib(29)\nimport os\nprint(os.getpid())\n' >fib.py
	run_runtime "$python" fib.py
	status_is 0
	expect flamegraph.svg 'py::fib:'
}

test_methods_of_java_have_names() {
	need javac 'Java 17 or later'
	javac -version 2>&1 | grep -q -E ' (1[7-9]|[2-9][0-9])' || need '' 'Java 17 or later'
	cat >Fib.java <<-'END'
		public class Fib {
			static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
			public static void main(String[] words) {
				long sum = 0;
				for (int i = 0; i < 12; i++) sum += fib(36);
				System.out.println(ProcessHandle.current().pid());
				System.exit(sum > 0 ? 5 : 0);
			}
		}
	END
	javac Fib.java || wrong 'it compiles'
	run_runtime java -Xlog:disable -cp . Fib
	status_is 5
	expect said 'hottest: (int )?Fib[.:]+fib'
}

# Whether the name $1 contains any of the other words.
wanted() {
	name=$1
	shift
	for word; do
		case $name in *"$word"*) return 0 ;; esac
	done
	return 1
}

method=$(method)
[ $# -gt 0 ] || set -- ''
case=$tmp/case
sed -n 's/^test_\([a-z_0-9]*\)().*/\1/p' "$self" >"$tmp/names"
while read -r name <&3; do
	wanted "$name" "$@" || continue
	if [ -z "$method" ] && sed -n "/^test_$name()/,/^}/p" "$self" | grep -q "\$method"; then
		echo "skipped: $name: nothing can be recorded here"
		skipped=$((skipped + 1))
		continue
	fi
	mkdir -p "$case/tmp" && cd "$case" || exit 2
	(TMPDIR=$case/tmp && "test_$name") >"$tmp/log" 2>&1 3<&-
	case $? in
	0) passed=$((passed + 1)) ;;
	"$SKIP")
		echo "skipped: $name: $(cat "$tmp/log")"
		skipped=$((skipped + 1))
		;;
	*)
		failed=$((failed + 1))
		echo "FAIL $name"
		sed 's/^/	/' "$tmp/log"
		;;
	esac
	cd "$tmp" && rm -rf "$case"
done 3<"$tmp/names"
sum_up
