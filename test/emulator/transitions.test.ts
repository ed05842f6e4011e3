import { describe, expect, test } from "vitest";

import { orderStatuses, orderTypes, type OrderStatus, type OrderType } from "../../src/api/enums.js";
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

describe.each(changes)("every order that is asked to %s", (change) => {
  const path = statusChanges[change].path;
  const combinations = orderTypes.flatMap((type) => orderStatuses.map((status) => [type, status] as const));

  test.each(combinations)("%s in %s", async (orderType, status) => {
    const { id } = await emulator.order();
    // Straight into the record: no rule keeps a test from statuses that the type can't have.
    const record = emulator.service.world.orders.find(id);
    if (!record) throw new Error("the order is gone");
    Object.assign(record, { orderType, status, paidOnlineByCreditCard: false });
    const headers = { "x-api-key": emulator.apiKey() };
    emulator.advance(5);
    const answer = await answerOf(
      emulator.request(path.replace("{order_id}", String(id)), { method: "POST", headers }),
    );

    const target = targetOf(change, { orderType, status });
    if (target === undefined) {
      expect(answer).toMatchObject({ status: 409, body: { code: 4002 } });
      expect(record).toMatchObject({ status, updatedAt: record.createdAt });
    } else {
      expect(answer).toEqual({ status: 204, body: null });
      expect(record).toMatchObject({ status: target, updatedAt: emulator.service.world.clock.now() });
    }
  });
});

describe("cancelling", () => {
  const cancel = (id: number, body?: string, type = "application/json") =>
    answerOf(
      emulator.request(`/api/partner/v1/orders/${id}/cancel`, {
        method: "POST",
        headers: { "x-api-key": emulator.apiKey(), ...(body === undefined ? {} : { "content-type": type }) },
        ...(body === undefined ? {} : { body }),
      }),
    );

  test("keeps the reason that was sent", async () => {
    const { id } = await emulator.order({ payment_method_ids: [1] });
    expect(await cancel(id, '{"cancellation_reason":"desistência"}')).toEqual({ status: 204, body: null });
    expect(await emulator.look(id)).toMatchObject({
      status: "canceled",
      cancellation_reason: "desistência",
    });
  });

  test.each([
    ["no body", undefined],
    ["an object without a reason", "{}"],
  ])("needs no reason: %s", async (_, body) => {
    const { id } = await emulator.order({ payment_method_ids: [1] });
    expect(await cancel(id, body)).toEqual({ status: 204, body: null });
    expect(await emulator.look(id)).toMatchObject({ status: "canceled", cancellation_reason: null });
  });

  test.each([
    ["a reason that is no text", '{"cancellation_reason":5}', "application/json"],
    ["no object", '"because"', "application/json"],
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
