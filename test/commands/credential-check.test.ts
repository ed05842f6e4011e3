/** Verifies credentials with the service: only an API response shows whether one is valid, and the calls change nothing. */
import { beforeEach, describe, expect, test } from "vitest";

import { Desk, errorOf, matching, parseJson, start } from "../support/desk.js";
import { ofTheApi, page, startStub, type Behaviour } from "../support/stub-service.js";

const stub = await startStub();
let desk: Desk;
beforeEach(() => {
  desk = new Desk();
});

const nothingSold = { total_order_count: 0, total_revenue: 0, average_order_value: 0 };
const figures = { status: 200, body: JSON.stringify(nothingSold) };
const asked = () => stub.requests.map(({ method, target }) => `${method} ${target}`);
const probe = "POST /api/partner/v1/orders/comanda-status-check/delivered";

/** Responses that don't show whether a credential is valid. */
const silent: readonly (readonly [string, Behaviour])[] = [
  ["a gateway's 404", page(404)],
  ["a connection that is cut", (response) => void response.destroy()],
  ["a rate limit", { status: 429 }],
];

describe("status --check", () => {
  const run = (line: string, credential: string) => {
    const env = { COMANDA_BASE_URL: stub.url, [credential]: "secret_1", COMANDA_RATE_LIMITS: "off" };
    return desk.run(`${line} --max-wait 0`, { env });
  };
  /** Returns the exit code and the fields of the document. */
  const check = async (credential = "COMANDA_ACCESS_TOKEN") => {
    const { code, stdout } = await run("status --check --json", credential);
    return { code, ...(parseJson(stdout) as object) };
  };
  const text = async (credential: string) => (await run("status --check", credential)).stdout;

  test("verifies a sign-in by requesting the sales of one minute", async () => {
    stub.behave(figures);
    const checked = [{ credential: "bearer", call: "summary", result: "accepted", evidence: "api" }];
    expect(await check()).toMatchObject({ code: 0, state: "valid", checked });
    expect(stub.requests).toHaveLength(1);
    const { pathname, searchParams: query } = new URL(stub.requests[0]?.target ?? "", stub.url);
    expect(pathname).toBe("/api/partner/v1/orders/summary");
    const [from, to] = [query.get("start_date"), query.get("end_date")].map((end) => Date.parse(end ?? ""));
    expect({ from, to }).toEqual({ from: start - 60_000, to: start });
    expect(await text("COMANDA_ACCESS_TOKEN")).toMatch(/^Access token: +ok$/m);
  });

  test("says by which call it verified a key without a sign-in", async () => {
    stub.behave(ofTheApi(404, 4041));
    const called = { credential: "api_key", call: "deliver", result: "accepted", evidence: "api" };
    expect(await check("COMANDA_API_KEY")).toMatchObject({ code: 0, checked: [called] });
    expect(asked()).toEqual([probe]);
    expect(await text("COMANDA_API_KEY")).toMatch(/^API key: +ok$/m);
  });

  test.each([
    ["COMANDA_ACCESS_TOKEN", ofTheApi(401, 4010), 3, "refused", "refused"],
    ["COMANDA_API_KEY", ofTheApi(403, 4030), 4, "valid", "not_allowed"],
    // The specification doesn't show the bodies of these.
    ["COMANDA_ACCESS_TOKEN", { status: 401 }, 3, "refused", "refused"],
    ["COMANDA_API_KEY", page(403), 4, "valid", "not_allowed"],
  ])("reports a rejection: %s, %j", async (credential, answer, exit, state, result) => {
    stub.behave(answer);
    const evidence = JSON.stringify(answer).includes("code") ? "api" : "gateway";
    const told = { code: exit, state, can_change_orders: false, checked: [{ result, evidence }] };
    expect(await check(credential)).toMatchObject(told);
  });

  test("names a refused key as such", async () => {
    stub.behave(ofTheApi(401, 4010));
    const refused = /^State: +the service refused the API key\nAPI key: +refused by the service$/m;
    expect(await text("COMANDA_API_KEY")).toMatch(refused);
  });

  test.each<readonly [credential: string, what: string, behaviour: Behaviour]>([
    ...silent.map(([what, behaviour]) => ["COMANDA_API_KEY", what, behaviour] as const),
    ["COMANDA_API_KEY", "the API's error about a query", ofTheApi(400, 4000)],
    ["COMANDA_ACCESS_TOKEN", "the API's error about a path", ofTheApi(404, 4041)],
  ])("reports %s as not checked after %s", async (credential, _, behaviour) => {
    stub.behave(behaviour);
    const told = await check(credential);
    const checked = [{ result: "not_checked", message: matching(/\.$/) }];
    expect(told).toMatchObject({ state: "unreachable", checked });
    expect([2, 5, 7, 8]).toContain(told.code);
    expect(await text(credential)).toMatch(/^State: +not checked$/m);
  });
});

