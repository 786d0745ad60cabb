# SPDX-License-Identifier: ISC
# Takes out of a script what only people need: comments, and blanks and line ends that keep no two words
# apart. Strings, templates and regular expressions stay as they are. The script must end its statements
# with semicolons, have comments on lines of their own, and templates that stay on one line.
#
#	awk -f squeeze.awk flame.js

# The length of the literal that S begins with, whose first byte is QUOTE.
function literal(s, quote,	i, c, class) {
	for (i = 2; i <= length(s); i++) {
		c = substr(s, i, 1)
		if (c == "\\")
			i++
		else if (quote == "/" && c == "[")
			class = 1
		else if (quote == "/" && c == "]")
			class = 0
		else if (c == quote && !class)
			return i
	}
	print FILENAME ":" FNR ": a literal without end" >"/dev/stderr"
	exit 1
}

# Whether a '/' after what is before it begins a regular expression.
function begins_pattern() {
	return last == "" || index("(,=:[!&|?{};", last) || word == "return"
}

# Puts TEXT out, after a blank where it would run into what is before it.
function put(text,	first) {
	first = substr(text, 1, 1)
	if (blank && ((last ~ /[A-Za-z0-9_$]/ && first ~ /[A-Za-z0-9_$]/) ||
			(last == first && index("+-", first))))
		text = " " text
	# Lines of a length that editors and diffs can show.
	if (column > 400 && last == ";")
		text = "\n" text
	column = text ~ /^\n/ ? 0 : column + length(text)
	printf "%s", text
	last = substr(text, length(text), 1)
	blank = 0
}

{
	line = $0
	if (line ~ /^[ \t]*\/\//)
		next
	while (line != "") {
		c = substr(line, 1, 1)
		n = 1
		if (c == " " || c == "\t") {
			blank = 1
			line = substr(line, 2)
			continue
		}
		if (c == "\"" || c == "'" || c == "`" || (c == "/" && begins_pattern())) {
			n = literal(line, c)
			word = ""
		} else if (match(line, /^[A-Za-z0-9_$]+/)) {
			n = RLENGTH
			word = substr(line, 1, n)
		} else {
			word = ""
		}
		put(substr(line, 1, n))
		line = substr(line, n + 1)
	}
	blank = 1
}

END { print "" }
