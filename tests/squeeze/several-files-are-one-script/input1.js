// SPDX-License-Identifier: ISC
(async function () {
	"use strict";
	const shared = 1;
