/* SPDX-License-Identifier: ISC */
/*
 * Any bytes as folded text and as the values of options, drawn: expat, an independent
 * parser, accepts the document as well-formed UTF-8 XML with namespaces, texts and
 * attributes stay within parser limits, and the stacks read back equal the input.
 *
 * Four bytes choose options; of the rest, each part that ends with 0x1e is a text
 * (title, subtitle, notes, ..., then files of attributes and of colours for names), and
 * the remainder is the input.
 */
#include "nameattr.h"
#include "profile.h"
#include "fuzz.h"
#include "mem.h"
#include "palette.h"
#include "svg.h"
#include "svg-data.h"

#include <expat.h>

enum { TEXTS = 6, TEXT_MOST = 4096, FILES = 2, PATH = 40 };

/* The input to draw, and its options. */
struct task {
	struct picture_settings set;
	struct str folded;
	char texts[TEXTS][TEXT_MOST + 1];
	char paths[FILES][PATH];
	struct nameattr_list attrs;
	struct palette_rules rules;
};

static void
choose(struct picture_settings *set, const uint8_t *byte)
{
	static const char *const palettes[] = { "auto", "java", "js", "module", "mem",
		"hot", "rust", "python" };
	static const char *const totals[] = { NULL, "18446744073709551615", "7.5", "1" };

	*set = (struct picture_settings){ .nametype = "Function:",
		.colors = palettes[byte[0] & 7],
		.uicolor = "#000000",
		.searchcolor = "#e600e6",
		.stroke = byte[1] & 1 ? "#123" : "",
		.background = byte[1] & 2 ? "yellow" : NULL,
		.total = totals[byte[1] >> 2 & 3],
		.width = byte[3] & 1 ? 100 + byte[3] : 0,
		.frameheight = byte[3] & 2 ? 2 + byte[3] % 40 : 16,
		.minwidth = byte[1] & 16 ? 0 : 1,
		.minwidth_is_percent = byte[1] & 32,
		.fontsize = byte[3] & 4 ? 1 + byte[3] % 60 : 12,
		.fontwidth = byte[3] & 8 ? 0.1 : 0,
		.confidence = 0.95,
		.factor = byte[3] & 16 ? 1e-12
			: byte[3] & 32 ? 1e12
				       : 1 };
	set->inverted = byte[0] & 16;
	set->reverse = byte[0] & 32;
	set->flamechart = byte[0] & 64;
	set->by_spelling = byte[0] & 128;
	set->by_self = byte[2] & 1;
	set->negate = byte[2] & 2;
	set->compress = byte[2] & 4;
	set->truncate_right = byte[2] & 8;
	set->no_data = byte[2] & 16;
	set->no_vanished = byte[2] & 32;
	set->all_changes = byte[2] & 64;
}

/* Cuts the next part and its terminating 0x1e off *DATA. */
static bool
cut_part(struct str *data, struct str *part)
{
	if (str_find(*data, 0x1e) == data->n)
		return false;
	*part = str_cut(data, 0x1e);
	return true;
}

static void
put_file(char path[PATH], struct str text)
{
	int fd;

	snprintf(path, PATH, "/tmp/fuzz-document-XXXXXX");
	fd = mkstemp(path);
	LAW(fd >= 0);
	LAW(write(fd, text.s ? text.s : "", text.n) == (ssize_t)text.n);
	close(fd);
}

/* Parses the files of attributes and colours. */
static void
parse_files(struct task *task, struct str *data)
{
	struct picture_settings *set = &task->set;
	struct str text;

	if (!cut_part(data, &text))
		return;
	put_file(task->paths[0], text);
	if (nameattr_list_init(&task->attrs, task->paths[0]))
		set->attrs = &task->attrs;
	unlink(task->paths[0]);
	if (!cut_part(data, &text))
		return;
	put_file(task->paths[1], text);
	if (palette_rules_init(&task->rules, task->paths[1]))
		set->rules = &task->rules;
	unlink(task->paths[1]);
}

/* False if the input is too short for options. */
static bool
parse_task(struct task *task, struct str data)
{
	struct picture_settings *set = &task->set;
	const char **place[TEXTS] = { &set->title, &set->subtitle, &set->notes,
		&set->countname, &set->nametype, &set->fonttype };
	struct str text;
	size_t i;

	if (data.n < 4)
		return false;
	choose(set, (const uint8_t *)data.s);
	data = str_from(data, 4);
	for (i = 0; i < TEXTS && cut_part(&data, &text); i++) {
		text = str_head(text, TEXT_MOST);
		memcpy(task->texts[i], text.s, text.n);
		task->texts[i][text.n] = 0;
		*place[i] = task->texts[i];
	}
	if (i == TEXTS)
		parse_files(task, &data);
	task->folded = data;
	return true;
}

