// SPDX-License-Identifier: ISC
// The frame under the pointer or selected: its details in the foot, the keys that move the
// selection, and its name and stack for the clipboard.


const foot = make(svg, "g", { class: "fg-foot" });
const footGround = make(foot, "rect", { class: "fg-ground" });
const details = foot.appendChild(find("fg-details"));
details.textContent = "";
const matched = make(foot, "text", { class: "fg-matched" });
// read out by screen readers
const said = make(foot, "text", { role: "status", opacity: 0 });
const FOOT_PAD = 6;

function wrap(parts, n) {
	const lines = [];
	let line = "";
	for (const part of parts) {
		const longer = line ? line + " \u00b7 " + part : part;
		if (line && longer.length > n) {
			lines.push(line);
			line = part;
		} else {
			line = longer;
		}
	}
	lines.push(line);
	return lines.flatMap((text) => breakText(text, n));
}

// The verdict of fg-diff, in parts.
const verdict = !meta.diff || !meta.diff.verdict ? [] : meta.diff.verdict.replace(/->/g, "\u2192")
	.replace(/\bx (?=\d)/g, "\u00d7 ").replace(/ -(?=\d)/g, " \u2212").split("; ");

const isSlim = () => state.width < 60 * letter + 300;
// Reserves room for the longest details, so that the foot keeps its height.
const footLines = () => {
	const found = verdict[0] ? wrap(verdict, floor(inside() / letter)).length : 0;
	return isSlim() ? 4 + found : 1 + max(ceil(165 * letter / state.width), 1 + found);
};

function describe(box) {
	if (!box || !box.until) {
		const i = box ? box.frame : chosen();
		const list = !meta.diff ? describeWeights :
			meta.diff.ratio ? describeRatio : describeChange;
		return { name: i || view.split ?
			(meta.nametype + " " + titleOf(i)).trim() + runText(i) : "all",
			parts: [...describeTime(i), ...describeCompared(i), ...list(i),
				...describeCallSites(i)] };
	}
	const strip = describeStrip(box);
	if (strip.n === 1)
		return describe({ frame: box.frame, until: 0 });
	return {
		name: strip.n + " frames too narrow to draw; click to spread them out",
		parts: ["total " + human(strip.sum),
			share(strip.sum, wholes[last]) + " of all"],
	};
}

// Shown instead of a frame's details.
const HINT = isTouched ? "Tap to see figures, again to zoom" :
	"Click to zoom, Esc back, / search, ? shortcuts";
const isIdle = () => !state.hover && !isChosen() && !state.zoom && !view.split && !isTable();

// The details change several times in one event: draw them once, afterwards.
let toDraw = false;

function drawDetails() {
	if (!toDraw)
		Promise.resolve().then(writeDetails);
	toDraw = true;
}

function writeDetails() {
	toDraw = false;
	const room = floor(footRoom() / letter), about = describe(state.hover);
	const beside = isSlim() ? 0 : matched.textContent.length + 3;
	const lines = [fit(isIdle() ? HINT : about.name, room - beside)]
		.concat(wrap(about.parts, room)).slice(0, footLines() - (isSlim() ? 1 : 0));
	renderList(details, "tspan", lines, write);
	Array.from(details.children).forEach((span, i) =>
		set(span, { x: meta.pad[3], y: FOOT_PAD + em + i * lineHeight,
			class: i ? "" : isIdle() ? "fg-hint" : "fg-name" }));
}

function drawMatched() {
	const slim = isSlim(), line = slim ? footLines() - 1 : 0;
	const count = state.hasCount ? "" : countText() + ", ";
	const about = state.hits ? count + matchedText() : "";
	const text = state.notice || state.complaint ||
		(slim ? about.replace(/ of all|the | frame/g, "") : about);
	set(matched, {
		class: state.complaint ? "fg-matched fg-complaint" : "fg-matched",
		x: slim ? meta.pad[3] : meta.pad[3] + footRoom(),
		y: FOOT_PAD + em + line * lineHeight,
		"text-anchor": slim ? "start" : "end",
	});
	write(matched, fitWidth(text, footRoom()));
	drawDetails();
}

