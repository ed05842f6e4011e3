/** The number of a run: its day (UTC), and letters that hardly another run of that day has. */
import type { StateFolder } from "../state-folder.js";

/** None of these letters is taken for a digit or another letter. */
const letters = "abcdefghkmnpqrstuvwxyz";

export function newRunId({ clock, files: { system } }: Pick<StateFolder, "clock" | "files">): string {
  const day = new Date(clock.now()).toISOString().slice(0, 10).replaceAll("-", "");
  return `${day}-${Array.from(system.random.marks(6), (byte) => letters[byte % letters.length] ?? "").join("")}`;
}
