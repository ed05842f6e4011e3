/** The two folders that everything lies in which comanda keeps. Nothing is made here: the first write does that. */
import { homedir, platform } from "node:os";
import path from "node:path";

type Variables = Readonly<Record<string, string | undefined>>;

/** The machine whose folders are meant. */
interface Surroundings {
  /** `linux`, `darwin`, `win32`, … */
  readonly platform: string;
  /** May throw: a user may have no home. */
  readonly home: () => string;
  /** Paths are written by its rules. */
  readonly path: typeof path;
}

const thisMachine: Surroundings = { platform: platform(), home: homedir, path };

/**
 * Settings and sessions lie in `COMANDA_CONFIG_DIR`, else in the configuration folder of the operating system.
 *
 * @returns an absolute path; `undefined` where the user has no home folder, as many a container's, or where a relative
 *   path is meant and the current folder is gone
 */
export function configFolder(env: Variables, machine = thisMachine): string | undefined {
  return orNone(() => chosen(env, "COMANDA_CONFIG_DIR", machine) ?? systemConfigFolder(env, machine));
}

/**
 * Sales figures lie in `COMANDA_DATA_DIR`, else in `data` of `COMANDA_CONFIG_DIR`, since a person who chose that means it
 * for all that is kept, else in the data folder of the operating system.
 *
 * @returns as {@link configFolder}
 */
export function dataFolder(env: Variables, machine = thisMachine): string | undefined {
  return orNone(() => {
    const config = chosen(env, "COMANDA_CONFIG_DIR", machine);
    const beside = config === undefined ? undefined : machine.path.join(config, "data");
    return chosen(env, "COMANDA_DATA_DIR", machine) ?? beside ?? systemDataFolder(env, machine);
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

function chosen(env: Variables, variable: string, machine: Surroundings): string | undefined {
  const folder = env[variable];
  return folder ? machine.path.resolve(folder) : undefined;
}

/** Both as the package `env-paths` has them, which asks for the home folder even where it isn't needed. */
function systemConfigFolder(env: Variables, machine: Surroundings): string | undefined {
  switch (machine.platform) {
    case "darwin":
      return inHome(machine, "Library", "Preferences", "comanda");
    case "win32":
      return below(machine, env["APPDATA"], () => inHome(machine, "AppData", "Roaming"), "comanda", "Config");
    default:
      return below(machine, env["XDG_CONFIG_HOME"], () => inHome(machine, ".config"), "comanda");
  }
}

function systemDataFolder(env: Variables, machine: Surroundings): string | undefined {
  switch (machine.platform) {
    case "darwin":
      return inHome(machine, "Library", "Application Support", "comanda");
    case "win32":
      return below(
        machine,
        env["LOCALAPPDATA"],
        () => inHome(machine, "AppData", "Local"),
        "comanda",
        "Data",
      );
    default:
      return below(machine, env["XDG_DATA_HOME"], () => inHome(machine, ".local", "share"), "comanda");
  }
}

/** The XDG specification wants a relative path ignored. */
function below(
  machine: Surroundings,
  variable: string | undefined,
  usual: () => string | undefined,
  ...names: string[]
): string | undefined {
  const folder = variable && machine.path.isAbsolute(variable) ? variable : usual();
  return folder === undefined ? undefined : machine.path.join(folder, ...names);
}

function inHome(machine: Surroundings, ...names: string[]): string | undefined {
  const home = machine.home();
  return machine.path.isAbsolute(home) ? machine.path.join(home, ...names) : undefined;
}
