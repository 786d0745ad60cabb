// SPDX-License-Identifier: ISC
// Dark or light: as the system has it, unless the user wants it otherwise.

const THEME = "fg-theme";
const system = matchMedia("(prefers-color-scheme: dark)");

// The user's choice, kept for other pictures of this place where that is allowed; with
// CHOICE it is changed.
function keepTheme(choice) {
	try {
		if (choice === undefined)
			return localStorage.getItem(THEME);
		localStorage.setItem(THEME, choice);
	} catch (error) {
		// a sandbox or a user that wants no traces
	}
	return choice;
}

state.theme = keepTheme();

const isDark = () => state.theme ? state.theme === "dark" : system.matches;

// Other pictures of the page, and the page when it is not ours, stay as they are.
function drawTheme() {
	for (const element of [svg, input, alone && document.documentElement])
		if (element)
			element.classList.toggle("fg-dark", isDark());
}

// Back at what the system has, it is followed again.
function toggleTheme() {
	const dark = !isDark();
	state.theme = keepTheme(dark === system.matches ? "" : dark ? "dark" : "light");
	drawTheme();
}

offer({ label: "Dark", keys: ["d"], isOn: isDark, run: toggleTheme });
