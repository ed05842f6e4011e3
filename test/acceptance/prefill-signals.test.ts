/** `comanda prefill` told to stop: these calls can't be repeated, so the answer to each that is out is awaited. */
import type { ServerResponse } from "node:http";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { parseJson } from "../support/json.js";
import { Machine } from "../support/program.js";
import { startStub, type StubService } from "../support/stub-service.js";

const machine = new Machine();
let stub: StubService;
let env: Record<string, string>;

beforeAll(async () => {
  stub = await startStub();
  env = { COMANDA_BASE_URL: stub.url, COMANDA_API_KEY: "key", COMANDA_RATE_LIMITS: "off" };
});
afterAll(async () => {
  await stub.close();
  machine.remove();
});

const links = { order_url: "https://menu.example/p/1", checkout_url: "https://menu.example/c/1" };
const answer = (response: ServerResponse) =>
  response
    .writeHead(201, { "content-type": "application/json" })
    .end(JSON.stringify({ id: String(stub.requests.length), ...links }));

const waits = /^(Interrupted|Terminated)\. Waiting for the answers that are still out/;

describe("a signal while one order is out", () => {
  test("the link is told all the same, and nothing more is begun", async () => {
    const received = new Promise<ServerResponse>((resolve) => {
      stub.behave((response) => resolve(response));
    });
    const line = ["prefill", "--order-type", "takeout", "--open", "--json"];
    const running = machine.start(line, { env });
    const response = await received;
    running.child.kill("SIGINT");
    await running.lineOn("stderr", waits);
    answer(response);
    const { code, stdout, stderr } = await running.finished;
    expect({ code, stdout: parseJson(stdout) }).toEqual({ code: 130, stdout: { id: "1", ...links } });
    expect(stderr).toMatch(waits);
  });
});
