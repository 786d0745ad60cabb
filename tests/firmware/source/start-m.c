/* SPDX-License-Identifier: ISC */
/*
 * How a Cortex-M starts: the table of vectors, the copy of data from flash to
 * RAM, a timer whose interrupt does a little work.
 */
#include "work.h"

extern uint32_t ram_load[], ram_start[], ram_end[], bss_start[], bss_end[], stack_top[];

void Reset_Handler(void);
void SysTick_Handler(void);

static volatile uint32_t *const systick = (volatile uint32_t *)0xe000e010;
static volatile uint32_t ticks;

void
SysTick_Handler(void)
{
	work_tick();
	ticks++;
}

static void
Default_Handler(void)
{
	for (;;)
		continue;
}

void
Reset_Handler(void)
{
	uint32_t *from = ram_load, *to;

	for (to = ram_start; to < ram_end; to++)
		*to = *from++;
	for (to = bss_start; to < bss_end; to++)
		*to = 0;
	systick[1] = 250000;
	systick[0] = 7;
	work_forever();
}

typedef void handler(void);

__attribute__((section(".vectors"), used)) static handler *const vectors[16] = {
	(handler *)stack_top,
	Reset_Handler,
	Default_Handler,
	Default_Handler,
	[15] = SysTick_Handler,
};
