/** Stores of a program's own, in the place of the emulator's. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { startEmulator, type Emulator } from "../../src/library/emulator.js";

describe("an emulator with stores of one's own", () => {
  let emulator: Emulator;
  beforeAll(async () => {
    emulator = await startEmulator({
      orders: 100,
      stores: [
        {
          id: 7,
          name: "Centro",
          time_zone: "America/Recife",
          drivers: [
            { id: 70, name: "Bia" },
            { id: 71, name: "Ivo", active: false },
          ],
        },
        { id: 8 },
      ],
    });
  });
  afterAll(async () => emulator.close());

  test("has these and no others", () => {
    expect(emulator.stores.map(({ id, name, timeZone, currency }) => [id, name, timeZone, currency])).toEqual(
      [
        [7, "Centro", "America/Recife", "BRL"],
        [8, "Loja 8", "America/Sao_Paulo", "BRL"],
      ],
    );
  });

  test("takes the store's active drivers, and no other", async () => {
    const { id } = emulator.createOrder({ merchant_id: 7, order_type: "delivery" });
    const client = emulator.client();
    await expect(client.assignDriver(String(id), { driver_id: 71 })).rejects.toMatchObject({
      httpStatus: 400,
    });
    expect(await client.assignDriver(String(id), { driver_id: 70 })).toMatchObject({
      value: { driver_id: 70 },
    });
  });
});

test("fifty stores have orders each, in both scenes", async () => {
  const stores = Array.from({ length: 50 }, (_, index) => ({ id: index + 1 }));
  for (const scene of ["mixed", "busy"] as const) {
    const emulator = await startEmulator({
      scene,
      stores,
      now: Date.UTC(1970, 1, 20),
      ...(scene === "mixed" && { orders: 1_000 }),
    });
    for (const storeId of [1, 25, 50]) {
      const sales = await emulator
        .client({ storeId })
        .summary({ start_date: "1970-02-01T00:00:00Z", end_date: "1970-02-20T00:00:00Z" });
      expect(sales.value.total_order_count).toBeGreaterThan(0);
    }
    await emulator.close();
  }
});
