/* SPDX-License-Identifier: ISC */
/* Adds up folded inputs; see merge.h. */
#include "merge.h"
#include "graft.h"
#include "sanitize.h"
#include "scale.h"
#include "mem.h"

#include <inttypes.h>

void
merge_mean_init(struct merge_mean *m, uint64_t files, const uint64_t sum[TREE_COLUMNS],
	unsigned *scale)
{
	uint64_t most = (sum[0] > sum[1] ? sum[0] : sum[1]) / files + 1;

	*m = (struct merge_mean){ .files = files,
		.times = scale_decimals(files, most, scale) };
}

uint64_t
merge_mean_of(struct merge_mean *m, uint64_t weight)
{
	uint64_t rest = weight % m->files * m->times, left = rest % m->files;
	uint64_t mean = weight / m->files * m->times + rest / m->files +
		(left >= m->files - left && left);

	m->rounded += left != 0;
	return mean || !weight ? mean : 1;
}

void
merge_init(struct merge *m, const struct merge_options *options, const char *folder)
{
	*m = (struct merge){ .options = options,
		.said.known = (int)options->given.columns,
		.spill = { .folder = folder, .memory = options->memory } };
	if (options->memory)
		mem_return_large();
	profile_init(&m->sum);
}

void
merge_release(struct merge *m)
{
	profile_release(&m->sum);
	spill_release(&m->spill);
}

/* NAME without folders and the extensions of files that we read and write. */
static struct str
bare_name(struct str name)
{
	static const char *const endings[] = { ".gz", ".zst", ".folded", ".collapsed",
		".svg", ".txt" };
	struct str end;
	size_t i;

	name = str_base(name);
	for (i = 0; i < sizeof endings / sizeof *endings; i++) {
		end = str_of(endings[i]);
		if (name.n > end.n && str_ends(name, end))
			name.n -= end.n;
	}
	return name;
}

struct str
merge_label(const char *operand, bool labelled, const char **path)
{
	struct str all = str_of(operand);
	size_t at = str_find(all, '=');

	*path = operand;
	if (labelled && at < all.n && at < str_find(all, '/')) {
		*path = operand + at + 1;
		return str_head(all, at);
	}
	return str_eq(all, STR("-")) ? STR("stdin") : bare_name(all);
}

/* Moves the stacks of T to a file; T keeps their sums. False after a message. */
static bool
put_away(struct merge *m, struct tree *t)
{
	struct tree before;

	m->wide |= t->nano[0] != NULL;
	sanitize_names(t);
	tree_freeze(t);
	if (!spill_add(&m->spill, t))
		return false;
	before = *t;
	tree_release(t);
	tree_init(t, before.columns);
	t->scale = before.scale;
	memcpy(t->sum, before.sum, sizeof t->sum);
	return true;
}

/* The same while an input is read. Ends the program on failure: it cannot continue. */
static void
spill_tree(void *to, struct tree *t)
{
	struct merge *m = to;

	if (!m->spill.most)
		disk_tell(&m->spill, &m->inputs);
	if (!put_away(m, t))
		msg_die("nothing was written");
}

/* Converts runs to other dimensions. */
struct rewrite {
	const struct merge *m;
	const struct dimensions_map *map;
	struct spill runs; /* the new runs */
	struct tree t;	   /* stacks not in a run yet */
	struct buf stack;
	bool failed;
};

static void
rewrite_init(struct rewrite *w, const struct merge *m, const struct dimensions_map *map)
{
	*w = (struct rewrite){ .m = m,
		.map = map,
		.runs = { .folder = m->spill.folder, .memory = m->spill.memory } };
	tree_init(&w->t, m->sum.tree.columns);
	(void)tree_set_scale(&w->t, m->sum.tree.scale);
}

/* Writes the collected stacks to a run. */
static void
end_run(struct rewrite *w)
{
	w->failed |= !spill_add(&w->runs, &w->t);
	tree_release(&w->t);
	tree_init(&w->t, w->m->sum.tree.columns);
	(void)tree_set_scale(&w->t, w->m->sum.tree.scale);
}

static void
rewrite_stack(void *to, struct str stack, const uint64_t weight[TREE_COLUMNS])
{
	struct rewrite *w = to;
	uint32_t node = TREE_ROOT;
	struct str rest;
	bool more;
	int c;

	buf_clear(&w->stack);
	more = dimensions_cut(w->map, &stack, &w->stack);
	folded_by_put_rest(&w->stack, stack, more);
	rest = buf_view(&w->stack);
	do {
		more = str_find(rest, ';') < rest.n;
		node = tree_child(&w->t, node, str_cut(&rest, ';'));
	} while (more);
	for (c = 0; c < w->t.columns; c++)
		(void)tree_add(&w->t, node, c, weight[c]);
	if (tree_bytes(&w->t) > w->m->options->memory)
		end_run(w);
}

