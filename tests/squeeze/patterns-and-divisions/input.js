const g = 4, half = (total) => total / 2 / g, text = "a/b]c'd\"e";
const found = text.match(/[/\]'"`]/g), parts = text.split(/\//);
const test = (pattern) => /^\/[^/]*\/$/.test(pattern) ? /=>/.source : /value/gi.flags;
let i = 8;
i /= 2;
const quotient = i++ / 2 / g, list = [8, 4], other = list[0] / list[1] / g;
console.log(half(16), found, parts, test("/x/"), test("x"), i, quotient, other, !/x/.test(text), (1 + 2) / 3 / g);
function last() {
	return /g/.test("g") && i - -1 + +i - --i + (i++ + ++i);
}
console.log(last(), typeof /x/, 10..toString().length, 1e3 / .5, 0.25, 1.5e-1, 0x1f, 10n ** 2n, i ?.5:1);
