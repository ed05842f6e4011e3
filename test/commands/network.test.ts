/** What the environment does to the way to the service, and what the hints of errors name at the command line. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { parseJson } from "../support/json.js";
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

describe("api --max-time", () => {
  /** A clock on which the limit is over as soon as the service has the request, and as no other time passes. */
  function strikesOnArrival(behave: Parameters<StubService["behave"]>[0]) {
    let arrive: () => void = () => undefined;
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    stub.behave((response) => {
      if (typeof behave === "function") behave(response);
      else response.writeHead(behave.status);
      arrive();
    });
    const clock = {
      now: () => desk.clock.now(),
      sleep: (ms: number) => (ms === 5_000 ? arrived : Promise.resolve()),
    };
    return clock;
  }
  const hang = () => undefined;

  test.each([
    ["GET", "a question", 8, /^error: The call took longer than --max-time allows\./],
    ["POST", "a write", 9, /not known whether it was done: the call took longer than --max-time allows\./],
    ["PUT", "a write that may be repeated", 9, /not known whether.*\n {2}Repeating it does no harm/],
    ["DELETE", "another one", 9, /not known whether.*\n {2}Repeating it does no harm/],
  ])("%s, %s that is out: exit %d", async (method, _, exitCode, message) => {
    const clock = strikesOnArrival(hang);
    const { code, stderr } = await desk.run(`api ${method} /x --max-time 5s`, { clock });
    expect({ code, sent: stub.requests.length }).toEqual({ code: exitCode, sent: 1 });
    expect(stderr).toMatch(message);
  });

  test.each([
    ["GET", 8],
    ["POST", 9],
  ])("%s whose answer has begun: exit %d", async (method, exitCode) => {
    const clock = strikesOnArrival((response) => {
      response.writeHead(200, { "content-length": "9" });
      response.write("half");
    });
    const { code } = await desk.run(`api ${method} /x --max-time 5s`, { clock });
    expect(code).toBe(exitCode);
  });

  test.each(["GET", "POST"])("%s that has not gone out: exit 8, and nothing is sent", async (method) => {
    const clock = { now: () => desk.clock.now(), sleep: () => Promise.resolve() };
    const { code, stderr } = await desk.run(`api ${method} /x --max-time 1ms`, { clock });
    expect(code).toBe(8);
    expect(stderr).toContain("--max-time");
    expect(stub.requests).toEqual([]);
  });

  test("spans the waits and repetitions of a call", async () => {
    stub.behave({ status: 503 });
    let over: () => void = () => undefined;
    const clock = {
      now: () => desk.clock.now(),
      sleep: (ms: number, signal?: AbortSignal) =>
        new Promise<void>((resolve, reject) => {
          if (ms === 5_000) over = resolve;
          else over();
          signal?.addEventListener("abort", () => reject(new Error("aborted")));
        }),
    };
    expect((await desk.run("api GET /x --max-time 5s", { clock })).code).toBe(8);
    expect(stub.requests).toHaveLength(1);
    stub.behave({ status: 503 });
    expect((await desk.run("api PUT /x --max-time 5s", { clock })).code).toBe(9);
    expect(stub.requests).toHaveLength(1);
  });

  test("is of no matter to a call that is in time, and leaves no timer behind", async () => {
    const sleeps: (AbortSignal | undefined)[] = [];
    const clock = {
      now: () => desk.clock.now(),
      sleep: (_: number, signal?: AbortSignal) => {
        sleeps.push(signal);
        return new Promise<void>(() => undefined);
      },
    };
    stub.behave({ status: 200, body: '{"a":1}' });
    const { code, stdout } = await desk.run("api GET /x --max-time 5s", { clock });
    expect({ code, json: parseJson(stdout) }).toEqual({ code: 0, json: { a: 1 } });
    expect(sleeps.map((signal) => signal?.aborted)).toEqual([true]);
  });

  test.each(["0", "soon", "-1s"])("doesn't take %s", async (text) => {
    expect((await desk.run(["api", "GET", "/x", `--max-time=${text}`])).code).toBe(2);
  });
});
