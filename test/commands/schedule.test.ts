/** The line for a crontab says what was typed, wherever it is read; nothing of it is installed or secret. */
import { execFileSync } from "node:child_process";

import fc from "fast-check";
import { parse as parseYaml } from "yaml";
import { describe, expect, test } from "vitest";

import { runLine } from "../../src/cli/program.js";
import { helpTopics } from "../../src/commands/help/topics.js";
import { cronCommand, cronFields } from "../../src/commands/schedule/crontab.js";
import { print } from "../../src/commands/schedule/index.js";
import { Sink, testContext } from "../support/context.js";
import { parse } from "../support/parse.js";
import { sized } from "../support/soak.js";
import { Desk } from "../support/desk.js";

const command = print(() => Promise.reject(new Error("not read by parse")));

describe("the command line", () => {
  test("takes a time, and the words of another command", async () => {
    const words = ["summary", "--period", "yesterday", "--filter", "status=closed"];
    expect(await parse(command, "--daily", "6:15", "--jitter", "5m", "--", ...words)).toEqual({
      fields: "15 6 * * *",
      jitterMs: 300_000,
      words,
    });
  });

  test.each([
    ["no time", ["summary"], /one of --hourly/],
    ["two times", ["--daily", "06:15", "--hourly", "5", "summary"], /one of --hourly/],
    ["a time that isn't one", ["--daily", "24:00", "summary"], /can't be "24:00"/],
    ["a minute that isn't one", ["--hourly", "60", "summary"], /can't be "60"/],
    ["a weekday that isn't one", ["--weekly", "mnday@06:00", "summary"], /no weekday "mnday"/],
    ["a weekday that is none in Portuguese", ["--weekly", "segnda@06:00", "summary"], /no weekday "segnda"/],
    [
      "an argument of two lines",
      ["--daily", "06:15", "--", "summary", "--filter", "a\nb"],
      /has a line break/,
    ],
    ["a list on stdin", ["--daily", "06:15", "orders", "finalize", "-"], /reads a list from stdin/],
  ])("is refused with %s", async (_, words, message) => {
    await expect(parse(command, ...words)).rejects.toThrow(message);
  });
});

describe("the scheduled command line is read as where it is typed, and refused as there:", () => {
  test.each([
    ["a command that isn't one", "sumary", 'There is no command "sumary".'],
    ["a member that isn't one", "orders despatch 1", 'There is no command "orders despatch".'],
    ["a group alone", "orders", "A subcommand is missing."],
    ["an option that isn't one", "summary --perod today", "There is no option --perod."],
    ["an option that isn't its own", "orders dispatch 1 --chart", "There is no option --chart."],
    ["a value that isn't one", "summary --format xml", '--format can\'t be "xml".'],
    ["a period that isn't one", "summary --period yesterdy", 'There is no period "yesterdy".'],
    ["an argument that is missing", "driver assign 1", "The argument <driver> is missing."],
    ["help", "summary --help", "This command line only asks for help."],
    ["a command that asks a person", "--json login --store a", '"comanda login" needs a person'],
  ])("%s", async (_, line, message) => {
    const desk = new Desk();
    const { code, stdout, error } = await desk.run(`schedule print --daily 06:15 -- ${line}`);
    desk.remove();
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(error?.message).toContain(message);
  });
});

test.each([
  ["segunda", 1],
  ["Terça-feira", 2],
  ["quarta", 3],
  ["qui", 4],
  ["SEXTA", 5],
  ["sabado", 6],
  ["dom", 0],
  ["sunday", 0],
])("the weekday %s is %i in a crontab", (day, number) => {
  const times = { hourly: undefined, daily: undefined, weekly: `${day}@06:15` };
  expect(cronFields(times)).toBe(`15 6 * * ${number}`);
});

test.each([
  [{ hourly: "5" }, "5 * * * *"],
  [{ daily: "06:05" }, "5 6 * * *"],
  [{ weekly: "Monday@07:00" }, "0 7 * * 1"],
])("%j is %s in a crontab", (times, fields) => {
  expect(cronFields({ hourly: undefined, daily: undefined, weekly: undefined, ...times })).toBe(fields);
});

const hostile = ["a b", "it's", '50% "off"', "$HOME", "`id`", "back\\slash\\", "", "ção"];

test("cron's shell reads the very words, after cron has taken the backslash from its percent signs", () => {
  const variables = new Map([["COMANDA_CONFIG_DIR", "/home/ana o'neil/100%"]]);
  const line = cronCommand(["printf", "[%s]", ...hostile], { variables, delaySeconds: 0 });
  expect(line.replaceAll(String.raw`\%`, "")).not.toContain("%");
  const typed = line.replaceAll(String.raw`\%`, "%");
  const program = `f() { for a; do printf '[%s]' "$a"; done; printf '<%s>' "$COMANDA_CONFIG_DIR"; }`;
  const shown = execFileSync("/bin/sh", ["-c", `${program}; ${typed.replace("printf '[%s]'", "f")}`], {
    encoding: "utf8",
  });
  expect(shown).toBe(`${hostile.map((word) => `[${word}]`).join("")}</home/ana o'neil/100%>`);
  expect(cronCommand(["true"], { variables: new Map(), delaySeconds: 42 })).toBe("sleep 42; true");
});

test("schedule print names the variables that are set, prints no secret, and adds --quiet --no-input", async () => {
  const desk = new Desk({
    COMANDA_API_KEY: "key_planted",
    HTTPS_PROXY: "http://u:planted@proxy:1",
    COMANDA_STORE: "centro",
  });
  const line = "schedule print --daily 06:15 -- orders dispatch 1 -- 2";
  const { code, stdout, stderr } = await desk.run(line);
  desk.remove();
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^15 6 \* \* \* .*COMANDA_STORE=centro.* node comanda orders dispatch 1 --quiet --no-input -- 2$/m,
  );
  expect(stdout + stderr).not.toContain("planted");
  expect(stderr).toContain("COMANDA_API_KEY, HTTPS_PROXY");
});

/** As the shell splits a line: single quotes, and a backslash before a character outside of them. */
function shellWords(line: string): readonly string[] {
  const words: string[] = [];
  for (const [word] of line.matchAll(/(?:'[^']*'|\\.|[^\s'\\])+/gs))
    words.push(
      word.replaceAll(/'([^']*)'|\\(.)/gs, (_, quoted?: string, one?: string) => quoted ?? one ?? ""),
    );
  return words;
}

