/** The outcome of each response to a change: the command and the journal agree (DESIGN.md, section 3), also after a signal. */
import { beforeEach, describe, expect, test } from "vitest";

import { ComandaError } from "../../src/base/errors.js";
import { containing, Desk, errorOf, matching, parseJson, parseJsonLines } from "../support/desk.js";
import { startStub, type Behaviour, type StubAnswer } from "../support/stub-service.js";

const stub = await startStub();
let desk: Desk;
beforeEach(() => {
  desk = new Desk();
});

const run = (line: string, behaviour: Behaviour, options: Parameters<Desk["run"]>[1] = {}) => {
  stub.behave(behaviour);
  const env = { COMANDA_BASE_URL: stub.url, COMANDA_ACCESS_TOKEN: "at_1", COMANDA_RATE_LIMITS: "off" };
  return desk.run(line, { ...options, env });
};
const error = (code: number) => JSON.stringify({ code, message: "no" });
const page = "<html></html>";

/** Evidence, outcome, comanda's code, exit code, and the service's code. */
type Told = readonly ["api" | "gateway" | "nobody", string, string | null, number, number?];
const unknown: Told = ["gateway", "unknown", "outcome_unknown", 9];

// test/client/retry.test.ts and test/fixtures/wire have the rules for each status and body.
test.each<readonly [number | null, string, Told]>([
  [204, "", ["api", "done", null, 0]],
  [409, error(4002), ["api", "refused", "status_conflict", 6, 4002]],
  [400, error(4041), ["api", "refused", "not_found", 5, 4041]],
  // The specification doesn't show the bodies of these.
  [401, "", ["gateway", "refused", "token_refused", 3]],
  [403, "", ["gateway", "refused", "forbidden", 4]],
  [429, "", ["gateway", "refused", "rate_limited", 7]],
  // Not an API response, but the request was certainly not processed.
  [421, page, ["gateway", "failed", "unexpected_answer", 8]],
  // The request may have been processed.
  [302, "", unknown],
  [404, page, unknown],
  [200, '{"id":7,"status":"canceled"}', unknown],
  [503, error(9999), ["api", "unknown", "outcome_unknown", 9, 9999]],
  [null, "", ["nobody", "unknown", "outcome_unknown", 9]],
])(
  "HTTP %s with the body %j has one outcome in every output and in the journal",
  async (http_status, body, [evidence, outcome, code, exit, service_code = null]) => {
    const ran = await run("orders dispatch 7 --json --max-wait 0", (response) => {
      if (http_status === null) response.destroy();
      else response.writeHead(http_status, { location: "/" }).end(body);
    });
    const told = { evidence, http_status, code, service_code };
    const at = "2026-11-20T15:00:00.000Z";
    const line = { at, store: null, order_id: "7", action: "dispatch", attempts: 1 };
    expect({ code: ran.code, requests: stub.requests.length }).toEqual({ code: exit, requests: 1 });
    // The service's message explains a refusal. If the outcome is unknown, it is only a detail.
    const details = outcome === "unknown" && service_code !== null ? "no" : null;
    expect(parseJson(ran.stdout)).toMatchObject({ ...told, ...line, outcome, details });
    if (exit === 0) expect(ran.stderr).toBe("");
    else expect(parseJson(ran.stderr)).toMatchObject({ error: told });
    if (outcome === "unknown") {
      expect(parseJson(ran.stdout)).toMatchObject({ message: containing("unknown") });
      expect(errorOf(ran.stderr)).toMatchObject({ error: { hint: matching(/history settle 7 not-done$/) } });
    }
    const { host } = new URL(stub.url);
    if (outcome === "failed")
      expect(ran.stderr).toContain(`the response from ${host} isn't from the API (HTTP ${http_status}).`);
    const history = await desk.run("history --json");
    expect(parseJson(history.stdout)).toMatchObject({ ...told, outcome, attempts: 1 });
  },
);

// test/client/retry.test.ts has the rule.
test.each<[string, Behaviour, number]>([
  ["a reset", (response) => void response.socket?.resetAndDestroy(), 4],
  ["a gateway's 404", { status: 404, body: page }, 1],
])("%s after each PUT of a driver exits with code 9 and a hint", async (_, behaviour, sent) => {
  const unclear = "^error: Order 7 at \\S+: the request was sent, but its outcome is unknown[^]*";
  // Each command is on its own line, so that a shell never reads `done|not-done` as a pipe.
  const settle = "comanda history settle 7 done\n  If it wasn't: comanda history settle 7 not-done\n$";
  const stderr = matching(new RegExp(unclear + settle, "m"));
  expect(await run("driver assign 7 11", behaviour)).toEqual({ code: 9, stdout: "", stderr });
  expect(stub.requests).toHaveLength(sent);
});

