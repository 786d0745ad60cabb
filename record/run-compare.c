/* SPDX-License-Identifier: ISC */
/* Compares two commands; see run.h. */
#include "run.h"
#include "folded.h"
#include "input.h"
#include "output.h"
#include "stream.h"
#include "sysfile.h"

#include <ctype.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	FEW_RUNS = 3,
	FEW_SAMPLES = 100,
	TAIL = 20,
	COMM = 15 /* bytes of a thread's name */
};

static bool
is(const char *word, const char *other)
{
	return strcmp(word, other) == 0;
}

/* Sets S to the command PROGRAM with the arguments WORDS. A PROGRAM with blanks may be
 * a line for the shell. */
static void
set_command(
	struct run *r, struct run_side *s, const char *program, const char *const *words)
{
	size_t blank = strcspn(program, " \t\n");

	if (program[blank] && access(program, F_OK) != 0 && !run_which(r, program)) {
		opt_list_add(&s->command, "sh");
		opt_list_add(&s->command, "-c");
		opt_list_add(&s->command,
			*words ? run_text(r, "%s \"$@\"", program) : program);
		opt_list_add(&s->command, "sh");
	} else {
		opt_list_add(&s->command, program);
	}
	s->program = run_text(r, "%.*s", (int)blank, program);
	for (; *words; words++)
		opt_list_add(&s->command, *words);
}

/* "BEFORE AFTER", or "BEFORE AFTER -- ARG..." */
static void
parse_programs(struct run *r, struct run_side sides[2], const char *const *words)
{
	const char *const *rest = words + 2;
	size_t i;

	if (!words[0] || !words[1])
		opt_usage(
			"--compare needs two commands: OLD ARG... --- NEW ARG..., or OLD NEW "
			"-- ARG...");
	if (*rest && !is(*rest, "--"))
		opt_usage(
			"after two programs comes --, not '%s'; or write OLD ARG... --- NEW "
			"ARG..., after all options",
			*rest);
	rest += *rest != NULL;
	for (i = 0; i < 2; i++) {
		opt_list_release(&sides[i].command);
		set_command(r, &sides[i], words[i], rest);
	}
}

/* NAME with only the characters that are safe in a file's name. */
static const char *
plain_name(struct run *r, const char *name)
{
	struct buf b = { 0 };

	for (; *name; name++)
		buf_char(&b,
			isalnum((unsigned char)*name) || strchr("._+-", *name) ? *name
									       : '_');
	return run_keep(r, &b);
}

void
run_compare_take(struct run *r, struct run_side sides[2], const char *const *words)
{
	size_t i, side = 0;

	for (i = 0; words[i]; i++)
		if (!is(words[i], "---"))
			opt_list_add(&sides[side].command, words[i]);
		else if (side++)
			opt_usage("more than one ---: only two commands can be compared");
	if (!side)
		parse_programs(r, sides, words);
	for (i = 0; i < 2; i++) {
		if (!sides[i].command.n)
			opt_usage("--- needs a command on each side");
		if (side)
			sides[i].program = sides[i].command.items[0];
		sides[i].program = str_base(str_of(sides[i].program)).s;
		sides[i].name = plain_name(r, sides[i].program);
	}
	if (is(sides[0].name, sides[1].name) || strchr(".-", *sides[0].name) ||
		strchr(".-", *sides[1].name)) {
		sides[0].name = "before";
		sides[1].name = "after";
	}
}

/* Creates the folder of --keep. Exits with a message if that fails, or it is not
 * empty. */
static void
make_folder(struct run *r)
{
	struct sysfile_names names;
	struct arena text = { 0 };
	struct str path;
	size_t i;

	if (r->keep[0] == '-')
		r->keep = run_text(r, "./%s", r->keep);
	path = str_of(r->keep);
	for (i = 1; i <= path.n; i++)
		if (i == path.n || path.s[i] == '/')
			r->made = mkdir(run_text(r, "%.*s", (int)i, path.s), 0777) == 0;
	if (!sysfile_folder(&names, &text, "%s", r->keep) || access(r->keep, W_OK) != 0)
		msg_die("%s: cannot make this folder; choose another with --keep",
			r->keep);
	if (names.n)
		msg_die("%s: is not empty; choose another folder with --keep", r->keep);
	arena_release(&text);
}

