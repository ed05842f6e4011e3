import { expect, test } from "vitest";

import { request } from "../../src/client/any-call.js";
import type { ClientOptions } from "../../src/client/options.js";
import { fetchTransport } from "../../src/client/transport.js";
import { freePort } from "../support/free-port.js";
import { httpAnswer, rawServer } from "./support/raw-server.js";
import { errorOf, scriptedClient } from "./support/scripted.js";

const over = (baseUrl: string, options: Partial<ClientOptions> = {}) =>
  scriptedClient([], { baseUrl, transport: fetchTransport(options.fetch ?? fetch), ...options }).client;

test("sends and reads as the usual transport does, and follows no redirect", async () => {
  const answers = [httpAnswer(204), httpAnswer(409, '{"code":4002,"message":"no"}')];
  answers.push(httpAnswer(302, "", { location: "/other" }));
  const server = await rawServer((socket) => socket.write(answers.shift() ?? ""));
  expect(await over(server.url).dispatchOrder("1")).toMatchObject({ httpStatus: 204, attempts: 1 });
  expect(await errorOf(over(server.url).dispatchOrder("1"))).toMatchObject({ code: "status_conflict" });
  expect(await errorOf(over(server.url).dispatchOrder("1"))).toMatchObject({ code: "outcome_unknown" });
  expect(server.requests).toHaveLength(3);
});

test("takes a POST that failed for one that may have arrived: over a fetch of the program's, even where nothing listens", async () => {
  const own: typeof fetch = (url, init) => fetch(url, init);
  const nobody = over(`http://127.0.0.1:${await freePort()}`, { fetch: own });
  expect(await errorOf(nobody.dispatchOrder("1"))).toMatchObject({ code: "outcome_unknown", attempts: 1 });
  const server = await rawServer((socket) => socket.destroy());
  expect(await errorOf(over(server.url).dispatchOrder("1"))).toMatchObject({ code: "outcome_unknown" });
  expect(server.requests).toHaveLength(1);
});

// The last is a port that fetch never connects to.
test.each(["http://127.0.0.1:", "http://localhost:", "https://nowhere.invalid:", "http://127.0.0.1:6000/"])(
  "repeats a POST of which the platform's own fetch tells that it never left: %s",
  async (nowhere) => {
    const nobody = over(nowhere.endsWith(":") ? nowhere + (await freePort()).toString() : nowhere);
    const error = { code: "unreachable", outcome: "failed", evidence: null, attempts: 4 };
    expect(await errorOf(nobody.dispatchOrder("1"))).toMatchObject(error);
  },
);

test("gives up in time, and when it is told to", async () => {
  const server = await rawServer(() => undefined);
  const slow = over(server.url, { timeoutMs: 299.5 });
  expect(await errorOf(slow.dispatchOrder("1"))).toMatchObject({ code: "outcome_unknown" });
  const signal = AbortSignal.timeout(300);
  const stopped = request(over(server.url), { method: "GET", path: "/x" }, { signal });
  expect(await errorOf(stopped)).toMatchObject({ code: "interrupted" });
});
