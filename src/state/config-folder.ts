import os from "node:os";
import path from "node:path";

import envPaths from "env-paths";

/**
 * Where everything lies that comanda keeps: `COMANDA_CONFIG_DIR`, else the configuration folder of the operating
 * system. Nothing is made here; the first write makes it, for its owner alone.
 *
 * @returns an absolute path
 */
export function configFolder(env: Readonly<Record<string, string | undefined>>): string {
  const chosen = env["COMANDA_CONFIG_DIR"];
  if (chosen) return path.resolve(chosen);
  const xdg = env["XDG_CONFIG_HOME"];
  // The XDG specification wants a relative path ignored. It has no say on macOS and Windows.
  const obeysXdg = !["darwin", "win32"].includes(os.platform());
  if (obeysXdg && xdg && path.isAbsolute(xdg)) return path.join(xdg, "comanda");
  if (obeysXdg) return path.join(os.homedir(), ".config", "comanda");
  return envPaths("comanda", { suffix: "" }).config;
}
