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
  const chosen = await machine.chooseStores({
    stores: store === undefined ? [] : [store],
    allStores: !isSingle,
  });
  const choices = chosen.kind === "single" ? [chosen.choice] : chosen.choices;
  const state = await machine.state();
  const limits = openLimits(state.folder);
  // A target needs a transport, but nothing is sent through this one.
  const transport = createLazyTransport();
  return choices.flatMap((choice) => {
    // A store whose session can't be read sends nothing, so it has no counts.
    if (choice.kind === "missing") return [];
    const { label, environment, baseUrl, quotaKey } = targetOf(machine, state, choice, transport);
    const remaining = async (bucket: RateBucket) =>
      countsRequests(context) ? limits.remaining({ baseUrl, store: quotaKey, bucket }) : undefined;
    return [{ label, environment, remaining }];
  });
}
