/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Typed access to a parsed saved run. The first thing that is wrong is kept as the reason; from
 * then on every getter returns an empty value, so that callers check once, at the end.
 */
#ifndef FORKTAX_SAVED_JSON_READ_H
#define FORKTAX_SAVED_JSON_READ_H

#include <json-c/json.h>

#include "model/run.h"

struct reader {
	char *reason; /* NULL: nothing wrong so far */
	const char *list; /* the array being read, for the reason; NULL: none */
	size_t index; /* in it */
};

void reader__fail(struct reader *reader, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

struct json_object *reader__object(struct reader *reader, struct json_object *in, const char *key);
struct json_object *reader__array(struct reader *reader, struct json_object *in, const char *key);
uint64_t reader__count(struct reader *reader, struct json_object *in, const char *key);
/* 0 in a run that was saved before the counter existed. */
uint64_t reader__dictionary_count(struct reader *reader, struct json_object *in, const char *key);
uint64_t reader__count_or_absent(struct reader *reader, struct json_object *in, const char *key);
uint64_t reader__identity(struct reader *reader, struct json_object *in, const char *key);
int64_t reader__integer(struct reader *reader, struct json_object *in, const char *key, int64_t min,
			int64_t max);
/* Null gives `none`; otherwise a number below `limit`. */
uint32_t reader__index(struct reader *reader, struct json_object *in, const char *key, size_t limit,
		       uint32_t none);
/* A number with or without a fraction; NaN and infinity are refused. */
double reader__number(struct reader *reader, struct json_object *in, const char *key);
bool reader__is_null(struct json_object *in, const char *key); /* false if it is missing */
bool reader__bool(struct reader *reader, struct json_object *in, const char *key);
/* A string to be freed; NULL for null, which `needed` does not allow. */
char *reader__text(struct reader *reader, struct json_object *in, const char *key);
char *reader__needed_text(struct reader *reader, struct json_object *in, const char *key);
char *reader__element_text(struct reader *reader, struct json_object *array, size_t index);
/* A string that must be one of the keys; the two kinds of key tables that the model has. */
unsigned int reader__counter(struct reader *reader, struct json_object *in, const char *key,
			     const struct counter *counters, unsigned int count);
unsigned int reader__key(struct reader *reader, struct json_object *in, const char *key,
			 const char *const *keys, unsigned int count);
/* "counted": true. */
bool reader__origin(struct reader *reader, struct json_object *in, const char *key);
/* Zeroed memory for as many elements as the array has; never NULL. */
void *reader__room(struct json_object *array, size_t size);
/* The same for the array of that key; `count` is set, so that what a failure leaves is freed. */
void *reader__list(struct reader *reader, struct json_object *in, const char *key, size_t size,
		   size_t *count);

typedef void read_element(struct reader *reader, struct json_object *in, struct run *run,
			  size_t index);
/* Each element of the array, which must be an object. Not within another call of itself. */
void reader__elements(struct reader *reader, struct json_object *in, const char *key,
		      struct run *run, read_element *read);

void reader__exit(struct reader *reader, struct json_object *in, int32_t *status, int32_t *signal);
void reader__faults(struct reader *reader, struct json_object *in, const char *key,
		    enum fault_level level, struct faults *faults);
void reader__calls(struct reader *reader, struct json_object *in, const char *key, bool timed,
		   struct syscall_table *table);
void reader__group(struct reader *reader, struct json_object *in, const struct run *run,
		   struct group *group);
void reader__process(struct reader *reader, struct json_object *in, const struct run *run,
		     struct process *process);

/* run->anatomy, if it was saved. Exes and groups are read before. */
void reader__anatomy(struct reader *reader, struct json_object *root, struct run *run);
/* Parts of it, elements of lists of that length. */
void reader__fork_cost(struct reader *reader, struct json_object *in, struct run *run,
		       size_t index);
void reader__binding(struct reader *reader, struct json_object *in, struct run *run, size_t index);
/* All `children` are of an unknown one in files of older versions. */
void reader__generations(struct reader *reader, struct json_object *in, uint64_t children,
			 uint64_t generations[GENERATION_COUNT]);
void reader__binding_symbol(struct reader *reader, struct json_object *in, struct run *run,
			    size_t index);
void reader__advice(struct reader *reader, struct json_object *in, struct run *run, size_t index);
void reader__against(struct reader *reader, struct json_object *root, struct run *run);
void reader__costs(struct reader *reader, struct json_object *root, struct anatomy *anatomy);
void reader__layout(struct reader *reader, struct json_object *in, struct run *run, size_t index);

/* Is this an object whose schema begins with `family`, "forktax-bench/" for example? */
bool json__is_of_family(struct json_object *root, const char *family);

#endif
