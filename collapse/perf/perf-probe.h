/* SPDX-License-Identifier: ISC */
/*
 * Whether a text is perf script's. Other profilers' texts have lines that begin
 * with a hexadecimal word too, so a time stamp or perf's columns are asked for.
 */
#ifndef PERF_PROBE_H
#define PERF_PROBE_H

#include "str.h"

/* How sure it is, from 0 to 100, as in struct collapse_format. */
int perf_probe(struct str head);

#endif
