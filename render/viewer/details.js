// SPDX-License-Identifier: ISC
// The foot: what the frame under the pointer is.

const foot = make(svg, "g", { class: "fg-foot" });
const footGround = make(foot, "rect", { class: "fg-ground" });
const details = foot.appendChild(find("fg-details"));
const matched = make(foot, "text", { class: "fg-matched" });
// what is told to those who do not see the picture
const said = make(foot, "text", { role: "status", opacity: 0 });
const FOOT_PAD = 6;

// Joins PARTS to lines of N columns.
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
	return lines.map((text) => fit(text, n));
}

const isSlim = () => state.width < 60 * letter + 300;
// The room that the longest details take, so that the foot keeps its height.
const footLines = () => 1 + min(max(ceil(165 * letter / state.width) + (isSlim() ? 1 : 0), 1), 5) +
	(isSlim() ? 1 : 0);

function describe(box) {
	if (!box || !box.until) {
		const i = box ? box.frame : chosen();
		const list = !meta.diff ? figures : meta.diff.ratio ? ratios : differences;
		return { name: i || view.split ? (meta.nametype + " " + titleOf(i)).trim() : "all",
			parts: list(i).concat(everywhere(i)) };
	}
	const strip = describeStrip(box);
	if (strip.n === 1)
		return describe({ frame: box.frame, until: 0 });
	return {
		name: strip.n + " frames too narrow to draw; a click zooms into the largest: " +
			nameOf(strip.widest),
		parts: ["total " + human(strip.sum),
			share(strip.sum, wholes[last]) + " of all"],
	};
}

function drawDetails() {
	const room = floor(inside() / letter), about = describe(state.hover);
	const beside = isSlim() ? 0 : matched.textContent.length + 3;
	const lines = [fit(about.name, room - beside)].concat(wrap(about.parts, room))
		.slice(0, footLines() - (isSlim() ? 1 : 0));
	pour(details, "tspan", lines, write);
	Array.from(details.children).forEach((span, i) =>
		set(span, { x: meta.pad[3], y: FOOT_PAD + em + i * lineHeight,
			class: i ? "" : "fg-name" }));
}

function drawMatched() {
	const slim = isSlim(), line = slim ? footLines() - 1 : 0;
	const count = state.hasCount ? "" : countText() + ", ";
	const about = state.hits ? count + matchedText() : "";
	const text = state.notice || state.complaint ||
		(slim ? about.replace(/matched | of all|the /g, "") : about);
	set(matched, {
		class: state.complaint ? "fg-matched fg-complaint" : "fg-matched",
		x: slim ? meta.pad[3] : state.width - meta.pad[1],
		y: FOOT_PAD + em + line * lineHeight,
		"text-anchor": slim ? "start" : "end",
	});
	write(matched, fitWidth(text, inside()));
	drawDetails();
}

function drawHover(box) {
	state.hover = box;
	show(outline, box && !isList());
	svg.style.cursor = box ? "pointer" : "";
	if (box) {
		const at = edges(box), d = view.depth[box.frame];
		set(outline, { x: at.x - 0.5, y: rowTop(d) - 0.5, width: at.w + 1,
			height: meta.frameheight });
	}
	drawOthers(box ? box.until ? 0 : box.frame : max(state.selected, 0));
	drawDetails();
}

// Outlines the boxes near the window that are of the same function as frame I.
function drawOthers(i) {
	const list = [], { name } = view;
	// with a caller zoomed there are depths without a row
	state.nearRows.forEach((row) => {
		for (const box of i ? row : [])
			if (name[box.frame] === name[i] && !box.until && box.frame !== i)
				list.push(box.outline);
	});
	set(others, { d: list.join("") });
}

// Tells TEXT to those who do not see it, when for DELAY ms nothing else follows.
function say(text, delay) {
	clearTimeout(state.saying);
	state.saying = setTimeout(() => write(said, text), delay);
}
