// SPDX-License-Identifier: ISC
// Drives a headless Chromium by the DevTools protocol over pipes: JSON texts, each followed by
// a zero byte, written to the browser's descriptor 3 and read from its 4.
"use strict";

const fs = require("fs");
const { Program, findProgram } = require("./program.js");

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const FLAGS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic",
	"--no-first-run", "--disable-background-networking", "--disable-component-update",
	"--disable-sync", "--disable-dev-shm-usage", "--hide-scrollbars=false",
	"--force-device-scale-factor=1", "--remote-debugging-pipe"];
const ANSWER_MS = 30000, LOAD_MS = 60000;

// The browser's program: $CHROMIUM or one found in PATH; null without one.
const findBrowser = () => findProgram(process.env.CHROMIUM ? [process.env.CHROMIUM] : NAMES);

// A connection: send() resolves with the result, on() registers a listener.
class Connection {
	constructor(child) {
		this.to = child.stdio[3];
		this.waiting = new Map();
		this.listeners = [];
		this.next = 1;
		this.rest = [];
		child.stdio[4].on("data", (data) => this.receive(data));
		child.on("exit", () => this.fail(new Error("the browser has ended")));
	}

	receive(data) {
		let end;
		while ((end = data.indexOf(0)) >= 0) {
			this.rest.push(data.subarray(0, end));
			this.handle(JSON.parse(Buffer.concat(this.rest).toString()));
			this.rest = [];
			data = data.subarray(end + 1);
		}
		this.rest.push(data);
	}

	handle(message) {
		const { id, result, error } = message, call = this.waiting.get(id);
		if (!call) {
			for (const listener of this.listeners)
				listener(message);
			return;
		}
		this.waiting.delete(id);
		clearTimeout(call.timer);
		if (error)
			call.reject(new Error(`${call.method}: ${error.message}`));
		else
			call.resolve(result);
	}

	fail(error) {
		for (const call of this.waiting.values()) {
			clearTimeout(call.timer);
			call.reject(error);
		}
		this.waiting.clear();
	}

	send(method, params = {}, sessionId = undefined) {
		const id = this.next++;
		return new Promise((resolve, reject) => {
			const timer = setTimeout(() => {
				this.waiting.delete(id);
				reject(new Error(`${method}: no answer`));
			}, ANSWER_MS);
			this.waiting.set(id, { resolve, reject, method, timer });
			this.to.write(JSON.stringify({ id, method, params, sessionId }) + "\0");
		});
	}
}

// A tab. ERRORS has its errors, REQUESTS its network requests.
class Page {
	constructor(connection, targetId, sessionId) {
		Object.assign(this, { connection, targetId, sessionId });
		this.errors = [];
		this.requests = [];
		this.dialogs = 0;
		this.scripted = true;
		this.loaded = () => {};
		connection.listeners.push((message) => {
			if (message.sessionId === sessionId)
				this.hear(message.method, message.params);
		});
	}

	hear(method, params) {
		if (method === "Page.loadEventFired")
			this.loaded();
		if (method === "Runtime.exceptionThrown")
			this.errors.push(params.exceptionDetails.exception.description || "exception");
		if (method === "Network.requestWillBeSent")
			this.requests.push(params.request.url);
		if (method === "Page.javascriptDialogOpening") {
			this.dialogs++;
			this.send("Page.handleJavaScriptDialog", { accept: true });
		}
	}

	send(method, params) {
		return this.connection.send(method, params, this.sessionId);
	}

	async open(url) {
		this.errors = [];
		this.requests = [];
		await this.load(url);
		await this.frames();
	}

	// Navigates to a URL and waits for the load event.
	async load(url) {
		let timer;
		const loaded = new Promise((resolve, reject) => {
			this.loaded = resolve;
			timer = setTimeout(() => reject(new Error(`${url} does not load`)), LOAD_MS);
		});
		await this.send("Page.navigate", { url });
		await loaded;
		clearTimeout(timer);
	}

	// The requested URLs, the page's own first.
	async requested() {
		return this.requests;
	}

	// Errors are reported by events.
	async collectErrors() {}

	// Throttles the processor by the factor RATE.
	slow(rate) {
		return this.send("Emulation.setCPUThrottlingRate", { rate });
	}

