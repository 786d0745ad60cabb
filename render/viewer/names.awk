# SPDX-License-Identifier: ISC
# Makes a squeezed script shorter: two kinds of names become two letters. Functions that are only
# called, and so are neither values nor properties: a word of that name in a text is followed by no
# parenthesis. And names that are declared and stand nowhere in a text, nor where a property could:
# after a dot, before a colon, or between a brace or comma and a brace, comma or "=".

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

# Whether WORD stands where it may be the name of a property, or at a quote.
function is_property() {
	ahead = head
	sub(/ +$/, "", ahead)
	return (ahead ~ /\.$/ && ahead !~ /\.\.\.$/) || ahead ~ /["'`#-]$/ || rest ~ /^ *(:|["'`-][^ ])/ || \
		(ahead ~ /[{,]$/ && ahead !~ /[$][{]$/ && rest ~ /^ *([,}]|=[^=>])/)
}

# The text or expression that REST begins with, up to its SIGN.
function take_text(sign, is_class, c, at) {
	for (at = 2; at <= length(rest); at++) {
		c = substr(rest, at, 1)
		if (c == "\\")
			at++
		else if (sign == "/" && (c == "[" || c == "]"))
			is_class = c == "["
		else if (c == sign && !is_class)
			break
	}
	return substr(rest, 1, at)
}

# Marks the words in the texts of a line.
function mark_texts(text, sign, quoted) {
	for (; match(text, /["'`\/]/); text = substr(text, length(quoted) + 1)) {
		sign = substr(text, RSTART, 1)
		head = substr(text, 1, RSTART - 1)
		text = rest = substr(text, RSTART)
		# else a division
		quoted = sign != "/" || head ~ /(^|[(,=:\[!&|?{};]|return) *$/ ? take_text(sign) : sign
		rest = quoted
		if (sign == "`")
			gsub(/[$][{][^{}`"]*[}]/, " ", rest)
		while (next_word())
			property[word] = 1
	}
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
	for (i = 1; i <= NR; i++) {
		mark_texts(line[i])
		for (start_line(i); next_word(); ) {
			words[word] = 1
			if (latest == "function" && rest ~ /^\(/)
				functions[++many] = word
			else if (latest == "const" && rest ~ /^ ?= ?(async ?)?\(/)
				functions[++many] = word
			else if (before == "." || rest !~ /^\(/)
				other[word] = 1
			if (latest ~ /^(const|let|function)$/)
				declared[++names] = word
			if (is_property())
				property[word] = 1
		}
	}
	for (i = 1; i <= names; i++)
		if (!(declared[i] in property) && !(declared[i] in short) && length(declared[i]) > 2)
			short[declared[i]] = make_name()
	for (i = 1; i <= many; i++)
		if (!(functions[i] in other) && !(functions[i] in short) && length(functions[i]) > 2)
			short[functions[i]] = make_name()
	for (i = 1; i <= NR; i++) {
		for (start_line(i); next_word(); )
			printf "%s%s", head, word in short ? short[word] : word
		print rest
	}
}
