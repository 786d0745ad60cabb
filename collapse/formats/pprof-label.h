/* SPDX-License-Identifier: ISC */
/* What labels of pprof's samples mean, of which profilers have their own names. */
#ifndef PPROF_LABEL_H
#define PPROF_LABEL_H

#include "str.h"

enum pprof_label {
	PPROF_LABEL_OTHER,
	PPROF_LABEL_COMM,
	PPROF_LABEL_PID,
	PPROF_LABEL_TID,
	PPROF_LABEL_TIME
};

/* What the label KEY tells of a sample. */
enum pprof_label pprof_label_of(struct str key);

#endif
