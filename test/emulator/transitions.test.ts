import { describe, expect, test } from "vitest";

import { orderStatuses, orderTypes, type OrderStatus, type OrderType } from "../../src/api/values.js";
import { statusChanges, type StatusChange } from "../../src/api/operations.js";
import { targetOf, targets } from "../../src/emulator/domain/transitions.js";
import { answerOf, createTestEmulator, sending } from "./support.js";

const changes = Object.keys(statusChanges) as StatusChange[];

/** Section 3, written a second time on purpose: what is shown there, whatever the emulator chose beside it. */
const shownTarget: Readonly<Record<StatusChange, Partial<Record<OrderType, OrderStatus>>>> = {
  dispatch: { delivery: "released", takeout: "waiting_to_catch", onsite: "waiting_to_catch" },
  deliver: { delivery: "delivered" },
  finalize: { delivery: "closed", takeout: "closed", onsite: "closed", closed_table: "closed" },
  cancel: { delivery: "canceled", takeout: "canceled", onsite: "canceled", closed_table: "canceled" },
};

const unpaid: readonly OrderStatus[] = ["waiting_confirmation", "pending_payment", "pending_online_payment"];
const inTheKitchen: readonly OrderStatus[] = ["scheduled_confirmed", "confirmed", "ready"];
const pickedUp: readonly OrderStatus[] = [...inTheKitchen, "waiting_to_catch"];

/** Written a second time too: the statuses in which the emulator takes a change. */
const takenIn: Readonly<Record<StatusChange, Partial<Record<OrderType, readonly OrderStatus[]>>>> = {
  dispatch: { delivery: inTheKitchen, takeout: inTheKitchen, onsite: inTheKitchen },
  deliver: { delivery: ["released"] },
  finalize: {
    delivery: [...inTheKitchen, "released", "delivered"],
    takeout: pickedUp,
    onsite: pickedUp,
    closed_table: inTheKitchen,
  },
  cancel: {
    delivery: [...unpaid, ...inTheKitchen, "released", "delivered"],
    takeout: [...unpaid, ...pickedUp],
    onsite: [...unpaid, ...pickedUp],
    closed_table: [...unpaid, ...inTheKitchen],
  },
};

describe("the transition table", () => {
  test.each(changes)("%s leads where section 3 says", (change) => {
    expect(targets[change]).toEqual(shownTarget[change]);
  });

  test.each(changes)("%s leads nowhere from a final status", (change) => {
    for (const orderType of orderTypes) {
      expect(targetOf(change, { orderType, status: "canceled" })).toBeUndefined();
      expect(targetOf(change, { orderType, status: "closed" })).toBeUndefined();
    }
  });

  test.each(changes)("%s is taken in these statuses, and in no other", (change) => {
    for (const orderType of orderTypes) {
      const taken = orderStatuses.filter((status) => targetOf(change, { orderType, status }) !== undefined);
      expect(taken.toSorted(), orderType).toEqual((takenIn[change][orderType] ?? []).toSorted());
    }
  });
});

const emulator = createTestEmulator({ rateLimits: false });

describe("cancelling", () => {
  const cancel = (id: number, body?: string, type = "application/json") =>
    answerOf(
      emulator.request(`/api/partner/v1/orders/${id}/cancel`, {
        method: "POST",
        headers: { "x-api-key": emulator.apiKey(), ...(body === undefined ? {} : { "content-type": type }) },
        ...(body === undefined ? {} : { body }),
      }),
    );

  test.each([
    ["the reason that was sent", '{"cancellation_reason":"desistência"}', "desistência"],
    ["no body", undefined, null],
    ["an object without a reason", "{}", null],
  ])("keeps %s", async (_, body, reason) => {
    const { id } = await emulator.order({ payment_method_ids: [1] });
    expect(await cancel(id, body)).toEqual({ status: 204, body: null });
    expect(await emulator.look(id)).toMatchObject({ status: "canceled", cancellation_reason: reason });
  });

  test.each([
    ["a reason that is no text", '{"cancellation_reason":5}', "application/json"],
    ["no JSON", "{", "application/json"],
    ["a form", "cancellation_reason=x", "application/x-www-form-urlencoded"],
  ])("refuses %s and changes nothing", async (_, body, type) => {
    const { id } = await emulator.order();
    expect(await cancel(id, body, type)).toMatchObject({ status: 400, body: { code: 4000 } });
    expect(await emulator.look(id)).toMatchObject({ status: "confirmed" });
  });

  test.each([
    ["at_once", "canceled", "canceled"],
    ["after_a_minute", "canceling", "canceled"],
    ["fails", "ready", "ready"],
  ])("of an order paid online by credit card ends as the reading says: %s", async (reading, first, then) => {
    const own = createTestEmulator({ readings: { card_cancellation: reading } });
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
