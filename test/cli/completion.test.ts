/** What completion offers at the end of a command line. */
import { writeFileSync } from "node:fs";
import path from "node:path";

import { expect, test } from "vitest";

import { statusChangeNames } from "../../src/api/operations.js";
import { Desk } from "../support/desk.js";

const desk = new Desk();
for (const store of ["centro", "praça"]) await desk.signIn(store, "http://127.0.0.1:1", "token");
writeFileSync(path.join(desk.folder, "sessions", "s-a%20b.json"), "{}", { mode: 0o600 });
await desk.run("env set test --base-url https://a.example --auth-url https://b.example --client-id c");

const lines = async (line: string, shell = "fish") => {
  const { code, stdout } = await desk.run(["complete", shell, `comanda ${line}`]);
  expect(code).toBe(0);
  return stdout.split("\n").slice(0, -1);
};
const offered = async (line: string) => (await lines(line)).map((each) => each.split("\t")[0]);

test.each([
  ["or", ["orders"]],
  ["comp", ["completion"]],
  ["orders ", statusChangeNames],
  // The store "a b" isn't offered, because a shell interprets the blank.
  ["--store ", ["centro", "praça"]],
  ["summary --store=c", ["--store=centro"]],
  ["stores rename centro ", []],
  ["grouped --by day_", ["day_of_week"]],
  ["summary --filter total", ["total=", "total!=", "total>", "total<", "total>=", "total<="]],
  ["summary --filter order_type=t", ["order_type=takeout"]],
  ["summary --filter=status!=clos", ["--filter=status!=closed"]],
  ["summary --filter 'order_type=t", ["order_type=takeout"]],
  ["orders dispatch 4711 ", []],
  ["orders dispatch -- --st", []],
])("The line %j is completed with %j", async (line, expected) => {
  expect(await offered(line)).toEqual(expected);
});

test("A hyphen is completed with the command's options and the global ones, with descriptions", async () => {
  const found = await lines("orders cancel --");
  expect(found.map((line) => line.split("\t")[0])).toEqual(
    expect.arrayContaining(["--reason", "--resume", "--store", "--json"]),
  );
  expect(found.filter((line) => !/\t\w/.test(line))).toEqual([]);
});

test.each([
  "prefill ",
  "report --out ",
  "summary --append=sa",
  "api POST /x --input o",
  "emulator exec -- ./",
])("The line %j leaves the completion of file names to the shell", async (line) => {
  for (const shell of ["bash", "zsh", "fish", "powershell"])
    expect(await lines(line, shell)).toEqual(["\tfile"]);
});

test("In bash, which breaks words at = and :, only the part after the last break is completed", async () => {
  expect(await lines("summary --filter status=clos", "bash")).toEqual(["closed\t"]);
  expect(await lines("summary --filter 'status=clos", "bash")).toEqual(["status=closed\t"]);
  expect(await lines("summary --store=c", "bash")).toEqual(["centro\t"]);
});
