#!/bin/sh
# SPDX-License-Identifier: ISC
# Runs fg-collapse over the sample collection, if it is beside the checkout, and compares with the folded files
# there: prints a line for each that disagrees, then the sums.
#
#	tests/collapse/references.sh [substring of FOLDER/FILE]
#	SHOW=1 ...	with the stacks that differ
#
# For NAME.json, NAME.txt.gz ... the collection has files FOLDER/NAME.expected.TOOL.folded, made by the named
# tool. Two files of references/, with tab-separated fields, describe those of FOLDER:
#
# FOLDER.table: a pattern for names of expected files; the samples (patterns, with commas between them), or "-"
# for all called NAME or NAME.*; options of fg-collapse. The first match counts, and each expected file needs
# one; "!" in place of samples leaves them out, with the reason in the next field. @ stands for the folder, %
# for NAME; $(unpack @/elf/FILE.gz) in options is that file, unpacked.
#
# FOLDER.why: a pattern for FOLDER/ and the name of expected files; a change before comparing ("ours:" or
# "theirs:" and a sed -E command for that side; equal stacks are then summed up), or "wrong", which leaves the
# file out; and the reason. all.why is for all folders.
set -u
top=$(cd "$(dirname "$0")/../.." && pwd) || exit 2
collection=${SAMPLES:-$top/../shared/samples}
rules=$top/tests/collapse/references
BIN=${BIN:-bin}
export LC_ALL=C
passed=0 failed=0 skipped=0

if [ ! -d "$collection" ]; then
	echo "no samples beside the checkout: skipped"
	echo "0 passed, 0 failed, 1 skipped"
	exit 0
fi
cd "$top" || exit 2
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
trap 'exit 2' HUP INT TERM
tab=$(printf '\t')

# Prints the rules for the expected file $1, with its folder.
rules_of() {
	cat "$rules/all.why" "$rules/${1%%/*}.why" 2>"$tmp/none" | while IFS="$tab" read -r pattern rule _; do
		# shellcheck disable=SC2254 # a pattern of the shell
		case $1 in
		$pattern) printf '%s\n' "$rule" ;;
		esac
	done
}

# Unpacks the file $1 and prints the path of the result, named without .gz.
unpack() {
	unpacked=${1##*/} unpacked=$tmp/${unpacked%.gz}
	gzip -dc "$1" >"$unpacked" && echo "$unpacked"
}

# Sums up equal stacks and sorts, after the sed script $1.
normal() {
	sed -E -f "$1" | awk '{ n = $NF; sub(/ -?[0-9.]+$/, ""); sum[$0] += n }
		END { for (stack in sum) if (sum[stack]) printf "%s %.0f\n", stack, sum[stack] }' | sort
}

# Prints the samples that belong to the expected file $1, without expected files and files that accompany
# samples.
samples_of() {
	for sample in "${1%%.expected*}" "${1%%.expected*}".*; do
		case $sample in
		*.expected* | *.source.folded* | *.syms.json | *.elf | *.md) ;;
		*) [ ! -f "$sample" ] || echo "$sample" ;;
		esac
	done
}

# Prints the line of the table for the expected file $2 of the folder $1: samples or "-", and options.
row_of() {
	while IFS="$tab" read -r pattern sample options; do
		# shellcheck disable=SC2254 # a pattern of the shell
		case $2 in
		$pattern) echo "$sample $options" && break ;;
		esac
	done <"$rules/$1.table"
}

# Compares the sample $1, read with the options after $2, with the expected file $2 by the rules in $tmp/rules.
compare() {
	sample=$1 expected=$2
	shift 2
	"$BIN/fg-collapse" -q --no-header "$@" "$sample" >"$tmp/ours" 2>"$tmp/said"
	gzip -cdf "$expected" >"$tmp/theirs"
	for side in ours theirs; do
		sed -n "s/^$side: *//p" "$tmp/rules" >"$tmp/$side.sed"
		normal "$tmp/$side.sed" <"$tmp/$side" >"$tmp/$side.normal"
	done
	cmp -s "$tmp/ours" "$tmp/theirs" || cmp -s "$tmp/ours.normal" "$tmp/theirs.normal"
}

# Counts and prints a failure: its subject and reason.
fail() {
	failed=$((failed + 1))
	echo "$1"
}

# Tries the sample $1 against the expected file $2, with the options $3.
try() {
	[ -f "$1" ] || { fail "${2##*/}: no sample $1" && return; }
	rules_of "${2#"$collection"/}" >"$tmp/rules"
	if grep -qx 'wrong' "$tmp/rules"; then
		skipped=$((skipped + 1))
		echo "${2##*/}: skipped, references/$folder.why says why"
	elif eval "compare \"\$1\" \"\$2\" $3"; then
		passed=$((passed + 1))
	else
		fail "${1##*/}, ${2##*/}: $(comm -3 "$tmp/ours.normal" "$tmp/theirs.normal" | wc -l) lines differ"
		[ -z "${SHOW-}" ] || comm -3 "$tmp/ours.normal" "$tmp/theirs.normal"
	fi
}

for table in "$rules"/*.table; do
	folder=${table##*/} folder=${folder%.table}
	for expected in "$collection/$folder"/*.expected*; do
		case $expected in
		*"${1-}"*) ;;
		*) continue ;;
		esac
		row=$(row_of "$folder" "${expected##*/}")
		[ -n "$row" ] || { fail "$folder/${expected##*/}: no line in $folder.table" && continue; }
		options=${row#* }
		base=${expected##*/}
		options=$(echo "$options" | sed "s,@,$collection/$folder,g; s,%,${base%%.*},g")
		case ${row%% *} in
		!) continue ;;
		-) samples=$(samples_of "$expected") ;;
		*) samples=$(echo "${row%% *}" | tr , '\n' | sed "s,^,$collection/$folder/,; s,%,${base%%.*},") ;;
		esac
		for sample in $samples; do
			try "$sample" "$expected" "$options"
		done
	done
done
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ] && [ $passed -gt 0 ]
