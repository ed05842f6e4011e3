/** What earlier releases kept of sales figures: one file for each answer, in `cache` of the configuration folder. */
import path from "node:path";

import { ifPresent, withFileErrors } from "../files/file-errors.js";
import type { StateFolder } from "../state-folder.js";

/**
 * Removes it: nothing reads it any more, and which store a file is of can't be told. Regular files of its own names go,
 * in a folder that is safe; whatever else lies there stays.
 *
 * @param folder the configuration folder
 * @returns the number of answers
 * @throws {ComandaError} `state_unusable`
 */
export function clearEarlierCache({ path: root, files }: StateFolder): number {
  const folder = path.join(root, "cache");
  if (!files.sweep(folder)) return 0;
  const { disk } = files.system;
  const names = withFileErrors("read", folder, () => disk.readdir(folder));
  const answers = names
    .filter((name) => /^(?:summary|grouped)-[0-9a-f]{32}\.json$/.test(name))
    .map((name) => path.join(folder, name))
    .filter((file) => withFileErrors("read", file, () => ifPresent(() => disk.lstat(file).isFile())));
  for (const file of answers) files.remove(file);
  // What isn't ours keeps its folder.
  if (answers.length === names.length)
    withFileErrors("remove", folder, () => ifPresent(() => disk.rmdir(folder)));
  return answers.length;
}
