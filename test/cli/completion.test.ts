/** What completion offers, from the table of the real command tree. */
import { beforeAll, expect, test } from "vitest";

import { candidates, needsProgram } from "../../src/cli/complete.js";
import { createProgram } from "../../src/cli/program.js";
import { completionTable, type CompletionTable } from "../../src/cli/completion-table.js";
import { testContext } from "../support/context.js";

let table: CompletionTable;
beforeAll(async () => {
  table = completionTable(await createProgram(testContext()));
});

const here = {
  stores: ["centro", "praça", "$(id)", "a b"],
  environments: ["local", "test"],
  drivers: [],
  runs: [],
};
const offered = (line: string) =>
  candidates(table, line.split(" "), (kind) => here[kind]).map(({ text }) => text);

test.each([
  ["or", ["orders"]],
  ["orders ", ["dispatch", "deliver", "finalize", "cancel"]],
  ["orders --store centro f", ["finalize"]],
  ["--store ", ["centro", "praça"]],
  ["-s p", ["praça"]],
  ["summary --store=c", ["--store=centro"]],
  ["stores use ", ["centro", "praça"]],
  ["stores rename centro ", []],
  ["login --env t", ["test"]],
  ["grouped --by day_", ["day_of_week"]],
  ["grouped --by driver", ["driver_id"]],
  ["summary --period yes", ["yesterday"]],
  ["summary --filter sales_c", ["sales_channel=", "sales_channel!="]],
  ["summary --filter total", ["total=", "total!=", "total>", "total<", "total>=", "total<="]],
  ["summary --filter order_type=t", ["order_type=takeout"]],
  ["summary --filter=status!=clos", ["--filter=status!=closed"]],
  ["summary --filter customer_origin=", ["customer_origin=", "customer_origin=null"]],
  ["summary --compare y", ["year"]],
  ["summary --format cs", ["csv"]],
  ["orders dispatch 4711 ", []],
  ["orders dispatch -- --st", []],
  ["nonsense ", []],
])("%j offers %j", (line, expected) => {
  expect(offered(line)).toEqual(expected);
});

test("a hyphen offers the command's options and those of all commands, each with what it is for", () => {
  const found = candidates(table, ["orders", "cancel", "--"], () => []);
  expect(found.map(({ text }) => text)).toEqual(
    expect.arrayContaining(["--reason", "--resume", "--store", "--json"]),
  );
  expect(found.every(({ summary }) => summary !== "")).toBe(true);
});

test("no name is offered that a shell or a terminal acts upon", () => {
  expect(offered("--store ")).not.toContain("$(id)");
  expect(offered("--store ")).not.toContain("a b");
});

test("names of drivers are the program's to find", () => {
  expect(needsProgram(table, ["driver", "assign", "4711", ""])).toBe("drivers");
  expect(needsProgram(table, ["stores", "use", ""])).toBeUndefined();
});

test("every option with closed values offers them", () => {
  const open = Object.entries(table).flatMap(([words, { options }]) =>
    options
      .filter(({ names }) => names.includes("--by") || names.includes("--format"))
      .map(({ values }) => [words, values]),
  );
  // What all commands have is the program's own, and there once.
  expect(open.map(([words]) => words)).toEqual(["", "grouped"]);
  for (const [, values] of open) expect(values).not.toEqual([]);
});
