/** The hints of the command line, by kind. */
import path from "node:path";

import type { AuthScheme } from "../api/operations.js";
import type { HintFacts, HintKinds, SettledOrder, SignedStore } from "../base/hint-facts.js";
import { t, translated } from "../languages/language.js";

export function hintFor<Kind extends keyof HintKinds>(facts: HintFacts<Kind>): string {
  return hints[facts.about](facts);
}

const hints: { readonly [Kind in keyof HintKinds]: (facts: HintKinds[Kind]) => string } = {
  base_url: ({ source }) =>
    source === "environment"
      ? t`Check the base URL: ${"comanda env list"}`
      : t`Check ${source === "option" ? "--base-url" : "COMANDA_BASE_URL"}.`,
  timeout: () => moreTime("--timeout 2m"),
  max_wait: () => moreTime("--max-wait 15m"),
  proxy: () => t`Check HTTPS_PROXY, HTTP_PROXY and NO_PROXY.`,
  certificate: () => t`To trust another certificate authority, such as a company's, set NODE_EXTRA_CA_CERTS.`,
  credential: ({ schemes, signedStore }) =>
    schemes.map((scheme) => credentialHint(scheme, signedStore)).join("\n"),
  sign_in: signInCommand,
  sign_in_expired: () => t`Run the same command again.`,
  // Section 7: with a wrong client id or redirect URI, the portal shows an error and doesn't redirect.
  sign_in_unfinished: ({ environment }) =>
    t`If the portal showed an error page, compare the client id and the redirect URI of ${environment} with the app's registration: comanda env list`,
  access_denied: () =>
    t`The store's owner must allow the app in the portal. Run the same command again, and sign in there as the owner.`,
  redirect: () => t`Run comanda login in a terminal.`,
  redirect_port: () => t`Quit the program that uses the port, such as another comanda login, then try again.`,
  app: ({ environment }) =>
    t`Check that the app is approved, and registered with the client id and the redirect URI of ${environment}: comanda env list`,
  token_service: () => t`Try again later. If it happens again, check the address: comanda env list`,
  no_store: () => t`Sign in to a store: comanda login --store <alias> --env <name>`,
  unknown_store: ({ known, isTyped }) => {
    const origin = isTyped ? "" : `${t`The alias comes from COMANDA_STORE.`} `;
    return origin + (known === "" ? hints.no_store({}) : t`Stores: ${known}.`);
  },
  several_stores: ({ first, known }) =>
    t`Stores: ${known}. Add --store <alias>, or set a default: comanda stores use ${first}`,
  stores: () => see("comanda stores list"),
  alias_taken: ({ store }) =>
    t`Choose another alias, or remove this store first: comanda stores remove ${store}`,
  address: ({ environment, baseUrl = "<url>" }) =>
    t`Set it up: comanda env set ${environment} --base-url ${baseUrl} --auth-url <url> --client-id <id>`,
  environments: () => see("comanda env list"),
  wrong_figures: () => t`Try again. If it happens again, report it to the service.`,
  damaged_settings: () =>
    t`Repair the file in an editor. Or delete the file, and set the environments (comanda env set), the stores' time zones and currencies (comanda stores set) and the default store (comanda stores use) again.`,
  damaged_sign_in: ({ store }) =>
    t`Delete the file and sign in again: comanda login --store ${store} --env <name>`,
  damaged_database: ({ place }) => replaceDatabase(place),
  foreign_row: () => see("comanda doctor"),
  sealed_row: ({ name }) =>
    t`Set COMANDA_STATE_KEY to the key that the other machines use. After a change of keys, set both, NEW,OLD, and run comanda doctor. If the key is lost, run in PostgreSQL: ${`delete from comanda.sealed where name = '${name.replaceAll("'", "''")}'`}. Then sign in to the store or repeat the setting.`,
  settings_folder: () => t`To use another folder, set COMANDA_CONFIG_DIR.`,
  state_address: () => t`Check the address in COMANDA_STATE.`,
  state_password: () =>
    t`Set PGPASSWORD, or add the password to the address in COMANDA_STATE: postgres://user:password@host:port/database`,
  state_key: () => t`Set the key in COMANDA_STATE_KEY, or the path of its file in COMANDA_STATE_KEY_FILE.`,
  unrecorded: (facts) => t`To record it: ${settleCommand(facts)}`,
  missing_tables: () => t`Run this once, with a role in COMANDA_STATE that can create them: comanda doctor`,
  missing_right: () => see("comanda help postgres"),
  missing_driver: ({ name }) =>
    name === "pg"
      ? t`Install it with comanda: npm install --global comanda pg`
      : t`Use Node 22.13 or newer, or install comanda again with its optional dependencies: npm install --include=optional\nWithout a package registry, see "Install" in comanda's README.md.`,
  missing_variable: ({ isAddress }) =>
    isAddress
      ? t`Set it, or unset COMANDA_ACCESS_TOKEN and COMANDA_API_KEY to use a store on this machine.`
      : t`Set one of them, or unset COMANDA_BASE_URL to use a store on this machine.`,
  new_sign_in: ({ store, isList = false }) =>
    isList
      ? t`See which store it is now: ${`comanda status --store ${store}`}. Then send only the orders that were not changed: --resume doesn't skip those from before the sign-in.`
      : t`Run the same command again.`,
  // Two commands, because a shell would read `done|not-done` as a pipe, and record the order as done.
  settle: ({ order, store, isOnly }) => {
    const commandFor = (isDone: boolean) => settleCommand({ order, store, isDone });
    return [
      t`Once you have checked order ${order} in the store's portal, record the outcome.\nIf the order was changed: ${commandFor(true)}\nIf it wasn't: ${commandFor(false)}`,
      ...(isOnly ? [] : [t`All unknown outcomes: comanda history --outcome unknown`]),
    ].join("\n");
  },
  driver_ids: () => t`Type the driver's id. To list the ids: comanda driver list`,
  joined_ids: ({ ids }) => t`Separate the ids with spaces: ${ids.join(" ")}`,
  resume: () => t`To send what wasn't sent, run the same command with --resume.`,
  list_in_flight: () => t`Wait, then check the history: comanda history`,
  no_unknown: ({ order }) => see(`comanda history --order ${order}`),
  which_store: (facts) => t`For example: ${settleCommand(facts)}`,
  offline: () => t`Run the command without --offline.`,
  missing_stores: ({ reasons }) =>
    reasons
      .map(({ store, error: { message, hint, hintFacts } }) => {
        const next = [hint, hintFacts && hintFor(hintFacts)].filter(Boolean).join("\n");
        return `${store}: ${message} ${next}`.trim();
      })
      .join("\n"),
  late_days: ({ store }) =>
    t`Request each period separately, for example: comanda summary --period last-week --store ${store}`,
  period_forms: () => t`For details: comanda help periods`,
  insecure_address: () => t`To use http in tests, set COMANDA_ALLOW_INSECURE=1.`,
  time_zone: ({ store }) => {
    const zone = translated("<zone>");
    const command = store === undefined ? `TZ=${zone}` : `comanda stores set ${store} --tz ${zone}`;
    return t`To set a time zone such as America/Sao_Paulo: ${command}`;
  },
  store_setting: ({ store, name }) =>
    t`Set it again: ${`comanda stores set ${store} ${settingExamples[name]}`}`,
};

