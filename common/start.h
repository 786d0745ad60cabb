/* SPDX-License-Identifier: ISC */
/* Start-up that every program does first. */
#ifndef START_H
#define START_H

/* Names the program NAME (argv[0], which must outlive it) in messages; fills descriptors 0 to 2 if
 * they are closed, so that no file opened later gets one of them: reading from such a 0 and writing
 * to such a 1 or 2 fails with an error, and a command that is started still finds it closed; and
 * turns the signal SIGXFSZ into the error EFBIG, for this program alone. SIGPIPE stays unchanged.
 * Ends the program with MSG_TROUBLE when a descriptor cannot be filled. */
void start_program(const char *name);

#endif