const [works, refused, gateway] = ["accepted", "refused", "not_checked"] as const;
const answers = { accepted: ofTheApi(404, 4041), refused: ofTheApi(401, 4010), not_checked: page(404) };

test.each([
  { token: works, key: works, exit: 0, state: "valid", changes: true },
  { token: works, key: refused, exit: 3, state: "valid", changes: true },
  { token: works, key: gateway, exit: 0, state: "valid", changes: true },
  { token: refused, key: works, exit: 3, state: "refused", changes: true },
  { token: refused, key: refused, exit: 3, state: "refused", changes: false },
])("status --check verifies both credentials: $token, $key", async ({ token, key, exit, state, changes }) => {
  stub.behave((response) => {
    const isKey = response.req.headers["x-api-key"] !== undefined;
    const answer = isKey ? answers[key] : answers[token];
    const { status, body } = !isKey && token === works ? figures : answer;
    response.writeHead(status).end(body);
  });
  const credentials = { COMANDA_ACCESS_TOKEN: "token", COMANDA_API_KEY: "key" };
  const env = { COMANDA_BASE_URL: stub.url, ...credentials, COMANDA_RATE_LIMITS: "off" };
  const { code, stdout, stderr } = await desk.run("status --check --json --max-wait 0", { env });
  expect(stderr.startsWith("warning: The key was not checked: ")).toBe(key === gateway);
  const checked = [
    { credential: "bearer", result: token },
    { credential: "api_key", result: key },
  ];
  expect(code).toBe(exit);
  expect(parseJson(stdout)).toMatchObject({ state, can_change_orders: changes, checked });
});

describe("login --api-key", () => {
  const login = (input = "key_new") =>
    desk.run("login --api-key --store centro --env test --json --max-wait 0", { input });
  const savedKey = async () => {
    const { sessions } = await (await desk.context()).workspace.state();
    return (await sessions.read("centro"))?.api_key;
  };
  beforeEach(() => desk.run(`env set test --base-url ${stub.url}`));

  test.each([
    [ofTheApi(401, 4010), 4010, 3],
    [{ status: 403 }, null, 4],
  ])("stores no key refused with %j, and keeps the earlier one", async (refusal, service_code, exit) => {
    stub.behave(ofTheApi(404, 4041));
    expect((await login("key_old")).stderr).not.toContain("warning");
    expect(asked()).toEqual([probe]);
    expect(stub.requests[0]?.headers["x-api-key"]).toBe("key_old");
    stub.behave(refusal);
    const { code, stdout, stderr } = await login();
    expect({ code, stdout }).toEqual({ code: exit, stdout: "" });
    const message = "The service refused this API key of centro (test). It was not saved.";
    const error = { service_code, message, evidence: service_code === null ? "gateway" : "api" };
    expect(errorOf(stderr)).toMatchObject({ error });
    expect(stderr).not.toContain("key_new");
    expect(await savedKey()).toBe("key_old");
    expect(asked()).toEqual([probe]);
  });

  test.each(silent)("saves a key after %s, and reports that it was not checked", async (_, behaviour) => {
    stub.behave(behaviour);
    const { code, stdout, stderr } = await login();
    expect(code).toBe(0);
    expect(parseJson(stdout)).toMatchObject({ has_api_key: true, checked: [{ result: "not_checked" }] });
    expect(stderr).toMatch(/^warning: The key was not checked: (?:[a-z]|HTTP).+\.$/m);
    expect(await savedKey()).toBe("key_new");
    expect(asked()).toEqual([probe]);
  });
});
