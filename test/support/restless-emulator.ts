/** An emulator whose orders change while they are asked for. */
import type { Emulator } from "../../src/emulator/index.js";
import type { Desk } from "./desk.js";

interface Restless {
  readonly emulator: Emulator;
  readonly desk: Desk;
  /** Before which answers, from 1 on; before each where it is absent. */
  readonly isMeant?: ((call: number) => boolean) | undefined;
  /** Of which day's orders, or of which days' that begin so: one of them costs a cent more. */
  readonly days?: string;
}

export function changeOrders({ emulator, desk, isMeant = () => true, days = "2026-10-1" }: Restless): void {
  const { orders } = emulator.world;
  const ofStore = orders.ofStore.bind(orders);
  let call = 0;
  orders.ofStore = (store) => {
    call += 1;
    // Time goes by, so that one answer is older than the other.
    desk.pass(1_000);
    const all = ofStore(store);
    const order = all.find(({ createdAt }) => new Date(createdAt).toISOString().startsWith(days));
    if (order && isMeant(call)) Object.assign(order, { total: order.total + 1 });
    return all;
  };
}
