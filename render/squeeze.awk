# SPDX-License-Identifier: ISC
# Makes a script as short as it can be without changing what it does: without comments and needless
# blanks, with short words for the names that it declares, and with its functions as arrow functions at its
# start. Several files are one script, in their order.
#
#	awk -f squeeze.awk a.js b.js >short.js
#
# Names. Every name that const, let, function, a parameter or catch declares gets one short word throughout
# the script; properties (a.name) and keys ({ name: 1 }) stay, shorthand is spelt out ({ name: a }). A
# statement at the top of the script, or of the one function that it is wrapped in, is what names are
# apart by: those that share no such statement may get the same short word. Words that are used and nowhere
# declared are the browser's, and are neither changed nor given to others.
#
# Properties. Names in comments of the form "// squeeze: zoom trail hover" are renamed as properties and
# keys, wherever they stand. They must be ours alone: nothing of the browser's, of JSON, or in a string.
#
# What the script must keep to; what is not understood is refused with its place:
# - statements end with semicolons; comments begin with two slashes;
# - a literal ends on its line, also one with ${} in it;
# - no class, var, import, export, with or eval, and no generators;
# - a name that a statement at the top declares for itself is not the browser's elsewhere: where one
#   function has its own `event`, no other may use that of the window;
# - a block after a case or a label aside, "{" after ":" is an object; a regular expression does not
#   follow ")", nor a division "}".

function fail(place, text) {
	print place ": " text >"/dev/stderr"
	failed = 1
	exit 1
}

# ---- Words ----
#
# Of each token I: text; kind: word, number, text (a string, a template's end), open (a template's part up
# to "${"), pattern (a regular expression), mark; place; around: the token that opens what it stands in, 0
# for none; mate: of a bracket the other one. What a bracket opens is in holds: "(", "[", block, body (of an
# arrow function), object, template.

function set_of(words, set,	n, list) {
	for (n = split(words, list, " "); n > 0; n--)
		set[list[n]] = 1
}

BEGIN {
	set_of("await break case catch const continue debugger default delete do else false finally for function " \
		"if in instanceof let new null of return super switch this throw true try typeof void while yield " \
		"async class enum export extends implements import interface package private protected public static " \
		"var with eval arguments undefined NaN Infinity", reserved)
	set_of("class var import export with eval enum", refused)
	# "of" is no name here, so that what is after it is known. After the next begins a value.
	set_of("await case delete do else in instanceof new of return throw typeof void yield", before_value)
	set_of("return const let of in case typeof throw await yield", before_object)
	set_of("else do try finally catch", before_block)
	set_of("in of instanceof", joining)
	letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ$_"
}

function is_word(i, text_of_it) {
	return kind[i] == "word" && !is_member(i) && (text_of_it == "" || text[i] == text_of_it)
}

# Whether I stands after a dot.
function is_member(i) {
	return i > 1 && kind[i - 1] == "mark" && (text[i - 1] == "." || text[i - 1] == "?.")
}

# Whether a value may end with the last token.
function ends_value() {
	if (kind[n] == "word")
		return is_member(n) || !(text[n] in before_value)
	return kind[n] ~ /^(number|text|pattern)$/ || (n && text[n] ~ /^(\)|\]|\+\+|--)$/) ||
		(text[n] == "}" && holds[mate[n]] == "object")
}

# The length of the literal that line begins with, or of the part that ends with "${".
function literal(quote,	i, c, class) {
	for (i = 2; i <= length(line); i++) {
		c = substr(line, i, 1)
		if (c == "\\")
			i++
		else if (quote == "/" && c == "[")
			class = 1
		else if (quote == "/" && c == "]")
			class = 0
		else if (quote == "`" && substr(line, i, 2) == "${")
			return i + 1
		else if (c == quote && !class)
			return i
	}
	fail(here, "a literal that does not end on this line")
}

