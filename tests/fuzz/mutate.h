/* SPDX-License-Identifier: ISC */
/* The interface of mutate.c for libFuzzer and the targets. */
#ifndef MUTATE_H
#define MUTATE_H

#include <stddef.h>
#include <stdint.h>

/* The number of bytes before the input that choose options; defined by targets with
 * options. */
extern const size_t fuzz_options_bytes;

size_t LLVMFuzzerMutate(uint8_t *data, size_t n, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t n, size_t most, unsigned seed);

#endif
