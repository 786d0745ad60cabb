# SPDX-License-Identifier: ISC
# The part of fg-run that compares two commands: what they are, recordings of both in turn, and what fg-diff and
# fg-svg make of these.
# shellcheck shell=sh
# shellcheck disable=SC2154 # fg-run sets what its options say
# shellcheck disable=SC2034,SC2317 # words for eval

# Fails unless $2, the value of the option $1, is a number from $3 to 1000.
check_count() {
	case $2 in
	'' | *[!0-9]* | ?????*) ;;
	*) [ "$2" -lt "$3" ] || [ "$2" -gt 1000 ] || return 0 ;;
	esac
	wrong "$1 takes a number from $3 to 1000, not '$2'"
}

# Makes $keep, a folder for recordings, or fails when there are files already.
check_folder() {
	case $keep in -*) keep=./$keep ;; esac
	if [ -d "$keep" ]; then
		[ -z "$(ls -A "$keep")" ] || die "$keep: is not empty; choose another folder with --keep"
	else
		mkdir -p "$keep" 2>/dev/null || die "$keep: cannot make this folder; choose another with --keep"
		made=$keep
	fi
}

# Fails when fg-diff finds its options wrong, some of which it reads after --help.
check_report() {
	said=$(echo 'main 1 1' | eval "\"\$diff\" $diff_args" 2>&1 >/dev/null)
	case $said in
	*'see fg-diff --help') printf '%s\n' "$said" >&2 && exit 2 ;;
	esac
}

# What check does not see of a comparison.
check_comparison() {
	[ -z "$perfdata" ] || wrong '--compare records two commands: no --perfdata; fg-diff compares folded stacks'
	[ -z "$in_time_order" ] || wrong '--compare adds up runs: no --flamechart'
	! is_stdout || wrong '--compare prints its report on standard output; choose a file for the picture with -o'
	check_count --runs "$runs" 1
	check_count --warmup "$warmup" 0
	check_report
	[ -z "$keep" ] || check_folder
	[ "$runs" -gt 2 ] || [ -n "$quiet" ] ||
		say "--runs $runs is too few to know how much runs vary; 3 are needed, more are better"
}

# The words $* for eval.
quote_all() {
	for word; do printf ' %s' "$(quote "$word")"; done
}

# Words for eval of the command $1 with the arguments behind it. As one word it may be a line for the shell.
quote_line() {
	if [ ! -e "$1" ] && ! command -v -- "$1" >/dev/null; then
		case $1 in
		*[[:space:]]*)
			line=$1
			shift
			[ $# = 0 ] || line="$line \"\$@\""
			set -- sh -c "$line" sh "$@"
			;;
		esac
	fi
	quote_all "$@"
}

# Sets $before and $after, words for eval, to the two commands in "$@", and $was and $is to their programs.
take_commands() {
	before='' after='' was=${1-} is='' sides=1
	for word; do
		if [ "$word" = --- ]; then
			sides=$((sides + 1))
		elif [ $sides = 1 ]; then
			before="$before $(quote "$word")"
		else
			after="$after $(quote "$word")" is=${is:-$word}
		fi
	done
	case $sides in
	1) take_programs "$@" ;;
	2) [ "${before:+one}${after:+two}" = onetwo ] || wrong '--- needs a command on each side' ;;
	*) wrong 'more than one ---: only two commands can be compared' ;;
	esac
}

# The same for "BEFORE AFTER", or "BEFORE AFTER -- ARG...".
take_programs() {
	[ $# -gt 1 ] || wrong '--compare needs two commands: OLD ARG... --- NEW ARG..., or OLD NEW -- ARG...'
	case $# in
	2) ;;
	*) [ "$3" = -- ] ||
		wrong "after two programs comes --, not '$3'; or write OLD ARG... --- NEW ARG..., behind all options" ;;
	esac
	was=${1%%[[:space:]]*} is=${2%%[[:space:]]*}
	old=$1 new=$2
	shift 2
	[ $# = 0 ] || shift
	before=$(quote_line "$old" "$@") after=$(quote_line "$new" "$@")
}

# Names the sides $before_name and $after_name, for people and for files: by their programs.
name_sides() {
	was=$(basename -- "$was") is=$(basename -- "$is")
	before_name=$(printf '%s\n' "$was" | LC_ALL=C tr -c 'A-Za-z0-9._+\n-' _)
	after_name=$(printf '%s\n' "$is" | LC_ALL=C tr -c 'A-Za-z0-9._+\n-' _)
	case $before_name in
	"$after_name" | .* | -*) before_name=before after_name=after ;;
	esac
	case $after_name in
	.* | -*) before_name=before after_name=after ;;
	esac
}