test.each([
  [401, "token_refused"],
  [403, "forbidden"],
])("a list of 200 orders stops after the first HTTP %s, which affects every order", async (status, code) => {
  const ids = Array.from({ length: 200 }, (_, index) => index + 1);
  const ran = await run(`orders dispatch ${ids.join(" ")} --json`, { status });
  expect(errorOf(ran.stderr)).toMatchObject({ error: { hint: containing("COMANDA_ACCESS_TOKEN") } });
  const rows = parseJsonLines(ran.stdout) as { readonly outcome: string; readonly code: string }[];
  const refused = rows.filter(({ outcome }) => outcome === "refused");
  expect({ code: ran.code, rows: rows.length }).toEqual({ code: 10, rows: 200 });
  // At most as many as are sent at the same time.
  expect(stub.requests.length).toBeLessThanOrEqual(16);
  expect(refused).toHaveLength(stub.requests.length);
  expect(rows.every((row) => row.code === code)).toBe(true);
});

describe("a program that is stopped while changes are in flight", () => {
  const refusal = { status: 409, body: '{"code":4002,"message":"Order status cannot be changed"}' };

  /**
   * Sends the signal when the first request has arrived.
   *
   * @param answer `undefined` ends the wait for responses at once
   */
  async function stopped(line: string, code: "interrupted" | "terminated", answer?: StubAnswer) {
    const [stop, giveUp] = [new AbortController(), new AbortController()];
    const reason = new ComandaError(code, "Stopped.");
    const behaviour: Behaviour = (response) => {
      stop.abort(reason);
      if (answer) response.writeHead(answer.status).end(answer.body);
      else giveUp.abort(reason);
    };
    return run(line, behaviour, { signal: stop.signal, grace: giveUp.signal });
  }

  test.each([
    ["done", "interrupted", { status: 204 }, 130, "interrupted"],
    ["done", "terminated", { status: 204 }, 143, "terminated"],
    ["refused", "interrupted", refusal, 130, "interrupted"],
    // An unknown outcome has its own exit code.
    ["unknown", "interrupted", undefined, 9, "outcome_unknown"],
  ] as const)("exits if one order is %s after it is %s", async (outcome, signal, answer, exit, code) => {
    const ran = await stopped("orders dispatch 7 --json", signal, answer);
    expect(ran.code).toBe(exit);
    const whole = outcome === "done" ? null : outcome;
    expect(errorOf(ran.stderr)).toMatchObject({ error: { exit_code: exit, code, outcome: whole } });
    expect(parseJson(ran.stdout)).toMatchObject({ order_id: "7", outcome });
  });

  test("prints the outcome", async () => {
    const line = "orders dispatch 7";
    const { stdout } = await stopped(line, "interrupted", { status: 204 });
    expect(stdout).toMatch(/^Order 7 dispatched at \S+\.\n$/);
    const { stderr } = await stopped(line, "interrupted", refusal);
    expect(stderr).toMatch(/^warning: Order 7 at \S+: the order's status doesn't allow this change/m);
  });

  test.each([
    ["are done", { status: 204 }, "done", null, "--resume"],
    ["are refused", refusal, "refused", null, "--resume"],
    ["are unknown", undefined, "unknown", "unknown", "history settle"],
  ])("exits by the signal if several orders %s, and skips the others", async (...row) => {
    const [, answer, outcome, whole, next] = row;
    const ids = Array.from({ length: 18 }, (_each, index) => String(index + 1));
    const line = `orders dispatch ${ids.join(" ")} --json`;
    const ran = await stopped(line, "terminated", answer);
    expect(ran.code).toBe(143);
    const hint = containing(next);
    expect(errorOf(ran.stderr)).toMatchObject({ error: { code: "terminated", outcome: whole, hint } });
    const rows = parseJsonLines(ran.stdout).map((row) => row as Readonly<Record<string, unknown>>);
    expect(rows).toHaveLength(18);
    // Some of the requests that had begun were not sent yet.
    expect(rows.map((row) => row["outcome"])).toEqual(expect.arrayContaining([outcome, "skipped"]));
    for (const row of rows) expect([outcome, "failed", "skipped"]).toContain(row["outcome"]);
    expect(rows.filter((row) => row["code"] === "terminated").length).toBeGreaterThanOrEqual(2);
    expect(stub.requests.length).toBeLessThanOrEqual(16);
  });
});
