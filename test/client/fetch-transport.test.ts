import { expect, test, vi } from "vitest";

import { request } from "../../src/client/any-call.js";
import type { ClientOptions } from "../../src/client/options.js";
import { fetchTransport, type Fetch, type HttpRequest } from "../../src/client/transport.js";
import { freePort } from "../support/resources.js";
import { expectGivenUp } from "./support/given-up.js";
import { httpAnswer, rawServer } from "./support/raw-server.js";
import { errorOf, scriptedClient } from "./support/scripted.js";

const over = (baseUrl: string, options: Partial<ClientOptions> = {}) =>
  scriptedClient([], { baseUrl, transport: fetchTransport(options.fetch ?? fetch), ...options }).client;

test("sends and reads like the usual transport, and follows no redirect", async () => {
  const answers = [httpAnswer(204), httpAnswer(409, '{"code":4002,"message":"no"}')];
  answers.push(httpAnswer(302, "", { location: "/other" }));
  const server = await rawServer((socket) => socket.write(answers.shift() ?? ""));
  expect(await over(server.url).dispatchOrder("1")).toMatchObject({ httpStatus: 204, attempts: 1 });
  expect(await errorOf(over(server.url).dispatchOrder("1"))).toMatchObject({ code: "status_conflict" });
  expect(await errorOf(over(server.url).dispatchOrder("1"))).toMatchObject({ code: "outcome_unknown" });
  expect(server.requests).toHaveLength(3);
});

test("reports a POST over the program's fetch as unknown if it failed, even if nothing listens", async () => {
  const own: typeof fetch = (url, init) => fetch(url, init);
  const nobody = over(`http://127.0.0.1:${await freePort()}`, { fetch: own });
  expect(await errorOf(nobody.dispatchOrder("1"))).toMatchObject({ code: "outcome_unknown", attempts: 1 });
  const server = await rawServer((socket) => socket.destroy());
  expect(await errorOf(over(server.url).dispatchOrder("1"))).toMatchObject({ code: "outcome_unknown" });
  expect(server.requests).toHaveLength(1);
});

// fetch blocks the port of the last one.
test.each(["http://127.0.0.1:", "http://localhost:", "https://nowhere.invalid:", "http://127.0.0.1:6000/"])(
  "retries a POST if the platform's fetch reports that it wasn't sent: %s",
  async (nowhere) => {
    const nobody = over(nowhere.endsWith(":") ? nowhere + (await freePort()).toString() : nowhere);
    const error = { code: "unreachable", outcome: "failed", evidence: null, attempts: 4 };
    expect(await errorOf(nobody.dispatchOrder("1"))).toMatchObject(error);
  },
);

test.each<readonly [name: string, fetch: (url: string) => typeof fetch]>([
  ["whose body never ends", () => () => Promise.resolve(new Response(new ReadableStream()))],
  ["that drops its signal", (url) => (_, init) => fetch(url, { ...init, signal: null })],
])("the program's fetch %s ends with a call's timeout and signal", async (_, fetchOf) => {
  const server = await rawServer(() => undefined);
  await expectGivenUp(over(server.url, { fetch: fetchOf(server.url) }));
});

test("cancels the body that it abandons, and ignores a fetch that fails later", async () => {
  const cancel = vi.fn();
  const endless = () => Promise.resolve(new Response(new ReadableStream({ cancel })));
  await errorOf(over("https://host.invalid", { fetch: endless, timeoutMs: 20 }).dispatchOrder("1"));
  expect(cancel).toHaveBeenCalledOnce();
  let fail: (error: Error) => void = () => undefined;
  const late = () => new Promise<never>((_, reject) => (fail = reject));
  await errorOf(over("https://host.invalid", { fetch: late, timeoutMs: 20 }).dispatchOrder("1"));
  fail(new Error("late"));
});

test("a request that Node's own fetch rejects before sending fails and isn't retried", async () => {
  const server = await rawServer((socket) => socket.write(httpAnswer(204)));
  const own = fetchTransport();
  const headers = { x: "a\nb" };
  const send = (built: HttpRequest) => own.send({ ...built, headers: { ...built.headers, ...headers } });
  const transport = { ...own, send };
  const error = await errorOf(over(server.url, { transport }).dispatchOrder("1"));
  expect(error).toMatchObject({ code: "callback_failed", outcome: "failed", attempts: 1, evidence: null });
  expect(error.cause).toBeInstanceOf(TypeError);
  expect(server.requests).toEqual([]);
});

test("a request is sent without its signal if that is from another realm, as in jsdom", async () => {
  const answers = [httpAnswer(204), httpAnswer(204)];
  const server = await rawServer((socket) => socket.write(answers.shift() ?? ""));
  // jsdom's signal instead of Node's own.
  class Controller {
    readonly signal = Object.assign(new EventTarget(), { aborted: false });
    abort(): void {
      this.signal.aborted = true;
      this.signal.dispatchEvent(new Event("abort"));
    }
  }
  vi.stubGlobal("AbortController", Controller);
  const client = over(server.url, { timeoutMs: 200 });
  expect(await client.dispatchOrder("1")).toMatchObject({ outcome: "done", attempts: 1 });
  const wrapped = over(server.url, { fetch: (url, init) => fetch(url, init) });
  expect(await wrapped.dispatchOrder("1")).toMatchObject({ outcome: "done", attempts: 1 });
  expect(await errorOf(client.dispatchOrder("1"))).toMatchObject({ code: "outcome_unknown", attempts: 1 });
});

test.each(["fetch", "TextDecoder"])("sends nothing in a runtime without %s, and names it", async (name) => {
  vi.stubGlobal(name, undefined);
  const { client } = scriptedClient([], { transport: fetchTransport() });
  expect(await errorOf(client.dispatchOrder("1"))).toMatchObject({
    code: "configuration",
    outcome: "failed",
    message: `This runtime has no ${name}.`,
  });
});

test("rejects a response without a stream that is too large", async () => {
  const text = () => Promise.resolve("n".repeat(10 * 1024 * 1024 + 1));
  const own = () => Promise.resolve({ status: 200, headers: new Headers(), text });
  const client = over("https://host.invalid", { fetch: own as unknown as Fetch, maxRetries: 0 });
  const error = await errorOf(request(client, { method: "GET", path: "/x" }));
  expect(error).toMatchObject({ code: "unexpected_answer", evidence: "nobody" });
});

test("bypasses the cache for a GET if the runtime's Request supports that", async () => {
  const caches: unknown[] = [];
  const own: Fetch = (_, { cache }) => {
    caches.push(cache);
    return Promise.resolve(new Response("{}"));
  };
  const client = over("https://host.invalid", { fetch: own });
  await request(client, { method: "GET", path: "/x" });
  await request(client, { method: "POST", path: "/x" });
  vi.stubGlobal("Request", Response);
  await request(client, { method: "GET", path: "/x" });
  expect(caches).toEqual(["no-store", undefined, undefined]);
});

test("a fetch may return its headers as a plain object, also with lists, as a wrapper such as axios does", async () => {
  const headers = { "X-Id": "7", "set-cookie": ["a=1", "b=2"], none: undefined };
  const answer: Fetch = () => Promise.resolve({ status: 204, headers, text: () => Promise.resolve("") });
  const result = await over("http://localhost", { fetch: answer }).dispatchOrder("1");
  expect(result).toMatchObject({ headers: { "x-id": "7" }, setCookies: ["a=1", "b=2"] });
});
