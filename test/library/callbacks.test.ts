/** The functions of a program: if one fails or never ends, it neither blocks a call nor ends the process. */
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";

import { startEmulator } from "../../src/library/emulator.js";
import { ComandaError, createClient, outcomeOf, salesFigures } from "../../src/library/index.js";
import type { ClientOptions, HttpRequest } from "../../src/library/index.js";
import { fileSession } from "../../src/library/node.js";
import { createMemoryTokenStore, createOAuth, type TokenStore } from "../../src/library/oauth.js";
import { expectGivenUp } from "../client/support/given-up.js";
import { errorOf, period } from "../client/support/scripted.js";
import { app } from "../client/support/oauth-app.js";
import { rawServer } from "../client/support/raw-server.js";
import { testTransport } from "../client/support/transport.js";
import { damageDatabase, signIn } from "./support/signed-in.js";
import { closing, temporaryFolder } from "../support/resources.js";

/** Rejections that nothing handles would end a process. */
const unhandled: unknown[] = [];
const note = (reason: unknown) => void unhandled.push(reason);
beforeAll(() => {
  process.on("unhandledRejection", note);
  return () => void process.off("unhandledRejection", note);
});
afterEach(async () => {
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect(unhandled.splice(0)).toEqual([]);
});

const cause = new Error("my own");
const reject = () => Promise.reject(cause);
const fail = () => {
  throw cause;
};
const failing = [
  { how: "rejects", run: reject },
  { how: "throws", run: fail },
];
const clientWith = (options: Partial<ClientOptions>) =>
  createClient({ baseUrl: "https://api.example", credentials: { bearer: () => "TOKEN" }, ...options });
const close = () => Promise.resolve();

describe("a transport that ignores its signal and fails later", () => {
  const send = () => new Promise<never>((_, fail) => setTimeout(fail, 300, cause));

  test("is given up by a call's timeout and signal", async () => {
    await expectGivenUp(clientWith({ transport: { send, close } }));
  });

  test("is given up by a sign-in", async () => {
    const oauth = createOAuth({ ...app, transport: { send, close }, timeoutMs: 20 });
    const { pending } = await oauth.authorizationUrl();
    const back = oauth.callback(`/callback?code=c&state=${pending.state}`, pending);
    expect(await errorOf(back)).toMatchObject({ code: "unreachable" });
  });
});

test("a transport that obeys its signal reports whether the request was sent", async () => {
  const server = await rawServer(() => undefined);
  const node = testTransport({ connections: 1 });
  const transport = { ...node, send: (built: HttpRequest) => node.send(built) };
  const client = clientWith({ baseUrl: server.url, transport });
  const stop = new AbortController();
  const [sent, waiting] = [1, 2].map((id) => errorOf(client.dispatchOrder(id, { signal: stop.signal })));
  await vi.waitUntil(() => server.requests.length === 1, { timeout: 20_000 });
  stop.abort();
  expect(await sent).toMatchObject({ code: "outcome_unknown", outcome: "unknown" });
  expect(await waiting).toMatchObject({ code: "interrupted", outcome: "failed" });
});

test.each<readonly [what: string, response: unknown]>([
  ["nothing", undefined],
  ["no headers", { status: 204, body: "" }],
  ["a list as a header", { status: 204, body: "", headers: { "set-cookie": ["a=1"] } }],
  ["a text as its status", { status: "204", body: "", headers: {} }],
])("a transport that resolves with %s leaves a write unknown", async (_, response) => {
  const client = clientWith({ transport: { send: () => Promise.resolve(response as never), close } });
  expect(await errorOf(client.dispatchOrder(1))).toMatchObject({ code: "outcome_unknown", attempts: 1 });
});

const refusal = () => Promise.resolve('{"success":false}');
test.each<readonly [what: string, answer: object]>([
  ["no body but a refusal as its text", { status: 200, body: null, text: refusal }],
  ["a body that isn't a stream, and a refusal as its text", { status: 200, body: {}, text: refusal }],
  ["neither a stream as its body nor text()", { status: 200, data: { error: "closed" } }],
  ["something else than a text", { status: 200, text: () => Promise.resolve(undefined) }],
  ["a body that was read", { status: 200, body: new Response("").body, bodyUsed: true }],
  ["the response to another request after a redirect", { status: 204, body: null, redirected: true }],
  ["none of the bytes that it announces", { status: 200, headers: { "content-length": "17" }, body: null }],
  ["a text as its status", { status: "204", body: null }],
  ["a fraction as its status", { status: 204.5, body: null }],
])("a fetch that resolves with %s leaves a write unknown", async (_, answer) => {
  const client = clientWith({ fetch: () => Promise.resolve({ headers: {}, ...answer } as never) });
  expect(await errorOf(client.dispatchOrder(1))).toMatchObject({ code: "outcome_unknown", attempts: 1 });
});

test.each([
  new Response(" \n", { headers: { "content-length": "2", "content-type": "application/json" } }),
  new Response(null, { headers: { "content-length": "20", "content-encoding": "gzip" } }),
])("a fetch whose empty body is complete leaves a write done: %o", async (answer) => {
  const client = clientWith({ fetch: () => Promise.resolve(answer) });
  expect(await client.dispatchOrder(1)).toMatchObject({ httpStatus: answer.status });
});

