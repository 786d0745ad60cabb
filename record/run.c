/* SPDX-License-Identifier: ISC */
/* Joins recorder, collapse and renderer; see run.h. */
#define _GNU_SOURCE
#include "run.h"
#include "folded.h"
#include "input.h"
#include "output.h"
#include "program.h"
#include "stream.h"
#include "sysfile.h"
#include "units.h"

#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

const char *
run_text(struct run *r, const char *fmt, ...)
{
	va_list ap, again;
	char *text;
	int n;

	va_start(ap, fmt);
	va_copy(again, ap);
	n = vsnprintf(NULL, 0, fmt, ap);
	text = arena_alloc(&r->arena, (size_t)(n < 0 ? 0 : n) + 1);
	*text = 0;
	vsnprintf(text, (size_t)(n < 0 ? 0 : n) + 1, fmt, again);
	va_end(again);
	va_end(ap);
	return text;
}

const char *
run_keep(struct run *r, struct buf *b)
{
	const char *text = run_text(r, "%s", buf_cstr(b));

	buf_release(b);
	return text;
}

const char *
run_join(struct run *r, const char *const *words)
{
	struct buf b = { 0 };

	for (; *words; words++)
		buf_fmt(&b, "%s%s", b.n ? " " : "", *words);
	return run_keep(r, &b);
}

const char *
run_which(struct run *r, const char *name)
{
	if (strchr(name, '/'))
		return access(name, X_OK) == 0 ? name : NULL;
	return program_find(&r->arena, str_of(name));
}

static struct str
folder_of(const char *path)
{
	struct str all = str_of(path), base = str_base(all);

	return base.n == all.n ? STR(".") : str_head(all, all.n - base.n - 1);
}

const char *
run_find(struct run *r, const char *name)
{
	const char *found = program_in(&r->arena,
		folder_of((const char *)(uintptr_t)getauxval(AT_EXECFN)), str_of(name));
	char self[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);

	self[n > 0 ? n : 0] = 0;
	if (!found && n > 0)
		found = program_in(&r->arena, folder_of(self), str_of(name));
	return found ? found : run_which(r, name);
}

const char *
run_file(struct run *r, const char *name)
{
	return run_text(r, "%s/%s", r->folder, name);
}

void
run_begin(struct run *r)
{
	const char *tmp = getenv("TMPDIR");
	struct str path =
		str_of(run_text(r, "%s/tmp.XXXXXX", tmp && *tmp ? tmp : "/tmp"));
	char *made = memcpy(arena_alloc(&r->arena, path.n + 1), path.s, path.n + 1);

	if (!mkdtemp(made))
		msg_die("%s: cannot make a folder for temporary files:", path.s);
	r->folder = made;
}

void
run_remove_runtime_files(struct run *r)
{
	struct opt_list files = { 0 };
	struct buf list = { 0 };
	struct str rest, name;

	(void)sysfile_read(&list, "%s/runtime-files", r->folder);
	for (rest = buf_view(&list); rest.n;) {
		name = str_cut(&rest, '\n');
		opt_list_add(&files, run_text(r, "%.*s", STR_ARG(name)));
	}
	if (list.n)
		(void)job_run(&r->jobs,
			&(struct job){ { r->sudo.items, JOB_WORDS("rm", "-f", "--"),
					       files.items },
				.kind = JOB_FINISHES });
	unlink(run_file(r, "runtime-files"));
	opt_list_release(&files);
	buf_release(&list);
}

/* Removes the contents of FOLDER except KEPT, then FOLDER itself if it is empty. */
static void
empty(struct run *r, const char *folder)
{
	struct sysfile_names names;
	struct arena text = { 0 };
	const char *path;
	size_t i;

	(void)sysfile_folder(&names, &text, "%s", folder);
	for (i = 0; i < names.n; i++) {
		path = run_text(r, "%s/%.*s", folder, STR_ARG(names.items[i]));
		if ((!r->kept || strcmp(path, r->kept) != 0) && unlink(path) != 0)
			empty(r, path);
	}
	rmdir(folder);
	arena_release(&text);
}

void
run_clean(struct run *r)
{
	if (!r->folder)
		return;
	run_remove_runtime_files(r);
	empty(r, r->folder);
	r->folder = NULL;
}

