/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Typed access to a parsed saved run. The first thing that is wrong is kept as the reason; from
 * then on every getter returns an empty value, so that callers check once, at the end.
 */
#ifndef FORKTAX_JSON_READ_H
#define FORKTAX_JSON_READ_H

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
/* A counter of the dictionary: 0 in a run that was saved before the counter existed. */
uint64_t reader__dictionary_count(struct reader *reader, struct json_object *in, const char *key);
uint64_t reader__count_or_absent(struct reader *reader, struct json_object *in, const char *key);
uint64_t reader__identity(struct reader *reader, struct json_object *in, const char *key);
int64_t reader__integer(struct reader *reader, struct json_object *in, const char *key, int64_t min,
			int64_t max);
/* Null gives `none`; otherwise a number below `limit`. */
uint32_t reader__index(struct reader *reader, struct json_object *in, const char *key, size_t limit,
		       uint32_t none);
bool reader__bool(struct reader *reader, struct json_object *in, const char *key);
/* A string to be freed; NULL for null. */
char *reader__text(struct reader *reader, struct json_object *in, const char *key);
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

void reader__exit(struct reader *reader, struct json_object *in, int32_t *status, int32_t *signal);
void reader__faults(struct reader *reader, struct json_object *in, const char *key,
		    enum fault_level level, struct faults *faults);
void reader__calls(struct reader *reader, struct json_object *in, const char *key, bool timed,
		   struct syscall_table *table);
void reader__group(struct reader *reader, struct json_object *in, const struct run *run,
		   struct group *group);
void reader__process(struct reader *reader, struct json_object *in, const struct run *run,
		     struct process *process);

#endif
