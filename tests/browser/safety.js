// SPDX-License-Identifier: ISC
// Untrusted names, and pictures embedded in other documents.
"use strict";

const fs = require("fs");
const path = require("path");

const { clickFrame, clickOn, details, drawn, hoverFrame, label, labels, matched, search } =
	require("./stage.js");

const HOSTILE = [
	"</script><script>alert(1)</script>", "]]><script>alert(2)</script>",
	"<img src=x onerror=alert(3)>",
	"&lt&amp", "\"'><svg onload=alert(4)>", "javascript:alert(5)", "${alert(6)}", "a\\x41\\\\b",
	"]]]]>>", "<!--", "-->", "<![CDATA[",
];

exports.names_are_only_text = async (stage, page) => {
	const folded = HOSTILE.map((name) => `main;${name} 10\n`).join("");
	await stage.show(page, folded, "--title", HOSTILE[0], "--nametype", HOSTILE[2]);
	for (let i = 0; i < HOSTILE.length; i++) {
		await page.run("history.replaceState(null, '')");
		await search(page, "^" + HOSTILE[i].replace(/[\\^$.*+?()[\]{}|]/g, "\\$&") + "$");
		stage.check(`found: ${HOSTILE[i]}`, await matched(page),
			`matched ${(100 / HOSTILE.length).toFixed(2)} %`);
	}
	await search(page, "");
	await clickFrame(page, await page.run(`return Array.from(document.querySelectorAll(
		".fg-graph text"), (e) => e.textContent).find((name) => name.startsWith("<img"))`));
	stage.check("details", (await details(page))[0].includes("<img src=x onerror=alert(3)>"), true);
	stage.check("elements from names",
		await page.run("return document.querySelectorAll('img, svg svg').length"), 0);
};

exports.invalid_bytes_are_shown_as_escapes = async (stage, page) => {
	const folded = Buffer.concat([Buffer.from("main;a"), Buffer.from([0x80, 0xff]),
		Buffer.from("b 10\nmain;c"), Buffer.from([0x01, 0x1b]), Buffer.from("d 20\n")]);
	await stage.show(page, folded);
	await hoverFrame(page, "a\\x80\\xffb");
	stage.check("invalid UTF-8", (await details(page))[0], "Function: a\\x80\\xffb");
	await hoverFrame(page, "c\\x01\\x1bd");
	stage.check("control bytes", (await details(page))[0], "Function: c\\x01\\x1bd");
};

exports.no_request_leaves_the_page = async (stage, page) => {
	await stage.show(page, "main;f 30\nmain;http://example.com/x.png 70\n");
	await search(page, "f");
	await hoverFrame(page, "f");
	const urls = await page.requested();
	stage.check("requests", urls.filter((url) => !url.startsWith("file:")), []);
	stage.check("the file alone", urls.length, 1);
};

// A page with several pictures, as an author pastes them.
function pageOf(stage, ...pictures) {
	const body = pictures.map((folded) => stage.svg(folded).toString()
		.replace(/^<\?xml.*?\?>\s*/, "")).join("<p>between</p>");
	return stage.file("page.html", `<!DOCTYPE html><meta charset="utf-8"><title>two</title>${body}`);
}

exports.two_pictures_in_a_page_are_apart = async (stage, page) => {
	await page.size(1200, 800);
	await page.open(pageOf(stage, "main;f 30\nmain;g 70\n", "start;h 60\nstart;i 40\n"));
	const svg = (i) => `document.querySelectorAll("svg.fg")[${i}]`;
	const names = (i) => page.run(
		`return Array.from(${svg(i)}.querySelectorAll(".fg-graph text"), (e) => e.textContent)`);
	const [first, second] = [await names(0), await names(1)];
	stage.check("both live", [first, second], [["all", "main", "f", "g"], ["all", "start", "h", "i"]]);
	await clickOn(page, label("i", 0, svg(1)));
	stage.check("zoom in the second", await names(1), ["all", "start", "i"]);
	stage.check("the first is as it was", await names(0), first);
	await clickOn(page, `${svg(0)}.querySelector(".fg-field")`);
	await page.type("f");
	stage.check("search in the first", await page.run(
		"return Array.from(document.querySelectorAll('.fg-matched'), (e) => e.textContent)"),
	["matched 30.00 %", ""]);
	stage.check("history is the page's", await page.run("return [history.length, document.title]"),
		[await page.run("return history.length"), "two"]);
	stage.check("globals", await page.run(
		"return Object.keys(window).filter((key) => /fg|flame/i.test(key))"), []);
};

exports.without_script_or_style_the_picture_stands = async (stage, page) => {
	const svg = stage.svg("main;f 30\nmain;g 70\n").toString().replace(/^<\?xml.*?\?>\s*/, "");
	const policy = (content) => stage.file("page.html", "<!DOCTYPE html><meta charset='utf-8'>" +
		`<meta http-equiv="Content-Security-Policy" content="${content}">${svg}`);
	for (const content of ["default-src 'none'; style-src 'unsafe-inline'", "default-src 'none'"]) {
		await page.open(policy(content));
		stage.check(`${content}: boxes`, (await drawn(page, ".fg-static path")).length, 4);
		stage.check(`${content}: visible`, await page.run(`
			const box = document.querySelector(".fg-static").getBoundingClientRect();
			return box.width > 1000 && box.height > 40;`), true);
	}
};