_Noreturn void
run_fail(const struct run *r)
{
	exit(r->status ? r->status : MSG_TROUBLE);
}

/* Returns STATUS, but exits if a signal ended anything but the recording. */
static int
check_signals(const struct run *r, int status)
{
	if (!r->jobs.cut)
		return status;
	msg_error("interrupted: no picture");
	exit(128 + r->jobs.signal);
}

static int
run_job(struct run *r, const struct job *job)
{
	return check_signals(r, job_run(&r->jobs, job));
}

/* Creates the pipe PATH, as sudo closes descriptors, and opens both ENDS. */
static void
open_stream(const char *path, int ends[2])
{
	unlink(path);
	if (mkfifo(path, 0600) != 0)
		msg_die("%s: cannot make this pipe:", path);
	ends[0] = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	ends[1] = open(path, O_WRONLY | O_CLOEXEC);
	if (ends[0] < 0 || ends[1] < 0 || fcntl(ends[0], F_SETFL, 0) != 0)
		msg_die("%s: cannot open:", path);
}

void
run_record(struct run *r, const char *const *command, const struct job *streams)
{
	const char *path = run_file(r, "stream");
	struct job record = *streams, fold = { .kind = JOB_FINISHES };
	uint64_t began;
	pid_t reader;
	int ends[2];

	open_stream(path, ends);
	fold.words[0] = r->programs[RUN_COLLAPSE].items;
	fold.in = ends[0];
	fold.out = job_file(run_file(r, "folded"));
	fold.err = job_file(run_file(r, "said"));
	reader = job_start(&r->jobs, &fold);
	job_close(&fold);
	record.kind = JOB_RECORDS;
	record.words[0] = r->sudo.items;
	record.words[1] = r->programs[RUN_RECORD].items;
	record.words[2] = JOB_WORDS("-o", path, "--command-line", r->words, "--runtimes",
		"--runtime-files", run_file(r, "runtime-files"), "--");
	record.words[3] = command;
	began = stream_now();
	r->status = job_wait(&r->jobs, job_start(&r->jobs, &record));
	r->seconds = (double)(stream_now() - began) / 1e9;
	/* The reader sees the end once the recorder and this process have closed it. */
	close(ends[1]);
	r->fold_status = job_wait(&r->jobs, reader);
	/* A comparison itself reports where it was interrupted. */
	if (!r->compare)
		check_signals(r, 0);
}

/* Folds the recording by the WORDS. */
static void
fold_by(struct run *r, const char *const *words)
{
	r->fold_status = run_job(r,
		&(struct job){ { words, JOB_WORDS("--", r->perfdata) },
			.kind = JOB_FINISHES, .out = job_file(run_file(r, "folded")),
			.err = job_file(run_file(r, "said")) });
}

/* Whether fg-collapse said TEXT. */
static bool
has_said(const struct run *r, struct str text)
{
	struct buf said = { 0 };
	bool found = sysfile_read(&said, "%s/said", r->folder) &&
		str_search(buf_view(&said), text) < said.n;

	buf_release(&said);
	return found;
}

void
run_fold(struct run *r)
{
	const char **words = r->programs[RUN_COLLAPSE].items;

	fold_by(r, words);
	/* Some formats have no times, others not for all samples. */
	if (words[1] && strcmp(words[1], RUN_TIMELINE) == 0 &&
		(has_said(r, STR("its samples have no times")) ||
			has_said(r, STR("skipping samples without a time")))) {
		words[1] = "--by=comm";
		fold_by(r, words);
	}
}

bool
run_has_stacks(struct run *r)
{
	struct input *in = input_open(run_file(r, "folded"));
	struct str line;
	bool found = false;

	while (in && !found && input_line(in, &line))
		found = line.n && line.s[0] != '#';
	input_close(in);
	return found;
}

