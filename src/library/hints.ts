/**
 * The library's hints, which name its options and functions and never a command or a flag. `createClient` uses only
 * {@link clientHint}, so that a bundle contains no others.
 */
import { schemeTable, type AuthScheme } from "../api/operations.js";
import type { HintFacts, HintKinds, HintWords } from "../base/hint-facts.js";

const clientHints: HintWords = {
  base_url: () => "Check baseUrl.",
  timeout: () => "Try again, or increase timeoutMs.",
  max_wait: () => "Try again later, or increase maxWaitMs.",
  proxy: () => "Check HTTPS_PROXY, HTTP_PROXY and NO_PROXY.",
  certificate: () => "To trust another certificate authority, such as a company's, set NODE_EXTRA_CA_CERTS.",
  credential: (facts) => facts.schemes.map((scheme) => credentialHint(facts, scheme)).join("\n"),
};

const commandLine = "comanda's command line";

const signInTo = ({ store, environment }: HintKinds["sign_in"]) =>
  `Sign in to ${store} (environment ${environment}) with ${commandLine}.`;

function credentialHint({ problem, signedStore }: HintKinds["credential"], scheme: AuthScheme): string {
  if (signedStore && scheme === "bearer") return signInTo(signedStore);
  if (signedStore) return `Save the key of ${signedStore.store} with ${commandLine}.`;
  const authorize = "With comanda/oauth, call authorizationUrl.";
  if (problem === "lacks_scope") return authorize;
  const names = schemeTable[scheme].kinds.map((name) => `credentials.${name}`);
  if (problem === "missing") return `Add ${names.join(" and ")}.`;
  if (scheme !== "bearer") return "Check the key in the store's portal, under Integrations.";
  return `Get a new token. ${authorize}`;
}

/** Returns the hint of an error of `createClient`; empty for the kinds of other functions, which complete them. */
export function clientHint<Kind extends keyof HintKinds>(facts: HintFacts<Kind>): string {
  return clientHints[facts.about]?.(facts) ?? "";
}

const signInAgain = "Sign in again with comanda's command line.";

const programHints: HintWords = {
  sign_in: signInTo,
  sign_in_expired: () => signInAgain,
  new_sign_in: () => "To use the new sign-in, call fileSession again.",
  no_store: () => `Sign in to a store with ${commandLine}, as the user that runs this program.`,
  unknown_store: ({ known, isTyped }) =>
    (isTyped ? "" : "The alias comes from COMANDA_STORE. ") +
    (known === "" ? `Sign in to the store with ${commandLine}.` : `Stores on this machine: ${known}.`),
  several_stores: ({ known }) => `Choose one with the option store or COMANDA_STORE: ${known}.`,
  app: ({ environment }) =>
    `Check the client_id and redirect_uri of the environment ${environment}, and whether the app is approved.`,
  token_service: () => "Try again later. If it still fails, check the network and the base URL.",
  wrong_figures: () => "Request the figures again. If they are still wrong, report it to the service.",
  damaged_settings: () =>
    `Correct the file, or delete it and set its environments again with ${commandLine}.`,
  damaged_sign_in: () => `Delete the file. ${signInAgain}`,
  damaged_database: ({ place }) =>
    place.endsWith(".db")
      ? "Move the database to another folder; the next call creates a new one. The database contains no sign-ins."
      : `In PostgreSQL, rename the schema ${place}. ${signInAgain}`,
  sealed_row: () =>
    `Set COMANDA_STATE_KEY to the key that the other machines use. After a change of keys, set both, "NEW,OLD", until the command doctor of ${commandLine} confirms that OLD is no longer needed.`,
  settings_folder: () => "To use another folder, set the option folder or COMANDA_CONFIG_DIR.",
  state_address: () => "Check the address in COMANDA_STATE.",
  state_password: () => "Set PGPASSWORD, or add the password to the address in COMANDA_STATE.",
  state_key: () => "Set the key in COMANDA_STATE_KEY, or the path of its file in COMANDA_STATE_KEY_FILE.",
  unrecorded: () => `Record the outcome with the command history settle of ${commandLine}.`,
  missing_tables: () =>
    `Create the tables with the command doctor of ${commandLine}, as a role that can create them.`,
  missing_right: () => `The help topic postgres of ${commandLine} lists the roles and their rights.`,
  missing_driver: ({ name }) =>
    name === "pg"
      ? "Install the package pg."
      : "Use Node 22.13 or newer, or install the package @photostructure/sqlite.",
};

/** Returns the hint of an error of `comanda/node` or `salesFigures`. */
export function programHint<Kind extends keyof HintKinds>(facts: HintFacts<Kind>): string {
  const words = programHints[facts.about]?.(facts) ?? clientHint(facts);
  return words || `To find the cause, use the command doctor of ${commandLine}.`;
}

export const authorizeAgain = "The store's owner must authorize the app again: authorizationUrl({ key }).";
const sameEnvironment = "authUrl, baseUrl, clientId and redirectUri must belong to one registered app.";

const oauthHints: HintWords = {
  sign_in: () => authorizeAgain,
  sign_in_expired: () => authorizeAgain,
  stores: () => authorizeAgain,
  access_denied: () => "The store's owner must authorize the app.",
  app: () => sameEnvironment,
  address: () => sameEnvironment,
  alias_taken: () => sameEnvironment,
};

/** Returns the hint of an error of `comanda/oauth`. */
export function oauthHint<Kind extends keyof HintKinds>(facts: HintFacts<Kind>): string {
  return oauthHints[facts.about]?.(facts) ?? programHint(facts);
}
