/** `comanda doctor` says what is wrong on this machine, and what to do; it changes nothing. */
import { accessSync, constants } from "node:fs";

import { signInAgain } from "../auth/renewal.js";
import { endWith, type Command } from "../cli/command.js";
import { allowsInsecure, variable, type Context } from "../cli/context.js";
import type { Column } from "../cli/records.js";
import { baseUrlVariable, knowsSeveral, signInWorks, transportOf } from "../cli/store.js";
import { ComandaError } from "../client/errors.js";
import { normalizeBaseUrl, TransportError } from "../client/transport.js";
import { currentLanguage, t } from "../languages/language.js";
import { machineZone, preferencesFor } from "../sales/preferences.js";
import { fileError, freeBytes, shellWord } from "../state/private-file.js";
import { damaged } from "../state/sqlite.js";
import { describeState, reportOf } from "./status.js";

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
      "It looks at folders and their rights, the disk, both databases, sessions, the clock, the way to the " +
        "service, the time zones, and what a crontab needs, as lines to copy. It asks each service once, " +
        "without a credential. It ends with 1 where something has to be done before comanda works.",
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
      const { message, hint = t`Run the command again with --debug.` } = error;
      if (!found.some((other) => other.message === message))
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
    if (!files.trusts(path)) return;
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
  const addresses = new Map<string, string>();
  const address = variable(context, baseUrlVariable);
  if (listed?.length === 0 && address === undefined)
    warn(t`stores`, t`No store is signed in.`, t`Sign in: comanda login --store <alias> --env <name>`);
  for (const session of listed ?? []) {
    const { store } = session;
    await attempt(t`store ${store}`, () => {
      if ("error" in session) throw session.error;
      const { name, base_url: url } = session.environment;
      addresses.set(url, name);
      const message = `${name}: ${describeState(reportOf(session, clock.now()))}`;
      if (!signInWorks(session, clock.now()) && session.api_key === undefined)
        throw new ComandaError("not_signed_in", message, { hint: signInAgain(session) });
      ok(t`store ${store}`, message);
    });
    await attempt(t`time zone of ${store}`, () => {
      if (!settings || settings.stores?.[store]?.time_zone !== undefined) return;
      const { zone } = preferencesFor(context, settings, store);
      // A server's UTC is seldom a store's zone, and a command is pasted unread.
      const hint = t`Set it: comanda stores set ${store} --tz ${zone === "UTC" ? "<zone>" : zone}`;
      warn(t`time zone of ${store}`, t`Not set, so its days are counted in ${zone}.`, hint);
    });
  }
  if (address !== undefined)
    await attempt(baseUrlVariable, () => {
      const url = normalizeBaseUrl(address, allowsInsecure(context), baseUrlVariable);
      addresses.set(url, baseUrlVariable);
    });
  // One request without credentials: any answer proves that the way is open.
  const askService = async (url: string, name: string) => {
    const { origin } = new URL(url);
    const request = { method: "HEAD", url, headers: {}, timeoutMs: 10_000, signal } as const;
    const { headers } = await transportOf(context)
      .send(request)
      .catch((error: unknown) => {
        if (!(error instanceof TransportError)) throw error;
        throw new ComandaError("unreachable", `${origin}: ${error.message}`, {
          hint: t`Check the network, a proxy or firewall, and the address: comanda env list`,
        });
      });
    ok(t`service ${name}`, t`${origin} answers.`);
    const difference = Math.abs(clock.now() - Date.parse(headers["date"] ?? ""));
    // An answer without a date says nothing of the clock.
    if (!(difference > clockToleranceMs)) return;
    const message = t`This machine's clock and the service's are ${Math.round(difference / 1_000)} s apart.`;
    const hint = t`Let the system set its clock by the network (NTP).`;
    found.push({ check: t`clock (${name})`, status: "failure", message, hint });
  };
  await Promise.all(
    [...addresses].map(([url, name]) => attempt(t`service ${name}`, () => askService(url, name))),
  );
  const unknownToCron = t`Set here, and not known to cron: ${neededIn(env).join(", ")}.`;
  if (neededIn(env).length > 0)
    warn(t`crontab`, unknownToCron, t`Set them in the crontab: comanda help cron`);
  return found;
}

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
