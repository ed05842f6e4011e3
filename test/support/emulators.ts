/** Creates orders and makes owners' decisions on an emulator in this process. */
import * as z from "zod/mini";

import { isLoopbackHost } from "../../src/base/basics.js";
import { createOrder, newOrderSchema } from "../../src/emulator/domain/new-order.js";
import type { OwnersDecision } from "../../src/emulator/http/oauth.js";
import type { Emulator, ServerOptions } from "../../src/emulator/index.js";

/** The fields of an order as the control API accepts them. */
type OrderFields = Readonly<Record<string, unknown>>;

/** Creates an order at store 501, by default a confirmed delivery order. @returns its id */
export function makeOrder({ world }: Emulator, fields: OrderFields = {}): string {
  const isDelivery = fields["order_type"] === undefined || fields["order_type"] === "delivery";
  const order = z.parse(newOrderSchema, {
    merchant_id: 501,
    order_type: "delivery",
    order_timing: "immediate",
    status: "confirmed",
    ...(isDelivery && { delivered_by: "merchant", driver_id: null, driver_fee: null }),
    ...fields,
  });
  return String(createOrder(world, order).id);
}

const decidedSchema = z.object({ redirected_to: z.string() });

/**
 * Makes the owner's decision on an emulator and follows the redirect to the app as a browser would, but only on this machine.
 *
 * @returns the redirect's address, and the status of the app's last response: `undefined` if the app is on another machine
 */
export async function authorizeAsOwner(
  url: string,
  { arrives = true, ...decision }: OwnersDecision & { readonly arrives?: boolean } = {},
): Promise<{ readonly redirectedTo: string; readonly status: number | undefined }> {
  const answer = await fetch(new URL("/_emulator/authorize", url), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ url, ...decision }),
  });
  const { redirected_to: redirectedTo } = z.parse(decidedSchema, await answer.json());
  const isHere = isLoopbackHost(new URL(redirectedTo).hostname);
  return { redirectedTo, status: arrives && isHere ? (await fetch(redirectedTo)).status : undefined };
}

export interface AtServiceOptions extends ServerOptions {
  /** The environment variables of the commands. */
  readonly env?: Readonly<Record<string, string>>;
}

/** What a test does and sees at the service, apart from its commands. */
export class AtService {
  constructor(readonly emulator: Emulator) {}

  /** Creates an order as {@link makeOrder} does. @returns its id */
  order(fields?: OrderFields): Promise<string> {
    return Promise.resolve(makeOrder(this.emulator, fields));
  }

  async orders(count: number): Promise<string[]> {
    return Promise.all(Array.from({ length: count }, () => this.order()));
  }

  /** Returns an order as the service stores it. */
  stored(id: string) {
    const record = this.emulator.world.orders.find(Number(id));
    if (!record) throw new Error(`there is no order ${id}`);
    return record;
  }

  statuses(ids: readonly string[]): string[] {
    return ids.map((id) => this.stored(id).status);
  }

  /** Returns the API key of a store. */
  keyOf(store = 501): string {
    return this.emulator.world.stores.get(store)?.apiKey ?? "";
  }

  /** Returns the environment variables that replace a sign-in: address and API key. */
  keyEnvironment(store = 501) {
    return { COMANDA_BASE_URL: this.emulator.baseUrl, COMANDA_API_KEY: this.keyOf(store) };
  }

  /** Returns the method and path of each earlier request, except for those that prepared other tests. */
  requests(): string[] {
    const calls = this.emulator.service.log.entries().filter(({ path }) => path.startsWith("/api/"));
    return calls.map(({ method, path }) => `${method} ${path}`);
  }

  forgetRequests(): void {
    this.emulator.service.log.clear();
  }
}
