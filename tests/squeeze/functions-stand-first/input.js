(async function () {
	"use strict";
	const first = early(3);
	function early(value) {
		return value + late(value);
	}
	function late(value) {
		const twice = 2 * value;
		return twice;
	}
	async function later(value) {
		return await value;
	}
	function object() {
		return { first };
	}
	function list(one, two) {
		return one, two;
	}
	function nothing() {
		return;
	}
	function Made(value) {
		this.value = value;
	}
	function Empty() {
		return [];
	}
	function many() {
		return arguments.length;
	}
	function chosen(one, two) {
		return one ? [one, two] : { two };
	}
	const made = new Made(4), other = new Empty();
	const named = function inner(n) { return n ? inner(n - 1) : "inner"; };
	console.log(first, late(4), object(), list(5, 6), nothing(), made.value, other, many(1, 2));
	console.log(await later(7), chosen(1, 2), chosen(0, 3), named(2));
	function last(value = first, { length } = "four") {
		function within() {
			return value;
		}
		return within() + length;
	}
	console.log(last());
})();
