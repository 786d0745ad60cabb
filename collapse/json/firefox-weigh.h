/* SPDX-License-Identifier: ISC */
/* What samples of Firefox Profiler weigh: samples, milliseconds or bytes. */
#ifndef FIREFOX_WEIGH_H
#define FIREFOX_WEIGH_H

#include "firefox-fold.h"

/* Tells the sink what the weights of S are. Numbers of samples are not weights
 * but what the sink counts, unless they have decimals. TO says whether there
 * are weights from then on. */
void firefox_weigh_begin(struct firefox_fold *f, const struct firefox_samples *s,
	struct collapse_sample *to);

/* Sets what sample I of S weighs: so many samples, or ns, or bytes. False, and it
 * is counted, when that is no weight. */
bool firefox_weigh(struct firefox_fold *f, const struct firefox_samples *s, size_t i,
	struct collapse_sample *to);

#endif
