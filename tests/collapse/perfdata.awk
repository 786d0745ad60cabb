# SPDX-License-Identifier: ISC
# The two parts of perfdata.sh that look at frames.
#
# part=ready: the text of perf script with marks for names. "?call" is what the address behind a call is in,
# when that is not in the function of the call for sure: perf prints it with +0x0, or knows none. A sample that perf
# dropped, since a value of its chain was none, gets a frame "?dropped". With keep, names go but for those in
# modules that match it.
#
# part=compare: three files with a line for each sample: theirs, theirs with fewer names, ours. Ours has to be
# one of the two, frame by frame; a mark stands for any name, and so does the name that perf gives to an entry of a PLT.
# perf 6.4 and later put the type that a template returns before its name.
# allowed is the share that may differ, in percent.

function ready_frame(line,    user, module, base) {
	module = line
	sub(/.* \(/, "", module)
	sub(/\)$/, "", module)
	# Below what the user called comes nothing of the kernel: such a value is none.
	user = was_user || line !~ /^\tffff/
	base = module
	sub(/.*\//, "", base)
	if (base == "[unknown]")
		base = "unknown"
	if (user && was_user && line ~ /(\+0x0| \[unknown\]) \(/)
		sub(/^\t *[0-9a-f]+ .* \(/, "\t0 ?call[" base "] (", line)
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

# Whether frame OUR is THEIR, with a mark or BARE.
function same_frame(our, their, bare) {
	if (our == their || our == bare || "?call" our == their)
		frames++
	else if (their ~ /^\?call/)
		calls++
	else if (our ~ /@plt$/ && their ~ /^(.*@plt|_init|\[.*\])$/)
		plts++
	else if (substr(their, length(their) - length(our)) == " " our)
		types++
	else
		return 0
	return 1
}

# Whether the stacks agree; with inner, theirs may lack outer frames.
function same(ours, named, bare,    n, m, i, a, b, c) {
	if (named ~ /;\?dropped /)
		return weight_of(ours) == weight_of(named)
	n = frames_of(ours, a)
	m = frames_of(named, b)
	if (m != frames_of(bare, c) || weight_of(ours) != weight_of(named))
		return 0
	if (inner ? n < m : n != m)
		return 0
	# The first two are the event and the comm.
	for (i = 0; i < m; i++)
		if (!(i < m - 2 ? same_frame(a[n - i], b[m - i], c[m - i]) : a[m - i] == b[m - i]))
			return 0
	return 1
}

# The frame that stands on a header line.
function ready_only(line,    module) {
	module = line
	sub(/.* \(/, "", module)
	sub(/\)$/, "", module)
	if (keep != "" && module !~ keep && match(line, /[a-z][^ ]*: +[0-9a-f]+ /))
		line = substr(line, 1, RSTART + RLENGTH - 1) "[unknown] (" module ")"
	return line
}

# Inlined frames have the address of the function around them, which may be missing.
part == "ready" && $1 != address { if (inlined && !whole) print "\t0 ?call[] (x)"; inlined = whole = 0 }
part == "ready" { address = $1 }
part == "ready" && /^\t.*\(inlined\)$/ { inlined = was_user = 1; open = 0; next }
part == "ready" && /^\t/ { whole = 1 }
part == "ready" && /^\t/ { print ready_frame($0); open = 0; next }
part == "ready" && /^[^#].* \(.*\)$/ { print ready_only($0); next }
part == "ready" && /^[^#]/ { was_user = 0; open = 1; print; next }
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
	bad = seen != count || !frames || wrong * 100 > count * allowed
	printf "%d samples, theirs %d, %d differ; %d frames, %d calls, %d PLT entries, %d types\n", seen,
		count, wrong, frames, calls, plts, types
	exit bad
}
