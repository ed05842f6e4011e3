import type { Command } from "commander";

import type { SignOutResult } from "../auth/index.js";
import { ComandaError } from "../shared/errors.js";
import type { Output } from "../terminal/index.js";

import type { Context } from "./context.js";
import { leaf, perform, type Invocation } from "./leaf.js";

export function logoutCommand(context: Context): Command {
  const command = leaf({
    usage: "logout",
    summary: "revoke a store's tokens at the service, then forget the store",
    description: "Its settings and the sales figures that are kept on this machine are forgotten too.",
    takes: ["store"],
    examples: ["logout --store centro", "logout --all"],
  }).option("--all", "every store that this machine knows");
  return perform(command, context, (invocation) =>
    logout(invocation, command.opts<{ all?: boolean }>().all ?? false),
  );
}

async function logout(invocation: Invocation, all: boolean): Promise<void> {
  const { context, globals, output } = invocation;
  const [
    { openState },
    { chooseSession },
    { signOut },
    { openTransport },
    { withoutStore },
    { clearLedger },
    { storeFileName },
  ] = await Promise.all([
    import("./state.js"),
    import("./choose-store.js"),
    import("../auth/index.js"),
    import("./network.js"),
    import("../state/settings/store-settings.js"),
    import("../state/ledger/ledger.js"),
    import("../state/sessions/store-alias.js"),
  ]);
  if (all && globals.stores.length > 0)
    throw new ComandaError("usage", "--all and --store contradict each other.", {
      hint: "Give one of the two.",
    });
  const state = openState(invocation);
  const { sessions, settings, data } = state;
  const stores = all
    ? (await sessions.list()).map(({ store }) => store)
    : [(await chooseSession(invocation, state)).store];
  const transport = openTransport(invocation);
  const failures: ComandaError[] = [];
  try {
    for (const store of stores) {
      const result = await signOut({
        store,
        sessions,
        transport,
        signal: context.signal,
        ...(globals.timeoutMs !== undefined && { requestTimeoutMs: globals.timeoutMs }),
      });
      failures.push(...tell(output, store, result));
      if (result.stillStored) continue;
      const forget = async (what: string, work: () => unknown) => {
        try {
          await work();
        } catch (error) {
          if (!(error instanceof ComandaError)) throw error;
          output.warn(`${what} of ${store} are still stored.`);
          failures.push(error);
        }
      };
      await forget("The settings", () => settings.update((current) => withoutStore(current, store)));
      await forget("The sales figures", () => clearLedger(data, storeFileName(store)));
    }
  } finally {
    await transport.close();
  }
  if (stores.length === 0) output.notice("No store is signed in.");
  const [failure] = failures;
  if (failure) throw failure;
}

/** @returns what the program has to end with */
function tell(output: Output, store: string, result: SignOutResult): ComandaError[] {
  const { revocation, error, stillStored } = result;
  const forgotten = stillStored === undefined;
  if (output.json) output.jsonLine({ store, revoked: revocation === "revoked", forgotten });
  else if (forgotten) output.sentence(`${store} is signed out.`);
  if (!forgotten) {
    const revoked = revocation === "revoked" ? "The tokens are revoked at the service. " : "";
    output.warn(`${revoked}The session of ${store} is still stored here.`);
  }
  if (error === undefined) return forgotten ? [] : [stillStored];
  const here = forgotten ? `${store} is forgotten here, but its tokens` : `The tokens of ${store}`;
  output.warn(`${here} were not revoked and may work until they expire.`);
  const unrevoked = new ComandaError(error.code, error.message, {
    hint: "The store's owner can uninstall the app in the store portal, which revokes its tokens too.",
    ...(error.answer && { answer: error.answer }),
  });
  return forgotten ? [unrevoked] : [unrevoked, stillStored];
}
