/**
 * `comanda doctor` finds what would make a command fail, and suggests fixes. Like a command, it creates the database and renews expired
 * tokens, but it never waits for a rate limit. It completes a change of state keys.
 */
import { rmSync } from "node:fs";
import path from "node:path";
import type * as z from "zod";

import { once, variable } from "../base/basics.js";
import { unlessAborted } from "../base/clock.js";
import type { Command } from "../cli/command.js";
import type { Context } from "../cli/context.js";
import type { Column } from "../cli/records.js";
import { hintFor } from "../cli/hints.js";
import { localTime, zoneIsGuessed } from "../cli/text.js";
import { chooseStore } from "../core/connection.js";
import type * as results from "../core/results.js";
import { checkCredentials, signInOf } from "../core/stores.js";
import { version } from "../base/defaults.js";
import { ComandaError, completeHint, isComandaError } from "../base/errors.js";
import { TransportError } from "../client/transport.js";
import { continued, currentLanguage, plural, shownDate, t, translated } from "../languages/language.js";
import { machineZone, preferencesFor } from "../core/preferences.js";
import { storedDays } from "../state/answer-cache.js";
import { checkWritable, damaged } from "../state/database.js";
import { mayLackJournal } from "../state/journal.js";
import { configFolder, freeBytes, shellWord } from "../state/private-file.js";
import { storeKey, type SessionStore } from "../state/sessions.js";
import { listEnvironments, type Settings } from "../state/settings.js";
import { checkConfigFolder, findOtherSignIns, openState, type State } from "../state/state.js";
import { describeState } from "../views/stores.js";

type ListedSessions = Awaited<ReturnType<SessionStore["list"]>>;
const baseUrlVariable = "COMANDA_BASE_URL";

export type Finding = Readonly<z.output<typeof results.finding>>;

export default function doctor(command: Command): void {
  command
    .details(
      "Checks folders and their permissions, the disk, both databases, sign-ins, the clock, the connection to the service, the stores' settings and the last sync. Verifies each store with the service, like status --check. Prints lines for a crontab.",
      "If several state keys are set for PostgreSQL, doctor encrypts sign-ins and settings with the first one.",
      "Ends within 10 seconds, or within --max-wait if that is less. A database that can't be reached is a problem; anything else that could not be checked by then is a warning.",
      "Exits with code 1 if something must be fixed before comanda works.",
    )
    .takes("format")
    .examples("doctor", "doctor --json")
    .does(async (context) => {
      const { output } = context;
      const { found, listed } = await findings(context);
      await output.records(columns, found);
      if (output.format === "table" && context.host.platform !== "win32") {
        output.line("");
        output.words(t`Lines to copy into a crontab:`);
        for (const line of crontabLines(context, listed)) output.line(line);
      }
      const failures = found.filter(({ status }) => status === "failure").length;
      if (failures === 0) return undefined;
      const message = plural(failures, {
        one: t`1 problem must be fixed.`,
        other: t`${failures} problems must be fixed.`,
      });
      return new ComandaError("check_failed", message);
    });
}

const columns: readonly Column<Finding>[] = [
  { heading: "Name", name: "check" },
  { heading: "status", name: "status", text: ({ status }) => translated(status) },
  { heading: "Details", name: "message" },
  {
    heading: "What to do",
    name: "hint",
    // In one line. A semicolon separates a command at the end of a line from the next sentence.
    text: ({ hint }) => hint?.replaceAll(/(?<![.:])\n/g, "; ").replaceAll("\n", " ") ?? "",
  },
];

/** With a greater difference, an expired token seems valid, and yesterday is another day near midnight. */
const clockToleranceMs = 60_000;
const scarceBytes = 64 * 1024 * 1024;

/** The checks end by then. Before, waits for a database end, and then a server that doesn't answer at all is reported. */
const mostMs = 10_000;
const databaseShare = 0.7;
const silentShare = 0.9;
/** The bytes that a command may write at once, with a reserve. */
const sampleBytes = 64 * 1024;

