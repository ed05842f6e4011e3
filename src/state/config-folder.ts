/** The folder that everything lies in which comanda keeps. Nothing is made here: the first write does that. */
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

/** The module that knows is loaded where no variable says which folder is meant. */
const thisMachine: Surroundings = {
  get platform() {
    return platform();
  },
  home: () => homedir(),
  path,
};

/**
 * Settings, sessions and databases lie in `COMANDA_CONFIG_DIR`, else in the configuration folder of the operating system.
 *
 * @returns an absolute path; `undefined` where the user has no home folder, as many a container's, or where a relative
 *   path is meant and the current folder is gone
 */
export function configFolder(env: Variables, machine = thisMachine): string | undefined {
  const folder = env["COMANDA_CONFIG_DIR"];
  try {
    return folder ? machine.path.resolve(folder) : systemFolder(env, machine);
  } catch {
    return undefined;
  }
}

interface BaseFolder {
  /** It moves the folder, if it holds an absolute path: the XDG specification wants another ignored. */
  readonly variable?: string;
  readonly inHome: readonly string[];
  readonly names: readonly string[];
}

/** As the package `env-paths` has them, which asks for the home folder even where it isn't needed. */
const systemFolders: Readonly<Record<"darwin" | "win32" | "others", BaseFolder>> = {
  darwin: { inHome: ["Library", "Preferences"], names: ["comanda"] },
  win32: { variable: "APPDATA", inHome: ["AppData", "Roaming"], names: ["comanda", "Config"] },
  others: { variable: "XDG_CONFIG_HOME", inHome: [".config"], names: ["comanda"] },
};

function systemFolder(env: Variables, machine: Surroundings): string | undefined {
  const { platform, path, home } = machine;
  const key = platform === "darwin" || platform === "win32" ? platform : "others";
  const { variable, inHome, names } = systemFolders[key];
  const folder = variable === undefined ? undefined : env[variable];
  if (folder && path.isAbsolute(folder)) return path.join(folder, ...names);
  const ownHome = home();
  return path.isAbsolute(ownHome) ? path.join(ownHome, ...inHome, ...names) : undefined;
}
