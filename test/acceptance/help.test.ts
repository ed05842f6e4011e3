/** The help of every command. */
import { afterAll, describe, expect, test } from "vitest";

import { helpsOfAll } from "../support/help.js";
import { rowsInSearch } from "../support/in-search.js";
import { Machine } from "../support/program.js";

const machine = new Machine();
afterAll(() => machine.remove());

const helps = await helpsOfAll();
const commands = [...helps.keys()].filter((command) => command !== "");
const helpOf = (command: string) => helps.get(command)?.whole ?? "";
const screenOf = (command: string) => helps.get(command)?.screen ?? "";
const inProcess = (line: string) => machine.inProcess(line.split(" "));

describe("help", () => {
  test.each([
    ["comanda", "", /^Usage: comanda \[options\]/],
    ["a command's --help", "orders cancel --help", screenOf("orders cancel")],
    ["help of a command", "help orders cancel", helpOf("orders cancel")],
    ["help exit-codes", "help exit-codes", /^Exit codes\n/],
    ["--version", "--version", /^\d+\.\d+\.\d+\n$/],
    ...rowsInSearch<[string, string, string | RegExp]>([
      ["--help", "--help", /^Usage: comanda \[options\]/],
      ["help", "help", /^Usage: comanda \[options\]/],
      ["a command's -h", "orders cancel -h", screenOf("orders cancel")],
      ["help of a group", "orders --help", screenOf("orders")],
      ["help environment", "help environment", /^Environment variables\n/],
    ]),
  ])("%s: the program prints it on stdout alone", async (_, line, text) => {
    const { code, stdout, stderr } = await machine.run(line === "" ? [] : line.split(" "));
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    if (typeof text === "string") expect(stdout).toBe(text);
    else expect(stdout).toMatch(text);
  });

  test.each(commands)("of %s ends with examples, and is what the command itself says", async (command) => {
    const [asked, told] = await Promise.all([
      inProcess(`help ${command}`),
      inProcess(`${command} --no-color --help`),
    ]);
    const text = helpOf(command);
    expect([asked, told]).toEqual([
      { code: 0, stdout: text, stderr: "" },
      { code: 0, stdout: screenOf(command), stderr: "" },
    ]);
    const isGroup = commands.some((other) => other.startsWith(`${command} `));
    if (isGroup) expect(text).toMatch(/\n\nCommands:\n[^]*\n\nOptions:\n/);
    else expect(text).toMatch(new RegExp(`\\nExamples:\\n(?: {2}\\$ .*\\bcomanda ${command}\\b.*\\n)+`));
  });

  test.each(["en", "pt-BR"] as const)(
    "in %s is a screen of 24 lines for every command, the next prompt among them",
    async (language) => {
      for (const [command, { screen: text }] of await helpsOfAll(language)) {
        const lines = text.trimEnd().split("\n");
        const height = lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / 80)), 0);
        expect(height, command).toBeLessThan(24);
        expect(text, command).toMatch(/^(?:Usage|Uso): comanda/);
      }
    },
  );

  test.each(commands)("of %s names every option and an example on its screen", (command) => {
    const flags = (text: string) => new Set(text.split(/\n(?:Examples):\n/)[0]?.match(/--[a-z-]+/g));
    const listed = [...helpOf(command).matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, option]) => option);
    expect([...flags(screenOf(command)), "--help"]).toEqual(expect.arrayContaining(listed));
    if (helpOf(command).includes("\nExamples:\n")) expect(screenOf(command)).toMatch(/\nExamples:\n {2}\$ /);
  });

  test.each(commands)("of %s is 80 columns wide, each paragraph wrapped once", (command) => {
    const [text = ""] = helpOf(command).split("\nExamples:\n");
    const lines = text.split("\n");
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expect(text).not.toMatch(/\[\]|undefined|object Object/);
    const [, ...prose] = text.slice(0, text.search(/\n[A-Za-z]+:\n/)).split("\n");
    prose.slice(0, -1).forEach((line, index) => {
      const [next = ""] = (prose[index + 1] ?? "").split(" ");
      // A line ends where the next word would not have fitted.
      if (line !== "" && next !== "") expect(`${line} ${next}`.length, line).toBeGreaterThan(80);
    });
  });

  test.each(commands)("of %s explains each option once", (command) => {
    const options = [...helpOf(command).matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, option]) => option);
    expect(options).toEqual([...new Set(options)]);
  });

  test("of login explains --timeout once, as the wait that it is there", () => {
    expect(helpOf("login").match(/.*--timeout.*/g)).toEqual([
      expect.stringMatching(/^ {2}--timeout <duration> +longest wait for the owner \(default: 5m\)$/),
    ]);
  });

  const topics = [
    "periods",
    "filters",
    "output",
    "sign-in",
    "cron",
    "schedulers",
    "exit-codes",
    "environment",
    "json",
    "files",
  ];
  test.each(["--help", "help commands", "help options", ...topics.map((topic) => `help ${topic}`)])(
    "%s is 80 columns wide",
    async (line) => {
      const { stdout } = await inProcess(line);
      expect(stdout.length).toBeGreaterThan(300);
      expect(stdout.split("\n").filter((each) => each.length > 80)).toEqual([]);
    },
  );

  test("of the program is a screen of 24 lines, and names every command", async () => {
    const { stdout } = await inProcess("--help");
    expect(stdout.trimEnd().split("\n").length).toBeLessThanOrEqual(24);
    const top = commands.filter((command) => !command.includes(" ") && command !== "help");
    const [evening = "", more = ""] = stdout.split("\nMore:\n");
    expect([...evening.matchAll(/^ {2}([a-z]+(?: [a-z]+)?) {2,}/gm)].map(([, words]) => words)).toEqual([
      ...["login", "orders dispatch", "orders deliver", "orders finalize", "orders cancel"],
      ...["driver assign", "summary"],
    ]);
    const named = [...more.matchAll(/^ {2}[A-Z]\w+ +([a-z, ]+)$/gm)].flatMap(([, names = ""]) =>
      names.split(", "),
    );
    expect([...named, "login", "orders", "driver", "summary"].sort()).toEqual(top.sort());
  });

  test.each(commands.filter((command) => commands.some((other) => other.startsWith(`${command} `))))(
    "of %s lists its commands on its screen",
    (group) => {
      const members = commands.filter((command) => command.startsWith(`${group} `));
      for (const member of members)
        expect(screenOf(group)).toMatch(new RegExp(`^ {2}${member.slice(group.length + 1)}\\b`, "m"));
    },
  );

  test("of a cancel shows first what a person needs every day", () => {
    const screen = screenOf("orders cancel");
    expect(screen).toMatch(/^Options:\n {2}--reason <text> /m);
  });

  test("of all commands says what each is for, and of all options what each does", async () => {
    expect((await inProcess("help commands")).stdout).toMatch(/^Commands:\n {2}login +sign in at a store/);
    expect((await inProcess("help options")).stdout).toMatch(
      /^Options:\n[^]*--max-wait <duration> +longest wait/,
    );
  });

  test("comanda alone says what this machine is ready for", async () => {
    expect((await machine.run([])).stdout).toMatch(
      /\n\nNo store is signed in yet\. Begin with: comanda demo\n$/,
    );
    const nobody = "http://127.0.0.1:9";
    await machine.inProcess(
      `env set test --base-url ${nobody} --auth-url ${nobody} --client-id x`.split(" "),
    );
    await machine.inProcess(["login", "--api-key", "--store", "loja", "--env", "test"], {
      input: "key_abc",
    });
    expect((await machine.run([], { env: { COMANDA_LANG: "pt-BR" } })).stdout).toMatch(
      /\n\nLojas desta máquina: loja \(só chave de API\)\. Estão prontas\? comanda status\n$/,
    );
  });

  test("has every command", () => {
    expect(commands).toEqual(expect.arrayContaining(["login", "orders", "orders cancel", "emulator exec"]));
    expect(commands.length).toBeGreaterThan(30);
  });

  test.each(["--json orders dispatch", "--store centro orders dispatch"])(
    "is not needed to find a command behind options: %s",
    async (line) => {
      const { code, stderr } = await inProcess(line);
      expect(code).toBe(2);
      expect(stderr).toContain("The argument <id> is missing");
    },
  );

  test("of the program has its commands described, whatever else is said", async () => {
    const { stdout } = await inProcess("--json --help");
    expect(stdout).toBe((await inProcess("--help")).stdout);
  });
});
