/** Opens the counts of requests of the chosen stores. */
import { createLazyTransport } from "../../client/http/lazy-transport.js";
import type { RateBucket } from "../../contract/limits.js";
import { countsRequests } from "../../state/limiter.js";
import { openLimits, type LimitState } from "../../state/limits.js";

import { baseUrlVariable } from "../../toolkit/choose-store.js";
import { variable } from "../../toolkit/context.js";
import type { Machine } from "../../toolkit/machine.js";
import { targetOf } from "../../toolkit/target.js";

export interface StoreQuota {
  /** Sentences call the store by this name. */
  readonly label: string;
  readonly environment: string;
  /** `undefined` where comanda doesn't count. */
  readonly remaining: (bucket: RateBucket) => Promise<LimitState | undefined>;
}

/** @throws {ComandaError} as `chooseStore` */
export async function openQuotas(
  machine: Machine,
  store: string | undefined,
): Promise<readonly StoreQuota[]> {
  const { context } = machine;
  const isSingle = store !== undefined || variable(context, baseUrlVariable) !== undefined;
  const choices = isSingle ? [await machine.chooseStore({ store })] : await everyStore(machine);
  const state = await machine.state();
  const limits = openLimits(state.folder);
  // A target needs a transport, but nothing is sent through this one.
  const transport = createLazyTransport();
  return choices.map((choice) => {
    const { label, environment, baseUrl, quotaKey } = targetOf(machine, state, choice, transport);
    return {
      label,
      environment,
      remaining: (bucket) =>
        countsRequests(context)
          ? limits.remaining({ baseUrl, store: quotaKey, bucket })
          : Promise.resolve(undefined),
    };
  });
}

/** A store whose session can't be read sends nothing, so it has no counts. */
async function everyStore(machine: Machine) {
  const selection = await machine.chooseStores({ stores: [], allStores: true });
  const choices = selection.kind === "single" ? [selection.choice] : selection.choices;
  return choices.filter((choice) => choice.kind !== "missing");
}
