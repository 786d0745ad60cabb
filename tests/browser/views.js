// SPDX-License-Identifier: ISC
// The viewer's views, one row each: a name, and the keys that lead there from the flame graph.
// Tests, benchmarks and screenshots of all views use this list.
"use strict";

module.exports = [
	["flame graph", []],
	["icicle", ["i"]],
	["widest first", ["w"]],
	["direct recursion folded", ["r"]],
	["all recursion folded", ["R"]],
	["bottom-up", ["b"]],
	["sandwich", ["s"]],
	["table", ["t"]],
];
