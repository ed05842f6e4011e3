import { spawn } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import { describe, expect, onTestFinished, test, vi } from "vitest";

import { mountSmallDisk, smallDiskAvailable } from "../support/small-disk.js";
import { minutes, sized, tellFigure, timeLimit } from "../support/soak.js";
import { entriesFile, openEntries, type Entry } from "./support/entries.js";
import { filesIn, openState, temporaryFolder } from "./support/folder.js";
import { bundledProgram, ended, nodeEnvironment } from "./support/programs.js";
import { rejection } from "./support/rejection.js";

/** How many bytes the disk lacks for the next write; all later ones find it full. */
const disk = vi.hoisted(() => ({ lacks: 0 }));

// Each goes to the real disk; the tests count them, and make one fail.
vi.mock("node:fs", async (importOriginal) => {
  const original = await importOriginal<typeof fs>();
  return {
    ...original,
    writeSync: vi.fn((descriptor: number, bytes: Uint8Array) => {
      if (disk.lacks === 0) return original.writeSync(descriptor, bytes);
      if (disk.lacks === Infinity) throw Object.assign(new Error("full"), { code: "ENOSPC" });
      const room = bytes.length - disk.lacks;
      disk.lacks = Infinity;
      return original.writeSync(descriptor, bytes.subarray(0, room));
    }),
    fdatasync: vi.fn(original.fdatasync),
    fdatasyncSync: vi.fn(original.fdatasyncSync),
  };
});

const appendLines = bundledProgram(new URL("./programs/append-lines.ts", import.meta.url));

function open(folder = temporaryFolder()) {
  const log = openEntries(openState(folder));
  const numbers = () => [...log.read()].map(({ number }) => number);
  const skipped = () => {
    const entries = log.read();
    for (const entry of entries) expect(entry.writer).not.toBe("");
    return entries.skipped;
  };
  return { folder, file: entriesFile(folder), log, numbers, skipped };
}

function entry(number: number, text = "text"): Entry {
  return { writer: "test", number, text };
}

