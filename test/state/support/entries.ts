import path from "node:path";

import { openAppendLog, type AppendLog } from "../../../src/state/files/append-log.js";
import type { StateFolder } from "../../../src/state/state-folder.js";

/** What the tests of the append log write. */
export interface Entry {
  readonly writer: string;
  readonly number: number;
  readonly text: string;
}

export function entriesFile(folder: string): string {
  return path.join(folder, "log", "entries.jsonl");
}

export function openEntries({ files, path: folder }: StateFolder): AppendLog<Entry> {
  return openAppendLog(files, entriesFile(folder), {
    parse: ({ writer, number, text }) =>
      typeof writer === "string" && typeof number === "number" && typeof text === "string"
        ? { writer, number, text }
        : undefined,
  });
}
