# SPDX-License-Identifier: ISC
# Makes a squeezed script shorter: functions that are only called, and so are neither values nor
# properties, get names of two letters. A word of that name in a text is followed by no parenthesis.

# Goes to the next word of REST: BEFORE is the character before it, "" at the start of a line.
function next_word() {
	if (!match(rest, /[A-Za-z_$][A-Za-z0-9_$]*/))
		return 0
	head = substr(rest, 1, RSTART - 1)
	if (head != "")
		before = substr(head, length(head))
	latest = word
	word = substr(rest, RSTART, RLENGTH)
	rest = substr(rest, RSTART + RLENGTH)
	return 1
}

function start_line(i) {
	rest = line[i]
	before = word = ""
}

# A name that no word has.
function make_name() {
	do {
		n++
		name = substr(letters, int(n / 52) + 1, 1) substr(letters, n % 52 + 1, 1)
	} while (name in words || name == "do" || name == "if" || name == "in" || name == "of")
	return name
}

{
	line[NR] = $0
}

END {
	letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	for (i = 1; i <= NR; i++)
		for (start_line(i); next_word(); ) {
			words[word] = 1
			if (latest == "function" && rest ~ /^\(/)
				functions[++many] = word
			else if (latest == "const" && rest ~ /^ ?= ?(async ?)?\(/)
				functions[++many] = word
			else if (before == "." || rest !~ /^\(/)
				other[word] = 1
		}
	for (i = 1; i <= many; i++)
		if (!(functions[i] in other) && !(functions[i] in short) && length(functions[i]) > 2)
			short[functions[i]] = make_name()
	for (i = 1; i <= NR; i++) {
		for (start_line(i); next_word(); )
			printf "%s%s", head, word in short ? short[word] : word
		print rest
	}
}
