/** The help of every command. */
import { describe, expect, test } from "vitest";

import { topicText } from "../../src/cli/help/topics.js";
import { helpsOfAll } from "../support/help.js";
import { Machine } from "../support/program.js";

const machine = new Machine();

const helps = await helpsOfAll();
const commands = [...helps.keys()].filter((command) => command !== "");
const helpOf = (command: string) => helps.get(command) ?? "";

describe("help", () => {
  test.each([
    ["", /^Usage: comanda \[options\]/],
    ["help", /^Usage: comanda \[options\] [^]*\nTopics \(comanda help <topic>\): periods, filters, /],
    ["openapi", /"openapi": ?"3\.1\.1"/],
  ])("is printed only to stdout: comanda %s", async (line, text) => {
    const { code, stdout, stderr } = await machine.inProcess(line === "" ? [] : [line]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(text);
  });

  test.each(commands)("of %s has each option once, and examples", async (command) => {
    // A topic of the same name follows the command's help.
    const stdout = [helpOf(command), await topicText(command)].filter(Boolean).join("\n");
    expect(await machine.inProcess(`help ${command}`)).toEqual({ code: 0, stdout, stderr: "" });
    const isGroup = commands.some((other) => other.startsWith(`${command} `));
    const examples = new RegExp(`\nExamples:\n(?: {2}\\$ .*\\bcomanda ${command}\\b.*\n)+`);
    expect(helpOf(command)).toMatch(isGroup ? /\n\nCommands:\n/ : examples);
    const [text = ""] = helpOf(command).split("\nExamples:\n");
    expect(text).not.toMatch(/\[\]|undefined|object Object/);
    const options = [...text.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, option]) => option);
    expect(options).toEqual([...new Set(options)]);
  });

  test("of the program lists every command with its summary, and the common options", async () => {
    const { stdout } = await machine.inProcess("--help");
    const named = [...stdout.matchAll(/^ {2}([a-z]+) {2,}\S/gm)].map(([, name]) => name);
    const top = commands.filter((command) => !command.includes(" "));
    expect(named.sort()).toEqual(top.sort());
    expect(stdout).toMatch(/^Options:\n[^]*--max-wait <duration> +maximum wait/m);
    expect(stdout).toMatch(/^Stores and sign-ins:\n {2}login +sign in to a store/m);
  });
});
