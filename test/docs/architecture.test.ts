/** Compares the module graph in CONTRIBUTING.md with the imports in src. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

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
/** An import of another module. */
const imports = files.flatMap((file) => {
  const statements = /(?:\bfrom |\bimport\(|^import )"(\.[^"]+)\.js"/gm;
  return [...readFileSync(path.join("src", file), "utf8").matchAll(statements)]
    .map(([, target = ""]) => moduleOf(`${path.posix.join(path.posix.dirname(file), target)}.ts`))
    .filter((target) => target !== moduleOf(file))
    .map((target) => ({ file, from: moduleOf(file), target }));
});

function modulesBelow(module: string): ReadonlySet<string> {
  const below = [...(arrows.get(module) ?? [])];
  return new Set([...below, ...below.flatMap((next) => [...modulesBelow(next)])]);
}

test("The graph contains every module of src", () => {
  const drawn = new Set([...arrows].flatMap(([from, below]) => [from, ...below]));
  expect(drawn).toEqual(modules);
});

test("A module imports only modules below it in the graph", () => {
  const violations = imports.filter(({ from, target }) => !modulesBelow(from).has(target));
  expect(violations).toEqual([]);
});

test("Each arrow of the graph is an import", () => {
  const drawn = [...arrows].flatMap(([from, below]) => [...below].map((target) => ({ from, target })));
  const unused = drawn.filter(
    (arrow) => !imports.some(({ from, target }) => from === arrow.from && target === arrow.target),
  );
  expect(unused).toEqual([]);
});
