/** `comanda prefill` against a service of the test's own: every answer, and that none is asked for twice. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { prefill, type MakeOptions } from "../../../src/commands/prefill/index.js";
import { renderErrorJson } from "../../../src/cli/output.js";
import { parseJson } from "../../support/json.js";
import { openMachine, run, runToFailure, type MachineOptions } from "../../support/machine.js";
import { startStub, type Behaviour, type StubService } from "../../support/stub-service.js";

import { takeout } from "./takeout.js";

const secret = "key_planted_0123456789";
let stub: StubService;
beforeAll(async () => {
  stub = await startStub();
});
afterAll(async () => {
  await stub.close();
});

const machine = (options: MachineOptions = {}) =>
  openMachine({
    ...options,
    context: {
      env: {
        COMANDA_BASE_URL: stub.url,
        COMANDA_API_KEY: secret,
        COMANDA_ACCESS_TOKEN: `token_of_${secret}`,
      },
    },
  });
const json = (status: number, body: object): Behaviour => ({
  status,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});
const links = {
  id: "abc-1",
  order_url: "https://menu.example/p/1",
  checkout_url: "https://menu.example/c/1",
};

describe("one order", () => {
  test("is asked for once, with the API key alone", async () => {
    stub.behave(json(200, { ...links, expires_at: null }));
    const { stdout } = await run(prefill, await machine({ format: "json" }), takeout);
    expect(parseJson(stdout)).toEqual(links);
    expect(stub.requests).toHaveLength(1);
    const [{ method, target, headers, body } = { headers: {} }] = stub.requests;
    expect({ method, target, body }).toEqual({
      method: "POST",
      target: "/api/partner/v1/orders/prefilled_order",
      body: '{"order_type":"takeout"}',
    });
    expect(headers).toMatchObject({ "x-api-key": secret, "content-type": "application/json" });
    expect(headers).not.toHaveProperty("authorization");
    expect(headers).not.toHaveProperty("x-partner-key");
  });

  test.each<[string, Behaviour, number]>([
    ["4000", json(400, { code: 4000, message: "Invalid parameters", details: "cart" }), 2],
    ["401", json(401, { code: 4010, message: "Invalid token" }), 3],
    ["403", { status: 403 }, 4],
    ["4041", json(404, { code: 4041, message: "Resource not found" }), 5],
    ["404 with a page", { status: 404, body: "<h1>no</h1>" }, 9],
    ["429 and a long wait", { status: 429, headers: { "retry-after": "60" } }, 7],
    ["a redirect", { status: 307, headers: { location: "http://127.0.0.1:1/" } }, 9],
    ["500", { status: 500 }, 9],
    ["503 with a page", { status: 503, headers: { "content-type": "text/html" }, body: "<h1>x</h1>" }, 9],
    ["200 with a page", { status: 200, headers: { "content-type": "text/html" }, body: "<h1>x</h1>" }, 9],
    ["201 with nothing", { status: 201 }, 9],
    ["201 without links", json(201, { id: "1" }), 9],
    ["a connection that is cut", (response) => response.destroy(), 9],
  ])("is not asked for again after %s", async (_, behaviour, exitCode) => {
    stub.behave(behaviour);
    const { error, stdout } = await runToFailure(prefill, await machine({ format: "json" }), takeout);
    expect({ exitCode: error.exitCode, stdout }).toEqual({ exitCode, stdout: "" });
    expect(error.hint).toMatch(/./);
    expect(renderErrorJson(error)).not.toContain("planted");
    expect(stub.requests).toHaveLength(1);
  });

  test("is not asked for again where no answer comes within the time for a request", async () => {
    stub.behave(() => undefined);
    const { error } = await runToFailure(prefill, await machine({ timeoutMs: 100 }), takeout);
    expect(error).toMatchObject({
      exitCode: 9,
      message: expect.stringContaining("not known whether it was done") as string,
      hint: expect.stringContaining("may make a second one") as string,
    });
    expect(stub.requests).toHaveLength(1);
  });

  test.each(["table", "json", "csv", "markdown"] as const)(
    "is shown escaped where its id and links are hostile: %s",
    async (format) => {
      const order_url = "https://menu.example/\u001b]0;x\u0007";
      stub.behave(json(201, { ...links, id: "\u001b[2J\u202e\u0085", order_url }));
      const { stdout } = await run(prefill, await machine({ format }), takeout);
      // eslint-disable-next-line no-control-regex -- the controls are what it is about
      expect(stdout).not.toMatch(/[\u0000-\u0009\u000b\u000c\u000e-\u001f\u007f-\u009f\u202e]/);
    },
  );
});

describe("the link", () => {
  test("is drawn without a word where a phone can open it", async () => {
    stub.behave(json(201, links));
    expect((await run(prefill, await machine(), { ...takeout, qr: true })).stderr).toBe("");
  });

  test.each<[string, Partial<MakeOptions>]>([
    ["opened", { open: true }],
    ["drawn", { qr: true }],
  ])("is never %s where it is no web address, though the order is told", async (_, use) => {
    stub.behave(json(201, { ...links, order_url: "javascript:alert(1)" }));
    const { error, stdout } = await runToFailure(prefill, await machine(), { ...takeout, ...use });
    expect(error).toMatchObject({
      exitCode: 8,
      message: expect.stringContaining("no web address") as string,
    });
    expect(stdout).toContain("Pre-filled order abc-1 is made.");
  });

  test("can't be drawn where no QR code can hold it, though the order is told", async () => {
    stub.behave(json(201, { ...links, order_url: `https://menu.example/${"x".repeat(3_000)}` }));
    const { error, stdout } = await runToFailure(prefill, await machine(), { ...takeout, qr: true });
    expect(error.message).toContain("too long for a QR code");
    expect(stdout).toContain("Pre-filled order abc-1 is made.");
  });
});
