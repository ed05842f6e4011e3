/** Sign-ins and settings that machines share: what holds for files holds for them, and more. */
import { chmodSync, writeFileSync } from "node:fs";
import path from "node:path";

import { Client } from "pg";
import { describe, expect, onTestFinished, test } from "vitest";

import { clientConfig, parsePostgresAddress } from "../../src/state/postgres.js";
import { openSealedRows } from "../../src/state/sealed-rows.js";
import { openSessions, sessionRows } from "../../src/state/sessions.js";
import type { WithLease } from "../../src/state/leases.js";
import { postgresPrograms } from "../support/postgres-server.js";
import { newChain, newStateKey, queryAt, type Chain } from "./support/chain.js";
import { temporaryFolder } from "./support/folder.js";
import { rejection } from "./support/rejection.js";
import { session } from "./support/sessions.js";

const secrets = {
  api_key: "hush-api-key",
  partner_key: "hush-partner-key",
  tokens: { access_token: "hush-access", refresh_token: "hush-refresh", expires_at: 5, generation: 1 },
};
const secret = (store: string) => ({ ...session(store), ...secrets });

describe.skipIf(postgresPrograms === undefined)("the sign-ins of a chain", () => {
  test("are every machine's, and found whatever the letter case", async () => {
    const chain = await newChain();
    const [one, other] = [await chain.machine(), await chain.machine()];
    expect(await one.sessions.read("Downtown")).toBeUndefined();
    await one.sessions.update("Downtown", () => Promise.resolve(secret("Downtown")));
    expect(await other.sessions.read("DOWNTOWN")).toEqual(secret("Downtown"));
    await other.sessions.update("airport", () => Promise.resolve(session("airport")));
    expect((await one.sessions.list()).map(({ store }) => store)).toEqual(["airport", "Downtown"]);
    expect(await other.sessions.remove("downtown")).toBe(true);
    expect(await one.sessions.remove("downtown")).toBe(false);
    expect(await one.sessions.read("downtown")).toBeUndefined();
  });

  test("are changed one after the other, and are as they were where a change fails", async () => {
    const chain = await newChain();
    const machines = await Promise.all([chain.machine(), chain.machine(), chain.machine()]);
    const [first] = machines;
    await first.sessions.update("a", () => Promise.resolve(session("a", 0)));
    const countUp = ({ sessions }: (typeof machines)[number]) =>
      sessions.update("a", (current) =>
        Promise.resolve(session("a", (current?.tokens?.generation ?? 0) + 1)),
      );
    await Promise.all(machines.flatMap((machine) => [1, 2, 3].map(() => countUp(machine))));
    expect((await first.sessions.read("a"))?.tokens?.generation).toBe(9);
    await expect(first.sessions.update("a", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    const wrong = first.sessions.update("a", () => Promise.resolve(session("b")));
    await expect(wrong).rejects.toMatchObject({ code: "internal" });
    expect(await first.sessions.read("a")).toEqual(session("a", 9));
  });

  test("have other names in one step: whoever holds one finds it under one of both", async () => {
    const chain = await newChain();
    const { sessions } = await chain.machine();
    for (const store of ["old", "b"]) await sessions.update(store, () => Promise.resolve(secret(store)));
    await sessions.rename("OLD", "Neu");
    expect(await sessions.read("old")).toBeUndefined();
    expect(await sessions.read("neu")).toEqual(secret("Neu"));
    await sessions.rename("neu", "NEU");
    expect((await sessions.read("neu"))?.store).toBe("NEU");
    await rejection("invalid_input", () => sessions.rename("neu", "B"));
    await rejection("invalid_input", () => sessions.rename("nobody", "c"));
    const results = await Promise.allSettled([sessions.rename("neu", "b"), sessions.rename("b", "neu")]);
    expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect((await sessions.list()).map(({ store }) => store)).toEqual(["b", "NEU"]);
  });

  test("show no secret in a dump of the database", async () => {
    const chain = await newChain();
    const { sessions } = await chain.machine();
    await sessions.update("a", () => Promise.resolve(secret("a")));
    const dump = await dumpOf(chain);
    expect(dump).toMatch(/^\(s-a,/m);
    for (const text of ["hush", chain.key, Buffer.from("hush-access").toString("base64").slice(0, 10)])
      expect(dump).not.toContain(text);
  });

  test("can't be read in another store's row, or where they were changed", async () => {
    const chain = await newChain();
    const { sessions } = await chain.machine();
    for (const store of ["a", "b"]) await sessions.update(store, () => Promise.resolve(secret(store)));
    await chain.query(
      "update comanda.sealed set content = (select content from comanda.sealed where name = 's-a') where name = 's-b'",
    );
    await rejection("state_unusable", () => sessions.read("b"));
    await chain.query(
      "update comanda.sealed set content = substr(content, 1, 13) || 'AAAA' || substr(content, 18) where name = 's-a'",
    );
    const { message } = await rejection("state_unusable", () => sessions.read("a"));
    expect(message).not.toContain("hush");
    const all = await sessions.list();
    expect(all.map((each) => "error" in each)).toEqual([true, true]);
  });

  test("that aren't sealed though there is a key, or are sealed as something else, are refused", async () => {
    const chain = await newChain();
    const { sessions, settings } = await chain.machine();
    for (const store of ["a", "b"]) await sessions.update(store, () => Promise.resolve(session(store)));
    await settings.update((current) => ({ ...current, currency: "BRL" }));
    const planted = JSON.stringify({
      ...session("a"),
      environment: { ...session("a").environment, base_url: "https://evil.example" },
    });
    await chain.query(`update comanda.sealed set content = '${planted}' where name = 's-a'`);
    const { message } = await rejection("state_unusable", () => sessions.read("a"));
    expect(message).toContain("is not encrypted, though there is a key");
    await chain.query(
      "update comanda.sealed set content = (select content from comanda.sealed where name = 'settings') where name = 's-b'",
    );
    await rejection("state_unusable", () => sessions.read("b"));
    // Whoever has no key of their own reads none of it.
    const other = await chain.machine({ COMANDA_STATE_KEY: undefined });
    await rejection("state_unusable", () => other.settings.read());
  });

  test("aren't stored without a key, and the service isn't asked then", async () => {
    const chain = await newChain();
    const { sessions } = await chain.machine({ COMANDA_STATE_KEY: undefined });
    const { message, hint } = await rejection("configuration", () => sessions.reserve("a"));
    expect(message).toBe("There is no key, and nothing secret is stored in PostgreSQL without one.");
    expect(hint).toContain("openssl rand -base64 32");
    await rejection("configuration", () => sessions.update("a", () => Promise.resolve(secret("a"))));
    expect(await sessions.list()).toEqual([]);
    const withKey = await chain.machine();
    await withKey.sessions.update("a", () => Promise.resolve(secret("a")));
    await rejection("state_unusable", () => sessions.read("a"));
    expect(await sessions.remove("a")).toBe(true);
  });

  test("are read with each of several keys, and written with the first", async () => {
    const chain = await newChain();
    const newest = newStateKey();
    const old = await chain.machine();
    await old.sessions.update("a", () => Promise.resolve(secret("a")));
    const both = await chain.machine({ COMANDA_STATE_KEY: `${newest}, ${chain.key}` });
    expect(await both.sessions.read("a")).toEqual(secret("a"));
    await both.sessions.update("a", () => Promise.resolve(secret("a")));
    const { message } = await rejection("state_unusable", () => old.sessions.read("a"));
    expect(message).toMatch(/encrypted with another key \([\da-f]{12}\)/);
  });

  test("are not overwritten by whoever has read an older one", async () => {
    const chain = await newChain();
    const { database, sessions } = await chain.machine();
    await sessions.update("a", () => Promise.resolve(session("a", 1)));
    const rows = openSealedRows(() => database("comanda"), { COMANDA_STATE_KEY: chain.key });
    // As if the lease had been lost, and the process had not seen it.
    const deaf = openSessions(sessionRows(rows), leaseless);
    const late = deaf.update("a", async (_current, write) => {
      await sessions.update("a", () => Promise.resolve(session("a", 7)));
      await write(session("a", 2));
      return undefined;
    });
    await expect(late).rejects.toMatchObject({ code: "lock_timeout" });
    expect((await sessions.read("a"))?.tokens?.generation).toBe(7);
  });
});

describe("a key", () => {
  const refuse = (env: Readonly<Record<string, string>>) => () =>
    openSealedRows(() => Promise.reject(new Error("not asked")), env).refuseWithoutKey();

  test.each(["short", newStateKey().slice(1), `${newStateKey()} nonsense`, " , "])(
    "is 32 bytes in base64: %j is none, and isn't quoted",
    async (text) => {
      const { message } = await rejection("configuration", refuse({ COMANDA_STATE_KEY: text }));
      expect(message).toBe("COMANDA_STATE_KEY holds no key: 32 bytes in base64.");
    },
  );

  test("may be in a file that is its owner's alone", async () => {
    const file = path.join(temporaryFolder(), "key");
    writeFileSync(file, `${newStateKey()}\n`, { mode: 0o600 });
    const read = refuse({ COMANDA_STATE_KEY_FILE: file });
    read();
    chmodSync(file, 0o640);
    const { hint } = await rejection("state_unusable", read);
    expect(hint).toBe(`Type: chmod 600 ${file}`);
    await rejection("state_unusable", refuse({ COMANDA_STATE_KEY_FILE: `${file}.gone` }));
  });
});

describe.skipIf(postgresPrograms === undefined)("the settings of a chain", () => {
  test("are every machine's, but for those of the person who sits there", async () => {
    const chain = await newChain();
    const test = {
      base_url: "https://api.example",
      auth_url: "https://auth.example",
      client_id: "c",
      redirect_uri: "http://127.0.0.1:1/",
    };
    const [one, other] = [await chain.machine(), await chain.machine()];
    await one.settings.update((current) => ({
      ...current,
      default_store: "a",
      stores: { a: { time_zone: "America/Sao_Paulo" } },
    }));
    expect(await other.settings.read()).toEqual({
      environments: {},
      stores: { a: { time_zone: "America/Sao_Paulo" } },
    });
    await other.settings.update((current) => ({ ...current, default_store: "b", environments: { test } }));
    expect(await one.settings.read()).toMatchObject({
      default_store: "a",
      environments: { test },
    });
    await Promise.all(
      [one, other].flatMap(({ settings }) =>
        ["c", "d", "e"].map((store) =>
          settings.update((current) => ({ ...current, stores: { ...current.stores, [store]: {} } })),
        ),
      ),
    );
    expect(Object.keys((await one.settings.read()).stores ?? {}).sort()).toEqual(["a", "c", "d", "e"]);
    const fails = one.settings.update(() => {
      throw new Error("no");
    });
    await expect(fails).rejects.toThrow("no");
  });
});

describe.skipIf(postgresPrograms === undefined)("the settings of a chain with a key", () => {
  test("are sealed: an address that somebody writes there is refused, and the next key isn't sent to it", async () => {
    const chain = await newChain();
    const { settings } = await chain.machine();
    await settings.update((current) => ({ ...current, currency: "BRL" }));
    const [row] = await chain.query("select content from comanda.sealed where name = 'settings'");
    expect(row?.["content"]).not.toContain("BRL");
    const planted = JSON.stringify({
      environments: {
        production: { base_url: "https://evil.example", auth_url: "x", client_id: "x", redirect_uri: "x" },
      },
    });
    await chain.query(`update comanda.sealed set content = '${planted}'`);
    const { message } = await rejection("state_unusable", () => settings.read());
    expect(message).toContain("not encrypted");
    await chain.query(
      `update comanda.sealed set content = substr('${String(row?.["content"])}', 1, 13) || 'AAAA' || substr('${String(row?.["content"])}', 18)`,
    );
    await rejection("state_unusable", () => settings.read());
  });

  test("can be kept waiting by nobody who only reads figures", async () => {
    const chain = await newChain();
    const { settings, withLease, database } = await chain.machine();
    await database("sales");
    await settings.update((current) => ({ ...current, currency: "BRL" }));
    const role = `reader_${Math.random().toString(36).slice(2)}`;
    await chain.query(
      `create role ${role} login; grant usage on schema comanda_sales to ${role};
       grant select on all tables in schema comanda_sales to ${role}`,
    );
    const reader = new Client({ connectionString: chain.address.replace(/\/\/[^@]*@/, `//${role}@`) });
    await reader.connect();
    onTestFinished(async () => {
      await reader.end();
      await chain.query(`drop owned by ${role}; drop role ${role}`);
    });
    await reader.query("begin; select pg_advisory_lock(n) from generate_series(0, 100) n");
    await reader.query("select * from comanda_sales.turns");
    await settings.update((current) => ({ ...current, currency: "EUR" }));
    expect(await withLease("x", () => Promise.resolve("taken"), { waitMs: 0 })).toBe("taken");
    for (const sql of [
      "select * from comanda_sales.turns for update",
      "insert into comanda_sales.turns values ('x')",
      "insert into comanda.leases values ('x', 'x', 'h', 1, '', '', 9, 9)",
      "lock table comanda_sales.turns in exclusive mode",
    ]) {
      await reader.query("rollback; begin");
      await expect(reader.query(sql)).rejects.toThrow("permission denied");
    }
  });
});

test("the certificate of an IP address is compared with that address, whatever version the driver has", () => {
  const address = parsePostgresAddress("postgres://ana@192.0.2.7/shop");
  expect(clientConfig(address, "till").ssl).toEqual({
    rejectUnauthorized: true,
    host: "192.0.2.7",
  });
});

const leaseless: WithLease = (_name, work) =>
  work({ assertHeld: () => undefined, leftMs: () => 90_000, keep: () => Promise.resolve() });

/** All rows of all tables, as text. */
async function dumpOf({ address }: Chain): Promise<string> {
  const tables = await queryAt(
    address,
    "select format('%I.%I', table_schema, table_name) as name from information_schema.tables where table_schema like 'comanda%'",
  );
  expect(tables.length).toBeGreaterThan(5);
  const rows = await Promise.all(
    tables.map(({ name }) => queryAt(address, `select t::text as row from ${String(name)} t`)),
  );
  return rows
    .flatMap((all) => all.map(({ row }) => String(row)))
    .join("\n")
    .replaceAll('""', '"');
}
