/** A client that is wired to an emulator: its address, a store's credentials, and its time. */
import type { Client } from "../client/client.js";
import type { ClientOptions } from "../client/client-options.js";
import type { Credentials } from "../client/call/credentials.js";
import type { Clock } from "../shared/clock.js";
import type { SettableClock } from "../emulator/domain/clock.js";
import { createClient } from "./client.js";

/** The options of `createClient`. What is given here replaces what the emulator sets. */
export interface EmulatorClientOptions extends Partial<ClientOptions> {
  /** Default: the first store. */
  readonly storeId?: number;
}

export function wiredClient(
  emulator: { readonly baseUrl: string; readonly clock: SettableClock },
  credentialsOf: (storeId?: number) => Credentials,
  { storeId, ...options }: EmulatorClientOptions,
): Client {
  return createClient({
    baseUrl: emulator.baseUrl,
    clock: movingClock(emulator.clock),
    ...options,
    credentials: options.credentials ?? credentialsOf(storeId),
  });
}

/** The emulator's time. A wait takes none of the machine's: it sets the emulator's clock on to its end. */
function movingClock(clock: SettableClock): Clock {
  return {
    now: () => clock.now(),
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      const end = clock.now() + ms;
      // Waits that begin at the same time end at the same time: the first moves the clock, the others find it moved.
      await Promise.resolve();
      if (end > clock.now()) clock.advance(end - clock.now());
    },
  };
}
