(function () {
"use strict";
const { max, min: least } = Math;
const title = "a title", shared = [3, 1, 2];
let count = 0;
const twice = (value) => 2 * value, half = value => value / 2;
const add = ({ left, right = twice(left) }, [first, ...others] = [title]) => {
const sum = left + right - -count;
return { sum, first, others, title: left, text: `${title} ${others.map((s) => `<${s}>`)}}` };
};
function title_of({ title }) {
for (const [key, value] of Object.entries({ title, "count": 1 }))
if (key === "title" && /[/"]\d+\/["']/.test(value))
return value;
else
count++;
try {
throw new Error("none");
} catch (error) {
return error.message ? title : count;
}
}
const shadow = (shared) => {
const name = shared.length, list = shared.slice().sort((a, b) => a - b);
return { name, list, shared: name > 1 ? list : null };
};
console.log(max(1, least(2, 3)), twice(4) / half(8) / 2, typeof count);
console.log(JSON.stringify([add({ left: 1 }), add({ left: 1, right: 2 }, ["x", "y", "z"])]));
console.log(title_of({ title: "/\"1/'" }), title_of({ title: 'x' }), JSON.stringify(shadow(shared)));
})();
