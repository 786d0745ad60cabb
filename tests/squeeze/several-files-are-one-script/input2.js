	// The second part.
	function use(event) {
		return event + shared;
	}
