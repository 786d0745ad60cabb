// SPDX-License-Identifier: ISC
// Drives a headless Firefox by its built-in Marionette: JSON texts over TCP, each after its
// length and a colon. Pages have the methods of cdp.js, but windows are at least 450 px wide.
"use strict";

const fs = require("fs");
const net = require("net");
const path = require("path");
const { Program, findProgram } = require("./program.js");

const NAMES = ["firefox-esr", "firefox"];
const ANSWER_MS = 30000, START_MS = 60000;
// With port 0 it picks a free one, and writes it to a file in the profile.
const PREFERENCES = {
	"marionette.port": 0,
	"app.update.enabled": false,
	"browser.shell.checkDefaultBrowser": false,
	"browser.startup.homepage_override.mstone": "ignore",
	"browser.aboutwelcome.enabled": false,
	"datareporting.policy.dataSubmissionEnabled": false,
	"toolkit.telemetry.reportingpolicy.firstRun": false,
	"network.captive-portal-service.enabled": false,
	"network.connectivity-service.enabled": false,
	"extensions.update.enabled": false,
	"services.settings.server": "data:,#remote-settings-dummy/v1",
	"layout.css.prefers-color-scheme.content-override": 1,
	"ui.prefersReducedMotion": 1,
};
const SCHEMES = { dark: 0, light: 1 };
// WebDriver's codes of keys that do not produce text.
const KEYS = { Escape: "\ue00c", Enter: "\ue007", Tab: "\ue004", Backspace: "\ue003", F3: "\ue033",
	ArrowLeft: "\ue012", ArrowUp: "\ue013", ArrowRight: "\ue014", ArrowDown: "\ue015",
	Home: "\ue011", End: "\ue010", Delete: "\ue017", F10: "\ue03a", " ": " " };
// Modifier bits as in the DevTools protocol.
const MODIFIERS = [[1, "\ue00a"], [2, "\ue009"], [4, "\ue03d"], [8, "\ue008"]];

// The browser's program: $FIREFOX or one found in PATH; null without one.
const findBrowser = () => findProgram(process.env.FIREFOX ? [process.env.FIREFOX] : NAMES);

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

// A connection: send() resolves with the value of the response.
class Connection {
	constructor(socket) {
		Object.assign(this, { socket, rest: Buffer.alloc(0), waiting: new Map(), next: 1 });
		socket.on("data", (data) => this.receive(data));
		socket.on("error", (error) => this.fail(error));
		socket.on("close", () => this.fail(new Error("the browser has ended")));
	}

	receive(data) {
		this.rest = Buffer.concat([this.rest, data]);
		for (;;) {
			const colon = this.rest.indexOf(":");
			const end = colon + 1 + Number(this.rest.subarray(0, colon));
			if (colon < 0 || this.rest.length < end)
				return;
			this.handle(JSON.parse(this.rest.subarray(colon + 1, end)));
			this.rest = this.rest.subarray(end);
		}
	}

	// Ignores the initial greeting, which is not a response.
	handle(message) {
		const [, id, error, result] = Array.isArray(message) ? message : [];
		const call = this.waiting.get(id);
		if (!call)
			return;
		this.waiting.delete(id);
		clearTimeout(call.timer);
		if (error)
			call.reject(new Error(`${call.method}: ${error.error}: ${error.message}`));
		else
			call.resolve(result && "value" in result ? result.value : result);
	}

	fail(error) {
		for (const call of this.waiting.values()) {
			clearTimeout(call.timer);
			call.reject(error);
		}
		this.waiting.clear();
	}

	send(method, params = {}) {
		const id = this.next++;
		return new Promise((resolve, reject) => {
			const timer = setTimeout(() => {
				this.waiting.delete(id);
				reject(new Error(`${method}: no answer`));
			}, ANSWER_MS);
			this.waiting.set(id, { resolve, reject, method, timer });
			const text = JSON.stringify([0, id, method, params]);
			this.socket.write(`${Buffer.byteLength(text)}:${text}`);
		});
	}
}

