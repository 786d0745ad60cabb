/* SPDX-License-Identifier: ISC */
/* Frames as printed by Java. */
#include "java-frame.h"

bool
java_frame_parse(struct str text, struct java_frame *f)
{
	size_t open = str_find(text, '('), close;

	*f = (struct java_frame){ .compiled = false };
	f->method = str_head(text, open);
	f->place = str_from(text, open + 1);
	close = str_find(f->place, ')');
	if (!open || close == f->place.n || str_is_blank(text.s[open - 1]))
		return false;
	f->place.n = close;
	close = str_find(f->place, '(');
	f->compiled = str_starts(str_from(f->place, close), STR("(Compiled"));
	f->place.n = close;
	f->place = str_base(f->place);
	return str_find(f->method, '.') < f->method.n;
}

bool
java_frame_is_sure(const struct java_frame *f)
{
	static const struct str kinds[] = { { ".java", 5 }, { ".kt", 3 }, { ".scala", 6 },
		{ ".groovy", 7 }, { ".clj", 4 }, { "Native Method", 13 },
		{ "Unknown Source", 14 }, { "SourceFile", 10 }, { "<generated>", 11 } };
	struct str file = str_head(f->place, str_rfind(f->place, ':'));
	size_t i;

	for (i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (str_ends(file, kinds[i]))
			return true;
	return false;
}

/* Whether REST, after a '/', is the number of a hidden class. */
static bool
is_number(struct str rest)
{
	return rest.n && str_is_digit(rest.s[0]);
}

/* Returns NAME without the module and loader before the class: "java.base@17/", "app//". */
static struct str
cut_module(struct str name)
{
	struct str rest = name, found = name;
	size_t slash;

	while ((slash = str_find(rest, '/')) < rest.n) {
		rest = str_from(rest, slash + 1);
		if (is_number(rest))
			break;
		found = rest;
	}
	return found.n ? found : name;
}

/* Appends NAME without the "/0x00007f3f64003678" of hidden classes; jhsdb writes "+" for "/". */
static void
put_method(struct buf *b, struct str name)
{
	size_t at = 0, from = 0;

	for (; at < name.n; at++) {
		if (!((name.s[at] == '/' && is_number(str_from(name, at + 1))) ||
			    str_starts(str_from(name, at), STR("+0x"))))
			continue;
		buf_str(b, str_from(str_head(name, at), from));
		while (at + 1 < name.n && name.s[at + 1] != '.')
			at++;
		from = at + 1;
	}
	buf_str(b, str_from(name, from));
}

void
java_frame_add(struct thread_dump *d, const struct java_frame *f)
{
	const struct collapse_options *o = collapse_options(d->stack.c);
	struct buf *b = &d->stack.name;

	buf_clear(b);
	if (o->full_names)
		buf_str(b, f->method);
	else
		put_method(b, f->slashes ? f->method : cut_module(f->method));
	if (o->srcline && f->place.n) {
		buf_char(b, ':');
		buf_str(b, f->place);
	}
	frame_names_push(&d->stack,
		collapse_frame(d->stack.c, buf_view(b), f->compiled ? COLLAPSE_JIT : 0));
}

/* Methods that wait, and the state of a RUNNABLE thread in them. For sockets, FlameGraph only knows
 * the methods before JDK 13. */
static const struct waiting {
	struct str tail, state;
} waiting[] = {
#define METHOD(tail, state)                      \
	{                                        \
		{ tail, sizeof(tail) - 1 },      \
		{                                \
			state, sizeof(state) - 1 \
		}                                \
	}
	METHOD("epollWait", "WAITING"),
	METHOD("EPoll.wait", "WAITING"),
	METHOD("KQueue.poll", "WAITING"),
	METHOD("WEPoll.wait", "WAITING"),
	METHOD("keventWait", "WAITING"),
	METHOD("PollArrayWrapper.poll0", "WAITING"),
	METHOD("DevPollArrayWrapper.poll0", "WAITING"),
	METHOD("SubSelector.poll0", "WAITING"),
	METHOD("LinuxWatchService.poll", "WAITING"),
	METHOD("waitForProcessExit0", "WAITING"),
	METHOD("Unsafe.park", "WAITING"),
	METHOD("Object.wait", "WAITING"),
	METHOD("Object.wait0", "WAITING"),
	METHOD("Object.waitImpl", "WAITING"),
	METHOD("Thread.sleep0", "WAITING"),
	METHOD("Thread.sleepNanos0", "WAITING"),
	METHOD("Thread.sleepImpl", "WAITING"),
	METHOD("VirtualThread.park", "WAITING"),
	METHOD("Continuation.run", "WAITING"),
	METHOD("__futex_abstimed_wait_common", "WAITING"),
	METHOD("epoll_wait", "WAITING"),
	METHOD("Reference.waitForReferencePendingList", "BACKGROUND"),
	METHOD("VirtualThread.takeVirtualThreadListToUnblock", "BACKGROUND"),
	METHOD("socketAccept", "NETWORK"),
	METHOD("socketRead0", "NETWORK"),
	METHOD("accept0", "NETWORK"),
	METHOD("Net.accept", "NETWORK"),
	METHOD("Net.poll", "NETWORK"),
	METHOD("SocketDispatcher.read0", "NETWORK"),
	METHOD("__GI_accept", "NETWORK"),
#undef METHOD
};

struct str
java_frame_state(struct str name)
{
	const struct waiting *w = waiting, *end = w + sizeof waiting / sizeof *waiting;
	size_t before;

	for (; w < end; w++) {
		if (!str_ends(name, w->tail))
			continue;
		before = name.n - w->tail.n;
		if (!before || memchr("./$", name.s[before - 1], 3))
			return w->state;
	}
	return STR("RUNNABLE");
}

void
java_frame_expect(struct collapse *c)
{
	static const struct str states[] = { { "RUNNABLE", 8 }, { "BLOCKED", 7 },
		{ "NETWORK", 7 }, { "WAITING", 7 }, { "TIMED_WAITING", 13 } };
	size_t i;

	for (i = 0; i < sizeof states / sizeof *states; i++)
		collapse_expect(c, states[i]);
}
