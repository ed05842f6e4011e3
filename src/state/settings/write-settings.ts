/**
 * Writes the settings with `conf`. On a full disk that can leave a file that is cut short, and report success. So `conf`
 * writes a file beside the settings, and what that holds takes their place once it has been read back: whoever reads finds
 * the old settings or the new ones, all of them.
 */
import path from "node:path";

import { ComandaError } from "../../client/errors.js";
import { parseJson } from "../../api/json.js";
import { t } from "../../languages/language.js";
import { fileError } from "../files/file-errors.js";
import type { PrivateFiles } from "../files/private-file.js";

/**
 * Only for the holder of the lock.
 *
 * @throws {ComandaError} `state_unusable`; the file is as it was
 */
export async function writeSettings(
  files: PrivateFiles,
  file: string,
  settings: Readonly<Record<string, unknown>>,
): Promise<void> {
  const Conf = await loadConf(path.dirname(file));
  const temporary = files.temporary(file);
  try {
    files.write(file, writtenByConf());
  } finally {
    discardAll();
  }

  function writtenByConf(): string {
    try {
      const conf = new Conf({
        cwd: path.dirname(file),
        configName: path.basename(temporary, ".tmp"),
        fileExtension: "tmp",
        configFileMode: 0o600,
        accessPropertiesByDotNotation: false,
        clearInvalidConfig: false,
      });
      conf.store = { ...settings };
    } catch (error) {
      throw fileError(error, "write", file);
    }
    const text = files.read(temporary) ?? "";
    if (JSON.stringify(parseJson(text)) === JSON.stringify(settings)) return text;
    throw new ComandaError("state_unusable", t`${file} could not be written whole; it is as it was.`, {
      hint: t`Check whether the disk is full, then run the command again.`,
    });
  }

  /** conf removes a file of its own a moment later, and not at all where the process ends first. */
  function discardAll(): void {
    const { disk } = files.system;
    const folder = path.dirname(file);
    try {
      for (const name of disk.readdir(folder))
        if (name.startsWith(path.basename(temporary))) disk.remove(path.join(folder, name));
    } catch {
      // The next process sweeps them.
    }
  }
}

/**
 * Loaded only to write. It asks for a home folder, which many a container's user hasn't got, and brings a listener of each
 * signal, which sends the signal to this process a second time: one Ctrl-C would count for two.
 */
async function loadConf(folder: string) {
  const listeners = () =>
    process
      .eventNames()
      .filter((name) => String(name).startsWith("SIG"))
      .flatMap((name) => process.rawListeners(name).map((listener) => [name, listener] as const));
  const before = new Set(listeners().map(([, listener]) => listener));
  const { HOME } = process.env;
  process.env["HOME"] ??= folder;
  const { default: Conf } = await import("conf");
  if (HOME === undefined) delete process.env["HOME"];
  for (const [name, listener] of listeners())
    if (!before.has(listener)) process.removeListener(name, listener as () => void);
  return Conf;
}
