/* SPDX-License-Identifier: ISC */
/* A kernel of one function, HOT, of SIZE bytes that were inlined into it; kernel.sh
 * knows the lines. */

static inline __attribute__((always_inline)) void
body(void)
{
	__asm__ volatile(".skip " SIZE ", 0x90");
}

/* Called by nobody. */
void HOT(void);
void
HOT(void)
{
	body();
}
