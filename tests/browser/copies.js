// SPDX-License-Identifier: ISC
// Copying to the clipboard, and the links of names.
"use strict";

const path = require("path");
const { fileURLToPath, pathToFileURL } = require("url");

const { clickFrame, clickOn, details, hoverFrame, label, labels, placeOf } = require("./stage.js");

const FOLDED = "main;alpha;beta;delta 30\nmain;alpha;gamma 20\nmain;alpha 10\n" +
	"main;omega;psi 25\nmain;omega 15\n";

const clipboard = (page) => page.run("return navigator.clipboard.readText()");
const announced = (page) => page.run("return document.querySelector('[role=status]').textContent");

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
	stage.check("a name", [await clipboard(page), await announced(page)], ["delta", "Copied delta"]);
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
	stage.check("of zoomed frame", await clipboard(page), "main;omega;psi");
};

exports.command_of_the_chips_shows_what_they_show = async (stage, page) => {
	await page.size(1200, 800);
	const url = stage.picture("#fg unit=samples samples=100\n" + FOLDED);
	await page.open(url + "#" + new URLSearchParams([["step", "focus ^alpha$"],
		["step", "hide o'x|^beta$"]]));
	await allowPaste(page);
	await clickOn(page, "document.querySelector('.fg-chip:last-child')");
	const command = await clipboard(page), file = fileURLToPath(url);
	stage.check("command", command, "fg-filter --focus '^alpha$' --hide " +
		`'o'\\''x|^beta$' ${path.basename(file)} | fg-svg > view.svg`);
	const shown = await labels(page);
	stage.pipe("sh", "", "-c", `cd ${path.dirname(file)} && PATH=${stage.bin}:$PATH && ${command}`);
	await page.open(pathToFileURL(path.join(path.dirname(file), "view.svg")).href);
	stage.check("what it draws", await labels(page), shown);
};

exports.stacks_are_copied_as_they_are_written = async (stage, page) => {
	await stage.show(page, FOLDED, "--reverse");
	await allowPaste(page);
	await hoverFrame(page, "beta");
	await page.key("C");
	stage.check("a stack", await clipboard(page), "beta;delta");
};

// The browser's own Ctrl-C.
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
	stage.check("the selection", await clipboard(page), "Flame Graph");
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
	stage.check("copied", [await page.run("return reader.readText()"), await announced(page)],
		["main;alpha;beta;delta", "Copied main;alpha;beta;delta"]);
};

// A picture whose names have the attributes ATTRS.
const withLinks = (stage, attrs) => stage.picture("main;alpha 60\nmain;omega 40\n",
	"--nameattr", fileURLToPath(stage.file("attrs", attrs)));

const BAD = ["javascript:document.title='bad'", " Java\nScript:alert(1)", "data:text/html,x",
	"vbscript:x", "blob:null/x"];

exports.name_with_a_link_is_followed_by_a_click = async (stage, page) => {
	const target = stage.file("target.html", "<!DOCTYPE html><title>target</title>");
	const url = withLinks(stage, `alpha\ttitle=The Alpha\thref=${target}\n` +
		"omega\ttitle=The Omega\n");
	await page.size(1200, 800);
	await page.open(url);
	await hoverFrame(page, "alpha");
	stage.check("the title", (await details(page))[0], "Function: The Alpha");
	const [x, y] = await placeOf(page, label("alpha"));
	for (const type of ["mousePressed", "mouseReleased"])
		await page.send("Input.dispatchMouseEvent",
			{ type, x, y, button: "left", clickCount: 1, modifiers: 2 });
	await page.frames();
	stage.check("with Ctrl it zooms", await labels(page), ["all", "main", "alpha"]);
	await page.key("0");
	await clickFrame(page, "omega");
	stage.check("a title alone is no link", await labels(page), ["all", "main", "omega"]);
	await page.key("0");
	const load = new Promise((done) => page.loaded = done);
	await clickFrame(page, "alpha");
	await load;
	stage.check("followed", await page.run("return document.title"), "target");
};

exports.only_addresses_are_followed = async (stage, page) => {
	await page.size(1200, 800);
	const good = stage.svg("main;alpha 60\nmain;omega 40\n", "--nameattr",
		fileURLToPath(stage.file("attrs", "alpha\thref=https://example.com/\n"))).toString();
	stage.check("the address is there", good.includes("\"https://example.com/\""), true);
	// fg-svg writes no such URL, but other documents may contain one
	for (const href of BAD) {
		await page.open(stage.file("picture.svg", good.replaceAll("\"https://example.com/\"",
			JSON.stringify(href))));
		await clickFrame(page, "alpha");
		stage.check(`${href}: zoomed`, await labels(page), ["all", "main", "alpha"]);
		await page.key("o");
		stage.check(`${href}: still here`, await labels(page), ["all", "main", "alpha"]);
	}
};

exports.link_is_followed_by_a_key_and_to_its_target = async (stage, page) => {
	const name = "sub/target.html?x=1";
	await page.size(1200, 800);
	await page.open(withLinks(stage, `alpha\thref=${name}\ttarget=elsewhere\n`));
	await page.run(`window.opened = [];
		const a = document.createElementNS("http://www.w3.org/1999/xhtml", "a");
		Object.getPrototypeOf(a).click = function () { opened.push([this.href, this.target, this.rel]); };`);
	for (const key of ["ArrowUp", "ArrowUp", "ArrowUp", "o"])
		await page.key(key);
	const opened = await page.run("return opened");
	stage.check("an address relative to the picture's", opened.map(([href, ...rest]) =>
		[href.endsWith("/" + name) && href.startsWith("file:"), ...rest]),
	[[true, "elsewhere", "noopener"]]);
};

exports.stacks_of_other_views_are_turned_back = async (stage, page) => {
	await stage.show(page, FOLDED);
	await allowPaste(page);
	await page.key("b");
	await hoverFrame(page, "alpha");
	await page.key("C");
	stage.check("a leaf", await clipboard(page), "alpha");
	await hoverFrame(page, "main", 1);
	await page.key("C");
	stage.check("its end is the leaf", /^main;/.test(await clipboard(page)), true);
	await page.key("f");
	await clickFrame(page, "beta");
	await page.key("s");
	await hoverFrame(page, "main");
	await page.key("C");
	stage.check("callers", await clipboard(page), "main;alpha;beta");
	await hoverFrame(page, "delta");
	await page.key("C");
	stage.check("callees", await clipboard(page), "beta;delta");
};
