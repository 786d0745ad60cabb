const keys = { yes: 1, no: 2 };
const yes = 3, no = 4;
const pick = (flag) => flag ? yes : no;
const deep = (flag, other) => flag ? other ? { yes: no } : { no: yes, keys } : flag === null ? keys.yes : -1;
function count(limit) {
	let steps = 0;
	outer: for (let row = 0; row < limit; row++) {
		for (let column = 0; ; column++) {
			if (column > row)
				continue outer;
			if (steps > 20)
				break outer;
			steps++;
		}
	}
	return steps;
}
function name(kind) {
	switch (kind) {
	case yes:
		return "yes";
	case no: {
		const no = kind ? "no" : "none";
		return no;
	}
	case keys.yes:
	default:
		return kind ? "other" : "nothing";
	}
}
console.log(pick(true), pick(false), deep(1, 1), deep(1, 0), deep(null), deep(0), count(9), count(3));
console.log([yes, no, 1, 0].map(name));
