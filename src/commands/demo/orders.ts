/** Makes the orders of the tour at the store that was signed in, and finds its API key. */
import type { Emulator } from "../../emulator/index.js";

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

export async function createDemoOrders({ request, service, world }: Emulator): Promise<DemoOrders> {
  const store = service.server.installations().find(({ active }) => active)?.storeId;
  const driver = [...world.drivers.values()].find(
    (candidate) => candidate.storeId === store && candidate.active,
  )?.id;
  const apiKey = store === undefined ? undefined : world.stores.get(store)?.apiKey;
  if (store === undefined || driver === undefined || apiKey === undefined)
    throw new Error("the demo's store isn't signed in");
  const create = async (order: Readonly<Record<string, unknown>>): Promise<string> => {
    const answer = await request("/_emulator/orders", {
      method: "POST",
      headers: { "content-type": "application/json", host: "127.0.0.1" },
      body: JSON.stringify({ merchant_id: store, order_timing: "immediate", ...order }),
    });
    const created: unknown = await answer.json();
    if (typeof created !== "object" || created === null || !("id" in created)) {
      throw new Error(`the emulator made no order: ${JSON.stringify(created)}`);
    }
    return String(created.id);
  };
  const delivery = { order_type: "delivery", delivered_by: "merchant", status: "confirmed" };
  const takeout = { order_type: "takeout", status: "waiting_to_catch" };
  return {
    delivery: await create({ ...delivery, driver_id: null, driver_fee: null }),
    unwanted: await create({ ...delivery, driver_id: null, driver_fee: null }),
    waiting: [await create(takeout), await create(takeout)],
    driver: String(driver),
    apiKey,
  };
}
