#!/bin/sh
# SPDX-License-Identifier: ISC
# Records programs and checks the advice of fg-collapse: the step that helps if stacks or names are poor, and
# none otherwise.
#
#	tests/record/advice.sh [name...]		only these programs
#
# BIN is the folder of the programs (bin). Missing tools are skipped.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/record/suite.sh
chmod 755 "$tmp"
as='' # what runs fg-collapse
needs_perf_events

# judge NAME TEXT [ARGUMENTS]...: folds $tmp/data with the arguments. TEXT must occur in the messages, or must
# not if it begins with a !; an empty TEXT means no advice.
judge() {
	name=$1 text=$2
	shift 2
	passed=$((passed + 1))
	if ! $as fg-collapse "$@" "$tmp/data" >"$tmp/folded" 2>"$tmp/said"; then
		echo "$name: cannot be folded"
	elif [ -z "$text" ]; then
		! grep -q 'incomplete stacks\|no name\|no Python\|its names may be\|rebuilt' "$tmp/said" && return
		echo "$name: expected no advice"
	else
		case $text in
		!*) ! grep -q -e "${text#!}" "$tmp/said" && grep -q 'incomplete stacks\|no name' "$tmp/said" && return ;;
		*) grep -q -e "$text" "$tmp/said" && return ;;
		esac
		echo "$name: expected: $text"
	fi
	passed=$((passed - 1)) failed=$((failed + 1))
	head -n 1 "$tmp/folded"
	head -n 3 "$tmp/said"
}

# record_as NAME COMMAND...: records COMMAND into $tmp/data.
record_as() {
	name=$1
	shift
	# node leaves a log in the current folder
	(cd "$tmp" && fg-record -q -F 997 -o "$tmp/data" "$@") >/dev/null 2>"$tmp/said" && return
	echo "$name: cannot be recorded"
	failed=$((failed + 1))
	head -n 3 "$tmp/said"
	return 1
}

# advice NAME TEXT COMMAND...: records and judges.
advice() {
	name=$1 text=$2
	shift 2
	! record_as "$name" "$@" || judge "$name" "$text"
}

# perf_advice NAME TEXT COMMAND...: the same for the perf script text of a recording by perf record.
perf_advice() {
	name=$1 text=$2
	shift 2
	if perf record -q -F 997 -o "$tmp/perf.data" "$@" >/dev/null 2>"$tmp/said" &&
		perf script --header -i "$tmp/perf.data" >"$tmp/data" 2>>"$tmp/said"; then
		judge "$name" "$text"
	else
		skip "$name: perf cannot record here"
	fi
}

# build PROGRAM ARGUMENTS...: compiles it.
build() {
	program=$1
	shift
	"${CC:-cc}" -o "$tmp/$program" "$@"
}

fg-record -q -o "$tmp/data" true 2>/dev/null || {
	echo 'perf events are refused here: no advice is tested'
	echo '0 passed, 0 failed, 1 skipped'
	exit 0
}
cat >"$tmp/work.c" <<'END'
#include <time.h>
static volatile unsigned long sum;
static __attribute__((noinline)) void leaf(unsigned long n) { while (n--) sum += n * sum; sum++; }
static __attribute__((noinline)) void middle(unsigned long n) { leaf(n); sum++; }
static __attribute__((noinline)) void outer(unsigned long n) { middle(n); sum++; }
int main(void) { while (clock() < CLOCKS_PER_SEC / 2) outer(100000); return 0; }
END
cat >"$tmp/elsewhere.sh" <<'END'
hostname elsewhere && exec "$@"
END
cat >"$tmp/parts.c" <<'END'
#include <time.h>
void leaf(unsigned long n);
#ifdef LEAF
static volatile unsigned long sum;
void leaf(unsigned long n) { while (n--) sum += n * sum; sum++; }
#else
static __attribute__((noinline)) int more(void) { leaf(100000); return clock() < CLOCKS_PER_SEC / 2; }
int main(void) { while (more()); return 0; }
#endif
END
cat >"$tmp/deep.c" <<'END'
#include <stdlib.h>
#include <time.h>
static volatile unsigned long sum;
static __attribute__((noinline)) void leaf(unsigned long n) { while (n--) sum += n * sum; sum++; }
static __attribute__((noinline)) void recurse(int depth, int bytes)
{
	volatile char *frame = __builtin_alloca(bytes);
	frame[0] = 1;
	if (depth) recurse(depth - 1, bytes);
	else while (clock() < CLOCKS_PER_SEC / 2) leaf(10000);
	sum += frame[0];
}
int main(int argc, char **argv) { return argc > 2 ? recurse(atoi(argv[1]), atoi(argv[2])), 0 : 1; }
END
cat >"$tmp/again.c" <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	int left = argc > 1 ? atoi(argv[1]) : 0;
	char number[16];
	if (left <= 0) return 0;
	snprintf(number, sizeof number, "%d", left - 1);
	return execl(argv[0], argv[0], number, (char *)0);
}
END
cat >"$tmp/trashed.c" <<'END'
#include <time.h>
static volatile unsigned long sum;
/* Puts numbers that are no addresses where it returns to, and where the frame of its caller is. */
static __attribute__((noinline)) void leaf(unsigned long n)
{
	void *volatile *frame = __builtin_frame_address(0), *base = frame[0], *back = frame[1];
	frame[0] = frame[1] = (void *)0x10;
	while (n--) sum += n * sum;
	frame[0] = base;
	frame[1] = back;
}
int main(void) { while (clock() < CLOCKS_PER_SEC / 2) leaf(100000); return 0; }
END
cat >"$tmp/i386.s" <<'END'
	.globl _start
