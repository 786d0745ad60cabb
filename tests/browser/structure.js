// SPDX-License-Identifier: ISC
// The invariants of boxes, in every view and at every size.
"use strict";

const truth = require("./truth.js");
const views = require("./views.js");
const { checkLaws, checkWeights } = require("./laws.js");

// Stacks by number of frames, made once.
const made = new Map();

function walks(frames) {
	if (!made.has(frames))
		made.set(frames, truth.walks(frames));
	return made.get(frames);
}

async function checkViews(stage, page, frames) {
	await stage.show(page, walks(frames));
	stage.check("boxes in sight", await checkLaws(stage, page, `${frames} frames`) > 100, true);
	for (const [name, keys] of views) {
		await stage.reset(page);
		for (const key of keys)
			await page.key(key);
		await checkLaws(stage, page, `${name}, ${frames} frames`);
	}
}

exports.laws_hold_for_a_thousand_frames = (stage, page) => checkViews(stage, page, 1000);
exports.laws_hold_for_a_hundred_thousand_frames = (stage, page) => checkViews(stage, page, 100000);
exports.laws_hold_for_half_a_million_frames = (stage, page) => checkViews(stage, page, 500000);

exports.weights_of_children_add_up = async (stage, page) => {
	await stage.show(page, walks(100000));
	stage.check("boxes looked at", await checkWeights(stage, page, "whole") > 5, true);
	await page.key("i");
	stage.check("boxes looked at", await checkWeights(stage, page, "icicle",
		{ isIcicle: true }) > 5, true);
};
