// SPDX-License-Identifier: ISC
// Labels: names shortened to fit their boxes.
"use strict";

const truth = require("./truth.js");
const { labels } = require("./stage.js");

exports.names_are_shortened_before_they_are_cut = async (stage, page) => {
	for (const [name, short, weight] of [
		["io/netty/channel/nio/NioEventLoop.read", "NioEventLoop.read", 15],
		["std::_Rb_tree<int, std::less<int> >::insert(std::pair<int, int>&&) const",
			"_Rb_tree<..>::insert", 14],
		["/usr/lib/python3.11/json/decoder.py:raw_decode", "decoder.py:raw_decode", 18],
		["expand_function_body.constprop.0", "expand_function_body", 18],
		["<module>", "<module>", 10]]) {
		await stage.show(page, `main;${name} ${weight}\nmain;other ${100 - weight}\n`);
		stage.check(name, (await labels(page)).some((text) => text.endsWith(short) &&
			text.length < short.length + 6), true);
	}
};

exports.labels_are_worth_reading = async (stage, page) => {
	await stage.show(page, truth.invent(300).replace(/;(\w+)/g, ";a_long_name_of_$1"));
	const found = await labels(page), cut = found.filter((text) => text.includes("\u2026"));
	stage.check("some are cut", cut.length > 5, true);
	stage.check("stumps", cut.filter((text) => text.length < 5), []);
	stage.check("short ones lose their end", cut.filter((text) =>
		text.length < 8 && !text.endsWith("\u2026")), []);
};

exports.system_font_is_the_default = async (stage, page) => {
	const font = () => page.run("return getComputedStyle(document.querySelector('svg')).fontFamily");
	await stage.show(page, "main 1\n");
	stage.check("none", (await font()).includes("sans-serif"), true);
	await stage.show(page, "main 1\n", "--fonttype", "Courier");
	stage.check("asked for", (await font()).includes("Courier"), true);
};
