/** `comanda logout`: revokes the tokens of stores at the service, and forgets the stores. */
import type { SignOutResult } from "../auth/sign-out.js";
import { ComandaError } from "../shared/errors.js";
import { t } from "../shared/language.js";
import { storeFileName } from "../state/sessions/store-alias.js";
import { withoutStore } from "../state/settings/store-settings.js";
import type { Output } from "../terminal/index.js";

import type { Command } from "./command.js";
import { oneStore } from "./command-line.js";
import type { Machine } from "./machine.js";

export interface LogoutOptions {
  readonly store: string | undefined;
  /** Every store that this machine knows. */
  readonly all: boolean;
  /** Milliseconds for one request. */
  readonly timeoutMs: number | undefined;
}

export interface LogoutResult {
  /** How many stores were signed out; each has been told by then. */
  readonly stores: number;
  readonly failures: readonly ComandaError[];
}

export const logout: Command<LogoutOptions, LogoutResult> = {
  description: {
    usage: "logout",
    summary: "revoke a store's tokens at the service, then forget the store",
    description: "Its settings and the sales figures that are kept on this machine are forgotten too.",
    takes: ["store"],
    options: [{ flags: "--all", description: "every store that this machine knows" }],
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
      ? (await sessions.list()).map((session) => session.store)
      : [(await machine.chooseSession({ store })).store];
    const { signOut } = await machine.auth();
    const transport = await machine.transport();
    const failures: ComandaError[] = [];
    try {
      for (const each of stores) {
        const result = await signOut({
          store: each,
          sessions,
          transport,
          signal: machine.context.signal,
          ...(timeoutMs !== undefined && { requestTimeoutMs: timeoutMs }),
        });
        failures.push(...tell(machine.output, each, result));
        if (!result.stillStored) failures.push(...(await forgetTheRest(machine, each)));
      }
    } finally {
      await transport.close();
    }
    return { stores: stores.length, failures };
  },

  present({ stores }, output) {
    if (stores === 0) output.notice(t`No store is signed in.`);
  },

  failure: ({ failures: [first] }) => first,
};

/** What else is kept of a store. @returns what could not be forgotten */
async function forgetTheRest(machine: Machine, store: string): Promise<ComandaError[]> {
  const { settings, data, folder } = await machine.state();
  const { clearLedger, clearEarlierCache } = await machine.ledger();
  const rest: readonly (readonly [what: string, forget: () => unknown])[] = [
    [t`The settings`, () => settings.update((current) => withoutStore(current, store))],
    [t`The sales figures`, () => clearLedger(data, storeFileName(store)) + clearEarlierCache(folder)],
  ];
  const failures: ComandaError[] = [];
  for (const [what, forget] of rest) {
    try {
      await forget();
    } catch (error) {
      if (!(error instanceof ComandaError)) throw error;
      machine.output.warn(t`${what} of ${store} are still stored.`);
      failures.push(error);
    }
  }
  return failures;
}

/** @returns what the program has to end with */
function tell(output: Output, store: string, result: SignOutResult): ComandaError[] {
  const { revocation, error, stillStored } = result;
  const forgotten = stillStored === undefined;
  if (output.json) output.jsonLine({ store, revoked: revocation === "revoked", forgotten });
  else if (forgotten) output.sentence(t`${store} is signed out.`);
  if (!forgotten) {
    const revoked = revocation === "revoked" ? t`The tokens are revoked at the service. ` : "";
    output.warn(t`${revoked}The session of ${store} is still stored here.`);
  }
  if (error === undefined) return forgotten ? [] : [stillStored];
  const here = forgotten ? t`${store} is forgotten here, but its tokens` : t`The tokens of ${store}`;
  output.warn(t`${here} were not revoked and may work until they expire.`);
  const unrevoked = new ComandaError(error.code, error.message, {
    hint: t`The store's owner can uninstall the app in the store portal, which revokes its tokens too.`,
    ...(error.answer && { answer: error.answer }),
  });
  return forgotten ? [unrevoked] : [unrevoked, stillStored];
}
