import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";

import { describe, expect, test } from "vitest";

import { openPrivateFiles } from "../../src/state/private-file.js";
import { filesIn, openState, temporaryFolder } from "./support/folder.js";
import { rejection } from "./support/rejection.js";

const isRoot = process.getuid?.() === 0;

describe("writing", () => {
  test("makes folders for their owner alone, and the file too, whatever the umask", () => {
    const before = process.umask(0);
    try {
      const folder = path.join(temporaryFolder(), "a", "b");
      openState(folder).files.write(path.join(folder, "x.json"), "text");
      expect(statSync(folder).mode & 0o777).toBe(0o700);
      expect(statSync(path.dirname(folder)).mode & 0o777).toBe(0o700);
      expect(statSync(path.join(folder, "x.json")).mode & 0o777).toBe(0o600);
    } finally {
      process.umask(before);
    }
  });

  test("replaces what was there and leaves nothing else", () => {
    const folder = temporaryFolder();
    const file = path.join(folder, "x.json");
    const { files } = openState(folder);
    files.write(file, "old, and longer");
    files.write(file, "new");
    expect(files.read(file)).toBe("new");
    expect(filesIn(folder)).toEqual(["x.json"]);
  });

  test("over a folder: an error, and no temporary file stays", async () => {
    const folder = temporaryFolder();
    mkdirSync(path.join(folder, "x.json", "y"), { recursive: true });
    const error = await rejection("state_unusable", () =>
      openState(folder).files.write(path.join(folder, "x.json"), "new"),
    );
    expect(error.message).toContain(path.join(folder, "x.json"));
    expect(filesIn(folder)).toEqual([]);
  });

  test("below a file: an error that names it", async () => {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, "f"), "");
    const file = path.join(folder, "f", "x.json");
    const error = await rejection("state_unusable", () => openState(folder).files.write(file, "new"));
    expect(error.message).toContain(path.join(folder, "f"));
    expect(error.hint).toContain("COMANDA_CONFIG_DIR");
    await rejection("state_unusable", () => openState(folder).files.read(file));
  });

  test.skipIf(isRoot)(
    "in a folder that may not be written: an error, the old file is as it was",
    async () => {
      const folder = temporaryFolder();
      const file = path.join(folder, "x.json");
      const { files } = openState(folder);
      files.write(file, "old");
      chmodSync(folder, 0o500);
      const error = await rejection("state_unusable", () => files.write(file, "new"));
      chmodSync(folder, 0o700);
      expect(error.message).toContain("not allowed");
      expect(files.read(file)).toBe("old");
    },
  );
});

describe("room that is taken for a later write", () => {
  const temporaries = (folder: string) => filesIn(folder).filter((name) => name.endsWith(".tmp"));

  test("is really taken, is what the text is written into, and no more stays of it than the text", () => {
    const folder = temporaryFolder();
    const file = path.join(folder, "x.json");
    const { files } = openState(folder);
    files.write(file, "old");
    const room = files.reserve(file, 20_000);
    const [temporary = ""] = temporaries(folder);
    const reserved = statSync(path.join(folder, temporary));
    expect(reserved).toMatchObject({ size: 20_000, mode: 0o100600 });
    expect(reserved.blocks * 512).toBeGreaterThanOrEqual(20_000);
    expect(files.read(file)).toBe("old");
    room.write("né");
    expect(statSync(file).ino).toBe(reserved.ino);
    room.release();
    expect(files.read(file)).toBe("né");
    expect(filesIn(folder)).toEqual(["x.json"]);
  });

  test("may be too little, or not be needed", () => {
    const folder = temporaryFolder();
    const file = path.join(folder, "x.json");
    const { files } = openState(folder);
    files.reserve(file, 10).write("longer than ten bytes");
    expect(files.read(file)).toBe("longer than ten bytes");
    files.reserve(file, 10).release();
    expect(filesIn(folder)).toEqual(["x.json"]);
  });

  test("is given back where the text can't be put in place", async () => {
    const folder = temporaryFolder();
    const file = path.join(folder, "x.json");
    const room = openState(folder).files.reserve(file, 10);
    mkdirSync(path.join(file, "y"), { recursive: true });
    await rejection("state_unusable", () => room.write("new"));
    expect(filesIn(folder)).toEqual([]);
  });
});

