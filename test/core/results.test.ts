/** The JSON documents of commands. test/support/documents.ts checks each that any test prints against its schema. */
import { readFileSync, writeFileSync } from "node:fs";

import { expect, test } from "vitest";
import * as z from "zod";

import * as results from "../../src/core/results.js";
import { readFault } from "../../src/emulator/http/faults.js";
import { parseJson, parseJsonLines, StoreDesk } from "../support/desk.js";
const desk = await StoreDesk.open();
await desk.signIn("norte", 502, (session) => ({ ...session, api_key: desk.keyOf(502) }));
await desk.signIn("saiu", 501, (session) => ({ ...session, tokens: undefined }));
await desk.comanda("stores use centro");
desk.emulator.service.faults.set([readFault("reset,when=after")]);
await desk.comanda(`driver assign ${await desk.order()} 12`);
desk.emulator.service.faults.set([]);

// Documents that no other test prints.
test.each([
  "history --outcome unknown",
  "status --check --store norte",
  "status --store saiu",
  "env set sandbox --base-url https://api.example",
  "env remove sandbox",
  "sync --store centro --store norte --store saiu --days 2",
  "prefill --order-type takeout --store norte",
])("%s --json prints the documents of its schema", async (line) => {
  const { stdout, stderr } = await desk.comanda(`${line} --json`);
  expect(parseJsonLines(stdout), stderr).not.toEqual([]);
});

/** `UPDATE_RECORDINGS=1` records the schemas. Scripts depend on each field, so none may disappear. */
test("the JSON Schemas match the recorded ones", () => {
  const file = new URL("../fixtures/results.json", import.meta.url);
  const schemas = Object.fromEntries(
    Object.entries(results).map(([name, schema]) => [name, z.toJSONSchema(schema, { reused: "ref" })]),
  );
  if (process.env["UPDATE_RECORDINGS"] === "1")
    writeFileSync(file, `${JSON.stringify(schemas, undefined, 2)}\n`);
  expect(schemas).toEqual(parseJson(readFileSync(file, "utf8")));
});
