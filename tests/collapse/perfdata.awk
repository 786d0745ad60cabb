# SPDX-License-Identifier: ISC
# The two parts of perfdata.sh that look at frames.
#
# part=ready: the text of perf script with marks for names. "?call" is what the address behind a call is in,
# when that is not in the function of the call for sure: perf prints it with +0x0, or knows none. A sample that perf
# dropped, since a value of its chain was none, gets a frame "?dropped". With keep, names go but for those in
# modules that match it.
#
# part=compare: three files with a line for each sample: theirs, theirs with fewer names, ours. Ours has to be
# one of the two, frame by frame; a mark stands for any name.

function ready_frame(line,    user, module) {
	module = line
	sub(/.* \(/, "", module)
	sub(/\)$/, "", module)
	user = line !~ /^\tffff/
	if (user && was_user && line ~ /(\+0x0| \[unknown\]) \(/ && line !~ /\(inlined\)$/)
		sub(/^\t *[0-9a-f]+ .* \(/, "\t0 ?call (", line)
	was_user = user
	if (keep != "" && line !~ /\?call/ && module !~ keep)
		sub(/^\t *[0-9a-f]+ .* \(/, "\t0 [unknown] (", line)
	return line
}

function frames_of(line, list) {
	sub(/ [0-9]+$/, "", line)
	return split(line, list, ";")
}

function weight_of(line) {
	sub(/.* /, "", line)
	return line
}

function same(ours, named, bare,    n, i, a, b, c) {
	if (named ~ /;\?dropped /)
		return weight_of(ours) == weight_of(named)
	n = frames_of(ours, a)
	if (n != frames_of(named, b) || n != frames_of(bare, c) || weight_of(ours) != weight_of(named))
		return 0
	for (i = 1; i <= n; i++) {
		if (b[i] ~ /^\?call/) {
			calls++
			continue
		}
		if (a[i] != b[i] && a[i] != c[i])
			return 0
		frames++
	}
	return 1
}

part == "ready" && /^\t/ { print ready_frame($0); open = 0; next }
part == "ready" && /^[^#]/ && !/ \(.*\)$/ { was_user = 0; open = 1; print; next }
part == "ready" && /^$/ && open { print "\t0 ?dropped (x)"; open = 0 }
part == "ready" { print; next }

FNR == 1 { file++ }
file == 1 { named[FNR] = $0; count = FNR; next }
file == 2 { bare[FNR] = $0; next }
{
	seen = FNR
	if (!same($0, named[FNR], bare[FNR]) && wrong++ < 3)
		printf "sample %d:\n\tours   %s\n\ttheirs %s\n", FNR, $0, named[FNR]
}
END {
	if (part == "ready")
		exit 0
	if (seen != count || wrong || !frames)
		bad = 1
	printf "%d samples, theirs %d, %d differ; %d frames, %d calls\n", seen, count, wrong, frames, calls
	exit bad
}
