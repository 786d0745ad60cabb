// SPDX-License-Identifier: ISC
// Title, facts and legend.

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
