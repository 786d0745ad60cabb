# SPDX-License-Identifier: ISC
# Makes a script without comments and indentation shorter. Blanks go. Names that are declared in it
# become one or two letters: those at its top, in the function that all of it is in, everywhere; the others
# by statement at its top, in which a name has the same letters wherever it stands. Properties
# keep theirs, so that { name } becomes { name: a }. Statements end with a semicolon here, texts
# with their line, and no name is declared in one scope of a statement that another of it finds
# in the browser.

# ---- Tokens: text[1..n], and kind[]: "word", "sign", or other ----

function add(what, length_) {
	kind[++n] = what
	text[n] = substr(rest, 1, length_)
	rest = substr(rest, length_ + 1)
}

# Whether a slash here begins an expression.
function may_divide() {
	return kind[n] == "word" ? text[n] != "return" : kind[n] != "sign" || text[n] ~ /^[])}]$/
}

# The length of the text or expression that REST begins with, up to its SIGN.
function quoted_length(sign, at, c, is_class) {
	for (at = 2; at <= length(rest); at++) {
		c = substr(rest, at, 1)
		if (c == "\\")
			at++
		else if (sign == "/" && (c == "[" || c == "]"))
			is_class = c == "["
		else if (c == sign && !is_class)
			break
	}
	return at
}

# The length of the part of a template that REST begins with, up to its end or to a "${".
function template_length(at) {
	for (at = 2; at <= length(rest); at++)
		if (substr(rest, at, 1) == "\\")
			at++
		else if (substr(rest, at, 2) == "${")
			return at + 1
		else if (substr(rest, at, 1) == "`")
			break
	return at
}

function add_template() {
	add("text", template_length())
	if (text[n] ~ /[$][{]$/)
		braces[++templates] = 0
}

function add_sign() {
	if (templates && rest ~ /^}/ && !braces[templates]) {
		templates--
		add_template()
		return
	}
	match(rest, /^(\.\.\.|=>|[=!]==?|>>>=?|<<=?|>>=?|[?][?.]|[<>]=|&&|[|][|]|[+][+]|--|[-+*\/%&|^]=|.)/)
	add("sign", RLENGTH)
	if (templates)
		braces[templates] += (text[n] == "{") - (text[n] == "}")
}

