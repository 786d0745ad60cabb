globalThis.a = 10;
globalThis.b = { a: 20 };
const once = 1, twice = 2;
const sum = (first, second) => first + second + a + b.a + once + twice;
console.log(sum(1, 2), typeof c === "undefined");
