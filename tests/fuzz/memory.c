/* SPDX-License-Identifier: ISC */
/*
 * For MemorySanitizer: libraries are not instrumented, so memory that they write seems
 * uninitialised. The linker redirects their functions here (--wrap), and their output
 * is marked.
 */
#include <stddef.h>

#ifdef __has_feature
#if __has_feature(memory_sanitizer)
#define MEMORY 1
#endif
#endif

#ifndef MEMORY
extern const int memory_unused;
const int memory_unused = 0;
#else

#define PCRE2_CODE_UNIT_WIDTH 8
#include <bzlib.h>
#include <expat.h>
#include <lzma.h>
#include <pcre2.h>
#include <sanitizer/msan_interface.h>
#include <stdlib.h>
#include <zlib.h>
#include <zstd.h>

/* Marks the bytes between FROM and TO as written by a library. */
static void
mark(const void *from, const void *to)
{
	__msan_unpoison(from, (size_t)((const char *)to - (const char *)from));
}

#define WRAP(type, name, ...)            \
	type __real_##name(__VA_ARGS__); \
	type __wrap_##name(__VA_ARGS__); \
	type __wrap_##name(__VA_ARGS__)

WRAP(int, inflate, z_stream *z, int flush)
{
	Bytef *from = z->next_out;
	int status = __real_inflate(z, flush);

	__msan_unpoison(z, sizeof *z);
	mark(from, z->next_out);
	return status;
}

WRAP(int, deflate, z_stream *z, int flush)
{
	Bytef *from = z->next_out;
	int status = __real_deflate(z, flush);

	__msan_unpoison(z, sizeof *z);
	mark(from, z->next_out);
	return status;
}

WRAP(size_t, ZSTD_decompressStream, ZSTD_DStream *d, ZSTD_outBuffer *out,
	ZSTD_inBuffer *in)
{
	size_t status = __real_ZSTD_decompressStream(d, out, in);

	__msan_unpoison(out->dst, out->pos);
	return status;
}

WRAP(lzma_ret, lzma_code, lzma_stream *x, lzma_action action)
{
	uint8_t *from = x->next_out;
	lzma_ret status = __real_lzma_code(x, action);

	mark(from, x->next_out);
	return status;
}

WRAP(int, BZ2_bzDecompress, bz_stream *z)
{
	char *from = z->next_out;
	int status = __real_BZ2_bzDecompress(z);

	mark(from, z->next_out);
	return status;
}

WRAP(int, pcre2_match_8, const pcre2_code *code, PCRE2_SPTR text, PCRE2_SIZE n,
	PCRE2_SIZE start, uint32_t options, pcre2_match_data *data,
	pcre2_match_context *context)
{
	int status = __real_pcre2_match_8(code, text, n, start, options, data, context);

	__msan_unpoison(pcre2_get_ovector_pointer(data),
		2 * pcre2_get_ovector_count(data) * sizeof(PCRE2_SIZE));
	return status;
}

/* Pointers returned by expat lie in memory that it allocated here. */
static void *
give(size_t n)
{
	return calloc(1, n);
}

static void *
give_more(void *had, size_t n)
{
	void *more = realloc(had, n);

	if (more)
		__msan_unpoison(more, n);
	return more;
}

WRAP(XML_Parser, XML_ParserCreate, const XML_Char *encoding)
{
	static const XML_Memory_Handling_Suite memory = { give, give_more, free };

	return XML_ParserCreate_MM(encoding, &memory, NULL);
}

#endif
