import os from "node:os";
import path from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Where everything lies that comanda keeps: `COMANDA_CONFIG_DIR`, else the configuration folder of the operating
 * system. Nothing is made here; the first write makes it, for its owner alone.
 *
 * @returns an absolute path; `undefined` where the user has no home folder, as many a container's, or where a relative
 *   path is meant and the current folder is gone
 */
export function configFolder(env: Environment): string | undefined {
  try {
    return chosenFolder(env) ?? systemFolder(env);
  } catch {
    return undefined;
  }
}

function chosenFolder(env: Environment): string | undefined {
  const chosen = env["COMANDA_CONFIG_DIR"];
  return chosen ? path.resolve(chosen) : undefined;
}

/** As the package `env-paths` has it, which asks for the home folder even where it isn't needed. */
function systemFolder(env: Environment): string | undefined {
  const inHome = (...names: string[]) => {
    const home = os.homedir();
    return path.isAbsolute(home) ? path.join(home, ...names) : undefined;
  };
  switch (os.platform()) {
    case "darwin":
      return inHome("Library", "Preferences", "comanda");
    case "win32": {
      const given = env["APPDATA"] ?? "";
      const data = path.isAbsolute(given) ? given : inHome("AppData", "Roaming");
      return data === undefined ? undefined : path.join(data, "comanda", "Config");
    }
    default: {
      // The XDG specification wants a relative path ignored.
      const xdg = env["XDG_CONFIG_HOME"];
      return xdg && path.isAbsolute(xdg) ? path.join(xdg, "comanda") : inHome(".config", "comanda");
    }
  }
}
