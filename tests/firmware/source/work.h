/* SPDX-License-Identifier: ISC */
/*
 * What the parts of the firmware know of each other.
 */
#ifndef WORK_H
#define WORK_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Work without an end, from the start-up code of each machine. */
void work_forever(void);

/* A little work, for an interrupt. */
void work_tick(void);

/* What the C++ part adds: a value made of X. */
uint32_t signal_filter(uint32_t x);

/* In assembly, without a size: calls work_stir N times. */
uint32_t churn(uint32_t x, uint32_t n);
uint32_t work_stir(uint32_t x);

#ifdef __cplusplus
}
#endif

#endif
