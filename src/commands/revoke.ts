/** `comanda revoke`: ends a store's sign-in at the service, whatever the state of this machine's disk and locks. */
import { ComandaError } from "../shared/errors.js";
import { t } from "../shared/language.js";

import type { Command } from "../toolkit/command.js";
import { confirmSignOut, refuseOtherStore } from "../toolkit/confirmation.js";
import { confirmOption } from "../toolkit/writes.js";

export interface RevokeOptions {
  readonly store: string;
  /** The store that is meant. */
  readonly confirm: string | undefined;
  /** Milliseconds for one request. */
  readonly timeoutMs: number | undefined;
}

export interface RevokeResult {
  readonly store: string;
  /** `false`: there were no tokens, or the person didn't type the alias. */
  readonly revoked: boolean;
  readonly declined?: boolean;
}

export const revoke: Command<RevokeOptions, RevokeResult> = {
  description: {
    usage: "revoke <alias>",
    summary: "revoke a store's tokens at the service, and change nothing on this machine",
    description:
      "It waits for no lock and writes nothing, so it also works where the disk is full or a process hangs. A process that " +
      "renews the tokens in the same moment may keep new ones: run it again, or `comanda logout`, which waits for it. " +
      "At a store that is protected the alias is asked for.",
    options: [confirmOption],
    examples: ["revoke centro"],
  },
  parse: (line) => ({
    store: line.words[0] ?? "",
    confirm: line.text("--confirm"),
    timeoutMs: line.globals.timeoutMs,
  }),
  async run(machine, { store: alias, confirm, timeoutMs }) {
    const { store, environment, tokens } = await machine.session(alias);
    if (!tokens) return { store, revoked: false };
    // With the alias given nothing more has to be read, so that settings which can't be used are in no way.
    if (confirm !== undefined) refuseOtherStore({ label: store }, confirm);
    else if ((await confirmSignOut(machine, store)) === "declined")
      return { store, revoked: false, declined: true };
    const { revokeTokens } = await import("../auth/token-endpoint.js");
    const { openTransport } = await import("../toolkit/connection.js");
    const transport = openTransport(machine, environment.base_url);
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
  present({ store, revoked, declined = false }, output) {
    if (declined) output.notice(t`${store} is not signed out.`);
    else if (output.json) output.value({ store, revoked });
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