/** Starts a process that appends; `promised` are the numbers that it has said to be in the file. */
function startWriter(folder: string, name: string, times: number) {
  const child = spawn(process.execPath, [appendLines(), folder, name, String(times)], {
    env: nodeEnvironment,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  const closed = once(child.stdout, "close");
  return {
    child,
    begun: () => output !== "",
    async promised() {
      await closed;
      return output.split("\n").slice(0, -1).map(Number);
    },
  };
}

describe("an append log", () => {
  test("is empty at first, and reading makes nothing", () => {
    const { folder, numbers } = open();
    expect(numbers()).toEqual([]);
    expect(filesIn(folder)).toEqual([]);
  });

  test("keeps entries in their order, in a file and a folder for their owner alone", async () => {
    const { file, log } = open(path.join(temporaryFolder(), "new"));
    const entries = [entry(1, 'a "\t\n\u2028\u0000 é 🍕'), entry(2, "x".repeat(200_000)), entry(3, "")];
    for (const each of entries) log.appendSync(each);
    await log.append(entry(4));
    expect([...log.read()]).toEqual([...entries, entry(4)]);
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    expect(fs.statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
  });

  test("is read by every reader of JSON Lines", () => {
    const { file, log } = open();
    log.appendSync(entry(1));
    log.appendSync(entry(2));
    const lines = fs.readFileSync(file, "utf8").trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([entry(1), entry(2)]);
  });

  test("goes on in a new file where another process renamed or removed it", () => {
    const { file, log, numbers } = open();
    log.appendSync(entry(1));
    fs.renameSync(file, `${file}.old`);
    log.appendSync(entry(2));
    expect(numbers()).toEqual([2]);
  });

  test("refuses an entry that no reader would take", async () => {
    const { log, numbers } = open();
    const large = entry(1, "x".repeat(16 * 1024 * 1024));
    expect(() => log.appendSync(large)).toThrow("too long");
    await expect(log.append(large)).rejects.toThrow("too long");
    expect(numbers()).toEqual([]);
  });
});

describe("a line that was cut short", () => {
  test("is skipped wherever it was cut, and the next entry is read", () => {
    const { file, log, numbers, skipped } = open();
    log.appendSync(entry(1));
    log.appendSync(entry(2, 'é {"x"'));
    const whole = fs.readFileSync(file);
    const firstEnd = whole.indexOf("\n") + 1;
    for (let cut = firstEnd; cut < whole.length; cut += 1) {
      fs.writeFileSync(file, whole.subarray(0, cut));
      const isTorn = cut > firstEnd ? 1 : 0;
      expect([numbers(), skipped()]).toEqual([[1], isTorn]);
      log.appendSync(entry(3));
      expect([numbers(), skipped()]).toEqual([[1, 3], isTorn]);
    }
  });

  test("and another one behind it hide nothing", () => {
    const { file, log, numbers, skipped } = open();
    log.appendSync(entry(1));
    const line = fs.readFileSync(file);
    for (const cut of [1, line.length - 1]) {
      fs.writeFileSync(file, Buffer.concat([line.subarray(0, -1), line.subarray(0, cut)]));
      log.appendSync(entry(2));
      expect([numbers(), skipped()]).toEqual([[2], 2]);
    }
  });

  test.each([
    ["holes, as a loss of power leaves them", "\0\0\0\0"],
    ["text of another program", "hello\n"],
    ["JSON without the tab", `${JSON.stringify(entry(9))}\n`],
    ["an entry of another kind", '\t{"other":1}\n'],
    ["JSON that is no object", "\t[1]\n"],
    ["bytes that are no text", Buffer.from([0x09, 0x7b, 0xff, 0x7d, 0x0a])],
    ["a line that is too long", `${"x".repeat(17 * 1024 * 1024)}\n`],
  ])("or damaged is skipped and counted: %s", (_, damage) => {
    const { file, log, numbers, skipped } = open();
    log.appendSync(entry(1));
    fs.appendFileSync(file, damage);
    log.appendSync(entry(2));
    expect([numbers(), skipped()]).toEqual([[1, 2], 1]);
  });
});

describe("several at once in one process", () => {
  test("share one write and one turn of the disk, and go in by their order", async () => {
    const { log, numbers } = open();
    vi.mocked(fs.writeSync).mockClear();
    vi.mocked(fs.fdatasync).mockClear();
    const all = Array.from({ length: 1000 }, (_, number) => number);
    await Promise.all(all.map((number) => log.append(entry(number))));
    expect(numbers()).toEqual(all);
    expect([vi.mocked(fs.writeSync).mock.calls.length, vi.mocked(fs.fdatasync).mock.calls.length]).toEqual([
      1, 1,
    ]);
  });

  test("each resolve once their entry is on the disk, and not before", async () => {
    const { log } = open();
    let reachDisk: () => void = () => undefined;
    vi.mocked(fs.fdatasync).mockImplementationOnce((_, done) => (reachDisk = () => done(null)));
    const told: number[] = [];
    const appended = log.append(entry(1)).then(() => told.push(1));
    await vi.waitFor(() => expect(vi.mocked(fs.fdatasync)).toHaveBeenCalled());
    expect(told).toEqual([]);
    reachDisk();
    await appended;
    expect(told).toEqual([1]);
  });

  test("are refused where the disk fails them, and the next goes in", async () => {
    const { log, numbers } = open();
    const failure = Object.assign(new Error("EIO"), { code: "EIO" });
    vi.mocked(fs.fdatasync).mockImplementationOnce((_, done) => done(failure));
    const error = await rejection("state_unusable", () => log.append(entry(1)));
    expect(error.message).toContain("EIO");
    await log.append(entry(2));
    expect(numbers()).toContain(2);
  });

  test("that the disk cuts short are told apart: those that are whole, and those that aren't there", async () => {
    const { log, numbers } = open();
    onTestFinished(() => void (disk.lacks = 0));
    disk.lacks = 5;
    const results = await Promise.allSettled([1, 2, 3].map((number) => log.append(entry(number))));
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected"]);
    disk.lacks = 0;
    await log.append(entry(4));
    expect(numbers()).toEqual([1, 2, 4]);
  });
});

describe("between processes", () => {
  const writersAtOnce = sized({ test: 8, soak: 20 });
  test(
    `${writersAtOnce} that append at once lose no entry, and none is cut or mixed with another`,
    { timeout: timeLimit(2 * minutes) },
    async () => {
      const { folder, log, skipped } = open();
      // A writer appends four at a time.
      const times = 4 * sized({ test: 10, soak: 500 });
      const writers = Array.from({ length: writersAtOnce }, (_, index) =>
        startWriter(folder, `w${index}`, times),
      );
      expect(await Promise.all(writers.map(({ child }) => ended(child)))).toEqual(writers.map(() => 0));
      const expected = writers.flatMap((_, index) =>
        Array.from({ length: times }, (_each, number) => `w${index} ${number}`),
      );
      expect([...log.read()].map(({ writer, number }) => `${writer} ${number}`).sort()).toEqual(
        expected.sort(),
      );
      tellFigure({
        what: "lines that were cut or mixed",
        of: `20 x ${times} lines`,
        wanted: 0,
        seen: skipped(),
      });
      expect(skipped()).toBe(0);
    },
  );

  test(
    "one that is killed keeps what it said to be there, and spoils nothing of the others",
    { timeout: timeLimit(10 * minutes) },
    async () => {
      const { folder, log } = open();
      const rounds = sized({ test: 3, soak: 100 });
      const promises = new Set<string>();
      for (let round = 0; round < rounds; round += 1) {
        const writers = [0, 1, 2].map((index) => startWriter(folder, `${round}-${index}`, 1_000_000));
        for (const { begun } of writers) while (!begun()) await delay(2);
        await delay(Math.random() * 20);
        for (const { child } of writers) child.kill("SIGKILL");
        for (const [index, writer] of writers.entries()) {
          for (const number of await writer.promised()) promises.add(`${round}-${index} ${number}`);
        }
        const after = entry(round);
        log.appendSync(after);
        promises.add(`${after.writer} ${after.number}`);
      }
      const found = [...log.read()].map(({ writer, number }) => `${writer} ${number}`);
      const lost = [...promises].filter((each) => !new Set(found).has(each));
      tellFigure({ what: "lines lost", of: `${rounds * 3} kills of writers`, wanted: 0, seen: lost.length });
      expect(new Set(found).size).toBe(found.length);
      expect(lost).toEqual([]);
    },
  );
});

describe.skipIf(!smallDiskAvailable)("on a disk of 64 KiB", () => {
  test("what doesn't fit is refused and not there, and what was there stays", async () => {
    const small = mountSmallDisk();
    onTestFinished(() => small.remove());
    const { log, numbers } = open(path.join(small.folder, "state"));
    log.appendSync(entry(0));
    small.fill();
    const fitting: number[] = [];
    for (let number = 1; fitting.length === number - 1; number += 1) {
      try {
        log.appendSync(entry(number, "x".repeat(500)));
        fitting.push(number);
      } catch (error) {
        await rejection("state_unusable", () => {
          throw error;
        });
      }
    }
    expect(fitting.length).toBeGreaterThan(0);
    const error = await rejection("state_unusable", () => log.append(entry(99)));
    expect(error.message).toContain("no space left");
    expect(numbers()).toEqual([0, ...fitting]);
    small.empty();
    log.appendSync(entry(100));
    expect(numbers()).toEqual([0, ...fitting, 100]);
  });
});

describe("a file in its place that isn't comanda's alone", () => {
  const places: readonly [string, (file: string) => void][] = [
    ["a link", (file) => fs.symlinkSync("elsewhere", file)],
    [
      "a link to a file",
      (file) => {
        fs.writeFileSync(path.join(path.dirname(file), "real"), "", { mode: 0o600 });
        fs.symlinkSync("real", file);
      },
    ],
    ["a folder", (file) => fs.mkdirSync(file)],
    [
      "a file that others can read",
      (file) => {
        fs.writeFileSync(file, "");
        fs.chmodSync(file, 0o644);
      },
    ],
  ];
  test.each(places)("is refused and not touched: %s", async (_, put) => {
    const { file, folder, log } = open();
    fs.mkdirSync(path.dirname(file), { mode: 0o700 });
    put(file);
    const before = filesIn(folder);
    await rejection("state_unusable", () => log.appendSync(entry(1)));
    await rejection("state_unusable", () => log.append(entry(1)));
    await rejection("state_unusable", () => [...log.read()]);
    expect(filesIn(folder)).toEqual(before);
  });

  test("is refused where its folder is a link", async () => {
    const { file, folder, log } = open();
    const elsewhere = temporaryFolder();
    fs.symlinkSync(elsewhere, path.dirname(file));
    await rejection("state_unusable", () => log.appendSync(entry(1)));
    await rejection("state_unusable", () => [...log.read()]);
    expect(filesIn(elsewhere)).toEqual([]);
    expect(filesIn(folder)).toHaveLength(1);
  });
});
