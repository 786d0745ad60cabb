(function () {
	"use strict";
	const everywhere = 1, sometimes = 2;
	function first(alpha, beta) {
		return alpha + beta + everywhere;
	}
	function second(gamma, delta) {
		const epsilon = gamma * delta;
		return epsilon + everywhere;
	}
	const third = (zeta) => zeta + sometimes;
	function fourth(sometimes) {
		const nested = () => {
			const everywhere = sometimes + 1;
			return everywhere;
		};
		return nested() + everywhere;
	}
	for (const entry of [first(1, 2), second(3, 4), third(5), fourth(6)])
		if (entry > 6) {
			console.log(entry);
		} else if (entry === 4) {
			const doubled = entry * 2;
			console.log(doubled, everywhere);
		} else
			console.log(-entry);
	{
		let everywhere = 8;
		do {
			console.log(everywhere);
		} while (--everywhere > 6);
	}
})();
