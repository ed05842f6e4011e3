/** The text for a scheduler says what was typed, wherever it is read; nothing of it is installed or secret. */
import { execFileSync } from "node:child_process";

import fc from "fast-check";
import { parse as parseYaml } from "yaml";
import * as z from "zod/mini";
import { describe, expect, test, vi } from "vitest";

import { print } from "../../src/commands/schedule/index.js";
import { renderers, schedulers, type Job } from "../../src/commands/schedule/schedulers.js";
import { cronFields, later, parseTimetable } from "../../src/commands/schedule/timetable.js";
import { parse } from "../support/parse.js";
import { sized } from "../support/soak.js";
import { Desk } from "../support/desk.js";

const command = print(() => Promise.reject(new Error("not read by parse")));

describe("the command line", () => {
  test("takes a time, and the words of another command", async () => {
    const words = ["summary", "--period", "yesterday", "--filter", "status=closed"];
    expect(
      await parse(command, "--daily", "6:15", "--as", "systemd", "--jitter", "5m", "--", ...words),
    ).toEqual({
      timetable: { kind: "daily", hour: 6, minute: 15 },
      as: "systemd",
      jitterMs: 300_000,
      name: undefined,
      image: undefined,
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
    ["a name that no object could have", ["--daily", "06:15", "--name", "A b", "summary"], /can't be "A b"/],
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
  const timetable = parseTimetable({ hourly: undefined, daily: undefined, weekly: `${day}@06:15` });
  expect(cronFields(timetable)).toBe(`15 6 * * ${number}`);
});

test.each([
  [{ hourly: "5" }, 0, "5 * * * *"],
  [{ hourly: "58" }, 5, "3 * * * *"],
  [{ daily: "06:15" }, 0, "15 6 * * *"],
  [{ daily: "23:58" }, 5, "3 0 * * *"],
  [{ weekly: "sat@23:58" }, 5, "3 0 * * 0"],
  [{ weekly: "Monday@07:00" }, 0, "0 7 * * 1"],
])("%j, %i minutes later, is %s in a crontab", (given, minutes, fields) => {
  const timetable = parseTimetable({ hourly: undefined, daily: undefined, weekly: undefined, ...given });
  expect(cronFields(later(timetable, minutes))).toBe(fields);
});

const hostile = ["a b", "it's", '50% "off"', "$HOME", "`id`", "back\\slash\\", "", "ção"];
const job: Job = {
  name: "summary",
  timetable: { kind: "daily", hour: 6, minute: 15 },
  program: ["printf", "[%s]"],
  words: hostile,
  variables: { COMANDA_CONFIG_DIR: "/home/ana o'neil/100%" },
  jitterSeconds: 300,
  delaySeconds: 0,
  timeZone: "America/Sao_Paulo",
  today: "2026-11-21",
  secrets: [],
  image: "registry.example/comanda:1",
};

test("cron's shell reads the very words, after cron has taken the backslash from its percent signs", () => {
  const [comment = "", line = ""] = renderers.cron(job).split("\n");
  expect(comment).toContain("crontab -e");
  expect(line.startsWith("15 6 * * * COMANDA_CONFIG_DIR=")).toBe(true);
  expect(line.replaceAll(String.raw`\%`, "")).not.toContain("%");
  const typed = line.slice("15 6 * * * ".length).replaceAll(String.raw`\%`, "%");
  const program = `f() { for a; do printf '[%s]' "$a"; done; printf '<%s>' "$COMANDA_CONFIG_DIR"; }`;
  const shown = execFileSync("/bin/sh", ["-c", `${program}; ${typed.replace("printf '[%s]'", "f")}`], {
    encoding: "utf8",
  });
  expect(shown).toBe(`${hostile.map((word) => `[${word}]`).join("")}</home/ana o'neil/100%>`);
  expect(renderers.cron({ ...job, delaySeconds: 42 })).toContain("15 6 * * * sleep 42; COMANDA");
});

test("a unit of systemd doubles what begins a specifier or a variable", () => {
  const text = renderers.systemd(job);
  expect(text).toContain(String.raw`ExecStart="printf" "[%%s]" "a b" "it's" "50%% \"off\"" "$$HOME"`);
  expect(text).toContain(String.raw`"back\\slash\\" ""`);
  expect(text).toContain(`Environment="COMANDA_CONFIG_DIR=/home/ana o'neil/100%%"`);
  expect(text).toContain("OnCalendar=*-*-* 06:15:00\nRandomizedDelaySec=300\nPersistent=true");
  expect(
    renderers.systemd({ ...job, timetable: { kind: "weekly", weekday: "monday", hour: 7, minute: 0 } }),
  ).toContain("OnCalendar=Mon *-*-* 07:00:00");
});

test("a task of Windows quotes as its programs read, and is XML", () => {
  const text = renderers.windows({
    ...job,
    variables: {},
    program: ["C:\\Program Files\\nodejs\\node.exe", "C:\\comanda.js"],
  });
  expect(text).toContain("<Command>C:\\Program Files\\nodejs\\node.exe</Command>");
  expect(text).toContain(String.raw`<Arguments>C:\comanda.js "a b" "it's" "50% \"off\"" "$HOME"`);
  expect(text).toContain(String.raw`back\slash\ ""`);
  expect(text).toContain("<StartBoundary>2026-11-21T06:15:00</StartBoundary>");
  expect(renderers.windows({ ...job, variables: {}, words: ['a\\"b', "c d\\", "<&>"] })).toContain(
    String.raw`"a\\\"b" "c d\\" "&lt;&amp;&gt;"`,
  );
});

test("a CronJob of Kubernetes is YAML with the very words, and sends nothing twice", () => {
  const made: unknown = parseYaml(renderers.kubernetes({ ...job, delaySeconds: 119 }));
  expect(made).toMatchObject({
    kind: "CronJob",
    spec: {
      schedule: "16 6 * * *",
      timeZone: "America/Sao_Paulo",
      concurrencyPolicy: "Forbid",
      jobTemplate: {
        spec: {
          backoffLimit: 0,
          template: {
            spec: {
              containers: [
                { args: hostile, env: [{ name: "COMANDA_CONFIG_DIR", value: "/home/ana o'neil/100%" }] },
              ],
            },
          },
        },
      },
    },
  });
});

test("a CronJob says where its image and its secrets come from, and names no place of this machine", async () => {
  const desk = new Desk({ COMANDA_API_KEY: "key_planted", COMANDA_BASE_URL: "https://api.example" });
  const line = "schedule print --daily 06:15 --as kubernetes -- summary --json --output /home/ana/a.json";
  const { code, stdout, stderr } = await desk.run(line);
  desk.remove();
  expect(code).toBe(0);
  expect(stdout).toContain('image: "registry.example/REPLACE-ME/comanda"');
  expect(stdout).toContain("kubectl create secret generic comanda --from-literal=COMANDA_API_KEY=…");
  expect(stdout).toMatch(/name: COMANDA_BASE_URL\n +value: "https:\/\/api.example"/);
  expect(stdout).not.toMatch(/COMANDA_CONFIG_DIR|planted/);
  expect(stderr).toContain("no such place: COMANDA_CONFIG_DIR, /home/ana/a.json.");
});

test("a task of Windows runs from today on, by the clock of this machine", async () => {
  vi.stubEnv("TZ", "America/Sao_Paulo");
  const desk = new Desk();
  // Half past ten at night on the 21st, when it is the 22nd in UTC: tonight's run is not left out.
  const clock = { ...desk.clock, now: () => Date.parse("2026-11-22T01:30:00Z") };
  const { stdout } = await desk.run("schedule print --daily 23:50 --as windows -- status", { clock });
  desk.remove();
  expect(stdout).toContain("<StartBoundary>2026-11-21T23:50:00</StartBoundary>");
});

test("schedule print names the variables that are set, prints no secret, and adds --quiet --no-input", async () => {
  const desk = new Desk({
    COMANDA_API_KEY: "key_planted",
    HTTPS_PROXY: "http://u:planted@proxy:1",
    COMANDA_STORE: "centro",
  });
  const line = "schedule print --daily 06:15 --as cron -- orders dispatch 1 -- 2";
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

/** As systemd does: double quotes, escapes by a backslash, and doubled signs. */
function systemdWords(text: string): readonly string[] {
  return [...text.matchAll(/"((?:[^"\\]|\\.)*)"/gs)].map(([, quoted = ""]) =>
    quoted.replaceAll(/\\(.)/gs, "$1").replaceAll("%%", "%"),
  );
}

const nasty = fc.oneof(
  fc.string({ unit: fc.constantFrom(...Array.from("\\%'\"$` a;#&<>é-:{[")) }),
  fc.string({ unit: "grapheme" }).filter((text) => !/(?!\t)\p{Cc}|[\ufffe\uffff]/u.test(text)),
);

test("each form is read back as the very words and variables, whatever these are made of", () => {
  fc.assert(
    fc.property(fc.array(nasty, { maxLength: 4 }), nasty, (words, value) => {
      const made: Job = { ...job, words, variables: { COMANDA_ACTOR: value } };
      const line = renderers.cron(made).split("\n")[1]?.slice("15 6 * * * ".length) ?? "";
      for (const read of crons)
        expect(shellWords(read(line))).toEqual([`COMANDA_ACTOR=${value}`, ...job.program, ...words]);

      const unit = renderers.systemd(made).split("\n");
      const after = (start: string) =>
        systemdWords(unit.find((each) => each.startsWith(start))?.slice(start.length) ?? "");
      expect(after("Environment=")).toEqual([`COMANDA_ACTOR=${value}`]);
      expect(after("ExecStart=").map((word) => word.replaceAll("$$", "$"))).toEqual([
        ...job.program,
        ...words,
      ]);

      const [container] = z.parse(cronJob, parseYaml(renderers.kubernetes(made))).spec.jobTemplate.spec
        .template.spec.containers;
      expect(container).toMatchObject({ args: words, env: [{ name: "COMANDA_ACTOR", value }] });
    }),
    { numRuns: sized({ test: 100, search: 2_000, soak: 20_000 }) },
  );
});

const cronJob = z.looseObject({
  spec: z.looseObject({
    jobTemplate: z.looseObject({
      spec: z.looseObject({
        template: z.looseObject({ spec: z.looseObject({ containers: z.array(z.unknown()) }) }),
      }),
    }),
  }),
});

test.each(["a\nb", "a\rb", "a\u0000b", "a\u001bb", "a\u0085b"])(
  "a variable with a control character is refused by every form, %j, unless it isn't printed",
  async (value) => {
    for (const form of schedulers) {
      const desk = new Desk({ COMANDA_ACTOR: value });
      const { code, stdout, error } = await desk.run(`schedule print --daily 06:15 --as ${form} -- status`);
      desk.remove();
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(error?.message).toContain("COMANDA_ACTOR has a line break or another control character");
    }
    const desk = new Desk({ COMANDA_API_KEY: value });
    expect((await desk.run("schedule print --daily 06:15 --as cron -- status")).code).toBe(0);
    desk.remove();
  },
);
