/** `comanda status` tells whether a store is signed in. */
import { ComandaError } from "../shared/errors.js";
import { t } from "../shared/language.js";
import { localTime } from "../shared/local-time.js";
import { codesOf, type Output } from "../terminal/index.js";

import type { UnusableStore } from "../toolkit/choose-store.js";
import type { Command } from "../toolkit/command.js";
import type { Machine } from "../toolkit/machine.js";
import { describeState, isSignedIn, type StatusReport } from "../toolkit/session-state.js";
import {
  checkSignIn,
  checkJson,
  storedSignIn,
  type CredentialCheck,
  type SignIn,
} from "../toolkit/sign-in-check.js";

export interface StatusOptions {
  /** The stores that `--store` names. */
  readonly stores: readonly string[];
  readonly allStores: boolean;
  /** Ask the service, in place of showing what is stored? */
  readonly check: boolean;
}

export interface StatusResult {
  /** Did the person ask for several stores? Then the result is a list, even if this machine knows but one. */
  readonly areSeveral: boolean;
  readonly stores: readonly (StoreStatus | UnusableStore)[];
}

interface StoreStatus extends SignIn {
  readonly kind: "status";
  /** The IANA name of the zone in which days are counted; null where none is set. */
  readonly timeZone: string | null;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export const status: Command<StatusOptions, StatusResult> = {
  description: {
    usage: "status",
    summary: "is the store signed in? A gate for scripts by its exit code",
    description:
      "Answers from what is stored, without a call. Exit code 0: the store is signed in, if need be with a token " +
      "that commands renew themselves, or has a key alone, which is enough for orders and shows no sales figures. Exit code 3: it needs a new sign-in, also where its API key " +
      'still changes the status of orders; that is "can_change_orders" in --json. --check asks the service, which ' +
      "renews a token that has expired. A sign-in is tried by a summary of one minute, one of 5 a minute. There is no call that " +
      "only asks for an API key: with it an order is marked as delivered that can't exist. Only an answer of the API's own " +
      "proves or disproves it.",
    takes: ["store", "allStores"],
    options: [{ flags: "--check", description: "ask the service" }],
    examples: [
      "status",
      "status --check --json",
      "status --quiet && comanda orders dispatch 4711",
      "status --all-stores",
    ],
  },

  parse: (line) => ({
    stores: line.globals.stores,
    allStores: line.globals.allStores,
    check: line.flag("--check"),
  }),

  async run(machine, { stores, allStores, check }) {
    const areSeveral = allStores || stores.length > 1;
    if (!areSeveral) return { areSeveral, stores: [await statusAt(machine, { store: stores[0], check })] };
    const aliases = await machine.storeAliases({ stores, allStores });
    const all = await Promise.all(
      aliases.map((store) => statusAt(machine, { store, check }).catch(orUnusable(store))),
    );
    return { areSeveral, stores: all };
  },

  present({ areSeveral, stores }, output) {
    if (output.json) {
      const shapes = stores.map(jsonOf);
      output.value(areSeveral ? { stores: shapes } : shapes[0]);
      return;
    }
    for (const [index, store] of stores.entries()) {
      if (index > 0) output.line("");
      describe(output, store);
    }
  },

  failure({ areSeveral, stores }) {
    const failures = stores.flatMap((store) => {
      const error = failureOf(store);
      const name = store.kind === "missing" ? store.store : (store.report.store ?? "?");
      return error ? [{ name, error }] : [];
    });
    if (!areSeveral || failures.length === 0) return failures[0]?.error;
    const names = failures.map(({ name }) => name).join(", ");
    return new ComandaError(
      "some_failed",
      t`${failures.length} of ${stores.length} stores are not ready: ${names}.`,
      { hint: failures.map(({ name, error }) => `${name}: ${error.message}`).join("\n") },
    );
  },
};

/** @param store the alias that `--store` names */
async function statusAt(
  machine: Machine,
  { store, check }: { readonly store: string | undefined; readonly check: boolean },
): Promise<StoreStatus> {
  const signIn = await (check ? checkSignIn(machine, store) : storedSignIn(machine, store));
  const { store: alias } = signIn.report;
  const { stores } = await (await machine.state()).settings.read();
  const zone = alias === null ? undefined : stores?.[alias]?.time_zone;
  return {
    kind: "status",
    ...signIn,
    timeZone: zone ?? null,
    now: machine.context.clock.now(),
  };
}

/** A session that can't be read concerns its store alone, but an unknown alias is a slip and ends the command. */
function orUnusable(store: string): (error: unknown) => UnusableStore {
  return (error) => {
    if (!(error instanceof ComandaError) || error.code !== "state_unusable") throw error;
    return { kind: "missing", store, error };
  };
}

function jsonOf(store: StatusResult["stores"][number]): object {
  if (store.kind === "missing") {
    const { exitCode: exit_code, message } = store.error;
    return { store: store.store, error: { exit_code, ...codesOf(store.error), message } };
  }
  return {
    ...store.report,
    ...(store.report.store !== null && { time_zone: store.timeZone }),
    ...(store.checks && { checked: store.checks.map(checkJson) }),
  };
}

/** @returns `undefined` where the store is ready */
function failureOf(store: StatusResult["stores"][number]): ComandaError | undefined {
  if (store.kind === "missing") return store.error;
  return store.failure ?? (isSignedIn(store.report) ? undefined : notSignedIn(store.report));
}

function notSignedIn({ store, environment, state, can_change_orders: hasKey }: StatusReport): ComandaError {
  const hints = [
    store === null || environment === null
      ? t`Sign in: comanda login --store <alias> --env <name>`
      : t`Sign in: comanda login --store ${store} --env ${environment}`,
    ...(hasKey ? [t`Until then the status of orders is changed with its API key.`] : []),
  ];
  return new ComandaError(
    state === "refused" ? "token_refused" : "not_signed_in",
    store === null ? t`No store is signed in.` : t`${store} needs a new sign-in.`,
    { hint: hints.join("\n") },
  );
}

function describe(output: Output, store: StatusResult["stores"][number]): void {
  if (store.kind === "missing") {
    output.line(t`Store:        ${store.store}`);
    output.line(t`State:        ${store.error.message}`);
    return;
  }
  const { report, credentials, timeZone, now, failure, checks = [] } = store;
  if (report.store !== null) output.words(t`Store:        ${report.store} (${report.environment ?? "?"})`);
  const isUnchecked = report.state === "unreachable" && failure !== undefined;
  const state = isUnchecked
    ? t`not checked: ${failure.message}`
    : describeState(report, credentials.includes("bearer"));
  output.words(t`State:        ${state}`);
  for (const check of checks) output.words(t`Checked:      ${describeCheck(check)}`);
  if (report.scopes.length > 0) output.words(t`Permissions:  ${report.scopes.join(", ")}`);
  const token = describeToken(report, now);
  if (token !== undefined) output.words(token);
  if (report.store !== null) output.words(t`Orders:       ${describeOrders(report)}`);
  if (report.has_api_key) output.line(t`API key:      stored`);
  if (report.has_partner_key) output.line(t`Partner key:  stored`);
  if (report.store !== null)
    output.words(t`Time zone:    ${timeZone ?? t`not set, so it is this machine's`}`);
}

function describeCheck({ call, result }: CredentialCheck): string {
  const credential =
    call === "summary"
      ? t`the sign-in, by a summary of one minute`
      : t`the API key, by marking an order as delivered that can't exist`;
  switch (result) {
    case "accepted":
      return t`${credential}: the service accepts it`;
    case "not_allowed":
      return t`${credential}: the service doesn't allow it`;
    case "refused":
      return t`${credential}: the service refuses it`;
    case "not_checked":
      return t`${credential}: no answer of the API that tells`;
  }
}

function describeOrders(report: StatusReport): string {
  if (!report.can_change_orders) return t`can't be changed`;
  const byToken = report.expires_at !== null && (isSignedIn(report) || report.state === "unreachable");
  return byToken ? t`can be changed` : t`can be changed, with the API key`;
}

/** The expiry of a token that the service refuses would mislead. */
function describeToken(report: StatusReport, now: number): string | undefined {
  if (report.expires_at === null || report.state === "refused") return undefined;
  const minute = localTime(Date.parse(report.expires_at)).slice(0, "2026-11-20 21:00".length);
  if (Date.parse(report.expires_at) <= now) return t`Token ended:  ${minute}`;
  return t`Token until:  ${minute}${report.has_refresh_token ? t`, then it renews itself` : ""}`;
}
