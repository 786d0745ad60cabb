/* SPDX-License-Identifier: ISC */
/*
 * Trees of objects with a name, a value and children, as d3-flame-graph takes them: alone,
 * or in a web page (d3-flame-graph.c has the keys).
 */
#ifndef D3_TREE_H
#define D3_TREE_H

#include <stdbool.h>

#include "readers/json-read.h"
#include "stacks/boxes.h"

/* Adds the tree that P comes to, and subtracts what is within one another unless values are
 * those of each node for itself. LABEL gets a copy of the "l" of the root, if it has one. */
void d3_tree_read(struct boxes *b, struct json_reader *p, struct buf *label);

#endif
