// SPDX-License-Identifier: ISC
// What is copied, and where names lead.
"use strict";

const { clickFrame, hoverFrame, label, labels } = require("./stage.js");

const FOLDED = "main;alpha;beta;delta 30\nmain;alpha;gamma 20\nmain;alpha 10\n" +
	"main;omega;psi 25\nmain;omega 15\n";

const clipboard = (page) => page.run("return navigator.clipboard.readText()");
const told = (page) => page.run("return document.querySelector('[role=status]').textContent");

async function allowPaste(page) {
	await page.connection.send("Browser.grantPermissions",
		{ permissions: ["clipboardReadWrite", "clipboardSanitizedWrite"] });
	await page.send("Emulation.setFocusEmulationEnabled", { enabled: true });
}

exports.names_and_stacks_are_copied = async (stage, page) => {
	await stage.show(page, FOLDED);
	await allowPaste(page);
	await hoverFrame(page, "delta");
	await page.key("c");
	stage.check("a name", [await clipboard(page), await told(page)], ["delta", "Copied delta"]);
	await page.key("C");
	stage.check("a stack", await clipboard(page), "main;alpha;beta;delta");
	await page.move(600, 780);
	for (const key of ["ArrowUp", "ArrowUp", "ArrowUp"])
		await page.key(key);
	await page.key("C");
	stage.check("of the chosen", await clipboard(page), "main;alpha");
	await page.key("Escape");
	await clickFrame(page, "psi");
	await page.move(600, 780);
	await page.key("C");
	stage.check("of the zoomed", await clipboard(page), "main;omega;psi");
};

exports.stacks_are_copied_as_they_are_written = async (stage, page) => {
	await stage.show(page, FOLDED, "--reverse");
	await allowPaste(page);
	await hoverFrame(page, "beta");
	await page.key("C");
	stage.check("a stack", await clipboard(page), "beta;delta");
};

// Ctrl-C as the browser has it.
const press = (page, key, command) => page.send("Input.dispatchKeyEvent", { type: "keyDown", key,
	code: "Key" + key.toUpperCase(), modifiers: 2, commands: [command],
	windowsVirtualKeyCode: key.toUpperCase().charCodeAt(0) });

exports.ctrl_c_copies_the_name_where_nothing_is_selected = async (stage, page) => {
	await stage.show(page, FOLDED);
	await allowPaste(page);
	await hoverFrame(page, "gamma");
	await press(page, "c", "copy");
	await page.frames();
	stage.check("the name", await clipboard(page), "gamma");
	await page.run("getSelection().selectAllChildren(document.querySelector('.fg-title'))");
	await press(page, "c", "copy");
	await page.frames();
	stage.check("what is selected", await clipboard(page), "Flame Graph");
};

exports.double_click_zooms_and_copies = async (stage, page) => {
	await stage.show(page, FOLDED);
	await allowPaste(page);
	await hoverFrame(page, "omega");
	const [x, y] = await page.run(`
		const box = ${label("omega")}.getBoundingClientRect();
		return [box.left + box.width / 2, box.top + box.height / 2];`);
	for (const clickCount of [1, 2])
		for (const type of ["mousePressed", "mouseReleased"])
			await page.send("Input.dispatchMouseEvent", { type, x, y, button: "left", clickCount });
	await page.frames();
	stage.check("zoomed", await labels(page), ["all", "main", "omega", "psi"]);
	stage.check("copied", await clipboard(page), "omega");
	stage.check("nothing is selected", await page.run("return String(getSelection())"), "");
};

exports.without_a_clipboard_a_page_copies_as_well = async (stage, page) => {
	await page.size(1200, 800);
	await allowPaste(page);
	const svg = stage.svg(FOLDED).toString().replace(/^<\?xml.*?\?>\s*/, "");
	await page.open(stage.file("page.html", `<!DOCTYPE html><meta charset="utf-8">${svg}`));
	await page.run("window.reader = navigator.clipboard; " +
		"Object.defineProperty(navigator, 'clipboard', { value: undefined })");
	await hoverFrame(page, "delta");
	await page.key("C");
	stage.check("copied", [await page.run("return reader.readText()"), await told(page)],
		["main;alpha;beta;delta", "Copied main;alpha;beta;delta"]);
};
