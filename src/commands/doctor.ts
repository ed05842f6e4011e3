/**
 * `comanda doctor` finds what would make a command fail, and suggests fixes. Like a command, it creates the database and renews expired
 * tokens, but it never waits for a rate limit. It completes a change of state keys.
 */
import { rmSync } from "node:fs";
import path from "node:path";
import type * as z from "zod";

import { once, variable } from "../base/basics.js";
import { unlessAborted } from "../base/clock.js";
import { endWith, type Command } from "../cli/command.js";
import type { Context } from "../cli/context.js";
import type { Column } from "../cli/records.js";
import { completeCommandHint } from "../cli/hints.js";
import { howToSetZone, localTime, zoneIsGuessed } from "../cli/text.js";
import { chooseStore } from "../core/connection.js";
import type * as results from "../core/results.js";
import { checkCredentials, signInOf } from "../core/stores.js";
import { ComandaError, isComandaError } from "../base/errors.js";
import { TransportError } from "../client/transport.js";
import { continued, currentLanguage, shownDate, t, translated } from "../languages/language.js";
import { machineZone, preferencesFor } from "../core/preferences.js";
import { storedDays } from "../state/answer-cache.js";
import { checkWritable, damaged } from "../state/database.js";
import { mayLackJournal } from "../state/journal.js";
import { freeBytes, shellWord } from "../state/private-file.js";
import { storeKey, type SessionStore } from "../state/sessions.js";
import { listEnvironments } from "../state/settings.js";
import { findOtherSignIns, openState } from "../state/state.js";
import { describeState } from "../views/stores.js";

type ListedSessions = Awaited<ReturnType<SessionStore["list"]>>;
const baseUrlVariable = "COMANDA_BASE_URL";

export type Finding = Readonly<z.output<typeof results.finding>>;

export default function doctor(command: Command): void {
  command
    .details(
      "Checks folders and their permissions, the disk, both databases, sign-ins, the clock, the connection to the service, the time zones and the last sync. Verifies each store with the service, like status --check. Prints lines for a crontab.",
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
        for (const line of crontabLines(context, listed ?? [])) output.line(line);
      }
      const failures = found.filter(({ status }) => status === "failure").length;
      if (failures > 0)
        endWith(context, new ComandaError("check_failed", t`Problems that must be fixed: ${failures}.`));
    });
}

const columns: readonly Column<Finding>[] = [
  { heading: "Name", name: "check", cell: ({ check }) => check },
  { heading: "status", name: "status", cell: ({ status }) => status, isWord: true },
  { heading: "Details", name: "message", cell: ({ message }) => message },
  {
    heading: "What to do",
    name: "hint",
    cell: ({ hint }) => hint,
    tableText: ({ hint }) => (hint ?? "").replaceAll("\n", " "),
  },
];

/** With a greater difference, an expired token seems valid, and yesterday is another day near midnight. */
const clockToleranceMs = 60_000;
const scarceBytes = 64 * 1024 * 1024;

/** The checks end by then. A database that is down is reported before. */
const mostMs = 10_000;
const databaseShare = 0.7;
/** The bytes that a command may write at once, with a reserve. */
const sampleBytes = 64 * 1024;

