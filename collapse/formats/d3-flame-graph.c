/* SPDX-License-Identifier: ISC */
/*
 * Trees for d3-flame-graph, also written by flamescope:
 *
 *	{"name":"root","value":89,"children":[
 *	 {"name":"main","value":60,"children":[{"name":"lex","value":20}]},...]}
 *	{"n":"root","v":89,"c":[{"n":"main","f":"the long name","v":60,"l":"jit"},...]}
 *
 * Keys come in any order. Values include the children's, except for charts drawn with
 * selfValue(true); these are recognized by a value below the sum of its children's. A root called
 * "root" or similar is not a frame. l, or libtype, is flamescope's kind of code.
 *
 * spiermar/d3-flame-graph, README.md; Netflix/flamescope.
 */
#include "d3-tree.h"
#include "formats.h"
#include "readers/json-profile.h"

static bool
run(struct input *in, struct collapse *c)
{
	struct boxes b = { .c = c, .columns = 1 };
	struct json_profile f;

	json_profile_begin(&f, in, c);
	d3_tree_read(&b, &f.p, NULL);
	boxes_set_unit(&b, (struct str){ 0 });
	boxes_fold(&b);
	boxes_release(&b);
	return json_profile_end(&f, true);
}

static int
probe(struct str head)
{
	return (json_has(head, "children[].value") &&
		       json_has(head, "children[].name")) ||
			(json_has(head, "c[].v") && json_has(head, "c[].n"))
		? 75
		: 0;
}

const struct collapse_format collapse_d3_flame_graph = {
	.probe = probe,
	.signs = SIGNS(SIGN_KEY("children"), SIGN_KEY("c")),
	.run = run,
	.uses = COLLAPSE_USES_KERNEL | COLLAPSE_USES_JIT,
};
