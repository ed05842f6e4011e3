/** Network failures during a call: the outcome, its evidence, and the message. */
import { writeFileSync } from "node:fs";
import path from "node:path";

import { beforeEach, describe, expect, test } from "vitest";

import { containing, Desk, errorOf, matching, parseJson, parseJsonLines } from "../support/desk.js";
import { freePort } from "../support/resources.js";
import { ofTheApi, page, startStub, type StubAnswer } from "../support/stub-service.js";

const stub = await startStub();
let desk: Desk;
beforeEach(() => {
  desk = new Desk();
  stub.behave({ status: 204 });
});

const credential = { COMANDA_ACCESS_TOKEN: "at_network", COMANDA_RATE_LIMITS: "off" };
const run = (line: string, env: Readonly<Record<string, string>> = {}) =>
  desk.run(line, { env: { COMANDA_BASE_URL: stub.url, ...credential, ...env } });

describe("the connection to the service", () => {
  test("exits with code 8 and a hint if it can't be made, and nothing is changed", async () => {
    const nobody = { COMANDA_BASE_URL: `http://127.0.0.1:${await freePort()}` };
    const { code, stdout, stderr } = await run("orders dispatch 7 --json", nobody);
    expect({ code, line: parseJson(stdout) }).toMatchObject({ code: 8, line: { outcome: "failed" } });
    const message = containing("the connection was refused");
    const text = { message, hint: containing("whether the service is up") };
    expect(errorOf(stderr)).toMatchObject({ error: { code: "unreachable", http_status: null, ...text } });
  });

  const away = { COMANDA_BASE_URL: "https://api.invalid" };
  test("through an unusable proxy is reported once for a list, before anything is sent", async () => {
    const proxy = { HTTPS_PROXY: "socks5://ana:s3cret@proxy.corp" };
    const { code, stdout, stderr } = await run("orders dispatch 1 2 3 --json", { ...away, ...proxy });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    const message = containing("HTTPS_PROXY");
    expect(parseJson(stderr)).toMatchObject({ error: { code: "configuration", message } });
    expect(stderr).not.toContain("s3cret");
  });

  test("through an unreachable proxy is reported with the proxy's address, not the service's", async () => {
    const ran = await run("orders dispatch 1 --quiet", { ...away, HTTPS_PROXY: "127.0.0.1:1" });
    const stderr = matching(
      /the call to api\.invalid failed: at the proxy, the connection was refused[^]*HTTPS_PROXY/,
    );
    expect(ran).toMatchObject({ code: 8, stderr });
    expect(ran.stderr).not.toContain("base URL");
  });
});

/** Returns the environment of a machine whose folder can't be created. */
function withoutFolder() {
  const file = path.join(desk.folder, "no-folder");
  writeFileSync(file, "", { mode: 0o600 });
  return { COMANDA_CONFIG_DIR: path.join(file, "none") };
}

test.each(["orders dispatch 7", "orders dispatch 7 8"])(
  "a machine that can't store anything warns once about each file, and sends: %s",
  async (line) => {
    stub.behave((response) => {
      response.writeHead(stub.requests.length > 1 ? 204 : 429, { "retry-after": "1" }).end();
    });
    const { code, stderr } = await run(line, withoutFolder());
    const warnings = stderr.trim().split("\n");
    expect({ code, warnings }).toEqual({ code: 0, warnings: [...new Set(warnings)] });
    expect(stderr).toContain("not recorded in the history");
    expect(stub.requests).toHaveLength(line.split(" ").length - 1);
  },
);

test("a list isn't resumed without a history, which would show what was sent before", async () => {
  const ran = await run("orders dispatch 7 8 --resume", withoutFolder());
  expect(ran).toMatchObject({ code: 2, stderr: containing("Nothing was sent.") });
  expect(stub.requests).toEqual([]);
});

const historyOf = async (order: string) =>
  parseJsonLines((await run(`history --order ${order} --json`)).stdout);

test("a list with --resume sends again what was certainly not changed, but no order with an unknown outcome", async () => {
  const notFound = ofTheApi(404, 4041);
  const answers: Readonly<Record<string, StubAnswer>> = { 2: notFound, 3: page(404), 5: page(421) };
  stub.behave((response) => {
    const [, order = ""] = /orders\/(\d+)\//.exec(response.req.url ?? "") ?? [];
    const { status, body } = answers[order] ?? { status: 204 };
    if (order === "4") response.socket?.resetAndDestroy();
    else response.writeHead(status).end(body);
  });
  const line = "orders dispatch 1 2 3 4 5 --json";
  const { stderr } = await run(line);
  expect(stderr).toContain("All unknown outcomes: comanda history --outcome unknown");
  expect(stderr).not.toContain("--resume");
  stub.behave({ status: 204 });
  const lines = parseJsonLines((await run(`${line} --resume`)).stdout);
  const sent = stub.requests.map(({ target }) => target).sort();
  expect(sent).toEqual([2, 5].map((order) => `/api/partner/v1/orders/${order}/dispatch`));
  for (const [order_id, evidence] of [
    ["3", "gateway"],
    ["4", "nobody"],
  ] as const) {
    const unknown = { order_id, outcome: "unknown", evidence };
    expect(lines).toContainEqual(expect.objectContaining({ ...unknown, resumed: true }));
    expect(await historyOf(order_id)).toMatchObject([unknown]);
  }
});
