import { afterAll, expect, test } from "vitest";

import { filterFields } from "../../src/api/filters.js";
import { Desk } from "../support/desk.js";

const desk = new Desk();
afterAll(() => desk.remove());

test.each(["nothing", "orders cancel 1"])("help %s fails with a hint", async (words) => {
  const { code, stderr } = await desk.run(`help ${words}`);
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringMatching(
      RegExp(`^error: Unknown command '${words}'\\.\n  Topics \\(comanda help <topic>\\): periods, `),
    ) as string,
  });
});

test.each([
  ["help exit-codes", /^Exit codes\n/],
  ["help environment", /^Environment variables\n/],
  [
    "help",
    /^Usage: comanda \[options\] \[command\]\n[^]*\nTopics \(comanda help <topic>\): periods, filters, /,
  ],
  ["help orders cancel", /^Usage: comanda orders cancel \[options\] <id\.\.\.>\n[^]*\nExamples:\n/],
])("%s prints the help", async (line, text) => {
  expect((await desk.run(line)).stdout).toMatch(text);
});

test("help filters lists every field that orders can be filtered by, and the section", async () => {
  const { stdout } = await desk.run("help filters");
  const fields = stdout.slice(stdout.indexOf("Fields (section 4.8"));
  expect(
    Object.keys(filterFields).filter(
      (field) => !fields.includes(`${field} `) && !fields.includes(`${field},`),
    ),
  ).toEqual([]);
});

test.each([
  ["driver assign", "--fee", "driver's fee, such as 7.50"],
  ["orders cancel", "--reason", "stored with the order"],
  ["prefill", "--customer-phone", "digits only"],
  ["prefill", "--item", "quantity and note to the kitchen"],
])("the help of %s explains the rule of %s in words", async (command, flag, rule) => {
  const { stdout } = await desk.run(`help ${command}`);
  const text = stdout.slice(stdout.search(new RegExp(`^ .*${flag} `, "m"))).replaceAll(/\s+/g, " ");
  expect(text.slice(0, text.indexOf(" --", text.indexOf(flag) + flag.length))).toContain(rule);
  expect(stdout).not.toMatch(/sections? \d/);
});

test("summary --help fits a screen of 24 lines with the next prompt, and explains each option", async () => {
  const { stdout } = await desk.run("help summary");
  const lines = stdout.trimEnd().split("\n");
  expect(lines.length).toBeLessThan(24);
  const options = lines.filter((line) => /^ {2}-/.test(line));
  expect(options).toHaveLength(12);
  for (const option of options) expect(option).toMatch(/^ {2}(?:-\w, )?--[a-z-]+(?: <\w+>)? {2,}\w+/);
});
