#!/bin/sh
# SPDX-License-Identifier: ISC
# Tests --debuginfod of fg-collapse, fg-annotate and fg-svg: the requests to the server, and the use of its
# answers.
#
#	tests/collapse/debuginfod.sh
#
# BIN is the folder of the programs (bin). debuginfod-server beside this file is the server. The programs of two
# recordings from the cases exist on no machine: one with snapshots needs its program, debug information and
# source; the other only needs its program's symbol table.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/record/suite.sh
top=$(pwd)
recording=$top/tests/render/annotate/recording
plain=$top/tests/collapse/examples/recording-of-another-machine
id=424e27773e6e2d7317458b154b2939777f156a1d
plain_id=87f9ea198577d670b6bae28159779c66d5a4affa
served=$tmp/server/buildid/$id
log=$tmp/server/log
cd "$tmp" || exit 2
unset DEBUGINFOD_URLS DEBUGINFOD_PROGRESS DEBUGINFOD_VERBOSE XDG_CACHE_HOME
mkdir home server
export HOME="$tmp/home" DEBUGINFOD_CACHE_PATH="$tmp/cache"

# Prints missing requirements of the tests.
needs() {
	for tool in python3 strip; do
		command -v $tool >/dev/null || { echo "$tool is not installed" && return; }
	done
	DEBUGINFOD_URLS=http://127.0.0.1:1 fg-collapse --debuginfod "$plain/input.data" 2>&1 >/dev/null |
		grep -q 'install libdebuginfod' && echo 'libdebuginfod is not installed'
}

# Starts the server, with the files of both programs. Sets url.
serve() {
	mkdir -p "$served/source/opt/demo" "server/buildid/$plain_id"
	"$top/tests/elf-text" -d "$recording/input.elf.oct" >spin
	"$top/tests/elf-text" -d "$plain/input.elf.oct" >inner
	strip -o "$served/executable" spin && cp spin "$served/debuginfo" && cp inner "server/buildid/$plain_id/executable"
	sed 's/$/ \/\/ served/' "$top/tests/collapse/perf-data/recordings/spin.c" >"$served/source/opt/demo/spin.c"
	"$top/tests/collapse/debuginfod-server" server 2>server.log &
	server=$!
	trap 'kill $server; rm -rf "$tmp"' EXIT
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		[ -s server/port ] && break
		sleep 1
	done
	url=http://127.0.0.1:$(cat server/port) || exit 2
}

# Begins test $1, with an empty cache, and the server in the environment.
begin() {
	name=$1
	chmod -R u+w cache 2>/dev/null
	rm -rf cache
	: >"$log"
	: >wrong
	export DEBUGINFOD_URLS="$url"
}

# Counts the test.
end() {
	if [ -s wrong ]; then
		failed=$((failed + 1))
		echo "FAIL $name"
		sed 's/^/	/' wrong
	else
		passed=$((passed + 1))
	fi
}

# Runs the words, with output to the files out and said.
run() {
	"$@" >out 2>said || echo "status $? of $*" >>wrong
}

