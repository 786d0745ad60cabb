#!/bin/sh
# SPDX-License-Identifier: ISC
# Compares the lines of addresses, and of the calls that were inlined around them, with those of llvm-symbolizer,
# addr2line and libdw, on programs of several compilers and kinds of debug information. What differs is counted by
# class; a difference of no class is a failure. The classes:
#
#	line 0	the compiler gives the code no line: ours is that of the code before it in the function, theirs is none
#	chain	others are inlined there: addr2line loses some, and llvm-symbolizer some of split units of clang
#	file	addr2line alone takes the file from another unit: "<artificial>" with -flto, the unit's own file
set -u
cd "$(dirname "$0")/../.." || exit 2
oracle=$PWD/${BUILD:-build/plain}/oracle/lines
ours=$PWD/${BIN:-bin}/fg-svg
tmp=$(mktemp -d) || exit 2
trap 'chmod -R u+w "$tmp" 2>/dev/null; rm -rf "$tmp"' EXIT
trap 'exit 2' HUP INT TERM
. tests/oracle/programs/build.sh

# A line for each address: what a tool prints below it, in tabs, without discriminators and columns.
join_lines() {
	awk '/^0x[0-9a-f]*$/ { if (line) print line; sub(/^0x0*/, ""); line = $0; next }
	NF { sub(/ \(discriminator [0-9]*\)$/, ""); sub(/^\?\?:.*/, "?:0"); sub(/:\?$/, ":0"); line = line "\t" $0 }
	END { if (line) print line }'
}

# judge NAME TOOL WHOLE: compares $tmp/NAME.ours with $tmp/NAME.TOOL; WHOLE: all of the chain, not its first alone.
judge() {
	case $1-$2 in *-addr2line) file=1 chain=1 ;; clang-split?-llvm) file='' chain=1 ;; *) file='' chain='' ;; esac
	paste -d '\n' "$tmp/$1.ours" "$tmp/$1.$2" | awk -F '\t' -v whole="$3" -v may_file=$file -v may_chain=$chain '
	function plain(s) {
		while (sub(/\/\.\//, "/", s)) { }
		while (sub(/\/[^\/]*[^\/.][^\/]*\/\.\.\//, "/", s)) { }
		return s
	}
	function is_same(a, b) {
		a = plain(a)
		b = plain(b)
		return a == b || (b !~ /^\// && substr(a, length(a) - length(b)) == "/" b)
	}
	function line_of(s) { sub(/.*:/, "", s); return s }
	NR % 2 { n = split($0, ours, "\t"); line = $0; next }
	{
		asked++
		m = whole ? NF : NF > 1 ? 2 : 1
		if (!whole && n > 2) n = 2
		# neither knows a line
		if ((n == 1 || (n == 2 && ours[2] == ":0")) && (m == 1 || $2 ~ /:0$/)) { same++; next }
		if ($1 != ours[1]) { wrong++; print "   addresses differ: " $0 " and " line; exit }
		zero = equal = file = 0
		for (i = 2; i <= n && i <= m; i++) {
			if (is_same(ours[i], $i)) equal++
			else if ($i ~ /:0$/) zero++
			else if (line_of(ours[i]) == line_of($i)) file++
		}
		if (n != m && may_chain) chain++
		else if (n == m && equal == n - 1) same++
		else if (n == m && equal + zero == n - 1) zeroes++
		else if (n == m && may_file && equal + zero + file == n - 1) files++
		else { wrong++; if (shown++ < 4) print "   theirs " $0 " ours " line }
	}
	END {
		print same + 0 " of " asked + 0 " the same, " zeroes + 0 " line 0, " chain + 0 " chain, " files + 0 " file, " \
			wrong + 0 " different"
	}' \
		>"$tmp/$1.$2.text"
	case $(tail -n 1 "$tmp/$1.$2.text") in
	*', 0 different') outcome "$1 $2" pass "$(tail -n 1 "$tmp/$1.$2.text")" ;;
	*) outcome "$1 $2" fail "$(cat "$tmp/$1.$2.text")" ;;
	esac
}

# compare NAME FILE [REFERENCE]: all tools, which read REFERENCE where they cannot read FILE.
compare() {
	reference=${3-$2}
	"$oracle" -r "$2" 4000 | sort -u >"$tmp/$1.places"
	"$oracle" -o "$2" <"$tmp/$1.places" >"$tmp/$1.ours"
	"$oracle" -d "$reference" <"$tmp/$1.places" >"$tmp/$1.libdw" && judge "$1" libdw ''
	sed 's/^/0x/' "$tmp/$1.places" >"$tmp/$1.hex"
	if has addr2line; then
		addr2line -a -i -e "$reference" 2>"$tmp/log" <"$tmp/$1.hex" | join_lines >"$tmp/$1.addr2line"
		judge "$1" addr2line 1
	fi
	if has llvm-symbolizer; then
		llvm-symbolizer --obj="$reference" --inlines --output-style=GNU -a <"$tmp/$1.hex" | sed '/^0x/!{
			/^[^:]*:[0-9?]/!d
		}' | join_lines >"$tmp/$1.llvm"
		judge "$1" llvm 1
	fi
}

for v in 2 3 4 5; do
	small "gcc-dwarf$v" gcc "-gdwarf-$v"
	small "clang-dwarf$v" clang "-gdwarf-$v"
done
small gcc-dwarf64 gcc -gdwarf64
small gcc-lto gcc -flto
for v in 4 5; do
	small "gcc-split$v" gcc -gsplit-dwarf "-gdwarf-$v"
	small "clang-split$v" clang -gsplit-dwarf "-gdwarf-$v"
done
large g++-split g++ -gsplit-dwarf
large clang++-split clang++ -gsplit-dwarf
small clang-gc-lld clang -ffunction-sections -fuse-ld=lld -Wl,--gc-sections
large g++ g++
large g++-zlib g++ -gz=zlib
large g++-lto g++ -flto
large clang++ clang++
program rust rustc rustc -O -C debuginfo=2 "$programs/inlines.rs"
export GOCACHE="$tmp/cache" GOFLAGS=-mod=mod HOME="$tmp"
if has go; then
	go build -o "$tmp/go" "$programs/unwind.go" && compare go "$tmp/go"
fi
if [ -f "$tmp/g++" ] && has dwz; then
	cp "$tmp/g++" "$tmp/dwz-a" && cp "$tmp/gcc-dwarf5" "$tmp/dwz-b" && cp "$tmp/g++-zlib" "$tmp/dwz-c"
	dwz -m "$tmp/dwz-shared" -r "$tmp/dwz-a" "$tmp/dwz-b" 2>"$tmp/dwz.log" && compare dwz "$tmp/dwz-a" "$tmp/g++"
fi
compare fg-svg "$ours"
sum_outcomes
