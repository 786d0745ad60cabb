/* SPDX-License-Identifier: ISC */
/* The meaning of labels of pprof samples. Profilers differ in their names. */
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

/* The role of the label KEY. */
enum pprof_label pprof_label_of(struct str key);

#endif
