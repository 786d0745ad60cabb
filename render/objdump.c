/* SPDX-License-Identifier: ISC */
/*
 * Runs objdump and parses its output; see objdump.h. With -d and -l it prints
 *
 *	0000000000400144 <leaf>:
 *	leaf():
 *	/opt/demo/spin.c:34 (discriminator 3)
 *	  400144:	sub    $0x10,%rsp
 *
 * LLVM's prints "; " before the places.
 */
#include "objdump.h"
#include "mem.h"
#include "msg.h"

#include <errno.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* No function is this large. */
enum { TEXT_MOST = 64 << 20 };

enum { EM_ANY = 0, EM_ARM = 40, EM_AARCH64 = 183, EM_RISCV = 243 };

/* Disassemblers for each machine, the best first, and the package of the first. GNU objdump
 * usually supports only the native machine. */
static const struct known {
	unsigned machine;
	const char *programs[5], *package;
} known[] = {
	{ EM_ARM,
		{ "arm-none-eabi-objdump", "arm-linux-gnueabihf-objdump", "llvm-objdump",
			"objdump" },
		"binutils-arm-none-eabi" },
	{ EM_AARCH64, { "aarch64-linux-gnu-objdump", "llvm-objdump", "objdump" },
		"binutils-aarch64-linux-gnu" },
	{ EM_RISCV,
		{ "riscv64-unknown-elf-objdump", "riscv64-linux-gnu-objdump",
			"llvm-objdump", "objdump" },
		"binutils-riscv64-unknown-elf" },
	{ EM_ANY, { "objdump", "llvm-objdump" }, "binutils" },
};

static const struct known *
find_known(unsigned machine)
{
	const struct known *k = known;

	while (k->machine != machine && k->machine != EM_ANY)
		k++;
	return k;
}

void
objdump_release(struct objdump *o)
{
	buf_release(&o->text);
	free(o->rows);
}

/* Whether LINE is an instruction, stored in *ROW. */
static bool
is_instruction(struct str line, struct objdump_row *row)
{
	struct str rest = str_trim(line), address;

	if (!line.n || !str_is_blank(line.s[0]))
		return false;
	address = str_cut(&rest, ':');
	row->text = str_trim(rest);
	return rest.n && str_hex_to_u64(address, &row->address);
}

/* Whether LINE is a place, stored in *ROW. */
static bool
is_place(struct str line, struct objdump_row *row)
{
	struct str llvm = STR("; "), mark = STR(" (discriminator ");
	size_t colon;
	uint64_t number;

	if (str_starts(line, llvm))
		line = str_from(line, llvm.n);
	line = str_head(line, str_search(line, mark));
	colon = str_rfind(line, ':');
	if (!colon || !str_to_u64(str_from(line, colon + 1), &number))
		return false;
	row->file = str_head(line, colon);
	row->line = number;
	return true;
}

void
objdump_parse(struct objdump *o)
{
	struct objdump_row row = { .line = 0 };
	struct str text = buf_view(&o->text), line;

	o->n = 0;
	while (text.n) {
		line = str_cut(&text, '\n');
		if (!is_instruction(line, &row)) {
			(void)is_place(line, &row);
			continue;
		}
		if (o->n && row.address <= o->rows[o->n - 1].address)
			continue;
		o->rows = mem_grow(o->rows, &o->cap, o->n + 1, sizeof *o->rows);
		o->rows[o->n++] = row;
	}
}

/* Reads FD to its end. Returns false on an error or too much text. */
static bool
read_all(struct buf *b, int fd)
{
	char piece[65536];
	ssize_t n;

	do {
		n = read(fd, piece, sizeof piece);
		if (n > 0)
			buf_str(b, (struct str){ piece, (size_t)n });
	} while ((n > 0 && b->n <= TEXT_MOST) || (n < 0 && errno == EINTR));
	return n == 0;
}

