#!/bin/sh
# SPDX-License-Identifier: ISC
# What stripped Go programs say of themselves: the depth of the stack and the functions against .debug_frame and the
# symbols of the same program with debug information, as libdw reads them; functions and lines against go tool addr2line.
set -u
cd "$(dirname "$0")/../.." || exit 2
oracle=$PWD/${BUILD:-build/plain}/oracle/go
tmp=$(mktemp -d) || exit 2
trap 'chmod -R u+w "$tmp" 2>/dev/null; rm -rf "$tmp"' EXIT
trap 'exit 2' HUP INT TERM
export GOCACHE="$tmp/cache" GOFLAGS=-mod=mod HOME="$tmp"
passed=0 failed=0 skipped=0

# build NAME FLAGS...: $tmp/NAME-twin and $tmp/NAME-stripped.
build() {
	name=$1
	shift
	go build "$@" -o "$tmp/$name-twin" tests/oracle/programs/unwind.go >"$tmp/log" 2>&1 &&
		go build "$@" -ldflags='-s -w' -o "$tmp/$name-stripped" tests/oracle/programs/unwind.go >"$tmp/log" 2>&1 &&
		return
	echo "$name: cannot be built: $(head -n 1 "$tmp/log")"
	skipped=$((skipped + 1))
	return 1
}

outcome() {
	if [ "$1" = 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
}

# compare NAME: depths and functions at random places; then functions and lines where each function has code.
compare() {
	"$oracle" "$tmp/$1-stripped" "$tmp/$1-twin" >"$tmp/out"
	outcome $?
	sed "s/^/$1: /" "$tmp/out"
	# It reads no program that can be moved.
	[ "$1" = exec ] || return
	go tool nm -size "$tmp/$1-twin" | awk '$3 == "T" || $3 == "t" { if ($2 > 8) print $1, $2 }' |
		head -n 3000 | while read -r start size; do
		for k in 0 5 9 14; do
			printf '%x\n' $((0x$start + size * k / 16))
		done
	done | sort -u >"$tmp/places"
	"$oracle" -p "$tmp/$1-stripped" <"$tmp/places" >"$tmp/ours"
	go tool addr2line "$tmp/$1-twin" <"$tmp/places" >"$tmp/theirs" 2>/dev/null
	cmp -s "$tmp/ours" "$tmp/theirs"
	outcome $?
	echo "$1: $(wc -l <"$tmp/ours") functions and lines, $(diff "$tmp/ours" "$tmp/theirs" | grep -c '^<') different"
	diff "$tmp/ours" "$tmp/theirs" | head -n 6
}

if ! command -v go >/dev/null; then
	echo 'go is not installed'
	echo '0 passed, 0 failed, 1 skipped'
	exit 0
fi
build exec && compare exec
build pie -buildmode=pie && compare pie
echo "$passed passed, $failed failed, $skipped skipped"
