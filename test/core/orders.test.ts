/** A list of orders whose reader leaves, and lists that fail or are stopped. */
import { setImmediate } from "node:timers/promises";

import { beforeEach, expect, test } from "vitest";

import { ComandaError } from "../../src/base/errors.js";
import { openConnection, type Connection } from "../../src/core/connection.js";
import { history } from "../../src/core/history.js";
import { changeOrders, withoutRequest, type ListEnd, type SettledOrder } from "../../src/core/orders.js";
import type { Workspace } from "../../src/core/workspace.js";
import { Desk, matching } from "../support/desk.js";
import { startStub } from "../support/stub-service.js";

const stub = await startStub();
beforeEach(() => stub.behave({ status: 204 }));
const variables = { COMANDA_BASE_URL: stub.url, COMANDA_ACCESS_TOKEN: "at_1", COMANDA_RATE_LIMITS: "off" };

async function connect(signal?: AbortSignal) {
  const { workspace } = await new Desk(variables).context();
  return openConnection({ ...workspace, ...(signal && { signal }) }, undefined);
}

/** Reads more slowly than orders are settled. */
async function dispatch(connection: Connection, orders: readonly string[]) {
  const items: (SettledOrder | ListEnd)[] = [];
  for await (const item of changeOrders(connection, { action: "dispatch", orders })) {
    items.push(item);
    await setImmediate();
  }
  return items;
}

/** Expects that the list was stopped, and that each order that was sent is recorded as done. */
async function expectStopped({ workspace }: Connection) {
  const sent = stub.requests.length;
  expect(sent).toBeLessThan(100);
  const { changes } = await history(workspace, { limit: 100 });
  expect(changes.map(({ outcome }) => outcome)).toEqual(Array(sent).fill("done"));
  expect(stub.requests).toHaveLength(sent);
}

const idsOf = (count: number) => Array.from({ length: count }, (_, index) => String(index + 1));

test.each([
  ["state_unusable", {}, "It is damaged. Nothing was sent."],
  ["interrupted", { hint: "Nothing was sent." }, "It is damaged."],
  ["not_signed_in", {}, "It is damaged."],
  ["forbidden", { attempts: 1 }, "It is damaged."],
] as const)("an error with the code %s and %j says once that nothing was sent", (code, facts, message) => {
  expect(withoutRequest(new ComandaError(code, "", facts), "It is damaged.")).toBe(message);
});

test("a reader who leaves stops the list once the orders in flight are recorded", async () => {
  const connection = await connect();
  for await (const item of changeOrders(connection, { action: "dispatch", orders: idsOf(100) })) {
    expect(item).toMatchObject({ line: { outcome: "done" } });
    break;
  }
  await expectStopped(connection);
});

test("an internal error stops the list once the orders in flight are recorded", async () => {
  const { workspace } = await new Desk(variables).context();
  const notify: Workspace["notify"] = (notice) => {
    if (notice.type === "progress" && notice.about === "orders" && notice.settled === 3)
      throw new Error("no view");
  };
  const connection = await openConnection({ ...workspace, notify }, undefined);
  await expect(dispatch(connection, idsOf(100))).rejects.toThrow("no view");
  await expectStopped(connection);
});

test("a lease that can't be released after the list sends nothing again", async () => {
  const connection = await connect();
  const { workspace } = connection;
  const state = await workspace.state();
  const unusable = new ComandaError("state_unusable", "The disk is gone.");
  const withLease: typeof state.withLease = async (name, work, options) => {
    await state.withLease(name, work, options);
    throw unusable;
  };
  const failing = { ...workspace, state: () => Promise.resolve({ ...state, withLease }) };
  const list = dispatch({ ...connection, workspace: failing, maySendWithout: () => true }, ["1", "2"]);
  await expect(list).rejects.toBe(unusable);
  expect(stub.requests).toHaveLength(2);
});

test("an order that was stopped before it was sent says that it was not changed", async () => {
  const signal = AbortSignal.abort(new ComandaError("interrupted", "Interrupted."));
  const message = matching(/: not sent: interrupted\. The order was not changed\.$/);
  expect(await dispatch(await connect(signal), ["7"])).toMatchObject([
    { line: { outcome: "skipped", code: "interrupted" } },
    { totals: { skipped: 1 }, failure: { code: "interrupted", message, orderId: "7" } },
  ]);
  expect(stub.requests).toEqual([]);
});
