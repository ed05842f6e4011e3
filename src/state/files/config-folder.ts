/** The two folders that everything lies in which comanda keeps. Nothing is made here: the first write does that. */
import { homedir, platform } from "node:os";
import path from "node:path";

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Where settings and sessions lie: `COMANDA_CONFIG_DIR`, else the configuration folder of the operating system.
 *
 * @returns an absolute path; `undefined` where the user has no home folder, as many a container's, or where a relative
 *   path is meant and the current folder is gone
 */
export function configFolder(env: Variables): string | undefined {
  return orNone(() => chosen(env, "COMANDA_CONFIG_DIR") ?? systemConfigFolder(env));
}

/**
 * Where sales figures lie: `COMANDA_DATA_DIR`, else `data` in `COMANDA_CONFIG_DIR`, which whoever chose it means for
 * all that is kept, else the data folder of the operating system.
 *
 * @returns as {@link configFolder}
 */
export function dataFolder(env: Variables): string | undefined {
  return orNone(() => {
    const config = chosen(env, "COMANDA_CONFIG_DIR");
    const beside = config === undefined ? undefined : path.join(config, "data");
    return chosen(env, "COMANDA_DATA_DIR") ?? beside ?? systemDataFolder(env);
  });
}

/** The current folder may be gone, and a user may have no home. */
function orNone(find: () => string | undefined): string | undefined {
  try {
    return find();
  } catch {
    return undefined;
  }
}

function chosen(env: Variables, variable: string): string | undefined {
  const folder = env[variable];
  return folder ? path.resolve(folder) : undefined;
}

/** Both as the package `env-paths` has them, which asks for the home folder even where it isn't needed. */
function systemConfigFolder(env: Variables): string | undefined {
  switch (platform()) {
    case "darwin":
      return inHome("Library", "Preferences", "comanda");
    case "win32":
      return below(env["APPDATA"], () => inHome("AppData", "Roaming"), "comanda", "Config");
    default:
      return below(env["XDG_CONFIG_HOME"], () => inHome(".config"), "comanda");
  }
}

function systemDataFolder(env: Variables): string | undefined {
  switch (platform()) {
    case "darwin":
      return inHome("Library", "Application Support", "comanda");
    case "win32":
      return below(env["LOCALAPPDATA"], () => inHome("AppData", "Local"), "comanda", "Data");
    default:
      return below(env["XDG_DATA_HOME"], () => inHome(".local", "share"), "comanda");
  }
}

/** The XDG specification wants a relative path ignored. */
function below(
  given: string | undefined,
  usual: () => string | undefined,
  ...names: string[]
): string | undefined {
  const folder = given && path.isAbsolute(given) ? given : usual();
  return folder === undefined ? undefined : path.join(folder, ...names);
}

function inHome(...names: string[]): string | undefined {
  const home = homedir();
  return path.isAbsolute(home) ? path.join(home, ...names) : undefined;
}
