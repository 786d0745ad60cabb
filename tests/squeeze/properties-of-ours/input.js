// squeeze: zoom trail parent
// squeeze: missing
const view = { zoom: 1, trail: [2], a: 3, width: 4 }, zoom = 5;
const { trail, zoom: other } = view;
view.zoom++;
const parent = ({ zoom, trail: [first] }) => ({ zoom, first, parent: view?.a });
console.log(view.zoom, view.trail, view.a, view.width, zoom, trail, other, parent(view).parent, parent(view).zoom);
