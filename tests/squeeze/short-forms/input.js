let first = 0.5;
let second;
const third = 3;
const fourth = { done: true, failed: false, };
const fifth = ({ done, }) => !done;
for (let i = 0; i < 3; i++);
while (first-- > 0);
for (const item of [1, 2])
	if (item === 1)
		console.log(item);
	else
		second = item;
if (second)
	;
const set = (one) => one, pair = (one, two) => [one, two], rest = (...all) => all, none = () => ({});
const preset = (one = 1) => one, later = async (one) => one, single = one => one;
function run() { if (first > 5) ; }
console.log(first, second, third, fourth, fifth(fourth), true.toString(), fourth.done, void run());
console.log(set(1), pair(1, 2), rest(3, 4), none(), preset(), single(5), [[1], [2]][0] > 1, [[2]][0][0]>1);
later(6).then((value) => { console.log(value); });
const big = [[1]]; const index = [0];
console.log(big[index[0]]>0);
