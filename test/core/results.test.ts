/** The JSON documents of commands, and their schemas in core/results.ts. */
import { readFileSync, writeFileSync } from "node:fs";

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";

import * as results from "../../src/core/results.js";
import { readFault } from "../../src/emulator/http/faults.js";
import { StoreDesk } from "../support/desk.js";
import { parseJson, parseJsonLines } from "../support/json.js";

let desk: StoreDesk;
const ids = { open: "", assigned: "", unknown: "" };

beforeAll(async () => {
  desk = await StoreDesk.open();
  const [open = "", assigned = "", unknown = ""] = await desk.orders(3);
  Object.assign(ids, { open, assigned, unknown });
  await desk.signIn("norte", 502, (session) => ({ ...session, api_key: "key", partner_key: "partner" }));
  await desk.signIn("saiu", 501, (session) => ({ ...session, tokens: undefined }));
  await desk.comanda("stores use centro");
  await desk.comanda("stores set centro --tz America/Sao_Paulo --currency BRL --day-starts 04:00");
  for (const day of [10, 18]) await desk.order({ driver_id: 12, created_at: `2026-11-${day}T15:00:00Z` });
  await desk.comanda(`driver assign ${assigned} 11 --fee 7.50`);
  desk.emulator.service.faults.set([readFault("reset,when=after")]);
  await desk.comanda(`driver assign ${unknown} 12`);
  await desk.comanda(`orders cancel ${unknown} --yes`);
  desk.emulator.service.faults.set([]);
  await desk.comanda("sync --store centro");
});
afterAll(() => desk.close());

const order = "--order-type takeout --customer-name Ana --customer-phone 11987654321 --item 3002x2";
/** Each line is one document, unless the command prints a list as one. */
test.each<[line: string, schema: z.ZodType]>([
  ["orders dispatch <open> 99999999", results.orderLine],
  ["orders dispatch <open> --resume", results.orderLine],
  ["orders deliver <unknown> <open> --resume", results.orderLine],
  ["driver list", z.array(results.driver)],
  ["driver assign <assigned> bia", results.assignment],
  ["driver assign 99999999 11", results.assignment],
  ["history", results.change],
  ["history --outcome unknown", results.change],
  ["history settle <unknown> done --note seen", results.change],
  ["history --order <unknown>", results.change],
  ["history drivers --period today", results.driversOwed],
  ["history drivers --from 2026-11-01 --all-stores", results.driversOwed],
  ["status", results.storeStatus],
  ["status --check --store norte", results.storeStatus],
  ["status --store saiu", results.storeStatus],
  ["stores list", z.array(results.listedStore)],
  ["stores use norte", results.defaultStore],
  ["stores set norte --locale pt-BR", results.storeSettings],
  ["stores set centro --day-starts 05:00", results.storeSettings],
  ["env list", z.array(results.environment)],
  ["env set sandbox --base-url https://api.example", results.environment],
  ["env remove sandbox", results.removedEnvironment],
  ["sync --store centro --store norte --store saiu --days 2", results.synced],
  ["stores rename saiu fechou", results.renamedStore],
  ["stores remove fechou", results.removedStore],
  ["logout --all", results.signedOut],
])("%s --json prints the documents of its schema", async (line, schema) => {
  const typed = line.replaceAll(/<(\w+)>/g, (_, name: string) => ids[name as keyof typeof ids]);
  const { stdout, stderr } = await desk.comanda(`${typed} --json`);
  const documents = parseJsonLines(stdout);
  expect(documents, stderr).not.toEqual([]);
  for (const document of documents) {
    const { error } = schema.safeParse(document);
    expect(error && `${z.prettifyError(error)}\n${JSON.stringify(document)}`).toBeUndefined();
  }
  if (stderr.startsWith("{"))
    expect(results.errorDocument.safeParse(parseJson(stderr)).error).toBeUndefined();
});

test("prefill --json prints the document of its schema, with and without a store", async () => {
  const { stdout } = await desk.comanda(`prefill ${order} --json`, { env: desk.keyEnvironment() });
  expect(results.prefilledOrder.parse(parseJson(stdout)).store).toBeNull();
  const { COMANDA_API_KEY: api_key } = desk.keyEnvironment();
  await desk.signIn("sul", 501, (session) => ({ ...session, api_key }));
  const ran = await desk.comanda(`prefill ${order} --json --store sul`);
  expect(results.prefilledOrder.parse(parseJson(ran.stdout)).store).toBe("sul");
});

/** `UPDATE_RECORDINGS=1` records the schemas. Scripts depend on each field, so none may disappear. */
describe("the JSON Schemas", () => {
  const file = new URL("../fixtures/results.json", import.meta.url);
  const schemas = Object.fromEntries(
    Object.entries(results).map(([name, schema]) => [name, z.toJSONSchema(schema, { reused: "ref" })]),
  );

  test("are the recorded ones", () => {
    if (process.env["UPDATE_RECORDINGS"] === "1")
      writeFileSync(file, `${JSON.stringify(schemas, undefined, 2)}\n`);
    expect(schemas).toEqual(parseJson(readFileSync(file, "utf8")));
  });
});
