/** The picture of rooms and arrows in CONTRIBUTING.md says what src imports. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

import { expect, test } from "vitest";

const text = readFileSync("CONTRIBUTING.md", "utf8");
const [, picture = ""] = /```mermaid\n([^]*?)```/.exec(text) ?? [];
const arrows = new Map<string, Set<string>>();
for (const [, from = "", below = ""] of picture.matchAll(/^ {2}(\w+)(?:\[".*"\])? --> (.*)$/gm))
  arrows.set(from, new Set([...(arrows.get(from) ?? []), ...below.split(" & ")]));

/** What loads the commands stands above them, and the rest of src/cli below: .config/dependency-cruiser.cjs says so, too. */
const program = /^cli\/program\.ts$/;

function roomOf(file: string): string {
  if (program.test(file)) return "program";
  const [room = ""] = file.split("/");
  return room;
}

const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((name) =>
  /\.tsx?$/.test(name),
);
const rooms = [...new Set(files.map(roomOf))];
/** What the files of each room import from other rooms, with one file that does. */
const imports = new Map(rooms.map((room) => [room, importsOf(room)]));

function importsOf(room: string): ReadonlyMap<string, string> {
  return new Map(
    files
      .filter((file) => roomOf(file) === room)
      .flatMap((file) =>
        [
          ...readFileSync(path.join("src", file), "utf8").matchAll(
            /(?:\bfrom |\bimport\(|^import )"(\.[^"]+)\.js"/gm,
          ),
        ]
          .map(([, target = ""]) => roomOf(`${path.posix.join(path.posix.dirname(file), target)}.ts`))
          .filter((other) => other !== room)
          .map((other) => [other, file] as const),
      ),
  );
}

function reachedFrom(room: string): ReadonlySet<string> {
  const below = [...(arrows.get(room) ?? [])];
  return new Set([...below, ...below.flatMap((next) => [...reachedFrom(next)])]);
}

test("every room of the house is in the picture", () => {
  const drawn = new Set([...arrows].flatMap(([from, below]) => [from, ...below]));
  expect([...drawn].toSorted()).toEqual(rooms.toSorted());
});

test("a room imports only what its arrows lead to", () => {
  const strays = rooms.flatMap((room) => {
    const reached = reachedFrom(room);
    return [...(imports.get(room) ?? [])]
      .filter(([other]) => !reached.has(other))
      .map(([other, file]) => `${file} imports ${other}`);
  });
  expect(strays).toEqual([]);
});

test("each arrow is an import", () => {
  const idle = [...arrows].flatMap(([from, below]) =>
    [...below].filter((other) => !imports.get(from)?.has(other)).map((other) => `${from} --> ${other}`),
  );
  expect(idle).toEqual([]);
});
