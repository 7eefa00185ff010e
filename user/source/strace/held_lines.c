// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/strace/held_lines.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct held_node {
	struct held_line line;
	uint64_t place; /* in all that ever waited, from 1 */
	struct held_node *previous, *next, *next_of_tid;
};

struct held_queue {
	struct held_node *first, *last;
};

static struct held_queue *queue_of(const struct held_lines *held, int32_t tid)
{
	const union hash_value *found = hash__find(&held->queues, &tid, sizeof(tid));

	return found ? found->pointer : NULL;
}

uint64_t held_lines__first(const struct held_lines *held, int32_t tid)
{
	const struct held_queue *queue = queue_of(held, tid);

	return queue ? queue->first->place : 0;
}

static void add_to_queue(struct held_lines *held, struct held_node *node)
{
	struct held_queue *queue = queue_of(held, node->line.tid);

	if (queue) {
		queue->last->next_of_tid = node;
	} else {
		queue = checked_calloc(1, sizeof(*queue));
		queue->first = node;
		hash__get(&held->queues, &node->line.tid, sizeof(node->line.tid))->pointer = queue;
	}
	queue->last = node;
}

void held_lines__add(struct held_lines *held, const struct held_line *line)
{
	struct held_node *node = checked_calloc(1, sizeof(*node));

	*node = (struct held_node){ .line = *line, .place = ++held->added, .previous = held->last };
	node->line.text = checked(strndup(line->text, line->length));
	*(held->last ? &held->last->next : &held->first) = node;
	held->last = node;
	add_to_queue(held, node);
	held->count++;
	held->bytes += line->length;
}

static void take_from_queue(struct held_lines *held, const struct held_node *node)
{
	struct held_queue *queue = queue_of(held, node->line.tid);

	queue->first = node->next_of_tid;
	if (queue->first)
		return;
	hash__remove(&held->queues, &node->line.tid, sizeof(node->line.tid));
	free(queue);
}

bool held_lines__take(struct held_lines *held, int32_t tid, struct held_line *line)
{
	const struct held_queue *queue = tid ? queue_of(held, tid) : NULL;
	struct held_node *node = tid ? (queue ? queue->first : NULL) : held->first;

	if (!node)
		return false;
	take_from_queue(held, node);
	*(node->previous ? &node->previous->next : &held->first) = node->next;
	*(node->next ? &node->next->previous : &held->last) = node->previous;
	held->count--;
	held->bytes -= node->line.length;
	*line = node->line;
	free(node);
	return true;
}

void held_lines__free(struct held_lines *held)
{
	struct held_line line;

	while (held_lines__take(held, 0, &line))
		free(line.text);
	hash__release(&held->queues);
}
