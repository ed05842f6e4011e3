import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod/mini";

import { Bench } from "../support/bench.js";
import { parseJson, parseJsonLines } from "../support/json.js";

let bench: Bench;
beforeAll(async () => {
  bench = await Bench.open();
  await bench.signIn();
});
afterAll(() => bench.close());

describe("--json", () => {
  it.each<[string, () => Promise<string[]> | string[]]>([
    ["env set", () => [..."env set a --base-url https://a.example".split(" "), ...more]],
    ["env list", () => ["env", "list"]],
    ["env remove", () => ["env", "remove", "a"]],
    ["status", () => ["status"]],
    ["status --check", () => ["status", "--check"]],
    ["stores list", () => ["stores", "list"]],
    ["stores use", () => ["stores", "use", "centro"]],
    ["stores rename", () => ["stores", "rename", "centro", "centro"]],
    ["orders dispatch", async () => ["orders", "dispatch", await bench.order()]],
    ["driver assign", async () => ["driver", "assign", await bench.order(), "11"]],
    ["--dry-run", () => ["orders", "dispatch", "7", "--dry-run"]],
  ])("%s: stdout is JSON, each value on a line", async (_, args) => {
    const { code, stdout } = await bench.comanda([...(await args()), "--json"]);
    expect(code).toBe(0);
    expect(parseJsonLines(stdout)).toHaveLength(1);
  });

  it("answers with the same for --format json", async () => {
    const [one, two] = await Promise.all([
      bench.comanda("stores list --json"),
      bench.comanda("stores list --format json"),
    ]);
    expect(one.stdout).toBe(two.stdout);
    expect(parseJson(one.stdout)).toHaveLength(1);
  });
});

const more = ["--auth-url", "https://b.example/authorize", "--client-id", "c"];

describe("without a terminal", () => {
  it("nothing is coloured, and notices stay off stdout", async () => {
    const ids = await Promise.all([1, 2, 3].map(() => bench.order()));
    const runs = await Promise.all([
      bench.comanda("status"),
      bench.comanda("orders dispatch 99999999"),
      bench.comanda(["orders", "dispatch", ...ids, "99999999"]),
      bench.comanda("--help"),
    ]);
    for (const { stdout, stderr } of runs) expect(stdout + stderr).not.toContain("\u001b");
    expect(runs[2].stdout).not.toMatch(/3 done/);
    expect(runs[2].stderr).toMatch(/3 done, 1 refused/);
  });

  it("--quiet leaves results and errors alone", async () => {
    const ids = await Promise.all([1, 2].map(() => bench.order()));
    const { code, stdout, stderr } = await bench.comanda(["orders", "dispatch", ...ids, "--quiet"]);
    expect({ code, stderr, rows: stdout.trim().split("\n").length }).toEqual({
      code: 0,
      stderr: "",
      rows: 3,
    });
  });

  it("server text is shown with its control characters escaped", async () => {
    bench.emulator.service.faults.set([
      {
        kind: "status",
        status: 409,
        match: { path: "/dispatch" },
        when: "before",
        times: 2,
        body: JSON.stringify({ code: 4002, message: "\u001b]0;pwned\u0007\u009b31m\u202e no" }),
      },
    ]);
    for (const flag of [[], ["--json"]]) {
      const { code, stdout, stderr } = await bench.comanda(["orders", "dispatch", "7", ...flag]);
      expect(code).toBe(6);
      // eslint-disable-next-line no-control-regex -- what must not be there
      expect(stdout + stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    }
  });
});

/** Made at build time, by the command's words. */
const commands = Object.keys(
  z.parse(
    z.record(z.string(), z.string()),
    JSON.parse(readFileSync(path.resolve(import.meta.dirname, "../../dist/cli/help.json"), "utf8")),
  ),
);

describe("help", () => {
  it.each([
    ["comanda", "", 0],
    ["--help", "--help", 0],
    ["help", "help", 0],
    ["a command's --help", "orders cancel --help", 0],
    ["help of a command", "help orders cancel", 0],
    ["help exit-codes", "help exit-codes", 0],
    ["help environment", "help environment", 0],
    ["--version", "--version", 0],
  ])("%s is on stdout alone", async (_, line, exit) => {
    const { code, stdout, stderr } = await bench.comanda(line === "" ? [] : line);
    expect({ code, stderr, said: stdout.length > 0 }).toEqual({ code: exit, stderr: "", said: true });
  });

  it.each(commands)("of %s ends with examples, and is what the command itself says", async (command) => {
    const [made, asked, told] = await Promise.all([
      bench.comanda(`${command} --help`),
      bench.comanda(`help ${command}`),
      // With an option it isn't the text from the build.
      bench.comanda(`${command} --no-color --help`),
    ]);
    expect([made.code, asked.stdout, told.stdout]).toEqual([0, made.stdout, made.stdout]);
    const isGroup = commands.some((other) => other.startsWith(`${command} `));
    if (isGroup) expect(made.stdout).toMatch(/\n\nCommands:\n[^]*\n\nOptions:\n/);
    else
      expect(made.stdout).toMatch(new RegExp(`\\nExamples:\\n(?: {2}\\$ .*\\bcomanda ${command}\\b.*\\n)+`));
  });

  it.each(commands)("of %s is 80 columns wide, each paragraph wrapped once", async (command) => {
    const { stdout } = await bench.comanda(`${command} --help`);
    const [text = ""] = stdout.split("\nExamples:\n");
    const lines = text.split("\n");
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expect(text).not.toMatch(/\[\]|undefined|object Object/);
    const [, ...prose] = text.slice(0, text.search(/\n(?:Options|Commands):\n/)).split("\n");
    prose.slice(0, -1).forEach((line, index) => {
      const [next = ""] = (prose[index + 1] ?? "").split(" ");
      // A line ends where the next word would not have fitted.
      if (line !== "" && next !== "") expect(`${line} ${next}`.length, line).toBeGreaterThan(80);
    });
  });

  it.each(commands)("of %s explains each option once", async (command) => {
    const { stdout } = await bench.comanda(`${command} --help`);
    const options = [...stdout.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, option]) => option);
    expect(options).toEqual([...new Set(options)]);
  });

  it("of login explains --timeout once, as the wait that it is there", async () => {
    const { stdout } = await bench.comanda("login --help");
    expect(stdout.match(/.*--timeout.*/g)).toEqual([
      expect.stringMatching(/^ {2}--timeout <duration> +longest wait for the owner \(default: 5m\)$/),
    ]);
  });

  it.each(["--help", "help exit-codes", "help environment"])("%s is 80 columns wide", async (line) => {
    const { stdout } = await bench.comanda(line);
    expect(stdout.split("\n").filter((each) => each.length > 80)).toEqual([]);
  });

  it("has every command", () => {
    expect(commands).toEqual(expect.arrayContaining(["login", "orders", "orders cancel", "emulator exec"]));
    expect(commands.length).toBeGreaterThan(30);
  });

  it.each(["--json orders dispatch", "--store centro orders dispatch"])(
    "is not needed to find a command behind options: %s",
    async (line) => {
      const { code, stderr } = await bench.comanda(line);
      expect(code).toBe(2);
      expect(stderr).toContain("The argument <id> is missing");
    },
  );

  it("of the program has its commands described, whatever else is said", async () => {
    const { stdout } = await bench.comanda("--json --help");
    expect(stdout).toBe((await bench.comanda("--help")).stdout);
  });
});

