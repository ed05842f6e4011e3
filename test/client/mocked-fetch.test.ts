/** Tools that put themselves in the place of fetch, in a stranger's tests: what the README says of them. */
import { MockAgent, getGlobalDispatcher, setGlobalDispatcher } from "undici";
import { expect, onTestFinished, test, vi } from "vitest";

import type { ClientOptions } from "../../src/client/options.js";
import { createClient } from "../../src/client/client.js";
import { createTransport } from "../../src/client/http.js";
import { startStub } from "../support/stub-service.js";
import { errorOf } from "./support/error-of.js";

const baseUrl = "https://api.example";
const options: ClientOptions = {
  baseUrl,
  maxRetries: 0,
  credentials: { bearer: () => Promise.resolve("TOKEN") },
};

test("a fetch that takes the global one's place is asked, also by a client that was there before", async () => {
  const client = createClient(options);
  const replaced = vi.fn(() => Promise.resolve(new Response(null, { status: 204 })));
  vi.stubGlobal("fetch", replaced);
  onTestFinished(() => {
    vi.unstubAllGlobals();
  });
  expect(await client.dispatchOrder("1")).toMatchObject({ httpStatus: 204, attempts: 1 });
  expect(replaced).toHaveBeenCalledWith(`${baseUrl}/api/partner/v1/orders/1/dispatch`, expect.anything());
});

test("what it throws is the cause of the call's error", async () => {
  const cause = new TypeError("no handler for this request");
  const client = createClient({ ...options, fetch: () => Promise.reject(cause) });
  expect(await errorOf(client.dispatchOrder("1"))).toMatchObject({ code: "outcome_unknown", cause });
  const read = client.request({ method: "GET", path: "/x" });
  expect(await errorOf(read)).toMatchObject({ code: "unreachable", cause });
});

test("undici's MockAgent answers the global fetch, and not the transport of Node's own network stack", async () => {
  const stub = await startStub();
  onTestFinished(() => stub.close());
  stub.behave((response) => response.writeHead(202).end());
  const [agent, before] = [new MockAgent(), getGlobalDispatcher()];
  agent.disableNetConnect();
  setGlobalDispatcher(agent);
  onTestFinished(() => {
    setGlobalDispatcher(before);
  });
  agent
    .get(stub.url)
    .intercept({ path: /dispatch$/, method: "POST" })
    .reply(204);
  const mocked = createClient({ ...options, baseUrl: stub.url });
  expect(await mocked.dispatchOrder("1")).toMatchObject({ httpStatus: 204 });
  const transport = createTransport();
  onTestFinished(() => transport.close());
  const direct = createClient({ ...options, baseUrl: stub.url, transport });
  expect(await direct.dispatchOrder("1")).toMatchObject({ httpStatus: 202 });
});
