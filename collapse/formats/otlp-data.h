/* SPDX-License-Identifier: ISC */
/*
 * Profiles of OpenTelemetry, from protobuf or JSON: what both readers fill, and what becomes of
 * it. A document has a dictionary, whose tables everything refers to by place (element 0 of each is
 * the null element), resources, and profiles, which have one type of sample each. An input may be
 * several documents.
 *
 * Versions of the protocol (opentelemetry-proto, profiles/v1development) moved the numbers of
 * fields of Sample without a mark:
 *
 *	1.8, 1.9	2 values, 3 attributes, 4 link
 *	1.10 and later	2 attributes, 3 link, 4 values
 *
 * so that the reader of protobuf hands over the lists of fields 2, 3 and 4, and the whole
 * document decides.
 */
#ifndef OTLP_DATA_H
#define OTLP_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arena.h"
#include "buf.h"
#include "stacks/cache.h"
#include "collapse.h"
#include "readers/json-columns.h"
#include "stacks/locations.h"
#include "readers/protobuf.h"
#include "stacks/quantity.h"

/* A key and a value, which is text or a place in the table of texts (TEXT is then empty). */
struct otlp_attribute {
	uint64_t key; /* a place in the table of texts */
	uint64_t value;
	struct str text;
	unsigned role; /* otlp-data.c's */
};

/* The lists of a sample: fields 2, 3 and 4 of the message. */
enum otlp_list { OTLP_FIELD_2, OTLP_FIELD_3, OTLP_FIELD_4, OTLP_LISTS };

struct otlp_sample {
	uint64_t stack;
	struct protobuf_numbers lists[OTLP_LISTS];
	struct protobuf_numbers times;
};

void otlp_sample_release(struct otlp_sample *s);

struct otlp_resource {
	struct str pid, comm;
	size_t label, label_n; /* of otlp.labels */
};

struct otlp_profile {
	uint64_t type, unit; /* places in the table of texts */
	uint64_t time;	     /* when it began, ns of 1970 on */
	size_t resource;

	/* The rest is otlp-data.c's. */
	unsigned metric;
	struct quantity quantity;
};

/* A type of samples of the whole input. */
struct otlp_type {
	struct str type, unit, name;
	struct quantity quantity;
	unsigned metric;
};

struct otlp {
	struct collapse *c; /* not owned */
	struct input *in;

	/* The document. Readers append to the locations; the rest has functions below. */
	struct locations locations;
	struct arena arena;
	struct otlp_attribute *attributes;
	size_t attribute_n, attribute_cap;
	struct json_texts stacks; /* packed places of locations */
	struct json_texts
		of_mapping; /* packed places of attributes, by mapping, by location */
	struct json_texts of_location;
	struct otlp_resource *resources;
	size_t resource_n, resource_cap;
	struct collapse_label *labels; /* of resources */
	size_t label_n, label_cap;
	struct otlp_profile *profiles;
	size_t profile_n, profile_cap;
	struct buf samples;			  /* of all profiles, as varints */
	uint64_t *times_seen;			  /* by sample: how many are the same */
	size_t sample_n, sample_cap, last_sample; /* the one that was added last */
	bool has_times;				  /* a sample has */
	struct cache known;	 /* numbers of samples, by their bytes in the input */
	struct cache known_put;	 /* the same, by their bytes in samples */
	bool seen[OTLP_LISTS];	 /* samples had such a list */
	bool packed[OTLP_LISTS]; /* the reader found one packed */
	bool untimed;		 /* one had field 2 and no times */
	uint64_t largest;	 /* number of field 2 */

	/* The input. */
	bool moved; /* JSON: its keys tell what lists are, as in 1.10 */
	bool timed; /* times of samples are wanted */
	struct otlp_type *types;
	size_t type_n, type_cap;
	struct arena names;
	unsigned main; /* metric */
	bool has_main, uncounted;

	/* While samples are folded. */
	struct otlp_sample sample;
	struct collapse_sample s;
	struct collapse_label *sample_labels;
	size_t sample_label_cap;
	struct buf bytes;   /* of the list under way */
	struct cache nodes; /* by root and stack */
	uint64_t *places;
	size_t place_cap;
};

void otlp_init(struct otlp *o, struct collapse *c, struct input *in);
void otlp_release(struct otlp *o);

/* Adds a resource; the profiles that follow are of it. */
void otlp_add_resource(struct otlp *o);

/* Adds KEY with VALUE, which are copied, to the resource that was added last. */
void otlp_add_resource_attribute(struct otlp *o, struct str key, struct str value);

/* Adds a profile, whose samples follow. Its fields are to be set, before otlp_fold. */
struct otlp_profile *otlp_add_profile(struct otlp *o);

/* Adds an element of the table of attributes; its text is copied. */
void otlp_add_attribute(struct otlp *o, const struct otlp_attribute *a);

/* Add an element of a table to the locations, and the places of its attributes; a stack is places
 * of locations, innermost first. */
void otlp_add_mapping(struct otlp *o, const struct location_mapping *m,
	const struct protobuf_numbers *attributes);
void otlp_add_location(struct otlp *o, const struct location *location,
	const struct protobuf_numbers *attributes);
void otlp_add_stack(struct otlp *o, const struct protobuf_numbers *locations);

/* Whether a sample of the last profile is known by KEY, the digest of what says it: then it
 * counts once more. Those with times are not. */
bool otlp_add_known_sample(struct otlp *o, struct str_digest key);

/* Makes the sample that was added last known by KEY. */
void otlp_know_sample(struct otlp *o, struct str_digest key);

/* Adds S to the profile that was added last. */
void otlp_add_sample(struct otlp *o, const struct otlp_sample *s);

/* Folds the document, and makes room for the next. */
void otlp_fold(struct otlp *o);

/* To be called at the end of the input: false, after an error, when it had nothing to choose from,
 * or not what --cost asks for. */
bool otlp_end(struct otlp *o);

/* Prints that IN is of a version before 1.8. */
void otlp_refuse(const struct input *in);

#endif
