/** Kills and suspends processes that have a lease or write sessions. */
import { spawn, type ChildProcess } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import { expect, test } from "vitest";

import { sized, tellFigure } from "../support/soak.js";
import { dataFilesIn, openState, temporaryFolder } from "./support/folder.js";
import { bundledProgram, ended, nodeEnvironment } from "./support/programs.js";

const program = bundledProgram(new URL("./programs/until-killed.ts", import.meta.url));
const begin = (work: "lease" | "session", folder: string, name: string) =>
  spawn(process.execPath, [program(), work, folder, name], { env: nodeEnvironment, stdio: "inherit" });

const lease = sized({ test: 6, search: 40, soak: 1000 });
const kills = { lease, session: sized({ test: 4, search: 24, soak: 200 }) };
const stops = sized({ test: 1, search: 4, soak: 40 });

test(`${kills.lease} kills and ${stops} suspensions never let two processes have a lease at once`, async () => {
  const folder = temporaryFolder();
  const log = path.join(folder, "log");
  writeFileSync(log, "");
  const lines = () => readFileSync(log, "utf8").split("\n").slice(0, -1);
  const entries = (from = 0) =>
    lines()
      .slice(from)
      .filter((line) => line.startsWith("enter")).length;
  /** Returns the process id of the current holder. */
  const lastHolder = () => {
    const [what, pid] = lines().at(-1)?.split(" ") ?? [];
    return what === "leave" ? undefined : Number(pid);
  };
  const entered = async (times: number, from = 0) => {
    while (entries(from) < times) await delay(10);
  };
  const crowd = new Map<number, ChildProcess>();
  const join = () => {
    const child = begin("lease", path.join(folder, "state"), log);
    if (child.pid !== undefined) crowd.set(child.pid, child);
  };
  try {
    for (let size = 0; size < 4; size += 1) join();
    await entered(8);
    for (let killed = 0, turn = 0; killed < kills.lease; turn += 1) {
      await delay(Math.random() * 12);
      // The victim is usually the holder, and sometimes a waiting process.
      const pids = [...crowd.keys()];
      const victim = turn % 4 === 0 ? pids[turn % pids.length] : lastHolder();
      const child = crowd.get(victim ?? 0);
      if (!child?.kill("SIGKILL")) continue;
      crowd.delete(child.pid ?? 0);
      join();
      killed += 1;
      // New processes need time to start, or none would be left to kill.
      if (killed % 5 === 0) await entered(entries() + 2);
    }
    for (let turn = 0; turn < stops; turn += 1) {
      let child: ChildProcess | undefined;
      while (!(child = crowd.get(lastHolder() ?? 0))) await delay(1);
      child.kill("SIGSTOP");
      await delay(120);
      child.kill("SIGCONT");
      await delay(20);
    }
    await entered(1, lines().length);
  } finally {
    for (const child of crowd.values()) child.kill("SIGKILL");
    await Promise.all([...crowd.values()].map(ended));
  }

  // Between a process's "enter" and its "leave" or kill, no other process may write a line.
  let holder = "";
  const overlaps = lines().filter((line) => {
    const [what = "", ...who] = line.split(" ");
    if (what === "enter") holder = who.join(" ");
    return holder !== who.join(" ");
  });
  const of = `${kills.lease} kills, ${stops} stops`;
  tellFigure({ what: "overlaps of holders of a lease", of, wanted: 0, seen: overlaps.length });
  expect(overlaps).toEqual([]);
  const cutShort = lines().filter(
    (line, index, all) => index > 0 && line.startsWith("enter") && !all[index - 1]?.startsWith("leave"),
  );
  expect(cutShort.length).toBeGreaterThan(kills.lease / 4);

  const { withLease } = openState(path.join(folder, "state"));
  expect(await withLease("shared", () => Promise.resolve("taken"), { waitMs: 100 })).toBe("taken");
});

test(`${kills.session} kills during writes of sessions leave no corrupt or temporary files`, async () => {
  const folder = temporaryFolder();
  const stores = ["alpha", "beta"];
  const generationOf = async (store: string) =>
    (await openState(folder).sessions.read(store))?.tokens?.generation ?? 0;
  /** Resolves after the next write of the store's session. */
  const nextWrite = async (store: string) => {
    const before = await generationOf(store);
    while ((await generationOf(store)) === before) await delay(5);
  };
  let [written, corrupt] = [0, 0];
  for (let round = 0; round < kills.session / 2; round += 1) {
    const begun = round % 2 === 0 ? stores.map(nextWrite) : [];
    const children = stores.map((store) => begin("session", folder, store));
    // The kill comes before the first write, or up to some dozens of writes later.
    await Promise.all(begun);
    await delay(60 + Math.random() * 120);
    for (const child of children) child.kill("SIGKILL");
    expect(await Promise.all(children.map(ended))).toEqual(["SIGKILL", "SIGKILL"]);

    const { sessions } = openState(folder);
    for (const store of stores) {
      const found = await sessions.read(store).catch(() => "unreadable" as const);
      if (found === "unreadable" || (found && found.api_key?.length !== 20_000)) corrupt += 1;
      else written = Math.max(written, found?.tokens?.generation ?? 0);
    }
  }
  const of = `${kills.session} kills during writes`;
  tellFigure({ what: "corrupt files", of, wanted: 0, seen: corrupt });
  expect(corrupt).toBe(0);
  expect(written).toBeGreaterThan(0);

  const { sessions } = openState(folder);
  expect((await sessions.list()).map(({ store }) => store)).toEqual(stores);
  // The next write of a store removes the temporary files of killed processes.
  for (const store of stores) await sessions.update(store, (session) => Promise.resolve(session));
  expect(dataFilesIn(folder)).toEqual(
    ["sessions/s-alpha.json", "sessions/s-beta.json"].map((file) => path.normalize(file)),
  );
});