/** Runs all checks, and returns the findings in the order in which a person would look. A problem hides no others. */
async function findings(context: Context) {
  const { env, host } = context;
  const limitMs = Math.min(mostMs, context.options.maxWaitMs);
  const notChecked = t`Not checked, because doctor ends after ${limitMs / 1000} s.`;
  const late = abortedAfter(
    limitMs,
    new ComandaError("lock_timeout", notChecked, { hint: t`Try again later.` }),
  );
  const isSilent = new ComandaError("unreachable", t`The server doesn't answer.`, {
    hint: t`Check whether the server is running and accepts this user.`,
    hintFacts: { about: "state_address" },
  });
  const isShared = variable(context, "COMANDA_STATE") !== undefined;
  const soon = isShared ? AbortSignal.any([late, abortedAfter(limitMs * silentShare, isSilent)]) : late;
  const signal = AbortSignal.any([context.signal, late]);
  const warn = (message: string) => context.output.warn(message);
  const options = { ...context, signal, maxWaitMs: limitMs * databaseShare, warn };
  const open = once(() => openState(options));
  const newFindings = () => collectFindings(context.signal, late);
  const first = newFindings();
  const { found, ok, attempt } = first;
  ok("node", `comanda ${version}, Node ${host.version}, ${host.platform} ${host.arch}.`);
  const folder = await attempt(t`settings folder`, () => checkConfigFolder(env));
  if (folder === undefined) return { found, listed: [] };
  const state = await attempt(t`database ${"PostgreSQL"}`, open, soon);
  if (!state) return { found, listed: [] };
  const workspace = { ...context.workspace, signal, maxWaitMs: 0, state: open };
  const machine = { ...context, ...first, workspace, signal, state };
  const hasSales = await checkStorage(machine, soon);
  // Everything else would wait for the server, too.
  if (isComandaError(soon.reason, "unreachable")) return { found, listed: [] };
  const settings = await attempt(t`settings`, () => state.settings.read());
  const listed = (await attempt(t`stores`, () => state.sessions.list())) ?? [];
  const at: Checkup = { ...machine, settings, services: new Map() };
  if (isShared) await checkSharedState(at);
  // Checked one after the other, many stores would take longer than the limit.
  const ofStores = listed.map(async (session) => {
    const ofStore = { ...at, ...newFindings() };
    const zone = await checkSettings(ofStore, session);
    if (zone !== undefined && "tokens" in session && hasSales) await checkDays(ofStore, session.store, zone);
    await ofStore.attempt(t`store ${session.store}`, () => checkStore(ofStore, session));
    return ofStore.found;
  });
  for (const ofStore of await Promise.all(ofStores)) found.push(...ofStore);
  await checkDefaultStore(at);
  for (const [url, service] of at.services)
    await attempt(t`service ${service.name}`, () => checkService(at, url, service));
  const needed = neededIn(env).join(", ");
  if (needed !== "")
    at.warn(
      "crontab",
      t`cron doesn't see these variables: ${needed}.`,
      t`Set them in the crontab: comanda help cron`,
    );
  return { found, listed };
}

/** Returns a signal that is aborted after a time, but doesn't keep the process running until then. */
function abortedAfter(timeMs: number, reason: ComandaError): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(reason), timeMs).unref();
  return controller.signal;
}

interface Service {
  readonly name: string;
  /** Whether a response to a check was the API's. */
  isApi?: boolean;
  /** Why a credential could not be verified. */
  problem?: ComandaError | undefined;
}

/** What the first checks use. */
type Machine = Context & Findings & { readonly state: State };

/** What the checks after the first ones use. The checks of each store have a separate list of findings. */
type Checkup = Machine & {
  /** `undefined` if they can't be read. */
  readonly settings: Settings | undefined;
  /** By address. */
  readonly services: Map<string, Service>;
};

/** @returns whether the sales database can be read */
async function checkStorage(machine: Machine, soon: AbortSignal): Promise<boolean> {
  const { state, ok, warn, attempt } = machine;
  const { path: folder, files, location } = state;
  const attemptToWrite = (title: string, work: () => Promise<void> | void) => {
    const workOrWarn = async () => {
      try {
        await work();
      } catch (error) {
        if (!isByVariables(machine) || !mayLackJournal(state, error)) throw error;
        const { message, hint = "" } = error;
        warn(title, `${message} ${t`The outcome is not recorded in the history.`}`, hint);
      }
    };
    return attempt(title, workOrWarn, soon);
  };
  await attemptToWrite(t`settings folder`, () => {
    // PostgreSQL has only the default store.
    if (location.engine === "postgresql" && !files.checkFolder(folder)) return;
    if (location.engine === "sqlite") rmSync(files.reserve(path.join(folder, "settings.json"), sampleBytes));
    ok(t`settings folder`, folder);
  });
  const free = freeBytes(folder);
  if (free !== undefined) {
    const message = t`Free space: ${Math.floor(free / 1_048_576)} MiB.`;
    if (free >= scarceBytes) ok(t`disk`, message);
    else warn(t`disk`, message, t`Free up disk space, then try again.`);
  }
  let hasSales = false;
  for (const name of ["comanda", "sales"] as const) {
    if (isComandaError(soon.reason, "unreachable")) break;
    const title = t`database ${{ sqlite: `${name}.db`, postgresql: `${name} (PostgreSQL)` }[location.engine]}`;
    await attemptToWrite(title, async () => {
      if (name === "sales" && !state.hasDatabase(name)) return;
      const database = await state.database(name);
      const { location: place } = database;
      if (location.engine === "sqlite") {
        const lines = await database.rows({ quick_check: "text" }, "pragma quick_check");
        if (lines.some((line) => line.quick_check !== "ok"))
          throw damaged(place, { about: "damaged_database", place });
        // On a full disk, a small change may still fit into a page that SQLite's log has left.
        rmSync(files.reserve(place, sampleBytes));
      }
      await checkWritable(database, name);
      ok(title, place);
      hasSales = name === "sales";
    });
  }
  return hasSales;
}

