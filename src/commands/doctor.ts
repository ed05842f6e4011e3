/** `comanda doctor` says what is wrong on this machine, and what to do. Apart from renewing expired tokens, it changes nothing. */
import { accessSync, constants } from "node:fs";

import { endWith, type Command } from "../cli/command.js";
import { variable, type Context } from "../cli/context.js";
import type { Column } from "../cli/records.js";
import { completeCommandHint } from "../cli/hints.js";
import { baseUrlVariable, chooseStore, knowsSeveral, transportOf } from "../cli/connection.js";
import { ComandaError, isComandaError } from "../base/errors.js";
import { TransportError } from "../client/transport.js";
import { currentLanguage, t } from "../languages/language.js";
import { machineZone, preferencesFor } from "../sales/preferences.js";
import { fileError, freeBytes, shellWord } from "../state/private-file.js";
import { listEnvironments } from "../state/settings.js";
import { damaged } from "../state/sqlite.js";
import { describeState, examine, reportOf } from "./status.js";

export interface Finding {
  readonly check: string;
  readonly status: "ok" | "warning" | "failure";
  readonly message: string;
  /** The remedy; null where nothing has to be done. */
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
      const found = await findings(context);
      await output.records(columns, found);
      if (output.format === "table" && context.host.platform !== "win32") {
        output.line("");
        output.words(t`Lines for a crontab, to be copied:`);
        for (const line of await crontabLines(context)) output.line(line);
      }
      const failures = found.filter(({ status }) => status === "failure").length;
      if (failures > 0)
        endWith(
          context,
          new ComandaError("check_failed", t`What has to be mended here: ${failures}.`, {
            hint: t`What to do stands beside each.`,
          }),
        );
    });
}

const columns: readonly Column<Finding>[] = [
  { heading: "Check", name: "check", cell: ({ check }) => check },
  { heading: "Status", name: "status", cell: ({ status }) => status, isWord: true },
  { heading: "Found", name: "message", cell: ({ message }) => message },
  {
    heading: "What to do",
    name: "hint",
    cell: ({ hint }) => hint,
    tableText: ({ hint }) => (hint ?? "").replaceAll("\n", " "),
  },
];

/** With a greater difference an expired token seems valid, and near midnight yesterday is another day. */
const clockToleranceMs = 60_000;
/** A disk with less free space is nearly full. */
const scarceBytes = 64 * 1024 * 1024;

