// SPDX-License-Identifier: GPL-2.0-or-later
#include "saved/json_figures.h"

#include <errno.h>
#include <math.h>

#include "saved/json_write.h"

struct json_object *json_figure__number(double value)
{
	if (value == floor(value))
		return json__integer((int64_t)value);
	return json_object_new_double(value);
}

struct json_object *json_figure__estimate(const struct estimate *estimate)
{
	struct json_object *object;

	if (!estimate->known)
		return NULL;
	object = json__object();
	json__add(object, "value", json_figure__number(estimate->value));
	json__add(object, "low", estimate->bounded ? json_figure__number(estimate->low) : NULL);
	json__add(object, "high", estimate->bounded ? json_figure__number(estimate->high) : NULL);
	return object;
}

struct json_object *json_figure__spread(const struct spread *spread)
{
	struct json_object *object;

	if (!spread->known)
		return NULL;
	object = json__object();
	json__add(object, "median", json_figure__number(spread->median));
	json__add(object, "min", json_figure__number(spread->min));
	json__add(object, "max", json_figure__number(spread->max));
	return object;
}

void json_figure__put(struct json_object *value, FILE *stream)
{
	const int style = JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE;

	fputs(json_object_to_json_string_ext(value, style), stream);
	json_object_put(value);
}

int json_figure__end(FILE *stream)
{
	fputs("\n}\n", stream);
	if (fflush(stream) == 0 && !ferror(stream))
		return 0;
	if (!errno)
		errno = EIO;
	return -1;
}
