import { describe, expect, test } from "vitest";

import { orderStatuses, orderTypes, type OrderStatus, type OrderType } from "../../src/api/values.js";
import { statusChangeNames, type StatusChange } from "../../src/api/operations.js";
import { targetOf } from "../../src/emulator/domain/transitions.js";
import { answerOf, createTestEmulator, sending } from "./support.js";

const unpaid: readonly OrderStatus[] = ["waiting_confirmation", "pending_payment", "pending_online_payment"];
const inTheKitchen: readonly OrderStatus[] = ["scheduled_confirmed", "confirmed", "ready"];
const pickedUp: readonly OrderStatus[] = [...inTheKitchen, "waiting_to_catch"];

type Row = readonly [StatusChange, OrderType, target: OrderStatus, sources: readonly OrderStatus[]];

/** The targets of section 3, and the statuses in which the emulator accepts a change, written independently of its tables. */
const accepted: readonly Row[] = [
  ["dispatch", "delivery", "released", inTheKitchen],
  ["dispatch", "takeout", "waiting_to_catch", inTheKitchen],
  ["dispatch", "onsite", "waiting_to_catch", inTheKitchen],
  ["deliver", "delivery", "delivered", ["released"]],
  ["finalize", "delivery", "closed", [...inTheKitchen, "released", "delivered"]],
  ["finalize", "takeout", "closed", pickedUp],
  ["finalize", "onsite", "closed", pickedUp],
  ["finalize", "closed_table", "closed", inTheKitchen],
  ["cancel", "delivery", "canceled", [...unpaid, ...inTheKitchen, "released", "delivered"]],
  ["cancel", "takeout", "canceled", [...unpaid, ...pickedUp]],
  ["cancel", "onsite", "canceled", [...unpaid, ...pickedUp]],
  ["cancel", "closed_table", "canceled", [...unpaid, ...inTheKitchen]],
];

test.each(statusChangeNames)(
  "the transition table accepts %s only in the listed statuses, and leads to the status that section 3 shows",
  (change) => {
    for (const orderType of orderTypes) {
      const [, , target, sources = []] =
        accepted.find((row) => row[0] === change && row[1] === orderType) ?? [];
      for (const status of orderStatuses)
        expect(targetOf(change, { orderType, status }), `${orderType} ${status}`).toBe(
          sources.includes(status) ? target : undefined,
        );
    }
  },
);

const emulator = createTestEmulator({ rateLimits: false });

describe("canceling", () => {
  const cancel = (id: number, body?: string, type = "application/json") =>
    answerOf(
      emulator.request(`/api/partner/v1/orders/${id}/cancel`, {
        method: "POST",
        headers: { "x-api-key": emulator.apiKey(), ...(body === undefined ? {} : { "content-type": type }) },
        ...(body === undefined ? {} : { body }),
      }),
    );

  test.each([
    ['{"cancellation_reason":"desistência"}', "desistência"],
    [undefined, null],
    ["{}", null],
  ])("with the body %s stores the reason %s", async (body, reason) => {
    const { id } = await emulator.order({ payment_method_ids: [1] });
    expect(await cancel(id, body)).toEqual({ status: 204, body: null });
    expect(await emulator.look(id)).toMatchObject({ status: "canceled", cancellation_reason: reason });
  });

  test.each([
    ["{", "application/json"],
    ["cancellation_reason=x", "application/x-www-form-urlencoded"],
  ])("is refused with the body %s as %s, and the order doesn't change", async (body, type) => {
    const { id } = await emulator.order();
    expect(await cancel(id, body, type)).toMatchObject({ status: 400, body: { code: 4000 } });
    expect(await emulator.look(id)).toMatchObject({ status: "confirmed" });
  });

  test.each([
    ["at_once", "canceled", "canceled"],
    ["after_a_minute", "canceling", "canceled"],
    ["fails", "ready", "ready"],
  ])("of an order paid online by credit card follows the reading %s", async (reading, first, then) => {
    const own = createTestEmulator({ readings: { card_cancellation: reading as "fails" } });
    const { id } = await own.order({ payment_method_ids: [3], status: "ready" });
    const init = sending("POST", { cancellation_reason: "chuva" }, { "x-api-key": own.apiKey() });
    const path = `/api/partner/v1/orders/${id}/cancel`;
    expect((await own.request(path, init)).status).toBe(204);
    // Section 2.1: "Filled only for canceled orders".
    const reasonOf = (status: string) => (status === "canceled" ? "chuva" : null);
    own.advance(59);
    expect(await own.look(id)).toMatchObject({ status: first, cancellation_reason: reasonOf(first) });
    if (first === "canceling") expect((await own.request(path, init)).status).toBe(409);
    own.advance(1);
    expect(await own.look(id)).toMatchObject({ status: then, cancellation_reason: reasonOf(then) });
  });
});
