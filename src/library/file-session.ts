/** Programs share the stores that are signed in on this machine with the command line. */
import {
  aFunction,
  aText,
  aTransport,
  checkOptions,
  objectWith,
  optional,
  type Rules,
} from "../client/checks.js";
import type { FileSession, FileSessionOptions } from "./open-file-session.js";

export type { FileSession, FileSessionClientOptions, FileSessionOptions } from "./open-file-session.js";

/**
 * Reads the session of a store that `comanda login` has stored. No other part of this library touches a disk.
 *
 * Calls of a client with these options follow the rules of the command line's own calls: see {@link
 * FileSessionClientOptions.observer}.
 *
 * @throws {ComandaError} `not_signed_in` where no store is known, `invalid_input` for a store that isn't, `usage`
 * where there are several and none is chosen, `state_unusable` where a file can't be used, `configuration` for options that can't be used
 */
export async function fileSession(options: FileSessionOptions = {}): Promise<FileSession> {
  checkOptions(rules, options, "fileSession");
  // eslint-disable-next-line no-restricted-globals -- here the program is somebody else's: its process is asked for its id and owner, and its environment is the default
  const host = process;
  return (await import("./open-file-session.js")).openFileSession(options, host);
}

const rules: Rules<FileSessionOptions> = {
  store: optional(aText),
  folder: optional(aText),
  env: optional(objectWith({})),
  transport: optional(aTransport),
  onWarning: optional(aFunction),
};
