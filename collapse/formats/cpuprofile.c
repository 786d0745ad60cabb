/* SPDX-License-Identifier: ISC */
/*
 * CPU profiles of V8, as saved by node --cpu-prof, the inspector and Chrome's DevTools:
 *
 *	{"nodes":[{"id":1,"callFrame":{"functionName":"(root)","scriptId":"0",
 *	 "url":"","lineNumber":-1,"columnNumber":-1},"hitCount":0,"children":[2]},
 *	 ...],"startTime":163140599286,"endTime":163140647178,
 *	 "samples":[2,5,5],"timeDeltas":[11575,1060,1045]}
 *
 * https://chromedevtools.github.io/devtools-protocol/tot/Profiler/#type-Profile
 * Until 2016 the nodes were nested below "head" and held their names, and there were "timestamps"
 * instead of deltas.
 *
 * Pseudo functions are treated as in speedscope: (root) and (idle) are not frames, (program) and
 * (garbage collector) go on top of the previous sample's stack.
 */
#include "collapse.h"
#include "readers/json-profile.h"
#include "v8-profile.h"

static int
probe(struct str head)
{
	if (json_has(head, "nodes[].callFrame") || json_has(head, "head.hitCount"))
		return 90;
	return json_has(head, "timeDeltas") && json_has(head, "samples") ? 80 : 0;
}

static bool
run(struct input *in, struct collapse *c)
{
	struct collapse_sample unknown = { .has_period = false };
	struct v8_profile v = { .has_start = false };
	struct str key;
	struct json_profile f;

	json_profile_begin(&f, in, c);
	if (json_read_object(&f.p))
		while (json_next_key(&f.p, &key))
			(void)v8_profile_take(&v, &f.p, c, key);
	v8_profile_fold(&v, c, unknown);
	v8_profile_release(&v);
	return json_profile_end(&f, false);
}

const struct collapse_format collapse_cpuprofile = {
	.probe = probe,
	.signs = SIGNS(
		SIGN_KEY("callFrame"), SIGN_KEY("hitCount"), SIGN_KEY("timeDeltas")),
	.run = run,
	.uses = COLLAPSE_USES_SRCLINE,
};
