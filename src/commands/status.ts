/** `comanda status` tells whether a store is signed in. */
import { endWith, type Command } from "../cli/command.js";
import type { Context } from "../cli/context.js";
import { oneStore } from "../cli/global-options.js";
import { ComandaError } from "../client/errors.js";
import { t } from "../languages/language.js";
import { localTime } from "../languages/local-time.js";

import {
  checkJson,
  checkSignIn,
  describeState,
  isSignedIn,
  storedSignIn,
  type CredentialCheck,
} from "./sign-in.js";

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
  const { output, clock } = context;
  const named = oneStore(context.options);
  const { report, credentials, checks, failure } = await (check
    ? checkSignIn(context, named)
    : storedSignIn(context, named));
  const { store, environment, state, scopes, expires_at: end } = report;
  const { stores } = await (await context.state()).settings.read();
  const zone = store === null ? undefined : stores?.[store]?.time_zone;
  const works = isSignedIn(report);
  if (output.json) {
    const time_zone = store === null ? {} : { time_zone: zone ?? null };
    output.value({ ...report, ...time_zone, ...(checks && { checked: checks.map(checkJson) }) });
  } else {
    if (store !== null) output.words(t`Store:        ${store} (${environment ?? "?"})`);
    const words =
      state === "unreachable" && failure
        ? t`not checked: ${failure.message}`
        : describeState(report, credentials.includes("bearer"));
    output.words(t`State:        ${words}`);
    for (const each of checks ?? []) output.words(t`Checked:      ${describeCheck(each)}`);
    if (scopes.length > 0) output.words(t`Permissions:  ${scopes.join(", ")}`);
    // The end of a token that the service refuses would mislead.
    if (end !== null && state !== "refused") {
      const time = localTime(Date.parse(end), zone);
      const renewal = report.has_refresh_token ? t`, then it renews itself` : "";
      const isOver = Date.parse(end) <= clock.now();
      output.words(isOver ? t`Token ended:  ${time}` : t`Token until:  ${time}${renewal}`);
    }
    if (store !== null) {
      const byToken = end !== null && (works || state === "unreachable");
      const can = byToken ? t`can be changed` : t`can be changed, with the API key`;
      output.words(t`Orders:       ${report.can_change_orders ? can : t`can't be changed`}`);
    }
    if (report.has_api_key) output.line(t`API key:      stored`);
    if (report.has_partner_key) output.line(t`Partner key:  stored`);
    if (store !== null) output.words(t`Time zone:    ${zone ?? t`not set, so it is this machine's`}`);
  }
  if (failure ?? works) {
    endWith(context, failure);
    return;
  }
  const isKnown = store !== null && environment !== null;
  const hint = isKnown
    ? t`Sign in: comanda login --store ${store} --env ${environment}`
    : t`Sign in: comanda login --store <alias> --env <name>`;
  const untilThen = t`Until then the status of orders is changed with its API key.`;
  endWith(
    context,
    new ComandaError(
      state === "refused" ? "token_refused" : "not_signed_in",
      isKnown ? t`${store} needs a new sign-in.` : t`No store is signed in.`,
      { hint: report.can_change_orders ? `${hint}\n${untilThen}` : hint },
    ),
  );
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
