/* SPDX-License-Identifier: ISC */
/*
 * Builds and runs a program through cargo; see run.h. fg-run becomes cargo's runner by
 *
 *	cargo run --release --bin=demo --config 'target.TRIPLE.runner=["/bin/fg-run","-q",]' -- ...
 */
#define _GNU_SOURCE /* realpath */
#include "run.h"
#include "sysfile.h"

#include <limits.h>
#include <unistd.h>

void
run_cargo_take(struct run *r, struct run_cargo *c, const char *name, const char *arg)
{
	c->wanted = c->taken = true;
	if (strcmp(name, "release") == 0)
		return;
	if (strcmp(name, "dev") == 0) {
		c->release = "--profile=dev";
	} else if (strcmp(name, "unit-test") == 0 || strcmp(name, "unit-bench") == 0) {
		c->verb = name + strlen("unit-");
		c->unit = true;
		c->unit_name = arg;
	} else if (strcmp(name, "unit-test-kind") == 0) {
		if (strcmp(arg, "lib") != 0 && strcmp(arg, "bin") != 0)
			opt_usage("--unit-test-kind takes lib or bin, not '%s'", arg);
		c->unit_kind = arg;
	} else {
		if (strcmp(name, "test") == 0 || strcmp(name, "bench") == 0)
			c->verb = name;
		else if (strcmp(name, "profile") == 0)
			c->release = NULL;
		else if (strcmp(name, "target") == 0)
			c->triple = arg;
		opt_list_add(&c->args,
			arg ? run_text(r, "--%s=%s", name, arg)
			    : run_text(r, "--%s", name));
	}
}

/* Appends WORD as a string of TOML, and a comma. */
static void
put_toml(struct buf *b, const char *word)
{
	for (buf_char(b, '"'); *word; word++) {
		if (*word == '"' || *word == '\\')
			buf_char(b, '\\');
		if ((unsigned char)*word < ' ')
			buf_fmt(b, "\\u%04x", (unsigned)*word);
		else
			buf_char(b, *word);
	}
	buf_str(b, STR("\","));
}

/* The target that cargo builds for by default: the host. */
static const char *
find_triple(struct run *r)
{
	struct buf text = { 0 };
	const char *triple;
	struct str host;

	(void)job_run(&r->jobs,
		&(struct job){ { JOB_WORDS("rustc", "-vV") },
			.out = job_file(run_file(r, "rustc")) });
	(void)sysfile_read(&text, "%s/rustc", r->folder);
	host = str_field(buf_view(&text), STR("host: "));
	triple = run_text(r, "%.*s", STR_ARG(host));
	buf_release(&text);
	if (!*triple)
		msg_die("cannot find rustc, which cargo needs; build without it and give fg-run "
			"the program");
	return triple;
}

/* The setting that makes fg-run cargo's runner, with the given options. */
static const char *
runner_of(struct run *r, const struct run_cargo *c)
{
	const char *self = run_find(r, "fg-run");
	struct buf b = { 0 };
	char here[PATH_MAX], real[PATH_MAX];
	size_t i;

	if (!self)
		msg_die("cannot find fg-run; install it beside cargo-fg, or add its folder to "
			"PATH");
	buf_fmt(&b, "target.%s.runner=[", c->triple);
	put_toml(&b, realpath(self, real) ? real : self);
	for (i = 0; i < c->passed.n; i++)
		put_toml(&b, c->passed.items[i]);
	/* cargo may call the runner in another folder. */
	put_toml(&b, "-o");
	if (r->output[0] == '/' || strcmp(r->output, "-") == 0 ||
		!getcwd(here, sizeof here))
		put_toml(&b, r->output);
	else
		put_toml(&b, run_text(r, "%s/%s", here, r->output));
	put_toml(&b, "--");
	buf_char(&b, ']');
	return run_keep(r, &b);
}

_Noreturn void
run_cargo(struct run *r, struct run_cargo *c, const char *const *operands)
{
	bool bin = c->unit && c->unit_kind && strcmp(c->unit_kind, "bin") == 0;
	const char *unit = bin
		? c->unit_name ? run_text(r, "--bin=%s", c->unit_name) : "--bin"
		: c->unit ? "--lib"
			  : NULL;
	const char *verb[] = { "cargo", c->verb ? c->verb : "run", c->release, NULL };
	const char *const more[] = { unit, NULL };
	struct opt_list last = { 0 };
	struct job job = { .kind = JOB_ENDS };
	bool is_bench = c->verb && strcmp(c->verb, "bench") == 0;

	/* cargo bench implies this option, and rejects it. */
	if (is_bench && c->release && strcmp(c->release, "--release") == 0)
		verb[2] = NULL;
	if (!c->triple)
		c->triple = find_triple(r);
	opt_list_add(&last, "--config");
	opt_list_add(&last, runner_of(r, c));
	opt_list_add(&last, "--");
	for (; *operands; operands++)
		opt_list_add(&last, *operands);
	job.words[0] = verb;
	job.words[1] = c->args.items;
	job.words[2] = more;
	job.words[3] = last.items;
	run_clean(r);
	job_become(&r->jobs, &job);
}