function drawHover(box) {
	state.hover = box;
	show(outline, box && !isTable());
	svg.style.cursor = box ? "pointer" : "";
	if (box)
		set(outline, around(box, 0.5));
	if (!box)
		awaitCard(null);
	awaitOthers();
	drawDetails();
}

// A rectangle FAR px outside of BOX: a line on its edge would hide underscores.
function around(box, far) {
	const { x, w } = edges(box);
	return { x: x - far, y: rowTop(view.depth[box.frame]) - far, width: w + 2 * far,
		height: meta.frameheight - 1 + 2 * far };
}

// Delay until the function's other frames are outlined, in ms. Outlines all over the graph make
// browsers paint all of it, which would slow pointer moves and clicks.
const OUTLINE_REST = 80;

function awaitOthers() {
	clearTimeout(state.outlining);
	set(others, { d: "" });
	state.outlining = setTimeout(drawOthers, OUTLINE_REST);
}

// Outlines the boxes near the window that show the focused frame's function.
function drawOthers() {
	const { hover: box, boxes: { name, frame, until } } = state, high = meta.frameheight;
	const i = box ? box.until ? 0 : box.frame : max(state.selected, 0);
	const list = [], functionOf = kin(), own = functionOf[view.name[i]];
	if (i)
		eachNear((k, d) => functionOf[name[k]] === own && !until[k] &&
			(view.sides || frame[k] !== i) &&
			list.push(outlineOf(k, rowTop(d) - 0.5, high, 0.5)));
	set(others, { d: list.join("") });
}

// Has TEXT read out unless another text follows within DELAY ms.
function say(text, delay) {
	clearTimeout(state.speechTimer);
	state.speechTimer = setTimeout(() => write(said, text), delay);
}

// ---- The selected frame ----

// Screen readers read the element that gets the focus. Frames have no elements, so two elements
// over the selected frame take turns, and each step moves the focus.
const tree = make(graph, "g", { role: "tree", "aria-label": "Frames" });
const treeItems = [0, 1].map(() =>
	make(tree, "rect", { role: "treeitem", tabindex: 0, fill: "none", display: "none" }));

show(treeItems[0], true);
// the tree has the names, with their figures
set(labels, { "aria-hidden": true });

const boxOf = (i) => numberOf(i) < 0 ? null : boxNumber(numberOf(i));
const frameOf = (box) => box.until ? describeStrip(box).widest : box.frame;
const chosen = () => state.selected < 0 ? state.zoom : state.selected;

// The frame itself, or its nearest drawn ancestor.
function drawnAround(i) {
	while (i > 0 && !isTable() && !boxOf(i))
		i = view.parent[i];
	return i;
}

// If the selected frame is no longer drawn, selects its nearest drawn ancestor.
function drawChosen() {
	if (isTable())
		return;
	if (state.selected > 0 && state.selected !== state.thin)
		state.selected = drawnAround(state.selected);
	const i = chosen(), { name, parts } = describe(null);
	set(treeItems[0], { ...around(boxOf(drawnAround(i)), 1),
		"aria-selected": state.selected >= 0, "aria-level": view.depth[i] + 1,
		"aria-expanded": view.end[i] > i + 1, "aria-label": [name, ...parts].join(", "),
	});
}

// Where the last visited child of frame I is kept; a sandwich's root has a caller too.
const slot = (i, callers) => callers ? ~i : i;

// Selects frame I and focuses it, unless KEEP leaves the focus in the search field. Zooms if
// the frame is too thin to draw, unless STAY is set.
function choose(i, keep, stay) {
	if (isTable()) {
		chooseRow(i, keep);
		return;
	}
	const parent = view.parent[i];
	for (const wide of [parent, i])
		if (!stay && !boxOf(i))
			goTo(wide);
	state.selected = i;
	state.thin = stay ? i : -1;
	if (i)
		view.visited.set(slot(parent, isCaller(i)), i);
	treeItems.reverse();
	drawChosen();
	drawHover(null);
	show(treeItems[0], true);
	if (!keep)
		treeItems[0].focus({ preventScroll: true });
	show(treeItems[1], false);
	drawCount();
	showRow(view.depth[drawnAround(i)]);
}

