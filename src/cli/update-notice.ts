/**
 * Tells of a newer version, at a terminal only, once a day. What is told an earlier run has asked for: a run that finds
 * this a day old starts a process of its own for it, and ends without waiting. Nothing that goes wrong here is an error
 * of the command's.
 */
import { noUpdateVariables, variable, type Context, type Globals } from "../commands/index.js";
import { t } from "../shared/language.js";
import { openSettingsFolder } from "../commands/state.js";
import { openSettings } from "../state/settings/settings.js";

import { askingWord } from "./command-words.js";
import { createOutput } from "./commander.js";

/** Another process that writes the same file is waited for so long. */
const waitMs = 100;

/** What they do is to tell something, to run another program, or to try comanda out. */
const silentCommands = /^comanda (version|help|completion|emulator|demo)( |$)/;

export interface Ran {
  /** As `comanda orders dispatch`. */
  readonly command: string;
  readonly globals: Globals;
}

/**
 * After a command that has succeeded.
 *
 * @param start starts this very program to ask, and doesn't wait for it
 */
export async function tellOfUpdate(
  context: Context,
  { command, globals }: Ran,
  start: (context: Context) => Promise<void> = startAlone,
): Promise<void> {
  if (!mayBeTold(context, globals) || silentCommands.test(command)) return;
  const folder = openSettingsFolder(context);
  const settings = openSettings(folder);
  const notice = async (text: string) => {
    (await createOutput(context, globals)).notice(text);
  };
  try {
    // Where no address is set, as on most machines, no more is looked at: to read the settings takes longer.
    const mayNameOne = () => folder.files.read(settings.path, "read")?.includes('"updates_url"');
    if (context.releases === undefined && !mayNameOne()) return;
    const { openUpdates, releasesUrl } = await import("../state/updates.js");
    const url = releasesUrl(settings.read(), context.releases);
    if (url === undefined) return;
    const { tell, ask } = await openUpdates(folder).take(url, context.version, AbortSignal.timeout(waitMs));
    if (tell !== undefined)
      await notice(
        t`There is a newer comanda: ${tell}. This is ${context.version}. COMANDA_NO_UPDATE_NOTICE=1 turns this notice off.`,
      );
    if (ask) await start(context);
  } catch (error) {
    // A full disk, a folder of another user's: nothing is known of newer versions then.
    if (globals.debug) await notice(t`debug: no look for a newer version: ${reasonOf(error)}`);
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : t`unknown error`;
}

/** Only to a person, who reads a result that is made for people. */
function mayBeTold(context: Context, { quiet, format, input }: Globals): boolean {
  if (context.stderr.isTTY !== true || quiet || format !== "table" || !input) return false;
  const isSet = (name: string) => variable(context, name) !== undefined;
  return ![...noUpdateVariables, "COMANDA_EMULATOR_URL"].some(isSet) && !isBuildServer(context);
}

/** As the field's tools know one. */
function isBuildServer({ env }: Context): boolean {
  const { CI: ci } = env;
  if (ci !== undefined) return !["", "0", "false"].includes(ci);
  return Object.entries(env).some(
    ([name, value]) => value !== "" && (name === "CONTINUOUS_INTEGRATION" || name.startsWith("CI_")),
  );
}

/** What the process that asks needs of the environment: folders, and the way to the network. No credential, no store. */
const handedOn =
  /^(PATH|HOME|USER|LOGNAME|TMPDIR|TEMP|TMP|SYSTEMROOT|WINDIR|USERPROFILE|(LOCAL)?APPDATA|XDG_CONFIG_HOME|COMANDA_CONFIG_DIR|NODE_EXTRA_CA_CERTS|NODE_OPTIONS|NODE_USE_SYSTEM_CA|SSL_CERT_(FILE|DIR)|(HTTPS?|NO)_PROXY)$/i;

/** @internal */
export function environmentOfAsking(env: Context["env"]): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => {
      // A debugger would keep the process waiting.
      const isDebugger = name === "NODE_OPTIONS" && value?.includes("--inspect") === true;
      return value !== undefined && handedOn.test(name) && !isDebugger ? [[name, value] as const] : [];
    }),
  );
}

async function startAlone({ self: [executable, ...first], env }: Context): Promise<void> {
  const { spawn } = await import("node:child_process");
  const child = spawn(executable, [...first, askingWord], {
    env: environmentOfAsking(env),
    stdio: "ignore",
    detached: true,
    windowsHide: true,
  });
  // Where no process can be started, the next day is early enough.
  child.on("error", () => undefined);
  child.unref();
}
