/* SPDX-License-Identifier: ISC */
/* Mapped files; see map.h. */
#ifdef __linux__
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#endif
#include "map.h"
#include "mem.h"

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

/* A mapped range, at page boundaries. */
struct map_range {
	struct map_range *next, **link; /* LINK: the pointer to this */
	char *start;
	size_t n, page;
	volatile sig_atomic_t cut;
};

/* State of the process, like the signal handler, which runs only while a mapped file is read; the
 * functions below do not read any, so it never sees the list half changed. */
static struct map_range *ranges;
static struct sigaction before;
static bool is_watching;

/* The range that ADDRESS lies in, or NULL. */
static struct map_range *
find_range(const char *address)
{
	struct map_range *r = ranges;

	while (r && (address < r->start || address >= r->start + r->n))
		r = r->next;
	return r;
}

/* Maps zeros from the page of the fault to the end of its range. Other faults recur, as they would
 * without this handler. */
static void
handle_fault(int number, siginfo_t *info, void *context)
{
	char *address = info->si_addr, *page;
	struct map_range *r = info->si_code > 0 ? find_range(address) : NULL;
	int saved = errno;

	(void)context;
	page = r ? address - (size_t)(address - r->start) % r->page : NULL;
	if (r &&
		mmap(page, r->n - (size_t)(page - r->start), PROT_READ,
			MAP_PRIVATE | MAP_FIXED | MAP_ANONYMOUS, -1, 0) != MAP_FAILED) {
		r->cut = 1;
	} else {
		sigaction(number, &before, NULL);
		raise(number);
	}
	errno = saved;
}

static void
watch(void)
{
	struct sigaction action = { .sa_sigaction = handle_fault,
		.sa_flags = SA_SIGINFO };

	if (is_watching)
		return;
	sigemptyset(&action.sa_mask);
	is_watching = sigaction(SIGBUS, &action, &before) == 0;
}

bool
map_init(struct map *m, int fd, uint64_t offset, size_t n)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), lead = (size_t)(offset % page);
	struct map_range *r;
	void *start;

	*m = (struct map){ 0 };
	if (n > SIZE_MAX / 2 - page || offset > (uint64_t)INT64_MAX - n) {
		errno = EOVERFLOW;
		return false;
	}
	watch();
	start = mmap(NULL, lead + n, PROT_READ, MAP_PRIVATE, fd, (off_t)(offset - lead));
	if (start == MAP_FAILED)
		return false;
	r = mem_zero(1, sizeof *r);
	*r = (struct map_range){ .next = ranges,
		.link = &ranges,
		.start = start,
		.n = lead + n,
		.page = page };
	if (ranges)
		ranges->link = &r->next;
	ranges = r;
	*m = (struct map){ r->start + lead, n, r };
	return true;
}

void
map_release(struct map *m)
{
	struct map_range *r = m->range;

	*m = (struct map){ 0 };
	if (!r)
		return;
	*r->link = r->next;
	if (r->next)
		r->next->link = r->link;
	munmap(r->start, r->n);
	free(r);
}

bool
map_was_cut(const struct map *m)
{
	return m->range && m->range->cut;
}
