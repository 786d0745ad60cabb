/* SPDX-License-Identifier: ISC */
/* JSON texts to every format that reads JSON: the sums of the tree are right. The
 * mutator changes values and keys rather than bytes, so that most texts pass the JSON
 * reader. The first byte chooses options. */
#include "formats.h"
#include "fuzz.h"
#include "mem.h"
#include "sink.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned int seed);

/* Firefox Profiler's tables refer to each other and may belong to a thread or to the
 * whole document, so values have to move between places. */
static const char *const values[] = { "null", "0", "1", "-1", "2", "3", "7", "0.5", "1e6",
	"-0.25", "65535", "2147483647", "2147483648", "4294967296", "-2147483649",
	"9007199254740993", "18446744073709551615", "1e300", "true", "[]", "{}", "\"\"",
	"\"0x528\"", "\"0x0\"", "\"a;b (in c) + 1\"", "\"f (x.js:1:2)[3]\"", "[0,1]",
	"[null,0]", "[[0,1],[1]]", "\"samples\"", "\"tracing-ms\"", "\"bytes\"",
	"\"raw\"", "{\"stack\":[0,1,null]}",
	"{\"prefix\":[null,0,1],\"frame\":[0,1,0]}" };

static const char *const keys[] = { "\"threads\"", "\"shared\"", "\"libs\"", "\"meta\"",
	"\"stackTable\"", "\"frameTable\"", "\"funcTable\"", "\"resourceTable\"",
	"\"stringArray\"", "\"stringTable\"", "\"samples\"", "\"prefix\"",
	"\"prefixOffset\"", "\"frame\"", "\"func\"", "\"name\"", "\"address\"", "\"lib\"",
	"\"resource\"", "\"inlineDepth\"", "\"isJS\"", "\"stack\"", "\"weight\"",
	"\"weightType\"", "\"timeDeltas\"", "\"time\"", "\"schema\"", "\"data\"",
	"\"processes\"", "\"profile\"", "\"nativeAllocations\"", "\"jsAllocations\"",
	"\"codeId\"", "\"breakpadId\"", "\"path\"", "\"start\"", "\"end\"", "\"offset\"",
	"\"categories\"", "\"preprocessedProfileVersion\"", "\"pid\"", "\"tid\"",
	"\"nodes\"", "\"children\"", "\"traceEvents\"", "\"ph\"", "\"ts\"", "\"dur\"",
	"\"frames\"", "\"raw\"", "\"profiles\"", "\"events\"", "\"pps\"", "\"ftbl\"" };

enum { TOKENS = 4096 };

struct token {
	size_t at, n;
};

/* Cuts TEXT into strings, brackets, and runs of other bytes; returns the number of
 * tokens. */
static size_t
cut_tokens(struct str text, struct token *tokens)
{
	size_t count = 0, at = 0, n;

	while (at < text.n && count < TOKENS) {
		n = 1;
		if (text.s[at] == '"') {
			while (at + n < text.n && text.s[at + n] != '"')
				n += text.s[at + n] == '\\' ? 2 : 1;
			n++;
		} else if (!memchr("[]{},: \n", text.s[at], 8)) {
			while (at + n < text.n &&
				!memchr("[]{},: \n\"", text.s[at + n], 9))
				n++;
		}
		n = n < text.n - at ? n : text.n - at;
		tokens[count++] = (struct token){ at, n };
		at += n;
	}
	return count;
}

/* The token behind the value that begins with token I. */
static size_t
end_of_value(struct str text, const struct token *tokens, size_t count, size_t i)
{
	size_t depth = 0;
	char c;

	for (; i < count; i++) {
		c = text.s[tokens[i].at];
		depth += c == '[' || c == '{';
		if (depth && (c == ']' || c == '}'))
			depth--;
		if (!depth)
			return i + 1;
	}
	return count;
}

/* The replacement for the value or key of tokens [FROM, TO): a fixed one, one of the
 * text, or nothing. */
static struct str
choose(struct str text, const struct token *tokens, size_t count, unsigned seed)
{
	size_t from = (seed >> 3) % count, to;

	switch (seed % 4) {
	case 0: return str_of(values[(seed >> 3) % (sizeof values / sizeof *values)]);
	case 1: return str_of(keys[(seed >> 3) % (sizeof keys / sizeof *keys)]);
	case 2: return (struct str){ 0 };
	default:
		to = end_of_value(text, tokens, count, from);
		return str_head(str_from(text, tokens[from].at),
			tokens[to - 1].at + tokens[to - 1].n - tokens[from].at);
	}
}

size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned int seed)
{
	static struct token tokens[TOKENS];
	struct str text = { (const char *)data + 1, size - 1 }, head, tail;
	size_t count, from, to;
	struct buf b = { 0 };

	if (size < 8 || seed % 16 == 0)
		return LLVMFuzzerMutate(data, size, max);
	count = cut_tokens(text, tokens);
	from = (seed >> 4) % count;
	to = end_of_value(text, tokens, count, from);
	head = str_head(text, tokens[from].at);
	tail = str_from(text, tokens[to - 1].at + tokens[to - 1].n);
	buf_char(&b, (char)(data[0] + (seed % 32 == 1)));
	buf_str(&b, head);
	buf_str(&b, choose(text, tokens, count, seed * 2654435761u >> 8));
	buf_str(&b, tail);
	size = b.n < max ? b.n : max;
	memcpy(data, b.s, size);
	buf_release(&b);
	return size;
}

static void
set_options(struct collapse_options *o, unsigned a)
{
	*o = (struct collapse_options){ .by = { a & 1 ? COLLAPSE_TID : COLLAPSE_COMM },
		.inlined = a & 2,
		.addrs = a & 4,
		.full_names = a & 8,
		.count = a & 16,
		.in_order = a & 32,
		.event = a & 64 ? "*" : NULL };
	if (a & 128)
		o->from = (struct collapse_moment){ .ns = 1000000, .given = true };
}

static void
run_format(const struct collapse_format *format, struct str text,
	const struct collapse_options *options)
{
	struct input *in = input_of_memory("fuzz", text);
	uint64_t self = 0;
	struct collapse *c = collapse_new(options);
	uint32_t i;

	collapse_begin(c, in);
	(void)format->run(in, c);
	for (i = 0; i < c->tree.n; i++)
		self += c->tree.self[0][i];
	LAW(self == c->tree.sum[0]);
	collapse_free(c);
	input_close(in);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = { (const char *)data, size };
	const struct formats_row *f;
	struct collapse_options options;
	size_t i, n = 0;

	if (size < 2)
		return 0;
	set_options(&options, data[0]);
	text = str_from(text, 1);
	while (formats_at(n))
		n++;
	/* The claiming formats, and one of the others. perf's formats are fuzzed
	 * elsewhere. */
	for (i = 0; (f = formats_at(i)); i++)
		if (!str_starts(str_of(f->name), STR("perf-")) &&
			(formats_claim(f->format, text) > 0 || i == size % n))
			run_format(f->format, text, &options);
	return 0;
}
