function one() {
	if (1) {
}
