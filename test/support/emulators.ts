/** Orders and owners' decisions at an emulator in this process. */
import * as z from "zod/mini";

import { isLoopbackHost } from "../../src/base/basics.js";
import type { OwnersDecision } from "../../src/emulator/http/oauth.js";
import type { Emulator, EmulatorOptions } from "../../src/emulator/index.js";

const createdSchema = z.looseObject({ id: z.int() });

/** As the control surface takes them. */
export type OrderFields = Readonly<Record<string, unknown>>;

/** Makes an order at store 501: a delivery order that is confirmed, but for what is given. @returns its id */
export async function makeOrder(emulator: Emulator, fields: OrderFields = {}): Promise<string> {
  const isDelivery = fields["order_type"] === undefined || fields["order_type"] === "delivery";
  const answer = await emulator.request("/_emulator/orders", {
    method: "POST",
    headers: { "content-type": "application/json", host: "127.0.0.1" },
    body: JSON.stringify({
      merchant_id: 501,
      order_type: "delivery",
      order_timing: "immediate",
      status: "confirmed",
      ...(isDelivery && { delivered_by: "merchant", driver_id: null, driver_fee: null }),
      ...fields,
    }),
  });
  const body: unknown = await answer.json();
  const created = z.safeParse(createdSchema, body);
  if (!created.success) throw new Error(JSON.stringify(body));
  return String(created.data.id);
}

const decidedSchema = z.object({ redirected_to: z.string() });

/**
 * Lets an emulator's owner decide, and follows the redirect to the app as a browser would. It asks nothing off this machine.
 *
 * @returns the redirect's address, and the status of the app's last answer: `undefined` where the app is elsewhere
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

export interface AtServiceOptions extends EmulatorOptions {
  /** Of the commands. */
  readonly env?: Readonly<Record<string, string>>;
}

/** What a test does and sees at the service beside its commands. */
export class AtService {
  constructor(readonly emulator: Emulator) {}

  /** As {@link makeOrder} has it. @returns its id */
  async order(fields?: OrderFields): Promise<string> {
    return makeOrder(this.emulator, fields);
  }

  async orders(count: number): Promise<string[]> {
    return Promise.all(Array.from({ length: count }, () => this.order()));
  }

  /** What the service has of an order. */
  stored(id: string) {
    const record = this.emulator.world.orders.find(Number(id));
    if (!record) throw new Error(`there is no order ${id}`);
    return record;
  }

  statuses(ids: readonly string[]): string[] {
    return ids.map((id) => this.stored(id).status);
  }

  /** The API key of a store. */
  keyOf(store = 501): string {
    return this.emulator.world.stores.get(store)?.apiKey ?? "";
  }

  /** The environment variables that say it all: address and API key. */
  keyEnvironment(store = 501) {
    return { COMANDA_BASE_URL: this.emulator.baseUrl, COMANDA_API_KEY: this.keyOf(store) };
  }

  /** Method and path of every request so far, without those of other tests' preparations. */
  requests(): string[] {
    const calls = this.emulator.service.log.entries().filter(({ path }) => path.startsWith("/api/"));
    return calls.map(({ method, path }) => `${method} ${path}`);
  }

  forgetRequests(): void {
    this.emulator.service.log.clear();
  }
}
