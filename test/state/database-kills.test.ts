/** Processes that are killed while they write to a database, and a disk that fills up: what was told is there, nothing by halves. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { systemClock } from "../../src/client/clock.js";
import type { Database } from "../../src/state/database.js";
import { mountSmallDisk, smallDiskAvailable } from "../support/small-disk.js";
import { minutes, sized, tellFigure, timeLimit } from "../support/soak.js";
import { openState, temporaryFolder } from "./support/folder.js";
import { limiterOf } from "./support/limiter.js";
import { rejection } from "./support/rejection.js";
import { bundledProgram, ended, nodeEnvironment, start } from "./support/programs.js";

const commitRows = bundledProgram(new URL("./programs/commit-rows.ts", import.meta.url));
const spendPlaces = bundledProgram(new URL("./programs/spend-places.ts", import.meta.url));

const kills = sized({ test: 6, search: 24, soak: 200 });

/** Started in `folder`, it is killed when it has told a certain number of pairs. @returns the last one that it told */
async function tellAndKill(folder: string, writer: string, pairs: number): Promise<number> {
  const child = spawn(process.execPath, [commitRows(), folder, writer], {
    env: nodeEnvironment,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let told = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    told += text;
    if (told.split("\n").length > pairs) child.kill("SIGKILL");
  });
  await once(child, "close");
  return told.split("\n").length - 1;
}

/** What SQLite finds wrong with the file. */
async function faultsOf({ rows }: Database): Promise<readonly string[]> {
  const lines = await rows({ quick_check: "text" }, "pragma quick_check");
  return lines.map((line) => line.quick_check).filter((line) => line !== "ok");
}

test(
  `${kills} kills of two that write at once: each told row is there, none without its other half, and the file is sound`,
  { timeout: timeLimit(10 * minutes) },
  async () => {
    const folder = temporaryFolder();
    const told = new Map<string, number>();
    for (let round = 0; round < kills / 2; round += 1) {
      const writers = [`${round} a`, `${round} b`];
      const last = await Promise.all(
        writers.map((writer, index) => tellAndKill(folder, writer, 1 + ((round * 7 + index * 3) % 40))),
      );
      writers.forEach((writer, index) => told.set(writer, last[index] ?? 0));
    }
    const database = await openState(folder).database("comanda");
    expect(await faultsOf(database)).toEqual([]);
    const rows = await database.rows({ limit_key: "text", until_at: "bigint" }, "select * from limit_blocks");
    const stored = new Set(rows.map(({ limit_key }) => limit_key));
    const pairs = [...told].flatMap(([writer, last]) =>
      Array.from({ length: last }, (_, index) => `${writer} first ${index + 1}`),
    );
    const lost = pairs.filter((row) => !stored.has(row));
    tellFigure({ what: "told rows that are lost", of: `${kills} kills`, wanted: 0, seen: lost.length });
    expect(lost).toEqual([]);
    const other = (row: string) =>
      row.includes("first") ? row.replace("first", "second") : row.replace("second", "first");
    expect([...stored].filter((row) => !stored.has(other(row)))).toEqual([]);
  },
);

test("a kill while places are taken leaves the limits to the others, and the file sound", async () => {
  const folder = temporaryFolder();
  const state = path.join(folder, "state");
  const log = path.join(folder, "log");
  writeFileSync(log, "");
  for (let round = 0; round < kills / 2; round += 1) {
    const children = [1, 2].map(() => start(spendPlaces(), state, log));
    const before = readFileSync(log).length;
    await expect
      .poll(() => readFileSync(log).length, { interval: 3, timeout: 20_000 })
      .toBeGreaterThan(before);
    for (const child of children) child.kill("SIGKILL");
    expect(await Promise.all(children.map(ended))).toEqual(["SIGKILL", "SIGKILL"]);
  }
  const opened = openState(state, { clock: systemClock });
  expect(await faultsOf(await opened.database("comanda"))).toEqual([]);
  await limiterOf(opened).acquire("general", { maxWaitMs: 0 });
});

test.skipIf(!smallDiskAvailable)(
  "on a disk that fills up a write says so, what was written before is there, and with room it goes on",
  async () => {
    const disk = mountSmallDisk(64);
    onTestFinished(() => disk.remove());
    const database = await openState(path.join(disk.folder, "config")).database("comanda");
    const write = async (row: number) =>
      database.run("insert into limit_blocks values ($1, $2)", `row ${row} `.repeat(100), row);
    let written = 0;
    while (written < 5) await write((written += 1));
    disk.fill();
    const fillUp = async () => {
      while (written < 1000) {
        await write(written + 1);
        written += 1;
      }
    };
    const error = await rejection("state_unusable", fillUp);
    expect([error.exitCode, error.message]).toEqual([2, expect.stringContaining("no space left") as string]);
    const count = async () =>
      (await database.rows({ limit_key: "text" }, "select limit_key from limit_blocks")).length;
    expect(await count()).toBe(written);
    disk.empty();
    await write(written + 1);
    expect([await count(), await faultsOf(database)]).toEqual([written + 1, []]);
  },
);