# Fails the test unless the server got exactly these requests.
asked() {
	sed 's,^/buildid/,,' "$log" >asked
	[ $# = 0 ] || printf '%s\n' "$@" | cmp -s - asked || diff asked /dev/null >>wrong
	[ $# != 0 ] || cat asked >>wrong
	: >"$log"
}

# Fails the test unless $3 (default 1) lines of file $1 match $2.
has() {
	[ "$(grep -c -e "$2" "$1")" = "${3:-1}" ] || { echo "$1 has ${3:-1} of '$2':" && cat "$1"; } >>wrong
}

fold() {
	run fg-collapse --srcline --full-names "$@" "$recording/input.data"
}

test_collapse() {
	begin 'without the option nothing is asked'
	fold
	asked
	run fg-collapse "$plain/input.data"
	asked
	end

	begin 'a program and its debug information are those of --elf'
	fold --elf spin
	mv out given
	fold --debuginfod
	cmp out given >>wrong
	has said 'fetched 2 files (.* kB) with debuginfod$'
	asked $id/executable $id/debuginfo
	end

	name='what was fetched is in the cache'
	: >wrong
	fold --debuginfod
	cmp out given >>wrong
	cat said >>wrong
	asked
	DEBUGINFOD_URLS='' fold
	cmp out given >>wrong
	end

	begin 'a program with symbols needs no debug information'
	run fg-collapse --debuginfod "$plain/input.data"
	has out ';inner;leaf '
	asked $plain_id/executable
	end

	begin 'a program without symbols needs it for names'
	cp "server/buildid/$plain_id/executable" "server/buildid/$plain_id/debuginfo"
	strip -o inner.stripped inner
	run fg-collapse --debuginfod --elf inner.stripped "$plain/input.data"
	has out ';inner;leaf '
	asked $plain_id/debuginfo
	rm "server/buildid/$plain_id/debuginfo"
	end

	begin 'a file that is here is not asked for'
	fold --debuginfod --elf spin
	asked
	end

	begin 'text of perf script has no use for it'
	run fg-collapse --debuginfod "$top/tests/pipe/tour-of-the-readme/input.txt"
	has said '--debuginfod has no effect'
	end
}

test_answers() {
	begin 'a file that the server does not have is no trouble'
	mv "$served" kept
	fold --debuginfod
	has said '--debuginfod: ' 0
	has said 'the file is not here'
	asked $id/executable
	mv kept "$served"
	end

	begin 'a file with another build id is refused'
	cp inner "$served/executable"
	fold --debuginfod
	has said "skipping the file received for build id $id: its build id differs"
	has out leaf 0
	end

	begin 'a file that is not a program is refused'
	echo '<html>' >"$served/executable"
	fold --debuginfod
	has said "skipping the file received for build id $id: is not an ELF file"
	strip -o "$served/executable" spin
	end

	begin 'a server that does not answer is asked once'
	export DEBUGINFOD_URLS=http://127.0.0.1:1
	run fg-collapse --debuginfod "$recording/input.data" "$plain/input.data"
	has said 'the servers of DEBUGINFOD_URLS: Connection refused; nothing more is fetched'
	run fg-collapse --debuginfod -q "$recording/input.data"
	cat said >>wrong
	end

	begin 'without DEBUGINFOD_URLS a warning says so'
	unset DEBUGINFOD_URLS
	run fg-collapse --debuginfod "$recording/input.data" "$plain/input.data"
	has said 'DEBUGINFOD_URLS is not set; set it to a server'
	export DEBUGINFOD_URLS=' '
	run fg-collapse --debuginfod "$plain/input.data"
	has said 'DEBUGINFOD_URLS is not set; set it to a server'
	end

	begin 'without the library a warning says what to install'
	mkdir -p broken && echo none >broken/libdebuginfod.so.1
	export LD_LIBRARY_PATH="$tmp/broken"
	run fg-collapse --debuginfod "$recording/input.data" "$plain/input.data"
	has said 'install libdebuginfod (Debian: libdebuginfod1)'
	run fg-collapse --debuginfod --elf inner "$plain/input.data"
	cat said >>wrong
	unset LD_LIBRARY_PATH
	asked
	end
}

# Makes stacks with places, lines.folded, and with instructions, code.folded.
make_stacks() {
	fg-collapse -q --srcline --full-names --elf spin "$recording/input.data" >lines.folded
	fg-collapse -q --srcline --full-names --asm --elf spin "$recording/input.data" >code.folded
}

test_annotate() {
	begin 'sources are not fetched without the option'
	run fg-annotate leaf lines.folded
	has out 'source not found'
	run fg-svg --source . lines.folded
	asked
	end

	begin 'a source is fetched by the build id in the header'
	sed '1s/$/ start=2026-01-01T00:00:00Z/' lines.folded >dated.folded
	run fg-annotate --debuginfod leaf dated.folded
	has out ' 43  *if .* // served'
	has said 'fetched 1 file (.* kB) with debuginfod$'
	has said 'was changed after the recording' 0
	asked $id/source/opt/demo/spin.c
	end

	begin 'each program of the header may have it'
	sed "2p;2s/$id/ffff/;2s/spin-nofp@/another@/" lines.folded >two.folded
	run fg-annotate --debuginfod leaf two.folded
	has out ' 43  *if .* // served'
	asked ffff/source/opt/demo/spin.c $id/source/opt/demo/spin.c
	end

	begin 'a source that is here is not asked for'
	mkdir -p moved && sed 's/$/ \/\/ here/' "$served/source/opt/demo/spin.c" >moved/spin.c
	run fg-annotate --debuginfod --map /opt/demo=moved leaf lines.folded
	has out ' 43  *if .* // here'
	run fg-annotate --debuginfod --source moved leaf lines.folded
	has out ' 43  *if .* // here'
	asked
	end

	begin 'without a build id a warning says so'
	sed 2d lines.folded >bare.folded
	run fg-annotate --debuginfod leaf bare.folded
	has said 'no build id in the input'
	asked
	end

	begin 'files that are not sources are not asked for'
	sed 's/spin\.c/spin.key/g' lines.folded >keys.folded
	run fg-annotate --debuginfod leaf keys.folded
	asked
	end
}

test_others() {
	begin 'instructions are those of a fetched program, with its symbols'
	if command -v objdump >/dev/null; then
		run fg-annotate --asm --debuginfod leaf code.folded
		has out '40018d  sub  *.0x1,%rcx'
		has out "^$tmp/cache/$id/executable\$"
		has said 'fetched 2 files'
		asked $id/executable $id/debuginfo
		run fg-annotate --asm --debuginfod leaf code.folded
		has said 'fetched' 0
		asked
		end
	else
		skip "$name: objdump is not installed"
	fi

	begin 'objdump asks no server, either'
	# shellcheck disable=SC2016 # for the script
	printf '#!/bin/sh\necho ${DEBUGINFOD_URLS-none} >%s/urls\n' "$tmp" >objdump && chmod +x objdump
	run fg-annotate --asm --elf spin --objdump ./objdump leaf code.folded
	has urls '^none$'
	asked
	end

	begin 'lines on the cards of a picture are fetched'
	run fg-svg --debuginfod lines.folded
	has out 'if .* // served'
	asked $id/source/opt/demo/spin.c
	end
}

missing=$(needs)
if [ "$missing" ]; then
	echo "$missing: debuginfod is not tested"
	skipped=1
else
	serve
	test_collapse
	test_answers
	make_stacks
	test_annotate
	test_others
fi
sum_up
