/** Faults that are put into the program, most of them those of its past: the simulation has to find each. */
import type { Mutation } from "./realm.js";

export const mutations = {
  /** An ordinary command emptied the folder behind a link: folders were not checked, and links were followed. */
  "deletion through a link": [
    {
      file: "state/files/folder-trust.ts",
      from: "if (root === undefined) throw noFolder();",
      to: "if (root === undefined) throw noFolder();\n      return ifPresent(() => disk.stat(folder)) !== undefined;",
    },
  ],
  /** No room was taken on the disk before the service was asked for tokens. */
  "session lost on a full disk": [
    {
      file: "auth/refresh.ts",
      from: "await sessions.reserve(session.store)",
      to: "await Promise.resolve({ write: () => undefined, release: () => undefined })",
    },
    { file: "auth/refresh.ts", from: "write(next, room)", to: "write(next)" },
  ],
  /** A change that may have been done ended as one that the service can't be reached for: nothing was kept in doubt. */
  "exit code 8 for an unknown outcome": [
    {
      file: "client/call/caller.ts",
      from: "conclude(operation, await send(call), progress.doubt)",
      to: "conclude(operation, await send(call), undefined)",
    },
  ],
  /** No such fault was ever there: that the other two promises can be broken too. */
  "unknown orders sent again": [
    {
      file: "state/journal/resume.ts",
      from: "&& !retryUnknown ?",
      to: "&& retryUnknown ?",
    },
  ],
  "limits not kept": [
    {
      file: "state/limits.ts",
      from: "const granted = Math.max(",
      to: "const granted = want || Math.max(",
    },
  ],
  /** A refresh that began before a new sign-in put the old one back. */
  "a refresh of what was read before the lock": [
    {
      file: "auth/access-token.ts",
      from: "const session = usableSession(current);",
      to: "const session = usableSession(current && options.session);",
    },
  ],
  /** A refresh brought back what was forgotten meanwhile, or its tokens were not those that were revoked. */
  "a sign-out that waits for nobody": [
    {
      file: "state/sessions/sessions.ts",
      from: "return withLockOr({ locks }, name, remove, {",
      to: "if (Math.abs(1) === 1) return remove();\n      return withLockOr({ locks }, name, remove, {",
    },
  ],
  /** Cut off in between, a rename left two sessions, each of which used up the other's token. */
  "a session that has two files while it is renamed": [
    {
      file: "state/sessions/sessions.ts",
      from: "writeFile(oldName, { ...session, renamed_to: alias });\n          files.move(fileOf(oldName), fileOf(newName));",
      to: "writeFile(newName, { ...session, store: alias });\n          files.remove(fileOf(oldName));",
    },
  ],
} satisfies Readonly<Record<string, readonly Mutation[]>>;