exports.script_is_the_same_as_in_the_source = async (stage) => {
	const root = path.join(__dirname, "../..");
	const makefile = fs.readFileSync(path.join(root, "Makefile"), "utf8");
	const parts = /^VIEWER = .*?,.*?,(.*)\)$/m.exec(makefile)[1].match(/[a-z]+/g);
	const source = parts.map((part) =>
		fs.readFileSync(path.join(root, "render/viewer", part + ".js"), "utf8")).join("");
	const script = /<script><!\[CDATA\[([^]*?)]]>/.exec(stage.svg("main 1\n"))[1];
	stage.check("without comments and indentation",
		script === source.replace(/^\s*(\/\/.*)?\n/gm, "").replace(/^\s+/gm, ""), true);
};

// Only a picture made with --compress needs recent browser features.
exports.old_browsers_get_the_viewer = async (stage, page) => {
	const svg = stage.svg("main;f 30\nmain;g 70\n").toString().replace(/^<\?xml.*?\?>\s*/, "");
	await page.size(1200, 800);
	await page.open(stage.file("page.html", "<!DOCTYPE html><meta charset='utf-8'><script>" +
		`delete window.DecompressionStream; delete window.Response;</script>${svg}`));
	await clickFrame(page, "g");
	stage.check("zoomed", await labels(page), ["all", "main", "g"]);
	stage.check("scripts", await page.run(
		"return document.querySelectorAll('svg script:not([type])').length"), 1);
};

exports.scripts_with_a_nonce_run = async (stage, page) => {
	const svg = stage.svg("main;f 30\nmain;g 70\n").toString().replace(/^<\?xml.*?\?>\s*/, "");
	const live = async (nonce) => {
		await page.open(stage.file("page.html", "<!DOCTYPE html><meta charset='utf-8'><meta " +
			"http-equiv='Content-Security-Policy' content=\"default-src 'none'; " +
			`script-src 'nonce-good'">${svg.replace("<script>", `<script nonce="${nonce}">`)}`));
		return page.run("return !!document.querySelector('.fg-live')");
	};
	stage.check("its own", await live("good"), true);
	stage.check("another", await live("bad"), false);
};

exports.picture_works_in_an_image_and_a_frame = async (stage, page) => {
	const url = stage.picture("main;f 30\nmain;g 70\n");
	await page.open(stage.file("page.html",
		`<!DOCTYPE html><img src="${url}"><iframe src="${url}" width="900" height="300"></iframe>`));
	stage.check("image", await page.run(`
		const image = document.querySelector("img");
		return [image.naturalWidth, image.complete];`), [1200, true]);
};

// Runs BODY as a function in each frame of the page; returns the results.
async function inFrames(page, body) {
	const { frameTree } = await page.send("Page.getFrameTree"), found = [];
	for (const { frame } of frameTree.childFrames) {
		const { executionContextId } = await page.send("Page.createIsolatedWorld",
			{ frameId: frame.id });
		const { result } = await page.send("Runtime.evaluate", { contextId: executionContextId,
			expression: `(() => { ${body} })()`, returnByValue: true });
		found.push(result.value);
	}
	return found;
}

exports.picture_is_live_in_frames_and_objects = async (stage, page) => {
	const url = stage.picture("a;c;".repeat(50) + "b 1\n");
	const size = "width=\"900\" height=\"300\"";
	await page.size(1200, 400);
	await page.open(stage.file("page.html", `<!DOCTYPE html><iframe src="${url}" ${size}></iframe>` +
		`<object data="${url}" ${size}></object>`));
	stage.check("live, from the root", await inFrames(page, `
		const svg = document.querySelector("svg.fg-live");
		return Boolean(svg) && scrollY > 1000;`), [true, true]);
	stage.check("the page stays", await page.run("return scrollY"), 0);
	await page.click(400, 250);
	await page.key("i");
	stage.check("keys are for one of them", await inFrames(page, `
		const y = document.querySelector(".fg-graph text").getAttribute("y");
		return Number(y) < 200;`), [true, false]);
};

// An object without a size takes the picture's, or the browser's default if the picture has
// none: 300 x 150.
exports.object_without_a_size_shows_the_title = async (stage, page) => {
	for (const lines of ["a;b 1\n", "a;c;".repeat(50) + "b 1\n"]) {
		const url = stage.picture(lines, "--title", "named");
		await page.size(1200, 800);
		await page.open(stage.file("page.html", `<!DOCTYPE html><object data="${url}"></object>`));
		stage.check("title and facts are in sight", await inFrames(page, `
			return [".fg-title", ".fg-info"].map((name) => {
				const { top, bottom } = document.querySelector(name).getBoundingClientRect();
				return top >= 0 && bottom <= innerHeight;
			});`), [[true, true]]);
	}
};

exports.picture_in_a_page_does_not_move_it = async (stage, page) => {
	await page.size(1200, 400);
	await page.open(pageOf(stage, "a;c;".repeat(50) + "b 1\n", "c 1\n"));
	stage.check("at its top", await page.run("return scrollY"), 0);
	await page.move(500, 200);
	await page.key("i");
	stage.check("nor does the theme or a view", await page.run("return scrollY"), 0);
};

exports.viewer_works_where_styles_are_forbidden = async (stage, page) => {
	const svg = stage.svg("main;f 30\nmain;g 70\n").toString().replace(/^<\?xml.*?\?>\s*/, "");
	await page.size(1200, 800);
	await page.open(stage.file("page.html", "<!DOCTYPE html><meta charset='utf-8'><meta " +
		"http-equiv='Content-Security-Policy' content=\"default-src 'none'; " +
		`script-src 'unsafe-inline'">${svg}`));
	await clickFrame(page, "g");
	stage.check("zoomed", (await drawn(page, ".fg-graph path"))
		.filter((box) => box[3] !== "#fff").map((box) => box[2] > 1100), [true, true, true]);
	stage.check("ground", await page.run(
		"return getComputedStyle(document.querySelector('.fg-bg')).fill"), "rgb(252, 252, 250)");
};
