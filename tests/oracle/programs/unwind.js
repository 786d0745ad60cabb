// SPDX-License-Identifier: ISC
// Burns some time in V8: compiled and interpreted code, built-in functions, regular expressions, crypto.
'use strict';
const crypto = require('crypto');
const zlib = require('zlib');

function fib(n) {
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

function work(i) {
	const items = Array.from({ length: 4000 }, (_, n) => ({ n: (n * 7919 + i) % 1009 }));
	items.sort((a, b) => a.n - b.n);
	const text = JSON.stringify(items.map((x) => ({ [x.n]: [x.n, String(x.n)] })));
	JSON.parse(text, (key, value) => value);
	text.replace(/(\d+)[^\d]+(\d+)/g, (all, a, b) => b + a);
	crypto.createHash('sha256').update(text).digest('hex');
	zlib.deflateSync(text);
	for (let n = 0; n < 50; n++)
		try {
			throw new Error('caught');
		} catch (e) {
			fib(5);
		}
	return fib(19);
}

const rounds = Number(process.argv[2] || 30);
for (let i = 0; i < rounds; i++)
	work(i);
