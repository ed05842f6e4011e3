/** `comanda status` shows whether a store is signed in, from stored data or, with `--check`, by a call. */
import { credentialKinds, schemeTable } from "../api/operations.js";
import type { Command } from "../cli/command.js";
import type { Context } from "../cli/context.js";
import { localTime } from "../cli/text.js";
import { checkCredentials, storeState } from "../core/stores.js";
import { continued, t, translated } from "../languages/language.js";
import { describeState, factLines } from "../views/stores.js";

export default function status(command: Command): void {
  command
    .details(
      "Without --check, the command reads only stored data and sends nothing.",
      'Exit code 0: the store is signed in, even if the next command must renew an expired token. It is also 0 if the store has only an API key, which is enough for orders.\nExit code 3: the store is signed out, or its sign-in no longer works, even if an API key can still change orders ("can_change_orders" in --json). With --check, it is also 3 if the service refuses the API key.',
      "--check verifies the credentials with the service and renews an expired token. To verify a sign-in, --check requests the sales of one minute, which counts toward the limit of 5 requests per minute. The API has no call that only verifies a key, so --check tries to mark a nonexistent order as delivered. Only an answer from the API itself shows that a credential is valid; a 401 or 403 shows that it isn't.",
    )
    .takes("store")
    .option("--check", "verify the credentials with the service")
    .examples("status", "status --check --json", "status --quiet && comanda orders dispatch 4711")
    .does(showStatus);
}

async function showStatus(
  { output, options, workspace }: Context,
  { check = false }: { readonly check?: boolean },
) {
  const examine = check ? checkCredentials : storeState;
  const { document, credentials, checks, failure } = await examine(workspace, options.store);
  const { store, environment, state, scopes, expires_at: end, time_zone: zone } = document;
  if (output.json) output.value(document);
  else {
    let expiry: string | undefined;
    // The expiry time of a rejected token would be misleading.
    if (end !== null && state !== "refused") {
      const time = localTime(Date.parse(end), zone ?? undefined);
      expiry = document.has_refresh_token ? t`${time} (renewed automatically)` : time;
    }
    const canChange = document.can_change_orders ? "yes" : "no";
    const isKeyChecked = checks.some(({ credential }) => credential === "api_key");
    const lines = factLines([
      ["Store", store === null ? undefined : `${store} (${environment ?? "?"})`],
      ["State", describeState(document, credentials.includes("bearer"))],
      ...checks.map(
        ({ credential, result }) => [schemeTable[credential].name, translated(resultTexts[result])] as const,
      ),
      ["permissions", scopes.length > 0 ? scopes.join(", ") : undefined],
      ["token expiry", expiry],
      ["can change orders", store === null ? undefined : translated(canChange)],
      [credentialKinds.apiKey.name, document.has_api_key && !isKeyChecked ? t`yes` : undefined],
      [credentialKinds.partnerKey.name, document.has_partner_key ? t`yes` : undefined],
      ["time zone", store === null ? undefined : (zone ?? t`not set`)],
    ]);
    for (const line of lines) output.words(line);
  }
  for (const { result, failure: reason } of checks)
    if (result === "not_checked" && reason && reason.message !== failure?.message)
      output.warn(t`The key was not checked: ${continued(reason.message)}`);
  return failure;
}

const resultTexts = {
  accepted: "ok",
  not_allowed: "not allowed",
  refused: "refused by the service",
  not_checked: "not checked",
} as const;