_start:	xorl %ebp, %ebp
	movl $4, %ebx
1:	call work
	decl %ebx
	jnz 1b
	movl $1, %eax
	int $0x80
	.type work, @function
work:	pushl %ebp
	movl %esp, %ebp
	movl $400000000, %ecx
2:	decl %ecx
	jnz 2b
	popl %ebp
	ret
	.size work, .-work
	.type _start, @function
END
cat >"$tmp/jit.c" <<'END'
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
/* push rbp; mov rbp, rsp; mov ecx, 10000000; dec ecx; jne; pop rbp; ret */
static const unsigned char code[] = { 0x55, 0x48, 0x89, 0xe5, 0xb9, 0x80, 0x96, 0x98, 0, 0xff, 0xc9, 0x75, 0xfc, 0x5d, 0xc3 };
int main(int argc, char **argv)
{
	void *at = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char name[64];
	FILE *map;
	(void)argv;
	memcpy(at, code, sizeof code);
	snprintf(name, sizeof name, "/tmp/perf-%d.map", (int)getpid());
	if (argc > 1 && (map = fopen(name, "w"))) {
		fprintf(map, "%lx %zx made\n", (unsigned long)at, sizeof code);
		fclose(map);
		if ((map = fopen("said.jit", "w"))) fprintf(map, "%s\n", name), fclose(map);
	}
	while (clock() < CLOCKS_PER_SEC / 2) ((void (*)(void))at)();
	return 0;
}
END
cat >"$tmp/work.js" <<'END'
function leaf(n) { let s = 0; for (let i = 0; i < n; i++) s += Math.sin(i) * i % 7; return s }
function outer(n) { return leaf(n) + 1 }
const end = Date.now() + 800; let t = 0; while (Date.now() < end) t += outer(20000);
END
cat >"$tmp/work.py" <<'END'
import time
def leaf(n): return sum(i * i for i in range(n))
def outer(n): return leaf(n)
while time.process_time() < 0.6: outer(3000)
END
cat >"$tmp/Work.java" <<'END'
public class Work {
	static double leaf(int n) { double s = 0; for (int i = 0; i < n; i++) s += Math.sqrt(i) % 7; return s; }
	static double outer(int n) { return leaf(n) + 1; }
	public static void main(String[] a) {
		long end = System.currentTimeMillis() + 2500; double t = 0;
		while (System.currentTimeMillis() < end) t += outer(20000);
		System.out.println(t);
	}
}
END

if can c "${CC:-cc}"; then
	build fp -O2 -fno-omit-frame-pointer "$tmp/work.c"
	build nofp -O2 -fomit-frame-pointer "$tmp/work.c"
	build altstack -O1 tests/record/altstack.c
	build altstack-fp -O1 -fno-omit-frame-pointer tests/record/altstack.c
	advice frame-pointers '' -g fp "$tmp/fp"
	advice no-frame-pointers 'without frame pointers: record with fg-record -g auto' -g fp "$tmp/nofp"
	advice snapshots '' "$tmp/nofp"
	advice no-chains 'recorded without call chains' -g no "$tmp/nofp"
	advice signal-stack 'on the separate stack of a signal handler' "$tmp/altstack"
	advice signal-stack-with-frame-pointers '' -g fp "$tmp/altstack-fp"
