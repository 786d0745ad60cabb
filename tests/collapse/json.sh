#!/bin/sh
# SPDX-License-Identifier: ISC
# Runs fg-collapse over the JSON profiles of the sample collection, when it lies beside the checkout, and
# compares with the folded files there: one line for each that disagrees, then the sums.
#
#	tests/collapse/json.sh [substring]
#
# For NAME.json, NAME.cpuprofile, ... (any of them with .gz) the collection has files
# NAME.expected.TOOL.folded. Each of them has to be equal, or equal by the rules of json.why, which has a
# reason for each.
set -u
top=$(cd "$(dirname "$0")/../.." && pwd) || exit 2
collection=${SAMPLES:-$top/../shared/samples}
why=$top/tests/collapse/json.why
BIN=${BIN:-bin}
export LC_ALL=C
passed=0 failed=0 skipped=0

# The samples: a folder, a pattern for names of expected files, the samples (patterns, with commas between
# them) when their names are not the beginning of theirs, and options. The first line that fits counts; a sample that is no JSON is passed
# over. @ stands for the folder, % for the expected file's name up to the first dot.
table='
speedscope	*	-	--by none
cpuprofile	*	-
heapprofile	*	-
chrome-trace	*	-	--by none
probe-rs	*rv32*.noinline.folded	-	--by none --full-names --no-inline --elf @/elf/rv32.elf
probe-rs	*rv64*.noinline.folded	-	--by none --full-names --no-inline --elf @/elf/rv64.elf
probe-rs	*thumb-a*.noinline.folded	-	--by none --full-names --no-inline --elf @/elf/thumb-a.elf
probe-rs	*thumb-b*.noinline.folded	-	--by none --full-names --no-inline --elf @/elf/thumb-b.elf
probe-rs	*thumb-c*.noinline.folded	-	--by none --full-names --no-inline --elf @/elf/thumb-c.elf
probe-rs	*rv32*	-	--by none --full-names --elf @/elf/rv32.elf
probe-rs	*rv64*	-	--by none --full-names --elf @/elf/rv64.elf
probe-rs	*thumb-a*	-	--by none --full-names --elf @/elf/thumb-a.elf
probe-rs	*thumb-b*	-	--by none --full-names --elf @/elf/thumb-b.elf
probe-rs	*thumb-c*	-	--by none --full-names --elf @/elf/thumb-c.elf
firefox-profile	*fxprof.expected.inline.folded	made-here-fxprof-v*.json.gz,made-here-fxprof-v*-presymbolicated.json	--by none --full-names --elf @/../probe-rs/elf/thumb-a.elf
firefox-profile	*fxprof.expected.noinline.folded	made-here-fxprof-v*.json.gz	--by none --full-names --no-inline --elf @/../probe-rs/elf/thumb-a.elf
firefox-profile	*	-	--by none --full-names --addrs
gecko-profile	*	-	--by none --full-names --addrs
dhat	*.expected.tb.folded	-	--full-names --cost tb
dhat	*.expected.tbk.folded	-	--full-names --cost tbk
dhat	*.expected.gb.folded	-	--full-names --cost gb
dhat	*.expected.gbk.folded	-	--full-names --cost gbk
dhat	*.expected.eb.folded	-	--full-names --cost eb
dhat	*.expected.ebk.folded	-	--full-names --cost ebk
dhat	*.expected.mb.folded	-	--full-names --cost mb
stackprof	*.speedscope.folded	-
stackprof	*.stackprof-stackcollapse.folded	-	--weight samples
v8-prof	*	-
ghc-prof	made-here-pj.*	-
ghc-prof	made-here-P.expected.inferno-bytes.folded	made-here-pj.json	--cost alloc
safari	*	-
'

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

# Prints the rules of json.why for the expected file $1, with its folder.
rules_of() {
	while IFS="$tab" read -r pattern rule _; do
		# shellcheck disable=SC2254 # a pattern of the shell
		case $1 in
		$pattern) printf '%s\n' "$rule" ;;
		esac
	done <"$why"
}

# Sums up equal stacks and sorts, after the sed script $1.
normal() {
	sed -E -f "$1" | awk '{ n = $NF; sub(/ -?[0-9.]+$/, ""); sum[$0] += n }
		END { for (stack in sum) if (sum[stack]) printf "%s %.0f\n", stack, sum[stack] }' | sort
}

# Prints the JSON samples that the expected file $1 belongs to.
samples_of() {
	for sample in "${1%%.expected*}".*; do
		case $sample in
		*.expected*.folded*) continue ;;
		esac
		case $(gzip -cdf "$sample" | tr -d ' \n\r\t' | head -c 1) in
		'[' | '{') echo "$sample" ;;
		esac
	done
}

# Prints the line of the table for the expected file $2 of the folder $1: a sample or "-", and options.
row_of() {
	echo "$table" | while IFS="$tab" read -r folder pattern sample options; do
		[ "$folder" = "$1" ] || continue
		# shellcheck disable=SC2254 # a pattern of the shell
		case $2 in
		$pattern) echo "$sample $options" && break ;;
		esac
	done
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

# Tries the sample $1 against the expected file $2, with the options $3.
try() {
	[ -f "$1" ] || return
	rules_of "${2#"$collection"/}" >"$tmp/rules"
	if grep -qx 'wrong' "$tmp/rules"; then
		skipped=$((skipped + 1))
		echo "${2##*/}: skipped, json.why says why"
	elif eval "compare \"\$1\" \"\$2\" $3"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "${1##*/}, ${2##*/}: $(comm -3 "$tmp/ours.normal" "$tmp/theirs.normal" | wc -l) lines differ"
		[ -z "${SHOW-}" ] || comm -3 "$tmp/ours.normal" "$tmp/theirs.normal"
	fi
}

for folder in $(echo "$table" | cut -f 1 | sort -u); do
	for expected in "$collection/$folder"/*.expected*.folded*; do
		case $expected in
		*"${1-}"*) ;;
		*) continue ;;
		esac
		row=$(row_of "$folder" "${expected##*/}")
		[ -n "$row" ] || continue
		options=${row#* }
		base=${expected##*/}
		options=$(echo "$options" | sed "s,@,$collection/$folder,g; s,%,${base%%.*},g")
		case ${row%% *} in
		-) samples=$(samples_of "$expected") ;;
		*) samples=$(echo "${row%% *}" | tr , '\n' | sed "s,^,$collection/$folder/,") ;;
		esac
		for sample in $samples; do
			try "$sample" "$expected" "$options"
		done
	done
done
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ] && [ $passed -gt 0 ]
