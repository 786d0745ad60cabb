/* SPDX-License-Identifier: ISC */
/*
 * fg-annotate: annotates source lines with their cost, from folded stacks whose frames have
 * places (fg-collapse --srcline --full-names).
 */
#include "annotate.h"
#include "date.h"
#include "frame.h"
#include "match.h"
#include "mem.h"
#include "msg.h"
#include "options.h"
#include "program.h"
#include "profile.h"
#include "start.h"
#include "stats.h"

#include <sys/stat.h>
#include <unistd.h>

enum { TOP = 20, CONTEXT = 2 };

static struct opt_list folders, maps, names, elfs;
static struct folded_given given;
static long top = TOP, context = CONTEXT, width;
static int colour; /* an enum terminal_colour */
static bool json, code, fetch;
static const char *objdump;

static const char *
take_map(const char *arg)
{
	struct str map = str_of(arg);
	size_t equals = str_find(map, '=');

	if (!equals || equals == map.n)
		return "is not OLD=NEW";
	maps.items = mem_grow(maps.items, &maps.cap, maps.n + 1, sizeof *maps.items);
	maps.items[maps.n++] = arg;
	return NULL;
}

static struct opt_shared shared;

static const struct opt options[] = {
#include "options/fg-annotate.def"
	{ .kind = OPT_END },
};

static const struct opt_program program = {
	.synopsis = "[options] [FUNC...] [FILE...]",
	.about =
		"Prints sources with the cost of each line, from stacks of fg-collapse --srcline.\n"
		"Reads stdin when no FILE is given.",
	.options = options,
	.shared = &shared,
};

/* Whether ARG is an input rather than the name of a function. */
static bool
is_file(const char *arg)
{
	struct stat st;

	return !strcmp(arg, "-") || (stat(arg, &st) == 0 && !S_ISDIR(st.st_mode));
}

/* Moves the operands ARGS that are not files to NAMES, and returns the files up to a NULL. The
 * caller frees the array. */
static char **
sort_operands(char **args)
{
	size_t n = 0, i;
	char **paths;

	while (args[n])
		n++;
	paths = mem_zero(n + 1, sizeof *paths);
	for (i = n = 0; args[i]; i++) {
		if (is_file(args[i])) {
			paths[n++] = args[i];
			continue;
		}
		names.items = mem_grow(
			names.items, &names.cap, names.n + 1, sizeof *names.items);
		names.items[names.n++] = args[i];
	}
	return paths;
}

/* Whether F is called NAME, ignoring its parameters. */
static bool
is_called(const struct annotate_function *f, struct str name)
{
	return str_eq(f->name, name) || str_eq(frame_cut_arguments(f->name), name);
}

/* Marks in CHOSEN the functions of A that are called NAME, or else those that match it. Returns
 * false, after a message, when there are none. */
static bool
choose(const struct annotate *a, const char *name, bool *chosen)
{
	struct buf why = { 0 };
	struct match *m = NULL;
	uint32_t i, n = 0;

	for (i = 0; i < a->function_n; i++)
		if (is_called(&a->functions[i], str_of(name)))
			n += chosen[i] = true;
	if (!n) {
		m = match_new(str_of(name), 0, &why);
		if (!m)
			opt_usage("'%s': %s", name, buf_cstr(&why));
	}
	for (i = 0; m && i < a->function_n; i++)
		if (match_has(m, a->functions[i].name))
			n += chosen[i] = true;
	if (m && match_failure(m))
		msg_error("giving up on '%s': %s", name, match_failure(m));
	else if (!n)
		msg_error("no function with %s matches '%s'",
			code ? "instructions" : "lines", name);
	match_free(m);
	return n > 0;
}

/* Warns if the file FOUND was CHANGED (seconds since 1970) after START, the time of the
 * recording in the header. */
static void
warn_of_change(struct str found, uint64_t when, struct str start)
{
	uint64_t ns;
	bool zoned;

	if (found.n && date_cut(&start, &ns, &zoned) && zoned && when > ns / 1000000000)
		msg_warn("%.*s: was changed after the recording: %s may have moved",
			STR_ARG(found), code ? "instructions" : "lines");
}

/* Warns if the file of the program NAME may be a different build. */
static void
warn_of_program(const struct annotate_how *how, struct str name, struct str start)
{
	struct program p;
	struct stat st;

	program_find(&p, how->programs, name);
	if (p.unsure && p.elf && stat(buf_cstr(&p.path), &st) == 0)
		warn_of_change(buf_view(&p.path), (uint64_t)st.st_mtime, start);
	program_release(&p);
}

