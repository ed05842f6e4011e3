/** Counts at a server, over real sockets and reused connections, that a write without a response is never sent twice and that its outcome is right. */
import type { Socket } from "node:net";

import fc from "fast-check";
import { expect, test, vi } from "vitest";

import { request } from "../../src/client/any-call.js";
import { createClient } from "../../src/client/client.js";
import { fetchTransport } from "../../src/client/transport.js";
import { ComandaError, type Outcome } from "../../src/base/errors.js";
import { sized, tellFigure } from "../support/soak.js";
import { jumpingClock } from "./support/clock.js";
import { httpAnswer, rawServer } from "./support/raw-server.js";
import { testTransport } from "./support/transport.js";

const runs = sized({ test: 100, soak: 1000 });

/** A stalled request holds its connection. */
const connections = 4;
/** Milliseconds that no other timer has, longer than a slow machine needs. */
const timeoutMs = 3_600_007;

const head = "HTTP/1.1 200 OK\r\n";
const type = "content-type: application/json\r\n";
const page = httpAnswer(200, "<html></html>", { "content-type": "text/html" });
const limited = httpAnswer(429, "", { "retry-after": "1" });
const conflict = httpAnswer(409, '{"code":4002,"message":"no"}');

/** How the server responds to one request, and the outcome that is right. */
const modes: Readonly<Record<string, readonly [outcome: string, respond: (socket: Socket) => unknown]>> = {
  done: ["done", (socket) => socket.write(httpAnswer(204))],
  conflict: ["status_conflict", (socket) => socket.write(conflict)],
  // Refused before it was processed, so it is sent again, and the server then does it.
  limited: ["done", (socket) => socket.write(httpAnswer(204))],
  resetAfterDoing: ["outcome_unknown", (socket) => socket.resetAndDestroy()],
  endAfterDoing: ["outcome_unknown", (socket) => socket.end()],
  halfAnAnswer: ["outcome_unknown", (socket) => socket.end(`${head}content-length: 5\r\n\r\nab`)],
  resetAfterHead: [
    "outcome_unknown",
    (socket) => socket.write(`${head}\r\n`, () => socket.resetAndDestroy()),
  ],
  endAfterHead: ["outcome_unknown", (socket) => socket.end(`${head}${type}\r\n`)],
  garbage: ["outcome_unknown", (socket) => socket.write("nonsense\r\n\r\n")],
  stall: ["outcome_unknown", () => undefined],
  page: ["outcome_unknown", (socket) => socket.write(page)],
  failing: ["outcome_unknown", (socket) => socket.write(httpAnswer(502, "<h1>Bad Gateway</h1>"))],
  // The connection ends while it is idle. The next write must not be lost on it.
  doneThenEnd: ["done", (socket) => socket.end(httpAnswer(204))],
  doneThenReset: [
    "done",
    (socket) => socket.write(httpAnswer(204), () => setImmediate(() => socket.resetAndDestroy())),
  ],
};

test(`${runs} writes over faulty connections are never sent twice and have the right outcome`, async () => {
  const seen = new Map<string, number>();
  const done = new Map<string, number>();
  let plan: Record<string, string> = {};
  const letTimePass = timersOf(timeoutMs);
  let waiting = 0;
  let stalled = 0;
  /** Called when only the passing of time can help. */
  const look = () => {
    if (stalled === 0 || stalled < Math.min(waiting, connections)) return;
    stalled = 0;
    letTimePass();
  };
  const server = await rawServer((socket, _, head) => {
    const id = /orders\/(\d+)\//.exec(head)?.[1] ?? "";
    const count = (seen.get(id) ?? 0) + 1;
    seen.set(id, count);
    const mode = plan[id] ?? "";
    if (mode === "limited" && count === 1) return void socket.write(limited);
    if (mode !== "conflict") done.set(id, (done.get(id) ?? 0) + 1);
    modes[mode]?.[1](socket);
    if (mode !== "stall") return;
    stalled += 1;
    look();
  });
  const client = createClient({
    baseUrl: server.url,
    transport: testTransport({ connections }),
    credentials: { bearer: () => Promise.resolve("TOKEN") },
    rateLimiter: false,
    clock: jumpingClock(),
    timeoutMs,
  });

  let id = 0;
  const batch = fc.array(fc.constantFrom(...Object.keys(modes)), { minLength: 10, maxLength: 10 });
  await fc.assert(
    fc.asyncProperty(batch, async (chosen) => {
      const orders = chosen.map((mode) => ({ mode, order: String((id += 1)) }));
      plan = Object.fromEntries(orders.map(({ order, mode }) => [order, mode]));
      const [first, ...rest] = orders;
      const send = async ({ order, mode }: (typeof orders)[number]) => {
        waiting += 1;
        const outcome = await client.dispatchOrder(order).then(
          () => "done",
          (error: unknown) => (error instanceof ComandaError ? error.code : String(error)),
        );
        waiting -= 1;
        look();
        expect({ order, mode, outcome }).toEqual({ order, mode, outcome: modes[mode]?.[0] });
        expect(done.get(order) ?? 0).toBe(mode === "conflict" ? 0 : 1);
        expect(seen.get(order)).toBe(mode === "limited" ? 2 : 1);
      };
      if (first) await send(first);
      await Promise.all(rest.map(send));
    }),
    { numRuns: Math.ceil(runs / 10), endOnFailure: true },
  );
  const twice = [...done.values()].filter((count) => count > 1).length;
  tellFigure({ what: "writes done twice", of: `${seen.size} ambiguous writes`, wanted: 0, seen: twice });
  // A wrong outcome would have ended the search above.
  tellFigure({ what: "wrong outcomes", of: `${seen.size} ambiguous writes`, wanted: 0, seen: 0 });
  expect(twice).toBe(0);
  expect(done.size).toBeGreaterThan(runs / 2);
});

