/** Opens the state of a chain with the roles of examples/postgres-roles.sql. */
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";

import { Client } from "pg";
import { expect, onTestFinished, test } from "vitest";

import { hasPostgres, newChain, queryAt } from "./support/engines.js";
import { rejection } from "../support/rejection.js";
import { session } from "../auth/support/sessions.js";

const insertDay =
  "insert into days (id, store, environment, sign_in, date, time_zone, orders, revenue_cents, asked_at) values (1, $1, 'e', 's', '2026-11-20', 'UTC', 1, 1, 'then')";

test.skipIf(!hasPostgres)(
  "the state of a chain is created by one role, used by another, and readable for sales to a third one, which blocks nobody",
  async () => {
    const chain = await newChain({ isBare: true });
    const end = randomBytes(4).toString("hex");
    const grants = readFileSync(new URL("../../examples/postgres-roles.sql", import.meta.url), "utf8");
    await chain.query(grants.replaceAll(/\bcomanda_(migrate|run|read)\b/g, `comanda_$1_${end}`));
    const address = (role: string) => chain.address.replace("owner@", `comanda_${role}_${end}@`);
    const machine = (role: string) => chain.machine({ COMANDA_STATE: address(role) });

    const early = await rejection("state_unusable", async () => (await machine("run")).database("comanda"));
    expect(early.message).toContain("doesn't contain comanda's tables");
    expect(early.hint).toContain("comanda doctor");
    for (const name of ["comanda", "sales"] as const) await (await machine("migrate")).database(name);
    const running = await machine("run");
    await running.sessions.update("a", () => Promise.resolve(session("a", 3)));
    await (await running.database("sales")).run(insertDay, "centro");

    const reads = (table: string) => () => queryAt(address("read"), `select * from ${table}`);
    expect(await reads("comanda_sales.days")()).toHaveLength(1);
    for (const view of ["sales_by_day", "restatements"]) await reads(`comanda_sales.${view}`)();
    for (const table of ["sealed", "writes"])
      await expect(reads(`comanda.${table}`)).rejects.toThrow("permission denied");
    await expect(queryAt(address("read"), "delete from comanda_sales.days")).rejects.toThrow("denied");
    const reader = await machine("read");
    const { message } = await rejection("state_unusable", () => reader.sessions.list());
    expect(message).toContain("permission denied for schema comanda");
    const sales = await reader.database("sales");
    expect(await sales.rows({ asked_at: "text" }, "select asked_at from days")).toHaveLength(1);

    // The role that only reads figures can't block the others.
    const blocking = new Client({ connectionString: address("read") });
    await blocking.connect();
    onTestFinished(() => blocking.end());
    await blocking.query("begin; select pg_advisory_lock(n) from generate_series(0, 100) n");
    await blocking.query("select * from comanda_sales.turns");
    await running.settings.update((current) => ({ ...current, currency: "EUR" }));
    expect(await running.withLease("x", () => Promise.resolve("taken"), { waitMs: 0 })).toBe("taken");
    for (const sql of [
      "select * from comanda_sales.turns for update",
      "insert into comanda_sales.turns values ('x')",
      "insert into comanda.leases values ('x', 'x', 'h', 1, '', '', 9, 9)",
      "lock table comanda_sales.turns in exclusive mode",
    ]) {
      await blocking.query("rollback; begin");
      await expect(blocking.query(sql)).rejects.toThrow("permission denied");
    }
  },
);
