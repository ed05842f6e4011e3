/** A client is wired to an emulator: it has the emulator's address and time, and a store's credentials. */
import type { Client } from "../client/client.js";
import type { ClientOptions } from "../client/client-options.js";
import type { Credentials } from "../client/call/credentials.js";
import type { Clock } from "../client/clock.js";
import type { SettableClock } from "../emulator/domain/clock.js";
import { createClient } from "./client.js";

/** These are the options of `createClient`. An option replaces what the emulator sets. */
export interface EmulatorClientOptions extends Partial<ClientOptions> {
  /** The client acts for the store of this id. The default is the first store. */
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

/**
 * Makes a clock of the emulator's time. A wait takes none of the machine's time: it sets the emulator's clock on to
 * its end.
 */
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