const chunked = "transfer-encoding: chunked\r\n";
const last = "\r\n0\r\n\r\n";

test.each<[empty: string, overUndici: string, overFetch: string]>([
  ["HTTP/1.1 204 No Content\r\n\r\n", "done", "done"],
  ["HTTP/1.1 205 Reset Content\r\ncontent-length: 0\r\n\r\n", "done", "done"],
  [`${head}content-length: 0\r\n\r\n`, "done", "done"],
  [`${head}${type}content-length: 0\r\n\r\n`, "done", "done"],
  [`${head}${type}${chunked}${last}`, "done", "done"],
  // Node 20's `fetch` doesn't see the difference from the row with only the head.
  [`${head}${chunked}connection: close\r\n${last}`, "done", "unknown"],
  [`${head}${chunked}\r\n`, "unknown", "unknown"],
  [`${head}${chunked}connection: close\r\n\r\n`, "unknown", "unknown"],
  [`${head}content-length: 9\r\nconnection: close\r\n\r\n`, "unknown", "unknown"],
  [`${head}${type}\r\n`, "unknown", "unknown"],
  [`${head}${type}\r\n\r\n`, "unknown", "unknown"],
  [`HTTP/1.0 200 OK\r\n${type}\r\n`, "unknown", "unknown"],
  [`${head}transfer-encoding: gzip\r\n${type}\r\n`, "unknown", "unknown"],
  [`${head}\r\n`, "unknown", "unknown"],
])("an empty 2xx counts only if it is complete: %j", async (empty, overUndici, overFetch) => {
  for (const end of ["end", "resetAndDestroy"] as const) {
    const endLater = (socket: Socket) => setTimeout(() => socket[end](), 5);
    const server = await rawServer((socket) => void socket.write(empty, () => endLater(socket)));
    const outcomes = await Promise.all(
      [testTransport(), fetchTransport()].map(async (transport) => {
        const credentials = { bearer: () => Promise.resolve("TOKEN") };
        const client = createClient({ baseUrl: server.url, transport, credentials, rateLimiter: false });
        const same = [
          client.dispatchOrder("1"),
          request(client, { method: "POST", path: "/api/partner/v1/orders/1/dispatch" }),
          request(client, { method: "DELETE", path: "/api/partner/v1/coupons/1" }, { maxRetries: 0 }),
        ];
        const reported = await Promise.all(same.map((each) => each.catch((error: unknown) => error)));
        const [first, ...others] = reported.map((each) => (each as Outcome).outcome);
        expect(others).toEqual([first, first]);
        return first;
      }),
    );
    expect({ end, outcomes }).toEqual({ end, outcomes: [overUndici, overFetch] });
  }
});

/** Holds timers of that many milliseconds until the returned function ends them all. Other timers run as usual. */
function timersOf(ms: number): () => void {
  const due: (() => void)[] = [];
  const real = setTimeout;
  vi.stubGlobal("setTimeout", (work: () => void, delay?: number, ...given: []) => {
    if (delay === ms) due.push(work);
    return real(work, delay, ...given);
  });
  return () => {
    for (const work of due.splice(0)) work();
  };
}
