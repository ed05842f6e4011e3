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
const program = "cli/program.ts";

function moduleOf(file: string): string {
  const [folder = ""] = file.split("/");
  return file === program ? "program" : folder;
}

const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((name) =>
  /\.tsx?$/.test(name),
);
const modules = [...new Set(files.map(moduleOf))];
/** The modules that each module imports, with one of the files that do so. */
const imports = new Map(modules.map((module) => [module, importsOf(module)]));

function importsOf(module: string): ReadonlyMap<string, string> {
  return new Map(
    files
      .filter((file) => moduleOf(file) === module)
      .flatMap((file) =>
        [
          ...readFileSync(path.join("src", file), "utf8").matchAll(
            /(?:\bfrom |\bimport\(|^import )"(\.[^"]+)\.js"/gm,
          ),
        ]
          .map(([, target = ""]) => moduleOf(`${path.posix.join(path.posix.dirname(file), target)}.ts`))
          .filter((other) => other !== module)
          .map((other) => [other, file] as const),
      ),
  );
}

function modulesBelow(module: string): ReadonlySet<string> {
  const below = [...(arrows.get(module) ?? [])];
  return new Set([...below, ...below.flatMap((next) => [...modulesBelow(next)])]);
}

test("The graph contains every module of src", () => {
  const drawn = new Set([...arrows].flatMap(([from, below]) => [from, ...below]));
  expect([...drawn].toSorted()).toEqual(modules.toSorted());
});

test("A module imports only modules below it in the graph", () => {
  const violations = modules.flatMap((module) => {
    const below = modulesBelow(module);
    return [...(imports.get(module) ?? [])]
      .filter(([other]) => !below.has(other))
      .map(([other, file]) => `${file} imports ${other}`);
  });
  expect(violations).toEqual([]);
});

test("Each arrow of the graph is an import", () => {
  const unused = [...arrows].flatMap(([from, below]) =>
    [...below].filter((other) => !imports.get(from)?.has(other)).map((other) => `${from} --> ${other}`),
  );
  expect(unused).toEqual([]);
});
