/** `comanda api`, against the emulator and a stub service. */
import { beforeEach, describe, expect, test } from "vitest";

import { jumpingClock } from "../client/support/clock.js";
import { Bench, containing, parseJson } from "../support/bench.js";
import { snapshot } from "../support/folder-state.js";
import { Machine } from "../support/program.js";
import { startStub } from "../support/stub-service.js";

const orders = "/api/partner/v1/orders";

describe("comanda api at a signed-in store", async () => {
  const bench = await Bench.open();
  await bench.signIn();
  beforeEach(() => bench.forgetRequests());

  test("exits with the code of a refusal, and prints its body on stdout and the error on stderr", async () => {
    const line = `api PUT ${orders}/${await bench.order()}/driver -F driver_id=0 --json`;
    const { code, stdout, stderr } = await bench.inProcess(line);
    expect({ code, body: parseJson(stdout) }).toMatchObject({ code: 2, body: { code: 4000 } });
    expect(parseJson(stderr)).toMatchObject({ error: { exit_code: 2 } });
  });

  test("says how to record the outcome of an order whose answer is lost", async () => {
    const id = await bench.order();
    bench.emulator.service.faults.set([{ reset: true, when: "after", path: "/cancel" }]);
    const { code, stderr } = await bench.inProcess(`api POST ${orders}/${id}/cancel`);
    bench.emulator.service.faults.set([]);
    expect({ code, sent: bench.requests() }).toEqual({ code: 9, sent: [`POST ${orders}/${id}/cancel`] });
    expect(stderr).toContain(`comanda history settle ${id} done`);
    expect(stderr).not.toContain("try again");
  });

  test("shows how to type a path that Git Bash has changed", async () => {
    const path = "C:/Program Files/Git/api/partner/v1/orders/history?page=2";
    const stderr = containing("Omit the first slash: api/partner/v1/orders/history?page=2\n");
    expect(await bench.inProcess(["api", "GET", path])).toMatchObject({ code: 2, stdout: "", stderr });
    expect(bench.requests()).toEqual([]);
  });

  test("shows the request and sends nothing with --dry-run", async () => {
    const before = snapshot(bench.machine.configFolder);
    const { stdout } = await bench.inProcess("api PATCH /api/x -f a=b --dry-run --json");
    const url = `${bench.emulator.baseUrl}/api/x`;
    const headers = { authorization: "Bearer ****" };
    expect(parseJson(stdout)).toMatchObject({ method: "PATCH", url, headers, body: '{"a":"b"}' });
    expect(bench.requests()).toEqual([]);
    expect(snapshot(bench.machine.configFolder)).toEqual(before);
  });
});

