# SPDX-License-Identifier: ISC
# Makes a script without comments and indentation shorter: blanks beside operators go, and line
# ends behind what ends no statement by itself. Statements end with a semicolon here.

# CODE, without texts and expressions, without the blanks beside operators, unless two signs would
# become another.
function squeeze(code) {
	if (code !~ /[-+] [-+]/) {
		gsub(/ *[-+*<>=&|?:,;{}()!%] */, "\001&\001", code)
		gsub(/ *\001 */, "", code)
	}
	return code
}

# A line with a slash, which may begin an expression, or other quotes stays as it is.
function squeeze_line(text) {
	if (text ~ /['`\/\\]/)
		return text
	n = split(text, part, "\"")
	text = squeeze(part[1])
	for (i = 2; i <= n; i++)
		text = text "\"" (i % 2 ? squeeze(part[i]) : part[i])
	return text
}

{
	squeezed = squeeze_line($0)
	printf "%s%s", squeezed, squeezed ~ /[;{},()?:=&|]$/ && squeezed !~ /\/\// ? "" : "\n"
}

END {
	print ""
}