	// Enables or disables scripts in pages opened from now on.
	script(on) {
		this.scripted = on;
		return this.send("Emulation.setScriptExecutionDisabled", { value: !on });
	}

	// Waits until changes are on the screen.
	frames() {
		if (!this.scripted)
			return new Promise((done) => setTimeout(done, 50));
		return this.run("await new Promise((done) => " +
			"requestAnimationFrame(() => requestAnimationFrame(done)))").catch(() => {});
	}

	// Runs BODY in the page as the body of an async function; returns its value.
	async run(body) {
		const { result, exceptionDetails } = await this.send("Runtime.evaluate", {
			expression: `(async () => { ${body} })()`, awaitPromise: true, returnByValue: true });
		if (exceptionDetails)
			throw new Error(exceptionDetails.exception.description);
		return result.value;
	}

	size(width, height) {
		return this.send("Emulation.setDeviceMetricsOverride",
			{ width, height, deviceScaleFactor: 1, mobile: false });
	}

	scheme(value) {
		return this.send("Emulation.setEmulatedMedia",
			{ features: [{ name: "prefers-color-scheme", value }] });
	}

	mouse(type, x, y) {
		const pressed = type === "mouseMoved" ? "none" : "left";
		return this.send("Input.dispatchMouseEvent",
			{ type, x, y, button: pressed, clickCount: pressed === "left" ? 1 : 0 });
	}

	async move(x, y) {
		await this.mouse("mouseMoved", x, y);
		await this.frames();
	}

	async click(x, y) {
		await this.mouse("mouseMoved", x, y);
		await this.mouse("mousePressed", x, y);
		await this.mouse("mouseReleased", x, y);
		await this.frames();
	}

	// Drags from FROM, [x, y], to TO.
	async drag(from, to) {
		const middle = from.map((v, i) => (v + to[i]) / 2);
		await this.mouse("mouseMoved", ...from);
		await this.mouse("mousePressed", ...from);
		for (const at of [middle, to])
			await this.send("Input.dispatchMouseEvent",
				{ type: "mouseMoved", x: at[0], y: at[1], button: "left", buttons: 1 });
		await this.mouse("mouseReleased", ...to);
		await this.frames();
	}

	async key(key, modifiers = 0) {
		const text = key.length === 1 && !modifiers ? key : undefined;
		const codes = { Escape: 27, Enter: 13, F3: 114, Tab: 9, Backspace: 8 };
		const windowsVirtualKeyCode = codes[key] || key.toUpperCase().charCodeAt(0);
		await this.send("Input.dispatchKeyEvent",
			{ type: "keyDown", key, text, modifiers, windowsVirtualKeyCode });
		await this.send("Input.dispatchKeyEvent",
			{ type: "keyUp", key, modifiers, windowsVirtualKeyCode });
		await this.frames();
	}

	async type(text) {
		for (const key of text)
			await this.key(key);
	}

	// Replaces the selected text by TEXT, as a paste or an input method does.
	async insert(text) {
		await this.send("Input.insertText", { text });
		await this.frames();
	}

	async shot(file) {
		const { data } = await this.send("Page.captureScreenshot", { format: "png" });
		fs.writeFileSync(file, Buffer.from(data, "base64"));
	}

	close() {
		return this.connection.send("Target.closeTarget", { targetId: this.targetId });
	}
}

class Browser {
	constructor(name) {
		this.program = new Program(name, {
			args: (profile) => FLAGS.concat(`--user-data-dir=${profile}`, "about:blank"),
			stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
		});
		this.connection = new Connection(this.program.child);
	}

	async page() {
		const { targetId } = await this.connection.send("Target.createTarget",
			{ url: "about:blank" });
		const { sessionId } = await this.connection.send("Target.attachToTarget",
			{ targetId, flatten: true });
		const page = new Page(this.connection, targetId, sessionId);
		for (const domain of ["Page", "Runtime", "Network", "Performance"])
			await page.send(`${domain}.enable`);
		return page;
	}

	async close() {
		await this.connection.send("Browser.close").catch(() => {});
		await this.program.end();
	}
}

module.exports = { Browser, findBrowser };
