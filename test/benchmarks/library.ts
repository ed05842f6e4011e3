/** What the library adds to a request: its calls against bare undici, in this process, at a bare server in another. */
import { createRequire } from "node:module";
import path from "node:path";

import type * as undici from "undici";

import { openDesk } from "./desk.js";
import { median, type Part } from "./figure.js";
import { ratio } from "./processes.js";

/** As much of the built package as is measured. */
interface Library {
  readonly createClient: (options: object) => {
    dispatchOrder(id: string): Promise<unknown>;
    summary(query: object): Promise<unknown>;
    close(): Promise<void>;
  };
}

const rounds = 7;
const calls = 2_000;
const query = { start_date: "2026-10-01T00:00:00Z", end_date: "2026-10-31T23:59:59Z" };

export const library: Part = {
  name: "library",
  async run(report) {
    // Both from their own files, as a program of its own would have them: this one is bundled.
    const require = createRequire(path.resolve("package.json"));
    const { createClient } = require(path.resolve("dist/library/index.cjs")) as Library;
    const { Pool } = require("undici") as typeof undici;
    const desk = await openDesk();
    const pool = new Pool(desk.url, { connections: 64 });
    const credentials = { bearer: () => Promise.resolve("bench-token") };
    const client = createClient({ baseUrl: desk.url, credentials, rateLimiter: false });
    const headers = {
      authorization: "Bearer bench-token",
      accept: "application/json",
      "user-agent": "bench",
    };

    const bare = async (method: "GET" | "POST", target: string) => {
      const { statusCode, body } = await pool.request({ method, path: target, headers });
      const text = await body.text();
      if (statusCode >= 300) throw new Error(text);
      return text === "" ? undefined : (JSON.parse(text) as unknown);
    };
    const search = new URLSearchParams(query).toString();
    const pairs = [
      [
        "status change",
        () => bare("POST", "/api/partner/v1/orders/1/dispatch"),
        () => client.dispatchOrder("1"),
      ],
      ["summary", () => bare("GET", `/api/partner/v1/orders/summary?${search}`), () => client.summary(query)],
    ] as const;
    try {
      for (const [what, raw, ours] of pairs) {
        for (const abreast of [1, 16]) {
          const ms: { raw: number[]; ours: number[] } = { raw: [], ours: [] };
          for (let round = -1; round < rounds; round += 1) {
            const taken = { raw: await timeOf(raw, abreast), ours: await timeOf(ours, abreast) };
            // The first round warms both up.
            if (round < 0) continue;
            ms.raw.push(taken.raw);
            ms.ours.push(taken.ours);
          }
          const perCall = (values: readonly number[]) => ((median(values) * 1000) / calls).toFixed(0);
          report.figure({
            what: `library: ${what}, ${abreast} abreast, of bare undici`,
            unit: "x",
            measured: ratio(ms.ours, ms.raw),
            goal: { atMost: 1.2 },
            note: `${perCall(ms.ours)} µs; ${perCall(ms.raw)} µs`,
          });
        }
      }
    } finally {
      await client.close();
      await pool.close();
      await desk.close();
    }
  },
};

/** Milliseconds for all calls, so many at a time. */
async function timeOf(call: () => Promise<unknown>, abreast: number): Promise<number> {
  const start = performance.now();
  let left = calls;
  const worker = async () => {
    while (left > 0) {
      left -= 1;
      await call();
    }
  };
  await Promise.all(Array.from({ length: abreast }, worker));
  return performance.now() - start;
}