// A tab. ERRORS has its errors.
class Page {
	constructor(connection, handle) {
		Object.assign(this, { connection, handle, errors: [], dialogs: 0 });
	}

	send(method, params) {
		return this.connection.send("WebDriver:" + method, params);
	}

	async open(url) {
		await this.chrome("Services.console.reset()");
		await this.load(url);
		await this.frames();
	}

	// Goes to a URL and waits until it is loaded: Navigate does not wait for URLs with a
	// fragment.
	async load(url) {
		const script = "return document.readyState === 'complete' && location.href.split('#')[0]";
		const until = Date.now() + START_MS;
		await this.send("Navigate", { url });
		while (await this.send("ExecuteScript", { script, args: [] }).catch(() => "") !==
			url.split("#")[0]) {
			if (Date.now() > until)
				throw new Error(`${url} does not load`);
			await pause(20);
		}
	}

	// Runs BODY in the browser's own context.
	async chrome(body) {
		await this.connection.send("Marionette:SetContext", { value: "chrome" });
		try {
			return await this.send("ExecuteScript", { script: body, args: [] });
		} finally {
			await this.connection.send("Marionette:SetContext", { value: "content" });
		}
	}

	// The requested URLs, the page's own first.
	requested() {
		return this.run(`return [location.href].concat(
			performance.getEntriesByType("resource").map((entry) => entry.name));`);
	}

	// Collects the errors of the pages opened so far.
	async collectErrors() {
		this.errors = await this.chrome(`
			return Services.console.getMessageArray()
				.filter((m) => m instanceof Ci.nsIScriptError && !(m.flags & 1) &&
					m.category === "content javascript")
				.map((m) => m.errorMessage + " (" + m.lineNumber + ")");`);
	}

	// Waits until changes are on the screen; a hidden tab has no frames.
	frames() {
		return this.run("await new Promise((done) => { setTimeout(done, 1000); " +
			"requestAnimationFrame(() => requestAnimationFrame(done)); })");
	}

	// Runs BODY in the page as the body of an async function; returns its value.
	async run(body) {
		const [error, values] = await this.send("ExecuteAsyncScript", { args: [], script: `
			const reply = arguments[arguments.length - 1];
			(async () => { ${body} })().then(
				(value) => reply([null, value === undefined ? [] : [value]]),
				(error) => reply([String(error), null]));` });
		if (error)
			throw new Error(error);
		return values[0];
	}

	// The window is larger than its content, by its frame.
	async size(width, height) {
		for (let tries = 0; tries < 3; tries++) {
			const frame = await this.run(
				"return [outerWidth - innerWidth, outerHeight - innerHeight, innerWidth, innerHeight]");
			if (frame[2] === width && frame[3] === height)
				return;
			await this.send("SetWindowRect",
				{ width: width + frame[0], height: height + frame[1] });
			await this.frames();
		}
	}

	// Enables or disables scripts in pages opened from now on.
	script(on) {
		return this.chrome(
			`gBrowser.selectedBrowser.browsingContext.allowJavascript = ${on};`);
	}

	async scheme(value) {
		await this.chrome("Services.prefs.setIntPref(" +
			`"layout.css.prefers-color-scheme.content-override", ${SCHEMES[value]})`);
		await this.frames();
	}

	async act(type, actions, parameters) {
		await this.send("PerformActions",
			{ actions: [{ type, id: type, actions, parameters }] });
		await this.frames();
	}

	pointer(x, y, ...types) {
		const move = { type: "pointerMove", duration: 0, x: Math.round(x), y: Math.round(y) };
		return this.act("pointer", [move, ...types.map((type) => ({ type, button: 0 }))],
			{ pointerType: "mouse" });
	}

	move(x, y) {
		return this.pointer(x, y);
	}

