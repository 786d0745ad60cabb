/* SPDX-License-Identifier: ISC */
/* The hottest lines of functions; see hot-lines.h. */
#include "hot-lines.h"
#include "annotate.h"
#include "frame.h"
#include "graft.h"
#include "json.h"
#include "mem.h"
#include "msg.h"

/* At most this many lines per function and columns per line, of functions above this share in
 * percent. */
enum { LINES = 10, COLUMNS = 100 };
static const double LEAST = 0.1;

/* Adds LINE: "spin.c:19 4.6 % (94.8 %) s += two(i);". */
static void
put_line(struct buf *b, const struct annotate *a, const struct annotate_line *line,
	struct sources *sources)
{
	const struct annotate_function *f = &a->functions[line->function];
	const int last = a->report->tree->columns - 1;
	struct str text = sources_line(sources_find(sources, f->file), line->number);

	buf_str(b, str_base(f->file));
	buf_char(b, ':');
	buf_u64(b, line->number);
	buf_fmt(b, " %.1f %% (%.1f %%) ", report_share(a->report, line->self[last], last),
		report_share(a->report, line->total[last], last));
	buf_visible(b, str_head(str_trim(text), COLUMNS), BUF_MARK, COLUMNS);
	buf_char(b, '\n');
}

/* Adds the lines of A, hottest first, to their functions. */
static void
collect(struct hot_lines *h, const struct annotate *a, struct sources *sources)
{
	const int last = a->report->tree->columns - 1;
	uint32_t *order = annotate_hottest(a), *count, i, id;
	const struct annotate_line *line;

	h->texts = mem_zero((size_t)a->function_n + 1, sizeof *h->texts);
	count = mem_zero((size_t)a->function_n + 1, sizeof *count);
	for (i = 0; i < a->line_n; i++) {
		line = &a->lines[order[i]];
		if (report_share(a->report, line->total[last], last) < LEAST)
			continue;
		id = intern_id(&h->functions, a->functions[line->function].name);
		if (count[id]++ < LINES)
			put_line(&h->texts[id], a, line, sources);
	}
	free(count);
	free(order);
}

/* Makes T the tree of functions without lines. */
static void
cut_places(struct tree *t)
{
	struct graft g;

	graft_move(&g, t);
	graft_rename(&g, frame_put_without_place);
	graft_nodes(&g);
	graft_weigh(&g);
	free(graft_end(&g));
}

bool
hot_lines_init(struct hot_lines *h, struct profile *p, const struct opt_list *folders,
	struct debuginfod *servers)
{
	static const struct report_settings set = { .kind = REPORT_TOP };
	struct sources sources = {
		.where = { .folders = folders }, .servers = servers, .info = &p->info
	};
	struct annotate a;
	struct report s;
	bool found;

	*h = (struct hot_lines){ .texts = NULL };
	report_init(&s, &set, p);
	annotate_init(&a, &s, ANNOTATE_LINES);
	found = a.function_n > 0;
	if (found)
		collect(h, &a, &sources);
	else
		msg_error("%s: no frame has a line: fold with fg-collapse --srcline "
			  "--full-names",
			folders->n ? "--source" : "--debuginfod");
	annotate_release(&a);
	report_release(&s);
	sources_release(&sources);
	if (found) {
		cut_places(&p->tree);
		folded_info_forget_tests(&p->info);
	}
	return found;
}

void
hot_lines_release(struct hot_lines *h)
{
	uint32_t i;

	for (i = 0; i < h->functions.n; i++)
		buf_release(&h->texts[i]);
	free(h->texts);
	intern_release(&h->functions);
}

void
hot_lines_put(struct buf *b, const struct hot_lines *h)
{
	struct str rest;
	uint32_t i;

	json_array(b, "lines");
	for (i = 0; i < h->functions.n; i++) {
		json_element_array(b);
		json_element_str(b, intern_str(&h->functions, i));
		json_element_array(b);
		for (rest = buf_view(&h->texts[i]); rest.n;)
			json_element_str(b, str_cut(&rest, '\n'));
		json_array_end(b);
		json_array_end(b);
	}
	json_array_end(b);
}
