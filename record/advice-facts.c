/* SPDX-License-Identifier: ISC */
/* What a machine says of what may be sampled on it; see advice.h. */
#include "advice.h"
#include "sysfile.h"

/* Bits of CapEff (include/uapi/linux/capability.h). */
enum { IPC_LOCK = 14, SYS_PTRACE = 19, SYS_ADMIN = 21, SYSLOG = 34, PERFMON = 38 };

/* The value of the line KEY of a status file, without blanks. */
static struct str
field(struct str status, struct str key)
{
	struct str line;

	while (status.n) {
		line = str_cut(&status, '\n');
		if (str_starts(line, key))
			return str_trim(str_from(line, key.n));
	}
	return STR("");
}

static void
read_status(struct advice_facts *f, struct str status)
{
	struct str users = field(status, STR("Uid:"));
	uint64_t capabilities = 0, mode = 0;

	(void)str_hex_to_u64(field(status, STR("CapEff:")), &capabilities);
	(void)str_to_u64(field(status, STR("Seccomp:")), &mode);
	f->ipc_lock = capabilities >> IPC_LOCK & 1;
	f->sys_ptrace = capabilities >> SYS_PTRACE & 1;
	f->sys_admin = capabilities >> SYS_ADMIN & 1;
	f->syslog = capabilities >> SYSLOG & 1;
	f->perfmon = capabilities >> PERFMON & 1;
	f->seccomp = mode == 2;
	/* "real effective saved file" */
	(void)str_cut(&users, '\t');
	f->root = str_eq(str_cut(&users, '\t'), STR("0"));
}

/* Which kind of container this is in, by the files that they leave. */
static const char *
find_container(const char *root, struct buf *b)
{
	static const struct {
		const char *word, *kind;
	} groups[] = { { "/docker", "docker" }, { "libpod", "podman" },
		{ "/kubepods", "container" }, { "/lxc", "container" } };
	size_t i;

	if (sysfile_exists("%s/.dockerenv", root))
		return "docker";
	if (sysfile_exists("%s/run/.containerenv", root))
		return "podman";
	if (sysfile_read(b, "%s/proc/self/cgroup", root))
		for (i = 0; i < sizeof groups / sizeof *groups; i++)
			if (str_search(buf_view(b), str_of(groups[i].word)) < b->n)
				return groups[i].kind;
	return NULL;
}

void
advice_read(struct advice_facts *f, const char *root)
{
	struct buf b = { 0 };

	*f = (struct advice_facts){ 0 };
	f->has_paranoid = sysfile_number(
		&f->paranoid, "%s/proc/sys/kernel/perf_event_paranoid", root);
	(void)sysfile_number(
		&f->mlock_kb, "%s/proc/sys/kernel/perf_event_mlock_kb", root);
	(void)sysfile_number(&f->kptr_restrict, "%s/proc/sys/kernel/kptr_restrict", root);
	(void)sysfile_number(
		&f->ptrace_scope, "%s/proc/sys/kernel/yama/ptrace_scope", root);
	if (sysfile_read(&b, "%s/proc/self/status", root))
		read_status(f, buf_view(&b));
	/* "none [integrity] confidentiality" */
	f->lockdown = sysfile_read(&b, "%s/sys/kernel/security/lockdown", root) &&
		str_search(buf_view(&b), STR("[none]")) == b.n;
	f->container = find_container(root, &b);
	buf_release(&b);
}
