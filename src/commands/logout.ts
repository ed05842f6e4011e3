/** `comanda logout` revokes the tokens of stores at the service, and forgets them and the stores' keys. */
import type { SignOutResult } from "../auth/sign-out.js";
import { ComandaError } from "../client/errors.js";
import { t } from "../languages/language.js";
import type { Output } from "../cli/output.js";

import type { Command } from "../toolkit/command.js";
import { oneStore } from "../toolkit/command-line.js";
import { hasCredential } from "../toolkit/session-state.js";
import { withTransport } from "../toolkit/with-connection.js";

export interface LogoutOptions {
  readonly store: string | undefined;
  /** Sign out of every store? */
  readonly all: boolean;
  /** Milliseconds for one request. */
  readonly timeoutMs: number | undefined;
}

export interface LogoutResult {
  /** The number of stores that were signed out, which are shown one by one. */
  readonly stores: number;
  readonly failures: readonly ComandaError[];
}

export const logout: Command<LogoutOptions, LogoutResult> = {
  description: {
    usage: "logout",
    summary: "revoke a store's tokens at the service, then forget them and its keys",
    description:
      "The store stays known, with its time zone, currency and start of the day, and with the sales figures that are " +
      "kept; `comanda stores remove` forgets all of it.",
    takes: ["store"],
    options: [{ flags: "--all", description: "every store that is signed in" }],
    examples: ["logout --store centro", "logout --all"],
  },

  parse(line) {
    const [all, store] = [line.flag("--all"), oneStore(line.globals)];
    if (all && store !== undefined) {
      throw new ComandaError("usage", t`--all and --store contradict each other.`, {
        hint: t`Give one of the two.`,
      });
    }
    return { store, all, timeoutMs: line.globals.timeoutMs };
  },

  async run(machine, { store, all, timeoutMs }) {
    const { sessions } = await machine.state();
    const stores = all
      ? (await sessions.list()).filter((session) => "error" in session || hasCredential(session))
      : [await machine.chooseSession({ store })];
    const { signOut } = await import("../auth/sign-out.js");
    const failures: ComandaError[] = [];
    await withTransport(machine, undefined, async (transport) => {
      for (const { store: alias } of stores) {
        const result = await signOut({
          store: alias,
          sessions,
          transport,
          signal: machine.context.signal,
          ...(timeoutMs !== undefined && { requestTimeoutMs: timeoutMs }),
        });
        failures.push(...tell(machine.output, alias, result));
      }
    });
    return { stores: stores.length, failures };
  },

  present({ stores }, output) {
    if (stores === 0) output.notice(t`No store is signed in.`);
  },

  failure: ({ failures: [first] }) => first,
};

/** @returns the errors that the program has to end with */
function tell(output: Output, store: string, result: SignOutResult): ComandaError[] {
  const { revocation, error, storageError } = result;
  const forgotten = storageError === undefined;
  if (output.json) output.jsonLine({ store, revoked: revocation === "revoked", forgotten });
  else if (forgotten) output.sentence(t`${store} is signed out.`);
  if (!forgotten) {
    const revoked = revocation === "revoked" ? t`The tokens are revoked at the service. ` : "";
    output.warn(t`${revoked}The session of ${store} is still stored here.`);
  }
  if (error === undefined) return forgotten ? [] : [storageError];
  const subject = forgotten ? t`${store} is signed out here, but its tokens` : t`The tokens of ${store}`;
  output.warn(t`${subject} were not revoked and may work until they expire.`);
  const unrevoked = new ComandaError(error.code, error.message, {
    hint: t`The store's owner can uninstall the app in the store portal, which revokes its tokens too.`,
    ...(error.answer && { answer: error.answer }),
  });
  return forgotten ? [unrevoked] : [unrevoked, storageError];
}
