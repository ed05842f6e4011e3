/** Processes that are killed while they write to a database: what was told is there, nothing by halves. */
import { spawn } from "node:child_process";
import { once } from "node:events";

import { expect, test } from "vitest";

import { minutes, sized, tellFigure, timeLimit } from "../support/soak.js";
import { openState, temporaryFolder } from "./support/folder.js";
import { bundledProgram, nodeEnvironment } from "./support/programs.js";

const commitRows = bundledProgram(new URL("./programs/commit-rows.ts", import.meta.url));

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
    const checked = await database.rows({ quick_check: "text" }, "pragma quick_check");
    expect(checked).toEqual([{ quick_check: "ok" }]);
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
