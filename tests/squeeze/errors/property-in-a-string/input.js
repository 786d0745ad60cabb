// squeeze: zoom
const view = { zoom: 1 };
console.log(view["zoom"]);
