// SPDX-License-Identifier: ISC
// The views of the viewer, one row each: a name, and the keys that lead there from the
// flame graph. What tries, measures or photographs all of them reads this list.
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
