/** Whose the configuration folder is, and those above; every command's refusal is in `acceptance/unusable-folders.test.ts`. */
import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, test } from "vitest";

import { openPrivateFiles } from "../../src/state/private-file.js";
import { temporaryFolder } from "./support/folder.js";
import { rejection } from "./support/rejection.js";

const isRoot = process.getuid?.() === 0;

const trusts = (root: string, folder = root) => openPrivateFiles(root).trusts(folder);
const refusal = (root: string, folder = root) => rejection("state_unusable", () => trusts(root, folder));

function makeFolder(mode: number, ...names: [string, ...string[]]): string {
  const folder = path.join(...names);
  mkdirSync(folder);
  chmodSync(folder, mode);
  return folder;
}

const modeOf = (folder: string) => statSync(folder).mode & 0o7777;

/** A person types what the hint says. */
function type(hint: string | undefined): void {
  const [, command = ""] = /^Type: (ch.*)/m.exec(hint ?? "") ?? [];
  expect(command).not.toBe("");
  execFileSync("sh", ["-c", command]);
}

describe.skipIf(process.getuid === undefined)("the configuration folder and all in it", () => {
  test("is trusted where it is private, and nothing is made where there is none", () => {
    const root = path.join(temporaryFolder(), "config");
    expect(trusts(root, path.join(root, "sessions"))).toBe(false);
    expect(existsSync(root)).toBe(false);
    makeFolder(0o700, root);
    makeFolder(0o755, root, "sessions");
    expect(trusts(root, path.join(root, "sessions"))).toBe(true);
  });

  test.each([0o777, 0o770, 0o1777])("of mode %o is refused, and left as it is", async (mode) => {
    const root = makeFolder(mode, temporaryFolder(), "it's config");
    const { message, hint } = await refusal(root);
    expect(message).toContain(root);
    expect(modeOf(root)).toBe(mode);
    type(hint);
    expect(modeOf(root) & 0o777).toBe(0o700);
    expect(trusts(root)).toBe(true);
    await refusal(root, makeFolder(mode, root, "sessions"));
  });

  test("is no link, and no file", async () => {
    const base = temporaryFolder();
    const root = makeFolder(0o700, base, "config");
    for (const [link, config] of [
      [path.join(base, "link"), path.join(base, "link")],
      [path.join(root, "sessions"), root],
    ] as const) {
      symlinkSync(makeFolder(0o777, `${link}-foreign`), link);
      expect((await refusal(config, link)).message).toContain(`${link} is a link`);
    }
    const file = path.join(base, "file");
    writeFileSync(file, "");
    expect((await refusal(file)).message).toContain(`${file} is not a folder`);
    expect((await refusal(path.join(file, "below"))).message).toContain("not a directory");
  });

  test.skipIf(!isRoot)("is nobody else's (needs root, to give folders away)", async () => {
    const root = makeFolder(0o700, temporaryFolder(), "it's config");
    chownSync(root, 12_345, 12_345);
    const { message, hint } = await refusal(root);
    expect(message).toContain(`${root} belongs to another user (uid 12345)`);
    type(hint);
    expect(trusts(root)).toBe(true);
  });

  test("has to be somewhere", async () => {
    expect((await refusal("", "sessions")).hint).toContain("COMANDA_CONFIG_DIR");
  });
});

describe.skipIf(process.getuid === undefined)("the folders above", () => {
  test.each([0o755, 0o775, 0o1777])("may have mode %o", (mode) => {
    const root = path.join(makeFolder(mode, temporaryFolder(), "above"), "config");
    expect(trusts(root)).toBe(false);
    makeFolder(0o700, root);
    expect(trusts(root)).toBe(true);
  });

  test.each([true, false])("may not be for all to write (the folder is there: %s)", async (isThere) => {
    const above = makeFolder(0o777, temporaryFolder(), "it's above");
    const root = path.join(makeFolder(0o700, above, "between"), "config");
    if (isThere) makeFolder(0o700, root);
    const { message, hint } = await refusal(root);
    expect(message).toContain(above);
    type(hint);
    expect(modeOf(above)).toBe(0o775);
    expect(trusts(root)).toBe(isThere);
  });

  test.skipIf(!isRoot)("are nobody else's but root's, nor are links (needs root)", async () => {
    const above = makeFolder(0o755, temporaryFolder(), "above");
    chownSync(above, 12_345, 12_345);
    const root = path.join(above, "config");
    expect((await refusal(root)).message).toContain(`${above} belongs to another user (uid 12345)`);
    const shared = makeFolder(0o1777, temporaryFolder(), "shared");
    const link = path.join(shared, "link");
    symlinkSync(makeFolder(0o700, shared, "home"), link);
    execFileSync("chown", ["-h", "23456", link]);
    expect((await refusal(path.join(link, "config"))).message).toContain(link);
    expect(trusts(path.join(shared, "home", "config"))).toBe(false);
  });

  test("may be links, and then those are looked at that they lead through; not in circles", async () => {
    const base = temporaryFolder();
    makeFolder(0o700, makeFolder(0o755, base, "real"), "home");
    symlinkSync(path.join("..", path.basename(base), "real"), path.join(base, "second"));
    symlinkSync("second/./home", path.join(base, "first"));
    const root = path.join(base, "first", "config");
    makeFolder(0o700, root);
    expect(trusts(root)).toBe(true);
    chmodSync(path.join(base, "real"), 0o777);
    expect((await refusal(root)).message).toContain(path.join(base, "real"));
    symlinkSync("there", path.join(base, "here"));
    symlinkSync("here", path.join(base, "there"));
    await refusal(path.join(base, "here", "config"));
  });
});