/** Finds sign-ins that PostgreSQL has replaced, and encrypts the rows there with the first state key. */
async function checkSharedState({ env, clock, state, ok, warn, report, attempt }: Checkup): Promise<void> {
  await attempt(t`sign-ins in files`, async () => {
    const left = (await findOtherSignIns(env, clock)).find(({ folder }) => folder === state.path);
    if (!left) return;
    const message = t`Not used with COMANDA_STATE, but still valid: ${left.stores.join(", ")}.`;
    const hint = t`Sign in to these stores again. To revoke the sign-ins in ${left.folder}: COMANDA_STATE= comanda logout --all`;
    warn(t`sign-ins in files`, message, hint);
  });
  const title = t`state key`;
  await attempt(title, async () => {
    const { sealed = 0, failures = [] } = (await state.renewSeals?.()) ?? {};
    for (const failure of failures) report(title, failure);
    const message = t`Sign-ins and settings encrypted with the first state key: ${sealed}. No other key is needed.`;
    if (failures.length === 0) ok(title, message);
  });
}

/** Checks a store's settings, and returns its time zone, which a store with access to sales figures should have. */
async function checkSettings(at: Checkup, session: ListedSessions[number]): Promise<string | undefined> {
  const { store } = session;
  if (!at.settings) return undefined;
  const preferences = preferencesFor(at, at.settings, store);
  for (const name of ["dayStarts", "currency", "locale"] as const)
    await at.attempt(t`settings of ${store}`, () => preferences[name]);
  const title = t`time zone of ${store}`;
  return at.attempt(title, async () => {
    const { zoneIsGuessed: isGuessed } = preferences;
    if (isGuessed && !("tokens" in session)) return undefined;
    const zone = await preferences.zone();
    if (isGuessed) at.warn(title, zoneIsGuessed(store, zone), hintFor({ about: "time_zone", store }));
    return zone;
  });
}

/** Checks whether yesterday's figures are stored, if earlier days are. */
async function checkDays(at: Checkup, store: string, zone: string): Promise<void> {
  const { clock, state } = at;
  const title = t`sync of ${store}`;
  await at.attempt(title, async () => {
    const days = await storedDays(state, store);
    if (!days) return;
    const { zonedNow } = await import("../sales/period.js");
    const yesterday = zonedNow(clock.now(), zone).toPlainDate().subtract({ days: 1 }).toString();
    const syncedAt = localTime(Date.parse(days.askedAt), zone);
    const last = shownDate(days.last);
    if (days.last >= yesterday) at.ok(title, t`Days are stored through ${last}, as of ${syncedAt}.`);
    else
      at.warn(
        title,
        t`Yesterday, ${shownDate(yesterday)}, isn't stored. The last sync stored days through ${last}, at ${syncedAt}.`,
        t`Check the cron job that runs comanda sync. To store the days now: comanda sync --store ${store}`,
      );
  });
}

/** Verifies the sign-in of a store, and whether it is for the address that its environment has today. */
async function checkStore(at: Checkup, session: ListedSessions[number]): Promise<void> {
  if ("error" in session) throw session.error;
  const { store } = session;
  const title = t`store ${store}`;
  const { name, base_url: url } = session.environment;
  const { document, credentials, failure, notChecked } = await verify(at, store, name, url);
  const known = document.state === "unreachable" ? signInOf(session, at.clock.now()) : document;
  const state = `${name}: ${describeState(known, credentials.includes("bearer"))}`;
  // A sign-in that lacks a permission is valid.
  if (failure) throw failure.reworded(document.state === "valid" ? `${name}: ${failure.message}` : state);
  if (notChecked) {
    const why = `${translated("not checked")}: ${continued(notChecked.message)}`;
    at.warn(title, `${state}; ${why}`, howToReach(notChecked));
  } else at.ok(title, state);
  const set = at.settings && listEnvironments(at.settings).find((each) => each.name === name)?.base_url;
  if (set === undefined || set === url) return;
  const message = t`The store ${store} belongs to the environment ${name} (${url}).`;
  const hint = t`To use ${set}: comanda logout --store ${store}, then comanda login --store ${store} --env ${name}`;
  at.warn(t`address of ${store}`, message, hint);
}

