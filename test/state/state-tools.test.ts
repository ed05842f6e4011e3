/** State that is looked at, taken elsewhere, encrypted anew, and seen by roles that may see a part of it. */
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";

import { describe, expect, test } from "vitest";

import { copyState, statusOf } from "../../src/state/copy-state.js";
import type { State } from "../../src/state/open-state.js";
import { tablesOf } from "../../src/state/schema.js";
import { postgresPrograms } from "../support/postgres-server.js";
import { newChain, newStateKey, queryAt } from "./support/chain.js";
import { rejection } from "./support/rejection.js";
import { session } from "./support/sessions.js";

const insertName = "insert into credential_names (digest, name) values ($1, $2)";
const insertDay =
  "insert into days (id, store, environment, sign_in, date, time_zone, orders, revenue_cents, asked_at) values (1, $1, 'e', 's', '2026-11-20', 'UTC', 1, 1, 'then')";

/** More than the page that a copy reads at a time. */
const filled = { names: 501, rows: 502 };

async function fill({ database, sessions, settings }: State): Promise<void> {
  for (const store of ["a", "b"]) await sessions.update(store, () => Promise.resolve(session(store, 3)));
  await settings.update((current) => ({ ...current, currency: "BRL", stores: { a: { protected: true } } }));
  const [comanda, sales] = [await database("comanda"), await database("sales")];
  await comanda.transaction("names", async ({ run }) => {
    for (let index = 0; index < filled.names; index += 1) await run(insertName, `${index}`, "name");
  });
  await sales.run(insertDay, "centro");
}

describe("the tables of schema.sql", () => {
  test("are known with their columns and what tells their rows apart", () => {
    const byName = new Map(tablesOf("comanda").map((table) => [table.name, table]));
    expect(byName.get("run_orders")?.columns).toEqual({
      ...{ run_id: "text", position: "bigint", order_ids: "text" },
    });
    expect(byName.get("writes")?.columns).toMatchObject({ sent_at: "bigint", actor: "text?" });
    expect(byName.get("run_orders")?.key).toEqual(["run_id", "position"]);
    expect(byName.has("schema_version")).toBe(false);
    expect(tablesOf("sales")).toHaveLength(2);
  });
});

describe.skipIf(postgresPrograms === undefined)("state", () => {
  test("is taken to PostgreSQL and back, whole, and once more without harm", async () => {
    const chain = await newChain();
    const files = await chain.machine({ COMANDA_STATE: undefined });
    await fill(files);
    const shared = await chain.machine();
    expect(await copyState(files, shared)).toEqual({ stores: 2, rows: filled.rows });
    await shared.sessions.update("a", () => Promise.resolve(session("a", 4)));
    expect(await copyState(files, shared)).toEqual({ stores: 2, rows: filled.rows });
    // It was renewed there since.
    expect(await shared.sessions.read("a")).toEqual(session("a", 4));
    expect(await shared.settings.read()).toMatchObject({
      currency: "BRL",
      stores: { a: { protected: true } },
    });
    expect(await statusOf(shared)).toMatchObject({
      ...{ engine: "postgresql", schema: 1, newer: false, stores: 2, rows: filled.rows },
      address: chain.address,
    });

    const back = await chain.machine({ COMANDA_STATE: "sqlite:" });
    expect(await copyState(shared, back)).toEqual({ stores: 2, rows: filled.rows });
    expect(await back.sessions.read("a")).toEqual(session("a", 4));
    expect(await statusOf(back)).toMatchObject({ engine: "sqlite", schema: 1, stores: 2 });
  });

  test("of a newer comanda is told, and not of none", async () => {
    const chain = await newChain();
    const files = await chain.machine({ COMANDA_STATE: undefined });
    expect(await statusOf(files)).toMatchObject({ schema: null, newer: false, stores: 0, rows: 0 });
    await statusOf(await chain.machine());
    await chain.query("update comanda.schema_version set version = 1000");
    expect(await statusOf(await chain.machine())).toMatchObject({
      ...{ schema: 1000, newer: true, stores: null, rows: null },
    });
  });

  test("is encrypted anew, also where that was cut off half-way", async () => {
    const chain = await newChain();
    const old = await chain.machine();
    for (const store of ["a", "b", "c"])
      await old.sessions.update(store, () => Promise.resolve(session(store)));
    const key = newStateKey();
    const both = await chain.machine({ COMANDA_STATE_KEY: `${key},${chain.key}` });
    // The first one is done already.
    await both.sessions.update("a", (current) => Promise.resolve(current));
    expect(await both.rekey?.()).toBe(2);
    expect(await both.rekey?.()).toBe(0);
    const newest = await chain.machine({ COMANDA_STATE_KEY: key });
    expect(await newest.sessions.read("c")).toEqual(session("c"));
    await rejection("state_unusable", () => old.sessions.read("c"));
  });

  test("is made by one role, used by another, and of a third one's sales alone", async () => {
    const chain = await newChain({ isBare: true });
    const end = randomBytes(4).toString("hex");
    const grants = readFileSync(new URL("../../examples/postgres-roles.sql", import.meta.url), "utf8");
    await chain.query(grants.replaceAll(/\bcomanda_(migrate|run|read)\b/g, `comanda_$1_${end}`));
    const address = (role: string) => chain.address.replace("owner@", `comanda_${role}_${end}@`);
    const machine = (role: string) => chain.machine({ COMANDA_STATE: address(role) });

    const early = await rejection("state_unusable", async () => statusOf(await machine("run")));
    expect(early.message).toContain("tables are not in");
    expect(early.hint).toContain("comanda state status");
    expect(await statusOf(await machine("migrate"))).toMatchObject({ schema: 1 });
    await fill(await machine("run"));

    const reads = (table: string) => () => queryAt(address("read"), `select * from ${table}`);
    expect(await reads("comanda_sales.days")()).toHaveLength(1);
    for (const view of ["sales_by_day", "restatements"]) await reads(`comanda_sales.${view}`)();
    for (const table of ["sign_ins", "chain_settings", "writes"])
      await expect(reads(`comanda.${table}`)).rejects.toThrow("permission denied");
    await expect(queryAt(address("read"), "delete from comanda_sales.days")).rejects.toThrow("denied");
    const reader = await machine("read");
    const { message } = await rejection("state_unusable", () => reader.sessions.list());
    expect(message).toContain("may not use the schema comanda");
    const sales = await reader.existingDatabase("sales");
    expect(await sales?.rows({ asked_at: "text" }, "select asked_at from days")).toHaveLength(1);
  });
});
