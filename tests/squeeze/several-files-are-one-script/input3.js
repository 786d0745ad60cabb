	console.log(use(shared), await use(2));
})();
