/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Rows of files in the order in which they are shown: by calls.
 */
#ifndef FORKTAX_REPORT_RUN_FILE_LIST_H
#define FORKTAX_REPORT_RUN_FILE_LIST_H

#include "model/files/files.h"

struct file_list {
	struct file_row *rows; /* the array and errors are the list's, paths are the run's */
	size_t count;
};

/* Each file once, summed up over all groups. */
struct file_list file_list__of_run(const struct files *files);
struct file_list file_list__of_group(const struct files *files, uint32_t group);
/* Of the process whose rows begin with this one. */
struct file_list file_list__of_process(const struct files *files, size_t first);
/* As they are in the run. */
struct file_list file_list__all(const struct files *files);
void file_list__free(struct file_list *list);

#endif
