/** Refreshes the same sessions from many processes, such as those that cron starts in the same second. */
import { fork, type ChildProcess } from "node:child_process";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { systemClock } from "../../src/base/clock.js";
import type { SessionStore } from "../../src/state/sessions.js";
import { openState } from "../../src/state/state.js";
import { newPostgresDatabase, newStateKey } from "../state/support/engines.js";
import { engines } from "../state/support/states.js";
import { bundledProgram, ended, nodeEnvironment } from "../state/support/programs.js";
import { signInAt, startAuthorizationServer } from "./support/authorization-server.js";
import type { AuthorizationServer } from "./support/authorization-server.js";
import { temporaryFolder } from "../support/resources.js";
import { containing } from "../support/output.js";
import { sized, tellFigure } from "../support/soak.js";
import type { Outcome, Task } from "./support/refresh-worker.js";

const size = {
  processes: sized({ test: 3, search: 6, soak: 50 }),
  expiries: sized({ test: 2, search: 4, soak: 20 }),
  stores: sized({ test: 2, soak: 5 }),
  kills: sized({ test: 2, search: 12, soak: 500 }),
};

const program = bundledProgram(new URL("./support/refresh-worker.ts", import.meta.url), ["pg-native"]);
let env: Task["env"];
let server: AuthorizationServer;
let sessions: SessionStore;
const workers = new Set<ChildProcess>();

afterEach(async () => {
  for (const worker of workers) worker.kill("SIGKILL");
  await Promise.all([...workers].map(ended));
  workers.clear();
});

function start(): ChildProcess {
  const stdio = ["ignore", "ignore", "inherit", "ipc"] as const;
  const worker = fork(program(), { env: nodeEnvironment, execArgv: [], stdio: [...stdio] });
  workers.add(worker);
  worker.once("exit", () => workers.delete(worker));
  return worker;
}

/** Starts a refresh in a worker. Rejects if the worker ends before it reports the outcome. */
function run(worker: ChildProcess, stores: readonly string[]): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    worker.once("message", (outcome) => resolve(outcome as Outcome));
    worker.once("exit", () => reject(new Error("the worker ended")));
    worker.send({ env, stores } satisfies Task);
  });
}

async function expire(store: string): Promise<void> {
  await sessions.update(store, (session) => {
    if (session?.tokens === undefined) throw new Error(`the session of ${store} is lost`);
    return Promise.resolve({ ...session, tokens: { ...session.tokens, expires_at: 0 } });
  });
}

/** The refresh tokens that the server saw more than once. */
function usedTwice(): readonly string[] {
  const tokens = server.refreshes.map(({ token }) => token);
  return tokens.filter((token, index) => tokens.indexOf(token) !== index);
}

describe.each(engines)("with $name", ({ name }) => {
  beforeEach(async () => {
    const own = { COMANDA_CONFIG_DIR: temporaryFolder() };
    const shared = name === "SQLite" ? {} : { COMANDA_STATE: await newPostgresDatabase() };
    env = { ...own, ...shared, COMANDA_STATE_KEY: newStateKey() };
    sessions = (await openState({ env, clock: systemClock })).sessions;
    server = await startAuthorizationServer();
  });

  test(`${size.processes} processes with ${size.stores} stores lose no session and use no token twice in ${size.expiries} expiries`, async () => {
    const stores = Array.from({ length: size.stores }, (_, index) => `store-${index}`);
    for (const store of stores) await signInAt(server, sessions, store);
    const running = Array.from({ length: size.processes }, start);
    for (let expiry = 1; expiry <= size.expiries; expiry += 1) {
      await Promise.all(stores.map(expire));
      const outcomes = await Promise.all(running.map((worker) => run(worker, stores)));
      for (const store of stores) {
        const session = await sessions.read(store);
        const token = session?.tokens?.access_token;
        expect(session?.tokens?.generation).toBe(1 + expiry);
        expect(outcomes.map((outcome) => outcome[store])).toEqual(outcomes.map(() => ({ token })));
      }
    }
    const of = `${size.processes} processes x ${size.expiries} expiries x ${size.stores} stores, ${name}`;
    const tokens = await Promise.all(
      stores.map(async (store) => (await sessions.read(store))?.tokens?.refresh_token ?? ""),
    );
    const alive = await Promise.all(tokens.map((token) => server.isAlive(token)));
    const lost = alive.filter((isAlive) => !isAlive);
    tellFigure({ what: "sessions lost", of, wanted: 0, seen: lost.length });
    tellFigure({ what: "refresh tokens used twice", of, wanted: 0, seen: usedTwice().length });
    expect(lost).toEqual([]);
    expect(usedTwice()).toEqual([]);
    expect(server.refreshes).toHaveLength(size.expiries * size.stores);
    expect(server.refreshes.every(({ status }) => status === 200)).toBe(true);
  });

  test(`${size.kills} SIGTERM signals during refreshes lose no session`, async () => {
    await signInAt(server, sessions);
    let killed = 0;
    for (let round = 0; round < size.kills; round += 1) {
      await expire("centro");
      const worker = start();
      // The tokens are rotated, but the response hasn't been sent, so a kill would lose them.
      server.onRefreshed = async () => {
        killed += Number(worker.kill("SIGTERM"));
        await systemClock.sleep(20);
      };
      run(worker, ["centro"]).catch(() => undefined);
      expect(await ended(worker)).toBe(143);
      const session = await sessions.read("centro");
      expect(session?.tokens?.generation).toBe(2 + round);
      expect(session).not.toHaveProperty("refresh_in_flight");
    }
    expect(killed).toBe(size.kills);
    expect(usedTwice()).toEqual([]);
    expect(server.refreshes.every(({ status }) => status === 200)).toBe(true);
  });

  test(`${size.kills} kills after the response lose a session only if they come before the write`, async () => {
    await signInAt(server, sessions);
    let [inWindow, elsewhere] = [0, 0];
    for (let round = 0; round < size.kills; round += 1) {
      await expire("centro");
      const worker = start();
      server.onRefreshed = () => void setTimeout(() => worker.kill("SIGKILL"), Math.random() * 100);
      run(worker, ["centro"]).catch(() => undefined);
      expect(await ended(worker)).toBe("SIGKILL");
      const session = await sessions.read("centro");
      if (await server.isAlive(session?.tokens?.refresh_token ?? "")) continue;
      // The unavoidable loss: the refresh was marked, and its response is missing.
      if (session?.refresh_in_flight) inWindow += 1;
      else elsewhere += 1;
      await signInAt(server, sessions);
    }
    const of = `${size.kills} SIGKILL after a response, ${name}`;
    tellFigure({ what: "sessions lost between answer and write", of, seen: inWindow });
    tellFigure({ what: "sessions lost elsewhere", of, wanted: 0, seen: elsewhere });
    expect(elsewhere).toBe(0);
    expect(usedTwice()).toEqual([]);
  });

  test("the next run explains that a refresh was killed", async () => {
    await signInAt(server, sessions);
    await expire("centro");
    const worker = start();
    server.onRefreshed = async () => {
      worker.kill("SIGKILL");
      await ended(worker);
    };
    run(worker, ["centro"]).catch(() => undefined);
    expect(await ended(worker)).toBe("SIGKILL");
    server.onRefreshed = () => undefined;
    const outcome = await run(start(), ["centro"]);
    expect(outcome["centro"]).toEqual({ error: containing("comanda was killed during a renewal") });
    const refused_at = expect.any(Number) as number;
    expect(await sessions.read("centro")).toMatchObject({ tokens: { generation: 1 }, refused_at });
  });
});
