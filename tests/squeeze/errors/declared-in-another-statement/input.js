function one(event) {
	return event;
}
function two() {
	return event;
}
