/** One limit for the library and the built program, at a service that counts for itself (section 8). */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ComandaError, createClient } from "../../src/library/index.js";
import { fileSession } from "../../src/library/node.js";
import { openState } from "../state/support/folder.js";
import { Bench } from "../support/bench.js";

let bench: Bench;
beforeEach(async () => {
  bench = await Bench.open();
  await bench.signIn();
  bench.forgetRequests();
});
afterEach(() => bench.close());

const atOnce = { maxWaitMs: 0 };
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
const lastDays = { start_date: daysAgo(30), end_date: daysAgo(1) };
const summaryPath = `/api/partner/v1/orders/summary?${new URLSearchParams(lastDays).toString()}`;

/** The limits that are counted, each with how many requests it holds. */
async function counted(): Promise<readonly { readonly key: string; readonly requests: number }[]> {
  const state = openState(bench.machine.configFolder);
  const database = await state.database("comanda");
  const columns = { key: "text", requests: "bigint" } as const;
  const sql = "select limit_key as key, count(*) as requests from limit_places group by limit_key";
  return database.rows(columns, sql);
}

const statuses = () => bench.emulator.service.log.entries().map(({ status }) => status);

/** A client as a program would make it that runs on the person's machine. */
async function libraryClient(env: Readonly<Record<string, string>> = {}, maxWait: object = atOnce) {
  const { clientOptions } = await fileSession({ env: { ...bench.machine.env, ...env } });
  return createClient({ ...clientOptions, ...maxWait });
}

/** @returns what each came to: the code of an error, `done` where there was none */
async function outcomes(calls: readonly Promise<unknown>[]): Promise<string[]> {
  return Promise.all(
    calls.map((call) =>
      call.then(
        () => "done",
        (error: unknown) => (error instanceof ComandaError ? error.code : String(error)),
      ),
    ),
  );
}

describe("a client of fileSession", () => {
  test("leaves the program what it didn't use, and is held back by what the program did", async () => {
    const client = await libraryClient();
    for (let call = 0; call < 3; call += 1) await client.summary(lastDays);
    for (const expected of [0, 0, 7]) {
      const { code } = await bench.inProcess(["api", "GET", summaryPath, "--max-wait", "0"]);
      expect(code).toBe(expected);
    }
    await expect(client.summary(lastDays)).rejects.toMatchObject({
      code: "rate_limited",
      hint: expect.stringContaining("maxWaitMs") as string,
    });
    await client.close();
    expect(statuses()).toEqual([200, 200, 200, 200, 200]);
    expect(await counted()).toEqual([
      { key: expect.stringMatching(/^store \S+ summary http/) as string, requests: 5 },
    ]);
  });

  test("with COMANDA_RATE_LIMITS=off neither counts nor holds back: the service does", async () => {
    const env = { ...bench.machine.env, COMANDA_RATE_LIMITS: "off" };
    const { clientOptions } = await fileSession({ env });
    expect(clientOptions.rateLimiter).toBe(false);
    const client = createClient({ ...clientOptions, ...atOnce });
    const calls = Array.from({ length: 6 }, () => client.summary(lastDays));
    expect((await outcomes(calls)).sort()).toEqual([...Array<string>(5).fill("done"), "rate_limited"]);
    await client.close();
    expect(statuses()).toContain(429);
    expect(await counted()).toEqual([]);
  });
});
