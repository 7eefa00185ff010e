/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Parts of a run as json-c objects. None of these fails: allocation failure ends the program.
 */
#ifndef FORKTAX_SAVED_JSON_WRITE_H
#define FORKTAX_SAVED_JSON_WRITE_H

#include <json-c/json.h>

#include "model/run.h"

/* Keys are string constants or live as long as the object; values are taken over. */
void json__add(struct json_object *object, const char *key, struct json_object *value);
void json__append(struct json_object *array, struct json_object *value);

struct json_object *json__object(void);
struct json_object *json__array(void);
struct json_object *json__bool(bool value);
struct json_object *json__integer(int64_t value);
struct json_object *json__count(uint64_t count); /* ABSENT gives null */
struct json_object *json__index(uint32_t index); /* NO_EXE, NO_GROUP, NO_OBJECT give null */
struct json_object *json__number(double number); /* not finite gives null */
struct json_object *json__text(const char *text); /* bytes that are not UTF-8 become U+FFFD */
/* {"status", "signal"}: null where there is none. */
struct json_object *json__exit(int32_t status, int32_t signal);
struct json_object *json__texts(char *const *texts, size_t count); /* an array of them */

struct json_object *json__faults(const struct faults *faults, enum fault_level level);
struct json_object *json__call(const struct syscall_row *row, bool timed);
struct json_object *json__calls(const struct syscall_table *table, bool timed);
struct json_object *json__group(const struct run *run, const struct group *group);
struct json_object *json__process(const struct run *run, const struct process *process);

/* Parts of run->anatomy, which must be there; the element of that index where there is one. */
struct json_object *json__sampling(const struct anatomy *anatomy);
struct json_object *json__anatomy_object(const struct run *run, size_t index);
struct json_object *json__anatomy_row(const struct run *run, size_t index);
struct json_object *json__layout(const struct run *run, size_t index);
struct json_object *json__fork_cost(const struct run *run, size_t index);
struct json_object *json__binding(const struct run *run, size_t index);
struct json_object *json__generations(const uint64_t generations[GENERATION_COUNT]);
struct json_object *json__binding_symbol(const struct run *run, size_t index);
struct json_object *json__costs(const struct anatomy *anatomy);
struct json_object *json__against(const struct anatomy *anatomy); /* which must have it */
struct json_object *json__advice(const struct run *run, size_t index);
/* Adds `key`, the path of the object, and `index_key`, its index; both null if there is none. */
void json__add_object(struct json_object *in, const struct anatomy *anatomy, const char *key,
		      const char *index_key, uint32_t object);

#endif
