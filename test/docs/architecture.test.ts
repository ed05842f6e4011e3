/** Compares the module graph in CONTRIBUTING.md with the imports in src. */
import { readdirSync, readFileSync } from "node:fs";

import { expect, test } from "vitest";

const text = readFileSync("CONTRIBUTING.md", "utf8");
const [, graph = ""] = /```mermaid\n([^]*?)```/.exec(text) ?? [];
const arrows = new Map<string, Set<string>>();
for (const [, from = "", below = ""] of graph.matchAll(/^ {2}(\w+)(?:\[".*"\])? --> (.*)$/gm))
  arrows.set(from, new Set([...(arrows.get(from) ?? []), ...below.split(" & ")]));

/** This file is above all modules, as in .config/dependency-cruiser.cjs. */
const main = "cli/main.ts";

function moduleOf(file: string): string {
  const [folder = ""] = file.split("/");
  return file === main ? "main" : folder;
}

const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((name) =>
  /\.tsx?$/.test(name),
);
const modules = new Set(files.map(moduleOf));

test("The graph contains every module of src", () => {
  const drawn = new Set([...arrows].flatMap(([from, below]) => [from, ...below]));
  expect(drawn).toEqual(modules);
});
