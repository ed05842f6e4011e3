/** The picture of rooms and arrows in CONTRIBUTING.md says what src imports; and no file imports itself through others. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

import { expect, test } from "vitest";

const text = readFileSync("CONTRIBUTING.md", "utf8");
const [, picture = ""] = /```mermaid\n([^]*?)```/.exec(text) ?? [];
const arrows = new Map<string, Set<string>>();
for (const [, from = "", below = ""] of picture.matchAll(/^ {2}(\w+)(?:\[".*"\])? --> (.*)$/gm))
  arrows.set(from, new Set([...(arrows.get(from) ?? []), ...below.split(" & ")]));

const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((name) =>
  /\.tsx?$/.test(name),
);
/** What each file imports, types too: files of src below it, and packages by their names. */
const imports = new Map(
  files.map((file) => {
    // Examples in comments import, too.
    const source = readFileSync(path.join("src", file), "utf8").replaceAll(/^ *(?:\*|\/\/).*/gm, "");
    const targets = [...source.matchAll(/(?:\bfrom |\bimport\(|^import )"([^"]+)"/gm)].map(
      ([, target = ""]) =>
        target.startsWith(".")
          ? path.posix.join(path.posix.dirname(file), target).replace(/js$/, "ts")
          : target,
    );
    return [file, new Set(targets)];
  }),
);

/** What loads the commands stands above them, and the rest of src/cli below. */
const roomOf = (file: string) => (file === "cli/program.ts" ? "program" : (file.split("/")[0] ?? ""));
const rooms = new Set(files.map(roomOf));
/** From room to room, each with a file that does. */
const between = [...imports].flatMap(([file, targets]) =>
  [...targets]
    .filter((target) => target.includes(".ts") && roomOf(target) !== roomOf(file))
    .map((target) => ({ file, from: roomOf(file), to: roomOf(target) })),
);

/** All that can be reached from a node, itself only by a circle. */
function reachedFrom(node: string, graph: ReadonlyMap<string, ReadonlySet<string>>): ReadonlySet<string> {
  const reached = new Set<string>();
  const left = [...(graph.get(node) ?? [])];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (reached.has(next)) continue;
    reached.add(next);
    left.push(...(graph.get(next) ?? []));
  }
  return reached;
}

test("every room of the house is in the picture, and each arrow is an import", () => {
  const drawn = new Set([...arrows].flatMap(([from, below]) => [from, ...below]));
  expect([...drawn].toSorted()).toEqual([...rooms].toSorted());
  const idle = [...arrows].flatMap(([from, below]) =>
    [...below].filter((to) => !between.some((each) => each.from === from && each.to === to)),
  );
  expect(idle).toEqual([]);
});

test("a room imports only what its arrows lead to", () => {
  expect(between.filter(({ from, to }) => !reachedFrom(from, arrows).has(to))).toEqual([]);
});

test("nothing is imported in a circle", () => {
  expect([...arrows.keys()].filter((room) => reachedFrom(room, arrows).has(room))).toEqual([]);
  expect(files.filter((file) => reachedFrom(file, imports).has(file))).toEqual([]);
});

test("`comanda` runs wherever there is a fetch: nothing of Node's, and nothing of the program", () => {
  const allowed =
    /^(?:zod|temporal-)|^(?:library|client|api|languages)\/|^sales\/(?:ask|figures|group-days|period)\.ts$/;
  const reached = [...reachedFrom("library/index.ts", imports)];
  expect(reached.length).toBeGreaterThan(10);
  expect(reached.filter((target) => !allowed.test(target))).toEqual([]);
});

test("what asks, adds up and compares writes nothing: it uses nothing of src/cli", () => {
  const asking = files.filter((file) => /^sales\/(?:ask|figures|filters|group-days|period)\./.test(file));
  expect(between.filter(({ file, to }) => asking.includes(file) && to === "cli")).toEqual([]);
});
