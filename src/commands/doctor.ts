/** `comanda doctor` finds problems on this machine and suggests fixes. It changes nothing, except that it renews expired tokens. */
import { accessSync, constants } from "node:fs";

import { endWith, type Command } from "../cli/command.js";
import { baseUrlVariable, variable, type Context } from "../cli/context.js";
import type { Column } from "../cli/records.js";
import { completeCommandHint } from "../cli/hints.js";
import { chooseStore } from "../core/connection.js";
import { ComandaError, isComandaError } from "../base/errors.js";
import { TransportError } from "../client/transport.js";
import { continued, currentLanguage, t, translated } from "../languages/language.js";
import { howToSetZone, machineZone, preferencesFor } from "../sales/preferences.js";
import { fileError, freeBytes, shellWord } from "../state/private-file.js";
import { damaged } from "../state/database.js";
import { listEnvironments } from "../state/settings.js";
import { describeState, examine, reportOf } from "./status.js";

export interface Finding {
  readonly check: string;
  readonly status: "ok" | "warning" | "failure";
  readonly message: string;
  /** What to do; null if nothing is wrong. */
  readonly hint: string | null;
}

export default function doctor(command: Command): void {
  command
    .details(
      "Checks folders and their permissions, the disk, both databases, sign-ins, the clock, the connection to the service and the time zones. Verifies each store with the service, like status --check. Prints lines for a crontab.",
      "Exits with code 1 if something must be fixed before comanda works.",
    )
    .takes("format")
    .examples("doctor", "doctor --json")
    .does(async (context) => {
      const { output } = context;
      const { found, stores } = await findings(context);
      await output.records(columns, found);
      if (output.format === "table" && context.host.platform !== "win32") {
        output.line("");
        output.words(t`Lines to copy into a crontab:`);
        for (const line of crontabLines(context, stores)) output.line(line);
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

/** Runs all checks, in the order in which a person would look. A problem hides no others, and is reported once. */
async function findings(
  context: Context,
): Promise<{ readonly found: readonly Finding[]; readonly stores: number }> {
  const { env, host, version, clock, signal } = context;
  const found: Finding[] = [];
  const ok = (check: string, message: string) => found.push({ check, status: "ok", message, hint: null });
  const warn = (check: string, message: string, hint: string) =>
    found.push({ check, status: "warning", message, hint });
  const attempt = async <Result>(check: string, work: () => Promise<Result> | Result) => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ComandaError)) throw error;
      context.signal.throwIfAborted();
      const { message, hint = t`Run the same command with --debug, and report the error.` } =
        completeCommandHint(error);
      if (!found.some((other) => other.message === message && other.hint === hint))
        found.push({ check, status: "failure", message, hint });
      return undefined;
    }
  };

  ok("node", `comanda ${version}, Node ${host.version}, ${host.platform} ${host.arch}.`);
  const state = await attempt(t`settings folder`, () => context.state());
  if (!state) return { found, stores: 0 };
  const { path, files, location } = state;
  await attempt(t`settings folder`, () => {
    // The first write creates it.
    if (!files.checkFolder(path)) return;
    try {
      accessSync(path, constants.W_OK | constants.X_OK);
    } catch (error) {
      throw fileError(error, "write", path);
    }
    ok(t`settings folder`, path);
    const free = freeBytes(path);
    if (free === undefined) return;
    const message = t`Free space: ${Math.floor(free / 1_048_576)} MiB.`;
    if (free >= scarceBytes) ok(t`disk`, message);
    else warn(t`disk`, message, t`Free up disk space, then try again.`);
  });
  for (const name of ["comanda", "sales"] as const) {
    const check = t`database ${{ sqlite: `${name}.db`, postgresql: `${name} (PostgreSQL)` }[location.engine]}`;
    await attempt(check, async () => {
      if (!state.hasDatabase(name)) return;
      const database = await state.database(name);
      if (location.engine === "sqlite") {
        const lines = await database.rows({ quick_check: "text" }, "pragma quick_check");
        if (lines.some((line) => line.quick_check !== "ok"))
          throw damaged(database.location, { about: "damaged_database", place: database.location });
      }
      ok(check, database.location);
    });
  }
  const settings = await attempt(t`settings`, () => state.settings.read());
  const listed = await attempt(t`stores`, () => state.sessions.list());
  /** By address: its name, and whether a response was the API's (`undefined` if nothing was requested). */
  const services = new Map<string, { readonly name: string; isApi?: boolean }>();
  /** Verifies a sign-in as `status --check` does. A problem of the network or the service is reported in its own line. */
  const verify = async (store: string | undefined, name: string, url: string) => {
    const { checks, problem, ...stored } = await examine(context, store, true);
    const service = services.get(url) ?? { name };
    services.set(url, service);
    if (checks.some(({ evidence }) => evidence === "api")) service.isApi = true;
    for (const { failure, result } of checks)
      if (failure && failure !== problem && result !== "not_checked")
        await attempt(store === undefined ? name : t`store ${store}`, () => Promise.reject(failure));
    const unchecked = checks.find(({ result }) => result === "not_checked")?.failure;
    if (!unchecked) return { ...stored, problem, notChecked: undefined };
    service.isApi ??= false;
    const { code, message: reason, evidence } = unchecked;
    const { origin, host: address } = new URL(url);
    const message = reason.includes(address) ? reason : `${origin}: ${reason}`;
    const { hint = addressHint() } = ["unreachable", "unexpected_answer"].includes(code) ? {} : unchecked;
    if (code === "rate_limited" || evidence === "api") warn(t`service ${name}`, message, hint);
    else await attempt(t`service ${name}`, () => Promise.reject(new ComandaError(code, message, { hint })));
    const notChecked = { reason, hint };
    return { ...stored, problem: problem === unchecked ? undefined : problem, notChecked };
  };
  for (const session of listed ?? []) {
    const { store } = session;
    await attempt(t`store ${store}`, async () => {
      if ("error" in session) throw session.error;
      const { name, base_url: url } = session.environment;
      const { report, credentials, problem, notChecked } = await verify(store, name, url);
      const known = report.state === "unreachable" ? reportOf(session, clock.now()) : report;
      const state = `${name}: ${describeState(known, credentials.includes("bearer"))}`;
      // A sign-in that lacks a permission is valid.
      if (problem) throw problem.reworded(report.state === "valid" ? `${name}: ${problem.message}` : state);
      if (notChecked) {
        const why = `${translated("not checked")}: ${continued(notChecked.reason)}`;
        warn(t`store ${store}`, `${state}; ${why}`, notChecked.hint);
      } else ok(t`store ${store}`, state);
      const set = settings && listEnvironments(settings).find((each) => each.name === name)?.base_url;
      if (set && set !== url) {
        const message = t`The store ${store} belongs to the environment ${name} (${url}).`;
        const hint = t`To use ${set}: comanda logout --store ${store}, then comanda login --store ${store} --env ${name}`;
        warn(t`address of ${store}`, message, hint);
      }
    });
    await attempt(t`time zone of ${store}`, () => {
      if (!settings || settings.stores?.[store]?.time_zone !== undefined) return;
      const { zone } = preferencesFor(context, settings, store);
      const message = t`Sales days for ${store} are counted in this machine's time zone, ${zone}.`;
      warn(t`time zone of ${store}`, message, howToSetZone(store));
    });
  }
  const isSet = (name: string) => variable(context, name) !== undefined;
  const isByVariables = [baseUrlVariable, "COMANDA_ACCESS_TOKEN", "COMANDA_API_KEY"].some(isSet);
  let chosenBy = isSet("COMANDA_STORE") ? "COMANDA_STORE" : t`stores`;
  if (isByVariables) chosenBy = baseUrlVariable;
  // The store that commands use without --store.
  await attempt(chosenBy, async () => {
    const store = await chooseStore(context.workspace, undefined).catch((error: unknown) => {
      if (!isComandaError(error, "usage")) throw error;
      warn(t`stores`, error.message, completeCommandHint(error).hint ?? "");
      return undefined;
    });
    if (!store || store.session) return;
    const { problem } = await verify(undefined, baseUrlVariable, store.baseUrl);
    if (problem) throw problem;
  });
  // One request without credentials for the clock.
  const checkClock = async (
    url: string,
    { name, isApi }: { readonly name: string; readonly isApi?: boolean },
  ) => {
    const { origin } = new URL(url);
    const request = { method: "HEAD", url, headers: {}, timeoutMs: 10_000, signal } as const;
    const transport = await context.workspace.transport();
    const { headers } = await transport.send(request).catch((error: unknown) => {
      if (!(error instanceof TransportError)) throw error;
      throw new ComandaError("unreachable", `${origin}: ${error.message}`, { hint: addressHint() });
    });
    if (isApi) ok(t`service ${name}`, origin);
    const difference = Math.abs(clock.now() - Date.parse(headers["date"] ?? ""));
    // The difference is NaN if the response has no date.
    if (!(difference > clockToleranceMs)) return;
    const message = t`This machine's clock and the service's are ${Math.round(difference / 1_000)} s apart.`;
    const hint = t`Synchronize this machine's clock over the network (NTP).`;
    found.push({ check: t`clock (${name})`, status: "failure", message, hint });
  };
  const reached = [...services].filter(([, { isApi }]) => isApi !== false);
  await Promise.all(
    reached.map(([url, service]) => attempt(t`service ${service.name}`, () => checkClock(url, service))),
  );
  const unknownToCron = t`Set here, but unknown to cron: ${neededIn(env).join(", ")}.`;
  if (neededIn(env).length > 0) warn("crontab", unknownToCron, t`Set them in the crontab: comanda help cron`);
  return { found, stores: listed?.length ?? 0 };
}

const addressHint = () => t`Try again later, or check the network and the address: comanda env list`;

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

/**
 * Returns the variables that are set here, and a line for `sync`. A variable that may contain a secret is only named.
 *
 * @param known the number of stores on this machine
 */
function crontabLines(context: Context, known: number): readonly string[] {
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
  const isNamed = [env["COMANDA_STORE"], env[baseUrlVariable]].some(Boolean);
  const stores = !isNamed && known > 1 ? " --all-stores" : "";
  return [...lines, `15 6 * * * ${program} sync${stores} --quiet --no-input`];
}