function unchoose() {
	state.selected = -1;
	drawChosen();
	drawHover(state.hover);
	drawCount();
}

// The child of I that was last visited, or the first of the widest.
function childOf(i, callers) {
	let child = view.visited.get(slot(i, callers)), most = 0;
	for (let c = child ? view.n : i + 1; c < view.end[i]; c = view.end[c])
		if (view.width[c] > most && isCaller(c) === callers && view.name[c] !== GAP) {
			most = view.width[c];
			child = c;
		}
	return child;
}

// The frame above or below frame I on the screen.
function vertical(i, up) {
	const isOutward = view.split ? !i || up === isCaller(i) : up !== state.icicle;
	return isOutward ? childOf(i, view.split > 0 && up) : i ? view.parent[i] : -1;
}

function beside(i, step) {
	const k = numberOf(i) + step, { first } = state.boxes, d = view.depth[i];
	const box = k >= first[d] && k < first[d + 1] && boxNumber(k);
	return box && box.right - box.left >= THIN ? frameOf(box) : -1;
}

// The end of the widest path from frame I that is drawn.
function farthest(i) {
	let next = i;
	while (next >= 0 && boxOf(next)) {
		i = next;
		next = childOf(i, isCaller(i));
	}
	return i;
}

// Where the keys lead from frame I. The first key pressed selects the zoomed frame.
const STEPS = {
	ArrowUp: (i) => vertical(i, true), ArrowDown: (i) => vertical(i, false),
	ArrowLeft: (i) => beside(i, -1), ArrowRight: (i) => beside(i, 1),
	Home: () => state.zoom, End: farthest,
};

for (const key of Object.keys(STEPS))
	commands.push({ keys: [key], isThere: () => state.kind !== "table", run: () => {
		const { selected, zoom } = state, from = drawnAround(selected);
		const next = selected < 0 ? zoom : from !== selected ? from : STEPS[key](selected);
		if (next >= 0)
			choose(next);
	} });

const isChosen = () => state.selected >= 0;

commands.push(
	{ keys: ["Enter"], isThere: isChosen, run: () => goTo(state.selected) },
	{ keys: ["Escape"], isThere: isChosen, run: unchoose },
);

// ---- Clipboard and links ----

// The frame under the pointer, the selected one, or the zoomed one.
const current = () => state.hover ? frameOf(state.hover) : chosen();

// The position of that frame in the picture.
function placeOfCurrent() {
	const i = drawnAround(current());
	return isTable() ? [8, rowY(picked.frames.indexOf(i)) + ROW] :
		[edges(boxOf(i)).x + 8, rowTop(view.depth[i]) + meta.frameheight];
}

// The folded stack of frame I, from root to leaf.
function stackOf(i) {
	const callers = isCaller(i), path = pathOf(i).slice(callers ? 1 : 0);
	if (view.split)
		path.unshift(nameOf(0));
	const isTurned = (callers || state.kind === "up") !== meta.reverse;
	return (isTurned ? path.reverse() : path).join(";");
}

// Shows TEXT for a moment.
function announce(text) {
	clearTimeout(state.noticeTimer);
	state.notice = text;
	drawMatched();
	say(text, 0);
	if (text)
		state.noticeTimer = setTimeout(announce, 3000, "");
}

// For pages without access to the clipboard API; only HTML supports this.
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
	announce((done ? "Copied " : "The browser does not allow copying ") + text);
}

function copyName() {
	copy(nameOf(current()));
}

function copyStack() {
	copy(stackOf(current()));
}

const links = new Map(meta.attrs);
const linkOf = (i) => links.get(view.name[i]) || {};
const titleOf = (i) => linkOf(i).title || spell(nameOf(i));

// The link of frame I as a clickable element; never code.
function anchorOf(i) {
	const { href, target } = linkOf(i), anchor = document.createElementNS(XHTML, "a");
	Object.assign(anchor, { href: href || "", target: target || "_top", rel: "noopener" });
	return href && /^(https?|mailto|file):$/.test(anchor.protocol) ? anchor : null;
}
