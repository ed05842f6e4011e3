/** Where the requests of stores are counted, as the commands choose their stores. */
import { createLazyTransport } from "../../client/http/lazy-transport.js";
import type { RateBucket } from "../../contract/limits.js";
import { countsRequests } from "../../state/limiter.js";
import { openLimits, type LimitState } from "../../state/limits.js";

import { baseUrlVariable, chooseStore, chooseStores } from "../../toolkit/choose-store.js";
import { variable, type Invocation } from "../../toolkit/context.js";
import type { State } from "../../toolkit/state.js";
import { targetOf, type Target } from "../../toolkit/target.js";

export interface StoreQuota extends Pick<Target, "label" | "environment"> {
  /** `undefined` where comanda doesn't count. */
  readonly remaining: (bucket: RateBucket) => Promise<LimitState | undefined>;
}

/** @throws {ComandaError} as `chooseStore` */
export async function openQuotas(
  invocation: Invocation,
  state: State,
  store: string | undefined,
): Promise<readonly StoreQuota[]> {
  const { context } = invocation;
  const isOne = store !== undefined || variable(context, baseUrlVariable) !== undefined;
  const choices = isOne
    ? [await chooseStore(context, state, { store })]
    : await everyStore(invocation, state);
  const limits = openLimits(state.folder);
  // Nothing is sent through it.
  const transport = createLazyTransport();
  return choices.map((choice) => {
    const { label, environment, baseUrl, quotaKey } = targetOf(invocation, state, choice, transport);
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

/** Without those whose session can't be read: nothing is counted by them. */
async function everyStore({ context }: Invocation, state: State) {
  const chosen = await chooseStores(context, state, { stores: [], allStores: true });
  const choices = chosen.kind === "one" ? [chosen.choice] : chosen.choices;
  return choices.filter((choice) => choice.kind !== "missing");
}
