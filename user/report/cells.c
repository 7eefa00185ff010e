// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/cells.h"

#include <inttypes.h>
#include <math.h>

#include "base/text.h"
#include "report/anatomy/words_anatomy.h"
#include "report/words.h"

struct cell cell__exe(const struct run *run, uint32_t exe)
{
	return cell__names(names__exe(run, exe, false), names__exe(run, exe, true));
}

struct cell cell__images(const struct run *run, const struct process *process)
{
	return cell__names(words__images(run, process, false), words__images(run, process, true));
}

struct cell cell__group(const struct run *run, uint32_t group)
{
	return cell__names(names__group(run, group, false), names__group(run, group, true));
}

struct cell cell__object(const struct run *run, uint32_t object)
{
	return cell__names(names__object(run, object, false), names__object(run, object, true));
}

struct cell cell__group_at(const void *run, const void *row, int offset)
{
	return cell__group(run, *(const uint32_t *)((const char *)row + offset));
}

struct cell cell__exit(int32_t status, int32_t signal, bool finished)
{
	return cell__own(words__exit(status, signal, finished));
}

struct cell cell__call(const struct syscall_row *row)
{
	return cell__own(names__call(row));
}

struct cell cell__errnos(const struct syscall_row *row, size_t most)
{
	/* One name is hardly longer than "2 others". */
	size_t shown = row->errno_count > most && row->errno_count - most > 1 ? most : row->errno_count;
	uint64_t others = 0;
	char *list = NULL;

	for (size_t i = 0; i < shown; i++)
		text__replace(&list, "%s%s%" PRIu64 " %s", list ? list : "", list ? ", " : "",
			      syscall_row__sum(row->errnos[i].calls), row->errnos[i].name);
	for (size_t i = shown; i < row->errno_count; i++)
		others += syscall_row__sum(row->errnos[i].calls);
	if (others)
		text__replace(&list, "%s, %" PRIu64 " others", list, others);
	return list ? cell__own(list) : cell__blank();
}

struct cell cell__distribution(const struct distribution *values, uint64_t children)
{
	if (!children)
		return cell__absent();
	return cell__said(cell__estimate(values->median, values->min, values->max),
			  words__distribution(values, children));
}

struct cell cell__spread(const struct spread *spread, char *text)
{
	if (!spread->known)
		return cell__said(cell__estimate(NAN, NAN, NAN), text);
	return cell__said(cell__estimate(spread->median, spread->min, spread->max), text);
}

struct cell cell__of_estimate(const struct estimate *estimate, char *text)
{
	return cell__said(cell__estimate(estimate->known ? estimate->value : NAN,
					 estimate->bounded ? estimate->low : NAN,
					 estimate->bounded ? estimate->high : NAN),
			  text);
}

struct cell cell__us(double ns)
{
	if (!isfinite(ns))
		return cell__absent();
	return cell__number(ns / 1e3, 1);
}

struct cell cell__percent(double part, double whole)
{
	double percent = whole > 0 ? 100 * part / whole : 0;

	if (percent >= 100.005) /* of another clock, or another count: no share of this */
		return cell__absent();
	return whole > 0 ? cell__number(fabs(percent) < 0.005 ? 0 : percent, 2) : cell__blank();
}