/** The two ways in which crons read what stands behind the times: some take a backslash from two, too. */
const crons = [/\\(%)|(\\.)|%.*/gs, /\\([%\\])|(\\.)|%.*/gs].map(
  (pattern) => (line: string) =>
    line.replaceAll(pattern, (_, escaped?: string, kept?: string) => escaped ?? kept ?? ""),
);

const nasty = fc.oneof(
  fc.string({ unit: fc.constantFrom(...Array.from("\\%'\"$` a;#&<>é-:{[")) }),
  fc.string({ unit: "grapheme" }).filter((text) => !/(?!\t)\p{Cc}/u.test(text)),
);

test("a crontab's line is read back as the very words and variables, whatever these are made of", () => {
  fc.assert(
    fc.property(fc.array(nasty, { minLength: 1, maxLength: 4 }), nasty, (words, value) => {
      const line = cronCommand(words, { variables: new Map([["COMANDA_ACTOR", value]]), delaySeconds: 0 });
      for (const read of crons) expect(shellWords(read(line))).toEqual([`COMANDA_ACTOR=${value}`, ...words]);
    }),
    { numRuns: sized({ test: 100, search: 2_000, soak: 20_000 }) },
  );
});

test.each(["a\nb", "a\rb", "a\u0000b", "a\u001bb", "a\u0085b"])(
  "a variable with a control character is refused, %j, unless it isn't printed",
  async (value) => {
    const desk = new Desk({ COMANDA_ACTOR: value });
    const { code, stdout, error } = await desk.run("schedule print --daily 06:15 -- status");
    desk.remove();
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(error?.message).toContain("COMANDA_ACTOR has a line break or another control character");
    const other = new Desk({ COMANDA_API_KEY: value });
    expect((await other.run("schedule print --daily 06:15 -- status")).code).toBe(0);
    other.remove();
  },
);

test("on Windows, which has no cron, it says where a task is described", async () => {
  const stderr = new Sink();
  const onWindows = testContext({ stderr, host: { ...process, platform: "win32" } });
  expect(await runLine(onWindows, ["schedule", "print", "--daily", "06:15", "status"])).toBe(2);
  expect(stderr.text).toContain("comanda help schedulers");
});

describe("the help on other schedulers", () => {
  const text = helpTopics.find(({ name }) => name === "schedulers")?.text ?? "";

  test("has a CronJob of Kubernetes, which sends nothing twice", () => {
    const [, yaml = ""] = /^( {2}apiVersion:.*)/ms.exec(text) ?? [];
    expect(parseYaml(yaml)).toMatchObject({
      kind: "CronJob",
      spec: {
        concurrencyPolicy: "Forbid",
        jobTemplate: {
          spec: { backoffLimit: 0, template: { spec: { restartPolicy: "Never", containers: [{}] } } },
        },
      },
    });
  });

  test("has command lines that comanda takes", async () => {
    const typed = [...text.matchAll(/^ .*comanda ([a-z]+ .*--no-input)/gm)].map(([, line = ""]) => line);
    const args = /args: \[(.*)\]/.exec(text)?.[1]?.replaceAll(",", "") ?? "";
    expect([...typed, args]).toHaveLength(3);
    for (const line of [...typed, args]) {
      const desk = new Desk();
      const { code, stderr } = await desk.run(`schedule print --daily 06:15 -- ${line}`);
      desk.remove();
      expect({ line, code }, stderr).toEqual({ line, code: 0 });
    }
  });
});