/* Starts ARGV with its output to the pipe ENDS. Returns an errno value. */
static int
start(char **argv, const int *ends, pid_t *pid)
{
	/* The parser needs untranslated output. */
	char locale[] = "LC_ALL=C";
	extern char **environ;
	posix_spawn_file_actions_t actions;
	char **env;
	size_t n = 0, i, kept = 0;
	int error;

	while (environ[n])
		n++;
	env = mem_zero(n + 2, sizeof *env);
	env[kept++] = locale;
	/* Keeps objdump from querying debuginfod servers by itself. */
	for (i = 0; i < n; i++)
		if (!str_starts(str_of(environ[i]), STR("DEBUGINFOD_URLS=")))
			env[kept++] = environ[i];
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
	posix_spawn_file_actions_addclose(&actions, ends[0]);
	error = posix_spawnp(pid, argv[0], &actions, NULL, argv, env);
	posix_spawn_file_actions_destroy(&actions);
	free(env);
	return error;
}

enum outcome { DONE, MISSING, FAILED };

/* Runs ARGV and reads its output. Prints a message on failure. */
static enum outcome
run(struct objdump *o, char **argv)
{
	int ends[2], error, status = 0;
	bool whole;
	pid_t pid;

	if (pipe(ends) < 0) {
		msg_error("cannot make a pipe: %s", strerror(errno));
		return FAILED;
	}
	error = start(argv, ends, &pid);
	close(ends[1]);
	if (error) {
		close(ends[0]);
		if (error == ENOENT)
			return MISSING;
		msg_error("%s: cannot be run: %s", argv[0], strerror(error));
		return FAILED;
	}
	whole = read_all(&o->text, ends[0]);
	close(ends[0]);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (whole && status == 0)
		return DONE;
	msg_error("%s: %s", argv[0], whole ? "failed" : "printed too much");
	return FAILED;
}

/* Runs the first installed program of K with ARGV. Returns false, after a message, when none is
 * installed or it fails. */
static bool
run_first(struct objdump *o, const struct known *k, char **argv)
{
	enum outcome outcome = MISSING;
	struct buf program = { 0 };
	size_t i;

	for (i = 0; k->programs[i] && outcome == MISSING; i++) {
		buf_clear(&program);
		buf_str(&program, str_of(k->programs[i]));
		buf_char(&program, 0);
		argv[0] = program.s;
		outcome = run(o, argv);
	}
	if (outcome == MISSING || (outcome == FAILED && i > 1))
		msg_error("%s: is not installed: install %s, or give another one with "
			  "--objdump",
			k->programs[0], k->package);
	buf_release(&program);
	return outcome == DONE;
}

bool
objdump_run(struct objdump *o, struct objdump_tool tool, const char *path, uint64_t start,
	uint64_t end)
{
	char disassemble[] = "-d", lines[] = "-l", demangle[] = "-C",
	     bare[] = "--no-show-raw-insn";
	const struct known given = { EM_ANY, { tool.program }, "binutils" };
	const struct known *k = tool.program ? &given : find_known(tool.machine);
	struct buf file = { 0 }, from = { 0 }, to = { 0 };
	char *argv[] = { NULL, disassemble, lines, demangle, bare, NULL, NULL, NULL,
		NULL };
	bool done;

	*o = (struct objdump){ .n = 0 };
	/* Not an option, nor a file of options (@FILE), which "--" does not prevent. */
	if (path[0] != '/')
		buf_str(&file, STR("./"));
	buf_str(&file, str_of(path));
	buf_fmt(&from, "--start-address=0x%" PRIx64, start);
	buf_fmt(&to, "--stop-address=0x%" PRIx64, end);
	buf_char(&file, 0);
	buf_char(&from, 0);
	buf_char(&to, 0);
	argv[5] = from.s;
	argv[6] = to.s;
	argv[7] = file.s;
	done = run_first(o, k, argv);
	if (done)
		objdump_parse(o);
	buf_release(&file);
	buf_release(&from);
	buf_release(&to);
	return done;
}
