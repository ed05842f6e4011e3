/** The checks of `doctor` say what is wrong and what to do; none of them changes anything. */
import { accessSync, constants, existsSync } from "node:fs";

import { freeBytes } from "../../state/private-file.js";
import { ComandaError } from "../../client/errors.js";
import { isFreePort } from "../free-port.js";
import { currentLanguage, plural, t } from "../../languages/language.js";
import { isLoopbackHost } from "../../api/loopback.js";
import type { State } from "../../state/state.js";
import type { Session } from "../../state/sessions.js";
import { listEnvironments } from "../../state/environments.js";
import type { Settings } from "../../state/settings.js";
import { hasScreen, variable } from "../../cli/context.js";
import type { Context } from "../../cli/context.js";
import { describeState, isSignedIn, reportOf } from "../sign-in.js";

import { crontab } from "./crontab.js";
import { databases } from "./databases.js";
import { failureOf, failure, ok, warning, type Finding } from "./finding.js";
import { network, services } from "./way-to-service.js";
import { resolveTimeZone } from "../figures/preferences.js";

/** A disk with less free space is nearly full. */
const scarceBytes = 64 * 1024 * 1024;

/** The findings stand in the order in which a person would look. */
export async function findings(context: Context): Promise<readonly Finding[]> {
  try {
    await context.state();
  } catch (error) {
    const isOfFolder = variable(context, "COMANDA_STATE") === undefined;
    if (!(error instanceof ComandaError) || error.code !== "state_unusable" || !isOfFolder) throw error;
    // All else that would be looked at lies there.
    return [node(context), failureOf(t`settings folder`, error), browser(context), crontab(context.env)];
  }
  const { sessions: file } = await context.state();
  const folderFindings = await folder(context);
  const sessions = await file.list().catch((error: unknown) => failureOf(t`stores`, error));
  const usableSessions =
    "check" in sessions ? [] : sessions.filter((session): session is Session => !("error" in session));
  const { settings, finding } = await readSettings(context);
  // The check of the folder may have said the same.
  const isTold = (finding: Finding) => folderFindings.some(({ message }) => message === finding.message);
  return [
    node(context),
    ...folderFindings,
    ...(await databases(context)),
    finding,
    ...("check" in sessions
      ? [sessions].filter((finding) => !isTold(finding))
      : storeFindings(context, sessions)),
    await journal(context),
    ...network(context),
    ...(await services(context, usableSessions)),
    ...(settings ? await redirectPorts(settings) : []),
    browser(context),
    ...(await zones(context, usableSessions, settings)),
    crontab(context.env),
  ];
}

function node({ host, version }: Context): Finding {
  const running = host.version ?? "";
  const [major = 0, minor = 0, patch = 0] = running.replace(/^v/, "").split(".").map(Number);
  const isOld = major < 20 || (major === 20 && (minor < 18 || (minor === 18 && patch < 1)));
  const system = [host.platform, host.arch].filter(Boolean).join(" ");
  const message = t`comanda ${version}, Node ${running}, ${system}.`;
  return isOld ? failure(t`node`, message, t`comanda needs Node 20.18.1 or newer.`) : ok(t`node`, message);
}

async function folder(context: Context): Promise<readonly Finding[]> {
  const { path, files } = await context.state();
  const check = t`settings folder`;
  try {
    if (!files.trusts(path)) return [ok(check, t`${path} isn't there yet; the first write makes it.`)];
    accessSync(path, constants.W_OK | constants.X_OK);
  } catch (error) {
    if (error instanceof ComandaError) return [failureOf(check, error)];
    return [
      failure(
        check,
        t`${path} can't be written to.`,
        t`Give this user the right, or choose another folder: comanda help environment`,
      ),
    ];
  }
  const free = freeBytes(path);
  const hasOwners = context.host.getuid !== undefined;
  const message = hasOwners ? t`${path}: yours alone, and can be written to.` : t`${path} can be written to.`;
  return [ok(check, message), ...(free === undefined ? [] : [diskRoom(check, free)])];
}

function diskRoom(folder: string, free: number): Finding {
  const message = t`${Math.floor(free / 1_048_576)} MiB are free there.`;
  return free < scarceBytes
    ? warning(t`${folder}: disk`, message, t`Make room: on a full disk nothing is sent.`)
    : ok(t`${folder}: disk`, message);
}