/* Converts the stacks in files to other dimensions, like those in the tree. */
static void
change_runs(void *to, const struct dimensions_map *map)
{
	struct merge *m = to;
	struct rewrite w;

	if (!m->spill.n)
		return;
	rewrite_init(&w, m, map);
	w.failed |= !spill_merge(&m->spill, m->sum.tree.scale, rewrite_stack, &w);
	end_run(&w);
	tree_release(&w.t);
	buf_release(&w.stack);
	/* The old runs existed until now. */
	w.runs.most += m->spill.bytes;
	w.runs.most = m->spill.most > w.runs.most ? m->spill.most : w.runs.most;
	spill_release(&m->spill);
	m->spill = w.runs;
	if (w.failed)
		msg_die("nothing was written");
}

static struct str
spelled_unit(struct str unit)
{
	return unit.n ? str_head(unit, 80) : STR("unknown units");
}

/* Reports that the UNIT of IN differs from that of earlier inputs. */
static void
report_unit(const struct merge *m, const struct input *in, struct str unit)
{
	struct str before = spelled_unit(folded_info_get(&m->sum.info, "unit"));

	unit = spelled_unit(unit);
	msg_error("%s: its weights are in %.*s, those before in %.*s; use --force "
		  "to add them up anyway",
		input_name(in), (int)unit.n, unit.s, (int)before.n, before.s);
}

/* Merges the header of IN. */
static bool
merge_info(struct merge *m, const struct input *in, const struct folded_info *info)
{
	struct str unit = folded_info_get(info, "unit");

	m->speaking++;
	if (info->headed && m->sum.info.headed && !m->options->force &&
		!str_eq(unit, folded_info_get(&m->sum.info, "unit"))) {
		report_unit(m, in, unit);
		return false;
	}
	folded_info_merge(&m->sum.info, info);
	return true;
}

/* Adds the line counts of IN. */
static bool
add_count(struct merge *m, struct input *in, const struct folded_count *count)
{
	folded_count_add(&m->sum.count, count);
	if (!count->lines && count->malformed && !count->refused)
		msg_error("%s: has no folded stacks", input_name(in));
	return !input_failed(in) && !count->refused &&
		(count->lines || !count->malformed);
}

/* Adds the stacks of IN below LABEL; COLUMNS is the number of weights if IN does not state it. */
static bool
add_stacks(struct merge *m, struct input *in, int columns, struct str label)
{
	const struct folded_options how = { .columns = columns,
		.given = &m->options->given,
		.under = label,
		.by = &m->sum.by,
		.limit = m->options->memory,
		.full = spill_tree,
		.change = change_runs,
		.to = m };
	struct folded_count count = { 0 };
	struct folded_info info = { .n = 0 };
	bool good;

	folded_read(in, &m->sum.tree, &info, &how, &count);
	good = add_count(m, in, &count);
	if (good && (count.lines || info.headed || info.said))
		good = merge_info(m, in, &info);
	folded_info_release(&info);
	return good;
}

bool
merge_read(struct merge *m, const char *operand, char **rest)
{
	const char *path;
	struct str label = merge_label(operand, m->options->label, &path);
	struct input *in = input_open(path);
	struct buf frame = { 0 };
	int columns;
	bool good;

	if (!in)
		return false;
	if (m->options->label)
		folded_put_frame(&frame, label);
	m->files++;
	m->inputs.in = in;
	m->inputs.coming = rest;
	columns = folded_columns(&m->said, in, rest);
	good = add_stacks(m, in, columns, buf_view(&frame));
	if (m->sum.count.lines)
		m->columns = m->sum.tree.columns;
	m->inputs.read += input_taken(in);
	buf_release(&frame);
	input_close(in);
	return good;
}

/* Whether no weight was skipped, and all decimals fit in 64 bits. */
static bool
is_exact(const struct merge *m)
{
	return !m->sum.count.overflow && !m->wide && !m->sum.tree.nano[0];
}

/* Writes merged runs. */
struct writer {
	struct output *out;
	struct merge_mean mean;
	struct spill_form form;
	struct str lead; /* a prefix for every stack */
	struct buf line;
};

static void
write_stack(void *to, struct str stack, const uint64_t weight[TREE_COLUMNS])
{
	struct writer *w = to;
	uint64_t mean[TREE_COLUMNS] = { 0 };
	bool any = false;
	int c;

	for (c = 0; c < w->form.columns; c++) {
		mean[c] = merge_mean_of(&w->mean, weight[c]);
		any |= mean[c] != 0;
	}
	if (!any)
		return;
	buf_clear(&w->line);
	buf_str(&w->line, w->lead);
	spill_put_line(&w->line, &w->form, stack, mean);
	output_str(w->out, buf_view(&w->line));
}

/* Puts all stacks of T below the frames of LEAD, each followed by ';'. */
static void
put_below(struct tree *t, struct str lead)
{
	uint32_t *top;
	struct graft g;

	graft_move(&g, t);
	for (top = &g.now[TREE_ROOT]; lead.n;)
		*top = tree_child(t, *top, str_cut(&lead, ';'));
	graft_nodes(&g);
	graft_weigh(&g);
	free(graft_end(&g));
}