# Shows what is recorded: $1, and how long the $2 recordings left may take, when $3 are done.
show_progress() {
	[ -n "$on_terminal" ] || return
	left=''
	[ "$3" = 0 ] || left=$(awk -v began="$began_all" -v now="$(uptime)" -v left="$2" -v done="$3" \
		'BEGIN { printf ", about %.0f s left", (now - began) / done * left }')
	printf '\r\033[Kcomparing: %s%s%s' "$1" "$left" "$line_end" >&2
}

end_progress() {
	[ -z "$on_terminal" ] || [ -n "$line_end" ] || printf '\r\033[K' >&2
}

# Ends a comparison with status $2, for the reason $1, below the last lines of the file $3.
give_up() {
	end_progress
	[ $# = 2 ] || tail -n 20 "$3" >&2
	say "$1; nothing was compared"
	exit "$2"
}

# Records the command $1, words for eval, to $tmp/folded; $2 says which run it is.
record_run() {
	eval "set -- \"\$2\" $1"
	run=$1
	shift
	: >"$tmp/output"
	if [ -n "$show_output" ]; then
		record_and_fold "$@" <"$input" >&2
	else
		record_and_fold "$@" <"$input" >/dev/null 2>"$tmp/output"
	fi
	remove_runtime_files
	[ -z "$signal" ] || give_up "interrupted in $run" $((128 + signal))
	if [ $status != 0 ] && [ -z "$ignore_status" ]; then
		give_up "$run ended with status $status, see --ignore-status" 2 "$tmp/output"
	fi
	! grep -q '<stdin>: is empty' "$tmp/said" || give_up "$run was not recorded" 2 "$tmp/output"
	grep -q '^[^#]' "$tmp/folded" ||
		give_up "nothing was sampled in $run: have it do more work, or raise -F" 2 "$tmp/said"
	[ $fold_status = 0 ] || give_up "fg-collapse failed on $run" 2 "$tmp/said"
}

# Remembers what fg-record and fg-collapse said of a run, but for the sum of a recording without losses.
note_messages() {
	{
		grep '^fg-record: ' "$tmp/output" | grep -v -E ' samples?, 0 lost'
		cat "$tmp/said"
	} >>"$tmp/messages"
}

# Prints these messages, each once if only its numbers differ between runs.
print_messages() {
	LC_ALL=C awk '
	{
		shape = $0
		gsub(/[0-9][0-9.,]*/, "N", shape)
		if (!runs[shape]++) {
			first[++n] = $0
			shapes[n] = shape
		}
	}
	END {
		for (i = 1; i <= n; i++)
			print first[i] (runs[shapes[i]] > 1 ? " (in " runs[shapes[i]] " runs)" : "")
	}' "$tmp/messages" >&2
}

# Gives both programs one name in $tmp/folded, that of the program after: in the root frame, which is no longer
# than the kernel keeps it, and where symbols are missing. Else no stack before would be one after.
unite_names() {
	LC_ALL=C FG_OLD=$was FG_NEW=$is awk -F ';' -v OFS=';' '
	BEGIN { old = ENVIRON["FG_OLD"]; new = ENVIRON["FG_NEW"] }
	!/^#/ {
		for (i = 1; i <= NF; i++) {
			tail = i == NF && match($i, / [^ ]*$/) ? substr($i, RSTART) : ""
			name = substr($i, 1, length($i) - length(tail))
			if (i == 1 && name == substr(old, 1, 15))
				$i = substr(new, 1, 15) tail
			else if (name == "[" old "]")
				$i = "[" new "]" tail
		}
	}
	{ print }' "$tmp/folded" >"$tmp/united" && mv "$tmp/united" "$tmp/folded"
}

# Records the side $1 for the $2nd time.
record_side() {
	eval "side=\$$1_name command=\$$1"
	recorded=$((recorded + 1))
	run="run $recorded of $((runs * 2)) ($side)"
	show_progress "$run" $((runs * 2 - recorded + 1)) $((recorded - 1))
	record_run "$command" "$run"
	note_messages
	name_command
	[ -z "$post_process" ] || post_process
	[ "$was" = "$is" ] || [ "$1" = after ] || unite_names
	mv "$tmp/folded" "$folder/$side.$2.folded" || exit 2
}

# Records both commands $warmup times for nothing. A first run whose files are not in memory takes a tenth more
# processor time: with five runs, that hides changes of some percent.
warm_up() {
	n=0
	while [ $n -lt "$warmup" ]; do
		n=$((n + 1))
		for side in before after; do
			eval "run=\"warm-up $n of $warmup (\$${side}_name)\" command=\$$side"
			show_progress "$run" 0 0
			record_run "$command" "$run"
		done
	done
}