describe("a clock that fails", () => {
  /** A client whose clock throws once its request is sent. */
  function clientOfClock(name: "now" | "monotonic", thrown: Error, status: number, more = {}) {
    let isSent = false;
    const time = () => {
      if (isSent) throw thrown;
      return 0;
    };
    const send = () => {
      isSent = true;
      return Promise.resolve({ status, headers: {}, body: "" });
    };
    const clock = { now: () => 0, sleep: close, [name]: time };
    return clientWith({ ...more, clock, transport: { send, close } });
  }

  test.each([
    { status: 204, outcome: "done" },
    { status: 502, outcome: "unknown" },
  ])("changes no outcome after HTTP $status: $outcome", async ({ status, outcome }) => {
    const client = clientOfClock("now", cause, status, { rateLimiter: false });
    expect(await outcomeOf(client.dispatchOrder(1))).toMatchObject({ outcome, httpStatus: status });
  });

  test("with its steady time changes no outcome", async () => {
    const error = await errorOf(clientOfClock("monotonic", cause, 204).dispatchOrder(1));
    expect(error).toMatchObject({ code: "callback_failed", cause, outcome: "done", httpStatus: 204 });
    expect(error.hint).toContain("don't repeat it");
  });

  test("with a ComandaError keeps its code, and doesn't change the outcome", async () => {
    const client = clientOfClock("monotonic", new ComandaError("usage", "No time."), 204);
    expect(await errorOf(client.dispatchOrder(1))).toMatchObject({ code: "usage", outcome: "done" });
  });

  test("before the request prevents it", async () => {
    const client = clientWith({ clock: { now: fail, sleep: close }, transport: { send: reject, close } });
    const error = await errorOf(client.dispatchOrder(1));
    expect(error).toMatchObject({ code: "callback_failed", outcome: "failed", attempts: 0 });
    expect(error).toMatchObject({ message: "clock.now failed.", cause });
  });
});

describe("an onWarning of salesFigures", () => {
  const value = { total_order_count: 1, total_revenue: 1.005, average_order_value: 1 };
  const service = {
    summary: () => Promise.resolve({ value }),
    groupedSummary: () => Promise.resolve({ value: { group_by: "day" as const, groups: [] } }),
  };

  test.each(failing)("that $how ends the call", async ({ run: onWarning }) => {
    const error = await errorOf(salesFigures(service, period, { onWarning }));
    expect(error).toMatchObject({ code: "callback_failed", cause, message: "onWarning failed." });
  });

  test("that never ends is given up by timeoutMs", async () => {
    const onWarning = () => new Promise(() => undefined);
    const error = await errorOf(salesFigures(service, period, { timeoutMs: 20, onWarning }));
    expect(error).toMatchObject({ code: "callback_failed", message: "onWarning took too long." });
  });
});

test("an onWarning of fileSession that fails ends the call", async () => {
  const emulator = closing(await startEmulator({ orders: 0 }));
  const folder = temporaryFolder();
  await signIn(emulator, folder, "centro");
  damageDatabase(folder);
  const { clientOptions } = await fileSession({ folder, env: {}, onWarning: reject });
  const client = createClient(clientOptions);
  const failed = { code: "callback_failed", cause, message: "onWarning failed." };
  expect(await errorOf(client.summary(period))).toMatchObject(failed);
  // The warning was given, and ends no other call.
  expect(await client.summary(period)).toMatchObject({ outcome: "done" });
});

describe("a function of createOAuth that fails", () => {
  test.each(["load", "lock"])("is the cause of state_unusable: store.%s", async (name) => {
    const oauth = createOAuth({ ...app, store: { ...createMemoryTokenStore(), [name]: reject } });
    expect(await errorOf(oauth.revoke("centro"))).toMatchObject({ code: "state_unusable", cause });
  });

  test.each<readonly [how: string, lock: (key: string, work: () => Promise<unknown>) => unknown]>([
    ["doesn't call its work", () => Promise.resolve()],
    ["returns nothing", () => undefined],
  ])("ends the call: store.lock that %s", async (_, lock) => {
    const store = { ...createMemoryTokenStore(), lock: lock as TokenStore["lock"] };
    const tokens = { access_token: "at", token_type: "Bearer", expires_in: 7200, refresh_token: "rt" };
    const send = () => Promise.resolve({ status: 200, headers: {}, body: JSON.stringify(tokens) });
    const oauth = createOAuth({ ...app, store, transport: { send, close } });
    const { pending } = await oauth.authorizationUrl();
    const back = oauth.callback(`/callback?code=c&state=${pending.state}`, pending);
    const message = "store.lock didn't call its work.";
    expect(await errorOf(back)).toMatchObject({ code: "callback_failed", message });
  });

  test.each([
    { ...failing[0], error: { code: "invalid_input", field: "clientOptions" } },
    { ...failing[1], error: { code: "callback_failed", cause } },
  ])("ends oauth.client: clientOptions that $how", async ({ run, error }) => {
    const oauth = createOAuth({ ...app, clientOptions: run as never });
    expect(await errorOf(Promise.resolve().then(() => oauth.client("centro")))).toMatchObject(error);
  });
});
