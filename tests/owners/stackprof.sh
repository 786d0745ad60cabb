#!/bin/sh
# SPDX-License-Identifier: ISC
# Dumps of stackprof, and their JSON, against stackprof --text: the samples of each frame.
set -u
for tool in ruby stackprof; do
	command -v $tool >/dev/null || { echo "skip stackprof there is no $tool" && exit 0; }
done
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 2

cat >work.rb <<'END'
require 'stackprof'
class A
  def b; (1..3000).map { |x| x * x }.sum; end
  def a; 20.times { b; "x#{b}" }; end
end
mode = ARGV[0].to_sym
StackProf.run(mode: mode, raw: true, interval: mode == :object ? 100 : 1000, out: ARGV[1]) { 30.times { A.new.a } }
END

# What each frame of folded text has for itself, largest first.
sum_leaves() {
	awk '{ n = $NF; sub(/ [0-9]+$/, ""); sub(/.*;/, ""); sum[$0] += n }
		END { for (name in sum) printf "%s %.0f\n", name, sum[name] }' | sort
}

for mode in cpu wall object; do
	ruby work.rb "$mode" "$mode.dump" || { echo "skip stackprof it cannot record here" && exit 0; }
	stackprof --json "$mode.dump" >"$mode.json"
	# "  10 (90.9%)  9 (81.8%)  Enumerable#map": the second number is the frame's own.
	stackprof --text --limit 1000 "$mode.dump" | awk '$2 ~ /^\(.*%\)$/ && $3 > 0 {
		n = $3; sub(/^ *[0-9]+ +\([^)]*\) +[0-9]+ +\([^)]*\) +/, ""); print $0, n }' | sort >theirs
	for file in $mode.dump $mode.json; do
		"$BIN/fg-collapse" -q --no-header --weight samples "$file" | sum_leaves >ours
		if [ -s theirs ] && cmp -s ours theirs; then
			echo "ok stackprof ${file#*.} of mode $mode has the samples of --text"
		else
			echo "FAIL stackprof ${file#*.} of mode $mode differs from --text"
			diff theirs ours
		fi
	done
done