function split_line() {
	while (rest != "") {
		if (rest ~ /^[ \t]/)
			rest = substr(rest, 2)
		else if (match(rest, /^[A-Za-z_$][A-Za-z0-9_$]*/))
			add("word", RLENGTH)
		else if (match(rest, /^(0x[0-9a-fA-F]+|[0-9][0-9.]*(e[-+]?[0-9]+)?n?|\.[0-9]+)/))
			add("number", RLENGTH)
		else if (rest ~ /^["']/)
			add("text", quoted_length(substr(rest, 1, 1)))
		else if (rest ~ /^`/)
			add_template()
		else if (rest ~ /^\// && !may_divide()) {
			add("text", quoted_length("/"))
			match(rest, /^[a-z]*/)
			text[n] = text[n] substr(rest, 1, RLENGTH)
			rest = substr(rest, RLENGTH + 1)
		} else
			add_sign()
	}
}

# ---- What is in what ----

# Whether a brace is that of an object or a pattern; else it is that of a block.
function is_object(i) {
	return !(text[i - 1] ~ /^([)};]|=>|else|try|do|finally)$/ ||
		(text[i - 1] == "{" && !object[partner[depth]]))
}

# Sets depth_of[], the closing end[] of brackets, object_[] of what is directly in an object, and
# the part[] of the script, one for each statement at its top.
function find_nesting(i, opens, closes) {
	for (i = 1; i <= n; i++) {
		opens = (kind[i] == "sign" && text[i] ~ /^[[({]$/) || (kind[i] == "text" && text[i] ~ /[$][{]$/)
		closes = (kind[i] == "sign" && text[i] ~ /^[])}]$/) || (kind[i] == "text" && text[i] ~ /^}/)
		if (closes) {
			start[i] = partner[depth]
			end[partner[depth--]] = i
		}
		in_object[i] = object[partner[depth]]
		if (opens) {
			object[i] = text[i] == "{" && is_object(i)
			partner[++depth] = i
		}
		depth_of[i] = depth
		# the function that all is in has the depth 2
		if (depth == 2 && kind[i] == "word" && text[i - 1] ~ /^[;}{]$/ && text[i] != "else")
			parts++
		part[i] = parts
	}
}

function is_property(i) {
	return text[i - 1] ~ /^[?]?\.$/ || (in_object[i] && text[i + 1] == ":" && text[i - 1] ~ /^[{,]$/)
}

# Whether { name } stands for { name: name }.
function is_brief(i) {
	return in_object[i] && text[i - 1] ~ /^[{,]$/ && text[i + 1] ~ /^([,}]|=)$/
}

# ---- Names ----

function declare(i, level) {
	if (level == 2)
		top[text[i]] = 1
	else
		own[part[i], text[i]] = 1
}

# Declares the names of a pattern, or list of them, from I to LAST, without the values of defaults;
# what declares it is at depth LEVEL.
function declare_pattern(i, last, level, depth_) {
	for (; i <= last; i++) {
		if (kind[i] == "sign" && text[i] == "=")
			for (depth_ = depth_of[i]; i < last && depth_of[i + 1] >= depth_ && \
				!(depth_of[i + 1] == depth_ && text[i + 1] == ","); i++)
				;
		else if (kind[i] == "word" && !is_property(i))
			declare(i, level)
	}
}

# Goes over the declarations of a const or let.
function declare_all(i, level, first) {
	for (level = depth_of[i++]; ; i++) {
		for (first = i; !(depth_of[i] == level && (text[i] ~ /^(=|of|in|;|,)$/)); i++)
			;
		declare_pattern(first, i - 1, level)
		if (text[i] == "=")
			for (i++; depth_of[i] >= level && !(depth_of[i] == level && text[i] ~ /^[,;]$/); i++)
				;
		if (text[i] != ",")
			return
	}
}

function find_declarations(i) {
	for (i = 1; i <= n; i++) {
		if (kind[i] == "word" && text[i - 1] == ".")
			continue
		if (text[i] == "const" || text[i] == "let")
			declare_all(i)
		else if (text[i] == "catch" && text[i + 1] == "(")
			declare_pattern(i + 2, end[i + 1] - 1, 0)
		else if (text[i] == "function") {
			if (kind[i + 1] == "word") {
				i++
				declare(i, depth_of[i])
			}
			declare_pattern(i + 2, end[i + 1] - 1, 0)
		} else if (text[i] == "=>" && kind[i] == "sign" && text[i - 1] == ")")
			declare_pattern(start[i - 1] + 1, i - 2, 0)
		else if (text[i] == "=>" && kind[i] == "sign")
			own[part[i], text[i - 1]] = 1
	}
}

# Which words are names, and how often; what is not declared is the browser's and stays.
function count_uses(i, name) {
	for (i = 1; i <= n; i++) {
		name = text[i]
		if (kind[i] != "word" || name in reserved || is_property(i))
			continue
		if (name in top) {
			is_name[i] = 1
			uses[name]++
			used[part[i], name] = 1
		} else if ((part[i], name) in own) {
			is_name[i] = 1
			local_uses[part[i] SUBSEP name]++
		} else
			reserved[name] = 1
	}
}

function nth_name(i) {
	return i < many ? substr(letters, i + 1, 1) : \
		substr(letters, int((i - many) / many) + 1, 1) substr(letters, (i - many) % many + 1, 1)
}

# Sorts list[1..COUNT] by weight[], the heaviest first, then by name.
function sort_list(count, gap, i, j, item) {
	for (gap = int(count / 2); gap > 0; gap = int(gap / 2))
		for (i = gap + 1; i <= count; i++) {
			item = list[i]
			for (j = i - gap; j > 0 && (weight[item] > weight[list[j]] || \
				(weight[item] == weight[list[j]] && item < list[j])); j -= gap)
				list[j + gap] = list[j]
			list[j + gap] = item
		}
}

# Gives short names: to those at the top the letters that others need least.
function choose_names(name, count, i, next_, place, key) {
	letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ$_"
	many = length(letters)
	next_ = 30
	for (name in uses) {
		list[++count] = name
		weight[name] = uses[name]
	}
	sort_list(count)
	for (i = 1; i <= count; i++) {
		do
			short[list[i]] = nth_name(next_++)
		while (short[list[i]] in reserved)
	}
	for (key in used) {
		split(key, place, SUBSEP)
		taken[place[1], short[place[2]]] = 1
	}
	count = 0
	for (key in local_uses) {
		list[++count] = key
		weight[key] = local_uses[key]
	}
	sort_list(count)
	for (i = 1; i <= count; i++) {
		split(list[i], place, SUBSEP)
		do
			name = nth_name(next_of[place[1]]++ + 0)
		while (name in reserved || (place[1], name) in taken)
		local_short[list[i]] = name
	}
}

function name_of(i) {
	return text[i] in top ? short[text[i]] : local_short[part[i] SUBSEP text[i]]
}

# ---- The end ----

function print_all(i, token, before) {
	for (i = 1; i <= n; i++) {
		token = is_name[i] ? (is_brief(i) ? text[i] ":" : "") name_of(i) : text[i]
		if ((before ~ /[A-Za-z0-9_$]$/ && token ~ /^[A-Za-z0-9_$]/ && kind[i] != "text" ) ||
			(before ~ /^[-+\/]/ && substr(before, length(before)) == substr(token, 1, 1)) )
			printf " "
		printf "%s", token
		before = token
	}
	print ""
}

BEGIN {
	count = split("async await break case catch const continue delete do else finally for function if " \
		"in instanceof let new null of return switch this throw true false try typeof " \
		"undefined void while as on", words, " ")
	for (i = 1; i <= count; i++)
		reserved[words[i]] = 1
}

{
	rest = $0
	split_line()
}

END {
	find_nesting()
	find_declarations()
	count_uses()
	choose_names()
	print_all()
}
