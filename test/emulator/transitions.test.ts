import { describe, expect, test } from "vitest";

import { orderStatuses, orderTypes, type OrderStatus, type OrderType } from "../../src/api/values.js";
import { statusChanges, type StatusChange } from "../../src/api/operations.js";
import { targetOf } from "../../src/emulator/domain/transitions.js";
import { answerOf, createTestEmulator, sending } from "./support.js";

const changes = Object.keys(statusChanges) as StatusChange[];

/** Target statuses of section 3, written independently of the emulator's table. */
const shownTarget: Readonly<Record<StatusChange, Partial<Record<OrderType, OrderStatus>>>> = {
  dispatch: { delivery: "released", takeout: "waiting_to_catch", onsite: "waiting_to_catch" },
  deliver: { delivery: "delivered" },
  finalize: { delivery: "closed", takeout: "closed", onsite: "closed", closed_table: "closed" },
  cancel: { delivery: "canceled", takeout: "canceled", onsite: "canceled", closed_table: "canceled" },
};

const unpaid: readonly OrderStatus[] = ["waiting_confirmation", "pending_payment", "pending_online_payment"];
const inTheKitchen: readonly OrderStatus[] = ["scheduled_confirmed", "confirmed", "ready"];
const pickedUp: readonly OrderStatus[] = [...inTheKitchen, "waiting_to_catch"];

/** Statuses in which the emulator accepts a change, also written independently. */
const acceptedIn: Readonly<Record<StatusChange, Partial<Record<OrderType, readonly OrderStatus[]>>>> = {
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

test.each(changes)(
  "the transition table accepts %s only in the listed statuses, and leads to the status that section 3 shows",
  (change) => {
    for (const orderType of orderTypes) {
      for (const status of orderStatuses) {
        const isListed = acceptedIn[change][orderType]?.includes(status);
        const shown = isListed ? shownTarget[change][orderType] : undefined;
        expect(targetOf(change, { orderType, status }), `${orderType} ${status}`).toBe(shown);
      }
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
    ['{"cancellation_reason":5}', "application/json"],
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
