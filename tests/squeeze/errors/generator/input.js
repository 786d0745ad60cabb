function* one() {
	yield 1;
}
