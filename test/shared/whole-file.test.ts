import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { describe, expect, onTestFinished, test } from "vitest";

import { realSystem } from "../../src/shared/system.js";
import { writeWhole } from "../../src/shared/whole-file.js";
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
    expect(writeWhole(realSystem, file, "old, and longer")).toBe(file);
    expect(writeWhole(realSystem, path.relative(process.cwd(), file), Buffer.from("né"))).toBe(file);
    expect(fs.readFileSync(file, "utf8")).toBe("né");
    expect(fs.readdirSync(folder)).toEqual(["x.html"]);
  });

  test("lets others read it as the umask has it", () => {
    const file = path.join(temporaryFolder(), "x.html");
    const before = process.umask(0o027);
    onTestFinished(() => void process.umask(before));
    writeWhole(realSystem, file, "text");
    expect(fs.statSync(file).mode & 0o777).toBe(0o640);
  });

  test("keeps a file for those whom it was for", () => {
    const file = path.join(temporaryFolder(), "x.csv");
    fs.writeFileSync(file, "old", { mode: 0o600 });
    writeWhole(realSystem, file, "text");
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
  });

  test("replaces the file that a link names, and leaves the link", () => {
    const folder = temporaryFolder();
    fs.mkdirSync(path.join(folder, "real"));
    fs.writeFileSync(path.join(folder, "real", "x.html"), "old");
    fs.symlinkSync("real/x.html", path.join(folder, "one"));
    fs.symlinkSync("one", path.join(folder, "two"));
    expect(writeWhole(realSystem, path.join(folder, "two"), "new")).toBe(path.join(folder, "two"));
    expect(fs.readFileSync(path.join(folder, "real", "x.html"), "utf8")).toBe("new");
    expect(fs.readlinkSync(path.join(folder, "two"))).toBe("one");
    expect(fs.readdirSync(path.join(folder, "real"))).toEqual(["x.html"]);
  });

  test("makes the file that a link names where there is none yet, and refuses links in a circle", () => {
    const folder = temporaryFolder();
    fs.symlinkSync("new.html", path.join(folder, "link"));
    writeWhole(realSystem, path.join(folder, "link"), "new");
    expect(fs.readFileSync(path.join(folder, "new.html"), "utf8")).toBe("new");
    expect(fs.lstatSync(path.join(folder, "link")).isSymbolicLink()).toBe(true);
    fs.symlinkSync("b", path.join(folder, "a"));
    fs.symlinkSync("a", path.join(folder, "b"));
    expect(() => writeWhole(realSystem, path.join(folder, "a"), "x")).toThrow(
      expect.objectContaining({ code: "ELOOP" }),
    );
    expect(fs.readlinkSync(path.join(folder, "a"))).toBe("b");
  });

  test.skipIf(process.platform === "win32")("writes into a pipe, which stays one", () => {
    const pipe = path.join(temporaryFolder(), "pipe");
    execFileSync("mkfifo", [pipe]);
    // Open at both ends, so that nobody waits.
    const reader = fs.openSync(pipe, fs.constants.O_RDWR | fs.constants.O_NONBLOCK);
    onTestFinished(() => fs.closeSync(reader));
    writeWhole(realSystem, pipe, "through");
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
    expect(() => writeWhole(realSystem, path.join(folder, name), "text")).toThrow(
      expect.objectContaining({ code }),
    );
    expect(fs.readdirSync(folder)).toEqual(["folder"]);
  });

  test.skipIf(!smallDiskAvailable)("on a full disk leaves the old file as it was", () => {
    const disk = mountSmallDisk();
    onTestFinished(() => disk.remove());
    const file = path.join(disk.folder, "x.html");
    writeWhole(realSystem, file, "old");
    disk.fill(1);
    expect(() => writeWhole(realSystem, file, "x".repeat(20_000))).toThrow(
      expect.objectContaining({ code: "ENOSPC" }),
    );
    expect(fs.readFileSync(file, "utf8")).toBe("old");
    expect(fs.readdirSync(disk.folder).sort()).toEqual(["filler", "x.html"]);
  });
});