describe("errors come as JSON", () => {
  it.each(["json", "orders json", "json --format", "json --format table"])(
    "not for the word alone: %s",
    async (line) => {
      const { code, stderr } = await bench.comanda(line);
      expect(code).toBe(2);
      expect(stderr).toMatch(/^error: /m);
      expect(stderr).not.toContain('"error"');
    },
  );

  it.each(["--json nosuch", "nosuch --json", "nosuch --format json", "--format=json nosuch"])(
    "where they are asked for: %s",
    async (line) => {
      const { code, stderr } = await bench.comanda(line);
      expect(code).toBe(2);
      expect(stderr).toMatch(/^\{"error":/m);
    },
  );
});

describe.skipIf(!existsSync("/dev/full"))("a disk that is full", () => {
  it.each(["stores list --json", "orders --help", "--help", "--version"])("%s: exit 1", async (line) => {
    const { code, stderr } = await bench.machine.shell(`comanda ${line} > /dev/full`);
    expect(code).toBe(1);
    expect(stderr).not.toMatch(/has a fault|^\s+at /m);
  });

  it.each(["stores list", "--help", "orders --help"])(
    "%s says that the output can't be written",
    async (line) => {
      const { stderr } = await bench.machine.shell(`comanda ${line} > /dev/full`);
      expect(stderr).toMatch(/^error: The output can't be written \(ENOSPC\)\.\n/);
    },
  );
});

describe("a pipe that is closed early", () => {
  it.each([
    ["that had said all", "comanda stores list --json", 0],
    // 16 at a time: there are always some that were not tried.
    ["that had more to do", "seq 90000000 90000600 | comanda orders dispatch - --json --max-wait 0", 141],
  ])("a command %s ends with an exit code that says so", async (_, line, exit) => {
    const { stdout } = await bench.machine.shell(`{ { ${line}; echo "$?" >&3; } | head -1 >&2; } 3>&1`);
    expect(stdout).toBe(`${exit}\n`);
  });

  it.each([
    ["a list", "comanda stores list --json"],
    ["help", "comanda --help"],
    ["help of a command", "comanda orders --help"],
    ["many outcomes", "seq 90000000 90000060 | comanda orders dispatch - --json"],
  ])("%s: ends quietly", async (_, line) => {
    const { code, stdout, stderr } = await bench.machine.shell(`${line} | head -1`);
    expect({ code, lines: stdout.trim().split("\n").length }).toEqual({ code: 0, lines: 1 });
    expect(stderr.replace(/^.*(?:done|refused|skipped|error: |^ {2}).*\n/gm, "")).toBe("");
    expect(stderr).not.toMatch(/EPIPE|^\s+at /m);
  });
});
