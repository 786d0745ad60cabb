// SPDX-License-Identifier: ISC
// Keeps an engine busy for SECONDS (4): calls, objects, sorting, text.
"use strict";

const fib = (n) => n < 2 ? n : fib(n - 1) + fib(n - 2);

function words(n) {
	const counts = new Map();
	const text = Array.from({ length: n }, (_, i) => "word" + i * 7919 % 1000).join(" ");
	for (const word of text.match(/[a-z]+\d+/g))
		counts.set(word, (counts.get(word) || 0) + 1);
	return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
}

const end = Date.now() + (process.env.SECONDS || 4) * 1000;
while (Date.now() < end) {
	fib(18);
	JSON.parse(JSON.stringify(words(4000)));
}
