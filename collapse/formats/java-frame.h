/* SPDX-License-Identifier: ISC */
/*
 * A frame as Java prints it, in exceptions, in dumps of threads and by jcmd:
 *
 *	java.base/java.lang.Thread.run(Thread.java:840)	StackTraceElement
 *	app//org.demo.Main.main(Main.java:8) ~[main.jar:1.2]	with its class loader; logback
 *	java.lang.Thread.run(java.base@17/Thread.java:840)	jstack
 *	Demo$$Lambda$4/0x00007f3f.apply(Unknown Source)	a hidden class, its address
 */
#ifndef JAVA_FRAME_H
#define JAVA_FRAME_H

#include <stdbool.h>

#include "str.h"
#include "stacks/thread-dump.h"

/* Both are borrowed. */
struct java_frame {
	struct str method; /* with its class, and all that stands before that */
	struct str place;  /* "Thread.java:840", "Native Method" */
	bool slashes;	   /* packages end in them */
	bool compiled;
};

/* Reads TEXT, which follows "at ". False when it is no call with a place. */
bool java_frame_parse(struct str text, struct java_frame *f);

/* Whether the place of F is one that Java prints: .NET and JavaScript print others. */
bool java_frame_is_sure(const struct java_frame *f);

/* Adds F to the stack of D: without module, loader and the address of a hidden class, unless
 * --full-names asks for them. */
void java_frame_add(struct thread_dump *d, const struct java_frame *f);

/* The state, and with it the event, of a RUNNABLE thread whose innermost method is NAME, which may
 * wait: WAITING, NETWORK, BACKGROUND or RUNNABLE. Static. */
struct str java_frame_state(struct str name);

/* Threads that run come first, others if there is none. */
void java_frame_expect(struct collapse *c);

#endif
