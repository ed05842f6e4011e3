/**
 * The store's owner and their browser, in the place of `src/auth/redirect-listener.ts`: a while after the address was
 * shown, the browser comes back with a code.
 */
import type { ListenOptions, RedirectListener } from "../../src/auth/redirect-listener.js";

/** Milliseconds that the owner thinks about it. */
const thinksMs = 40;

export function listenForRedirect({ pending, clock }: ListenOptions): Promise<RedirectListener> {
  const callback = { kind: "code", code: `code-${pending.state}` } as const;
  const received = clock.sleep(thinksMs).then(() => ({ callback, answer: () => Promise.resolve() }));
  return Promise.resolve({ received, close: () => Promise.resolve() });
}
