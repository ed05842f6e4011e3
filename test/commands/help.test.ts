import { expect, test } from "vitest";

import { filterFields, type FilterValues } from "../../src/api/filters.js";
import { statusChanges } from "../../src/api/operations.js";
import { orderStatuses } from "../../src/api/values.js";
import { parseFilters } from "../../src/sales/filters.js";
import { Desk, matching } from "../support/desk.js";

const desk = new Desk();

test.each(["nothing", "orders cancel 1", "constructor"])("help %s fails with a hint", async (words) => {
  const error = `^error: Unknown command or topic '${words}'\\.\n  Topics \\(comanda help <topic>\\): periods, `;
  expect(await desk.run(`help ${words}`)).toMatchObject({ code: 2, stderr: matching(error) });
});

test("help filters lists each field with exactly the values and operators that --filter accepts", async () => {
  const { stdout } = await desk.run("help filters");
  const table = stdout.slice(stdout.indexOf("Fields (section 4.8"));
  for (const [field, { values }] of Object.entries(filterFields)) {
    const [, row = ""] = new RegExp(`^ {2}${field} +(.*(?:\\n {6,}.*)*)`, "m").exec(table) ?? [];
    const [listed = "", operators = ""] = row.replaceAll(/\s+/g, " ").split("; ");
    expect(operators).toMatch(/^=/);
    for (const operator of operators.split(" "))
      expect(() => parseFilters([`${field}${operator}${sampleOf(values)}`])).not.toThrow();
    if ("values" in values) expect({ field, listed }).toEqual({ field, listed: values.values.join(", ") });
  }
  expect(stdout).not.toMatch(/canceling|pending_online_payment/);
  expect(stdout).toContain("Several values of one field are alternatives");
  for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
});

test("help statuses lists each status, with the command that leads to it", async () => {
  const { stdout } = await desk.run("help statuses");
  const rows = stdout.replaceAll(/\n {26}/g, " ");
  const rowOf = (status: string) => new RegExp(`^ {2}${status} .*$`, "m").exec(rows)?.[0];
  for (const status of orderStatuses) expect(rowOf(status)).toBeDefined();
  for (const [word, { leadsTo }] of Object.entries(statusChanges))
    for (const status of leadsTo) expect(rowOf(status)).toContain(`orders ${word}`);
});

/** Returns a value that a filter accepts. */
function sampleOf(values: FilterValues): string {
  return "values" in values ? (values.values[0] ?? "") : values.kind === "time" ? "15:00" : "1";
}
