#!/bin/sh
# SPDX-License-Identifier: ISC
# fg-run as the runner of real tools: each runs programs or tests through it, in parallel if possible, and must
# get their output and status; each run leaves its own picture.
#
#	tests/record/runners.sh [name...]	only these tools: cargo cargo-fg go ctest meson pytest
#
# BIN is the folder of the programs (bin).
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/record/suite.sh
export TMPDIR="$tmp"
pictures=$tmp/pictures

# Prints failures of tool $1, whose status should have been $2 and was $3: the files $4, which must be $5 or
# more, are pictures that show the function $6; its output, in the file said, has the line $7.
judge() {
	[ "$3" = "$2" ] || echo "the status is $2, not $3"
	found=$(find "$pictures" -name "$4" | wc -l)
	[ "$found" -ge "$5" ] || echo "there are $5 pictures $4 at least, not $found"
	find "$pictures" -name "$4" -exec fg-collapse -q {} + 2>/dev/null | grep -q -e "$6" || echo "no picture shows $6"
	grep -q -e "$7" "$tmp/said" || echo "'$7' is not in the output"
}

check() {
	judge "$@" >"$tmp/wrong"
	if [ -s "$tmp/wrong" ]; then
		failed=$((failed + 1))
		echo "FAIL $1"
		sed 's/^/	/' "$tmp/wrong"
		tail -n 20 "$tmp/said"
	else
		passed=$((passed + 1))
	fi
	rm -rf "$pictures"
}

# A new folder for tool $1 and its pictures.
begin() {
	rm -rf "${tmp:?}/$1"
	mkdir -p "$pictures" "$tmp/$1"
	cd "$tmp/$1" || exit 2
}

make_crate() {
	mkdir src tests
	printf '[package]\nname = "demo"\nversion = "0.1.0"\nedition = "2018"\n' >Cargo.toml
	cat >src/main.rs <<-'END'
		fn count_up(n: u64) -> u64 { (0..n).fold(0, |a, b| std::hint::black_box(a | b)) }
		fn main() {
		    let words: Vec<String> = std::env::args().skip(1).collect();
		    println!("{} {}", count_up(300_000_000) > 0, words.join("|"));
		    std::process::exit(3)
		}
		#[test]
		fn it_counts() { assert!(count_up(20_000_000) > 0) }
	END
	printf '#[test]\nfn it_is_slow() { assert!((0..20_000_000u64).fold(0, |a, b| std::hint::black_box(a | b)) > 0) }\n' >tests/slow.rs
}

test_cargo() {
	begin cargo
	make_crate
	# A triple may contain - and, in a processor's version, a dot.
	host=$(rustc -vV | sed -n 's/^host: //p' | tr 'a-z.-' 'A-Z__')
	export "CARGO_TARGET_${host}_RUNNER=fg-run -q -o $pictures/%n-%p.svg"
	cargo run --offline -q --release -- x 'y z' >"$tmp/said" 2>&1
	check 'cargo run' 3 $? 'demo-*.svg' 1 main '^true x|y z$'
	mkdir -p "$pictures"
	cargo test --offline -q >"$tmp/said" 2>&1
	check 'cargo test' 0 $? '*-*-*.svg' 2 it_is_slow '^test result: ok. 1 passed'
	unset "CARGO_TARGET_${host}_RUNNER"
}

test_cargo_fg() {
	begin cargo-fg
	make_crate
	cargo fg -q -o "$pictures/%n.svg" -- x 'y z' >"$tmp/said" 2>&1
	check 'cargo fg' 3 $? demo.svg 1 'count_up' '^true x|y z$'
	mkdir -p "$pictures"
	cargo fg --test slow -q -o "$pictures/%n.svg" >"$tmp/said" 2>&1
	check 'cargo fg --test' 0 $? 'slow-*.svg' 1 it_is_slow 'test result: ok. 1 passed'
}