fi
if can depth "${CC:-cc}"; then
	build deep -O1 -fomit-frame-pointer "$tmp/deep.c"
	build deep-fp -O1 -fno-omit-frame-pointer "$tmp/deep.c"
	most=$(cat /proc/sys/kernel/perf_event_max_stack 2>/dev/null || echo 127)
	larger='truncated with their snapshot: record more of the stack with fg-record -g dwarf,65528'
	advice small-snapshots "$larger" -g dwarf,4096 "$tmp/deep" 60 400
	advice large-snapshots '' -g dwarf,65528 "$tmp/deep" 60 400
	advice small-snapshots-of-small-stacks '' -g dwarf,4096 "$tmp/deep" 5 40
	advice no-larger-snapshots 'snapshots cannot be larger, only frame pointers' -g dwarf,65528 "$tmp/deep" 60 4000
	judge no-larger-snapshots-are-asked-for '!record more of the stack'
	advice beyond-snapshots-by-frame-pointers '' "$tmp/deep-fp" 60 4000
	advice deeper-than-the-kernel-walks 'raise kernel.perf_event_max_stack' -g fp "$tmp/deep-fp" $((most + 50)) 16
	advice as-deep-as-the-kernel-walks '' -g fp "$tmp/deep-fp" $((most / 2)) 16
	advice deeper-than-the-kernel-walks-by-snapshots '' "$tmp/deep" $((most + 50)) 16
	if can perf perf; then
		perf_advice perf-small-snapshots 'record more of the stack' --call-graph dwarf,4096 "$tmp/deep" 60 400
		perf_advice perf-large-snapshots '' --call-graph dwarf,65528 "$tmp/deep" 60 400
		perf_advice perf-no-larger-snapshots 'unwinding: give fg-collapse' \
			--call-graph dwarf,65528 "$tmp/deep" 60 4000
		perf_advice perf-deeper-than-it-prints 'deeper than perf script prints: give fg-collapse' \
			--call-graph dwarf,65528 "$tmp/deep" $((most + 50)) 16
		perf_advice perf-deeper-than-the-kernel-walks 'raise kernel.perf_event_max_stack' \
			-g "$tmp/deep-fp" $((most + 50)) 16
	fi
fi
# Only root sees the kernel, where exec is.
if [ "$(id -u)" != 0 ]; then
	skip 'exec: only root sees the kernel'
elif can exec "${CC:-cc}" && build again -O1 -static "$tmp/again.c" 2>"$tmp/said"; then
	advice within-exec 'in memory that was being replaced, as within exec' -F 9997 "$tmp/again" 1500
	advice exec-once '' sh -c "exec $tmp/nofp"
fi
if can files "${CC:-cc}"; then
	build gone -O2 -Wl,--build-id "$tmp/work.c"
	cp "$tmp/gone" "$tmp/kept"
	record_as file-that-is-gone "$tmp/gone" && rm "$tmp/gone" &&
		judge file-that-is-gone 'most of it in \[gone\] (.*copy it and use --elf FILE)' &&
		judge file-that-is-gone-given '' --elf "$tmp/kept"
	build gone -O1 -Wl,--build-id "$tmp/work.c"
	judge file-of-another-build 'is another build; give the recorded one with --elf FILE'
	judge file-of-another-build-given '' --elf "$tmp/kept"
	build anonymous -O2 -Wl,--build-id=none "$tmp/work.c"
	record_as file-that-was-rebuilt "$tmp/anonymous" && judge file-that-is-as-it-was '' &&
		touch -d '1 hour' "$tmp/anonymous" &&
		judge file-that-was-rebuilt 'anonymous was rebuilt after the recording'
	build libleaf.so -O2 -shared -fPIC -DLEAF "$tmp/parts.c"
	build caller -O2 -DCALLER "$tmp/parts.c" "$tmp/libleaf.so"
	cp "$tmp/caller" "$tmp/kept"
	record_as file-of-callers-that-is-gone "$tmp/caller" && rm "$tmp/caller" &&
		judge file-of-callers-that-is-gone 'broken in .*caller, whose file cannot be read; give it with --elf FILE' &&
		mv "$tmp/kept" "$tmp/caller" && judge file-of-callers-that-is-back ''
	build stripped -O2 -s "$tmp/work.c"
	advice stripped 'in \[stripped\] (stripped: ' "$tmp/stripped"
	build debug -O2 -g "$tmp/work.c"
	if command -v objcopy >/dev/null; then
		(cd "$tmp" && objcopy --only-keep-debug debug debug.debug && objcopy -g -x --add-gnu-debuglink=debug.debug debug)
		advice stripped-with-its-symbols '' "$tmp/debug"
	else
		skip 'stripped-with-its-symbols: objcopy is not installed'
	fi
