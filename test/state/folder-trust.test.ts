import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, test } from "vitest";

import { openPrivateFiles } from "../../src/state/private-file.js";
import { temporaryFolder } from "./support/folder.js";
import { rejection } from "./support/rejection.js";

const ownUid = process.getuid?.();
const isRoot = ownUid === 0;

/** @param uid the user whom comanda runs as */
function trustIn(root: string | undefined, uid = ownUid) {
  const files = openPrivateFiles(root, uid);
  return { check: (folder = root ?? "") => files.trusts(folder) };
}

function makeFolder(mode: number, ...names: [string, ...string[]]): string {
  const folder = path.join(...names);
  mkdirSync(folder);
  chmodSync(folder, mode);
  return folder;
}

const modeOf = (folder: string) => statSync(folder).mode & 0o7777;

/** A person types what the hint says. */
function type(hint: string | undefined): void {
  const [, command = ""] = /(?:^Type|make it yours): (ch.*)/m.exec(hint ?? "") ?? [];
  expect(command).not.toBe("");
  execFileSync("sh", ["-c", command]);
}

describe.skipIf(ownUid === undefined)("the configuration folder and all in it", () => {
  test("is trusted where it is private, and nothing is made where there is none", () => {
    const root = path.join(temporaryFolder(), "config");
    const { check } = trustIn(root);
    expect(check(path.join(root, "sessions"))).toBe(false);
    expect(existsSync(root)).toBe(false);
    makeFolder(0o700, root);
    makeFolder(0o755, root, "sessions");
    expect(check(path.join(root, "sessions"))).toBe(true);
  });

  test.each([0o777, 0o770, 0o733, 0o722, 0o1777, 0o2775])(
    "of mode %o is refused, and left as it is",
    async (mode) => {
      const root = makeFolder(mode, temporaryFolder(), "it's config");
      const { check } = trustIn(root);
      const { message, hint } = await rejection("state_unusable", check);
      expect(message).toContain(root);
      expect(modeOf(root)).toBe(mode);
      type(hint);
      expect(modeOf(root) & 0o777).toBe(0o700);
      expect(check()).toBe(true);
    },
  );

  test("the same for a folder in it", async () => {
    const root = makeFolder(0o700, temporaryFolder(), "config");
    const sessions = makeFolder(0o777, root, "sessions");
    await rejection("state_unusable", () => trustIn(root).check(sessions));
  });

  test.each(["config", "sessions"])("is no link: %s", async (name) => {
    const base = temporaryFolder();
    const foreign = makeFolder(0o777, base, "foreign");
    const root = path.join(base, "config");
    if (name !== "config") makeFolder(0o700, root);
    const link = name === "config" ? root : path.join(root, name);
    symlinkSync(foreign, link);
    const { message } = await rejection("state_unusable", () => trustIn(root).check(link));
    expect(message).toContain(`${link} is a link`);
    expect(modeOf(foreign)).toBe(0o777);
  });

  test("is no file", async () => {
    const root = path.join(temporaryFolder(), "config");
    writeFileSync(root, "");
    const { message } = await rejection("state_unusable", () => trustIn(root).check());
    expect(message).toContain(`${root} is not a folder`);
    await rejection("state_unusable", () => trustIn(path.join(root, "below")).check());
  });

  test.skipIf(!isRoot)("is nobody else's (needs root, to give folders away)", async () => {
    const root = makeFolder(0o700, temporaryFolder(), "it's config");
    chownSync(root, 12_345, 12_345);
    const { message, hint } = await rejection("state_unusable", () => trustIn(root).check());
    expect(message).toContain(`${root} belongs to another user (uid 12345)`);
    type(hint);
    expect(trustIn(root).check()).toBe(true);
  });

  test("has to be somewhere", async () => {
    const { hint } = await rejection("state_unusable", () => trustIn(undefined).check("sessions"));
    expect(hint).toContain("COMANDA_CONFIG_DIR");
  });
});

describe.skipIf(ownUid === undefined)("the folders above", () => {
  test.each([0o755, 0o775, 0o1777])("may have mode %o", (mode) => {
    const root = path.join(makeFolder(mode, temporaryFolder(), "above"), "config");
    expect(trustIn(root).check()).toBe(false);
    makeFolder(0o700, root);
    expect(trustIn(root).check()).toBe(true);
  });

  test.each([true, false])("may not be for all to write (the folder is there: %s)", async (isThere) => {
    const above = makeFolder(0o777, temporaryFolder(), "it's above");
    const root = path.join(makeFolder(0o700, above, "between"), "config");
    if (isThere) makeFolder(0o700, root);
    const { message, hint } = await rejection("state_unusable", () => trustIn(root).check());
    expect(message).toContain(above);
    expect(modeOf(above)).toBe(0o777);
    type(hint);
    expect(modeOf(above)).toBe(0o775);
    expect(trustIn(root).check()).toBe(isThere);
  });

  test.skipIf(!isRoot)("are nobody else's but root's (needs root, to give folders away)", async () => {
    const above = makeFolder(0o755, temporaryFolder(), "above");
    const root = path.join(above, "config");
    chownSync(above, 12_345, 12_345);
    const { message, hint } = await rejection("state_unusable", () => trustIn(root).check());
    expect(message).toContain(`${above} belongs to another user (uid 12345)`);
    type(hint);
    expect(trustIn(root).check()).toBe(false);
  });

  test("may be links, and then those are looked at that they lead through", async () => {
    const base = temporaryFolder();
    makeFolder(0o700, makeFolder(0o755, base, "real"), "home");
    symlinkSync(path.join("..", path.basename(base), "real"), path.join(base, "second"));
    symlinkSync("second/./home", path.join(base, "first"));
    const root = path.join(base, "first", "config");
    makeFolder(0o700, root);
    expect(trustIn(root).check()).toBe(true);
    chmodSync(path.join(base, "real"), 0o777);
    const { message } = await rejection("state_unusable", () => trustIn(root).check());
    expect(message).toContain(path.join(base, "real"));
  });

  test.skipIf(!isRoot)("may not be links of somebody else's (needs root, to run as another)", async () => {
    const shared = makeFolder(0o1777, temporaryFolder(), "shared");
    chmodSync(path.dirname(shared), 0o755);
    const home = makeFolder(0o700, shared, "home");
    chownSync(home, 12_345, 12_345);
    symlinkSync(home, path.join(shared, "link"));
    execFileSync("chown", ["-h", "23456", path.join(shared, "link")]);
    const root = path.join(shared, "link", "config");
    const { message } = await rejection("state_unusable", () => trustIn(root, 12_345).check());
    expect(message).toContain(path.join(shared, "link"));
    expect(trustIn(path.join(home, "config"), 12_345).check()).toBe(false);
  });

  test("may not lead in circles", async () => {
    const base = temporaryFolder();
    symlinkSync("there", path.join(base, "here"));
    symlinkSync("here", path.join(base, "there"));
    await rejection("state_unusable", () => trustIn(path.join(base, "here", "config")).check());
  });
});
