// SPDX-License-Identifier: ISC
// A browser process with a temporary profile, which is removed when the browser or the test
// ends.
"use strict";

const { spawn, spawnSync } = require("child_process");
const fs = require("fs");
const os = require("os");
const path = require("path");

const END_MS = 10000;
const running = new Set();

process.on("exit", () => running.forEach((program) => program.kill()));
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
	process.on(signal, () => process.exit(2));

// The first of NAMES that runs; null if none does.
function findProgram(names) {
	const works = (name) => spawnSync(name, ["--version"], { stdio: "ignore" }).status === 0;
	return names.find(works) || null;
}

class Program {
	// ARGS and VARIABLES return the arguments and environment for the profile's folder,
	// which FILES, by name, are written to.
	constructor(name, { args, variables = () => ({}), files = {}, stdio }) {
		this.profile = fs.mkdtempSync(path.join(os.tmpdir(), "fg-browser-"));
		for (const [file, text] of Object.entries(files))
			fs.writeFileSync(path.join(this.profile, file), text);
		// a process group of its own, so that its children can be killed with it
		this.child = spawn(name, args(this.profile), { stdio, detached: true,
			env: { ...process.env, ...variables(this.profile) } });
		this.ended = new Promise((resolve) => this.child.once("exit", resolve));
		this.child.once("error", () => {});
		running.add(this);
	}

	// Waits for the requested exit, with a timeout.
	async end() {
		const late = new Promise((resolve) => this.timer = setTimeout(resolve, END_MS));
		await Promise.race([this.ended, late]);
		clearTimeout(this.timer);
		this.kill();
	}

	kill() {
		try {
			process.kill(-this.child.pid, "SIGKILL");
		} catch (error) {
			// it has already exited
		}
		running.delete(this);
		fs.rmSync(this.profile, { recursive: true, force: true, maxRetries: 5 });
	}
}

module.exports = { Program, findProgram };