/** Checks that need the settings are left out where the settings can't be read. */
async function readSettings(
  context: Context,
): Promise<{ readonly settings?: Settings; readonly finding: Finding }> {
  const { settings: file } = await context.state();
  try {
    const settings = await file.read();
    const isThere = existsSync(file.path);
    const message = isThere
      ? t`${file.path} can be read.`
      : t`None yet: ${file.path} is made when one is set.`;
    return { settings, finding: ok(t`settings`, message) };
  } catch (error) {
    return { finding: failureOf(t`settings`, error) };
  }
}

type SessionList = Awaited<ReturnType<State["sessions"]["list"]>>;

function storeFindings(context: Context, sessions: SessionList): readonly Finding[] {
  if (sessions.length === 0 && variable(context, "COMANDA_BASE_URL") === undefined) {
    return [
      warning(t`stores`, t`No store is signed in.`, t`Sign in: comanda login --store <alias> --env <name>`),
    ];
  }
  return sessions.map((session) => {
    const check = t`store ${session.store}`;
    if ("error" in session) return failureOf(check, session.error);
    const report = reportOf(session, context.clock.now());
    const message = `${session.environment.name}: ${describeState(report)}`;
    if (isSignedIn(report) || report.can_change_orders) return ok(check, message);
    return failure(
      check,
      message,
      t`Sign in: comanda login --store ${session.store} --env ${session.environment.name}`,
    );
  });
}

/** Counts the writes of the last days that have an unknown outcome. */
async function journal(context: Context): Promise<Finding> {
  const since = context.clock.now() - 7 * 86_400_000;
  try {
    const { readHistory } = await import("../../state/journal.js");
    const state = await context.state();
    let unknown = 0;
    for await (const page of readHistory(state, { since, outcome: "unknown" })) unknown += page.length;
    if (unknown === 0) return ok(t`journal`, t`Every write of the last 7 days has an outcome.`);
    const message = plural(unknown, {
      one: t`1 write of the last 7 days has no known outcome.`,
      other: t`${unknown} writes of the last 7 days have no known outcome.`,
    });
    return warning(t`journal`, message, t`See which: comanda history --since 7d --outcome unknown`);
  } catch (error) {
    return failureOf(t`journal`, error);
  }
}

/** Checks the redirect port of each environment that this machine's browser can sign in at. */
async function redirectPorts(settings: Settings): Promise<readonly Finding[]> {
  const uris = listEnvironments(settings).flatMap(({ redirect_uri: uri }) => uri ?? []);
  const local = [...new Set(uris)].filter(
    (uri) => uri.startsWith("http:") && isLoopbackHost(new URL(uri).hostname),
  );
  return Promise.all(
    local.map(async (uri) => {
      const { hostname, port } = new URL(uri);
      const check = t`redirect port ${port}`;
      const host = hostname === "localhost" ? "127.0.0.1" : hostname.replace(/^\[|\]$/g, "");
      return (await isFreePort(Number(port), host))
        ? ok(check, t`Free, as a sign-in needs it.`)
        : warning(check, t`Another program listens there.`, t`End it before the next sign-in.`);
    }),
  );
}

function browser(context: Context): Finding {
  return hasScreen(context)
    ? ok(t`browser`, t`A sign-in opens the browser of this machine.`)
    : ok(t`browser`, t`None here: a sign-in prints the address, to be opened on another machine.`);
}

async function zones(
  context: Context,
  sessions: readonly Session[],
  settings: Settings | undefined,
): Promise<readonly Finding[]> {
  const machineZone = await resolveTimeZone();
  const finding = ok(t`language`, t`${currentLanguage()}; the machine's time zone is ${machineZone}.`);
  if (!settings) return [finding];
  const storesWithoutZone = sessions.filter(({ store }) => settings.stores?.[store]?.time_zone === undefined);
  return [
    finding,
    ...storesWithoutZone.map(({ store }) =>
      warning(
        t`time zone of ${store}`,
        t`Not set, so its days are counted in ${machineZone}.`,
        t`Set it: comanda stores set ${store} --tz ${machineZone}`,
      ),
    ),
  ];
}
