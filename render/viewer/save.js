// SPDX-License-Identifier: ISC
// Saves the visible part as a picture or as folded text.

// Image pixels per px of the picture, unless the image would exceed browsers' limits.
const SCALE = 2, MOST_PX = 16000;

// A file name derived from the picture's.
const nameFor = (kind) => (alone && decodeURIComponent(location.pathname)
	.replace(/^.*\//, "").replace(/\.svg$/, "") || "picture") + "-view." + kind;

function download(blob, kind) {
	const anchor = document.createElementNS(XHTML, "a");
	const href = URL.createObjectURL(blob), name = nameFor(kind);
	Object.assign(anchor, { href, download: name });
	anchor.click();
	// the browser may still have to ask the user where
	setTimeout(() => URL.revokeObjectURL(href), 60000);
	announce("Saved " + name);
}

// The picture as printed, of the visible part and without script.
function pictureOf() {
	print(true);
	const copy = svg.cloneNode(true), { width, height } = state;
	print(false);
	for (const part of copy.querySelectorAll(
		"script, .fg-bar, .fg-foot, .fg-hover, .fg-others, .fg-card, [role=tree]"))
		part.remove();
	copy.removeAttribute("style");
	set(copy, { width, height, viewBox: `0 0 ${width} ${height}` });
	return { width, height, text: new XMLSerializer().serializeToString(copy) };
}

const blobOf = (text, type) => new Blob([text], { type });

function savePicture() {
	download(blobOf(pictureOf().text, "image/svg+xml"), "svg");
}

async function saveImage() {
	const { width, height, text } = pictureOf(), image = new Image();
	const scale = min(SCALE, MOST_PX / width, MOST_PX / height);
	const canvas = document.createElementNS(XHTML, "canvas");
	Object.assign(canvas, { width: floor(width * scale), height: floor(height * scale) });
	image.src = URL.createObjectURL(blobOf(text, "image/svg+xml"));
	try {
		await image.decode();
		canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
		download(await new Promise((done, fail) =>
			canvas.toBlob((blob) => blob ? done(blob) : fail(), "image/png")), "png");
	} catch (error) {
		announce("The browser cannot make an image of this");
	}
	URL.revokeObjectURL(image.src);
}

// Formats a weight for folded text.
function exact(w) {
	const s = String(w).padStart(meta.scale + 1, "0"), at = s.length - meta.scale;
	return (s.slice(0, at) + "." + s.slice(at)).replace(/\.?0*$/, "");
}

// The stacks of the frames from ZOOM to its end in a view of all.
function stacksOf({ name, depth, end, self }, zoom, path) {
	const lines = [], stack = path.slice(0, -1);
	for (let i = zoom; i < end[zoom]; i++) {
		if (i && name[i] !== GAP)
			stack.splice(depth[i] - 1, Infinity, names.text[name[i]]);
		const own = self.map((column) => column[i]);
		if (name[i] === GAP || !own.some((w) => w))
			continue;
		const frames = stack.slice(0, depth[i]), rows = frames.splice(0, meta.rows || 0);
		if (!frames.length && (state.steps.length || !rows.length))
			frames.push("[hidden]");
		lines.push([rows.concat(meta.reverse ? frames.reverse() : frames).join(";"),
			...own.map(exact)].join(" "));
	}
	return lines;
}

// The visible stacks: those through the zoomed frame of a flame graph, else all that the steps
// leave.
function foldedText() {
	const isFlame = state.kind === "flame", z = isFlame ? state.zoom : 0;
	const frames = isFlame ? view : base, part = z ? view.width[z] / view.whole : 1;
	// selected times and threads are not frames
	const by = meta.by && encodeURI(meta.by.split(",").filter((name, k, all) =>
		!times || !["time", ...TRACKS].includes(name)).join() || "none");
	const keys = [`unit=${encodeURIComponent(meta.unit)}`, by && "by=" + by,
		columnCount > 1 && "columns=2",
		columnCount < 2 && samples > 0 && `samples=${round(samples * part)}`];
	return [`#fg ${keys.filter((key) => key).join(" ")}`,
		...stacksOf(frames, z, z ? pathOf(z) : [])].join("\n") + "\n";
}

function saveStacks() {
	download(blobOf(foldedText(), "text/plain"), "folded");
}

commands.push(
	{ label: "Save as SVG", run: savePicture },
	{ label: "Save as PNG", run: saveImage },
	{ label: "Save stacks as folded text", run: saveStacks },
);
