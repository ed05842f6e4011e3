/** A command that is told to stop still hears the answer to a write that has gone out. */
import type { ServerResponse } from "node:http";

import { onTestFinished, describe, expect, test } from "vitest";

import { createClient } from "../../src/client/client.js";
import type { CommandLineOptions } from "../../src/client/options.js";
import { startStub } from "../support/stub-service.js";
import { failureOf, post, testTransport } from "./support/transport.js";

/** A service that answers when it is told to. */
async function slowService() {
  const stub = await startStub();
  onTestFinished(() => stub.close());
  const waiting: ServerResponse[] = [];
  let received = (): void => undefined;
  const first = new Promise<void>((resolve) => {
    received = resolve;
  });
  stub.behave((response) => {
    waiting.push(response);
    received();
  });
  const answer = () => {
    for (const response of waiting) response.writeHead(204).end();
  };
  return { url: stub.url, requests: stub.requests, first, answer };
}

function stops() {
  const [stop, end] = [new AbortController(), new AbortController()];
  return { stop, end, signals: { signal: stop.signal, grace: end.signal } };
}

describe("a request", () => {
  test("the answer to what is out is still heard", async () => {
    const { url, first, answer } = await slowService();
    const { stop, signals } = stops();
    const sending = testTransport().send({ ...post(url), ...signals });
    await first;
    stop.abort();
    answer();
    expect(await sending).toMatchObject({ status: 204 });
  });

  test("it is given up when the grace is over, at once or later", async () => {
    for (const both of [true, false]) {
      const { url, first } = await slowService();
      const { stop, end, signals } = stops();
      const sending = failureOf(testTransport().send({ ...post(url), ...signals }));
      await first;
      if (both) end.abort();
      stop.abort();
      end.abort();
      expect(await sending).toMatchObject({ failure: "aborted", sent: true });
    }
  });
});

test("a request that has not gone out never does", async () => {
  const { url, requests, first, answer } = await slowService();
  const { stop, signals } = stops();
  const transport = testTransport({ connections: 1 });
  const out = transport.send({ ...post(url), ...signals });
  const queued = failureOf(transport.send({ ...post(url), ...signals }));
  await first;
  stop.abort();
  expect(await queued).toMatchObject({ failure: "aborted", sent: false });
  answer();
  expect(await out).toMatchObject({ status: 204 });
  expect(requests).toHaveLength(1);
});

describe("a call", () => {
  const client = (baseUrl: string, stopping?: CommandLineOptions["stopping"]) =>
    createClient({
      baseUrl,
      ...(stopping && { stopping }),
      credentials: { apiKey: () => Promise.resolve("key") },
      transport: testTransport(),
    });

  test("that only asks, or that another signal ends, is given up at once", async () => {
    const { url, first } = await slowService();
    const { stop, signals } = stops();
    const question = client(url, signals).request({ method: "GET", path: "/x" }, { signal: stop.signal });
    const other = new AbortController();
    const write = client(url, signals).dispatchOrder("1", { signal: other.signal });
    await first;
    stop.abort();
    other.abort();
    await expect(question).rejects.toMatchObject({ code: "interrupted" });
    await expect(write).rejects.toMatchObject({
      code: expect.stringMatching(/^(?:interrupted|outcome_unknown)$/) as string,
    });
  });
});
