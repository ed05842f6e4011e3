/** What a client tells its observer of each call, and what the observer may do about it. */
import { describe, expect, test } from "vitest";

import type { CallObserver, ObservedCall } from "../../src/client/options.js";
import { createClient, type Client } from "../../src/client/client.js";
import { TransportError } from "../../src/client/transport.js";
import { ComandaError } from "../../src/client/errors.js";
import { jumpingClock } from "./support/clock.js";
import { errorOf } from "./support/error-of.js";
import { scripted, type Step } from "./support/scripted.js";

const reset = new TransportError("reset", true, "reset");
const refused = new TransportError("refused", false, "nothing listens");
const page = { start_date: "2026-10-01T00:00:00Z", end_date: "2026-10-02T00:00:00Z" };

/** Plays the steps, and notes in turn what the observer is told and what goes out. */
function watched(steps: readonly Step[], more: CallObserver = {}) {
  const told: string[] = [];
  const calls: ObservedCall[] = [];
  const { transport } = scripted(...steps);
  const observer: CallObserver = {
    begins(call) {
      told.push("begins");
      calls.push(call);
    },
    sends: (_, { attempt, credential }) => void told.push(`sends ${attempt} with ${credential ?? "nothing"}`),
    attempted: (_, { attempt, verdict: { outcome, httpStatus, code, evidence } }) =>
      void told.push([attempt, outcome, httpStatus, code, evidence].map(String).join(" ")),
    ended: (_, outcome) => void told.push(`ended: ${outcome}`),
    ...more,
  };
  const client = createClient({
    baseUrl: "https://api.example/prefix",
    transport: { ...transport, send: (request) => (told.push("out"), transport.send(request)) },
    rateLimiter: false,
    clock: jumpingClock(),
    credentials: { bearer: () => Promise.resolve("SECRET"), apiKey: () => Promise.resolve("SECRET_KEY") },
    observer,
  });
  return { client, told, calls };
}

describe("a client tells of a call", () => {
  test("before its first byte, at each attempt, and in the end", async () => {
    const { client, told } = watched([refused, { status: 429 }, { status: 204 }]);
    await client.dispatchOrder("4711");
    expect(told).toEqual([
      "begins",
      ...["sends 1 with bearer", "out", "1 failed null unreachable null"],
      ...["sends 2 with bearer", "out", "2 refused 429 rate_limited gateway"],
      ...["sends 3 with bearer", "out", "3 done 204 null api"],
      "ended: done",
    ]);
  });

  test.each<[string, (client: Client) => Promise<unknown>, readonly Step[], string]>([
    ["a write that was cut off", (client) => client.cancelOrder("1"), [reset], "unknown"],
    ["a question that was cut off", (client) => client.summary(page), [reset, reset, reset, reset], "failed"],
    [
      "a driver of which the second answer says nothing of the first",
      (client) => client.assignDriver("1", { driver_id: 2 }),
      [reset, { status: 401 }, { status: 401 }],
      "unknown",
    ],
    [
      "what the service refuses",
      (client) => client.finalizeOrder("1"),
      [{ status: 409, body: '{"code":4002,"message":"No"}' }],
      "refused",
    ],
    ["what a gateway answers", (client) => client.finalizeOrder("1"), [{ status: 409 }], "unknown"],
    ["a program's own failure", (client) => client.finalizeOrder("1"), [new Error("own")], "unknown"],
    [
      "what ours refuses to send",
      (client) => client.finalizeOrder("1"),
      [new ComandaError("configuration", "")],
      "failed",
    ],
    [
      "what has no credential",
      (client) => client.request({ method: "POST", path: "/x", auth: "partner" }),
      [],
      "failed",
    ],
  ])("what comes of %s", async (_, call, steps, outcome) => {
    const { client, told } = watched(steps);
    await call(client).catch(() => undefined);
    expect(told.at(-1)).toBe(`ended: ${outcome}`);
    const [sends, ends] = [/^sends/, /^\d/].map((form) => told.filter((each) => form.test(each)).length);
    expect(sends).toBe(ends);
  });

  test("without a secret, by the operation that it is", async () => {
    const { client, calls, told } = watched([{ status: 204 }, { status: 204 }, { status: 200 }]);
    await client.cancelOrder("12", { cancellation_reason: "late" });
    await client.request({ method: "POST", path: "/api/partner/v1//orders/7/%63ancel?x=1" });
    await client.request({ method: "POST", path: "/api/partner/v1/coupons", auth: "api_key" });
    expect(JSON.stringify([calls, told])).not.toContain("SECRET");
    expect(calls).toMatchObject([
      {
        number: 1,
        operation: "cancelOrder",
        method: "POST",
        path: "/api/partner/v1/orders/12/cancel",
        order: "12",
        body: '{"cancellation_reason":"late"}',
      },
      { number: 2, operation: "cancelOrder", order: "7" },
      { number: 3, operation: "request", path: "/api/partner/v1/coupons", order: null },
    ]);
  });
});

describe("an observer that refuses", () => {
  const no = new ComandaError("usage", "No.");
  const refuse = () => {
    throw no;
  };
  const reject = () => Promise.reject(no);

  test.each([{ begins: refuse }, { begins: reject }, { sends: refuse }, { sends: reject }])(
    "lets nothing out",
    async (observer) => {
      const { client, told } = watched([], observer);
      expect(await errorOf(client.dispatchOrder("1"))).toMatchObject({ code: "usage", attempts: 0 });
      expect(told).not.toContain("out");
      expect(told.at(-1)).toBe("ended: failed");
    },
  );

  test("is waited for", async () => {
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const { client, told } = watched([{ status: 204 }], { sends: () => gate });
    const call = client.dispatchOrder("1");
    for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
    expect(told).not.toContain("out");
    open();
    await call;
    expect(told).toContain("out");
  });
});
