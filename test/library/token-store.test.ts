/** Token stores: in memory, and in a row of the program's database that many processes share. */
import { spawn, type ChildProcess } from "node:child_process";
import type { ServerResponse } from "node:http";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import { describe, expect, onTestFinished, test } from "vitest";

import { createSqlTokenStore, type Query } from "../../examples/sql-token-store.mjs";
import { createMemoryTokenStore, createOAuth } from "../../src/library/oauth.js";
import type { StoredTokens, TokenStore } from "../../src/library/oauth.js";
import { openSqlite } from "../../src/state/sqlite.js";
import { json, startTokenService, tokens, type TokenRequest } from "../auth/support/token-service.js";
import { hasPostgres, newPostgresDatabase, openPool } from "../state/support/engines.js";
import { bundledProgram, nodeEnvironment } from "../state/support/programs.js";
import { sized, soak, tellFigure } from "../support/soak.js";
import { sqliteQuery } from "./support/sqlite-query.js";
import { temporaryFolder } from "../support/resources.js";

const folder = temporaryFolder();

const stored = (access_token: string): StoredTokens => ({
  access_token,
  base_url: "https://api.example",
  client_id: "app-1",
  write_id: access_token,
});

function sqlite(file: string): Query {
  const connection = openSqlite(path.join(folder, file));
  onTestFinished(() => connection.close());
  return sqliteQuery(connection);
}

async function postgres(): Promise<Query> {
  const pool = await openPool(await newPostgresDatabase());
  return (sql, values) => pool.query<Record<string, unknown>>(sql, values);
}

describe.each([
  { name: "memory", isInstalled: true, create: () => Promise.resolve(createMemoryTokenStore()) },
  { name: "SQLite", isInstalled: true, create: () => sqlStore(sqlite("store.db")) },
  { name: "PostgreSQL", isInstalled: hasPostgres, create: async () => sqlStore(await postgres()) },
])("a store in $name", ({ isInstalled, create }) => {
  test.skipIf(!isInstalled)("returns the last save, and lets only one of many writers write", async () => {
    const store = await create();
    expect(await store.load("centro")).toBeUndefined();
    expect(await store.save("centro", stored("early"), 1)).toBe(false);
    const writers = Array.from({ length: 10 }, (_, index) => `writer-${index}`);
    for (const generation of [0, 1, 2]) {
      const written = await Promise.all(
        writers.map((name) => store.save("centro", stored(`${name}-${generation}`), generation)),
      );
      expect(written.filter(Boolean)).toHaveLength(1);
      const winner = `${writers[written.indexOf(true)] ?? ""}-${generation}`;
      expect(await store.load("centro")).toEqual({ tokens: stored(winner), generation: generation + 1 });
    }
    expect(await store.load("norte")).toBeUndefined();
  });
});

async function sqlStore(query: Query, table = "shop_tokens"): Promise<TokenStore> {
  const store = createSqlTokenStore(query, table);
  await store.setUp();
  await store.setUp();
  return store;
}

const size = {
  processes: sized({ test: 3, search: 8, soak: 20 }),
  calls: sized({ test: 60, search: 500, soak: 10_000 }),
  /** Calls between two kills. */
  callsBetween: sized({ test: 20, soak: 100 }),
  lifeMs: soak ? 2000 : 400,
  pauseMs: soak ? 60 : 10,
};
const program = bundledProgram(new URL("./programs/oauth-server.ts", import.meta.url));

test(`${size.processes} processes that share a row and are killed at random refresh once for each expiry and lose nothing`, async () => {
  /** State and counts of the service. */
  const rotation = { current: 0, refreshes: 0, early: 0, reused: 0, calls: 0, kills: 0, crashes: 0 };
  const store: TokenStore = await sqlStore(sqlite("processes.db"), "comanda_tokens");
  /** Returns whether the row contains a note, and the tokens had to be refreshed by the clock of the processes. */
  const isDue = async () => {
    const { tokens: row } = (await store.load("centro")) ?? {};
    const due = (row?.issued_at ?? NaN) + size.lifeMs * 0.75;
    return (row?.refresh_in_flight?.started_at ?? NaN) >= due;
  };
  const service = await startTokenService((response, request) => void answer(response, request));
  const answer = async (response: ServerResponse, request: TokenRequest) => {
    if (request.path === "/call") {
      rotation.calls += 1;
      return void response.writeHead(204).end();
    }
    const used = request.form["refresh_token"];
    if (used !== undefined) {
      if (used !== `refresh-${rotation.current}`) {
        rotation.reused += 1;
        json(400, { error: "invalid_grant" })(response, request);
        return;
      }
      rotation.refreshes += 1;
      if (!(await isDue())) rotation.early += 1;
    }
    rotation.current += 1;
    const current = String(rotation.current);
    const given = { access_token: `access-${current}`, refresh_token: `refresh-${current}` };
    await delay(Math.random() * 50);
    tokens({ ...given, expires_in: size.lifeMs / 1000 })(response, request);
  };
  const { baseUrl } = service;
  const app = { clientId: "app-1", redirectUri: "https://shop.example/callback" };
  const oauth = createOAuth({ ...app, authUrl: `${baseUrl}/authorize`, baseUrl, store });
  const authorize = async () => {
    const { pending } = await oauth.authorizationUrl({ key: "centro" });
    await oauth.callback(`/callback?code=c&state=${pending.state}`, pending);
  };
  await authorize();

  const run = () => {
    const words = [program(), baseUrl, path.join(folder, "processes.db"), "centro", String(size.pauseMs)];
    const child = spawn(process.execPath, words, { env: nodeEnvironment, stdio: "inherit" });
    child.once("exit", (code) => {
      if (code !== null) rotation.crashes += 1;
    });
    return child;
  };
  const servers: ChildProcess[] = Array.from({ length: size.processes }, run);
  onTestFinished(() => {
    for (const each of servers) each.kill("SIGKILL");
  });
  const hasCrashed = () => rotation.crashes > 0;
  const isRefused = async () => (await store.load("centro"))?.tokens.refused_at !== undefined;
  let [inWindow, elsewhere] = [0, 0];
  while (!hasCrashed() && (rotation.calls < size.calls || rotation.refreshes < 2)) {
    const last = rotation.calls;
    // Nothing calls for a store whose refresh token was rejected.
    while (rotation.calls - last < size.callsBetween && !hasCrashed() && !(await isRefused()))
      await delay(Math.random() * 40);
    const victim = Math.floor(Math.random() * servers.length);
    servers[victim]?.kill("SIGKILL");
    rotation.kills += 1;
    servers[victim] = run();
    if (!(await isRefused())) continue;
    // The service rotated the token of a process that was killed before it could save the response. The store is lost.
    if (rotation.reused === 1) inWindow += 1;
    else elsewhere += 1;
    rotation.reused = 0;
    await authorize();
  }
  const of = `${rotation.calls} calls of ${size.processes} processes, ${rotation.kills} kills, ${rotation.refreshes} refreshes`;
  tellFigure({ what: "stores lost between answer and write", of, seen: inWindow });
  tellFigure({ what: "stores lost elsewhere", of, wanted: 0, seen: elsewhere });
  tellFigure({ what: "refreshes before the expiry", of, wanted: 0, seen: rotation.early });
  expect({ ...rotation, elsewhere }).toMatchObject({ crashes: 0, elsewhere: 0, early: 0, reused: 0 });
});
