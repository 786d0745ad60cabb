const left = 1, right = 2, key = "made", rest = [5, 6];
const box = { left, right, [key]: left, "text": right, 7: key, name: key, nested: { left: right, right } };
const { left: first, right: second = first, missing = left, ...others } = box;
const { nested: { right: inner }, nested: { left: innermost = 3 } = {} } = box;
const [one, , three = one, ...tail] = [left, right, undefined, ...rest];
const width = ({ left, right = 4 }, [low, high] = [left, right], { depth: { deep = low } = {} } = {}) =>
	[left + right, low, high, deep];
const object = {
	left(right) { return right + left; },
	get right() { return right; },
	set right(value) { this.last = value; },
	async later(left = 1) { return left; },
	get: 1, set: 2, async: 3, of: 4,
	class: "c", default: "d", in: "i",
	"quoted"(left) { return left; },
};
object.right = 9;
const { get, set, async: late, of: kind } = object;
box.left += object.class.length + object.default.length;
console.log(JSON.stringify(box), first, second, missing, JSON.stringify(others), inner, innermost);
console.log(one, three, tail, width({ left: 8 }), width({ left: 1, right: 2 }, [3, 4], { depth: { deep: 5 } }));
console.log(object.left(3), object.right, object.last, object.quoted(6), get, set, late, kind, box?.left, { left }?.left);
object.later().then((left) => console.log({ left, right }));
for (const [key, { length }] of Object.entries({ alpha: "one", beta: "three" }))
	console.log(key, length);
for (const index in rest)
	console.log(index);
try {
	throw { message: "thrown", code: 5 };
} catch ({ message, code: number }) {
	console.log(message, number);
}
try {
	null.left;
} catch {
	console.log("caught");
}