const settingExamples = {
  time_zone: "--tz America/Sao_Paulo",
  day_starts: "--day-starts 04:00",
  currency: "--currency BRL",
  locale: "--locale pt-BR",
} as const;

function settleCommand({ order, store, isDone }: SettledOrder): string {
  const ofStore = store === undefined ? "" : ` --store ${store}`;
  return `comanda history settle ${order} ${isDone ? "done" : "not-done"}${ofStore}`;
}

function see(command: string): string {
  return t`See: ${command}`;
}

function moreTime(example: string): string {
  return t`Try again later, or allow more time, for example: ${example}`;
}

/** Returns how to replace a file, or a schema in PostgreSQL, and what is then missing. */
function replaceDatabase(place: string): string {
  const isFile = place.endsWith(".db");
  const how = isFile
    ? t`While no command of comanda is running, move ${place} elsewhere, with any files ${`${path.basename(place)}-wal`} and ${`${path.basename(place)}-shm`}; comanda then creates a new one.`
    : t`While no command of comanda is running, rename the schema ${place} in PostgreSQL (${`alter schema ${place} rename to ${place}_old`}); comanda then creates a new one.`;
  if (/sales(?:\.db)?$/.test(place)) return `${how} ${t`The new one lacks the days that sync stored.`}`;
  const lost = t`The new one lacks the history: past changes, what --resume skips, and the drivers' fees.`;
  return [
    how,
    lost,
    isFile ? t`Stores stay signed in.` : t`Sign in again: comanda login --store <alias> --env <name>`,
  ].join(" ");
}

/** Returns how to set a valid credential for a store of this machine, or for the one of the environment variables. */
function credentialHint(scheme: AuthScheme, store: SignedStore | undefined): string {
  if (!store) {
    if (scheme === "partner") return see("comanda login --help");
    return t`Set a valid credential in ${scheme === "bearer" ? "COMANDA_ACCESS_TOKEN" : "COMANDA_API_KEY"}, or add --store <alias>.`;
  }
  if (scheme === "bearer") return signInCommand(store);
  const apiKey = t`Save the API key: comanda login --api-key --store ${store.store}`;
  if (scheme === "api_key") return apiKey;
  const partnerKey = t`Save the partner key: comanda login --partner-key --store ${store.store}`;
  // If both are there, the service has refused one of them.
  if (store.hasApiKey === store.hasPartnerKey) return `${apiKey}\n${partnerKey}`;
  return store.hasApiKey ? partnerKey : apiKey;
}

function signInCommand({ store, environment }: HintKinds["sign_in"]): string {
  return t`Sign in: comanda login --store ${store} --env ${environment}`;
}
