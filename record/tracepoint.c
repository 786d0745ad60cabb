/* SPDX-License-Identifier: ISC */
/* Tracepoints by their numbers in tracefs; see tracepoint.h. */
#include "tracepoint.h"

#include <errno.h>

static const char *const mounts[] = { "sys/kernel/tracing", "sys/kernel/debug/tracing" };

enum { MOUNT_N = sizeof mounts / sizeof *mounts };

bool
tracepoint_list(const char *root, struct str group, struct sysfile_names *names,
	struct arena *text)
{
	struct buf path = { 0 };
	int error = ENOENT;
	bool found = false;
	size_t i;

	for (i = 0; i < MOUNT_N && !found; i++) {
		buf_clear(&path);
		buf_fmt(&path, "%s/%s/events/%.*s", root, mounts[i], (int)group.n,
			group.s);
		found = sysfile_folder(names, text, buf_cstr(&path));
		if (!found && errno != ENOENT)
			error = errno;
	}
	buf_release(&path);
	errno = error;
	return found;
}

/* Why nothing can be read, ERROR being what the folder of events or an id gave. */
static void
explain(struct buf *why, int error)
{
	if (error == ENOENT)
		buf_str(why,
			STR("tracefs is not mounted, so the kernel's tracepoints have no "
			    "numbers here; as root: mount -t tracefs nodev "
			    "/sys/kernel/tracing"));
	else
		buf_fmt(why,
			"/sys/kernel/tracing cannot be read (%s); run as root, or let all "
			"read it, as root: mount -o remount,mode=755 /sys/kernel/tracing",
			strerror(error));
}

/* Says that there is no NAME in GROUP. */
static void
not_there(const char *root, struct str group, struct str name, struct buf *why)
{
	struct sysfile_names names = { 0 };
	struct arena text = { 0 };

	if (!tracepoint_list(root, STR(""), &names, &text))
		explain(why, errno);
	else if (!tracepoint_list(root, group, &names, &text))
		buf_fmt(why, "this kernel has no tracepoints of a group '%.*s'",
			(int)group.n, group.s);
	else
		buf_fmt(why, "the group %.*s has no tracepoint '%.*s'", (int)group.n,
			group.s, (int)name.n, name.s);
	arena_release(&text);
}

bool
tracepoint_id(const char *root, struct str group, struct str name, uint32_t *id,
	struct buf *why)
{
	int64_t value = -1;
	size_t i;

	if (!group.n || !name.n || memchr(group.s, '/', group.n) ||
		memchr(name.s, '/', name.n) || group.s[0] == '.' || name.s[0] == '.') {
		buf_str(why, STR("a tracepoint is GROUP:NAME"));
		return false;
	}
	for (i = 0; i < MOUNT_N; i++) {
		if (sysfile_number(&value, "%s/%s/events/%.*s/%.*s/id", root, mounts[i],
			    (int)group.n, group.s, (int)name.n, name.s) &&
			value >= 0 && value <= UINT32_MAX) {
			*id = (uint32_t)value;
			return true;
		}
		if (errno != ENOENT) {
			explain(why, errno);
			return false;
		}
	}
	not_there(root, group, name, why);
	return false;
}
