/* SPDX-License-Identifier: ISC */
/*
 * A frame as printed by Java, in exceptions, thread dumps and by jcmd:
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

/* A parsed frame; its texts are borrowed. */
struct java_frame {
	struct str method; /* with class, module and loader */
	struct str place;  /* "Thread.java:840", "Native Method" */
	bool slashes;	   /* packages are separated by slashes */
	bool compiled;
};

/* Parses TEXT, which follows "at ". Returns false if it is not a method with a place. */
bool java_frame_parse(struct str text, struct java_frame *f);

/* Whether F's place is in Java's notation; .NET and JavaScript print other places. */
bool java_frame_is_sure(const struct java_frame *f);

/* Adds F to the stack of D; without module, loader and the address of a hidden class unless
 * --full-names is given. */
void java_frame_add(struct thread_dump *d, const struct java_frame *f);

/* Returns the state, used as event, of a RUNNABLE thread whose innermost method is NAME: WAITING,
 * NETWORK, BACKGROUND or RUNNABLE. Static. */
struct str java_frame_state(struct str name);

/* Makes C fold running threads by default, or others if there are none. */
void java_frame_expect(struct collapse *c);

#endif
