# SPDX-License-Identifier: ISC
# Makes the viewer shorter before it is packed: the words that take most of the text become a byte
# each, from 0xa0 on. Prints the words, a blank after each, the byte 0, and the text. unpack.js reads
# it.

{
	line[NR] = $0
}

# Cuts the first word off REST; what is before it goes to HEAD.
function cut_word() {
	if (!match(rest, /[A-Za-z_$][A-Za-z0-9_$]*/))
		return ""
	head = substr(rest, 1, RSTART - 1)
	word = substr(rest, RSTART, RLENGTH)
	rest = substr(rest, RSTART + RLENGTH)
	return word
}

{
	for (rest = line[NR]; cut_word() != "";)
		uses[word]++
}

# The word that saves most, of those that are not taken; of equal ones the first in the order of
# bytes.
function find_best() {
	best = ""
	most = 0
	for (word in uses) {
		saved = length(word) > 2 ? uses[word] * (length(word) - 1) : 0
		if (saved > most || (saved && saved == most && word < best)) {
			best = word
			most = saved
		}
	}
	return best
}

END {
	for (n = 0; n < 96 && find_best() != ""; n++) {
		byte[best] = sprintf("%c", 160 + n)
		printf "%s ", best
		delete uses[best]
	}
	printf "%c", 0
	for (i = 1; i <= NR; i++) {
		for (rest = line[i]; cut_word() != "";)
			printf "%s%s", head, word in byte ? byte[word] : word
		print rest
	}
}
