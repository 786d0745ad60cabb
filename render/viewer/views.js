// SPDX-License-Identifier: ISC
// Other views of the table than its own.

const KINDS_OF_VIEW = ["flame", "up", "sandwich", "table"];

// The view that PLACE, which has fields of state, asks for.
function viewOf(place) {
	return table;
}

// The name with the most weight of its own.
function heaviest() {
	const own = new Float64Array(names.text.length);
	for (let i = 1; i < table.n; i++)
		own[table.name[i]] += Number(table.self[last][i]);
	return own.indexOf(own.reduce((a, b) => max(a, b), 0));
}