void
run_check(struct run *r)
{
	struct buf b = { 0 };
	struct str said;
	const char *why = "nothing was folded";

	(void)sysfile_read(&b, "%s/said", r->folder);
	said = buf_view(&b);
	/* Nothing was recorded, and fg-record has explained why. */
	if (!r->perfdata && str_search(said, STR("<stdin>: is empty")) < said.n)
		exit(r->status);
	/* fg-collapse was not asked to be quiet about a recording of others. */
	if (said.n && (!r->quiet || r->fold_status > MSG_NO || !run_has_stacks(r)))
		fprintf(stderr, "%.*s\n", STR_ARG(said));
	if (r->fold_status > MSG_NO)
		why = "fg-collapse failed";
	else if (run_has_stacks(r))
		why = NULL;
	else if (!r->perfdata && str_search(said, STR("no sample in the input")) < said.n)
		why = "nothing was sampled; it used too little processor time (see --off-cpu), "
		      "went on in the background (see -p) or is set-uid (see --root), or -F is "
		      "too low";
	buf_release(&b);
	if (!why)
		return;
	msg_error("no picture: %s", why);
	run_fail(r);
}

void
run_post_process(struct run *r)
{
	if (!r->post_process)
		return;
	if (run_job(r,
		    &(struct job){ { JOB_WORDS("sh", "-c", r->post_process) },
			    .in = open(run_file(r, "folded"), O_RDONLY | O_CLOEXEC),
			    .out = job_file(run_file(r, "processed")) })) {
		msg_error("no picture: --post-process '%s' failed", r->post_process);
		run_fail(r);
	}
	if (rename(run_file(r, "processed"), run_file(r, "folded")) != 0)
		msg_die("%s: cannot rename:", run_file(r, "processed"));
}

bool
run_is_stdout(const struct run *r)
{
	return strcmp(r->output, "-") == 0 || strcmp(r->output, "/dev/stdout") == 0;
}

/* Runs fg-svg to write PATH, with ERR for its stderr. Returns its status. */
static int
draw_to(struct run *r, const char *path, int err)
{
	return run_job(r,
		&(struct job){ { r->programs[RUN_SVG].items,
				       JOB_WORDS("-o", path, run_file(r, "folded")) },
			.kind = JOB_FINISHES, .err = err });
}

/* Writes the stacks for other viewers, to files named after the picture. */
static void
write_exports(struct run *r)
{
	struct str name = str_of(run_is_stdout(r) ? "flamegraph" : r->output);
	const char *to, *path;
	struct job job;
	size_t i;

	if (str_ends(name, STR(".svg")))
		name.n -= 4;
	for (i = 0; i < r->exports.n; i++) {
		to = r->exports.items[i];
		path = run_text(r, "%.*s.%s", STR_ARG(name), to);
		job = (struct job){ .kind = JOB_FINISHES };
		job.words[0] = r->programs[RUN_EXPORT].items;
		job.words[1] = JOB_WORDS("--to", to, "-o", path, run_file(r, "folded"));
		job.words[2] = r->quiet ? JOB_WORDS("-q") : NULL;
		if (run_job(r, &job) && !r->status)
			r->status = MSG_TROUBLE;
	}
}

/* A picture that cannot be written is kept among the temporary files. But if a reader
 * has closed the pipe, this ends like fg-svg. */
void
run_draw(struct run *r)
{
	int status = draw_to(r, r->output, 0);

	if (!status || status == 128 + SIGPIPE) {
		write_exports(r);
		if (status)
			exit(status);
		return;
	}
	r->kept = run_file(r, "flamegraph.svg");
	if (!draw_to(r, r->kept, job_file(NULL))) {
		msg_error("%s: cannot write; the picture is kept in %s",
			run_is_stdout(r) ? "<stdout>" : r->output, r->kept);
	} else {
		r->kept = run_file(r, "folded");
		msg_error("no picture: fg-svg failed; the folded stacks are kept in %s",
			r->kept);
	}
	run_fail(r);
}

void
run_read_header(struct run *r, struct folded_info *info)
{
	struct input *in = input_open(run_file(r, "folded"));
	struct str line;

	if (in && input_line(in, &line) && str_starts(line, STR("#fg ")))
		folded_info_parse(info, str_from(line, 4));
	input_close(in);
}

