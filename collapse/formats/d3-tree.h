/* SPDX-License-Identifier: ISC */
/*
 * Trees of objects with a name, a value and children, as d3-flame-graph reads them: alone, or in a
 * web page (d3-flame-graph.c lists the keys).
 */
#ifndef D3_TREE_H
#define D3_TREE_H

#include <stdbool.h>

#include "readers/json-read.h"
#include "stacks/boxes.h"

/* Adds the next value of P, a tree, to B. Subtracts the children's values unless values are self
 * weights. Appends the root's "l", if any, to LABEL, if not NULL. */
void d3_tree_read(struct boxes *b, struct json_reader *p, struct buf *label);

#endif
