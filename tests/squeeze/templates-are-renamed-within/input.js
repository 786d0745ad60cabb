const value = 3, list = [1, 2], empty = ``;
const inner = (item) => `<${item}>`;
console.log(`value ${value} ${value + value}`, `${list.map((item) => `[${inner(item)}${ { item }.item }]`).join(`${value}`)}`);
console.log(`value \${value} \` $value {value} ${"}"} ${`}`}`, empty, `${value}${list}`, `${{ value }.value}`);
