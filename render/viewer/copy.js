// SPDX-License-Identifier: ISC
// Names and stacks for the clipboard, and where names lead.

// The frame that is told about: under the pointer, chosen, or zoomed.
const current = () => state.hover ? frameOf(state.hover) : chosen();

// The stack of frame I from the root to the leaf, as folded text has it.
function stackOf(i) {
	const callers = isCaller(i), path = pathOf(i).slice(callers ? 1 : 0);
	if (view.split)
		path.unshift(nameOf(0));
	const isTurned = (callers || state.kind === "up") !== meta.reverse;
	return (isTurned ? path.reverse() : path).join(";");
}

// Says TEXT for a moment.
function tell(text) {
	clearTimeout(state.telling);
	state.notice = text;
	drawMatched();
	say(text, 0);
	if (text)
		state.telling = setTimeout(tell, 3000, "");
}

// The way of pages that the browser does not trust; only HTML has it.
function copyByCommand(text) {
	const put = (event) => {
		event.clipboardData.setData("text/plain", text);
		event.preventDefault();
	};
	on(document, "copy", put);
	const done = document.contentType === "text/html" && document.execCommand("copy");
	document.removeEventListener("copy", put);
	return done;
}

async function copy(text) {
	let done = true;
	try {
		await navigator.clipboard.writeText(text);
	} catch (error) {
		done = copyByCommand(text);
	}
	tell((done ? "Copied " : "The browser does not let copy ") + text);
}

const copyName = () => copy(nameOf(current()));

const links = new Map(meta.attrs);
const linkOf = (i) => links.get(view.name[i]) || {};
const titleOf = (i) => linkOf(i).title || nameOf(i);

// What the name of frame I leads to, an element to click; never code.
function anchorOf(i) {
	const { href, target } = linkOf(i), anchor = document.createElementNS(XHTML, "a");
	Object.assign(anchor, { href: href || "", target: target || "_top", rel: "noopener" });
	return href && /^(https?|mailto|file):$/.test(anchor.protocol) ? anchor : null;
}

offer(
	{ label: "Copy name", keys: ["c"], run: copyName },
	{ label: "Copy stack", keys: ["C"], run: () => copy(stackOf(current())) },
	{ label: "Follow the link", keys: ["o"], isThere: () => anchorOf(current()),
		run: () => anchorOf(current()).click() },
);
