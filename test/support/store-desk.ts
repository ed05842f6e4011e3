/** A desk with the emulator beside it: the store `centro` (501) is signed in, and the service can be looked into. */
import { startEmulator, type Emulator } from "../../src/emulator/index.js";

import { Desk, tokenFor, type Ran, type RunOptions } from "./desk.js";
import { makeOrder, type OrderFields } from "./emulators.js";

export class StoreDesk {
  private constructor(
    readonly desk: Desk,
    readonly emulator: Emulator,
  ) {}

  static async open(): Promise<StoreDesk> {
    const desk = new Desk();
    const emulator = await startEmulator({ orders: 1, now: desk.clock });
    await desk.signIn("centro", emulator.baseUrl, tokenFor(emulator, 501));
    return new StoreDesk(desk, emulator);
  }

  async close(): Promise<void> {
    await this.emulator.close();
    this.desk.remove();
  }

  /** Runs `comanda` with these words, split at spaces, or these arguments. */
  async comanda(line: string | readonly string[], options?: RunOptions): Promise<Ran> {
    return this.desk.run(line, options);
  }

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
  keyOf(store: number): string {
    return this.emulator.world.stores.get(store)?.apiKey ?? "";
  }

  /** The environment variables that say it all: address and API key. */
  keyEnvironment(store = 501): Record<string, string> {
    return { COMANDA_BASE_URL: this.emulator.baseUrl, COMANDA_API_KEY: this.keyOf(store) };
  }

  /** Method and path of every request to the API so far. */
  requests(): string[] {
    const calls = this.emulator.service.log
      .entries()
      .filter(({ path }) => path.startsWith("/api/partner/v1"));
    return calls.map(({ method, path }) => `${method} ${path}`);
  }

  forgetRequests(): void {
    this.emulator.service.log.clear();
  }
}