/* False where programs refuse: the dimensions of some stacks are unknown. */
static bool
read_text(struct profile *p, struct str text, const struct folded_options *how)
{
	struct input *in = input_of_memory("fuzz", text);

	profile_init(p);
	profile_add(p, in, how);
	p->count.rounded += tree_settle(&p->tree);
	input_close(in);
	return folded_by_settle(&p->by, &p->info);
}

/* The stacks of T with weight, names unchanged. */
static void
put_stacks(struct buf *b, const struct tree *t)
{
	struct tree_walk w;
	uint32_t i, at;
	int c;

	tree_walk_init(&w, t, TREE_BY_NAME);
	for (i = 0; i < w.n; i++) {
		if (!t->self[0][w.node[i]] && (t->columns == 1 || !t->self[1][w.node[i]]))
			continue;
		for (at = w.node[i]; at != TREE_ROOT; at = t->nodes[at].parent) {
			buf_str(b, intern_str(&t->names, t->nodes[at].name));
			buf_char(b, ';');
		}
		for (c = 0; c < t->columns; c++) {
			buf_char(b, ' ');
			weight_put_scaled(b, t->self[c][w.node[i]], t->scale);
		}
		buf_char(b, '\n');
	}
	tree_walk_release(&w);
}

/* The length of text since the last tag. */
static void XMLCALL
handle_characters(void *length, const XML_Char *s, int n)
{
	(void)s;
	*(size_t *)length += (size_t)n;
	LAW(*(size_t *)length <= SVG_DATA_CHUNK);
}

static void XMLCALL
handle_tag(void *length, const XML_Char *name, const XML_Char **attributes)
{
	(void)name;
	*(size_t *)length = 0;
	for (; *attributes; attributes += 2)
		LAW(strlen(attributes[1]) <= SVG_DATA_CHUNK);
}

static void
parse(struct str document)
{
	XML_Parser parser = XML_ParserCreateNS(NULL, ' ');
	enum XML_Status status;
	size_t length = 0;

	LAW(parser != NULL);
	XML_SetUserData(parser, &length);
	XML_SetStartElementHandler(parser, handle_tag);
	XML_SetCharacterDataHandler(parser, handle_characters);
	status = XML_Parse(parser, document.s, (int)document.n, 1);
	if (status != XML_STATUS_OK)
		fprintf(stderr, "%s\n", XML_ErrorString(XML_GetErrorCode(parser)));
	LAW(status == XML_STATUS_OK);
	XML_ParserFree(parser);
}

/* Reads DOCUMENT, the picture of TEXT, back. */
static void
check_stacks(struct str document, struct str text)
{
	static const struct folded_options plain = { .reverse = false };
	struct profile was, is;
	struct buf a = { 0 }, b = { 0 };

	(void)read_text(&was, text, &plain);
	(void)read_text(&is, document, &plain);
	LAW(is.tree.columns == was.tree.columns);
	put_stacks(&a, &was.tree);
	put_stacks(&b, &is.tree);
	LAW(str_eq(buf_view(&a), buf_view(&b)));
	profile_release(&was);
	profile_release(&is);
	buf_release(&a);
	buf_release(&b);
}

static void
draw(const struct task *task, struct profile *profile)
{
	struct timeline timeline = { .n = 0 };
	bool has_times = !task->set.reverse && !task->set.flamechart &&
		timeline_init(&timeline, profile);
	struct picture p;
	struct output out;
	FILE *f = fuzz_output(&out);
	struct buf b = { 0 };

	picture_init(&p, &task->set, profile, has_times ? &timeline : NULL);
	svg_write(&out, &p);
	picture_release(&p);
	timeline_release(&timeline);
	fuzz_written(&out, f, &b);
	parse(buf_view(&b));
	LAW(svg_data_is_left_out(buf_view(&b)) == task->set.no_data);
	/* A flame chart rounds each stretch separately, folded stacks their sum. */
	if (!task->set.no_data && !(task->set.flamechart && profile->count.rounded))
		check_stacks(buf_view(&b), task->folded);
	buf_release(&b);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct task task;
	struct folded_options how = { .reverse = false };
	struct profile p;

	memset(&task.attrs, 0, sizeof task.attrs);
	memset(&task.rules, 0, sizeof task.rules);
	if (!parse_task(&task, (struct str){ (const char *)data, size }))
		return 0;
	how.reverse = task.set.reverse;
	how.in_order = task.set.flamechart;
	if (read_text(&p, task.folded, &how) && picture_has_width(&task.set, &p))
		draw(&task, &p);
	profile_release(&p);
	nameattr_list_release(&task.attrs);
	palette_rules_release(&task.rules);
	return 0;
}
