import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { StoreDesk } from "../../support/store-desk.js";
import { parseJson } from "../../support/json.js";

let bench: StoreDesk;
beforeAll(async () => {
  bench = await StoreDesk.open();
});
afterAll(() => bench.close());
beforeEach(() => bench.forgetRequests());

const delivery = { order_type: "delivery" };

const paths = { dispatch: "dispatch", deliver: "delivered", finalize: "finalize", cancel: "cancel" } as const;
const words = {
  dispatch: "dispatched",
  deliver: "delivered",
  finalize: "finalized",
  cancel: "canceled",
} as const;

type Verb = keyof typeof paths;

describe("one order", () => {
  test.each<[Verb, object, string, string]>([
    ["dispatch", delivery, "confirmed", "released"],
    ["deliver", delivery, "released", "delivered"],
    ["finalize", delivery, "delivered", "closed"],
    ["cancel", delivery, "confirmed", "canceled"],
  ])("%s %j takes it from %s to %s", async (verb, type, from, to) => {
    const order = await bench.order({ ...type, status: from });
    expect(await bench.comanda(`orders ${verb} ${order}`)).toEqual({
      code: 0,
      stderr: "",
      stdout: `Order ${order} ${words[verb]}.\n`,
    });
    expect(bench.stored(order).status).toBe(to);
    expect(bench.requests()).toEqual([`POST /api/partner/v1/orders/${order}/${paths[verb]}`]);
  });

  test.each<[Verb, object, string]>([
    ["dispatch", delivery, "released"],
    ["deliver", delivery, "confirmed"],
    ["cancel", delivery, "closed"],
  ])("%s %j is refused in status %s: exit 6, and the order is as it was", async (verb, type, status) => {
    const order = await bench.order({ ...type, status });
    const { code, stdout, stderr } = await bench.comanda(`orders ${verb} ${order}`);
    expect({ code, stdout }).toEqual({ code: 6, stdout: "" });
    expect(stderr).toMatch(
      /^error: Order \d+ of the store centro: the order's status can't be changed.*\n(?: {2}.+\n)+$/,
    );
    // The service's words once, not once for each line.
    expect(stderr.match(/can't go from/g)).toHaveLength(1);
    expect(stderr).toContain("HTTP 409, code 4002");
    expect(bench.stored(order).status).toBe(status);
    expect(bench.requests()).toHaveLength(1);
  });

  test("prints one JSON line", async () => {
    const order = await bench.order();
    const done = await bench.comanda(`orders dispatch ${order} --json`);
    expect({ code: done.code, stderr: done.stderr, json: parseJson(done.stdout) }).toEqual({
      code: 0,
      stderr: "",
      json: {
        order_id: order,
        action: "dispatch",
        outcome: "done",
        http_status: 204,
        code: null,
        message: null,
        details: null,
        attempts: 1,
        evidence: "api",
        service_code: null,
      },
    });
    const refused = await bench.comanda(`orders dispatch ${order} --json`);
    const details = "A delivery order can't go from released by dispatch";
    expect({ code: refused.code, json: parseJson(refused.stdout) }).toEqual({
      code: 6,
      json: {
        order_id: order,
        action: "dispatch",
        outcome: "refused",
        http_status: 409,
        code: "status_conflict",
        message: "Order status cannot be changed",
        details,
        attempts: 1,
        evidence: "api",
        service_code: 4002,
      },
    });
    expect(parseJson(refused.stderr)).toEqual({
      error: {
        exit_code: 6,
        code: "status_conflict",
        http_status: 409,
        details,
        message: expect.stringContaining("the order's status can't be changed") as string,
        hint: expect.any(String) as string,
        evidence: "api",
        service_code: 4002,
      },
    });
  });
});

describe("--dry-run", () => {
  test.each<[string, string[], string, string, string | null]>([
    ["dispatch", ["orders", "dispatch", "7"], "POST", "/orders/7/dispatch", null],
    [
      "cancel with a reason",
      ["orders", "cancel", "7", "--reason", "fechado"],
      "POST",
      "/orders/7/cancel",
      '{"cancellation_reason":"fechado"}',
    ],
    ["driver", ["driver", "assign", "7", "11"], "PUT", "/orders/7/driver", '{"driver_id":11}'],
  ])("%s shows the request, masked, and sends nothing", async (_, args, method, path, body) => {
    const { code, stdout, stderr } = await bench.comanda([...args, "--dry-run", "--json"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "Nothing was sent (--dry-run).\n" });
    const shown = parseJson(stdout);
    expect(shown).toMatchObject({
      method,
      body,
      url: `${bench.emulator.baseUrl}/api/partner/v1${path}`,
      headers: { authorization: "Bearer ****" },
    });
    expect(bench.requests()).toEqual([]);
  });
});
