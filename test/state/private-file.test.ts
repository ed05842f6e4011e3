/** Files that are there whole or not at all, and whose folder this is; every command's refusal is in `acceptance/unusable-folders.test.ts`. */
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

import { openPrivateFiles } from "../../src/state/private-file.js";
import { filesIn, temporaryFolder } from "./support/folder.js";
import { rejection } from "./support/rejection.js";

const isRoot = process.getuid?.() === 0;

function open(folder = temporaryFolder()) {
  return { folder, file: path.join(folder, "x.json"), files: openPrivateFiles(folder) };
}

function makeFolder(mode: number, ...names: [string, ...string[]]): string {
  const folder = path.join(...names);
  mkdirSync(folder);
  chmodSync(folder, mode);
  return folder;
}

const modeOf = (file: string) => statSync(file).mode & 0o7777;

/** A person types what the hint says. */
function type(hint: string | undefined): void {
  const [, command = ""] = /^Run: (ch.*)/m.exec(hint ?? "") ?? [];
  expect(command).not.toBe("");
  execFileSync("sh", ["-c", command]);
}

describe("writing", () => {
  test("makes folders and files for their owner alone, whatever the umask, and replaces what was there", () => {
    const before = process.umask(0);
    try {
      const { folder, file, files } = open(path.join(temporaryFolder(), "a", "b"));
      for (const text of ["old, and longer", "new"]) files.write(file, text);
      expect([path.dirname(folder), folder, file].map(modeOf)).toEqual([0o700, 0o700, 0o600]);
      expect([files.read(file), filesIn(folder)]).toEqual(["new", ["x.json"]]);
    } finally {
      process.umask(before);
    }
  });

  test("into room that was taken for it: the room is real, and no more stays of it than the text", () => {
    const { folder, file, files } = open();
    files.write(file, "old");
    const room = files.reserve(file, 20_000);
    const [temporary = ""] = filesIn(folder).filter((name) => name.endsWith(".tmp"));
    const reserved = statSync(path.join(folder, temporary));
    expect(reserved).toMatchObject({ size: 20_000, mode: 0o100600 });
    expect(reserved.blocks * 512).toBeGreaterThanOrEqual(20_000);
    expect(files.read(file)).toBe("old");
    files.write(file, "né", room);
    expect([statSync(file).ino, files.read(file)]).toEqual([reserved.ino, "né"]);
    files.write(file, "longer than ten bytes", files.reserve(file, 10));
    expect([files.read(file), filesIn(folder)]).toEqual(["longer than ten bytes", ["x.json"]]);
  });

  test("leaves the reservations of other files alone, whatever their times", () => {
    const { folder, file, files } = open();
    const other = path.join(folder, "y.json");
    const reservation = files.reserve(other, 10);
    utimesSync(reservation, 1, 1);
    openPrivateFiles(folder).write(file, "x");
    files.write(other, "y", reservation);
    expect([files.read(other), filesIn(folder)]).toEqual(["y", ["x.json", "y.json"]]);
  });

  test("doesn't depend on the reservation: if another program removes it, the text is stored all the same", () => {
    const { folder, file, files } = open();
    const reservation = files.reserve(file, 10);
    rmSync(reservation);
    files.write(file, "text", reservation);
    expect([files.read(file), modeOf(file), filesIn(folder)]).toEqual(["text", 0o600, ["x.json"]]);
  });

  test("removes what killed processes left of the same file, and so does removing that file", () => {
    const { folder, file, files } = open();
    const reservation = files.reserve(file, 10);
    const other = openPrivateFiles(folder);
    other.reserve(file, 10);
    mkdirSync(other.temporary(file));
    files.write(file, "mark");
    expect(filesIn(folder)).toEqual([path.basename(reservation), "x.json"]);
    openPrivateFiles(folder).remove(file);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe("a file", () => {
  test.each([0o644, 0o620, 0o606])("of mode %o is refused with what to type, and then read", async (mode) => {
    const { folder, files } = open();
    const file = path.join(folder, "it's.json");
    writeFileSync(file, "secret");
    chmodSync(file, mode);
    type((await rejection("state_unusable", () => files.read(file))).hint);
    expect(files.read(file)).toBe("secret");
  });

  test("without a secret may be read by others, not written", async () => {
    const { file, files } = open();
    writeFileSync(file, "{}");
    chmodSync(file, 0o644);
    expect(files.read(file, "public")).toBe("{}");
    chmodSync(file, 0o664);
    await rejection("state_unusable", () => files.read(file, "public"));
  });

  test.each<[string, RegExp, (file: string) => unknown]>([
    ["a folder", /not a regular file/, (file) => mkdirSync(file)],
    ["a named pipe", /not a regular file/, (file) => execFileSync("mkfifo", ["-m", "600", file])],
    ["a link to a file", /it is a symbolic link/, (file) => symlinkSync("real", file)],
    ["a link that leads nowhere", /it is a symbolic link/, (file) => symlinkSync("none", file)],
    ...(isRoot ? [["another user's", /another user/, give] as [string, RegExp, typeof give]] : []),
  ])("that is %s is refused", async (_, words, make) => {
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
  const checkFolder = (root: string, folder = root) => openPrivateFiles(root).checkFolder(folder);
  const refusal = (root: string, folder = root) =>
    rejection("state_unusable", () => checkFolder(root, folder));

  test.each([0o777, 0o770, 0o1777])(
    "of mode %o is refused and left as it is, also below another",
    async (mode) => {
      const root = makeFolder(mode, temporaryFolder(), "it's config");
      const { hint } = await refusal(root);
      expect(modeOf(root)).toBe(mode);
      type(hint);
      expect(checkFolder(root)).toBe(true);
      await refusal(root, makeFolder(mode, root, "sessions"));
    },
  );
});
