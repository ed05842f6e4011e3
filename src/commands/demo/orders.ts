/** Makes the orders of the tour at the store that was signed in, and finds its API key. */
import type { Emulator } from "../../emulator/index.js";
import type { NewOrder } from "../../emulator/inputs.js";

export interface DemoOrders {
  /** A delivery order that the kitchen has confirmed. */
  readonly delivery: string;
  /** A delivery order that will be canceled. */
  readonly unwanted: string;
  /** Two takeout orders that wait for their pickup. */
  readonly waiting: readonly [string, string];
  /** The id of an active driver. */
  readonly driver: string;
  readonly apiKey: string;
}

export async function createDemoOrders({ service, world }: Emulator): Promise<DemoOrders> {
  const { createOrder } = await import("../../emulator/domain/new-order.js");
  const store = service.server.installations().find(({ active }) => active)?.storeId;
  const driver = [...world.drivers.values()].find(({ storeId, active }) => storeId === store && active)?.id;
  const apiKey = store === undefined ? undefined : world.stores.get(store)?.apiKey;
  if (store === undefined || driver === undefined || apiKey === undefined)
    throw new Error("the demo's store isn't signed in");
  const create = (order: NewOrder): string =>
    String(createOrder(world, { merchant_id: store, order_timing: "immediate", ...order }).id);
  const delivery: NewOrder = {
    order_type: "delivery",
    delivered_by: "merchant",
    status: "confirmed",
    driver_id: null,
    driver_fee: null,
  };
  const takeout: NewOrder = { order_type: "takeout", status: "waiting_to_catch" };
  return {
    delivery: create(delivery),
    unwanted: create(delivery),
    waiting: [create(takeout), create(takeout)],
    driver: String(driver),
    apiKey,
  };
}