/* Lets fg-diff check its options: some conflicts show only without --help. */
static void
check_report(struct run *r)
{
	struct buf said = { 0 };
	int ends[2];

	if (pipe(ends) != 0 || write(ends[1], "main 1 1\n", 9) != 9)
		msg_die("cannot use a pipe:");
	close(ends[1]);
	(void)job_run(&r->jobs,
		&(struct job){ { r->programs[RUN_DIFF].items }, .in = ends[0],
			.out = job_file(NULL), .err = job_file(run_file(r, "said")) });
	(void)sysfile_read(&said, "%s/said", r->folder);
	if (str_ends(buf_view(&said), STR("see fg-diff --help"))) {
		fprintf(stderr, "%s\n", buf_cstr(&said));
		exit(MSG_TROUBLE);
	}
	buf_release(&said);
}

void
run_compare_check(struct run *r)
{
	if (r->perfdata)
		opt_usage(
			"--compare and --perfdata cannot be combined; compare folded stacks "
			"with fg-diff");
	if (run_is_stdout(r))
		opt_usage(
			"--compare prints its report on standard output; choose a file for the "
			"picture with -o");
	check_report(r);
	if (r->keep)
		make_folder(r);
	if (r->runs < FEW_RUNS)
		msg_warn(
			"--runs %ld is too few to estimate how much runs vary; use %d or more",
			r->runs, FEW_RUNS);
}

/* The state of a comparison. */
struct comparison {
	struct run *r;
	struct run_side *sides;
	const char *folder; /* of the recordings */
	bool on_terminal;
	uint64_t began;
	long recorded, fewest; /* runs; samples of a run, below 0 if unknown */
	struct buf said;       /* messages of all runs, lines */
};

/* Shows that RUN is being recorded. */
static void
show_progress(const struct comparison *c, const char *run)
{
	double done = (double)c->recorded, left = (double)(c->r->runs * 2) - done;

	if (!c->on_terminal)
		return;
	fprintf(stderr, "\r\033[Kcomparing: %s", run);
	if (c->recorded)
		fprintf(stderr, ", about %.0f s left",
			(double)(stream_now() - c->began) / 1e9 / done * left);
	fputs(c->r->show_output ? "\n" : "", stderr);
}

static void
end_progress(const struct comparison *c)
{
	if (c->on_terminal && !c->r->show_output)
		fputs("\r\033[K", stderr);
}

/* The last LINES lines of B, which the result borrows. */
static const char *
tail_of(struct buf *b, size_t lines)
{
	const char *text = buf_cstr(b), *at = text + b->n;

	while (at > text && (at[-1] != '\n' || --lines))
		at--;
	return at;
}

/* Exits with STATUS after the reason WHY, preceded by the last lines of the temporary
 * file NAME unless that is NULL. */
static _Noreturn void
give_up(const struct comparison *c, int status, const char *name, const char *why)
{
	struct buf text = { 0 };
	size_t i;

	end_progress(c);
	if (name)
		(void)sysfile_read(&text, "%s/%s", c->r->folder, name);
	if (text.n)
		fprintf(stderr, "%s\n", tail_of(&text, TAIL));
	msg_error("%s; nothing was compared", why);
	buf_release(&text);
	for (i = 0; c->r->keep && i < 2; i++)
		while (c->sides[i].files.n)
			unlink(c->sides[i].files.items[--c->sides[i].files.n]);
	if (c->r->made)
		rmdir(c->r->keep);
	exit(status);
}

/* Records the command of SIDE; RUN names the run in messages. */
static void
record(struct comparison *c, const struct run_side *side, const char *run)
{
	struct run *r = c->r;
	struct job streams = { .out = STDERR_FILENO };
	struct buf said = { 0 };
	struct stat st;

