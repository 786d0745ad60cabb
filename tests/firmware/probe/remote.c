/* SPDX-License-Identifier: ISC */
/*
 * See remote.h. A packet is $TEXT#SS with the sum of TEXT's bytes in SS, answered
 * by '+'; numbers are hexadecimal, values the bytes of the machine's memory.
 */
#include "remote.h"

#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "msg.h"

/* Long enough for a machine that has much else to do. */
enum { PATIENCE_MS = 20000 };

static void
emit(struct remote *r, const char *bytes, size_t n)
{
	ssize_t done;

	for (; n > 0; bytes += done, n -= (size_t)done)
		if ((done = write(r->fd, bytes, n)) <= 0)
			msg_die("the emulator does not listen");
}

static int
take_byte(struct remote *r)
{
	struct pollfd p = { .fd = r->fd, .events = POLLIN };
	ssize_t n;

	if (r->begin == r->end) {
		if (poll(&p, 1, PATIENCE_MS) <= 0)
			msg_die("the emulator is silent");
		if ((n = read(r->fd, r->input, sizeof r->input)) <= 0)
			msg_die("the emulator has ended");
		r->begin = 0;
		r->end = (size_t)n;
	}
	return (unsigned char)r->input[r->begin++];
}

/* Reads a packet into reply. */
static void
take_packet(struct remote *r)
{
	size_t n = 0;
	int c;

	while (take_byte(r) != '$')
		continue;
	while ((c = take_byte(r)) != '#') {
		if (n + 1 == sizeof r->reply)
			msg_die("the emulator says too much");
		r->reply[n++] = (char)c;
	}
	r->reply[n] = '\0';
	take_byte(r);
	take_byte(r);
	emit(r, "+", 1);
}

static void
emit_packet(struct remote *r, const char *text)
{
	char packet[64];
	unsigned char sum = 0;
	size_t i;
	int n;

	for (i = 0; text[i]; i++)
		sum = (unsigned char)(sum + (unsigned char)text[i]);
	n = snprintf(packet, sizeof packet, "$%s#%02x", text, sum);
	emit(r, packet, (size_t)n);
}

static const char *
ask(struct remote *r, const char *text)
{
	emit_packet(r, text);
	take_packet(r);
	return r->reply;
}

/* Becomes the emulator ARGV, which talks to FD. */
static void
become(char **argv, int fd)
{
#ifdef __linux__
	/* However the probe ends, no emulator stays. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
	dup2(fd, STDIN_FILENO);
	dup2(fd, STDOUT_FILENO);
	close(fd);
	execvp(argv[0], argv);
	msg_die("cannot start %s:", argv[0]);
}

void
remote_start(struct remote *r, char **argv)
{
	int ends[2];

	*r = (struct remote){ 0 };
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0 || (r->pid = fork()) < 0)
		msg_die("cannot start %s:", argv[0]);
	if (r->pid == 0) {
		close(ends[0]);
		become(argv, ends[1]);
	}
	close(ends[1]);
	r->fd = ends[0];
	ask(r, "?");
}

void
remote_end(struct remote *r)
{
	kill(r->pid, SIGKILL);
	waitpid(r->pid, NULL, 0);
	close(r->fd);
}

void
remote_go(struct remote *r)
{
	emit_packet(r, "c");
}

void
remote_halt(struct remote *r)
{
	emit(r, "\003", 1);
	take_packet(r);
	if (r->reply[0] != 'T' && r->reply[0] != 'S')
		msg_die("the emulator does not halt: %s", r->reply);
}

void
remote_core(struct remote *r, unsigned core)
{
	char text[32];

	snprintf(text, sizeof text, "Hg%x", core + 1);
	if (strcmp(ask(r, text), "OK") != 0)
		msg_die("the emulator has no core %u", core);
}

static int
digit(char c)
{
	static const char digits[] = "0123456789abcdef";
	const char *at = c ? strchr(digits, c) : NULL;

	return at ? (int)(at - digits) : -1;
}

/* The bytes that the reply spells. */
static size_t
decode(const struct remote *r, unsigned char *bytes, size_t cap)
{
	const char *text = r->reply;
	size_t n;

	for (n = 0; n < cap && digit(text[2 * n]) >= 0 && digit(text[2 * n + 1]) >= 0;
		n++)
		bytes[n] =
			(unsigned char)(digit(text[2 * n]) * 16 + digit(text[2 * n + 1]));
	return n;
}

size_t
remote_registers(struct remote *r, unsigned char *bytes, size_t cap)
{
	ask(r, "g");
	return decode(r, bytes, cap);
}

bool
remote_memory(struct remote *r, uint64_t address, size_t size, uint64_t *value)
{
	unsigned char bytes[8];
	char text[48];
	size_t n;

	snprintf(text, sizeof text, "m%" PRIx64 ",%zx", address, size);
	ask(r, text);
	*value = 0;
	n = r->reply[0] == 'E' ? 0 : decode(r, bytes, size);
	for (size_t i = n; i > 0; i--)
		*value = *value << 8 | bytes[i - 1];
	return n > 0;
}
