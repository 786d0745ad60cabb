# SPDX-License-Identifier: ISC
# Writes bytes, which od -tu1 prints, as text for CDATA: 13 bits, the first the lowest, as two digits
# of base 91, the lower first. The digits are the characters from "$" to "~", but "!" for "]", as CDATA ends
# with "]]>". unpack.js reads them.

function put(value) {
	printf "%s%s", digit[value % 91], digit[int(value / 91)]
}

BEGIN {
	for (value = 0; value < 91; value++)
		digit[value] = sprintf("%c", value + 36 == 93 ? 33 : value + 36)
	unit = 1
}

{
	for (i = 1; i <= NF; i++) {
		bits += $i * unit
		unit *= 256
		if (unit < 8192)
			continue
		put(bits % 8192)
		bits = int(bits / 8192)
		unit /= 8192
	}
}

END {
	if (unit > 1)
		put(bits)
}