/** They stand in the order in which a person would look. A fault of one thing hides none of the others, and is told once. */
async function findings(context: Context): Promise<readonly Finding[]> {
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
      const { message, hint = t`Run the command again with --debug.` } = completeCommandHint(error);
      if (!found.some((other) => other.message === message && other.hint === hint))
        found.push({ check, status: "failure", message, hint });
      return undefined;
    }
  };

  ok(t`node`, t`comanda ${version}, Node ${host.version}, ${[host.platform, host.arch].join(" ")}.`);
  const state = await attempt(t`settings folder`, () => context.state());
  if (!state) return found;
  const { path, files, place } = state;
  await attempt(t`settings folder`, () => {
    // The first write makes it.
    if (!files.checkFolder(path)) return;
    try {
      accessSync(path, constants.W_OK | constants.X_OK);
    } catch (error) {
      throw fileError(error, "write", path);
    }
    ok(t`settings folder`, t`${path} can be written to.`);
    const free = freeBytes(path);
    if (free === undefined) return;
    const message = t`${Math.floor(free / 1_048_576)} MiB are free there.`;
    if (free >= scarceBytes) ok(t`disk`, message);
    else warn(t`disk`, message, t`Make room: on a full disk nothing is sent.`);
  });
  for (const name of ["comanda", "sales"] as const) {
    const check = place.engine === "sqlite" ? t`database ${name}.db` : t`database ${name} (PostgreSQL)`;
    await attempt(check, async () => {
      if (!state.hasDatabase(name)) return;
      const database = await state.database(name);
      if (place.engine === "sqlite") {
        const lines = await database.rows({ quick_check: "text" }, "pragma quick_check");
        if (lines.some((line) => line.quick_check !== "ok")) throw damaged(database.place);
      }
      ok(check, t`${database.place} is sound.`);
    });
  }
  const settings = await attempt(t`settings`, () => state.settings.read());
  const listed = await attempt(t`stores`, () => state.sessions.list());
  /** Each address of a store, its name, and whether an answer was the API's; undefined if none was requested. */
  const services = new Map<string, { readonly name: string; isApi?: boolean }>();
  /** Asks the service as `status --check` does. A problem of the network or the service has a line of its own. */
  const ask = async (store: string | undefined, name: string, url: string) => {
    const { checks, problem, ...stored } = await examine(context, store, true);
    const service = services.get(url) ?? { name };
    services.set(url, service);
    if (checks.some(({ evidence }) => evidence === "api")) service.isApi = true;
    const unchecked = checks.find(({ result }) => result === "not_checked")?.failure;
    if (!unchecked) return { ...stored, problem };
    service.isApi ??= false;
    const { code, message: told } = unchecked;
    const { origin, host: at } = new URL(url);
    const message = told.includes(at) ? told : `${origin}: ${told}`;
    const { hint = addressHint() } = ["unreachable", "unexpected_answer"].includes(code) ? {} : unchecked;
    if (code === "rate_limited") warn(t`service ${name}`, message, hint);
    else await attempt(t`service ${name}`, () => Promise.reject(new ComandaError(code, message, { hint })));
    return { ...stored, problem: problem === unchecked ? undefined : problem };
  };
  for (const session of listed ?? []) {
    const { store } = session;
    await attempt(t`store ${store}`, async () => {
      if ("error" in session) throw session.error;
      const { name, base_url: url } = session.environment;
      const { report, credentials, problem } = await ask(store, name, url);
      const known = report.state === "unreachable" ? reportOf(session, clock.now()) : report;
      const state = `${name}: ${describeState(known, credentials.includes("bearer"))}`;
      // A sign-in that lacks a permission is valid.
      if (problem) throw problem.reworded(report.state === "valid" ? `${name}: ${problem.message}` : state);
      ok(t`store ${store}`, state);
      const set = settings && listEnvironments(settings).find((each) => each.name === name)?.base_url;
      if (set && set !== url) {
        const message = t`Its sign-in belongs to ${url}, but the environment ${name} is at ${set} now.`;
        const hint = t`To use the new address: comanda stores remove ${store}, then comanda login --store ${store} --env ${name}`;
        warn(t`address of ${store}`, message, hint);
      }
    });
    await attempt(t`time zone of ${store}`, () => {
      if (!settings || settings.stores?.[store]?.time_zone !== undefined) return;
      const { zone } = preferencesFor(context, settings, store);
      // A server's UTC is seldom a store's zone, and a command is pasted unread.
      const hint = t`Set it: comanda stores set ${store} --tz ${zone === "UTC" ? "<zone>" : zone}`;
      warn(t`time zone of ${store}`, t`Not set, so its days are counted in ${zone}.`, hint);
    });
  }
  const isSet = (name: string) => variable(context, name) !== undefined;
  const isByVariables = [baseUrlVariable, "COMANDA_ACCESS_TOKEN", "COMANDA_API_KEY"].some(isSet);
  let chosenBy = isSet("COMANDA_STORE") ? "COMANDA_STORE" : t`stores`;
  if (isByVariables) chosenBy = baseUrlVariable;
  // The store of a command without --store.
  await attempt(chosenBy, async () => {
    const store = await chooseStore(context, undefined).catch((error: unknown) => {
      if (!isComandaError(error, "usage")) throw error;
      warn(t`stores`, error.message, completeCommandHint(error).hint ?? "");
      return undefined;
    });
    if (!store || store.session) return;
    const { problem } = await ask(undefined, baseUrlVariable, store.baseUrl);
    if (problem) throw problem;
  });
  // One request without credentials for the clock.
  const askTime = async (
    url: string,
    { name, isApi }: { readonly name: string; readonly isApi?: boolean },
  ) => {
    const { origin } = new URL(url);
    const request = { method: "HEAD", url, headers: {}, timeoutMs: 10_000, signal } as const;
    const { headers } = await transportOf(context)
      .send(request)
      .catch((error: unknown) => {
        if (!(error instanceof TransportError)) throw error;
        throw new ComandaError("unreachable", `${origin}: ${error.message}`, { hint: addressHint() });
      });
    if (isApi) ok(t`service ${name}`, t`${origin} answers.`);
    const difference = Math.abs(clock.now() - Date.parse(headers["date"] ?? ""));
    // An answer without a date says nothing of the clock.
    if (!(difference > clockToleranceMs)) return;
    const message = t`This machine's clock and the service's are ${Math.round(difference / 1_000)} s apart.`;
    const hint = t`Let the system set its clock by the network (NTP).`;
    found.push({ check: t`clock (${name})`, status: "failure", message, hint });
  };
  const reached = [...services].filter(([, { isApi }]) => isApi !== false);
  await Promise.all(
    reached.map(([url, service]) => attempt(t`service ${service.name}`, () => askTime(url, service))),
  );
  const unknownToCron = t`Set here, and not known to cron: ${neededIn(env).join(", ")}.`;
  if (neededIn(env).length > 0)
    warn(t`crontab`, unknownToCron, t`Set them in the crontab: comanda help cron`);
  return found;
}

const addressHint = () =>
  t`Check the network (a Wi-Fi sign-in page, a proxy, a firewall) and the address: comanda env list`;

/** comanda, its folders and the way to the service depend on these variables, and cron gives a command none of them. */
const neededNames =
  /^(COMANDA_\w+|XDG_(CONFIG|DATA|STATE)_HOME|NODE_EXTRA_CA_CERTS|PG(?:USER|PASSWORD|PASSFILE)|SSL_CERT_(FILE|DIR)|(HTTPS?|NO)_PROXY|https?_proxy|no_proxy|TZ)$/;

/** A value of any other may be a secret, or an address with one in it. */
const shownNames =
  /^(COMANDA_(CONFIG_DIR|STORE|STATE_KEY_FILE|RATE_LIMITS|ALLOW_INSECURE)|XDG_\w+|NODE_EXTRA_CA_CERTS|PGUSER|PGPASSFILE|SSL_CERT_\w+|NO_PROXY|no_proxy)$/;

function neededIn(env: Context["env"]): readonly string[] {
  return Object.keys(env)
    .filter((name) => neededNames.test(name) && env[name] !== "")
    .sort();
}

/** With what is set here. A variable that may hold a secret is named in a comment, without its value. */
async function crontabLines(context: Context): Promise<readonly string[]> {
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
  // In a command cron takes % for the end of a line.
  const program = self
    .map(shellWord)
    .join(" ")
    .replaceAll("%", String.raw`\%`);
  const isNamed = [env["COMANDA_STORE"], env["COMANDA_BASE_URL"]].some(Boolean);
  const stores = !isNamed && (await knowsSeveral(context)) ? " --all-stores" : "";
  return [...lines, `15 6 * * * ${program} sync${stores} --quiet --no-input`];
}
