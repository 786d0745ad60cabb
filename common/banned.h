/* SPDX-License-Identifier: ISC */
/*
 * Makes functions that are unsafe, or that hide errors, compile errors. mem.h includes this
 * file, so every file that allocates has it.
 *
 *	strcpy, strcat, sprintf		no bound: buf_fmt, snprintf
 *	strncpy, strncat		no terminator or no bound: struct str
 *	strtok				hidden state: str_cut
 *	atoi, atol, atof		no error: str_to_u64, num_parse
 *	gets
 */
#ifndef BANNED_H
#define BANNED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BANNED(f) sorry_##f##_is_banned_see_banned_h
#undef strcpy
#define strcpy(a, b) BANNED(strcpy)
#undef strcat
#define strcat(a, b) BANNED(strcat)
#undef strncpy
#define strncpy(a, b, n) BANNED(strncpy)
#undef strncat
#define strncat(a, b, n) BANNED(strncat)
#undef sprintf
#define sprintf(...) BANNED(sprintf)
#undef vsprintf
#define vsprintf(...) BANNED(vsprintf)
#undef strtok
#define strtok(a, b) BANNED(strtok)
#undef atoi
#define atoi(a) BANNED(atoi)
#undef atol
#define atol(a) BANNED(atol)
#undef atof
#define atof(a) BANNED(atof)
#undef gets
#define gets(a) BANNED(gets)

#endif
