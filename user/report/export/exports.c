// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/export/exports.h"

typedef const char *suits_fn(const struct run *run);
typedef void write_fn(const struct run *run, FILE *stream);

static const char *has_faults(const struct run *run)
{
	return run->anatomy && run->anatomy->row_count
		       ? NULL
		       : "single faults were not recorded: run with --anatomy, or explain";
}

#define EXPORT(id, name, suits, binary) write_fn export__##name;
#include "report/export/exports.def"
#undef EXPORT

static const struct {
	suits_fn *suits;
	write_fn *write;
	bool is_binary;
} exports[] = {
#define EXPORT(id, name, suits, binary) [EXPORT_##id] = { suits, export__##name, binary },
#include "report/export/exports.def"
#undef EXPORT
};

const char *export__refuses(enum export_form form, const struct run *run)
{
	return exports[form].suits(run);
}

bool export__is_binary(enum export_form form)
{
	return exports[form].is_binary;
}

void export__write(enum export_form form, const struct run *run, FILE *stream)
{
	exports[form].write(run, stream);
}