# Records both commands $runs times, in an order that turns each time: old new, new old, old new, ... What slows
# down or speeds up with time does so for both.
record_all() {
	began_all=$(uptime) recorded=0 n=0
	: >"$tmp/messages"
	while [ $n -lt "$runs" ]; do
		n=$((n + 1))
		if [ $((n % 2)) = 1 ]; then
			record_side before $n
			record_side after $n
		else
			record_side after $n
			record_side before $n
		fi
	done
	end_progress
	print_messages
	seconds=$(awk -v from="$began_all" -v to="$(uptime)" 'BEGIN { printf "%.1f", to - from }')
	[ -n "$keep" ] || return
	mv "$folder"/* "$keep/" || exit 2
	folder=$keep
}

# The files of the side $1 in order, as words for eval.
list_runs() {
	n=0
	while [ $n -lt "$runs" ]; do
		n=$((n + 1))
		quote_all "$folder/$1.$n.folded"
	done
}

# Prints the file $1 without the name of our folder, which is gone when it is read. A command that would draw its
# files becomes ours.
print_plain() {
	FG_FOLDER=$tmp/runs/ FG_WORDS=$words awk '
	BEGIN { folder = ENVIRON["FG_FOLDER"] }
	index($0, folder) && /^(picture: )?fg-diff .*[|] fg-svg/ {
		print substr($0, 1, index($0, "fg-diff ") - 1) ENVIRON["FG_WORDS"]
		next
	}
	{
		while (i = index($0, folder)) {
			printf "%s", substr($0, 1, i - 1)
			$0 = substr($0, i + length(folder))
		}
		print
	}' "$1"
}

# Prints the report. Sets $verdict to the status of fg-diff; when that fails, the recordings are kept.
report_changes() {
	eval "\"\$diff\" --report text $diff_args $sides" >"$tmp/report" 2>"$tmp/said"
	verdict=$?
	[ -z "$signal" ] || give_up interrupted $((128 + signal))
	print_plain "$tmp/said" >&2
	print_plain "$tmp/report" || exit 2
	[ $verdict -gt 1 ] || return
	[ -n "$keep" ] || kept="$tmp/runs/*"
	say "no comparison: fg-diff failed; the recordings are kept in $folder"
	exit 2
}

# Draws the difference, whose sides have the names of the programs, not those of all files.
draw_difference() {
	status=0
	eval "\"\$diff\" -q $input_args $sides" >"$tmp/columns" || fail
	sed "1s/ name-before=[^ ]*/ name-before=$before_name/; 1s/ name=[^ ]*/ name=$after_name/" \
		"$tmp/columns" >"$tmp/folded" || fail
	draw
	write_exports
	[ $status = 0 ] || verdict=2
}

# The fewest samples of a run.
fewest_samples() {
	awk 'FNR == 1 && match($0, / samples=[0-9]+/) {
		n = substr($0, RSTART + 9, RLENGTH - 9) + 0
		if (!files++ || n < fewest) fewest = n
	}
	END { if (files) print fewest }' "$folder"/*.folded
}

# The closing lines of a comparison.
close_comparison() {
	fewest=$(fewest_samples)
	[ "${fewest:-100}" -ge 100 ] || say "only $fewest samples in the shortest run: only large changes show;" \
		'have the commands do more work, or raise -F'
	say "$before_name, $after_name: $runs runs each in $seconds s${fewest:+, $fewest samples or more}; $output"
	[ -z "$keep" ] || say "to compare again: fg-diff --report text" \
		"-a $keep/$before_name.*.folded -b $keep/$after_name.*.folded"
}

# Records both commands, reports what changed and draws it.
compare() {
	trap 'signal=1' HUP
	trap 'signal=2' INT
	trap 'signal=15' TERM
	signal='' on_terminal='' line_end='' command='' side='' folder=$tmp/runs input=/dev/null
	[ -n "$quiet" ] || [ ! -t 2 ] || on_terminal=yes
	[ -z "$show_output" ] || line_end=$newline
	# Each run reads a file from its beginning. What a pipe has would be there for the first alone.
	[ ! -f /dev/stdin ] || input=/dev/stdin
	mkdir "$folder" || exit 2
	warm_up
	record_all
	sides="-a$(list_runs "$before_name") -b$(list_runs "$after_name")"
	report_changes
	draw_difference
	[ -n "$quiet" ] || close_comparison
	[ -z "$open" ] || open_picture
	exit "$verdict"
}
