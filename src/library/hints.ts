/**
 * The library's hints: they name its options and functions, and never a command or a flag. `createClient` has those of
 * {@link clientHint} alone, because a bundle contains no others then.
 */
import { secretsOf } from "../client/options.js";
import { completeHint } from "../base/errors.js";
import type { ClientHintKinds, CommandHintKinds, HintFacts, HintKinds } from "../base/hint-facts.js";

/** Does the work, and completes the hint of its error. */
export async function withHints<Result>(
  hintOf: (facts: HintFacts) => string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw completeHint(error, hintOf);
  }
}

/** Returns the hint of an error of `createClient`. */
export function clientHint(facts: HintFacts): string {
  switch (facts.about) {
    case "base_url":
      return "Check baseUrl.";
    case "timeout":
      return "Try again, or increase timeoutMs.";
    case "max_wait":
      return "Try again later, or increase maxWaitMs.";
    case "credential":
      return facts.schemes.map((scheme) => credentialHint(facts.problem, scheme)).join("\n");
    default:
      // The functions that throw these have completed them.
      facts satisfies HintFacts<Exclude<keyof HintKinds, keyof ClientHintKinds>>;
      return "";
  }
}

function credentialHint(problem: HintKinds["credential"]["problem"], scheme: keyof typeof secretsOf): string {
  if (problem === "lacks_scope") return "With comanda/oauth, call authorizationUrl.";
  const names = secretsOf[scheme].map((name) => `credentials.${name}`);
  if (problem === "missing") return `Add ${names.join(" and ")}.`;
  if (scheme !== "bearer") return "Check the key in the store's portal, under Integrations.";
  return "Get a new token, or add credentials.renew.";
}

const commandLine = "comanda's command line";

/** Returns the hint of an error of `comanda/node` or `salesFigures`. */
export function programHint(facts: HintFacts): string {
  switch (facts.about) {
    case "base_url":
    case "timeout":
    case "max_wait":
    case "credential":
      return clientHint(facts);
    case "sign_in":
      return `Sign in to ${facts.store} (environment ${facts.environment}) with ${commandLine}.`;
    case "sign_in_expired":
      return `Sign in again with ${commandLine}.`;
    case "no_store":
      return `Sign in to a store with ${commandLine}, as the user that runs this program.`;
    case "unknown_store":
      return facts.known === "" ? `Sign in to it with ${commandLine}.` : `Known stores: ${facts.known}.`;
    case "several_stores":
      return `Choose one by the option store or by COMANDA_STORE: ${facts.known}.`;
    case "app":
      return `The client_id and redirect_uri of the environment ${facts.environment} must be the registered ones, and the app approved.`;
    case "token_service":
      return "Try again later. If that doesn't help, check the network and the base URL.";
    case "damaged_settings":
      return `Repair it in an editor, or delete it and set its environments again with ${commandLine}.`;
    case "damaged_sign_in":
      return `Delete it, and sign in again with ${commandLine}.`;
    case "old_database":
      return `Move it away (in PostgreSQL: drop its schemas), and sign in again with ${commandLine}.`;
    case "damaged_database":
      return "Move it away, and a new one is created; sign-ins are not in it.";
    case "foreign_row":
      return `Examine it with the command doctor of ${commandLine}.`;
    case "missing_tables":
      return `Create them once, as a role that may, with the command doctor of ${commandLine}.`;
    case "missing_right":
      return `The topic chain in the help of ${commandLine} names the roles and what each may do.`;
    case "missing_driver":
      return facts.name === "pg"
        ? "Install the package pg."
        : "Use Node 22.13 or newer, or install the package @photostructure/sqlite.";
    default:
      facts satisfies HintFacts<keyof CommandHintKinds | "wrong_figures">;
      return `This is done with ${commandLine}.`;
  }
}

export const authorizeAgain = "The store's Owner has to authorize the app again: authorizationUrl({ key }).";

/** Returns the hint of an error of `comanda/oauth`. */
export function oauthHint(facts: HintFacts): string {
  switch (facts.about) {
    case "sign_in":
    case "sign_in_expired":
    case "stores":
      return authorizeAgain;
    case "access_denied":
      return "The store's Owner alone may authorize the app, and has to allow it.";
    case "app":
    case "address":
    case "other_environment":
      return "authUrl, baseUrl, clientId and redirectUri must be those of one environment, as registered.";
    default:
      return programHint(facts);
  }
}