/** Checks the store that commands use without --store. */
async function checkDefaultStore(at: Checkup): Promise<void> {
  let chosenBy = variable(at, "COMANDA_STORE") === undefined ? t`stores` : "COMANDA_STORE";
  if (isByVariables(at)) chosenBy = baseUrlVariable;
  await at.attempt(chosenBy, async () => {
    const store = await chooseStore(at.workspace, undefined).catch((error: unknown) => {
      if (!isComandaError(error, "usage")) throw error;
      at.warn(t`stores`, error.message, completeHint(error, hintFor).hint ?? "");
      return undefined;
    });
    if (!store || store.session) return;
    const { failure } = await verify(at, undefined, baseUrlVariable, store.baseUrl);
    if (failure) throw failure;
  });
}

/**
 * Verifies a sign-in as `status --check` does. A problem of the network or the service is reported in its own line.
 *
 * @returns `notChecked`: why a credential could not be verified; `failure`: any other problem
 * @throws {ComandaError} `state_unusable` or `lock_timeout`, a problem of this machine, such as a full disk
 */
async function verify(at: Checkup, store: string | undefined, name: string, url: string) {
  const { workspace, services } = at;
  const { checks, failure, document, credentials } = await checkCredentials(workspace, store);
  const service: Service = services.get(url) ?? { name };
  services.set(url, service);
  if (checks.some(({ evidence }) => evidence === "api")) service.isApi = true;
  for (const { failure: other, result } of checks)
    if (other && other !== failure && result !== "not_checked")
      at.report(store === undefined ? name : t`store ${store}`, other);
  const notChecked = checks.find(({ result }) => result === "not_checked")?.failure;
  if (notChecked && ["state_unusable", "lock_timeout"].includes(notChecked.code)) throw notChecked;
  service.problem ??= notChecked;
  return { document, credentials, failure: failure === notChecked ? undefined : failure, notChecked };
}

/** doctor doesn't wait for a rate limit, whatever --max-wait allows. */
function howToReach(error: ComandaError): string {
  const { hint } = error.code === "rate_limited" ? {} : completeHint(error, hintFor);
  return hint ?? t`Try again later.`;
}

/** Reports that a service's responses aren't the API's, or compares the clocks by one request without credentials. */
async function checkService(at: Checkup, url: string, service: Service): Promise<void> {
  const { clock, signal, workspace } = at;
  const { name, isApi, problem } = service;
  const { origin } = new URL(url);
  if (problem && !isApi) {
    const report = problem.code === "rate_limited" ? at.warn : at.fail;
    report(t`service ${name}`, `${origin}: ${problem.message}`, howToReach(problem));
    return;
  }
  const request = { method: "HEAD", url, headers: {}, timeoutMs: mostMs, signal } as const;
  const transport = await workspace.transport();
  const { headers } = await transport.send(request).catch((error: unknown) => {
    if (!(error instanceof TransportError)) throw error;
    const about = error.failure === "tls" ? "certificate" : error.atProxy ? "proxy" : "token_service";
    throw new ComandaError("unreachable", `${origin}: ${error.message}`, { hintFacts: { about } });
  });
  at.ok(t`service ${name}`, origin);
  const difference = Math.abs(clock.now() - Date.parse(headers["date"] ?? ""));
  // The difference is NaN if the response has no date.
  if (!(difference > clockToleranceMs)) return;
  const message = t`This machine's clock and the service's are ${Math.round(difference / 1_000)} s apart.`;
  at.fail(t`clock (${name})`, message, t`Synchronize this machine's clock over the network (NTP).`);
}

function isByVariables(context: Context): boolean {
  const names = [baseUrlVariable, "COMANDA_ACCESS_TOKEN", "COMANDA_API_KEY"];
  return names.some((name) => variable(context, name) !== undefined);
}

type Findings = ReturnType<typeof collectFindings>;

/**
 * @param stop ends the command
 * @param late ends a check, unless it has an end of its own
 */
