/** Faults that are put into the program: worlds in which processes take turns have to find each. */
import type { Mutation } from "../realm.js";
import type { Subject } from "./plan.js";

interface Fault {
  /** Of the worlds that find it. */
  readonly subject: Subject;
  readonly changes: readonly Mutation[];
}

export const faults = {
  "a lock that is looked for, then made": {
    subject: "lock",
    changes: [
      {
        file: "state/locks/lock-file.ts",
        from: "disk.link(candidate, name);",
        to: "if (name === lock && readHolding(disk, lock)) return false;\n      if (name === lock) disk.rename(candidate, lock);\n      else disk.link(candidate, name);",
      },
    ],
  },
  "a dead holder's lock that is inherited without a second look": {
    subject: "lock",
    changes: [
      {
        file: "state/locks/lock-file.ts",
        from: "if (readHolding(disk, lock)?.nonce !== root.nonce) {",
        to: "if (readHolding(disk, lock) === undefined) {",
      },
    ],
  },
  "settings that are changed without a lock": {
    subject: "settings",
    changes: [
      {
        file: "state/settings/settings.ts",
        from: 'state.locks.run("settings", async (lease) => {',
        to: "(async (work: (lease: { assertHeld: () => void }) => Promise<Settings>) => work({ assertHeld: () => undefined }))(async (lease) => {",
      },
    ],
  },
  "first settings behind which there are none": {
    subject: "settings",
    changes: [
      {
        file: "state/settings/guarded-conf.ts",
        from: "files.write(before, noSettings);",
        to: "discard(disk, before);",
      },
    ],
  },
  "settings that are cut short and read as they are": {
    subject: "settings",
    changes: [
      {
        file: "state/settings/guarded-conf.ts",
        from: 'const old = isCutShort(text) ? files.read(before, "read") : undefined;',
        to: "const old: string | undefined = undefined;",
      },
    ],
  },
  "settings that are cut short and not looked at again": {
    subject: "settings",
    changes: [
      {
        file: "state/settings/guarded-conf.ts",
        from: "if (!isCutShort(text) || text === seen)",
        to: "if (text !== seen)",
      },
    ],
  },
  "lines that go where the end was seen": {
    subject: "append log",
    changes: [
      {
        file: "state/files/append-log.ts",
        from: "disk.write(descriptor, Buffer.concat(rest))",
        to: "disk.write(descriptor, Buffer.concat(rest), disk.fstat(descriptor).size)",
      },
      {
        file: "state/files/private-file.ts",
        from: "openFlags.write | openFlags.append | openFlags.create",
        to: "openFlags.write | openFlags.create",
      },
    ],
  },
  "a file of the journal that is removed where it stands": {
    subject: "journal",
    changes: [
      {
        file: "state/journal/journal-files.ts",
        from: "if (statesOf(state, pieces) !== seen) return false;",
        to: "",
      },
    ],
  },
  "a line that is not looked for once it is written": {
    subject: "journal",
    changes: [
      {
        file: "state/files/append-log.ts",
        from: "isThere: result.written === 0 || disk.isNamed(descriptor, file)",
        to: "isThere: true",
      },
    ],
  },
  "a session that has two files while it is renamed": {
    subject: "sessions",
    changes: [
      {
        file: "state/sessions/sessions.ts",
        from: "writeFile(oldName, { ...session, renamed_to: alias }, { assertHeld });\n          files.move(fileOf(oldName), fileOf(newName), assertHeld);",
        to: "writeFile(newName, renamed, { assertHeld });\n          files.remove(fileOf(oldName));",
      },
    ],
  },
  "a list of sessions that looks once": {
    subject: "sessions",
    changes: [
      { file: "state/sessions/sessions.ts", from: "const mostLooks = 5;", to: "const mostLooks = 1;" },
    ],
  },
  "a lock that stays when the disk fails once": {
    subject: "lock",
    changes: [{ file: "state/locks/lock-file.ts", from: "onceMore(giveUp)", to: "giveUp()" }],
  },
  "a lock that was taken and stays when the disk fails then": {
    subject: "lock",
    changes: [
      {
        file: "state/locks/lock-file.ts",
        from: "      try {\n        giveUp();\n      } catch {",
        to: "      try {\n        claimed = undefined;\n      } catch {",
      },
    ],
  },
  "a lock that is not looked at again after a halt": {
    subject: "lock",
    changes: [
      {
        file: "state/locks/locks.ts",
        from: "if (!attempt.isOurs()) throw new LockLost(lock);",
        to: "attempt.isOurs();",
      },
    ],
  },
  "a lock whose holder is never heard of": {
    subject: "lock",
    changes: [
      {
        file: "state/locks/locks.ts",
        from: "everyBeat(clock, () => attempt.touch())",
        to: "everyBeat(clock, () => undefined)",
      },
    ],
  },
  "a lock of another machine that is taken at once": {
    subject: "lock",
    changes: [
      {
        file: "state/locks/lock-file.ts",
        from: 'return state === "out of sight" ? !isSilent(holding) : state === "running";',
        to: 'return state === "running";',
      },
    ],
  },
  "temporary files that are swept by one's own clock": {
    subject: "sessions",
    changes: [
      {
        file: "state/files/temporary-files.ts",
        from: "changedMs - stats.mtimeMs",
        to: "Math.max(changedMs, Date.now()) - stats.mtimeMs",
      },
    ],
  },
} satisfies Readonly<Record<string, Fault>>;
