// SPDX-License-Identifier: ISC
// The beginning.

function start() {
	const ground = find("fg-bg").getAttribute("fill");
	if (!ground.startsWith("url"))
		svg.style.setProperty("--fg-page", ground);
	const fill = ground.startsWith("url") ? "#f4f4f0" : ground;
	set(barGround, { fill });
	set(footGround, { fill });
	set(headGround, { fill });
	set(list, { fill: meta.uicolor });
	set(bar, { fill: meta.uicolor });
	set(foot, { fill: meta.uicolor });
	set(svg, { role: "group", class: "fg fg-live" });
	drawTheme();
	// so that the menu lies over the foot
	svg.append(bar);
	// to a phone only a page can say that it suits its width; and as an object in
	// another page a picture is cut off below, where a page can be scrolled
	if (alone && (isTouched || (meta.fluid && window.top !== window)))
		makePage();
	if (meta.fluid) {
		svg.removeAttribute("viewBox");
		set(svg, { width: "100%" });
		state.width = round(bounds().width) || meta.width;
	}
	arrive(alone ? location.hash : "");
	still.remove();
	listen();
	// what the browser kept from an earlier visit is the user's choice
	if (alone && !window.scrollY)
		showRow(view.depth[state.zoom]);
	// details need them, and the first pointer that comes should not wait for them
	(window.requestIdleCallback || setTimeout)(functions);
}

start();
})();