describe("reading", () => {
  test("nothing there", () => {
    const folder = temporaryFolder();
    expect(openState(folder).files.read(path.join(folder, "none", "x.json"))).toBeUndefined();
  });

  test.each(["644", "620", "606", "660"])("refuses mode %s and says what to type", async (mode) => {
    const file = path.join(temporaryFolder(), "it's.json");
    writeFileSync(file, "secret", { mode: 0o600 });
    chmodSync(file, Number.parseInt(mode, 8));
    const error = await rejection("state_unusable", () => openState(path.dirname(file)).files.read(file));
    expect(error.message).toContain(file);
    expect(error.hint).toMatch(/^Type: chmod 600 '.*'$/);
    execFileSync("sh", ["-c", String(error.hint).replace("Type: ", "")]);
    expect(openState(path.dirname(file)).files.read(file)).toBe("secret");
  });

  test("lets others read what is no secret, but not change it", async () => {
    const file = path.join(temporaryFolder(), "x.json");
    writeFileSync(file, "{}");
    chmodSync(file, 0o644);
    expect(openState(path.dirname(file)).files.read(file, "read")).toBe("{}");
    chmodSync(file, 0o664);
    await rejection("state_unusable", () => openState(path.dirname(file)).files.read(file, "read"));
  });

  test("refuses another user's file", async () => {
    const file = path.join(temporaryFolder(), "x.json");
    writeFileSync(file, "secret", { mode: 0o600 });
    const folder = path.dirname(file);
    const other = openPrivateFiles(folder, (process.getuid?.() ?? 0) + 1);
    const error = await rejection("state_unusable", () => other.read(file));
    expect(error.message).toContain("another user");
  });

  test("refuses a folder", async () => {
    const folder = temporaryFolder();
    mkdirSync(path.join(folder, "d"));
    await rejection("state_unusable", () => openState(folder).files.read(path.join(folder, "d")));
  });

  test.skipIf(process.platform === "win32")("does not wait for ever on a named pipe", async () => {
    const pipe = path.join(temporaryFolder(), "pipe");
    execFileSync("mkfifo", ["-m", "600", pipe]);
    const error = await rejection("state_unusable", () => openState(path.dirname(pipe)).files.read(pipe));
    expect(error.message).toContain("regular file");
  });

  test.each([
    ["to a file", "real"],
    ["that leads nowhere", "none"],
    ["that leads in circles", "link"],
  ])("refuses a link %s", async (_, target) => {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, "real"), "{}", { mode: 0o600 });
    symlinkSync(target, path.join(folder, "link"));
    await rejection("state_unusable", () => openState(folder).files.read(path.join(folder, "link")));
  });

  test("refuses a folder that is a link, and neither reads nor writes through it", async () => {
    const base = temporaryFolder();
    mkdirSync(path.join(base, "foreign"));
    mkdirSync(path.join(base, "config"));
    writeFileSync(path.join(base, "foreign", "x.json"), "foreign", { mode: 0o600 });
    symlinkSync("../foreign", path.join(base, "config", "sessions"));
    const { files } = openState(path.join(base, "config"));
    const file = path.join(base, "config", "sessions", "x.json");
    await rejection("state_unusable", () => files.read(file));
    await rejection("state_unusable", () => files.remove(file));
    await rejection("state_unusable", () => {
      files.write(file, "new");
    });
    expect(readFileSync(path.join(base, "foreign", "x.json"), "utf8")).toBe("foreign");
  });
});

describe("temporary files", () => {
  test("of the dead and of old are swept; of the living stay, and whatever else has such a name", () => {
    const folder = temporaryFolder();
    const { files } = openState(folder);
    const nonce = randomUUID();
    const [, table = ""] =
      /^\.x\.json\.([0-9a-f]{8})\./.exec(path.basename(files.temporary(path.join(folder, "x.json")))) ?? [];
    const dead = `.x.json.${table}.${deadPid()}.${nonce}.tmp`;
    const living = `.x.json.${table}.${process.pid}.${nonce}.tmp`;
    const elsewhere = `.x.json.00000000.${deadPid()}.${nonce}.tmp`;
    const old = `.y.json.00000000.1.${nonce}.tmp`;
    const longer = `${dead}.mine`;
    const aFolder = dead.replace("x.json", "folder");
    const aLink = dead.replace("x.json", "link");
    mkdirSync(path.join(folder, aFolder));
    writeFileSync(path.join(folder, aFolder, "inside"), "");
    symlinkSync("x.tmp", path.join(folder, aLink));
    for (const name of [longer, dead, living, elsewhere, old, ".x.json.tmp", "x.tmp"]) {
      writeFileSync(path.join(folder, name), "");
    }
    const twoHoursAgo = Date.now() / 1000 - 7200;
    utimesSync(path.join(folder, old), twoHoursAgo, twoHoursAgo);
    // Another process comes.
    openState(folder).files.write(path.join(folder, "x.json"), "text");
    const inside = path.join(aFolder, "inside");
    expect(filesIn(folder)).toEqual(
      [".x.json.tmp", elsewhere, living, longer, inside, aLink, "x.json", "x.tmp"].sort(),
    );
    expect(readFileSync(path.join(folder, "x.json"), "utf8")).toBe("text");
  });
});

const hasUserNamespaces = () => {
  try {
    execFileSync("unshare", ["-Urm", "true"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};

test.skipIf(os.platform() !== "linux" || !hasUserNamespaces())("on a full disk nothing is lost", async () => {
  const { bundleProgramNow, nodeEnvironment } = await import("./support/programs.js");
  const program = await bundleProgramNow(
    new URL("./programs/fill-disk.ts", import.meta.url),
    temporaryFolder(),
  );
  const mount = path.join(temporaryFolder(), "disk");
  mkdirSync(mount);
  const script = 'mount -t tmpfs -o size=512k tmpfs "$1" && exec "$2" "$3" "$1"';
  const options = { encoding: "utf8", env: nodeEnvironment } as const;
  const output = execFileSync(
    "unshare",
    ["-Urm", "sh", "-c", script, "sh", mount, process.execPath, program],
    options,
  );
  expect(JSON.parse(output)).toEqual({
    session: "state_unusable",
    sessionNow: "kept",
    settings: "state_unusable",
    settingsNow: "kept",
    temporaries: [],
  });
});

function deadPid(): number {
  return Number(execFileSync("sh", ["-c", "echo $$"], { encoding: "utf8" }));
}