fi
if can rules "${CC:-cc}"; then
	build no-rules -O2 -fomit-frame-pointer -fno-asynchronous-unwind-tables "$tmp/work.c"
	advice no-unwind-information 'no-rules: build it with -fasynchronous-unwind-tables' "$tmp/no-rules"
	build trashed -O1 -fno-omit-frame-pointer "$tmp/trashed.c"
	advice nonsense 'broken at an inconsistent frame' -g dwarf "$tmp/trashed"
fi
if can i386 as; then
	if [ "$(uname -m)" = x86_64 ] && as --32 -o "$tmp/i386.o" "$tmp/i386.s" 2>"$tmp/said" &&
		ld -m elf_i386 -o "$tmp/i386" "$tmp/i386.o" 2>"$tmp/said" && "$tmp/i386" 2>"$tmp/said"; then
		advice process-of-32-bits '' -g dwarf "$tmp/i386"
		advice process-of-32-bits-by-frame-pointers '' -g fp "$tmp/i386"
	else
		skip 'process-of-32-bits: such programs are not built or do not run here'
	fi
fi
if can jit "${CC:-cc}" && [ "$(uname -m)" = x86_64 ]; then
	build jit -O1 "$tmp/jit.c"
	advice code-without-a-map 'have its runtime write a perf map' "$tmp/jit"
	record_as code-with-a-map "$tmp/jit" map && judge code-with-a-map '' &&
		map=$(grep -a -o '/tmp/perf-[0-9]*\.map' "$tmp/said.jit") && {
		touch -d '1 hour' "$map"
		judge map-of-after-the-recording "$map was written after the recording: its names may be"
		judge map-of-after-the-recording-trusted '' --perf-maps
		touch -d '1 day ago' "$map"
		judge map-of-before-the-recording "$map was written before its process generated code: its names may be"
		if [ "$(id -u)" = 0 ]; then
			chown 65534 "$map"
			judge map-of-another-user 'its names are in a link or a file of another user; check it and use --perf-maps'
			judge map-of-another-user-trusted '' --perf-maps
		fi
		if [ "$(id -u)" = 0 ] && unshare --uts true 2>"$tmp/said"; then
			as="unshare --uts sh $tmp/elsewhere.sh"
			judge map-of-another-machine 'recorded on another machine; copy its perf maps and jitdumps here'
			judge map-of-another-machine-trusted '' --perf-maps
			as=''
		fi
		rm -f "$map"
	}
fi
if can kernel setpriv && [ "$(id -u)" = 0 ]; then
	record_as kernel -g fp dd if=/dev/zero of=/dev/null bs=16 count=1500000 && {
		chmod 644 "$tmp/data"
		as='setpriv --reuid 65534 --clear-groups'
		judge kernel-that-hides-its-symbols 'the kernel hides its addresses from this user: fold as root'
		as=''
		judge kernel-with-symbols '!the kernel hides'
	}
fi
# shellcheck disable=SC2016 # Perl's dollar
can perl perl && advice perl 'without frame pointers: record with fg-record -g auto' -g fp perl -e 'for (1 .. 5e6) { $x += sin($_) }'
if can node node; then
	advice node 'generated by V8: start node with --perf-basic-prof' node "$tmp/work.js"
	advice node-with-a-map '' node --perf-basic-prof "$tmp/work.js"
fi
if can java java && java --version >/dev/null 2>&1; then
	advice java '-XX:+PreserveFramePointer' java -XX:TieredStopAtLevel=1 "$tmp/Work.java"
	advice java-with-a-map '' java -XX:+PreserveFramePointer -XX:+UnlockDiagnosticVMOptions \
		-XX:+DumpPerfMapAtExit "$tmp/Work.java"
fi
for python in python3 python3.12 python3.13 python3.14; do
	[ "$python" = python3 ] || command -v "$python" >/dev/null || continue
	can "$python" "$python" || continue
	if "$python" -c 'import sys; sys.exit(sys.version_info < (3, 12))' 2>/dev/null; then
		advice "$python" 'the stacks have no Python functions: start python with -X perf' "$python" "$tmp/work.py"
		# A stripped interpreter has no names for its own functions.
		said=''
		readelf -SW "$(command -v "$python")" 2>/dev/null | grep -q ' \.symtab ' || said='!no Python functions'
		advice "$python-X-perf" "$said" "$python" -X perf "$tmp/work.py"
	elif [ "$(id -u)" != 0 ]; then
		skip "$python: a user sees too little but its own code, some of which has no names"
	elif "$python" -c '' 2>/dev/null; then
		advice "$python" 'which Python 3.12 is the first to name' "$python" "$tmp/work.py"
	fi
done
sum_up
