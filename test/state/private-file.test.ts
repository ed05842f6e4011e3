/** Writes files atomically, and checks files and folders. `acceptance/unusable-folders.test.ts` tests every command's error. */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";

import { describe, expect, test } from "vitest";

import { configFolder, fileError, openPrivateFiles } from "../../src/state/private-file.js";
import { filesIn } from "../support/folder-state.js";
import { temporaryFolder } from "./support/folder.js";
import { rejection } from "../support/rejection.js";

const isRoot = process.getuid?.() === 0;

function open(folder = temporaryFolder()) {
  return { folder, file: path.join(folder, "x.json"), files: openPrivateFiles(folder) };
}

const modeOf = (file: string) => statSync(file).mode & 0o7777;

/** Executes the command of a hint. */
function execute(hint: string | undefined): void {
  const [, command = ""] = /^Run: (ch.*)/m.exec(hint ?? "") ?? [];
  expect(command).not.toBe("");
  execFileSync("sh", ["-c", command]);
}

describe("writing", () => {
  test("creates private folders and files whatever the umask, and replaces the content", () => {
    const before = process.umask(0);
    try {
      const { folder, file, files } = open(path.join(temporaryFolder(), "a", "b"));
      for (const text of ["old, and longer", "new"]) files.write(file, text);
      expect([path.dirname(folder), folder, file].map(modeOf)).toEqual([0o700, 0o700, 0o600]);
      expect(files.read(file)).toBe("new");
      expect(filesIn(folder)).toEqual(["x.json"]);
    } finally {
      process.umask(before);
    }
  });

  test("uses reserved disk space, and removes the rest of it", () => {
    const { folder, file, files } = open();
    files.write(file, "old");
    const reservation = files.reserve(file, 20_000);
    const [temporary = ""] = filesIn(folder).filter((name) => name.endsWith(".tmp"));
    const reserved = statSync(path.join(folder, temporary));
    expect(reserved).toMatchObject({ size: 20_000, mode: 0o100600 });
    expect(reserved.blocks * 512).toBeGreaterThanOrEqual(20_000);
    expect(files.read(file)).toBe("old");
    files.write(file, "né", reservation);
    expect(statSync(file).ino).toBe(reserved.ino);
    expect(files.read(file)).toBe("né");
    // Another program may have removed a reservation.
    const short = files.reserve(file, 10);
    rmSync(short);
    files.write(file, "longer than ten bytes", short);
    expect(files.read(file)).toBe("longer than ten bytes");
    expect(modeOf(file)).toBe(0o600);
    expect(filesIn(folder)).toEqual(["x.json"]);
  });

  test("removes temporary files of killed processes, whatever their times, but not those of other files", () => {
    const { folder, file, files } = open();
    const reservation = files.reserve(file, 10);
    const other = openPrivateFiles(folder);
    const [left, kept] = [other.reserve(file, 10), other.reserve(path.join(folder, "y.json"), 10)];
    for (const each of [reservation, left, kept]) utimesSync(each, 1, 1);
    mkdirSync(other.temporary(file));
    files.write(file, "mark");
    const names = [reservation, kept].map((each) => path.basename(each));
    expect(filesIn(folder)).toEqual([...names, "x.json"]);
    openPrivateFiles(folder).remove(file);
    expect(readdirSync(folder)).toEqual(names.slice(1));
  });
});

describe("a file", () => {
  test.each(["604", "620"])("of mode %s is rejected with a command that makes it readable", async (mode) => {
    const { files, file } = open(path.join(temporaryFolder(), "it's", "comanda"));
    files.write(file, "");
    writeFileSync(file, "secret");
    chmodSync(file, mode);
    execute((await rejection("state_unusable", () => files.read(file))).hint);
    expect(files.read(file)).toBe("secret");
  });

  test("without secrets may be readable but not writable for others", async () => {
    const { file, files } = open();
    writeFileSync(file, "{}");
    chmodSync(file, 0o644);
    expect(files.read(file, "public")).toBe("{}");
    chmodSync(file, 0o664);
    await rejection("state_unusable", () => files.read(file, "public"));
  });

  test.each<[string, RegExp, (file: string) => unknown]>([
    ["a named pipe", /not a regular file/, (file) => execFileSync("mkfifo", ["-m", "600", file])],
    ["a link to a file", /it is a symbolic link/, (file) => symlinkSync("real", file)],
    ...(isRoot ? [["another user's", /another user/, give] as [string, RegExp, typeof give]] : []),
  ])("that is %s is rejected", async (_, words, make) => {
    const { folder, file, files } = open();
    writeFileSync(path.join(folder, "real"), "{}", { mode: 0o600 });
    make(file);
    expect(await rejection("state_unusable", () => files.read(file))).toMatchObject({
      message: expect.stringMatching(words) as string,
    });
  });

  function give(file: string): void {
    writeFileSync(file, "secret", { mode: 0o600 });
    chownSync(file, 12_345, 12_345);
  }
});

describe.skipIf(process.getuid === undefined)("a folder", () => {
  test.each([
    ["folder", "000", 0o700],
    ["file", "000", 0o600],
  ])("denies access to its own %s of mode %s until the command of the hint has run", (what, mode, after) => {
    const folder = path.join(temporaryFolder(), "it's", "comanda");
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const file = path.join(folder, "settings.json");
    writeFileSync(file, "{}", { mode: 0o600 });
    const closed = what === "folder" ? folder : file;
    chmodSync(closed, mode);
    // Root has access whatever the mode, so the system's error is created here.
    const denied = Object.assign(new Error("EACCES"), { code: "EACCES" });
    execute(fileError(denied, "read", file).hint);
    expect(modeOf(closed)).toBe(after);
    const { hint, hintFacts } = fileError(denied, "read", file);
    expect({ hint, hintFacts }).toEqual({ hint: undefined, hintFacts: { about: "settings_folder" } });
  });
});

test.each([
  ["win32", {}, String.raw`C:\Users\José\AppData\Roaming\comanda\Config`],
  ["win32", { APPDATA: String.raw`D:\Roaming` }, String.raw`D:\Roaming\comanda\Config`],
  ["win32", { COMANDA_CONFIG_DIR: String.raw`E:\shop` }, "E:\\shop"],
  ["darwin", {}, "/home/ana/Library/Preferences/comanda"],
  ["linux", {}, "/home/ana/.config/comanda"],
  ["linux", { XDG_CONFIG_HOME: "/x" }, "/x/comanda"],
  ["linux", { COMANDA_CONFIG_DIR: "x" }, path.resolve("x")],
] as const)("the settings folder on %s with the variables %j is %s", (platform, env, folder) => {
  const home = platform === "win32" ? String.raw`C:\Users\José` : "/home/ana";
  expect(configFolder(env, platform, () => home)?.replace(/\\$/, "")).toBe(folder);
});
