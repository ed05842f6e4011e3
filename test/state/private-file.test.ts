import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readFileSync,
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

describe("writing", () => {
  test("makes folders for their owner alone, and the file too, whatever the umask", () => {
    const before = process.umask(0);
    try {
      const { folder, file, files } = open(path.join(temporaryFolder(), "a", "b"));
      files.write(file, "text");
      expect(statSync(folder).mode & 0o777).toBe(0o700);
      expect(statSync(path.dirname(folder)).mode & 0o777).toBe(0o700);
      expect(statSync(file).mode & 0o777).toBe(0o600);
    } finally {
      process.umask(before);
    }
  });

  test("replaces what was there and leaves nothing else", () => {
    const { folder, file, files } = open();
    files.write(file, "old, and longer");
    files.write(file, "new");
    expect(files.read(file)).toBe("new");
    expect(filesIn(folder)).toEqual(["x.json"]);
  });

  test("over a folder: an error that names it, and no temporary file stays", async () => {
    const { folder, file, files } = open();
    const room = files.reserve(file, 10);
    mkdirSync(path.join(file, "y"), { recursive: true });
    const error = await rejection("state_unusable", () => files.write(file, "new"));
    expect(error.message).toContain(file);
    await rejection("state_unusable", () => room.write("new"));
    expect(filesIn(folder)).toEqual([]);
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
    room.write("né");
    expect(statSync(file).ino).toBe(reserved.ino);
    room.release();
    expect(files.read(file)).toBe("né");
    files.reserve(file, 10).write("longer than ten bytes");
    files.reserve(file, 10).release();
    expect(files.read(file)).toBe("longer than ten bytes");
    expect(filesIn(folder)).toEqual(["x.json"]);
  });

  test("sweeps what a killed process left an hour ago, and nothing else", () => {
    const { folder, file, files } = open();
    const [old, young, mine] = [`.x.json.${randomUUID()}.tmp`, `.y.json.${randomUUID()}.tmp`, ".y.json.tmp"];
    for (const name of [old, young, mine]) writeFileSync(path.join(folder, name), "");
    const twoHoursAgo = Date.now() / 1000 - 7200;
    for (const name of [old, mine]) utimesSync(path.join(folder, name), twoHoursAgo, twoHoursAgo);
    files.write(file, "text");
    expect(filesIn(folder)).toEqual(["x.json", young, mine].sort());
  });
});

describe("reading", () => {
  test("nothing there", () => {
    const { folder, files } = open();
    expect(files.read(path.join(folder, "none", "x.json"))).toBeUndefined();
  });

  test.each([0o644, 0o620, 0o606])("refuses mode %o and says what to type", async (mode) => {
    const { folder, files } = open();
    const file = path.join(folder, "it's.json");
    writeFileSync(file, "secret");
    chmodSync(file, mode);
    const { message, hint } = await rejection("state_unusable", () => files.read(file));
    expect(message).toContain(file);
    execFileSync("sh", ["-c", String(hint).replace("Type: ", "")]);
    expect(files.read(file)).toBe("secret");
  });

  test("lets others read what is no secret, but not change it", async () => {
    const { file, files } = open();
    writeFileSync(file, "{}");
    chmodSync(file, 0o644);
    expect(files.read(file, "shown")).toBe("{}");
    chmodSync(file, 0o664);
    await rejection("state_unusable", () => files.read(file, "shown"));
  });

  test.skipIf(!isRoot)("refuses another user's file (needs root, to give it away)", async () => {
    const { file, files } = open();
    writeFileSync(file, "secret", { mode: 0o600 });
    chownSync(file, 12_345, 12_345);
    const { message } = await rejection("state_unusable", () => files.read(file));
    expect(message).toContain("belongs to another user (uid 12345)");
  });

  test.each<[string, (file: string) => unknown]>([
    ["a folder", (file) => mkdirSync(file)],
    ["a named pipe, which it doesn't wait on", (file) => execFileSync("mkfifo", ["-m", "600", file])],
    ["a link to a file", (file) => symlinkSync("real", file)],
    ["a link that leads nowhere", (file) => symlinkSync("none", file)],
    ["a link that leads in circles", (file) => symlinkSync("x.json", file)],
  ])("refuses %s", async (_, make) => {
    const { folder, file, files } = open();
    writeFileSync(path.join(folder, "real"), "{}", { mode: 0o600 });
    make(file);
    await rejection("state_unusable", () => files.read(file));
  });

  test("refuses a folder that is a link, and neither reads nor writes through it", async () => {
    const { folder, files } = open(path.join(temporaryFolder(), "config"));
    const foreign = path.join(folder, "..", "foreign", "x.json");
    for (const each of [folder, path.dirname(foreign)]) mkdirSync(each);
    writeFileSync(foreign, "foreign", { mode: 0o600 });
    symlinkSync("../foreign", path.join(folder, "sessions"));
    const file = path.join(folder, "sessions", "x.json");
    await rejection("state_unusable", () => files.read(file));
    await rejection("state_unusable", () => files.remove(file));
    await rejection("state_unusable", () => files.write(file, "new"));
    expect(readFileSync(foreign, "utf8")).toBe("foreign");
  });
});
