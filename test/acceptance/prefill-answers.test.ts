/** `comanda prefill` against a service of the test's own: every answer, and that none is asked for twice. */
import { readFileSync } from "node:fs";
import path from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { parseJson } from "../support/json.js";
import { Machine } from "../support/program.js";
import { startStub, type Behaviour, type StubService } from "../support/stub-service.js";

describe("what a service answers", () => {
  const machine = new Machine();
  let stub: StubService;
  const secret = "key_planted_0123456789";
  beforeAll(async () => {
    stub = await startStub();
  });
  afterAll(async () => {
    await stub.close();
    machine.remove();
  });
  const prefill = (extra: string, behaviour: Behaviour, apiKey = secret) => {
    stub.behave(behaviour);
    const env = {
      ...{ COMANDA_BASE_URL: stub.url, COMANDA_API_KEY: apiKey, COMANDA_ACCESS_TOKEN: `token_of_${apiKey}` },
    };
    return machine.run(`prefill --order-type takeout ${extra}`.trim().split(" "), { env });
  };
  const json = (status: number, body: object): Behaviour => ({
    ...{ status, headers: { "content-type": "application/json" }, body: JSON.stringify(body) },
  });
  const links = {
    id: "abc-1",
    order_url: "https://menu.example/p/1",
    checkout_url: "https://menu.example/c/1",
  };

  it("is asked once, with the API key alone", async () => {
    const { code, stdout } = await prefill("--json", json(200, { ...links, expires_at: null }));
    expect({ code, answer: parseJson(stdout) }).toEqual({ code: 0, answer: links });
    expect(stub.requests).toHaveLength(1);
    const [{ method, target, headers, body } = { headers: {} }] = stub.requests;
    expect({ method, target, body }).toEqual({
      ...{
        method: "POST",
        target: "/api/partner/v1/orders/prefilled_order",
        body: '{"order_type":"takeout"}',
      },
    });
    expect(headers).toMatchObject({ "x-api-key": secret, "content-type": "application/json" });
    expect(headers).not.toHaveProperty("authorization");
    expect(headers).not.toHaveProperty("x-partner-key");
  });

  it.each<[string, Behaviour, number]>([
    ["4000", json(400, { code: 4000, message: "Invalid parameters", details: "cart" }), 2],
    ["401", json(401, { code: 4010, message: "Invalid token" }), 3],
    ["403", { status: 403 }, 4],
    ["404", { status: 404, body: "<h1>no</h1>" }, 5],
    ["a redirect", { status: 307, headers: { location: "http://127.0.0.1:1/" } }, 8],
    ["500", { status: 500 }, 9],
    ["503 with a page", { status: 503, headers: { "content-type": "text/html" }, body: "<h1>x</h1>" }, 9],
    ["200 with a page", { status: 200, headers: { "content-type": "text/html" }, body: "<h1>x</h1>" }, 9],
    ["201 with nothing", { status: 201 }, 9],
    ["201 without links", json(201, { id: "1" }), 9],
    ["a connection that is cut", (response) => response.destroy(), 9],
  ])("%s, and is not asked again", async (_, behaviour, exit) => {
    const { code, stdout, stderr } = await prefill("--json", behaviour);
    expect({ code, stdout }).toEqual({ code: exit, stdout: "" });
    expect(parseJson(stderr)).toMatchObject({
      error: { exit_code: exit, hint: expect.any(String) as string },
    });
    expect(stub.requests).toHaveLength(1);
    expect(stderr).not.toContain("planted");
  });

  it("nothing within --timeout: unknown, and it isn't asked again", async () => {
    const { code, stderr } = await prefill("--timeout 300ms", () => undefined);
    expect(code).toBe(9);
    expect(stderr).toMatch(/not known whether it was done[\s\S]*may make a second one/);
    expect(stub.requests).toHaveLength(1);
  });

  it("429: not waited for with --max-wait 0", async () => {
    // Credentials of its own: comanda waits with them from then on.
    const busy: Behaviour = { status: 429, headers: { "retry-after": "60" } };
    const { code } = await prefill("--max-wait 0", busy, "another_key_planted");
    expect(code).toBe(7);
    expect(stub.requests).toHaveLength(1);
  });

  it("no connection: exit 8", async () => {
    const env = { COMANDA_BASE_URL: "http://127.0.0.1:9", COMANDA_API_KEY: secret };
    expect((await machine.run(["prefill", "--order-type", "takeout"], { env })).code).toBe(8);
  });

  it("a hostile id and links: shown escaped", async () => {
    const answer = {
      ...links,
      id: "\u001b[2J\u202e\u0085",
      order_url: "https://menu.example/\u001b]0;x\u0007",
    };
    for (const extra of ["", "--json", "--format csv", "--format markdown"]) {
      const { code, stdout } = await prefill(extra, json(201, answer));
      expect(code).toBe(0);
      // eslint-disable-next-line no-control-regex -- the controls are what it is about
      expect(stdout).not.toMatch(/[\u0000-\u0009\u000b\u000c\u000e-\u001f\u007f-\u009f\u202e]/);
    }
  });

  it("a link that a phone can open is drawn without a word", async () => {
    const { code, stderr } = await prefill("--qr", json(201, links));
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });

  it("a link that is no web address is never used, though the order is told", async () => {
    const order_url = "javascript:alert(1)";
    for (const use of ["--open", "--qr", "--qr-file link.svg"]) {
      const { code, stdout, stderr } = await prefill(use, json(201, { ...links, order_url }));
      expect(code).toBe(8);
      expect(stdout).toContain("Pre-filled order abc-1 is made.");
      expect(stderr).toContain("no web address");
    }
    expect(() => readFileSync(path.join(machine.folder, "link.svg"))).toThrow("ENOENT");
  });

  it("a link that no QR code can hold", async () => {
    const order_url = `https://menu.example/${"x".repeat(3_000)}`;
    for (const use of ["--qr", "--qr-file link.png"]) {
      const { code, stderr } = await prefill(use, json(201, { ...links, order_url }));
      expect(code).toBe(8);
      expect(stderr).toContain("too long for a QR code");
    }
  });
});