# What the brace that comes next opens.
function brace_holds() {
	if (!n || text[n] == ";" || (text[n] == "}" && holds[mate[n]] ~ /^(block|body)$/))
		return "block"
	if (kind[n] == "word" && !is_member(n)) {
		if (text[n] in before_block)
			return "block"
		if (text[n] in before_object)
			return "object"
	} else if (text[n] == "=>") {
		return "body"
	} else if (text[n] == ")" || (text[n] == "{" && holds[n] != "object")) {
		return "block"
	} else if (text[n] == ":") {
		return colon[n] == "label" ? "block" : "object"
	} else if (kind[n] == "open" || (kind[n] == "mark" && text[n] !~ /^(\]|\}|\{|\.|\?\.|\+\+|--)$/)) {
		return "object"
	}
	fail(here, "a { after " text[n] " that begins neither a block nor an object")
}

# Opens what WHAT says with the last token, or closes what is open.
function open_with(what) {
	holds[n] = what
	stack[++level] = n
	choices[level] = 0
}

function close_with(mark,	opener, what) {
	opener = stack[level]
	what = level ? holds[opener] : ""
	if (!(mark == ")" && what == "(" || mark == "]" && what == "[" || mark == "}" && what ~ /^[bo]/ ||
			mark == "}" && what == "template"))
		fail(here, "a " mark " that nothing opens")
	mate[n] = opener
	mate[opener] = n
	level--
	around[n] = level ? stack[level] : 0
}

# What a colon follows: a choice's value, a key, or a label.
function colon_after(	what) {
	what = level ? holds[stack[level]] : "block"
	if (choices[level] > 0) {
		choices[level]--
		return "choice"
	}
	if (what == "object")
		return "key"
	if (what ~ /^b/)
		return "label"
	fail(here, "a colon without a question mark")
}

# Adds the first LENGTH bytes of line as a token of kind WHAT.
function add(what, len,	word) {
	word = substr(line, 1, len)
	line = substr(line, len + 1)
	if (is_new_line && starts_value(what, word) && lacks_semicolon())
		fail(place[n], "no semicolon at the end of the line")
	is_new_line = 0
	text[++n] = word
	kind[n] = what
	place[n] = here
	around[n] = level ? stack[level] : 0
	if (index(word, "]]>"))
		fail(here, "]]> would end the element that holds the script")
}

function starts_value(what, word) {
	return what ~ /^(number|text|pattern)$/ || (what == "word" && !(word in joining))
}

function lacks_semicolon() {
	if (kind[n] == "word")
		return is_member(n) || !(text[n] in reserved)
	return kind[n] ~ /^(number|text|pattern)$/ || text[n] == "]" ||
		(text[n] == "}" && holds[mate[n]] ~ /^(object|body)$/)
}

