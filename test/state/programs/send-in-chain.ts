/** Sends requests for several stores as fast as the limits allow, and prints when each one was sent. */
import { systemClock } from "../../../src/base/clock.js";
import { openState } from "../../../src/state/state.js";
import { limiterOf } from "../support/limiter.js";

const [address = "", ownFolder = "", stores = "", limit = "0", windowMs = "0", untilMs = "0"] =
  process.argv.slice(2);
const rate = { limit: Number(limit), windowMs: Number(windowMs) };
const until = Number(untilMs);

async function main(): Promise<void> {
  const env = { COMANDA_STATE: address, COMANDA_CONFIG_DIR: ownFolder };
  // A machine that counts only its own requests would send too many.
  const warn = (message: string) => {
    process.stderr.write(`${message}\n`);
    process.exit(1);
  };
  const state = await openState({ env, clock: systemClock, warn });
  const sent: (readonly [store: string, at: number])[] = [];
  const sendAt = async (store: string) => {
    const limiter = limiterOf(state, store, rate);
    while (Date.now() < until) {
      const permit = await limiter
        .acquire("general", { maxWaitMs: until - Date.now() })
        .catch(() => undefined);
      if (!permit) return;
      sent.push([store, Date.now()]);
      await permit.settle(true);
    }
  };
  // Each store has several concurrent requests, as in a list of orders.
  await Promise.all(stores.split(",").flatMap((store) => [1, 2, 3].map(() => sendAt(store))));
  process.stdout.write(JSON.stringify(sent));
}

void main();
