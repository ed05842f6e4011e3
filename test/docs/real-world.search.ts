/**
 * The lint rule that keeps the disk, the clock, chance, the network and other processes out of the code below src/cli: it
 * fires at each of them, and each file that it excepts needs that.
 */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

import { ESLint, Linter } from "eslint";
import { beforeAll, expect, test } from "vitest";

import { theRealWorld } from "../../.config/eslint.config.js";

const eslint = new ESLint({ overrideConfigFile: ".config/eslint.config.js" });
const linter = new Linter();
/** As it holds for a file that is like any other. */
let config: Linter.Config;

beforeAll(async () => {
  const whole = (await eslint.calculateConfigForFile("src/state/any.ts")) as Linter.Config;
  // The other rules want the types of a whole program.
  const own = Object.entries(whole.rules ?? {}).filter(([name]) => /(^|\/)no-restricted-/.test(name));
  config = {
    files: ["**"],
    plugins: whole.plugins ?? {},
    languageOptions: { parser: whole.languageOptions?.["parser"] },
    rules: Object.fromEntries(own),
  };
});

const sources = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => path.posix.join("src", name));

function faultsIn(code: string): readonly (string | null)[] {
  return linter.verify(code, config, "src/state/any.ts").map(({ ruleId }) => ruleId);
}

test.each([
  "Date.now()",
  "new Date()",
  "Date()",
  "Temporal.Now.instant()",
  "performance.now()",
  "setTimeout(work, 5)",
  "setInterval(work, 5)",
  "AbortSignal.timeout(5)",
  "Math.random()",
  "const { random } = Math;",
  "crypto.randomUUID()",
  'fetch("https://service.example")',
  'globalThis.fetch("https://service.example")',
  'new WebSocket("wss://service.example")',
  "process.env",
  "globalThis.process.env",
  'console.log("told")',
  'import { readFileSync } from "fs";',
  'import { readFileSync } from "node:fs";',
  'import * as fs from "node:fs/promises";',
  'export { readFileSync } from "node:fs";',
  'const fs = await import("node:fs");',
  'import { createRequire } from "node:module";',
  'import { connect } from "node:net";',
  'import { connect } from "node:tls";',
  'import { lookup } from "node:dns";',
  'import { request } from "node:http";',
  'import * as http from "node:http";',
  'import { request } from "node:https";',
  'import { request } from "undici";',
  'import { spawn } from "node:child_process";',
  'import { hostname } from "node:os";',
  'import { setTimeout } from "node:timers/promises";',
  'import { randomBytes } from "node:crypto";',
  'import * as crypto from "node:crypto";',
  'import process from "node:process";',
  'import Conf from "conf";',
  'import open from "open";',
  'const { default: open } = await import("open");',
])("below src/cli, %s is refused", (code) => {
  expect(faultsIn(code)).not.toEqual([]);
});

test.each([
  "new Date(0)",
  "clock.now()",
  "clock.sleep(5)",
  "random.bytes(8)",
  'disk.open("a", 0)',
  'import type { Stats } from "node:fs";',
  'import { createHash } from "node:crypto";',
  'import path from "node:path";',
  "Temporal.Now.timeZoneId()",
])("below src/cli, %s is fine", (code) => {
  expect(faultsIn(code)).toEqual([]);
});

const wholeFolders = ["src/commands/demo/*.ts", "src/emulator/**"];

test.each(theRealWorld.filter((pattern) => !wholeFolders.includes(pattern)))(
  "what %s names is there, and each file needs its exception",
  (pattern) => {
    const [before = "", names = "", after = ""] = pattern.split(/[{}]/);
    const files = names.split(",").map((name) => before + name + after);
    for (const file of files) expect(faultsIn(readFileSync(file, "utf8")), file).not.toEqual([]);
  },
);

test("no other file takes an exception by a comment, but for the library's own process", () => {
  const files = sources.filter((file) =>
    /eslint-disable[^\n]*no-restricted-/.test(readFileSync(file, "utf8")),
  );
  expect(files).toEqual(["src/public/file-session.ts"]);
});
