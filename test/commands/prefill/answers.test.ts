/** `comanda prefill` against a service of the test's own: every answer, and that none is asked for twice. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { prefill, type MakeOptions } from "../../../src/commands/prefill/index.js";
import { renderErrorJson } from "../../../src/terminal/index.js";
import { parseJson, parseJsonLines } from "../../support/json.js";
import { openMachine, run, runToFailure, type MachineOptions } from "../../support/machine.js";
import { startStub, type Behaviour, type StubService } from "../../support/stub-service.js";

import { flagsOf } from "./gathering.js";
import { takeout } from "./takeout.js";

const secret = "key_planted_0123456789";
let stub: StubService;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "comanda-prefill-"));
  stub = await startStub();
});
afterAll(async () => {
  await stub.close();
  rmSync(folder, { recursive: true, force: true });
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
    ["404", { status: 404, body: "<h1>no</h1>" }, 5],
    ["429 and a long wait", { status: 429, headers: { "retry-after": "60" } }, 7],
    ["a redirect", { status: 307, headers: { location: "http://127.0.0.1:1/" } }, 8],
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

  test.each<[string, (file: string) => Partial<MakeOptions>]>([
    ["opened", () => ({ open: true })],
    ["drawn", () => ({ qr: true })],
    ["written", (file) => ({ qrFiles: [{ file, type: "svg" }] })],
  ])("is never %s where it is no web address, though the order is told", async (_, use) => {
    stub.behave(json(201, { ...links, order_url: "javascript:alert(1)" }));
    const file = path.join(folder, "link.svg");
    const options = { ...takeout, ...use(file) };
    const { error, stdout } = await runToFailure(prefill, await machine(), options);
    expect(error).toMatchObject({
      exitCode: 8,
      message: expect.stringContaining("no web address") as string,
    });
    expect(stdout).toContain("Pre-filled order abc-1 is made.");
    expect(existsSync(file)).toBe(false);
  });

  test.each<[string, Partial<MakeOptions>]>([
    ["drawn", { qr: true }],
    ["written", { qrFiles: [{ file: path.join(tmpdir(), "comanda-never.png"), type: "png" }] }],
  ])("can't be %s where no QR code can hold it, though the order is told", async (_, use) => {
    stub.behave(json(201, { ...links, order_url: `https://menu.example/${"x".repeat(3_000)}` }));
    const { error, stdout } = await runToFailure(prefill, await machine(), { ...takeout, ...use });
    expect(error.message).toContain("too long for a QR code");
    expect(stdout).toContain("Pre-filled order abc-1 is made.");
  });
});

describe("many orders", () => {
  const lines = (count: number) => {
    const file = path.join(folder, "many.jsonl");
    const text = Array.from(
      { length: count },
      (_, index) => `{"order_type":"takeout","cart":[{"item_id":${index + 1}}]}\n`,
    );
    writeFileSync(file, text.join(""));
    return { ...takeout, flags: flagsOf({}), lines: true, file };
  };

  test("leave outcomes unknown where connections are cut, and none is sent twice", async () => {
    stub.behave((response) => response.destroy());
    const { error, stdout } = await runToFailure(prefill, await machine({ format: "json" }), lines(20));
    expect(error.code).toBe("some_failed");
    const outcomes = parseJsonLines(stdout);
    expect(outcomes).toHaveLength(20);
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ outcome: "unknown", code: "outcome_unknown", id: null, attempts: 1 });
    }
    expect(new Set(stub.requests.map(({ body }) => body)).size).toBe(20);
    expect(stub.requests).toHaveLength(20);
  });

  test("are skipped from where the key is refused", async () => {
    stub.behave(json(401, { code: 4010, message: "no" }));
    const { error, stdout } = await runToFailure(prefill, await machine({ format: "json" }), lines(30));
    const outcomes = parseJsonLines(stdout);
    expect(outcomes).toHaveLength(30);
    expect(outcomes).toContainEqual(
      expect.objectContaining({ outcome: "skipped", code: "token_refused", attempts: 0 }),
    );
    expect(stub.requests.length).toBeLessThan(30);
    expect(error.hint).toContain("COMANDA_API_KEY");
  });
});