describe("comanda api with a stub service", async () => {
  const stub = await startStub();
  const credentials = { COMANDA_ACCESS_TOKEN: "TOKEN", COMANDA_API_KEY: "KEY" };
  const machine = new Machine({ COMANDA_BASE_URL: `${stub.url}/base`, ...credentials });
  const addresses = `--base-url ${stub.url}/base --auth-url ${stub.url}/go --client-id app`;
  await machine.inProcess(`env set stub ${addresses}`.split(" "));
  for (const kind of ["api", "partner"]) {
    const line = `login --${kind}-key --store centro --env stub --max-wait 0`.split(" ");
    await machine.inProcess(line, { input: kind === "api" ? "KEY" : "PARTNER" });
  }
  beforeEach(() => stub.behave({ status: 200, headers: { "content-type": "application/json" }, body: "{}" }));
  const api = (...words: string[]) =>
    machine.inProcess(["api", ...words], { clock: jumpingClock(Date.now()) });

  test("sends the body from stdin, and escapes a response on a terminal that isn't JSON", async () => {
    stub.behave({ status: 200, body: "<p>\u001b]0;title\u0007</p>" });
    const input = "y".repeat(3 * 1024 * 1024);
    const { stdout } = await machine.inProcess("api POST /x --input -".split(" "), { input, columns: 80 });
    expect(stub.requests[0]?.body.length).toBe(input.length);
    expect(stdout).toContain(String.raw`<p>\x1b]0;title\x07</p>`);
  });

  test.each([
    [[], { authorization: "Bearer TOKEN" }],
    [["--auth", "key"], { "x-api-key": "KEY" }],
    [["--auth", "partner", "--store", "centro"], { "x-api-key": "KEY", "x-partner-key": "PARTNER" }],
  ])("signs with %j", async (words, expected) => {
    expect((await api("POST", "/orders", "-f", "a=b", ...words)).code).toBe(0);
    const { headers = {} } = stub.requests[0] ?? {};
    const sent = ["authorization", "x-api-key", "x-partner-key"].filter((name) => name in headers);
    expect(Object.fromEntries(sent.map((name) => [name, headers[name]]))).toEqual(expected);
  });

  test("sends query, headers and body", async () => {
    const words = ["--query", "a=1", "--query", "a=x y&z", "-H", "Accept: text/csv", "-H", "x-mine:  v:w "];
    await api("POST", "/x?q=0", "-f", 'text=a "b"', "-f", "empty=", "-F", "list=[1.10, null]", ...words);
    const headers = { accept: "text/csv", "x-mine": "v:w", "content-type": "application/json" };
    const body = '{"text":"a \\"b\\"","empty":"","list":[1.10, null]}';
    const target = "/base/x?q=0&a=1&a=x+y%26z";
    expect(stub.requests).toMatchObject([{ method: "POST", target, headers, body }]);
  });

  test("prints a response unchanged", async () => {
    const body = "\uFEFFü\u0000".repeat(1024);
    stub.behave({ status: 200, body });
    expect(await api("GET", "/x")).toMatchObject({ code: 0, stdout: body });
  });

  test("prints the status line and headers with --include, but masks credentials", async () => {
    const headers = { "content-type": "text/plain", "x-echo": "you sent Bearer TOKEN", "set-cookie": "a=b" };
    stub.behave({ status: 201, headers, body: "made" });
    const { stdout } = await api("POST", "/x", "--include", "-f", "a=b");
    expect(stdout).toMatch(/^HTTP\/1\.1 201 Created\n(?:[\w-]+: .*\n)+\nmade$/);
    expect(stdout).toContain("x-echo: you sent Bearer ****");
    expect(stdout).not.toContain("TOKEN");
    stub.behave({ status: 418, headers, body: "no" });
    expect((await api("GET", "/x", "-i")).stdout).toMatch(/^HTTP\/1\.1 418 I'm a Teapot\n[^]*\n\nno$/i);
  });

  test.each([
    [502, "text/html", "<h1>Bad gateway</h1>Authorization: Bearer TOKEN"],
    [409, "application/json", '{"code":4002,"message":"Bearer TOKEN"}'],
  ])("masks a credential that a %i %s echoes, with and without --json", async (status, type, body) => {
    stub.behave({ status, headers: { "content-type": type }, body });
    for (const format of [[], ["--json"], ["-i"], ["--debug"]]) {
      const { stdout, stderr } = await api("GET", "/x", ...format);
      expect(stdout + stderr).not.toContain("TOKEN");
      expect(stdout).toContain(body.replace("TOKEN", "****"));
    }
  });

  test.each([
    ["POST", 9, 1, "\n  Before you repeat the request, check whether it took effect.\n"],
    ["DELETE", 9, 4, "\n  You can safely try again: the result is the same.\n"],
    ["GET", 8, 4, "\n  Try again"],
  ])("exits for %s and HTTP 503 with code %i after %i requests", async (method, exit, requests, hint) => {
    stub.behave({ status: 503, body: "down" });
    expect(await api(method, "/x")).toEqual({ code: exit, stdout: "down", stderr: containing(hint) });
    expect(stub.requests).toHaveLength(requests);
  });

  const wrong: readonly (readonly [what: string, words: readonly string[]])[] = [
    ["another host", ["GET", "//127.0.0.1:1/x"]],
    ["--field without a value", ["POST", "/x", "-f", "a"]],
    ["a --json-field that isn't JSON", ["POST", "/x", "-F", "a=yes"]],
    ["--input with --field", ["POST", "/x", "--input", "-", "-f", "a=1"]],
    ["--header twice", ["GET", "/x", "-H", "a:1", "-H", "A:2"]],
    ["--header with a credential", ["GET", "/x", "-H", "Authorization: Bearer other"]],
    ["--header of two lines", ["GET", "/x", "-H", "a: b\r\nx-partner-key: c"]],
  ];
  test.each(wrong)("refuses %s before anything is sent", async (_, words) => {
    const { code, stdout, stderr } = await api(...words);
    expect({ code, stdout, requests: stub.requests }).toEqual({ code: 2, stdout: "", requests: [] });
    expect(stderr).toMatch(/^error: .+\.\n {2}\S/);
    expect(stderr).not.toMatch(/\n {4}at /);
  });
});