/** Runs all checks, and returns the findings in the order in which a person would look. A problem hides no others. */
async function findings(
  context: Context,
): Promise<{ readonly found: readonly Finding[]; readonly listed?: ListedSessions | undefined }> {
  const limitMs = Math.min(mostMs, context.options.maxWaitMs);
  const late = new AbortController();
  const notChecked = t`Not checked, because doctor ends after ${limitMs / 1000} s.`;
  const reason = new ComandaError("lock_timeout", notChecked, { hint: t`Try again later.` });
  const timer = setTimeout(() => late.abort(reason), limitMs);
  try {
    const signal = AbortSignal.any([context.signal, late.signal]);
    const { output } = context;
    const options = { ...context, signal, maxWaitMs: limitMs * databaseShare };
    const opened = once(() => openState({ ...options, warn: (message) => output.warn(message) }));
    const workspace = { ...context.workspace, signal, maxWaitMs: 0, state: opened };
    return await check({ ...context, workspace, signal }, context.signal, late.signal);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * @param stop ends the command
 * @param late ends a check, which is then a warning
 */
async function check(context: Context, stop: AbortSignal, late: AbortSignal) {
  const { env, host, version, clock, signal, workspace } = context;
  const isSet = (name: string) => variable(context, name) !== undefined;
  const isByVariables = [baseUrlVariable, "COMANDA_ACCESS_TOKEN", "COMANDA_API_KEY"].some(isSet);
  const list = collectFindings(stop, late);
  const { found, ok, warn, fail } = list;

  ok("node", `comanda ${version}, Node ${host.version}, ${host.platform} ${host.arch}.`);
  const place = isSet("COMANDA_STATE") ? t`database ${"PostgreSQL"}` : t`settings folder`;
  const state = await list.attempt(place, () => workspace.state());
  if (!state) return { found };
  const { path: folder, files, location } = state;
  const attemptToWrite = (title: string, work: () => Promise<void> | void) =>
    list.attempt(title, async () => {
      try {
        await work();
      } catch (error) {
        if (!isByVariables || !mayLackJournal(state, error)) throw error;
        const { message, hint = "" } = error;
        warn(title, `${message} ${t`The outcome is not recorded in the history.`}`, hint);
      }
    });
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
  const unanswered: string[] = [];
  for (const name of ["comanda", "sales"] as const) {
    const title = t`database ${{ sqlite: `${name}.db`, postgresql: `${name} (PostgreSQL)` }[location.engine]}`;
    await attemptToWrite(title, async () => {
      if (name === "sales" && !state.hasDatabase(name)) return;
      const database = await state.database(name);
      if (location.engine === "sqlite") {
        const lines = await database.rows({ quick_check: "text" }, "pragma quick_check");
        if (lines.some((line) => line.quick_check !== "ok"))
          throw damaged(database.location, { about: "damaged_database", place: database.location });
      }
      await checkWritable(database, name).catch((error: unknown) => {
        if (isComandaError(error, "unreachable")) unanswered.push(name);
        throw error;
      });
      ok(title, database.location);
    });
    // Everything else would wait for it, too.
    if (unanswered.length > 0) return { found };
  }
  const settings = await list.attempt(t`settings`, () => state.settings.read());
  const listed = await list.attempt(t`stores`, () => state.sessions.list());
  if (location.engine === "postgresql") {
    await list.attempt(t`sign-ins in files`, async () => {
      const left = (await findOtherSignIns(env, clock)).find((place) => place.folder === folder);
      if (!left) return;
      const message = t`Not used with COMANDA_STATE, but still valid: ${left.stores.join(", ")}.`;
      const hint = t`Sign in to these stores again. To revoke the sign-ins in ${folder}: COMANDA_STATE= comanda logout --all`;
      warn(t`sign-ins in files`, message, hint);
    });
    const title = t`state key`;
    await list.attempt(title, async () => {
      const { sealed = 0, failures = [] } = (await state.renewSeals?.()) ?? {};
      for (const failure of failures) await list.attempt(title, () => Promise.reject(failure));
      const message = t`Sign-ins and settings encrypted with the first state key: ${sealed}. None needs another key.`;
      if (failures.length === 0) ok(title, message);
    });
  }
  /** By address: its name, and whether a response was the API's (`undefined` if nothing was requested). */
  const services = new Map<string, { readonly name: string; isApi?: boolean }>();
  /** Verifies a sign-in as `status --check` does. A problem of the network or the service is reported in its own line. */
  const verify = async (ofStore: Findings, store: string | undefined, name: string, url: string) => {
    const { checks, failure: problem, document, credentials } = await checkCredentials(workspace, store);
    const stored = { report: document, credentials };
    const service = services.get(url) ?? { name };
    services.set(url, service);
    if (checks.some(({ evidence }) => evidence === "api")) service.isApi = true;
    for (const { failure, result } of checks)
      if (failure && failure !== problem && result !== "not_checked")
        await ofStore.attempt(store === undefined ? name : t`store ${store}`, () => Promise.reject(failure));
    const unchecked = checks.find(({ result }) => result === "not_checked")?.failure;
    if (!unchecked) return { ...stored, problem, notChecked: undefined };
    service.isApi ??= false;
    const { code, message: reason, evidence } = unchecked;
    const { origin, host: address } = new URL(url);
    const message = reason.includes(address) ? reason : `${origin}: ${reason}`;
    // doctor doesn't wait for a rate limit, whatever --max-wait allows.
    let hint = code === "rate_limited" ? t`Try again later.` : (unchecked.hint ?? addressHint());
    if (code === "unreachable" || code === "unexpected_answer") hint = addressHint();
    if (code === "rate_limited" || evidence === "api") ofStore.warn(t`service ${name}`, message, hint);
    else
      await ofStore.attempt(t`service ${name}`, () =>
        Promise.reject(new ComandaError(code, message, { hint })),
      );
    const notChecked = { reason, hint };
    return { ...stored, problem: problem === unchecked ? undefined : problem, notChecked };
  };
  const checkStore = async (session: NonNullable<typeof listed>[number]) => {
    const { store } = session;
    const ofStore = collectFindings(stop, late);
    // A key has no access to sales figures.
    if (settings && "tokens" in session) {
      const preferences = preferencesFor(context, settings, store);
      await ofStore.attempt(t`time zone of ${store}`, () => {
        if (!preferences.zoneIsGuessed) return;
        const message = zoneIsGuessed(store, preferences.zone);
        ofStore.warn(t`time zone of ${store}`, message, howToSetZone(store));
      });
      const title = t`sync of ${store}`;
      await ofStore.attempt(title, async () => {
        const days = await storedDays(state, store);
        if (!days) return;
        const { zone } = preferences;
        const { zonedNow } = await import("../sales/period.js");
        const yesterday = zonedNow(clock.now(), zone).toPlainDate().subtract({ days: 1 }).toString();
        const syncedAt = localTime(Date.parse(days.askedAt), zone);
        const last = shownDate(days.last);
        if (days.last >= yesterday) ofStore.ok(title, t`Days until ${last} are stored, as of ${syncedAt}.`);
        else
          ofStore.warn(
            title,
            t`Yesterday, ${shownDate(yesterday)}, isn't stored. The last sync stored days until ${last}, at ${syncedAt}.`,
            t`Check the cron job that runs comanda sync. To store the days now: comanda sync --store ${store}`,
          );
      });
    }
    await ofStore.attempt(t`store ${store}`, async () => {
      if ("error" in session) throw session.error;
      const { name, base_url: url } = session.environment;
      const { report, credentials, problem, notChecked } = await verify(ofStore, store, name, url);
      const known = report.state === "unreachable" ? signInOf(session, clock.now()) : report;
      const state = `${name}: ${describeState(known, credentials.includes("bearer"))}`;
      // A sign-in that lacks a permission is valid.
      if (problem) throw problem.reworded(report.state === "valid" ? `${name}: ${problem.message}` : state);
      if (notChecked) {
        const why = `${translated("not checked")}: ${continued(notChecked.reason)}`;
        ofStore.warn(t`store ${store}`, `${state}; ${why}`, notChecked.hint);
      } else ofStore.ok(t`store ${store}`, state);
      const set = settings && listEnvironments(settings).find((each) => each.name === name)?.base_url;
      if (set && set !== url) {
        const message = t`The store ${store} belongs to the environment ${name} (${url}).`;
        const hint = t`To use ${set}: comanda logout --store ${store}, then comanda login --store ${store} --env ${name}`;
        ofStore.warn(t`address of ${store}`, message, hint);
      }
    });
    return ofStore.found;
  };
  // Checked one after the other, many stores would take longer than the limit.
  for (const ofStore of await Promise.all((listed ?? []).map(checkStore))) found.push(...ofStore);
  let chosenBy = isSet("COMANDA_STORE") ? "COMANDA_STORE" : t`stores`;
  if (isByVariables) chosenBy = baseUrlVariable;
  // The store that commands use without --store.
  await list.attempt(chosenBy, async () => {
    const store = await chooseStore(workspace, undefined).catch((error: unknown) => {
      if (!isComandaError(error, "usage")) throw error;
      warn(t`stores`, error.message, completeCommandHint(error).hint ?? "");
      return undefined;
    });
    if (!store || store.session) return;
    const { problem } = await verify(list, undefined, baseUrlVariable, store.baseUrl);
    if (problem) throw problem;
  });
  // One request without credentials for the clock.
  const checkClock = async (
    url: string,
    { name, isApi }: { readonly name: string; readonly isApi?: boolean },
  ) => {
    const { origin } = new URL(url);
    const request = { method: "HEAD", url, headers: {}, timeoutMs: mostMs, signal } as const;
    const transport = await workspace.transport();
    const { headers } = await transport.send(request).catch((error: unknown) => {
      if (!(error instanceof TransportError)) throw error;
      throw new ComandaError("unreachable", `${origin}: ${error.message}`, { hint: addressHint() });
    });
    if (isApi) ok(t`service ${name}`, origin);
    const difference = Math.abs(clock.now() - Date.parse(headers["date"] ?? ""));
    // The difference is NaN if the response has no date.
    if (!(difference > clockToleranceMs)) return;
    const message = t`This machine's clock and the service's are ${Math.round(difference / 1_000)} s apart.`;
    fail(t`clock (${name})`, message, t`Synchronize this machine's clock over the network (NTP).`);
  };
  const reached = [...services].filter(([, { isApi }]) => isApi !== false);
  await Promise.all(
    reached.map(([url, service]) => list.attempt(t`service ${service.name}`, () => checkClock(url, service))),
  );
  const unknownToCron = t`cron doesn't see these variables: ${neededIn(env).join(", ")}.`;
  if (neededIn(env).length > 0) warn("crontab", unknownToCron, t`Set them in the crontab: comanda help cron`);
  return { found: withoutRepetitions(found), listed };
}

type Findings = ReturnType<typeof collectFindings>;

function collectFindings(stop: AbortSignal, late: AbortSignal) {
  const found: Finding[] = [];
  const add = (status: Finding["status"]) => (check: string, message: string, hint: string) =>
    found.push({ check, status, message, hint });
  const [warn, fail] = [add("warning"), add("failure")];
  return {
    found,
    ok: (check: string, message: string) => found.push({ check, status: "ok", message, hint: null }),
    warn,
    fail,
    /** Does a check, and adds its error. What had to wait for another process, or is late, is only a warning. */
    async attempt<Result>(check: string, work: () => Promise<Result> | Result): Promise<Result | undefined> {
      try {
        late.throwIfAborted();
        return await unlessAborted(late, (async () => work())());
      } catch (error) {
        if (!(error instanceof ComandaError)) throw error;
        stop.throwIfAborted();
        const {
          code,
          message,
          hint = t`Run the same command with --debug, and report the error.`,
        } = completeCommandHint(error);
        (code === "lock_timeout" ? warn : fail)(check, message, hint);
        return undefined;
      }
    },
  };
}

/** Returns each problem once, except what wasn't checked. */
function withoutRepetitions(found: readonly Finding[]): readonly Finding[] {
  const isSame = (one: Finding, other: Finding) =>
    one.status === other.status && one.message === other.message && one.hint === other.hint;
  return found.filter(
    (one, index) => one.status !== "failure" || found.findIndex((other) => isSame(one, other)) === index,
  );
}

const addressHint = () => t`Try again later. If it happens again, check the address: comanda env list`;

/** comanda, its folders and its connections depend on these variables, and cron passes none of them. */
const neededNames =
  /^(COMANDA_\w+|XDG_(CONFIG|DATA|STATE)_HOME|NODE_EXTRA_CA_CERTS|PG(?:USER|PASSWORD|PASSFILE)|SSL_CERT_(FILE|DIR)|(HTTPS?|NO)_PROXY|https?_proxy|no_proxy|TZ)$/;

/** The values of the others may contain a secret. */
const shownNames =
  /^(COMANDA_(CONFIG_DIR|STORE|STATE_KEY_FILE|RATE_LIMITS|ALLOW_INSECURE)|XDG_\w+|NODE_EXTRA_CA_CERTS|PGUSER|PGPASSFILE|SSL_CERT_\w+|NO_PROXY|no_proxy)$/;

function neededIn(env: Context["env"]): readonly string[] {
  return Object.keys(env)
    .filter((name) => neededNames.test(name) && env[name] !== "")
    .sort();
}

/** Returns the variables that are set here, and a line for `sync`. A variable that may contain a secret is only named. */
function crontabLines(context: Context, listed: ListedSessions): readonly string[] {
  const { env, self } = context;
  const lines: string[] = [];
  const zone = machineZone(context);
  const TZ = zone && (variable(context, "TZ") ?? zone);
  const ours = { HOME: env["HOME"], TZ, COMANDA_LANG: currentLanguage() };
  const others = neededIn(env).filter((name) => !(name in ours));
  const shown = others.filter((name) => shownNames.test(name)).map((name) => [name, env[name]] as const);
  for (const [name, value] of [...Object.entries(ours), ...shown])
    if (value !== undefined) lines.push(`${name}=${shellWord(value)}`);
  for (const name of others) if (!shownNames.test(name)) lines.push(`# ${name}=…`);
  // In a command, cron reads % as the end of the line.
  const program = self
    .map(shellWord)
    .join(" ")
    .replaceAll("%", String.raw`\%`);
  const stores = storesToSync(env, listed);
  return stores === undefined ? lines : [...lines, `15 6 * * * ${program} sync${stores} --quiet --no-input`];
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
