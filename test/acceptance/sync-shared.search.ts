/** `comanda sync --all-stores` on several machines at the same time: they share the stores out. */
import { afterEach, describe, expect, test } from "vitest";
import * as z from "zod/mini";

import type { Emulator } from "../../src/emulator/index.js";
import { newChain, type Chain } from "../state/support/chain.js";
import { tokenFor } from "../support/desk.js";
import { startEmulator } from "../support/emulators.js";
import { postgresPrograms } from "../support/postgres-server.js";
import { Machine, type Running } from "../support/program.js";

const stores = ["a", "b", "c", "d", "e", "f"];
const days = 8;
const line = [
  "sync",
  "--all-stores",
  "--dimensions",
  "status",
  "--days",
  String(days),
  "--tz",
  "UTC",
  "--json",
];
const syncSchema = z.object({
  stores: z.array(
    z.object({ store: z.string(), elsewhere: z.nullable(z.object({ pid: z.number(), host: z.string() })) }),
  ),
});

describe.skipIf(postgresPrograms === undefined)("machines that sync all stores at the same time", () => {
  const machines: Machine[] = [];
  let emulator: Emulator | undefined;
  afterEach(async () => {
    for (const each of machines.splice(0)) each.remove();
    await emulator?.close();
  });

  async function openChain() {
    const [chain, service] = [await newChain(), await startEmulator({ orders: 50, rateLimits: false })];
    emulator = service;
    const { sessions } = await chain.machine();
    for (const store of stores)
      await sessions.update(store, () =>
        Promise.resolve({
          ...{ version: 1, store, signed_in_at: 1 },
          environment: {
            name: "test",
            base_url: service.baseUrl,
            auth_url: service.authUrl,
            client_id: "test",
            redirect_uri: "http://127.0.0.1:8765/callback",
          },
          tokens: { access_token: tokenFor(service, 501), expires_at: Date.now() + 7_200_000, generation: 1 },
        }),
      );
    const env = {
      COMANDA_STATE: chain.address,
      COMANDA_STATE_KEY: chain.key,
      COMANDA_RATE_LIMITS: "off",
    };
    const start = () => {
      const machine = new Machine(env);
      machines.push(machine);
      return machine.start(line);
    };
    const asked = () => service.service.log.entries().filter(({ path }) => path.includes("/summary")).length;
    return { chain, start, asked };
  }

  /** @returns the stores that the run did itself */
  async function shareOf({ finished }: Running): Promise<string[]> {
    const { code, stdout } = await finished;
    const { stores: all } = z.parse(syncSchema, JSON.parse(stdout));
    expect([code, all.map(({ store }) => store)]).toEqual([0, stores]);
    return all.flatMap(({ store, elsewhere }) => (elsewhere ? [] : [store]));
  }

  const answersOf = async (chain: Chain) =>
    (await chain.query("select count(*)::int as count from comanda_sales.answers"))[0]?.["count"];

  /** Resolves when the run is at work; nobody hears of it from then on, as after three minutes. */
  async function silenced(
    chain: Chain,
    { child }: Running,
    how: "SIGKILL" | "SIGSTOP",
  ): Promise<readonly unknown[]> {
    const open = `from comanda.store_turns where pid = ${child.pid} and outcome is null`;
    while ((await chain.query(`select store ${open}`)).length === 0)
      if (child.exitCode !== null) throw new Error("the run ended before it could be silenced");
    child.kill(how);
    const left = await chain.query(`select store ${open}`);
    await chain.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'comanda ${child.pid} %'`,
    );
    await chain.query(
      `update comanda.store_turns set until_at = 0 where pid = ${child.pid} and outcome is null`,
    );
    return left;
  }

  test("do each store once, and each says which it did and which others did", async () => {
    const { chain, start, asked } = await openChain();
    const runs = [start(), start()];
    const shares = await Promise.all(runs.map(shareOf));
    expect(shares.flat().sort()).toEqual(stores);
    expect(asked()).toBe(stores.length * days);
    expect(await answersOf(chain)).toBe(stores.length * days);
    const [busiest = []] = shares.toSorted((a, b) => b.length - a.length);
    const { stderr = "" } = (await runs[shares.indexOf(busiest)]?.finished) ?? {};
    if (busiest.length < stores.length)
      expect(stderr).toMatch(
        new RegExp(`Done by this run: ${busiest.join(", ")}\\.\\nDone by process \\d+ on `),
      );
  });

  test("take over from one that is killed, and from one that stands still, which goes no further when it wakes up", async () => {
    const { chain, start, asked } = await openChain();
    // Each has stores in its hands before the next one begins: none of them is too late for the work.
    const killed = start();
    expect(await silenced(chain, killed, "SIGKILL")).not.toEqual([]);
    const stopped = start();
    const held = await silenced(chain, stopped, "SIGSTOP");
    const other = start();
    const done = await shareOf(other);
    const rows = await chain.query(
      "select store, outcome, pid::int as pid from comanda.store_turns order by store",
    );
    expect(rows.map(({ store, outcome }) => [store, outcome])).toEqual(
      stores.map((store) => [store, "done"]),
    );
    expect(rows.filter(({ pid }) => pid === other.child.pid).map(({ store }) => store)).toEqual(done);
    // What was under way then is asked once more.
    expect(asked()).toBeLessThanOrEqual(stores.length * days + 8);
    const kept = Number(await answersOf(chain));
    expect(kept).toBeGreaterThanOrEqual(stores.length * days);
    stopped.child.kill("SIGCONT");
    await stopped.finished;
    // At most the one answer of each store that it had in its hands when it stood still: another row, with the same figures.
    expect(Number(await answersOf(chain)) - kept).toBeLessThanOrEqual(held.length);
  });
});