/* Appends the samples, time and share of whole stacks from the stacks' header. */
static void
put_recorded(struct run *r, struct buf *b)
{
	struct folded_info info = { 0 };
	struct str line, part;
	uint64_t samples;
	double whole;

	run_read_header(r, &info);
	samples = folded_info_u64(&info, "samples");
	if (folded_info_get(&info, "samples").n) {
		units_put_count(b, samples);
		buf_fmt(b, " sample%s", msg_s(samples));
	}
	if (r->seconds >= 0)
		buf_fmt(b, "%s%.1f s", b->n ? " in " : "", r->seconds);
	for (line = folded_info_get(&info, "stacks"); line.n;) {
		part = str_cut(&line, ',');
		if (str_starts(part, STR("entry:")) &&
			folded_read_number(str_from(part, 6), &whole))
			buf_fmt(b, "%s%.0f %% whole stacks", b->n ? ", " : "",
				floor(whole * 100 + 1e-6));
	}
	folded_info_release(&info);
}

/* NAME without the quote that protects a cell of fg-report from being a formula. */
static struct str
unquoted(struct str name)
{
	struct str rest = name;

	while (str_starts(rest, STR("'")))
		rest = str_from(rest, 1);
	while (rest.n < name.n && str_starts(rest, STR(" ")))
		rest = str_from(rest, 1);
	return rest.n < name.n && rest.n && strchr("=+@-", rest.s[0]) ? str_from(name, 1)
								      : name;
}

/* Appends NAME, cut to 50 bytes, without the annotations of inlined and kernel frames. */
static void
put_name(struct buf *b, struct str name)
{
	enum { LONGEST = 50 };
	bool cut;

	name = unquoted(name);
	if (name.n > 4 && name.s[name.n - 1] == ']' && name.s[name.n - 4] == '_' &&
		strchr("ijkw", name.s[name.n - 2]))
		name.n -= 4;
	cut = name.n > LONGEST;
	if (cut)
		name.n = LONGEST - 3;
	/* Do not cut within a letter. */
	while (cut && name.n && ((unsigned char)name.s[name.n] & 0xc0) == 0x80)
		name.n--;
	buf_str(b, name);
	buf_str(b, cut ? STR("...") : STR(""));
}

/* Appends "hottest: scan 31 %, grow 12 %, main 4 %", the functions with the largest
 * self weights. */
static void
put_hottest(struct run *r, struct buf *b)
{
	enum { SHARE = 2, NAME = 7 };
	struct str rest, line, cell[NAME + 1];
	struct buf table = { 0 };
	size_t had = b->n, i;
	double percent;

	(void)run_job(r,
		&(struct job){ { r->programs[RUN_REPORT].items,
				       JOB_WORDS("-q", "--tsv", "--top=3",
					       run_file(r, "folded")) },
			.kind = JOB_FINISHES, .out = job_file(run_file(r, "hottest")),
			.err = job_file(NULL) });
	(void)sysfile_read(&table, "%s/hottest", r->folder);
	rest = buf_view(&table);
	for ((void)str_cut(&rest, '\n'); rest.n;) {
		line = str_cut(&rest, '\n');
		for (i = 1; i <= NAME; i++)
			cell[i] = str_cut(&line, '\t');
		if (!folded_read_number(cell[SHARE], &percent) || percent < 0.5)
			continue;
		buf_str(b,
			b->n > had    ? STR(", ")
				: had ? STR("; hottest: ")
				      : STR("hottest: "));
		put_name(b, cell[NAME]);
		buf_fmt(b, " %.0f %%", percent);
	}
	buf_release(&table);
}

void
run_close(struct run *r)
{
	struct buf line = { 0 };

	if (run_is_stdout(r))
		return;
	put_recorded(r, &line);
	if (r->programs[RUN_REPORT].n)
		put_hottest(r, &line);
	msg_error("%s%s%s", buf_cstr(&line), line.n ? "; " : "", r->output);
	buf_release(&line);
}

void
run_open_picture(struct run *r)
{
	const char *viewers[] = { getenv("BROWSER"), "xdg-open", "open" };
	size_t i = 0, n = sizeof viewers / sizeof *viewers;

	while (i < n && !(viewers[i] && run_which(r, viewers[i])))
		i++;
	if (i == n)
		msg_error("%s: no browser found; set BROWSER to one", r->output);
	else if (run_job(r,
			 &(struct job){ { JOB_WORDS(viewers[i], r->output) },
				 .out = job_file(NULL), .err = job_file(NULL) }))
		msg_error("%s: %s cannot open it", r->output, viewers[i]);
}