# Two packages, whose tests run in parallel, and one that fails.
test_go() {
	begin go
	printf 'module demo\n\ngo 1.19\n' >go.mod
	for p in one two; do
		mkdir $p
		cat >$p/it_test.go <<-END
			package $p

			import "testing"

			var sum int

			func countUp$p(n int) {
				for i := 0; i < n; i++ {
					sum ^= i
				}
			}

			func TestIt(t *testing.T) {
				countUp$p(100000000)
				if "$p" == "two" {
					t.Error("it is two")
				}
			}
		END
	done
	export GOCACHE="$tmp/go/cache" GOFLAGS=-mod=mod HOME="$tmp/go"
	go test -exec "fg-run -q -o $pictures/%n-%p.svg" ./... >"$tmp/said" 2>&1
	check 'go test -exec' 1 $? '*.test-*.svg' 2 countUpone 'it_test.go:16: it is two'
}

make_c_tests() {
	cat >it.c <<-'END'
		#include <stdlib.h>
		static volatile long sum;
		static void count_up(long n) { for (long i = 0; i < n; i++) sum += i; }
		int main(int n, char **words) { count_up(50000000); return n > 1 ? atoi(words[1]) : 0; }
	END
}

test_ctest() {
	begin ctest
	make_c_tests
	cat >CMakeLists.txt <<-'END'
		cmake_minimum_required(VERSION 3.18)
		project(demo C)
		enable_testing()
		add_executable(it it.c)
		add_test(NAME good COMMAND it)
		add_test(NAME bad COMMAND it 5)
	END
	cmake -S . -B build -DCMAKE_CROSSCOMPILING_EMULATOR="fg-run;-q;-o;$pictures/%n-%p.svg" >"$tmp/said" 2>&1 &&
		cmake --build build >>"$tmp/said" 2>&1
	(cd build && ctest -j2) >>"$tmp/said" 2>&1
	check ctest 8 $? 'it-*.svg' 2 count_up '2 - bad (Failed)'
}

test_meson() {
	begin meson
	make_c_tests
	cat >meson.build <<-'END'
		project('demo', 'c')
		it = executable('it', 'it.c')
		test('good', it)
		test('bad', it, args: ['5'])
	END
	meson setup build >"$tmp/said" 2>&1
	meson test -C build --wrapper "fg-run -q -o $pictures/%n-%p.svg" >>"$tmp/said" 2>&1
	check 'meson test --wrapper' 1 $? 'it-*.svg' 2 count_up 'exit status 5'
}

# Python from the system, which has these modules; one picture of all tests.
test_pytest() {
	/usr/bin/python3 -c 'import pytest' 2>/dev/null || { skip 'pytest: its module is not installed' && return; }
	begin pytest
	printf 'def test_good():\n    assert sum(range(5000000)) > 0\n\ndef test_bad():\n    assert False\n' >test_it.py
	fg-run -q -o "$pictures/%n.svg" /usr/bin/python3 -m pytest -q -p no:cacheprovider >"$tmp/said" 2>&1
	check pytest 1 $? python3.svg 1 python3 '1 failed, 1 passed'
}

# FG_OUTPUT names the pictures where no options can be added.
test_environment() {
	begin environment
	FG_OUTPUT=$pictures/%n-%p.svg xargs -P 2 -n 1 fg-run -q sh -c "$busy" >"$tmp/said" 2>&1 <<-END
		one two three
		four
	END
	check FG_OUTPUT 0 $? 'sh-*.svg' 4 sh '^end of three'
}

# shellcheck disable=SC2016 # for the shell that runs it
busy='i=0; while [ $i -lt 60000 ]; do i=$((i + 1)); done; echo end of $0'
if fg-record -q -o "$tmp/probe" -- true >/dev/null 2>&1; then
	can cargo cargo && test_cargo
	can cargo-fg cargo && test_cargo_fg
	can go go && test_go
	can ctest ctest && test_ctest
	can meson meson && test_meson
	can pytest python3 && test_pytest
	can environment xargs && test_environment
else
	skip 'all runners: nothing can be recorded here'
fi
sum_up
