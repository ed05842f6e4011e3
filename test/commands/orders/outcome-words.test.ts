/** The word for each answer to a change: the command and the journal say the same (design, section 3). */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";

import { Desk } from "../../support/desk.js";
import { parseJson } from "../../support/json.js";
import { startStub, type Behaviour, type StubService } from "../../support/stub-service.js";

let stub: StubService;
beforeAll(async () => {
  stub = await startStub();
});
afterAll(() => stub.close());
let desk: Desk;
beforeEach(() => {
  desk = new Desk();
});
afterEach(() => desk.remove());

const error = (code: number) => JSON.stringify({ code, message: "no" });
const reset: Behaviour = (response) => response.destroy();

/** Evidence, outcome, HTTP status, comanda's code, exit code, and the service's code. */
type Told = readonly ["api" | "gateway" | "nobody", string, number | null, string | null, number, number?];

test.each<[string, Behaviour, Told]>([
  // The service said yes.
  ["204", { status: 204 }, ["api", "done", 204, null, 0]],
  ["200 with JSON", { status: 200, body: "{}" }, ["api", "done", 200, null, 0]],
  // It said no, whatever status its code came with.
  ["4002 with 409", { status: 409, body: error(4002) }, ["api", "refused", 409, "status_conflict", 6, 4002]],
  ["4002 with 500", { status: 500, body: error(4002) }, ["api", "refused", 500, "status_conflict", 6, 4002]],
  ["4002 with 200", { status: 200, body: error(4002) }, ["api", "refused", 200, "status_conflict", 6, 4002]],
  ["4000", { status: 400, body: error(4000) }, ["api", "refused", 400, "invalid_request", 2, 4000]],
  ["4010 with 400", { status: 400, body: error(4010) }, ["api", "refused", 400, "token_refused", 3, 4010]],
  ["4041 with 400", { status: 400, body: error(4041) }, ["api", "refused", 400, "not_found", 5, 4041]],
  [
    "an unknown code with 408",
    { status: 408, body: error(4999) },
    ["api", "refused", 408, "invalid_request", 2, 4999],
  ],
  ["403 with a code", { status: 403, body: error(4030) }, ["api", "refused", 403, "forbidden", 4, 4030]],
  // So it may be: the bodies of these are not shown.
  ["401", { status: 401 }, ["gateway", "refused", 401, "token_refused", 3]],
  ["403", { status: 403 }, ["gateway", "refused", 403, "forbidden", 4]],
  ["429", { status: 429 }, ["gateway", "refused", 429, "rate_limited", 7]],
  // Nothing of the service's says no, and it certainly did not happen.
  ...[407, 421, 425].map((status): [string, Behaviour, Told] => [
    `${status}`,
    { status, body: "<html></html>" },
    ["gateway", "failed", status, "unexpected_answer", 8],
  ]),
  // It may have happened.
  ...[300, 301, 302, 303, 304, 307, 308].map((status): [string, Behaviour, Told] => [
    `${status}`,
    { status, headers: { location: "/" } },
    ["gateway", "unknown", status, "outcome_unknown", 9],
  ]),
  ...[400, 404, 408, 409, 418].map((status): [string, Behaviour, Told] => [
    `${status} without the API's word`,
    { status, body: "<html></html>" },
    ["gateway", "unknown", status, "outcome_unknown", 9],
  ]),
  [
    "200 with a page",
    { status: 200, body: "<html></html>" },
    ["gateway", "unknown", 200, "outcome_unknown", 9],
  ],
  ["500", { status: 500 }, ["gateway", "unknown", 500, "outcome_unknown", 9]],
  ["501", { status: 501 }, ["gateway", "unknown", 501, "outcome_unknown", 9]],
  [
    "503 with a code",
    { status: 503, body: error(9999) },
    ["api", "unknown", 503, "outcome_unknown", 9, 9999],
  ],
  ["no answer", reset, ["nobody", "unknown", null, "outcome_unknown", 9]],
])("%s", async (_, behaviour, [evidence, outcome, http_status, code, exit, service_code = null]) => {
  stub.behave(behaviour);
  const env = { COMANDA_BASE_URL: stub.url, COMANDA_ACCESS_TOKEN: "at_1", COMANDA_RATE_LIMITS: "off" };
  const ran = await desk.run("orders dispatch 7 --json --max-wait 0", { env });
  expect({ ...(parseJson(ran.stdout) as object), exit: ran.code }).toMatchObject({
    ...{ evidence, outcome, http_status, code, service_code, exit },
  });
  if (exit !== 0)
    expect(parseJson(ran.stderr)).toMatchObject({ error: { evidence, http_status, code, service_code } });
  const history = await desk.run("history --json");
  expect(parseJson(history.stdout)).toMatchObject({
    ...{ evidence, outcome, http_status, code, service_code, attempts: 1 },
  });
});

test.each([
  ["", 0],
  ["{}", 0],
  ["null", 0],
  ['{"id":7,"status":"released"}', 0],
  ['{"id":"7"}', 0],
  ['{"id":8,"status":"released"}', 9],
  ['{"status":"released"}', 9],
  ['{"errors":["x"]}', 9],
  ['{"code":9999,"message":"x"}', 9],
  ["[]", 9],
  ['"OK"', 9],
  ["true", 9],
  ["OK", 9],
])("a 200 with %j: exit %i", async (body, exit) => {
  stub.behave({ status: 200, body });
  const env = { COMANDA_BASE_URL: stub.url, COMANDA_ACCESS_TOKEN: "at_1", COMANDA_RATE_LIMITS: "off" };
  const { code } = await desk.run("orders dispatch 7", { env });
  expect([code, stub.requests.length]).toEqual([exit, 1]);
});
