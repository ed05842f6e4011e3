import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { describe, expect, onTestFinished, test } from "vitest";

import { fileErrorReason, writeWhole } from "../../src/state/whole-file.js";
import { mountSmallDisk, smallDiskAvailable } from "../support/small-disk.js";

function temporaryFolder(): string {
  const folder = fs.mkdtempSync(path.join(tmpdir(), "comanda-whole-"));
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  return folder;
}

describe("writing a file whole", () => {
  test("puts text or bytes in place of what was there, and leaves nothing else", () => {
    const folder = temporaryFolder();
    const file = path.join(folder, "x.html");
    expect(writeWhole(file, "old, and longer")).toBe(file);
    expect(writeWhole(path.relative(process.cwd(), file), Buffer.from("né"))).toBe(file);
    expect(fs.readFileSync(file, "utf8")).toBe("né");
    expect(fs.readdirSync(folder)).toEqual(["x.html"]);
  });

  test("lets others read it as the umask has it", () => {
    const file = path.join(temporaryFolder(), "x.html");
    const before = process.umask(0o027);
    onTestFinished(() => void process.umask(before));
    writeWhole(file, "text");
    expect(fs.statSync(file).mode & 0o777).toBe(0o640);
  });

  test("keeps a file for those whom it was for", () => {
    const file = path.join(temporaryFolder(), "x.csv");
    fs.writeFileSync(file, "old", { mode: 0o600 });
    writeWhole(file, "text");
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
  });

  test("replaces the file that a link names, and leaves the link", () => {
    const folder = temporaryFolder();
    fs.mkdirSync(path.join(folder, "real"));
    fs.writeFileSync(path.join(folder, "real", "x.html"), "old");
    fs.symlinkSync("real/x.html", path.join(folder, "one"));
    fs.symlinkSync("one", path.join(folder, "two"));
    expect(writeWhole(path.join(folder, "two"), "new")).toBe(path.join(folder, "two"));
    expect(fs.readFileSync(path.join(folder, "real", "x.html"), "utf8")).toBe("new");
    expect(fs.readlinkSync(path.join(folder, "two"))).toBe("one");
    expect(fs.readdirSync(path.join(folder, "real"))).toEqual(["x.html"]);
  });

  test("makes the file that a link names where there is none yet, and refuses links in a circle", () => {
    const folder = temporaryFolder();
    fs.symlinkSync("new.html", path.join(folder, "link"));
    writeWhole(path.join(folder, "link"), "new");
    expect(fs.readFileSync(path.join(folder, "new.html"), "utf8")).toBe("new");
    expect(fs.lstatSync(path.join(folder, "link")).isSymbolicLink()).toBe(true);
    fs.symlinkSync("b", path.join(folder, "a"));
    fs.symlinkSync("a", path.join(folder, "b"));
    expect(() => writeWhole(path.join(folder, "a"), "x")).toThrow(expect.objectContaining({ code: "ELOOP" }));
    expect(fs.readlinkSync(path.join(folder, "a"))).toBe("b");
  });

  test.skipIf(process.platform === "win32")("writes into a pipe, which stays one", () => {
    const pipe = path.join(temporaryFolder(), "pipe");
    execFileSync("mkfifo", [pipe]);
    // Open at both ends, so that nobody waits.
    const reader = fs.openSync(pipe, fs.constants.O_RDWR | fs.constants.O_NONBLOCK);
    onTestFinished(() => fs.closeSync(reader));
    writeWhole(pipe, "through");
    const read = Buffer.alloc(20);
    expect(read.subarray(0, fs.readSync(reader, read)).toString()).toBe("through");
    expect(fs.lstatSync(pipe).isFIFO()).toBe(true);
  });

  test.each([
    ["in a folder that isn't there", "none/x.html", "ENOENT"],
    ["over a folder", "folder", "EISDIR"],
  ])("%s throws the system's error and leaves nothing", (_, name, code) => {
    const folder = temporaryFolder();
    fs.mkdirSync(path.join(folder, "folder"));
    expect(() => writeWhole(path.join(folder, name), "text")).toThrow(expect.objectContaining({ code }));
    expect(fs.readdirSync(folder)).toEqual(["folder"]);
  });

  test.skipIf(!smallDiskAvailable)("on a full disk leaves the old file as it was", () => {
    const disk = mountSmallDisk();
    onTestFinished(() => disk.remove());
    const file = path.join(disk.folder, "x.html");
    writeWhole(file, "old");
    disk.fill(1);
    expect(() => writeWhole(file, "x".repeat(20_000))).toThrow(expect.objectContaining({ code: "ENOSPC" }));
    expect(fs.readFileSync(file, "utf8")).toBe("old");
    expect(fs.readdirSync(disk.folder).sort()).toEqual(["filler", "x.html"]);
  });
});

test.each([
  ["ENOSPC", "no space is left there"],
  ["EDQUOT", "no space is left there"],
  ["EACCES", "this user is not allowed to"],
  ["EROFS", "what lies there can only be read"],
  ["ENXIO", "nobody reads what is written there"],
  ["EIO", "EIO: text"],
])("a failure of code %s is told as: %s", (code, reason) => {
  expect(fileErrorReason(Object.assign(new Error(`${code}: text, write '/x'`), { code }))).toBe(reason);
});

describe.skipIf(process.platform === "win32")("writing to a named pipe", () => {
  function namedPipe(): string {
    const pipe = path.join(temporaryFolder(), "pipe");
    execFileSync("mkfifo", [pipe]);
    return pipe;
  }

  test("that nobody reads fails at once", () => {
    expect(() => writeWhole(namedPipe(), "x")).toThrow(expect.objectContaining({ code: "ENXIO" }));
  });
});

describe.skipIf(process.getuid?.() !== 0)(
  "what another user put into a folder (needs root, to give it away)",
  () => {
    function folderWithLink(mode: number, isTheirs = true): string {
      const folder = temporaryFolder();
      fs.writeFileSync(path.join(folder, "precious"), "old");
      fs.symlinkSync("precious", path.join(folder, "report.html"));
      if (isTheirs) fs.lchownSync(path.join(folder, "report.html"), 54_321, 54_321);
      fs.chmodSync(folder, mode);
      return folder;
    }

    test("for all is not followed: a link there could lead to any file of this user", () => {
      const folder = folderWithLink(0o1777);
      const link = path.join(folder, "report.html");
      const refusal = expect.objectContaining({ code: "EACCES" }) as Error;
      expect(() => writeWhole(link, "new")).toThrow(refusal);
      expect(fs.readFileSync(path.join(folder, "precious"), "utf8")).toBe("old");
      execFileSync("mkfifo", [path.join(folder, "pipe")]);
      fs.chownSync(path.join(folder, "pipe"), 54_321, 54_321);
      expect(() => writeWhole(path.join(folder, "pipe"), "secret")).toThrow(refusal);
    });

    test("of this user's own is, as their own link is anywhere", () => {
      const alone = folderWithLink(0o755);
      writeWhole(path.join(alone, "report.html"), "new");
      expect(fs.readFileSync(path.join(alone, "precious"), "utf8")).toBe("new");
      const shared = folderWithLink(0o1777, false);
      writeWhole(path.join(shared, "report.html"), "new");
      expect(fs.readFileSync(path.join(shared, "precious"), "utf8")).toBe("new");
    });
  },
);