function collectFindings(stop: AbortSignal, late: AbortSignal) {
  const found: Finding[] = [];
  const add =
    (status: Finding["status"]) =>
    (check: string, message: string, hint: string | null = null) =>
      void found.push({ check, status, message, hint });
  const [ok, warn, fail] = [add("ok"), add("warning"), add("failure")];
  /** Adds an error. What had to wait for another process, or is late, is only a warning. */
  function report(check: string, error: unknown): void {
    if (!(error instanceof ComandaError)) throw error;
    stop.throwIfAborted();
    const { code, message, hint } = completeHint(error, hintFor);
    const toReport = t`Run the same command with --debug, and report the error.`;
    (code === "lock_timeout" ? warn : fail)(check, message, hint ?? toReport);
  }
  async function attempt<Result>(
    check: string,
    work: () => Promise<Result> | Result,
    end = late,
  ): Promise<Result | undefined> {
    try {
      end.throwIfAborted();
      return await unlessAborted(end, (async () => work())());
    } catch (error) {
      report(check, error);
      return undefined;
    }
  }
  return { found, ok, warn, fail, report, attempt };
}

/** comanda, its folders and its connections depend on these variables, and cron passes none of them. */
const neededNames =
  /^(COMANDA_\w+|XDG_(CONFIG|DATA|STATE)_HOME|NODE_EXTRA_CA_CERTS|PG(?:USER|PASSWORD|PASSFILE)|SSL_CERT_(FILE|DIR)|(HTTPS?|NO)_PROXY|https?_proxy|no_proxy|TZ)$/;

/** The values of the others may contain a secret. */
const shownNames =
  /^(COMANDA_(CONFIG_DIR|STORE|STATE_KEY_FILE|RATE_LIMITS|ALLOW_INSECURE)|XDG_\w+|NODE_EXTRA_CA_CERTS|PGUSER|PGPASSFILE|SSL_CERT_\w+|NO_PROXY|no_proxy)$/;

/** A path in them may be relative to the current folder, which isn't cron's. */
const pathNames = /(?:CONFIG_DIR|FILE|CA_CERTS)$/;

function neededIn(env: Context["env"]): readonly string[] {
  return Object.keys(env)
    .filter((name) => neededNames.test(name) && env[name] !== "")
    .sort();
}

/** Returns the variables that are set here, and a line for `sync`. A variable that may contain a secret is only named. */
function crontabLines(context: Context, listed: ListedSessions): readonly string[] {
  const { env, self } = context;
  const zone = machineZone(context);
  const TZ = zone && (variable(context, "TZ") ?? zone);
  const ours = { HOME: env["HOME"], TZ, COMANDA_LANG: currentLanguage() };
  const lines: string[] = [];
  for (const [name, value] of Object.entries(ours))
    if (value !== undefined) lines.push(`${name}=${crontabValue(value)}`);
  for (const name of neededIn(env).filter((each) => !(each in ours))) {
    const value = env[name] ?? "";
    // This resolves any path, and doesn't fail in a deleted folder.
    const absolute = pathNames.test(name) ? configFolder({ COMANDA_CONFIG_DIR: value }) : undefined;
    const shown = absolute ?? value;
    lines.push(shownNames.test(name) ? `${name}=${crontabValue(shown)}` : `# ${name}=…`);
  }
  // In a command, cron reads % as the end of the line.
  const program = self
    .map(shellWord)
    .join(" ")
    .replaceAll("%", String.raw`\%`);
  const stores = storesToSync(env, listed);
  return stores === undefined ? lines : [...lines, `15 6 * * * ${program} sync${stores} --quiet --no-input`];
}

/** Quotes a variable's value. cron isn't a shell: a value ends at the quote that it begins with, and quotes inside others are part of it. */
function crontabValue(value: string): string {
  if (shellWord(value) === value) return value;
  const quote = ["'", '"'].find((each) => !value.includes(each)) ?? "";
  return quote + value + quote;
}

/** Returns the options that choose the stores with a sign-in; `undefined` if there is none, because a key has no access to sales. */
function storesToSync(env: Context["env"], listed: ListedSessions): string | undefined {
  if (env[baseUrlVariable]) return env["COMANDA_ACCESS_TOKEN"] ? "" : undefined;
  const signedIn = listed.filter((each) => "tokens" in each && each.tokens).map(({ store }) => store);
  const chosen = env["COMANDA_STORE"];
  if (signedIn.length === 0 || chosen)
    return signedIn.some((store) => storeKey(store) === storeKey(chosen ?? "")) ? "" : undefined;
  if (signedIn.length < listed.length) return signedIn.map((store) => ` --store ${store}`).join("");
  return listed.length > 1 ? " --all-stores" : "";
}