static void
write_tree(struct merge *m, struct writer *w)
{
	struct tree *t = &m->sum.tree;
	uint32_t i;
	int c;

	for (c = 0; c < t->columns; c++)
		for (i = 1; i < t->n; i++)
			t->self[c][i] = merge_mean_of(&w->mean, t->self[c][i]);
	t->scale = w->form.scale;
	if (w->lead.n)
		put_below(t, w->lead);
	folded_write(w->out, t);
}

/* Sums of the output. */
struct sums {
	struct merge_mean mean;
	uint64_t sum[TREE_COLUMNS];
};

static void
add_stack(void *to, struct str stack, const uint64_t weight[TREE_COLUMNS])
{
	struct sums *s = to;
	int c;

	(void)stack;
	for (c = 0; c < TREE_COLUMNS; c++)
		s->sum[c] += merge_mean_of(&s->mean, weight[c]);
}

/* The total weight of the stacks that W will write. With rounded means, it is the sum of these. */
static bool
find_sums(struct merge *m, const struct writer *w, struct folded_sums *sums)
{
	struct sums s = { .mean = w->mean };
	const struct tree *t = &m->sum.tree;
	bool good = true;
	uint32_t i;
	int c;

	*sums = (struct folded_sums){ .columns = t->columns };
	if (w->mean.files > 1 && m->spill.n)
		good = spill_merge(&m->spill, t->scale, add_stack, &s);
	for (c = 0; c < t->columns; c++) {
		for (i = 1; w->mean.files > 1 && i < t->n; i++)
			s.sum[c] += merge_mean_of(&s.mean, t->self[c][i]);
		if (w->mean.files == 1)
			s.sum[c] = t->sum[c];
		sums->sum[c] = weight_of(s.sum[c], w->form.scale);
	}
	return good;
}

/* Writes the header of a sum or a mean, which divides the duration by FILES. */
static void
write_header(struct merge *m, const struct writer *w, struct folded_sums sums)
{
	uint64_t files = w->mean.files;
	static const char *const keys[] = { "duration", "duration-before" };
	uint64_t value;
	size_t i;

	for (i = 0; i < sizeof keys / sizeof *keys && files > 1; i++) {
		value = folded_info_u64(&m->sum.info, keys[i]);
		if (value)
			folded_info_set_u64(&m->sum.info, keys[i],
				value / files + (value % files >= files - value % files));
	}
	folded_info_sort(&m->sum.info);
	if (!m->options->no_header)
		folded_write_header(w->out, &m->sum.info, sums);
}

/* Adds the dimensions of the options to those of the sum. False, after an error, for a duplicate,
 * or when there are too many. */
static bool
add_dimensions(struct merge *m)
{
	struct dimensions all = { .n = 0 };
	const struct dimensions *by = &m->options->by, *now = &m->sum.by.now;
	struct buf key = { 0 };
	bool good = true;
	size_t i;

	if (!by->n)
		return true;
	dimensions_copy(&all, by);
	for (i = 0; i < now->n && good; i++) {
		good = dimensions_add(&all, now->name[i]);
		if (!good)
			msg_error("--by: the input has the dimension %.*s already",
				STR_ARG(now->name[i]));
	}
	dimensions_put(&key, &all);
	folded_info_set(&m->sum.info, "by", buf_view(&key));
	buf_release(&key);
	dimensions_release(&all);
	return good;
}

bool
merge_write(struct merge *m, struct output *out)
{
	uint64_t files = m->options->mean && m->files ? m->files : 1;
	unsigned scale = m->sum.tree.scale;
	struct writer w = { .out = out, .lead = buf_view(&m->options->values) };
	struct folded_sums sums;
	bool good = true;

	if (!is_exact(m)) {
		msg_error("the sum of the weights%s overflows 64 bits, nothing was "
			  "written; merge fewer files, or collapse with --weight samples",
			m->sum.count.overflow ? "" : ", with their decimals,");
		return false;
	}
	merge_mean_init(&w.mean, files, m->sum.tree.sum, &scale);
	w.form = (struct spill_form){ m->sum.tree.columns, scale };
	if (m->spill.n)
		good = put_away(m, &m->sum.tree);
	else
		sanitize_names(&m->sum.tree);
	if (!good || !folded_by_settle(&m->sum.by, &m->sum.info) || !add_dimensions(m) ||
		!find_sums(m, &w, &sums)) {
		msg_error("nothing was written");
		return false;
	}
	folded_given_put(&m->options->given, &m->sum.info, m->sum.tree.columns);
	write_header(m, &w, sums);
	if (!m->spill.n)
		write_tree(m, &w);
	else
		good = spill_merge(&m->spill, m->sum.tree.scale, write_stack, &w);
	buf_release(&w.line);
	m->rounded = w.mean.rounded;
	return good;
}
