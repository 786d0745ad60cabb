/* SPDX-License-Identifier: ISC */
/* What libFuzzer and the targets call of mutate.c. */
#ifndef MUTATE_H
#define MUTATE_H

#include <stddef.h>
#include <stdint.h>

/* How many bytes before the input choose options; a target that has some defines it. */
extern const size_t fuzz_options_bytes;

size_t LLVMFuzzerMutate(uint8_t *data, size_t n, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t n, size_t most, unsigned seed);

#endif