/* Warns about doubtful shares, lines or instructions. */
static void
warn(const struct annotate *a, const struct annotate_how *how)
{
	const struct report *s = a->report;
	struct str start = folded_info_get(s->info, "start"), file;
	const struct source *source;
	struct intern seen = { 0 };
	uint32_t was, i;
	int c;

	for (c = 0; c < s->tree->columns; c++)
		if (s->samples[c] > 0 && s->samples[c] < STATS_SOFT) {
			msg_warn("only %.0f sample%s: the shares are approximate",
				s->samples[c], msg_s((uint64_t)s->samples[c]));
			break;
		}
	for (i = 0; i < a->function_n; i++) {
		file = a->functions[i].file;
		was = seen.n;
		if ((how->chosen && !how->chosen[i]) || intern_id(&seen, file) < was)
			continue;
		if (code) {
			warn_of_program(how, file, start);
			continue;
		}
		source = sources_find(how->sources, file);
		warn_of_change(source->found, source->changed, start);
	}
	intern_release(&seen);
}

static int
write_out(const struct annotate *a, struct annotate_how *how)
{
	struct terminal terminal;
	struct output out;
	bool good = true;

	terminal_init(&terminal, output_is_terminal(shared.output) ? STDOUT_FILENO : -1,
		(size_t)width, (enum terminal_colour)colour);
	how->terminal = &terminal;
	if (how->chosen || json)
		warn(a, how);
	output_open(&out, shared.output);
	if (code)
		good = json ? annotate_write_code_json(&out, a, how)
			    : annotate_write_code(&out, a, how);
	else if (json)
		annotate_write_json(&out, a, how);
	else
		annotate_write(&out, a, how);
	return output_close(&out) && good ? MSG_DONE : MSG_TROUBLE;
}

/* Reports that no frame has a place, or an instruction, to annotate. */
static void
report_nothing(void)
{
	if (code)
		msg_error("no frame has an instruction: fold with fg-collapse --asm");
	else
		msg_error("no frame has a line: fold with fg-collapse --srcline "
			  "--full-names");
}

/* Annotates S as requested. Returns the exit status. */
static int
annotate(const struct report *s)
{
	struct folders where = { .folders = &folders, .maps = &maps, .as_is = true };
	struct debuginfod *servers = fetch ? debuginfod_new() : NULL;
	/* Instructions get places from the debug information, lines from the text. */
	struct sources sources = { .where = { &folders, &maps, code },
		.cached = true,
		.servers = servers,
		.info = s->info };
	struct programs programs = { s->info, &where, &elfs, servers };
	struct annotate_how how = { .sources = &sources,
		.programs = &programs,
		.objdump = objdump,
		.context = (uint64_t)context };
	struct annotate a;
	bool *chosen, good = true;
	int status = MSG_TROUBLE;
	size_t i;

	annotate_init(&a, s, code ? ANNOTATE_CODE : ANNOTATE_LINES);
	how.top = top ? (uint32_t)top : UINT32_MAX;
	chosen = mem_zero((size_t)a.function_n + 1, sizeof *chosen);
	for (i = 0; i < names.n && a.function_n; i++)
		good &= choose(&a, names.items[i], chosen);
	/* The first function is the hottest one. */
	chosen[0] |= code && !names.n;
	how.chosen = names.n || code ? chosen : NULL;
	if (!a.function_n)
		report_nothing();
	else
		status = good ? write_out(&a, &how) : MSG_NO;
	free(chosen);
	sources_release(&sources);
	annotate_release(&a);
	debuginfod_free(servers);
	return status;
}

int
main(int argc, char **argv)
{
	static const struct folded_options how = { .given = &given };
	static const struct report_settings set = { .kind = REPORT_TOP };
	static const struct dimensions none = { .n = 0 };
	struct profile p;
	struct report s;
	char **paths;
	bool good;
	int i, status = MSG_TROUBLE;

	start_program(argv[0]);
	i = opt_parse(&program, argc, argv);
	paths = sort_operands(argv + i);
	profile_init(&p);
	good = profile_read(&p, paths, &how);
	if (profile_has_stacks(&p) &&
		(p.tree.sum[0] || (p.tree.columns > 1 && p.tree.sum[1]))) {
		profile_keep_dimensions(&p, &none);
		report_init(&s, &set, &p);
		status = annotate(&s);
		report_release(&s);
	} else if (good) {
		msg_error("no folded stacks in the input: nothing to annotate");
	}
	profile_release(&p);
	opt_list_release(&folders);
	opt_list_release(&maps);
	opt_list_release(&names);
	opt_list_release(&elfs);
	free(paths);
	return msg_status(good ? status : MSG_TROUBLE);
}
