#!/bin/sh
# SPDX-License-Identifier: ISC
# Compares the stacks that fg-collapse reads from a recording and from its perf script text: prints a line for
# each recording that disagrees, then the sums.
#
#	tests/collapse/perfdata.sh [substring]
#
# The recordings come from a collection beside the checkout, if there is one, with text from the machine that
# recorded them (NAME.data, NAME.script.txt.gz, elf/PROGRAM.gz). If perf can record, new ones are made of the
# programs installed here.
#
# Stacks are compared sample by sample and frame by frame, after applying the rules of perfdata.why, each with
# its reason. Two more are in perfdata.awk, which prepares the text: for frames where perf looked up the address
# after a call instead of the call, and for samples that perf dropped.
set -u
top=$(cd "$(dirname "$0")/../.." && pwd) || exit 2
cd "$top" || exit 2
collection=${SAMPLES:-$top/../shared/samples}/perf-data
why=tests/collapse/perfdata.why
awk=tests/collapse/perfdata.awk
BIN=$(cd "${BIN:-bin}" && pwd) || exit 2
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
trap 'exit 2' HUP INT TERM
# perf keeps its cache below HOME.
mkdir "$tmp/home" && export LC_ALL=C HOME="$tmp/home"
passed=0 failed=0 skipped=0 comm=

# Prints the rules of the kind $2 for the recording $1.
rules_of() {
	while IFS='	' read -r pattern rule _; do
		# shellcheck disable=SC2254 # a pattern of the shell
		case $1 in
		$pattern) printf '%s\n' "$rule" | sed -n "s/^$2: *//p" ;;
		esac
	done <"$why"
}

# Folds the text $2 of the recording $1, a line per sample, with frames named as by perf, and only names in
# modules that match $3 (the files of others may be missing here).
fold_text() {
	for keep in '' "$3"; do
		awk -v part=ready -v keep="$keep" -f "$awk" "$2" |
			"$BIN/fg-collapse" -q -f perf-script --no-header --no-marks --no-merge --event-filter '*' 2>&1 |
			sed -E -f "$tmp/theirs.sed" >"$tmp/theirs${keep:+-bare}"
	done
	[ -f "$tmp/theirs-bare" ] || cp "$tmp/theirs" "$tmp/theirs-bare"
}

# Compares the recording $1, the file $2, with its text $3. Only names in modules that match $4 count, and
# samples of the thread name $comm (both: all if empty). The rest are options.
compare() {
	name=$1 data=$2 text=$3 keep=$4
	shift 4
	case $name in
	*"$only"*) ;;
	*) return ;;
	esac
	if [ -n "$(rules_of "$name" wrong)" ]; then
		skipped=$((skipped + 1))
		echo "$name: skipped, perfdata.why says why"
		return
	fi
	for side in ours theirs; do
		rules_of "$name" $side >"$tmp/$side.sed"
		# The frames of a sample follow the event and the name.
		[ -z "$comm" ] || printf '/^[^;]*;%s[; ]/!d\n' "$comm" >>"$tmp/$side.sed"
	done
	rm -f "$tmp/theirs-bare"
	fold_text "$name" "$text" "$keep"
	# shellcheck disable=SC2046 # options are words
	"$BIN/fg-collapse" -q --no-header --no-marks --no-merge --event-filter '*' $(rules_of "$name" options) "$@" "$data" 2>&1 |
		sed -E -f "$tmp/ours.sed" >"$tmp/ours"
	inner=$(rules_of "$name" inner)
	if awk -v part=compare -v inner="${inner:+1}" -v allowed="${inner:-0}" -f "$awk" "$tmp/theirs" "$tmp/theirs-bare" "$tmp/ours" >"$tmp/said"; then
		passed=$((passed + 1))
		${VERBOSE:+sed "s/^/$name: /" "$tmp/said"}
	else
		failed=$((failed + 1))
		sed "s/^/$name: /" "$tmp/said"
	fi
}

# Compares the recordings of the collection.
compare_collection() {
	if [ ! -d "$collection" ]; then
		echo "no recordings beside the checkout: skipped"
		skipped=$((skipped + 1))
		return
	fi
	elfs=
	for f in "$collection"/elf/*.gz; do
		elf=$tmp/$(basename "$f" .gz)
		gzip -cd "$f" >"$elf"
		elfs="$elfs --elf $elf"
	done
	for text in "$collection"/*.script.txt.gz; do
		name=$(basename "$text" .script.txt.gz)
		gzip -cd "$text" >"$tmp/text"
		# shellcheck disable=SC2086 # options are words
		compare "$name" "$collection/$name.data" "$tmp/text" \
			'^/.*/(work|work-nofp|small-static|small-static-pie|small-static-nofp)$' $elfs
	done
}

# Adds the names of a jitdump to the recording: perf makes a file of each function.
inject() {
	perf inject -j -i "$tmp/data" -o "$tmp/injected" >"$tmp/out" 2>&1 && mv "$tmp/injected" "$tmp/data"
}

