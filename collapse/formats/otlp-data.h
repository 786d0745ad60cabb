/* SPDX-License-Identifier: ISC */
/*
 * OpenTelemetry profiles: filled in by the readers of protobuf and JSON, then folded. A
 * document has a dictionary, whose tables are referred to by index (element 0 of each is
 * the null element), resources, and profiles with one sample type each. An input may
 * contain several documents.
 *
 * Versions of the protocol (opentelemetry-proto, profiles/v1development) renumbered the
 * fields of Sample, and messages do not contain a version:
 *
 *	1.8, 1.9	2 values, 3 attributes, 4 link
 *	1.10 and later	2 attributes, 3 link, 4 values
 *
 * So the protobuf reader passes on the lists of fields 2, 3 and 4, and the complete
 * document shows which version it is.
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

/* A key, and a value: TEXT, or if that is empty an index in the string table. */
struct otlp_attribute {
	uint64_t key; /* an index in the string table */
	uint64_t value;
	struct str text;
	unsigned role; /* used by otlp-data.c */
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
	size_t label, label_n; /* in otlp.labels */
};

struct otlp_profile {
	uint64_t type, unit; /* indices in the string table */
	uint64_t time;	     /* start, in ns since 1970 */
	size_t resource;

	/* Used by otlp-data.c. */
	unsigned metric;
	struct quantity quantity;
};

/* A sample type of the input. */
struct otlp_type {
	struct str type, unit, name;
	struct quantity quantity;
	unsigned metric;
};

struct otlp {
	struct collapse *c; /* not owned */
	struct input *in;

	/* The current document. Readers append to the locations directly, to the rest by
	 * functions below. */
	struct locations locations;
	struct arena arena;
	struct otlp_attribute *attributes;
	size_t attribute_n, attribute_cap;
	struct json_texts stacks; /* packed indices of locations */
	struct json_texts
		of_mapping; /* packed indices of attributes, by mapping, by location */
	struct json_texts of_location;
	struct otlp_resource *resources;
	size_t resource_n, resource_cap;
	struct collapse_label *labels; /* of resources */
	size_t label_n, label_cap;
	struct otlp_profile *profiles;
	size_t profile_n, profile_cap;
	struct buf samples;			  /* of all profiles, as varints */
	uint64_t *times_seen;			  /* by sample: how often it occurred */
	size_t sample_n, sample_cap, last_sample; /* last_sample: the one that was added
	                                           * last */
	bool has_times;				  /* some sample has times */
	struct cache known;	 /* indices of samples, by their bytes in the input */
	struct cache known_put;	 /* the same, by their bytes in samples */
	bool seen[OTLP_LISTS];	 /* some sample has this list */
	bool packed[OTLP_LISTS]; /* some list was packed */
	bool untimed;		 /* some sample has field 2 but no times */
	uint64_t largest;	 /* largest number in field 2 */

	/* The whole input. */
	bool moved; /* JSON: its keys name the lists, as in 1.10 */
	bool timed; /* times of samples are needed */
	struct otlp_type *types;
	size_t type_n, type_cap;
	struct arena names;
	unsigned main; /* metric */
	bool has_main, uncounted;

	/* Used while folding. */
	struct otlp_sample sample;
	struct collapse_sample s;
	struct collapse_label *sample_labels;
	size_t sample_label_cap;
	struct buf bytes;   /* of the current list */
	struct cache nodes; /* by root and stack */
	uint64_t *places;
	size_t place_cap;
};

void otlp_init(struct otlp *o, struct collapse *c, struct input *in);
void otlp_release(struct otlp *o);

/* Adds a resource, to which the profiles that follow belong. */
void otlp_add_resource(struct otlp *o);

/* Adds KEY and VALUE, which are copied, to the last resource. */
void otlp_add_resource_attribute(struct otlp *o, struct str key, struct str value);

/* Adds a profile, to which the samples that follow belong. Fill in its fields before
 * otlp_fold. */
struct otlp_profile *otlp_add_profile(struct otlp *o);

/* Adds an element to the attribute table. Its text is copied. */
void otlp_add_attribute(struct otlp *o, const struct otlp_attribute *a);

/* Each adds an element to a table, with the indices of its attributes. A stack is a list
 * of location indices, innermost first. */
void otlp_add_mapping(struct otlp *o, const struct location_mapping *m,
	const struct protobuf_numbers *attributes);
void otlp_add_location(struct otlp *o, const struct location *location,
	const struct protobuf_numbers *attributes);
void otlp_add_stack(struct otlp *o, const struct protobuf_numbers *locations);

/* Counts the last profile's sample with KEY, the digest of its bytes, once more. Returns
 * false if there is none; samples with times are never found. */
bool otlp_add_known_sample(struct otlp *o, struct str_digest key);

/* Lets otlp_add_known_sample find the last sample by KEY. */
void otlp_know_sample(struct otlp *o, struct str_digest key);

/* Adds S to the last profile. */
void otlp_add_sample(struct otlp *o, const struct otlp_sample *s);

/* Folds the document, and prepares for the next one. */
void otlp_fold(struct otlp *o);

/* Call at the end of the input. Returns false, after an error, without profiles or
 * without the metric of --cost. */
bool otlp_end(struct otlp *o);

/* Reports that IN is older than version 1.8. */
void otlp_refuse(const struct input *in);

#endif
