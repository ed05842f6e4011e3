import type { Command } from "commander";

import { ComandaError } from "../errors/index.js";

import type { Context } from "./context.js";
import { leaf, perform, type Invocation } from "./leaf.js";

export function logoutCommand(context: Context): Command {
  const command = leaf({
    usage: "logout",
    summary: "revoke a store's tokens at the service, then forget the store",
    takes: ["store"],
    examples: ["logout --store centro", "logout --all"],
  }).option("--all", "every store that this machine knows");
  return perform(command, context, (invocation) =>
    logout(invocation, command.opts<{ all?: boolean }>().all ?? false),
  );
}

async function logout(invocation: Invocation, all: boolean): Promise<void> {
  const { context, globals, output } = invocation;
  const [{ openState }, { chooseSession }, { signOut }, { createTransport }, { withoutStore }] =
    await Promise.all([
      import("./state.js"),
      import("./choose-store.js"),
      import("../auth/index.js"),
      import("../client/index.js"),
      import("../state/store-settings.js"),
    ]);
  if (all && globals.stores.length > 0)
    throw new ComandaError("usage", "--all and --store contradict each other.", {
      hint: "Give one of the two.",
    });
  const state = openState(invocation);
  const { sessions, settings } = state;
  const stores = all
    ? (await sessions.list()).map(({ store }) => store)
    : [(await chooseSession(invocation, state)).store];
  const transport = createTransport({ env: context.env });
  const failures: ComandaError[] = [];
  try {
    for (const store of stores) {
      const result = await signOut({
        ...{ store, sessions, transport, signal: context.signal },
        ...(globals.timeoutMs !== undefined && { requestTimeoutMs: globals.timeoutMs }),
      });
      await settings.update((current) => withoutStore(current, store));
      if (output.json) output.jsonLine({ store, revoked: result.revocation === "revoked", forgotten: true });
      else output.sentence(`${store} is signed out.`);
      if (result.revocation !== "failed") continue;
      output.warn(
        `${store} is forgotten here, but its tokens were not revoked and may work until they expire.`,
      );
      failures.push(result.error);
    }
  } finally {
    await transport.close();
  }
  if (stores.length === 0) output.notice("No store is signed in.");
  const [failure] = failures;
  if (failure) {
    throw new ComandaError(failure.code, failure.message, {
      hint: "The store's owner can uninstall the app in the store portal, which revokes its tokens too.",
      ...(failure.answer && { answer: failure.answer }),
    });
  }
}
