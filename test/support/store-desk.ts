/** A desk with the emulator beside it: the store `centro` (501) is signed in, and the service can be looked into. */
import { startEmulator, type Emulator, type EmulatorOptions } from "../../src/emulator/index.js";

import type { InProcessOptions } from "./context.js";
import { Desk, tokenFor, type Ran } from "./desk.js";
import { AtService } from "./emulators.js";

export class StoreDesk extends AtService {
  private constructor(
    readonly desk: Desk,
    emulator: Emulator,
  ) {
    super(emulator);
  }

  static async open(options: EmulatorOptions = {}): Promise<StoreDesk> {
    const desk = new Desk();
    const emulator = await startEmulator({ orders: 1, now: desk.clock, ...options });
    await desk.signIn("centro", emulator.baseUrl, tokenFor(emulator, 501));
    return new StoreDesk(desk, emulator);
  }

  async close(): Promise<void> {
    await this.emulator.close();
    this.desk.remove();
  }

  /** As {@link Desk.run}. */
  async comanda(line: string | readonly string[], options?: InProcessOptions): Promise<Ran> {
    return this.desk.run(line, options);
  }
}