	show_progress(c, run);
	/* Each run reads a file from its beginning. Only the first could read a pipe. */
	if (fstat(STDIN_FILENO, &st) == 0 && S_ISREG(st.st_mode))
		(void)lseek(STDIN_FILENO, 0, SEEK_SET);
	else
		streams.in = job_file(NULL);
	if (!r->show_output) {
		streams.out = job_file(NULL);
		streams.err = job_file(run_file(r, "output"));
	}
	run_record(r, side->command.items, &streams);
	job_close(&streams);
	run_remove_runtime_files(r);
	if (r->jobs.signal)
		give_up(c, 128 + r->jobs.signal, NULL,
			run_text(r, "interrupted in %s", run));
	if (r->status && !r->ignore_status)
		give_up(c, MSG_TROUBLE, "output",
			run_text(r, "%s ended with status %d, see --ignore-status", run,
				r->status));
	(void)sysfile_read(&said, "%s/said", r->folder);
	if (strstr(buf_cstr(&said), "<stdin>: is empty"))
		give_up(c, MSG_TROUBLE, "output",
			run_text(r, "%s was not recorded", run));
	buf_release(&said);
	if (!run_has_stacks(r))
		give_up(c, MSG_TROUBLE, "said",
			run_text(r,
				"nothing was sampled in %s: have it do more work, or raise "
				"-F",
				run));
	if (r->fold_status)
		give_up(c, MSG_TROUBLE, "said",
			run_text(r, "fg-collapse failed on %s", run));
}

/* Keeps the messages of fg-record and fg-collapse about a run, except for the summary
 * of a recording without losses. */
static void
note_messages(struct comparison *c)
{
	struct buf text = { 0 };
	struct str rest, line;

	if (!c->r->show_output)
		(void)sysfile_read(&text, "%s/output", c->r->folder);
	for (rest = buf_view(&text); rest.n;) {
		line = str_cut(&rest, '\n');
		if (str_starts(line, STR("fg-record: ")) &&
			str_search(line, STR(", 0 lost")) == line.n)
			buf_fmt(&c->said, "%.*s\n", STR_ARG(line));
	}
	(void)sysfile_read(&text, "%s/said", c->r->folder);
	if (text.n)
		buf_fmt(&c->said, "%s\n", buf_cstr(&text));
	buf_release(&text);
}

/* The length of the number at the start of A: a digit, then digits, points and commas. */
static size_t
number_length(struct str a)
{
	size_t n = 0;

	while (n < a.n && (str_is_digit(a.s[n]) || (n && strchr(".,", a.s[n]))))
		n++;
	return n;
}

/* Whether A and B differ at most in their numbers. */
static bool
is_alike(struct str a, struct str b)
{
	size_t n, m;

	while (a.n && b.n) {
		n = number_length(a);
		m = number_length(b);
		if (!n != !m || (!n && a.s[0] != b.s[0]))
			return false;
		a = str_from(a, n ? n : 1);
		b = str_from(b, m ? m : 1);
	}
	return a.n == b.n;
}

/* Prints the messages, each once if only its numbers differ between runs. */
static void
print_messages(struct comparison *c)
{
	struct str rest, line, more, other, before = { c->said.s, 0 };
	bool is_first;
	long runs;

	for (rest = buf_view(&c->said); rest.n; before.n = c->said.n - rest.n) {
		line = str_cut(&rest, '\n');
		for (more = before, is_first = true; more.n && is_first;)
			is_first = !is_alike(str_cut(&more, '\n'), line);
		for (more = rest, runs = 1; more.n; runs += is_alike(other, line))
			other = str_cut(&more, '\n');
		if (is_first && runs > 1)
			fprintf(stderr, "%.*s (in %ld runs)\n", STR_ARG(line), runs);
		else if (is_first)
			fprintf(stderr, "%.*s\n", STR_ARG(line));
	}
}

/* Appends LINE with the program name OLD replaced by NEW: in the root frame, where the
 * kernel cuts it to COMM bytes, and in frames of missing symbols. Otherwise the sides
 * would have no stack in common. */
