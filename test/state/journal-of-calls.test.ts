/** Records a client's calls in the journal before each request is sent. */
import { beforeEach, describe, expect, test } from "vitest";

import { request as sendAny, type AnyRequest } from "../../src/client/any-call.js";
import type { HttpRequest } from "../../src/client/transport.js";
import { ComandaError } from "../../src/base/errors.js";
import { openJournal, readHistory, type HistoryRow } from "../../src/state/journal.js";
import { scriptedClient } from "../client/support/scripted.js";
import { openState, temporaryFolder } from "./support/folder.js";

const orderPath = (order: string, verb: string) => `/api/partner/v1/orders/${order}/${verb}`;
const noContent = { status: 204, headers: {}, body: "" };
type Answer = typeof noContent;

let state: ReturnType<typeof openState>;
beforeEach(() => {
  state = openState(temporaryFolder());
});
const rows = async () => readHistory(openState(state.path), {});

/** Returns a client with a journal, and the rows at the time of each request. */
function open(answer: (request: HttpRequest) => Answer) {
  const rowsAtSend: (readonly HistoryRow[])[] = [];
  const { journal } = openJournal({
    state,
    place: { store: "centro", environment: "test" },
    fingerprint: { address: "https://api.example", sign_in: null },
  });
  const send = async (request: HttpRequest) => {
    rowsAtSend.push(await rows());
    return answer(request);
  };
  const [bearer, apiKey] = [() => Promise.resolve("at_secret"), () => Promise.resolve("key_secret")];
  const credentials = { bearer, apiKey };
  const transport = { send, close: () => Promise.resolve() };
  return { client: scriptedClient([], { credentials, journal, transport }).client, rowsAtSend };
}

describe("the row of a call", () => {
  const post = (path: string, body?: string) => ({ method: "POST", path, ...(body && { body }) }) as const;
  const reason = (more: string) => `{"cancellation_reason":"late",${more}}`;
  const driver = new TextEncoder().encode('\ufeff{"driver_id":2,"driver_fee":7.50}');
  const assignment = { method: "PUT", path: orderPath("1", "driver"), body: driver } as const;
  const annul = post(orderPath("1", "annul"), reason('"name":"M"'));
  test.each<[AnyRequest, string, string | null, object]>([
    [post(orderPath("0004711", "dispatch")), "dispatchOrder", "4711", {}],
    [post(orderPath("a%00b", "finalize")), "finalizeOrder", "a\ufffdb", {}],
    [post(orderPath("%C3%A9".repeat(4000), "finalize")), "finalizeOrder", "é".repeat(600), {}],
    [post(orderPath("1", "cancel/"), reason('"phone":"1"')), "cancelOrder", "1", { reason: "late" }],
    [assignment, "assignDriver", "1", { driver_id: 2, driver_fee: 7.5 }],
    [annul, "request", "1", { method: "POST", path: annul.path, reason: "late" }],
  ])("for %j has the operation %s", async (request, operation, order_id, given) => {
    // The response to an assignment is the order (section 4.1).
    const assigned = { status: 200, headers: {}, body: '{"id":1,"driver_id":2}' };
    const { client } = open(() => (operation === "assignDriver" ? assigned : noContent));
    await sendAny(client, request);
    expect(await rows()).toMatchObject([{ operation, order_id, arguments: given, outcome: "done" }]);
  });
});

describe("a client with a journal", () => {
  test("writes the row before it sends the request, and the outcome afterwards", async () => {
    const { client, rowsAtSend } = open(() => noContent);
    await client.dispatchOrder("1");
    const what = { operation: "dispatchOrder", order_id: "1", attempts: 1, store: "centro" };
    expect(rowsAtSend).toMatchObject([[{ ...what, outcome: "unknown", evidence: "nobody" }]]);
    expect(await rows()).toMatchObject([{ ...what, outcome: "done", http_status: 204 }]);
    expect(JSON.stringify(await rows())).not.toContain("secret");
  });

  test("returns each outcome with a warning about its order if the disk is full after the request", async () => {
    let isFull = false;
    const before = state;
    const warnings: unknown[] = [];
    const full = new ComandaError("state_unusable", "can't be written");
    state = {
      ...state,
      database: (name) => (isFull ? Promise.reject(full) : before.database(name)),
      warn: (...warning) => void warnings.push(warning),
    };
    const refusal = { status: 404, headers: {}, body: '{"code":4041,"message":"no order"}' };
    const { client } = open(({ url }) => {
      isFull = true;
      return url.includes("/2/") ? refusal : noContent;
    });
    await expect(client.dispatchOrder("1")).resolves.toMatchObject({ httpStatus: 204 });
    isFull = false;
    await expect(client.dispatchOrder("2")).rejects.toMatchObject({ code: "not_found" });
    const unrecorded = (order: string, outcome: string) => [
      `Order ${order}: ${outcome}, but not recorded in the history, which lists the change as unknown. can't be written`,
      { about: "unrecorded", order, store: "centro", isDone: outcome === "done" },
    ];
    expect(warnings).toEqual([unrecorded("1", "done"), unrecorded("2", "refused")]);
    expect(await rows()).toMatchObject([{ outcome: "unknown" }, { outcome: "unknown" }]);
  });
});