function read_mark(	mark, what) {
	if (!match(line, /^(\.\.\.|=>|\?\.|\?\?=?|[=!]==?|<<=?|>>>?=?|\*\*=?|&&=?|\|\|=?|\+\+|--|[-+*\/%&|^<>]=|[][{}()+*\/%&|^<>,.;:?~!=-])/))
		fail(here, "not understood: " substr(line, 1, 20))
	if (substr(line, 1, 2) == "?." && substr(line, 3, 1) ~ /[0-9]/)
		RLENGTH = 1
	mark = substr(line, 1, RLENGTH)
	what = mark == "{" ? brace_holds() : mark
	if (mark == ":")
		what = colon_after()
	add("mark", RLENGTH)
	if (mark ~ /^[({[]$/)
		open_with(what)
	else if (mark ~ /^[)}]$/ || mark == "]")
		close_with(mark)
	else if (mark == "?")
		choices[level]++
	else if (mark == ":")
		colon[n] = what
}

# A template up to its end, or to the "${" that opens an expression; or from the "}" that ends one.
function read_template(	len, resumes) {
	resumes = substr(line, 1, 1) == "}"
	len = literal("`")
	add(substr(line, len, 1) == "{" ? "open" : "text", len)
	if (resumes)
		close_with("}")
	if (kind[n] == "open")
		open_with("template")
}

function read_token(	c) {
	c = substr(line, 1, 1)
	if (c == "`" || (c == "}" && level && holds[stack[level]] == "template"))
		read_template()
	else if (c == "\"" || c == "'")
		add("text", literal(c))
	else if (c == "/" && !ends_value())
		read_pattern()
	else if (match(line, /^(0[xXbBoO][0-9a-fA-F_]+|[0-9][0-9_]*(\.[0-9]+)?([eE][-+]?[0-9]+)?|\.[0-9]+([eE][-+]?[0-9]+)?)n?/))
		add("number", RLENGTH)
	else if (match(line, /^[A-Za-z_$][A-Za-z0-9_$]*/))
		add("word", RLENGTH)
	else
		read_mark()
}

function read_pattern(	len) {
	len = literal("/")
	match(substr(line, len + 1), /^[a-z]*/)
	add("pattern", len + RLENGTH)
}

function read_comment(	i, list) {
	if (sub(/^\/\/ squeeze: /, "", line))
		for (i = split(line, list, " "); i > 0; i--)
			property[list[i]] = 1
	line = ""
}

{
	line = $0
	here = FILENAME ":" FNR
	is_new_line = 1
	while (sub(/^[ \t\r]+/, "", line) || line != "") {
		if (line ~ /^\/\//)
			read_comment()
		else if (line ~ /^\/\*/)
			fail(here, "a comment that does not begin with two slashes")
		else if (line != "")
			read_token()
	}
}

# ---- Roles ----
#
# What a word is: name, key (a property), short (a key and a name in one), or other.

# Whether a key may stand at I: at the start of an object or after its comma.
function is_key_place(i) {
	return holds[around[i]] == "object" &&
		(i - 1 == around[i] || (text[i - 1] == "," && around[i - 1] == around[i]))
}

# The role of the word at I, where a key may stand.
function role_of_key(i) {
	if (text[i + 1] == ":" || text[i + 1] == "(")
		return "key"
	if (text[i + 1] ~ /^[,}=]$/ && !(text[i] in reserved))
		return "short"
	if (text[i] ~ /^(get|set|async)$/ && (kind[i + 1] ~ /^(word|text|number)$/ || text[i + 1] == "["))
		return "other"
	fail(place[i], "not understood in an object: " text[i])
}

function find_role(i) {
	if (is_member(i))
		return "key"
	if (is_key_place(i))
		return role_of_key(i)
	if (role[i - 1] == "other" && is_key_place(i - 1))
		return "key"
	if (text[i] in refused)
		fail(place[i], text[i] " is not understood")
	return text[i] in reserved ? "other" : "name"
}

function find_roles(	i) {
	for (i = 1; i <= n; i++) {
		if (kind[i] == "word")
			role[i] = find_role(i)
		else if (text[i] == "*" && (is_key_place(i) || is_word(i - 1, "function")))
			fail(place[i], "a generator is not understood")
	}
}

# ---- Statements at the top ----

# The brace of the function that the whole script is wrapped in, or 0.
function find_wrapper(	i) {
	i = text[2] == "async" ? 3 : 2
	if (text[1] == "(" && text[i] == "function" && text[i + 1] == "(" && text[i + 3] == "{")
		return i + 3
	return 0
}

function begins_statement(i) {
	if (i == 1 || around[i] != wrapper || text[i] ~ /^(\}|else|while|catch|finally)$/)
		return i == 1
	return text[i - 1] == ";" || i - 1 == wrapper ||
		(text[i - 1] == "}" && text[i] ~ /^(const|let|function|async|for|if)$/)
}

function count_statements(	i, count) {
	wrapper = find_wrapper()
	for (i = 1; i <= n; i++) {
		if (begins_statement(i))
			count++
		statement[i] = count
	}
}

# ---- Declarations ----