static void
put_united(struct buf *b, struct str line, struct str old, struct str new)
{
	struct str stack = str_head(line, str_rfind(line, ' ')), frame;
	bool is_root = true;

	for (; stack.n; is_root = false) {
		frame = str_cut(&stack, ';');
		if (is_root && str_eq(frame, str_head(old, COMM)))
			buf_str(b, str_head(new, COMM));
		else if (frame.n > 2 && frame.s[0] == '[' &&
			frame.s[frame.n - 1] == ']' &&
			str_eq(str_head(str_from(frame, 1), frame.n - 2), old))
			buf_fmt(b, "[%.*s]", STR_ARG(new));
		else
			buf_str(b, frame);
		buf_str(b, stack.n ? STR(";") : STR(""));
	}
	buf_str(b, str_from(line, str_rfind(line, ' ')));
}

/* Copies the stacks to the file PATH, with one name for both programs. */
static void
keep_stacks(const struct comparison *c, const struct run_side *side, const char *path)
{
	struct str old = str_of(side->program), new = str_of(c->sides[1].program), line;
	struct input *in = input_open(run_file(c->r, "folded"));
	struct buf b = { 0 };
	struct output out;

	if (!in)
		exit(MSG_TROUBLE);
	output_open(&out, path);
	while (input_line(in, &line)) {
		buf_clear(&b);
		if (str_starts(line, STR("#")) || str_eq(old, new))
			buf_str(&b, line);
		else
			put_united(&b, line, old, new);
		buf_char(&b, '\n');
		output_str(&out, buf_view(&b));
	}
	out.failed |= input_failed(in);
	input_close(in);
	buf_release(&b);
	if (!output_close(&out))
		exit(MSG_TROUBLE);
}

/* Records SIDE, and keeps its stacks. */
static void
record_side(struct comparison *c, struct run_side *side)
{
	struct run *r = c->r;
	const char *path =
		run_text(r, "%s/%s.%zu.folded", c->folder, side->name, side->files.n + 1);
	struct folded_info info = { 0 };
	long samples;

	record(c, side,
		run_text(r, "run %ld of %ld (%s)", c->recorded + 1, r->runs * 2,
			side->name));
	c->recorded++;
	note_messages(c);
	run_read_header(r, &info);
	samples = (long)folded_info_u64(&info, "samples");
	if (folded_info_get(&info, "samples").n && (c->fewest < 0 || samples < c->fewest))
		c->fewest = samples;
	folded_info_release(&info);
	run_post_process(r);
	keep_stacks(c, side, path);
	opt_list_add(&side->files, path);
}

/* Records warm-up runs of both commands, unused: a first run whose files are not in
 * memory takes a tenth more processor time, which hides changes of some percent among
 * five runs. Then alternates the order, old new, new old, old new, so that slow drift
 * affects both. */
static void
record_all(struct comparison *c)
{
	struct run *r = c->r;
	long i, k;

	for (i = 0; i < r->warmup; i++)
		for (k = 0; k < 2; k++)
			record(c, &c->sides[k],
				run_text(r, "warm-up %ld of %ld (%s)", i + 1, r->warmup,
					c->sides[k].name));
	c->began = stream_now();
	for (i = 0; i < r->runs; i++) {
		record_side(c, &c->sides[i % 2]);
		record_side(c, &c->sides[!(i % 2)]);
	}
	r->seconds = (double)(stream_now() - c->began) / 1e9;
	end_progress(c);
	print_messages(c);
}

/* Prints the temporary file NAME to OUT without the name of our folder, which will be
 * removed. A command to draw its files is replaced by our own command line. */
