/** `comanda status` tells whether a store is signed in. */
import { ComandaError } from "../client/errors.js";
import { t } from "../languages/language.js";
import { localTime } from "../languages/local-time.js";
import type { Output } from "../cli/output.js";

import { endWith, type Command } from "../cli/command.js";
import type { Context } from "../cli/context.js";
import { oneStore } from "../cli/global-options.js";
import { describeState, isSignedIn, type StatusReport } from "./session-state.js";
import { checkSignIn, checkJson, storedSignIn, type CredentialCheck, type SignIn } from "./sign-in-check.js";

export function status(command: Command): void {
  command
    .about(
      "is the store signed in? A gate for scripts by its exit code",
      "Answers from what is stored, without a call. Exit code 0: the store is signed in, if need be with a token " +
        "that commands renew themselves, or has a key alone, which is enough for orders and shows no sales figures. Exit code 3: it needs a new sign-in, also where its API key " +
        'still changes the status of orders; that is "can_change_orders" in --json. --check asks the service, which ' +
        "renews a token that has expired. A sign-in is tried by a summary of one minute, one of 5 a minute. There is no call that " +
        "only asks for an API key: with it an order is marked as delivered that can't exist. Only an answer of the API's own " +
        "proves or disproves it.",
    )
    .takes("store")
    .option("--check", "ask the service")
    .examples("status", "status --check --json", "status --quiet && comanda orders dispatch 4711")
    .does(showStatus);
}

async function showStatus(context: Context, { check = false }: { readonly check?: boolean }): Promise<void> {
  const store = oneStore(context.options);
  const signIn = await (check ? checkSignIn(context, store) : storedSignIn(context, store));
  const { report, checks, failure } = signIn;
  const { stores } = await (await context.state()).settings.read();
  const timeZone = (report.store === null ? undefined : stores?.[report.store]?.time_zone) ?? null;
  if (context.output.json) {
    context.output.value({
      ...report,
      ...(report.store !== null && { time_zone: timeZone }),
      ...(checks && { checked: checks.map(checkJson) }),
    });
  } else describe(context.output, { ...signIn, timeZone, now: context.clock.now() });
  endWith(context, failure ?? (isSignedIn(report) ? undefined : notSignedIn(report)));
}

interface StoreStatus extends SignIn {
  /** The IANA name of the zone in which days are counted; null where none is set. */
  readonly timeZone: string | null;
  /** Milliseconds since the epoch. */
  readonly now: number;
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

function describe(output: Output, store: StoreStatus): void {
  const { report, credentials, timeZone, now, failure, checks = [] } = store;
  if (report.store !== null) output.words(t`Store:        ${report.store} (${report.environment ?? "?"})`);
  const isUnchecked = report.state === "unreachable" && failure !== undefined;
  const state = isUnchecked
    ? t`not checked: ${failure.message}`
    : describeState(report, credentials.includes("bearer"));
  output.words(t`State:        ${state}`);
  for (const check of checks) output.words(t`Checked:      ${describeCheck(check)}`);
  if (report.scopes.length > 0) output.words(t`Permissions:  ${report.scopes.join(", ")}`);
  const token = describeToken(report, timeZone, now);
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
function describeToken(report: StatusReport, zone: string | null, now: number): string | undefined {
  if (report.expires_at === null || report.state === "refused") return undefined;
  const time = localTime(Date.parse(report.expires_at), zone ?? undefined);
  if (Date.parse(report.expires_at) <= now) return t`Token ended:  ${time}`;
  return t`Token until:  ${time}${report.has_refresh_token ? t`, then it renews itself` : ""}`;
}
