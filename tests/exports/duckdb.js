// SPDX-License-Identifier: ISC
// Asks DuckDB, from the npm packages in NODE_MODULES, and prints rows with | between the values:
//
//	node tests/exports/duckdb.js NODE_MODULES QUERY
"use strict";

const [modules, query] = process.argv.slice(2);
const { DuckDBInstance } = require(`${modules}/@duckdb/node-api`);

async function ask() {
	const connection = await (await DuckDBInstance.create(":memory:")).connect();
	const result = await connection.runAndReadAll(query);
	for (const row of result.getRows())
		console.log(row.join("|"));
}

ask();