static void
print_plain(const struct comparison *c, const char *name, FILE *out)
{
	struct str folder = str_of(run_text(c->r, "%s/", c->folder)), rest, line;
	size_t at, draws;
	struct buf text = { 0 };

	(void)sysfile_read(&text, "%s/%s", c->r->folder, name);
	for (rest = buf_view(&text); rest.n; fputc('\n', out)) {
		line = str_cut(&rest, '\n');
		draws = str_search(line, STR("fg-diff "));
		at = c->r->keep ? line.n : str_search(line, folder);
		if (at < line.n && str_search(line, STR("| fg-svg")) < line.n &&
			str_search(STR("picture: "), str_head(line, draws)) == 0) {
			fprintf(out, "%.*s%s", (int)draws, line.s, c->r->words);
			continue;
		}
		for (; at < line.n; at = str_search(line, folder)) {
			fwrite(line.s, 1, at, out);
			line = str_from(line, at + folder.n);
		}
		fwrite(line.s, 1, line.n, out);
	}
	buf_release(&text);
}

/* Appends the options with the files of both sides. */
static void
add_files(const struct comparison *c, struct opt_list *words)
{
	static const char *const option[] = { "-a", "-b" };
	size_t i, k;

	for (i = 0; i < 2; i++) {
		opt_list_add(words, option[i]);
		for (k = 0; k < c->sides[i].files.n; k++)
			opt_list_add(words, c->sides[i].files.items[k]);
	}
}

/* Prints the report, and draws the difference. Returns the status of fg-diff. */
static int
report(struct comparison *c)
{
	struct run *r = c->r;
	const char *path = r->programs[RUN_DIFF].items[0];
	const char *names = run_text(r, "%s,%s", c->sides[0].name, c->sides[1].name);
	struct opt_list files = { 0 };
	int verdict, drawn;

	add_files(c, &files);
	verdict = job_run(&r->jobs,
		&(struct job){ { JOB_WORDS(path, "--report", "text"),
				       r->programs[RUN_DIFF].items + 1, files.items },
			.out = job_file(run_file(r, "report")),
			.err = job_file(run_file(r, "said")) });
	if (r->jobs.signal)
		give_up(c, 128 + r->jobs.signal, NULL, "interrupted");
	print_plain(c, "said", stderr);
	print_plain(c, "report", stdout);
	if (fflush(stdout) != 0)
		msg_die("stdout: cannot write:");
	if (verdict > MSG_NO) {
		r->kept = c->folder;
		msg_die("no comparison: fg-diff failed; the recordings are kept in %s",
			c->folder);
	}
	drawn = job_run(&r->jobs,
		&(struct job){ { JOB_WORDS(path, "-q"), r->reading.items, files.items,
				       JOB_WORDS("--names", names) },
			.out = job_file(run_file(r, "folded")) });
	opt_list_release(&files);
	r->status = 0;
	if (drawn)
		run_fail(r);
	run_draw(r);
	return r->status ? MSG_TROUBLE : verdict;
}

static void
close_comparison(const struct comparison *c)
{
	const char *before = c->sides[0].name, *after = c->sides[1].name;
	struct run *r = c->r;

	if (c->fewest >= 0 && c->fewest < FEW_SAMPLES)
		msg_warn(
			"only %ld samples in the shortest run: only large changes show; have the "
			"commands do more work, or raise -F",
			c->fewest);
	msg_warn("%s, %s: %ld run%s each in %.1f s%s; %s", before, after, r->runs,
		msg_s((uint64_t)r->runs), r->seconds,
		c->fewest < 0 ? "" : run_text(r, ", %ld samples or more", c->fewest),
		r->output);
	if (r->keep)
		msg_warn("to compare again: fg-diff --report text -a %s/%s.*.folded -b "
			 "%s/%s.*.folded",
			r->keep, before, r->keep, after);
}

int
run_compare(struct run *r, struct run_side sides[2])
{
	struct comparison c = { .r = r,
		.sides = sides,
		.folder = r->keep ? r->keep : run_file(r, "runs"),
		.on_terminal = !r->quiet && isatty(STDERR_FILENO),
		.fewest = -1 };
	int verdict;

	if (!r->keep && mkdir(c.folder, 0700) != 0)
		msg_die("%s: cannot make this folder:", c.folder);
	record_all(&c);
	verdict = report(&c);
	close_comparison(&c);
	buf_release(&c.said);
	return verdict;
}
