// SPDX-License-Identifier: ISC
// The viewer in the picture. It reads the table of all frames (table.h), takes the
// place of the static layer, and from then on draws only what is wide enough to see:
// one path for each colour and a text for each label. Which frame the pointer is on
// follows from arithmetic, so that no frame has an element or a listener of its own
// and half a million frames cost no more than what is on the screen.
//
// All that is drawn is drawn of a view: arrays over frames in preorder, of which the
// table gives the first. Another way to look at the profile is another view.
//
// Names come from strangers: they reach the document as text only, never as markup.
(function () {
	"use strict";

	const SVG = "http://www.w3.org/2000/svg";
	const XHTML = "http://www.w3.org/1999/xhtml";
	const script = document.currentScript;
	// Where the script's own element is not told, it is the last that was read.
	const svg = script ? script.closest("svg.fg") :
		Array.from(document.querySelectorAll("svg.fg")).pop();
	if (!svg)
		return;
	// Whether the picture is the whole document, whose keys and history are then ours.
	const alone = document.documentElement === svg;

	const { abs, ceil, floor, max, min, pow, round, sqrt } = Math;
	const find = (name) => svg.querySelector("." + name);
	const on = (target, type, listener, how) => target.addEventListener(type, listener, how);
	const texts = (name) => Array.from(svg.querySelectorAll("." + name), (e) => e.textContent);

	// What is the same already is left alone: to write it anew makes browsers work.
	function set(element, attributes) {
		for (const [name, value] of Object.entries(attributes))
			if (element.getAttribute(name) !== String(value))
				element.setAttribute(name, value);
		return element;
	}

	function write(element, text) {
		if (element.textContent !== text)
			element.textContent = text;
	}

	function make(parent, tag, attributes, space) {
		const element = document.createElementNS(space || SVG, tag);
		return parent.appendChild(set(element, attributes || {}));
	}

	// ---- The table ----

	const meta = JSON.parse(texts("fg-meta").join(""));
	const last = meta.wide;
	const wholes = meta.total.map(Number);
	// Doubles hold whole numbers up to here; beyond it figures are BigInt.
	const isBig = meta.total.concat(meta.sum).some((s) => !Number.isSafeInteger(Number(s)));
	const Weights = isBig ? BigUint64Array : Float64Array;
	const weight = isBig ? BigInt : Number;
	const GAP = meta.names;

	// Escaped bytes that can be shown are shown; others stay as they are written.
	function unescape(s) {
		if (s.indexOf("\\") < 0)
			return s;
		return s.replace(/\\(?:\\|x([0-9a-fA-F]{2}))/g, (escape, hex) => {
			const code = hex ? parseInt(hex, 16) : 0x5c;
			return code >= 0x20 && code < 0x7f ? String.fromCharCode(code) : escape;
		});
	}

	function digitValues() {
		const values = new Uint8Array(128);
		for (let code = 0x21, value = 0; code < 0x7f; code++)
			if (!"\"&<>\\]".includes(String.fromCharCode(code)))
				values[code] = value++;
		return values;
	}

	const digits = digitValues();

	function decodeNames() {
		const lines = texts("fg-names").join("").split("\n").filter((line) => line);
		return {
			text: lines.map((line) => unescape(line.slice(1))),
			color: Uint8Array.from(lines, (line) => digits[line.charCodeAt(0)]),
		};
	}

	// A reader of numbers, as the type says: Number or BigInt.
	function reader(text) {
		let at = 0;
		const read = (type) => {
			const base = type(32);
			let digit, value = type(0), unit = type(1);
			do {
				digit = digits[text.charCodeAt(at++)];
				value += type(digit) * unit;
				unit *= base;
			} while (digit > 55);
			return value;
		};
		return { read, hasMore: () => at < text.length };
	}

	// An empty view of N frames, of which 0 is the root:
	//	name, parent, depth	of each frame; a name of GAP is drawn as nothing
	//	end			of its subtree, the index after the last frame in it
	//	self, total		exact weights, by column
	//	lead, width		of the last column, in doubles: what a frame has before
	//				its first child, and in all
	function newView(n) {
		const columns = () => meta.total.map(() => new Weights(n));
		return {
			n, rows: 1, self: columns(), total: columns(), lead: null, width: null,
			name: new Uint32Array(n), parent: new Uint32Array(n),
			depth: new Uint32Array(n), end: new Uint32Array(n),
		};
	}

	function decodeFrames() {
		const view = newView(meta.frames + 1);
		const { name, parent, depth, end, self } = view;
		const { read, hasMore } = reader(texts("fg-frames").join(""));
		let at = 0, i = 1;
		name[0] = GAP + 1;
		meta.rootself.forEach((w, column) => self[column][0] = weight(w));
		for (; i < view.n && hasMore(); i++) {
			const first = read(Number), head = first ? 0 : read(Number);
			for (let up = head >> 1; up > 0; up--) {
				end[at] = i;
				at = parent[at];
			}
			parent[i] = at;
			depth[i] = depth[at] + 1;
			name[i] = first ? first - 1 : read(Number);
			if (head & 1)
				for (const column of self)
					column[i] = read(weight);
			at = i;
		}
		view.n = i;
		for (end[0] = i; at; at = parent[at])
			end[at] = i;
		return view;
	}

	// Works out what follows from the tree and its own weights.
	function completeView(view) {
		const { n, name, parent, depth, self, total } = view;
		const asDoubles = (a) => isBig ? Float64Array.from(a, Number) : a;
		view.lead = asDoubles(self[last]);
		if (meta.flamechart)
			view.lead = view.lead.slice();
		self.forEach((own, column) => {
			const sum = total[column];
			sum.set(own);
			for (let i = n - 1; i > 0; i--) {
				sum[parent[i]] += sum[i];
				// set() above has put the gap's weight in its own total
				if (name[i] === GAP)
					own[parent[i]] += own[i];
			}
		});
		view.width = asDoubles(total[last]);
		for (let i = 1; i < n; i++)
			if (depth[i] >= view.rows && name[i] !== GAP)
				view.rows = depth[i] + 1;
		return view;
	}

	const names = decodeNames();
	const view = completeView(decodeFrames());
	const nameOf = (i) => i ? names.text[view.name[i]] : "all";
	const isWithin = (i, z) => i >= z && i < view.end[z];

	// ---- State ----

	const state = {
		zoom: 0,
		trail: [],
		hover: null,
		pattern: "",
		matchCase: true,
		complaint: "",
		// by name: whether it matches; null without a search
		hits: null,
		// by frame: how many frames before it match
		seen: new Uint32Array(view.n + 1),
		// by depth, the boxes of each row; and the range of lines that is drawn
		rows: [], near: null, printing: false,
		// the layout: sizes in px
		width: meta.width, height: 0, top: 0, foot: 0, barTop: 0, barHeight: 0,
	};

	// The width of the graph.
	const inside = () => state.width - meta.pad[1] - meta.pad[3];

	// ---- Text ----

	// The static layer goes: with all its boxes it would be laid out at each measuring.
	const still = find("fg-static");
	still.setAttribute("display", "none");

	const em = meta.fontsize;
	const lineHeight = round(1.45 * em);
	const letter = meta.measure ? measureLetter() : em * meta.fontwidth;

	// The width of a letter of our font, which is monospace.
	function measureLetter() {
		const text = make(svg, "text", { visibility: "hidden" });
		text.textContent = "M".repeat(40);
		const width = text.getComputedTextLength() / 40;
		text.remove();
		return width > 0 ? width : em * meta.fontwidth;
	}

	const wide = /[\u1100-\u115f\u2e80-\ud7a3\uf900-\ufaff\ufe30-\uff60]/;

	// Marks have no width of their own; what is wide takes two columns, and so does
	// what is beyond the basic plane, which is mostly pictures.
	const columnsOf = (c) => c < "\u0300" ? 1 : /\p{Mn}/u.test(c) ? 0 :
		c.length > 1 || wide.test(c) ? 2 : 1;
	const countColumns = (s) => Array.from(s).reduce((n, c) => n + columnsOf(c), 0);

	// What of CHARS, taken in turn, fits into N columns.
	function take(chars, n) {
		let i = 0;
		while (i < chars.length && (n -= columnsOf(chars[i])) >= 0)
			i++;
		return chars.slice(0, i);
	}

	// S in at most N columns: whole, or its start and its end around an ellipsis.
	function fit(s, n) {
		if (n < 3)
			return "";
		if (countColumns(s) <= n)
			return s;
		const chars = Array.from(s), tail = floor((n - 1) / 2);
		return take(chars, n - 1 - tail).join("") + "\u2026" +
			take(chars.reverse(), tail).reverse().join("");
	}

	const fitWidth = (s, px) => fit(s, floor(px / letter));
	const bare = (name) => name.replace(/_\[[kwij]\]$/, "");

	// ---- Figures ----

	const TIMES = [["ns", 1e-9], ["us", 1e-6], ["ms", 1e-3], ["s", 1]];
	const BYTES = [["bytes", 1], ["KiB", 1024], ["MiB", 1048576], ["GiB", 1073741824]];
	const unit = meta.countname;

	// "1234567.50" as "1,234,567.5".
	function group(s) {
		const parts = s.split(".");
		const rest = (parts[1] || "").replace(/0+$/, "");
		return parts[0].replace(/\B(?=(\d{3})+$)/g, ",") + (rest ? "." + rest : "");
	}

	const magnitude = (w) => w < 0 ? -w : w;

	// A weight in its own unit.
	function plain(w) {
		const sign = w < 0 ? "\u2212" : "";
		if (meta.factor !== 1)
			return sign + group(abs(toUnits(w)).toFixed(2));
		const s = String(magnitude(w)).padStart(meta.scale + 1, "0");
		return sign + group(s.slice(0, s.length - meta.scale) + "." +
			s.slice(s.length - meta.scale));
	}

	const toUnits = (w) => Number(w) / pow(10, meta.scale) * meta.factor;

	const kin = [TIMES, BYTES].find((units) => units.some((u) => u[0] === unit));

	// A weight for people: in the unit that suits its size where there are several,
	// else with UNIT after it.
	function human(w, after) {
		if (!kin)
			return plain(w) + after;
		let value = toUnits(magnitude(w)) * kin.find((u) => u[0] === unit)[1];
		const fits = kin.filter((u) => value >= u[1]).pop() || kin[0];
		value /= fits[1];
		const digits = value < 10 ? 3 : value < 100 ? 2 : value < 1000 ? 1 : 0;
		return (w < 0 ? "\u2212" : "") + group(value.toFixed(digits)) + " " + fits[0];
	}

	function amount(w) {
		const long = plain(w) + " " + unit, short = human(w, " " + unit);
		return short === long ? short : short + " (" + long + ")";
	}

	function share(part, whole) {
		const percent = whole ? 100 * Number(part) / Number(whole) : 0;
		const isTiny = percent && percent < 0.01;
		return (isTiny ? percent.toPrecision(2) : percent.toFixed(2)) + " %";
	}

	// How far off the share of all may be since only samples were taken: 95 %
	// of such shares are within it, in percentage points.
	function sampling(part) {
		const p = min(Number(part) / wholes[0], 1);
		if (!(meta.samples > 0))
			return "";
		return " \u00b1 " + (196 * sqrt(p * (1 - p) / meta.samples)).toFixed(2);
	}

	// Two weights, the change, and how many times as much it is.
	function change([before, after]) {
		const difference = after - before, times = Number(after) / Number(before);
		const ratio = !before ? "new" : !after ? "gone" :
			"\u00d7 " + (times < 10 ? times.toFixed(2) : group(times.toFixed(1)));
		const sign = difference > 0 ? "+" : "";
		return human(before, "") + " \u2192 " + human(after, " " + unit) +
			(difference ? ` (${sign}${human(difference, "")}, ${ratio})` : " (no change)");
	}

	const inZoom = (part, z, column) => share(part, view.total[column][z]) + " of the zoomed";

	function figures(i) {
		const total = view.total[0][i], self = view.self[0][i], z = state.zoom;
		const whole = i ? total : meta.total[0];
		const parts = ["total " + amount(weight(whole)),
			share(whole, wholes[0]) + (i ? sampling(total) : "") + " of all"];
		if (z && isWithin(i, z))
			parts.push(inZoom(total, z, 0));
		parts.push("self " + amount(self) + ", " + share(self, wholes[0]));
		return parts;
	}

	// Of a ratio: both columns, and how much of the first comes to one of the second.
	function ratios(i) {
		const kinds = meta.diff.ratio, at = view.total.map((column) => column[i]);
		const per = ([a, b]) => (Number(a) / Number(b)).toFixed(2);
		return at.map((w, n) => `${plain(w)} ${kinds[n]}, ${share(w, wholes[n])}`).concat(
			`${per(at)} ${kinds.join(" / ")} (${per(meta.sum)} in all)`);
	}

	function differences(i) {
		const at = (columns) => columns.map((column) => column[i]);
		const shares = at(view.total).map((total, column) => share(total, wholes[column]));
		const parts = ["total " + change(at(view.total)),
			shares.join(" \u2192 ") + " of all"];
		if (state.zoom && isWithin(i, state.zoom))
			parts.push(inZoom(view.total[last][i], state.zoom, last));
		parts.push("self " + change(at(view.self)));
		return parts;
	}

	// The frames of a strip, which are neighbours: how many, how much, the largest.
	function describeStrip(box) {
		let n = 0, sum = 0, widest = box.frame;
		for (let i = box.frame; i < box.until; i = view.end[i]) {
			if (view.width[i] > view.width[widest])
				widest = i;
			sum += view.width[i];
			n++;
		}
		return { n, sum, widest };
	}

	// ---- Layout ----

	// Narrower boxes are joined to strips, and thinner strips left out; px.
	const NARROW = 1, THIN = 0.5;

	// The boxes of what is seen when ZOOM fills WIDTH px, a list for each row, from
	// left to right: frame; left and right, px from the edge of the graph; until, for
	// a strip the end of its frames. Subtrees that are too narrow are never entered.
	function layout(zoom, width) {
		const { name, depth, end, lead } = view, weights = view.width;
		const px = width / (zoom ? weights[zoom] : wholes[last]);
		const next = new Float64Array(view.rows + 2);
		const rows = [];
		for (let a = zoom, d = depth[zoom]; d >= 0; a = view.parent[a], d--)
			rows[d] = [{ frame: a, left: 0, right: width, until: 0 }];
		next[depth[zoom] + 1] = lead[zoom];
		for (let i = zoom + 1; i < end[zoom];) {
			const d = depth[i], x = next[d], right = x + weights[i];
			next[d] = right;
			if (name[i] === GAP || !weights[i]) {
				i = end[i];
				continue;
			}
			const row = rows[d] || (rows[d] = []);
			const box = { frame: i, left: x * px, right: right * px, until: 0, outline: "" };
			if (weights[i] * px < NARROW)
				box.until = end[i];
			addBox(row, box);
			next[d + 1] = x + lead[i];
			i = box.until || i + 1;
		}
		return rows;
	}

	// Adds a box to a row. A frame that begins where a strip ends is a sibling of the
	// frames in it. A strip too thin to see gives way to what follows.
	function addBox(row, box) {
		const before = row[row.length - 1];
		const strip = before && before.until ? before : null;
		if (strip && box.until && strip.until === box.frame) {
			strip.right = box.right;
			strip.until = box.until;
		} else if (strip && strip.right - strip.left < THIN) {
			row[row.length - 1] = box;
		} else {
			row.push(box);
		}
	}

	// The line of a row, which is counted from above, and the other way about.
	const lineOf = (d) => meta.inverted ? d : view.rows - 1 - d;
	const rowTop = (d) => state.top + lineOf(d) * meta.frameheight;

	// Edges lie on whole pixels, with a gap of one between boxes that have room for it.
	function edges(box) {
		const x = round(meta.pad[3] + box.left);
		const w = round(meta.pad[3] + box.right) - x;
		return { x, w: box.right - box.left < 2 ? w : w - 1 };
	}

	// The box at a point of the picture.
	function boxAt(x, y) {
		const row = state.rows[lineOf(floor((y - state.top) / meta.frameheight))];
		let low = 0, high = row ? row.length : 0;
		x -= meta.pad[3];
		while (low < high) {
			const middle = (low + high) >> 1;
			if (row[middle].right <= x)
				low = middle + 1;
			else
				high = middle;
		}
		return row && low < row.length && row[low].left <= x ? row[low] : null;
	}

	// ---- Drawing ----

	// Keeps the weight of the document down on large screens: the widest have labels.
	const LABELS = 1000;

	const graph = make(svg, "g", { class: "fg-graph" });
	const boxes = make(graph, "g", {});
	const outline = make(graph, "rect", { class: "fg-hover", fill: "none", stroke: "#000" });
	const labels = make(graph, "g", { fill: meta.textcolor });
	if (meta.stroke)
		boxes.setAttribute("stroke", meta.stroke);

	function changeColor(i) {
		const by = meta.diff.self ? view.self : view.total, most = Number(meta.diff.max[0]);
		const times = last ? 1 : Number(meta.sum[0]) / Number(meta.sum[1]);
		const change = (Number(by[last][i]) - round(Number(by[1 - last][i]) * times)) *
			(meta.diff.negate ? -1 : 1);
		const steps = most ? min(round(8 * abs(change) / most), 8) : 0;
		return meta.diff.colors[change < 0 ? 8 - steps : 8 + steps];
	}

	function colorOf(i) {
		if (meta.diff)
			return changeColor(i);
		return i ? meta.colors[names.color[view.name[i]]] : meta.rootcolor;
	}

	const isHit = (i) => i > 0 && state.hits !== null && state.hits[view.name[i]] === 1;
	const hasHits = (box) => state.hits && state.seen[box.until] > state.seen[box.frame];

	function outlineOf(box, y, height) {
		const { x, w } = edges(box);
		return w ? `M${x} ${y}h${w}v${height}h-${w}z` : "";
	}

	// Path data by what it is filled with, a colour and a class. The outline of a box
	// stays as long as the layout does, and is kept with it.
	function collectPaths(rows) {
		const kinds = {}, h = meta.frameheight - 1, depth = view.depth[state.zoom];
		const add = (kind, fill, outline) => {
			const fills = kinds[kind] || (kinds[kind] = {});
			(fills[fill] || (fills[fill] = [])).push(outline);
		};
		rows.forEach((row, d) => {
			const y = rowTop(d), kind = d < depth ? "fg-faded" : "fg-box";
			for (const box of row) {
				const i = box.frame;
				box.outline = box.outline || outlineOf(box, y, h);
				if (d < depth)
					add("fg-under", "#fff", box.outline);
				if (!box.until)
					add(kind, isHit(i) ? meta.searchcolor : colorOf(i), box.outline);
				else
					add("fg-strip", meta.stripcolor, box.outline);
				if (box.until && hasHits(box))
					add("fg-mark", meta.searchcolor, outlineOf(box, y + h - 4, 4));
			}
		});
		return kinds;
	}

	// The order in which they lie on each other.
	const KINDS = ["fg-under", "fg-faded", "fg-box", "fg-strip", "fg-mark"];

	// Makes the children of PARENT as many as ITEMS, each shown by SHOW.
	function pour(parent, tag, items, show) {
		while (parent.childNodes.length > items.length)
			parent.lastChild.remove();
		items.forEach((item, i) => show(parent.childNodes[i] || make(parent, tag), item));
	}

	function collectLabels(rows) {
		const depth = view.depth[state.zoom], found = [];
		rows.forEach((row, d) => {
			for (const box of row) {
				if (box.until || box.right - box.left < 3 * letter)
					continue;
				const at = edges(box), columns = floor((at.w - 6) / letter);
				if (columns >= 3)
					found.push({ frame: box.frame, x: at.x + 3, columns, d,
						faded: d < depth });
			}
		});
		return found.length <= LABELS ? found :
			found.sort((a, b) => b.columns - a.columns).slice(0, LABELS);
	}

	function showLabel(text, label) {
		set(text, {
			class: label.faded ? "fg-faded-text" : "", x: label.x,
			y: rowTop(label.d) + (meta.frameheight - 1) / 2 + 0.35 * em
		});
		write(text, fit(bare(nameOf(label.frame)), label.columns));
	}

	// The picture's edges in the window, and how many px a unit of the picture has.
	function bounds() {
		const { left, top, bottom, width } = svg.getBoundingClientRect();
		return { left, top, bottom, width, scale: width / state.width || 1 };
	}

	// The range of lines of boxes, counted from above, that are in the window or less
	// than MARGIN px outside of it.
	function linesInSight(margin) {
		const { top, scale } = bounds();
		const line = (y) => floor(((y - top) / scale - state.top) / meta.frameheight);
		return { from: max(line(-margin), 0),
			to: min(line(window.innerHeight + margin) + 1, view.rows) };
	}

	// Draws what is near the window, or all of it for a printer.
	function drawGraph() {
		const near = state.near = state.printing ? { from: 0, to: view.rows } :
			linesInSight(window.innerHeight / 2);
		const rows = state.rows.map((row, d) =>
			lineOf(d) >= near.from && lineOf(d) < near.to ? row : []);
		const paths = [], kinds = collectPaths(rows);
		for (const kind of KINDS)
			for (const fill of Object.keys(kinds[kind] || {}))
				paths.push({ class: kind, fill, d: kinds[kind][fill].join("") });
		pour(boxes, "path", paths, set);
		const legible = meta.frameheight >= 0.8 * em;
		pour(labels, "text", legible ? collectLabels(rows) : [], showLabel);
		drawHover(null);
	}

	// ---- Header ----

	const header = ["fg-title", "fg-subtitle", "fg-info"].map(find).filter((e) => e)
		.map((element, i) => ({
			element, size: Number(element.getAttribute("font-size")) || em,
			text: i ? element.textContent : meta.title,
		}));
	const legend = find("fg-legend");
	const legendBox = legend && legend.getBBox();

	function drawHeader() {
		for (const line of header) {
			const room = (state.width - 20) * em / line.size;
			set(line.element, { x: state.width / 2 });
			write(line.element, fitWidth(line.text, room));
		}
		if (!legend)
			return;
		const scale = min((state.width - 20) / legendBox.width, 1);
		const x = (state.width - scale * legendBox.width) / 2 - scale * legendBox.x;
		const y = (1 - scale) * (legendBox.y + legendBox.height / 2);
		set(legend, { transform: `translate(${x} ${y}) scale(${scale})` });
	}

	// ---- Controls ----

	// They stay in sight: the bar moves along when the page is scrolled (see keepInSight).
	const bar = make(svg, "g", { class: "fg-bar" });
	const barGround = make(bar, "rect", { class: "fg-ground" });
	const CONTROL = max(22, round(1.8 * em));
	const actions = new Map();

	// A button: a box with a word that is clicked, or focused and pressed.
	function makeButton(label, hint, action) {
		const button = make(bar, "g", { class: "fg-button", role: "button", tabindex: 0,
			"aria-label": hint });
		make(button, "title").textContent = hint;
		make(button, "rect", { height: CONTROL, rx: 4 });
		make(button, "text", { y: CONTROL / 2 + 0.35 * em, "text-anchor": "middle" })
			.textContent = label;
		actions.set(button, action);
		return button;
	}

	function placeButton(button, x, y, width) {
		set(button, { transform: `translate(${x} ${y})` });
		set(button.querySelector("rect"), { width });
		set(button.querySelector("text"), { x: width / 2 });
	}

	const show = (element, visible) => visible ? element.removeAttribute("display") :
		element.setAttribute("display", "none");

	const resetButton = makeButton("Reset zoom", "Show the whole graph (Escape: one step back)",
		() => goTo(0));
	const field = makeButton("", "Search by regular expression (/ or Ctrl-F)", openSearch);
	field.setAttribute("role", "searchbox");
	const fieldText = set(field.querySelector("text"), { x: 8, "text-anchor": "start" });
	const clearButton = makeButton("\u00d7", "Clear the search (Escape)", () => search(""));
	const caseButton = makeButton("Aa", "Match case (Ctrl-I)", toggleCase);

	// Beside the title where there is room, else on a line below the header.
	function placeControls() {
		const title = header[0], width = state.width, gap = 6;
		const reset = 10 * letter + 20, small = 2 * letter + 16;
		const free = (width - countColumns(title.element.textContent) * letter *
			title.size / em) / 2 - meta.pad[3] - 20;
		let length = min(max(0.2 * width, 150), 300);
		const beside = free >= length + small + gap && free >= reset;
		if (!beside)
			length = max(min(inside() - small - reset - 2 * gap, 400), 60);
		state.top = meta.pad[0] + (beside ? 0 : CONTROL + 8);
		state.barHeight = CONTROL + 10;
		const middle = title.element.getAttribute("y") - 0.35 * title.size;
		state.barTop = beside ? middle - state.barHeight / 2 : state.top - state.barHeight;
		const end = beside ? width - meta.pad[1] :
			meta.pad[3] + reset + gap + length + gap + small;
		placeButton(resetButton, meta.pad[3], 5, reset);
		placeButton(caseButton, end - small, 5, small);
		placeButton(field, end - small - gap - length, 5, length);
		set(fieldText, { x: 8 });
		placeButton(clearButton, end - small - gap - CONTROL, 5, CONTROL);
		state.fieldWidth = length;
		set(barGround, { width, height: state.barHeight });
	}

	function drawControls() {
		const room = state.fieldWidth - 16 - CONTROL;
		write(fieldText, input ? "" : fitWidth(state.pattern || PLACEHOLDER, room));
		set(fieldText, { class: state.pattern ? "" : "fg-hint" });
		set(field, { class: "fg-button fg-field" + (state.complaint ? " fg-bad" : "") });
		set(caseButton, { "aria-pressed": state.matchCase });
		show(clearButton, state.pattern);
		show(resetButton, state.zoom);
	}

	// SVG has no field to type into. Handling each key oneself would lose what keyboards
	// do before a letter is there (dead keys, of which "^" is one in many countries,
	// input methods, the keyboard of a phone, the clipboard, undo), and an input inside a
	// foreignObject is misplaced by WebKit. So a real input of XHTML lies over the drawn
	// field, beside the picture and not in it. It is made when it is first needed; a
	// document that is nothing but the picture becomes a page around it then, as a
	// document can have but one element.
	const PLACEHOLDER = "Search (regexp)";
	let input = null;

	function makePage() {
		const html = document.createElementNS(XHTML, "html");
		const head = make(html, "head", {}, XHTML), body = make(html, "body", {}, XHTML);
		const x = window.scrollX, y = window.scrollY;
		html.className = "fg-page";
		html.style.setProperty("--fg-page", svg.style.getPropertyValue("--fg-page"));
		make(head, "meta", { name: "viewport", content: "width=device-width" }, XHTML);
		make(head, "title", {}, XHTML).textContent = meta.title;
		document.replaceChild(html, svg);
		body.appendChild(svg);
		window.scrollTo(x, y);
	}

	function makeInput() {
		if (document.documentElement === svg)
			makePage();
		const hint = field.getAttribute("aria-label");
		input = make(svg.parentNode, "input", { class: "fg-input", type: "text",
			spellcheck: "false", autocapitalize: "off", autocomplete: "off",
			"aria-label": hint, placeholder: PLACEHOLDER }, XHTML);
		svg.after(input);
		input.style.fontFamily = getComputedStyle(svg).fontFamily;
		input.value = state.pattern;
		on(input, "input", () => search(input.value));
		on(input, "keydown", onKey);
		set(field, { tabindex: -1, "aria-hidden": "true" });
		drawControls();
	}

	function openSearch() {
		if (!input)
			makeInput();
		placeInput();
		input.focus({ preventScroll: true });
		input.select();
	}

	// Lays the input over the field, whatever its position is counted from.
	function placeInput() {
		if (!input)
			return;
		const target = field.querySelector("rect").getBoundingClientRect();
		const now = input.getBoundingClientRect(), scale = target.height / CONTROL;
		const shift = (side) =>
			(parseFloat(input.style[side]) || 0) + target[side] - now[side];
		Object.assign(input.style, {
			left: shift("left") + "px", top: shift("top") + "px",
			width: target.width - CONTROL * scale + "px", height: target.height + "px",
			fontSize: em * scale + "px",
		});
	}

	// ---- Details ----

	const foot = make(svg, "g", { class: "fg-foot" });
	const footGround = make(foot, "rect", { class: "fg-ground" });
	const details = foot.appendChild(find("fg-details"));
	const matched = make(foot, "text", { class: "fg-matched", role: "status" });
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
	const footLines = () => 1 + min(max(ceil(125 * letter / state.width), 1), 4) +
		(isSlim() ? 1 : 0);

	function describe(box) {
		if (!box || !box.until) {
			const i = box ? box.frame : state.zoom;
			return { name: i ? (meta.nametype + " " + nameOf(i)).trim() : "all",
				parts: (!meta.diff ? figures : meta.diff.ratio ? ratios : differences)(i) };
		}
		const strip = describeStrip(box);
		if (strip.n === 1)
			return describe({ frame: box.frame, until: 0 });
		return {
			name: strip.n + " frames too narrow to draw; a click zooms into the largest: " +
				nameOf(strip.widest),
			parts: ["total " + human(strip.sum, " " + unit),
				share(strip.sum, wholes[last]) + " of all"],
		};
	}

	function drawDetails() {
		const room = floor(inside() / letter), about = describe(state.hover);
		const found = isSlim() ? 0 : matched.textContent.length + 3;
		const lines = [fit(about.name, room - found)].concat(wrap(about.parts, room));
		pour(details, "tspan", lines, write);
		Array.from(details.children).forEach((span, i) =>
			set(span, { x: meta.pad[3], y: FOOT_PAD + em + i * lineHeight,
				class: i ? "" : "fg-name" }));
	}

	function drawMatched() {
		const slim = isSlim(), line = slim ? footLines() - 1 : 0;
		const text = state.complaint || (state.hits ? matchedText() : "");
		set(matched, {
			class: state.complaint ? "fg-matched fg-complaint" : "fg-matched",
			x: slim ? meta.pad[3] : state.width - meta.pad[1],
			y: FOOT_PAD + em + line * lineHeight,
			"text-anchor": slim ? "start" : "end",
		});
		matched.textContent = fitWidth(text, inside());
		drawDetails();
	}

	function drawHover(box) {
		state.hover = box;
		show(outline, box);
		svg.style.cursor = box ? "pointer" : "";
		if (box) {
			const at = edges(box), d = view.depth[box.frame];
			set(outline, { x: at.x - 0.5, y: rowTop(d) - 0.5, width: at.w + 1,
				height: meta.frameheight });
		}
		drawDetails();
	}

	// ---- The whole ----

	function draw() {
		drawHeader();
		placeControls();
		const foot = 2 * FOOT_PAD + footLines() * lineHeight;
		state.height = state.top + view.rows * meta.frameheight + 4 + foot;
		state.foot = foot;
		set(footGround, { width: state.width, height: foot });
		set(svg, { height: state.height });
		if (!meta.fluid)
			set(svg, { viewBox: `0 0 ${state.width} ${state.height}` });
		layOut();
		redraw();
		keepInSight();
	}

	function layOut() {
		state.rows = layout(state.zoom, inside());
	}

	// Draws what a zoom or a search changes.
	function redraw() {
		drawGraph();
		drawControls();
		drawMatched();
	}

	// Moves the controls and the details into the part of the picture that is in the
	// window: large graphs are higher than it.
	function keepInSight() {
		const { top, bottom, scale } = bounds();
		const room = state.height - state.foot - state.barHeight;
		const above = min(max(-top / scale, 0), room);
		const below = min(max((bottom - window.innerHeight) / scale, 0), room);
		const barAt = max(state.barTop, above);
		set(bar, { transform: `translate(0 ${barAt})`,
			class: barAt > state.barTop ? "fg-bar fg-afloat" : "fg-bar" });
		set(foot, { transform: `translate(0 ${state.height - state.foot - below})` });
		placeInput();
		const lines = linesInSight(0);
		if (lines.from < state.near.from || lines.to > state.near.to)
			drawGraph();
	}

	function onResize() {
		const width = max(round(bounds().width), 100);
		if (width !== state.width) {
			state.width = width;
			draw();
		}
	}

	// ---- Search ----

	// By the name alone. What is too narrow to draw counts as well.
	function search(pattern) {
		state.pattern = pattern;
		state.complaint = "";
		state.hits = null;
		try {
			const re = pattern && new RegExp(pattern, state.matchCase ? "" : "i");
			if (re)
				state.hits = Uint8Array.from(names.text, (name) => Number(re.test(name)));
		} catch (error) {
			state.complaint = "Not a regular expression: " +
				error.message.replace(/^.*\/[a-z]*: /, "");
		}
		countHits();
		if (input && input.value !== pattern)
			input.value = pattern;
		redraw();
	}

	function countHits() {
		const { hits, seen } = state, { n, name } = view;
		if (!hits)
			return;
		for (let i = 1; i < n; i++)
			seen[i + 1] = seen[i] + (hits[name[i]] === 1 ? 1 : 0);
	}

	// The weight of the matching frames within Z. A match inside a match is part of it.
	function matchedIn(z, column) {
		const { name, end, parent } = view, total = view.total[column], { hits } = state;
		let sum = weight(0);
		for (let a = z; a; a = parent[a])
			if (hits[name[a]] === 1)
				return total[z];
		for (let i = z + 1; i < end[z];) {
			if (hits[name[i]] === 1) {
				sum += total[i];
				i = end[i];
			} else {
				i++;
			}
		}
		return sum;
	}

	function matchedText() {
		const shares = (z) => view.total.map((total, column) =>
			share(matchedIn(z, column), z ? total[z] : wholes[column])).join(" \u2192 ");
		const zoomed = state.zoom ? ", " + shares(state.zoom) + " of the zoomed" : "";
		return "matched " + shares(0) + (state.zoom ? " of all" : "") + zoomed;
	}

	function toggleCase() {
		state.matchCase = !state.matchCase;
		search(state.pattern);
	}

	// ---- Zoom ----

	function zoomTo(frame) {
		state.zoom = frame;
		layOut();
		redraw();
	}

	// A zoom that can be undone: by the browser's Back where the page is ours.
	function goTo(frame) {
		if (frame === state.zoom || (frame && !view.width[frame]))
			return;
		state.trail.push(state.zoom);
		if (alone)
			remember(frame);
		zoomTo(frame);
	}

	// Some places, sandboxes among them, have no history.
	function remember(frame) {
		try {
			history.pushState({ fg: frame }, "");
		} catch (error) {
			state.noHistory = true;
		}
	}

	function goBack() {
		if (!state.trail.length)
			goTo(0);
		else if (alone && !state.noHistory)
			history.back();
		else
			zoomTo(state.trail.pop());
	}

	function recall() {
		const frame = history.state && history.state.fg;
		return frame > 0 && frame < view.n && view.width[frame] > 0 ? frame : 0;
	}

	// ---- Events ----

	// Where in the picture an event is; null on the controls.
	function pointOf(event) {
		if (event.target.closest(".fg-bar, .fg-foot"))
			return null;
		const { left, top, scale } = bounds();
		return { x: (event.clientX - left) / scale, y: (event.clientY - top) / scale };
	}

	function hoverAt(point) {
		const box = point && boxAt(point.x, point.y);
		if (box !== state.hover)
			drawHover(box);
	}

	// The place is looked up before anything is drawn: to ask for it afterwards would
	// make the browser lay out the page at once.
	function onClick(event) {
		const button = event.target.closest(".fg-button"), point = pointOf(event);
		const box = point && boxAt(point.x, point.y);
		if (button)
			actions.get(button)();
		else if (box)
			goTo(box.until ? describeStrip(box).widest : box.frame);
		if (box)
			hoverAt(point);
	}

	function leaveField() {
		if (input.value)
			search("");
		else
			input.blur();
	}

	// What a key does: a function, or nothing.
	function keyAction(event) {
		const key = (event.key || "").toLowerCase(), inField = event.target === input;
		const control = event.ctrlKey || event.metaKey;
		if (event.altKey)
			return null;
		if (control && key === "i")
			return toggleCase;
		// a second Ctrl-F is the browser's own
		if (key === "f3" || (control && key === "f" && !inField))
			return openSearch;
		if (control)
			return null;
		if (inField)
			return key === "escape" ? leaveField : null;
		if (key === "/")
			return openSearch;
		if (key === "escape" && state.pattern)
			return () => search("");
		if (key === "escape" && state.zoom)
			return goBack;
		return key === "enter" || key === " " ? actions.get(event.target) : null;
	}

	function onKey(event) {
		const action = !event.isComposing && keyAction(event);
		if (!action)
			return;
		event.preventDefault();
		event.stopPropagation();
		action();
	}

	function listen() {
		on(svg, "pointermove", (event) => hoverAt(pointOf(event)));
		on(svg, "pointerleave", () => drawHover(null));
		on(svg, "click", onClick);
		on(alone ? window : svg, "keydown", onKey);
		on(window, "scroll", keepInSight, { capture: true, passive: true });
		on(window, "resize", keepInSight);
		if (meta.fluid)
			new ResizeObserver(onResize).observe(svg);
		for (const type of ["beforeprint", "afterprint"])
			on(window, type, () => {
				state.printing = type === "beforeprint";
				drawGraph();
			});
		if (alone)
			on(window, "popstate", () => {
				state.trail.pop();
				zoomTo(recall());
			});
	}

	// ---- Start ----

	function start() {
		const ground = find("fg-bg").getAttribute("fill");
		if (!ground.startsWith("url"))
			svg.style.setProperty("--fg-page", ground);
		const fill = ground.startsWith("url") ? "#f4f4f0" : ground;
		set(barGround, { fill });
		set(footGround, { fill });
		set(bar, { fill: meta.uicolor });
		set(foot, { fill: meta.uicolor });
		set(svg, { role: "group", class: "fg fg-live" });
		if (meta.fluid) {
			svg.removeAttribute("viewBox");
			set(svg, { width: "100%" });
			state.width = round(bounds().width) || meta.width;
		}
		if (alone)
			state.zoom = recall();
		draw();
		still.remove();
		listen();
		if (alone && !meta.inverted && state.height > window.innerHeight && !window.scrollY)
			window.scrollTo(0, state.height);
	}

	start();
})();
