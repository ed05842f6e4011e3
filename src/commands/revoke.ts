/** `comanda revoke`: ends a store's sign-in at the service, whatever the state of this machine's disk and locks. */
import { ComandaError } from "../shared/errors.js";
import { t } from "../shared/language.js";

import type { Command } from "./command.js";

export interface RevokeOptions {
  readonly store: string;
  /** Milliseconds for one request. */
  readonly timeoutMs: number | undefined;
}

export interface RevokeResult {
  readonly store: string;
  /** `false`: there were no tokens. */
  readonly revoked: boolean;
}

export const revoke: Command<RevokeOptions, RevokeResult> = {
  description: {
    usage: "revoke <alias>",
    summary: "revoke a store's tokens at the service, and change nothing on this machine",
    description:
      "It waits for no lock and writes nothing, so it also works where the disk is full or a process hangs. A process that " +
      "renews the tokens in the same moment may keep new ones: run it again, or `comanda logout`, which waits for it.",
    examples: ["revoke centro"],
  },
  parse: ({ words: [store = ""], globals }) => ({ store, timeoutMs: globals.timeoutMs }),
  async run(machine, { store: alias, timeoutMs }) {
    const { store, environment, tokens } = await machine.session(alias);
    if (!tokens) return { store, revoked: false };
    const { revokeTokens } = await machine.auth();
    const transport = await machine.transport(environment.base_url);
    const { signal } = machine.context;
    try {
      const call = { environment, transport, signal, ...(timeoutMs !== undefined && { timeoutMs }) };
      const failure = await revokeTokens(call, tokens);
      if (failure) throw notRevoked(failure, store);
    } finally {
      await transport.close();
    }
    return { store, revoked: true };
  },
  present({ store, revoked }, output) {
    if (output.json) output.value({ store, revoked });
    else if (revoked) output.sentence(t`The tokens of ${store} are revoked at the service.`);
    else output.sentence(t`${store} has no tokens; its API key is withdrawn in the store portal.`);
  },
};

function notRevoked({ code, message, answer }: ComandaError, store: string): ComandaError {
  return new ComandaError(code, t`The tokens of ${store} may still work: ${message}`, {
    hint: t`The store's owner can uninstall the app in the store portal, which revokes its tokens too.`,
    ...(answer && { answer }),
  });
}
