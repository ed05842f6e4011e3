import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";

import { describe, expect, test } from "vitest";

import { clearFiguresCache, openFiguresCache } from "../../src/state/figures-cache.js";
import { openState, temporaryFolder } from "./support/folder.js";
import { rejection } from "./support/rejection.js";

const key = {
  baseUrl: "https://api.example",
  identity: "centro 1",
  query: { start_date: "2026-10-01", end_date: "2026-10-31" },
};
const summary = { total_order_count: 2, total_revenue: 10.5, average_order_value: 5.25, extra: "kept" };
const grouped = { group_by: "day", groups: [{ key: "2026-10-01", label: null, ...summary }] };

function open() {
  const folder = temporaryFolder();
  const warnings: string[] = [];
  const state = openState(folder, { warn: (message) => warnings.push(message) });
  const cached = () =>
    readdirSync(path.join(folder, "cache")).map((name) => path.join(folder, "cache", name));
  return { folder, state, warnings, cached, cache: openFiguresCache(state) };
}

describe("kept figures", () => {
  test("come back whole, unknown fields too", () => {
    const { cache } = open();
    cache.summary.write(key, summary);
    cache.grouped.write(key, grouped);
    expect(cache.summary.read(key)).toEqual(summary);
    expect(cache.grouped.read(key)).toEqual(grouped);
  });

  test.each([
    ["address", { ...key, baseUrl: "https://other.example" }],
    ["sign-in", { ...key, identity: "centro 2" }],
    ["query", { ...key, query: { ...key.query, end_date: "2026-10-30" } }],
  ])("of another %s are none", (_, other) => {
    const { cache } = open();
    cache.summary.write(key, summary);
    expect(cache.summary.read(other)).toBeUndefined();
  });

  test("are for their owner alone", () => {
    const { cache, cached } = open();
    cache.summary.write(key, summary);
    expect(cached().map((file) => statSync(file).mode & 0o777)).toEqual([0o600]);
  });

  test.each(["", "{", "[]", '{"version":1,"key":"other","answer":{}}', "\u0000"])(
    "that say %j are none",
    (text) => {
      const { cache, cached } = open();
      cache.summary.write(key, summary);
      for (const file of cached()) writeFileSync(file, text);
      expect(cache.summary.read(key)).toBeUndefined();
    },
  );

  test("whose answer is no summary are none", () => {
    const { cache, cached } = open();
    cache.summary.write(key, summary);
    for (const file of cached()) {
      writeFileSync(
        file,
        readFileSync(file, "utf8").replace('"total_order_count":2', '"total_order_count":"2"'),
      );
    }
    expect(cache.summary.read(key)).toBeUndefined();
  });

  test.skipIf(process.platform === "win32")("that others could have written are none", () => {
    const { cache, cached } = open();
    cache.summary.write(key, summary);
    for (const file of cached()) chmodSync(file, 0o666);
    expect(cache.summary.read(key)).toBeUndefined();
  });

  test("go after 90 days, with the next that are written", () => {
    const { cache, cached, state } = open();
    cache.summary.write(key, summary);
    const old = state.clock.now() / 1000 - 91 * 86_400;
    for (const file of cached()) utimesSync(file, old, old);
    openFiguresCache(state).grouped.write(key, grouped);
    expect(cached().map((file) => path.basename(file).split("-")[0])).toEqual(["grouped"]);
  });

  test("are all removed at once, and nothing else is", () => {
    const { cache, state, folder, cached } = open();
    cache.summary.write(key, summary);
    cache.grouped.write(key, grouped);
    writeFileSync(path.join(folder, "cache", "notes.txt"), "mine");
    expect(clearFiguresCache(state)).toBe(2);
    expect(cached().map((file) => path.basename(file))).toEqual(["notes.txt"]);
    expect(clearFiguresCache(state)).toBe(0);
  });

  test("that can't be written cost one warning, and no failure", () => {
    const { cache, warnings, folder } = open();
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, "cache"), "in the way");
    cache.summary.write(key, summary);
    cache.summary.write(key, summary);
    expect(warnings).toHaveLength(1);
    expect(cache.summary.read(key)).toBeUndefined();
  });
});

describe("what isn't the cache's own", () => {
  const own = `summary-${"0".repeat(32)}.json`;

  test("stays in the folder: other names, and links and folders of its names", () => {
    const { cache, state, folder, cached } = open();
    cache.summary.write(key, summary);
    const inCache = (name: string) => path.join(folder, "cache", name);
    writeFileSync(path.join(folder, "mine"), "mine");
    symlinkSync("../mine", inCache(own));
    mkdirSync(inCache(own.replace("summary", "grouped")));
    for (const name of [`${own}.bak`, `x-${own}`, "mine.json"]) writeFileSync(inCache(name), "mine");
    expect(clearFiguresCache(state)).toBe(1);
    expect(cached()).toHaveLength(5);
    expect(readFileSync(path.join(folder, "mine"), "utf8")).toBe("mine");
  });

  test("is not reached through a link in the place of the folder", async () => {
    const { state, folder } = open();
    const foreign = path.join(temporaryFolder(), "foreign");
    mkdirSync(foreign);
    writeFileSync(path.join(foreign, own), "mine");
    utimesSync(path.join(foreign, own), 1, 1);
    symlinkSync(foreign, path.join(folder, "cache"));
    await rejection("state_unusable", () => clearFiguresCache(state));
    openFiguresCache(state).summary.write(key, summary);
    expect(readdirSync(foreign)).toEqual([own]);
  });
});
