/** What the environment does to the way to the service, and what the hints of errors name at the command line. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { startStub, type StubService } from "../support/stub-service.js";
import { Desk } from "../support/desk.js";

let desk: Desk;
let stub: StubService;
beforeAll(async () => {
  desk = new Desk();
  stub = await startStub();
  await desk.signIn("centro", stub.url, "at_network");
});
afterAll(async () => {
  await stub.close();
  desk.remove();
});
beforeEach(() => stub.behave({ status: 204 }));

const away = { COMANDA_BASE_URL: "https://api.invalid", COMANDA_ACCESS_TOKEN: "at_network" };

describe("a proxy that can't be used", () => {
  test.each([
    "orders dispatch 1",
    "orders dispatch 1 2 3 --json",
    "driver assign 1 2",
    "summary",
    "api GET /x",
  ])("%s: exit 2 with the variable's name, once and before anything else", async (line) => {
    const env = { ...away, HTTPS_PROXY: "socks5://ana:s3cret@proxy.corp" };
    const { code, stdout, stderr, error } = await desk.run(line, { env });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(error).toMatchObject({ code: "configuration" });
    expect(stderr).toContain("HTTPS_PROXY");
    expect(stderr).not.toMatch(/s3cret|has a fault/);
  });

  test("is named where it can't be reached, and not the service", async () => {
    const env = { ...away, HTTPS_PROXY: "127.0.0.1:1" };
    const { code, stderr } = await desk.run("orders dispatch 1 --quiet", { env });
    expect(code).toBe(8);
    expect(stderr).toContain("api.invalid can't be reached: at the proxy, the connection was refused");
    expect(stderr).toContain("HTTPS_PROXY");
    expect(stderr).not.toContain("base URL");
  });

  test("is of no matter for this machine", async () => {
    const env = { HTTP_PROXY: "socks5://proxy.corp", HTTPS_PROXY: "http://%" };
    expect(await desk.run("orders dispatch 1", { env })).toMatchObject({ code: 0, stderr: "" });
  });
});

describe("NODE_TLS_REJECT_UNAUTHORIZED", () => {
  test.each(["orders dispatch 1", "orders dispatch 1 2 3", "status --check", "driver assign 1 2 --quiet"])(
    "=0 is warned about by name, once: %s",
    async (line) => {
      stub.behave({ status: 200, body: "{}" });
      const { stderr } = await desk.run(line, { env: { NODE_TLS_REJECT_UNAUTHORIZED: "0" } });
      expect(stderr.match(/^warning: NODE_TLS_REJECT_UNAUTHORIZED=0 is set/gm)).toHaveLength(1);
    },
  );

  test.each(["1", ""])("=%s is no matter", async (value) => {
    const { stderr } = await desk.run("orders dispatch 1", { env: { NODE_TLS_REJECT_UNAUTHORIZED: value } });
    expect(stderr).toBe("");
  });
});

describe("hints name flags, not options of the library", () => {
  test.each([
    [
      "a wait that is too long",
      { status: 429 },
      "orders dispatch 1 --max-wait 0",
      "longer wait: --max-wait.",
    ],
    ["an answer from elsewhere", { status: 302 }, "api GET /x", "Check the base URL: comanda env list."],
  ])("%s", async (_, answer, line, hint) => {
    stub.behave(answer);
    const { stderr } = await desk.run(line);
    expect(stderr).toContain(hint);
    expect(stderr).not.toMatch(/maxWaitMs|timeoutMs|baseUrl|in a program|in the library/);
  });

  test("the variable where that holds the address", async () => {
    stub.behave({ status: 302 });
    const env = { COMANDA_BASE_URL: stub.url, COMANDA_ACCESS_TOKEN: "at_network" };
    expect((await desk.run("api GET /x", { env })).stderr).toContain("Check the base URL: COMANDA_BASE_URL.");
    const { stderr } = await desk.run("api GET /x", { env: { ...env, COMANDA_BASE_URL: "ftp://x" } });
    expect(stderr).toContain("Check the base URL: COMANDA_BASE_URL.");
  });

  test("a header that may not be set", async () => {
    const { code, stderr } = await desk.run(["api", "GET", "/x", "--header", "authorization: x"]);
    expect(code).toBe(2);
    expect(stderr).not.toMatch(/in the library/);
  });
});