	click(x, y) {
		return this.pointer(x, y, "pointerDown", "pointerUp");
	}

	// Drags from FROM, [x, y], to TO.
	drag(from, to) {
		const move = ([x, y]) => ({ type: "pointerMove", duration: 20, x: Math.round(x),
			y: Math.round(y) });
		return this.act("pointer", [move(from), { type: "pointerDown", button: 0 },
			move(from.map((v, i) => (v + to[i]) / 2)), move(to),
			{ type: "pointerUp", button: 0 }], { pointerType: "mouse" });
	}

	key(key, modifiers = 0) {
		const held = MODIFIERS.filter(([bit]) => modifiers & bit).map(([, value]) => value);
		const press = (value) => ({ type: "keyDown", value });
		const release = (value) => ({ type: "keyUp", value });
		const value = KEYS[key] || key;
		return this.act("key", [...held.map(press), press(value), release(value),
			...held.map(release)]);
	}

	async type(text) {
		for (const key of text)
			await this.key(key);
	}

	// Replaces the selected text by TEXT, as a paste does.
	async insert(text) {
		await this.chrome(`
			window.windowUtils.sendContentCommandEvent("insertText", null, ${JSON.stringify(text)});`);
		await this.frames();
	}

	async shot(file) {
		const data = await this.send("TakeScreenshot", { full: false });
		fs.writeFileSync(file, Buffer.from(data, "base64"));
	}

	async close() {
		await this.send("ReleaseActions");
		await this.send("CloseWindow");
	}
}

class Browser {
	constructor(name) {
		const preference = ([key, value]) => `user_pref("${key}", ${JSON.stringify(value)});\n`;
		this.program = new Program(name, {
			args: (profile) => ["--headless", "--marionette", "--no-remote",
				"--remote-allow-system-access", "--profile", profile],
			// Firefox refuses another user's home, and needs a directory for
			// sockets.
			variables: (profile) => ({ HOME: profile, XDG_RUNTIME_DIR: profile,
				XDG_CACHE_HOME: profile, XDG_CONFIG_HOME: profile, MOZ_HEADLESS: "1",
				MOZ_CRASHREPORTER_DISABLE: "1", MOZ_DISABLE_AUTO_SAFE_MODE: "1" }),
			files: { "user.js": Object.entries(PREFERENCES).map(preference).join("") },
			stdio: "ignore",
		});
	}

	// Waits until the browser listens; starts a session with a generous script timeout.
	async connect() {
		const file = path.join(this.program.profile, "MarionetteActivePort");
		const until = Date.now() + START_MS;
		while (!fs.existsSync(file) || !fs.readFileSync(file, "utf8").trim()) {
			if (Date.now() > until || this.program.child.exitCode !== null)
				throw new Error("Firefox does not start");
			await pause(50);
		}
		const port = Number(fs.readFileSync(file, "utf8"));
		const connection = new Connection(net.connect(port, "127.0.0.1"));
		await connection.send("WebDriver:NewSession",
			{ capabilities: { alwaysMatch: { unhandledPromptBehavior: "ignore" } } });
		await connection.send("WebDriver:SetTimeouts", { script: ANSWER_MS, pageLoad: ANSWER_MS });
		return connection;
	}

	async page() {
		this.connection = this.connection || await this.connect();
		// closing a tab leaves the driver without one
		const [home] = await this.connection.send("WebDriver:GetWindowHandles");
		await this.connection.send("WebDriver:SwitchToWindow", { handle: home });
		const { handle } = await this.connection.send("WebDriver:NewWindow",
			{ type: "tab", focus: true });
		await this.connection.send("WebDriver:SwitchToWindow", { handle, focus: true });
		return new Page(this.connection, handle);
	}

	async close() {
		if (this.connection)
			await this.connection.send("Marionette:Quit", { flags: ["eForceQuit"] }).catch(() => {});
		await this.program.end();
	}
}

module.exports = { Browser, findBrowser };