# Records the rest of the words as $1 and compares.
record() {
	name=live-$1
	shift
	case $name in
	*"$only"*) ;;
	*) return ;;
	esac
	if perf record -q -o "$tmp/data" "$@" >"$tmp/out" 2>&1 && [ -s "$tmp/data" ] &&
		{ [ "$name" != live-injected ] || inject; } &&
		perf script --no-inline -i "$tmp/data" >"$tmp/text" 2>"$tmp/err"; then
		compare "$name" "$tmp/data" "$tmp/text" '' --no-inline
	else
		echo "$name: perf cannot record it: skipped"
		skipped=$((skipped + 1))
	fi
	rm -f "$tmp/data"
}

# Does the same if the program $1 is installed.
record_if() {
	if command -v "$1" >"$tmp/out"; then
		shift
		record "$@"
	else
		echo "no $1: skipped"
		skipped=$((skipped + 1))
	fi
}

# A program with threads, inlining, recursion and long names.
write_program() {
	cat >"$tmp/busy.cc" <<'END'
#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <vector>
namespace {
template <class T> struct box { T value; bool operator<(const box &b) const { return value < b.value; } };
__attribute__((noinline)) long deep(int n) { volatile long x = n; return n ? deep(n - 1) + x : x; }
__attribute__((noinline)) void work(int n)
{
	std::map<std::string, box<long>> all;
	std::vector<box<long>> v;
	for (long i = 0; i < 20000; i++) {
		v.push_back({ i * 7919 % 10007 });
		all[std::to_string(i % 500)].value += deep(n);
	}
	std::sort(v.begin(), v.end());
}
}
int main()
{
	std::vector<std::thread> threads;
	std::function<void(int)> f = [](int n) { for (int i = 0; i < 12; i++) work(n + i); };
	for (int i = 0; i < 4; i++)
		threads.emplace_back(f, i * 10);
	for (auto &t : threads)
		t.join();
}
END
	g++ -O1 -fno-omit-frame-pointer -pthread -o "$tmp/busy" "$tmp/busy.cc" &&
		g++ -s -O2 -fno-omit-frame-pointer -pthread -o "$tmp/busy-stripped" "$tmp/busy.cc"
}

# Records programs of many kinds and compares.
compare_live() {
	if ! perf record -q -e cpu-clock -o "$tmp/data" true >"$tmp/out" 2>&1; then
		echo "perf cannot record here: skipped"
		skipped=$((skipped + 1))
		return
	fi
	clock='-e cpu-clock -F 1999 -g'
	# shellcheck disable=SC2086,SC2016 # options are words; for the shell that is recorded
	{
		if write_program >"$tmp/out" 2>&1; then
			record threads $clock "$tmp/busy"
			record stripped $clock "$tmp/busy-stripped"
			record period -e cpu-clock -c 500000 -g "$tmp/busy"
			record no-chain -e cpu-clock -F 1999 "$tmp/busy"
			record two-events -e cpu-clock,page-faults -F 999 -g "$tmp/busy"
			record compressed $clock -z "$tmp/busy"
			g++ -O2 -pthread -o "$tmp/busy-fast" "$tmp/busy.cc"
			record snapshots -e cpu-clock -F 499 --call-graph dwarf,16384 "$tmp/busy-fast"
			record_if g++ compiler $clock g++ -O1 -S -o "$tmp/busy.s" "$tmp/busy.cc"
		fi
		record shell $clock sh -c 'for i in 1 2 3 4 5 6 7 8 9; do (ls / | sort -r | head -n 3; expr $i + 1); done'
		record kernel $clock dd if=/dev/zero of="$tmp/zeroes" bs=64k count=2000
		record files $clock sh -c "find / -xdev -maxdepth 5 | head -n 50000 | tail -n 1; tar cf - /usr/include | wc -c"
		# Other processes may end, or be out of sight, before their names are looked up.
		comm=every-$$
		cp "$(command -v ls)" "$tmp/$comm"
		record all-cpus $clock -a sh -c 'for i in 1 2 3 4 5 6; do "$0" -lR /etc | wc -l; done' "$tmp/$comm"
		comm=
		record_if python3 python $clock python3 -c 'print(sum(hash(str(i)) % 7 for i in range(300000)))'
		# Node writes its jitdump into the current folder.
		record_if node injected -k mono $clock env -C "$tmp/home" node --perf-prof -e \
			'function f(n) { return n < 2 ? n : f(n - 1) + f(n - 2); } console.log(f(32))'
		record_if node node $clock node --perf-basic-prof -e \
			'function f(n) { return n < 2 ? n : f(n - 1) + f(n - 2); } console.log(f(30), JSON.stringify([...Array(9e4).keys()]).length)'
	}
}

only=${1-}
compare_collection
if command -v perf >"$tmp/out"; then
	compare_live
else
	echo "no perf: skipped"
	skipped=$((skipped + 1))
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
