import { existsSync, readFileSync } from "node:fs";

import { expect, test } from "vitest";
import * as z from "zod/mini";

const text = readFileSync("CONTRIBUTING.md", "utf8");
const { scripts } = z.parse(
  z.object({ scripts: z.record(z.string(), z.string()) }),
  JSON.parse(readFileSync("package.json", "utf8")),
);

test("every file and folder that CONTRIBUTING.md names is there", () => {
  const named = [...text.matchAll(/`((?:src|test|bin|\.config|\.vscode)\/[\w./-]*)`/g)].map(
    ([, path = ""]) => path,
  );
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((path) => !existsSync(path))).toEqual([]);
});

test("every npm script that CONTRIBUTING.md names is there", () => {
  const named = [...text.matchAll(/npm run (?:--silent )?([\w:]+)/g)].map(([, name = ""]) => name);
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});
