/** The folder that everything lies in which comanda keeps. Nothing is made here: the first write does that. */
import { homedir, platform } from "node:os";
import path from "node:path";

/** The system whose folders are meant. */
interface System {
  /** `linux`, `darwin`, `win32`, … */
  readonly platform: string;
  /** May throw: a user may have no home. */
  readonly home: () => string;
  /** Paths are written by its rules. */
  readonly path: typeof path;
}

/**
 * Settings, sessions and databases lie in `COMANDA_CONFIG_DIR`, else where the package `env-paths` has them, which asks for the
 * home folder even where it isn't needed.
 *
 * @returns an absolute path; `undefined` where the user has no home folder, as many a container's, or where a relative
 *   path is meant and the current folder is gone
 */
export function configFolder(
  env: Readonly<Record<string, string | undefined>>,
  system: System = { platform: platform(), home: homedir, path },
): string | undefined {
  const { path: paths } = system;
  try {
    if (env["COMANDA_CONFIG_DIR"]) return paths.resolve(env["COMANDA_CONFIG_DIR"]);
    const isWindows = system.platform === "win32";
    const isMac = system.platform === "darwin";
    const names = isWindows ? ["comanda", "Config"] : ["comanda"];
    // The XDG specification wants a relative one ignored.
    const base = isMac ? undefined : env[isWindows ? "APPDATA" : "XDG_CONFIG_HOME"];
    if (base && paths.isAbsolute(base)) return paths.join(base, ...names);
    const home = system.home();
    const others = isMac ? ["Library", "Preferences"] : [".config"];
    const inHome = isWindows ? ["AppData", "Roaming"] : others;
    return paths.isAbsolute(home) ? paths.join(home, ...inHome, ...names) : undefined;
  } catch {
    return undefined;
  }
}