function declare(i, at_top,	name) {
	name = text[i]
	if (role[i] !~ /^(name|short)$/)
		fail(place[i], "not a name: " name)
	if (!(name in declared))
		order[++names] = name
	declared[name] = 1
	if (at_top)
		is_top[name] = 1
	else
		is_own[name, statement[i]] = 1
}

# The token after I, or after what it opens.
function after(i) {
	return mate[i] > i ? mate[i] : i + 1
}

# The token after the next comma of what I stands in; END when there is none before it.
function after_comma(i, end) {
	while (i < end && text[i] != ",")
		i = after(i)
	return i < end ? i + 1 : end
}

# Declares what the pattern at I names; the token after it.
function bind(i, at_top) {
	if (text[i] == "...")
		i++
	if (kind[i] == "word") {
		declare(i, at_top)
		return i + 1
	}
	if (text[i] !~ /^[[{]$/)
		fail(place[i], "not a name and not a pattern: " text[i])
	bind_all(i + 1, mate[i], at_top)
	return mate[i] + 1
}

# The same for a list of patterns, with keys and defaults, that ends before END.
function bind_all(i, end, at_top) {
	while (i < end) {
		if (text[i] == ",") {
			i++
			continue
		}
		if (is_key_place(i) && text[i] == "[")
			i = mate[i] + 2
		else if (is_key_place(i) && text[i + 1] == ":")
			i += 2
		i = after_comma(bind(i, at_top), end)
	}
}

# Of const and let at I: all that they declare.
function bind_declaration(i,	at_top, outer) {
	outer = around[i]
	at_top = outer == wrapper
	do {
		i = bind(i + 1, at_top)
		if (is_word(i, "of") || is_word(i, "in"))
			return
		while (i <= n && text[i] !~ /^[,;]$/ && around[i] == outer && i != mate[outer])
			i = after(i)
	} while (text[i] == ",")
}

function bind_function(i) {
	if (kind[i + 1] == "word")
		declare(++i, around[i] == wrapper)
	bind_all(i + 2, mate[i + 1], 0)
}

function find_declarations(	i) {
	for (i = 1; i <= n; i++) {
		if (is_word(i, "const") || is_word(i, "let"))
			bind_declaration(i)
		else if (role[i] != "key" && is_word(i, "function"))
			bind_function(i)
		else if (role[i] != "key" && is_word(i, "catch") && text[i + 1] == "(")
			bind_all(i + 2, mate[i + 1], 0)
		else if (role[i] == "key" && !is_member(i) && text[i + 1] == "(")
			bind_all(i + 2, mate[i + 1], 0)
		else if (text[i] == "=>" && kind[i - 1] == "word")
			declare(i - 1, 0)
		else if (text[i] == "=>")
			bind_all(mate[i - 1] + 1, i - 1, 0)
	}
}

# ---- Short words ----

# Counts uses, and in which statements they are.
function count_uses(	i, name) {
	for (i = 1; i <= n; i++) {
		name = text[i]
		if (role[i] !~ /^(name|short)$/)
			continue
		if (!(name in declared)) {
			foreign[name] = 1
			continue
		}
		if (!(name in is_top) && !((name, statement[i]) in is_own))
			fail(place[i], name " is not declared in this statement, but in others")
		uses[name]++
		shorthands[name] += role[i] == "short"
		if (!((name, statement[i]) in seen_in)) {
			seen_in[name, statement[i]] = 1
			statements_of[name] = statements_of[name] " " statement[i]
		}
	}
}

# The Kth short word: one letter, two letters, ...
function short_word(k,	base, word) {
	base = length(letters)
	while (k > 0) {
		word = word substr(letters, (k - 1) % base + 1, 1)
		k = int((k - 1) / base)
	}
	return word
}

# Whether NAME may be WORD: no name that shares a statement with it is.
function is_free(name, word,	i, list, count) {
	if (word in reserved || word in foreign || (name in is_top && word in top_words))
		return 0
	count = split(statements_of[name], list, " ")
	for (i = 1; i <= count; i++)
		if ((word, list[i]) in words_in)
			return 0
	return 1
}

function give(name, word,	i, list) {
	short[name] = word
	if (name in is_top)
		top_words[word] = 1
	for (i = split(statements_of[name], list, " "); i > 0; i--)
		words_in[word, list[i]] = 1
}

# Bytes that WORD saves for NAME; shorthand grows by a colon and the word.
function saved_by(name, word,	plain) {
	plain = uses[name] - shorthands[name]
	return plain * (length(name) - length(word)) - shorthands[name] * (1 + length(word))
}

function rename(name,	k) {
	k = 1
	while (!is_free(name, short_word(k)))
		k++
	if (saved_by(name, short_word(k)) <= 0 && is_free(name, name))
		give(name, name)
	else
		give(name, short_word(k))
}

# Those used most first.
function rename_all(	i, best, rest) {
	for (rest = names; rest > 0; rest--) {
		best = 0
		for (i = 1; i <= names; i++)
			if (!(order[i] in short) && (!best || uses[order[i]] > uses[order[best]]))
				best = i
		rename(order[best])
	}
}

# Properties that are ours get words that no property of the script has.
function rename_properties(	i, k, rest, best, list, count) {
	for (i = 1; i <= n; i++)
		if (role[i] ~ /^(key|short)$/) {
			if (text[i] in property && !key_uses[text[i]]++)
				list[++count] = text[i]
			else if (!(text[i] in property))
				foreign_key[text[i]] = 1
		} else if (kind[i] == "text" && substr(text[i], 2, length(text[i]) - 2) in property) {
			fail(place[i], "a property to rename is in a string: " text[i])
		}
	for (rest = count; rest > 0; rest--) {
		best = 0
		for (i = 1; i <= count; i++)
			if (!(list[i] in short_key) && (!best || key_uses[list[i]] > key_uses[list[best]]))
				best = i
		do
			k++
		while (short_word(k) in foreign_key)
		short_key[list[best]] = short_word(k)
	}
}

# ---- What is written ----

function key_text(i) {
	return text[i] in short_key ? short_key[text[i]] : text[i]
}

function word_text(i,	name, key) {
	name = text[i] in short ? short[text[i]] : text[i]
	if (role[i] == "name")
		return name
	if (role[i] == "key")
		return key_text(i)
	if (role[i] == "other" && text[i] ~ /^(true|false)$/ && text[i + 1] != ".")
		return text[i] == "true" ? "!0" : "!1"
	if (role[i] == "other")
		return text[i] == "const" ? "let" : text[i]
	key = key_text(i)
	return name == key ? name : key ":" name
}

# Whether the parenthesis that I closes belongs to a statement, whose body may be nothing.
function closes_head(i) {
	return text[i] == ")" && (is_word(mate[i] - 1, "for") || is_word(mate[i] - 1, "while") ||
		is_word(mate[i] - 1, "if"))
}

# One parameter needs no parentheses.
function drop_parentheses(arrow,	close_at, open_at) {
	close_at = arrow - 1
	open_at = mate[close_at]
	if (text[close_at] == ")" && close_at == open_at + 2 && kind[open_at + 1] == "word")
		dropped[open_at] = dropped[close_at] = 1
}

function is_declaration(i) {
	return is_word(i, "const") || is_word(i, "let")
}

# The token after I, but for functions that are written elsewhere.
function next_kept(i) {
	i++
	while (i in lifted_until)
		i = lifted_until[i] + 1
	return i
}

# Declarations that follow on each other are one.
function join_declarations(i,	end) {
	end = i
	while (end <= n && text[end] != ";")
		end = after(end)
	i = next_kept(end)
	if (text[end] == ";" && around[end] == around[i] && is_declaration(i)) {
		text[end] = ","
		dropped[i] = 1
	}
}

# Whether the function at I, with its body from BODY on, is more than an arrow function.
function is_more_than_arrow(i, body,	j) {
	for (j = body; j < mate[body]; j++)
		if (is_word(j, "this") || is_word(j, "arguments"))
			return 1
	for (j = 1; j <= n; j++)
		if (is_word(j, "new") && text[j + 1] == text[i + 1])
			return 1
	return 0
}

# Functions at the top are there before anything runs, and are so when they stand first as well: there
# they need no word before each.
function lift_functions(	i, start, body) {
	for (i = 1; i <= n; i++) {
		if (around[i] != wrapper || kind[i + 1] != "word" || !is_word(i, "function"))
			continue
		start = is_word(i - 1, "async") ? i - 1 : i
		body = mate[i + 2] + 1
		if ((start > 1 && start - 1 != wrapper && text[start - 1] !~ /^[;}]$/) || is_more_than_arrow(i, body))
			continue
		lift[++lifts] = i
		lifted_until[start] = mate[body]
		drop_parentheses(body)
	}
}

# Whether the body from BODY on is nothing but the return of an expression, which is then enough.
function is_expression(body,	i, end) {
	end = mate[body] - 1
	if (!is_word(body + 1, "return") || text[end] != ";" || text[body + 2] == ";")
		return 0
	i = body + 2
	while (text[i] !~ /^[,;]$/)
		i = after(i)
	return i == end
}

function shorten(	i) {
	lift_functions()
	for (i = 1; i <= n; i++) {
		if (kind[i] == "number")
			sub(/^0\./, ".", text[i])
		else if (text[i] == "=>" && kind[i] == "mark")
			drop_parentheses(i)
		else if (text[i + 1] == "}" && (text[i] == "," || (text[i] == ";" && !closes_head(i - 1))))
			dropped[i] = 1
		else if (is_declaration(i) && (i == 1 || text[i - 1] ~ /^[;{},]$/))
			join_declarations(i)
	}
}

# Puts WORD out, after a blank where it would run into what is before it.
function put(word,	first) {
	if (word == "")
		return
	first = substr(word, 1, 1)
	if ((last ~ /[A-Za-z0-9_$]/ && first ~ /[A-Za-z0-9_$]/) || (last == first && index("+-/", first)) ||
			(last == "]" && first == ">"))
		word = " " word
	# Lines of a length that editors and diffs can show.
	if (column > 400 && last ~ /^[;,]$/)
		word = "\n" word
	column = word ~ /^\n/ ? 0 : column + length(word)
	printf "%s", word
	last = substr(word, length(word), 1)
}

function write(from, to) {
	for (; from <= to; from++)
		if (!(from in dropped))
			put(kind[from] == "word" ? word_text(from) : text[from])
}

function write_function(i,	body, is_object) {
	body = mate[i + 2] + 1
	put(word_text(i + 1) "=" (is_word(i - 1, "async") ? "async" : ""))
	write(i + 2, body - 1)
	put("=>")
	if (!is_expression(body)) {
		write(body, mate[body])
		return
	}
	# a brace would begin a block
	is_object = text[body + 2] == "{"
	put(is_object ? "(" : "")
	write(body + 2, mate[body] - 2)
	put(is_object ? ")" : "")
}

# The functions, as one declaration with that which follows.
function write_functions(i,	j) {
	for (j = 1; j <= lifts; j++) {
		put(j == 1 ? "let" : ",")
		write_function(lift[j])
	}
	i = next_kept(i)
	if (lifts && is_declaration(i))
		dropped[i] = 1
	if (lifts)
		put(is_declaration(i) ? "," : ";")
}

function write_all(	i, head) {
	head = kind[wrapper + 1] == "text" && text[wrapper + 2] == ";" ? wrapper + 2 : wrapper
	write(1, head)
	write_functions(head)
	for (i = next_kept(head); i <= n; i = next_kept(i))
		write(i, i)
	print ""
}

END {
	if (failed)
		exit 1
	if (level)
		fail(place[stack[level]], "a " text[stack[level]] " that nothing closes")
	find_roles()
	count_statements()
	find_declarations()
	count_uses()
	rename_all()
	rename_properties()
	shorten()
	write_all()
}
