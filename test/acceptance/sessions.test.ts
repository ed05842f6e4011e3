/**
 * An evening's sessions at a restaurant, kept as text in sessions/*.txt: what a person sees at terminals of three
 * widths, in both languages. UPDATE_RECORDINGS=1 writes the files again; then read them as that person would. The README's
 * pictures are drawn here too (`-t pictures`), of the same program's output.
 */
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";

import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";

import { runLine } from "../../src/cli/program.js";
import { systemClock } from "../../src/client/clock.js";
import { Bench } from "../support/bench.js";
import { openChromium } from "../support/browser.js";
import { Sink, testContext } from "../support/context.js";
import { terminalPicture } from "../support/terminal-picture.js";
import { terminalAvailable } from "../support/terminal.js";

const { userInfo } = os;
const esc = "\u001b";
const isUpdate = process.env["UPDATE_RECORDINGS"] === "1";
/** A Friday night, nine o'clock in São Paulo. */
const evening = Date.parse("2026-11-21T00:00:00Z");
const clock = { ...systemClock, now: () => evening, monotonic: () => 0 };
const preload = path.join(import.meta.dirname, "../support/same-everywhere.cjs");

describe.skipIf(!terminalAvailable)("everyday sessions", () => {
  let bench: Bench;
  beforeAll(async () => {
    // Whoever runs the tests has another name, which takes another room.
    Object.assign(os, { userInfo: () => ({ ...userInfo(), username: "ana" }) });
    syncBuiltinESMExports();
    bench = await Bench.open({
      now: clock,
      scene: "busy",
      rateLimits: false,
      env: {
        TZ: "America/Sao_Paulo",
        STOPPED_CLOCK: String(evening),
        NODE_OPTIONS: `--require ${JSON.stringify(preload)}`,
      },
    });
    await bench.setEnvironment();
    const { code, stderr } = await bench.login(["--store", "centro", "--env", "test"], {}, { clock });
    expect(code, stderr).toBe(0);
    await bench.inProcess("stores set centro --tz America/Sao_Paulo");
  });
  afterAll(async () => {
    Object.assign(os, { userInfo });
    syncBuiltinESMExports();
    await bench.close();
  });

  /** Every recording begins alike: with three orders of its own, and on a machine that has only signed in. */
  const begin = async (name: string, wanted?: readonly string[]) => {
    const folder = path.join(bench.machine.folder, name);
    cpSync(bench.machine.configFolder, folder, { recursive: true });
    const ids = [await bench.order(), await bench.order({ status: "closed" }), await bench.order()];
    const inColor = (shown: string) =>
      ids.reduce((text, id, index) => text.replaceAll(id, `6200000${index}`), settled(shown));
    const asRead = (shown: string) => inColor(shown).replaceAll(new RegExp(`${esc}\\[[0-9;]*m`, "g"), "");
    const lines = sessions({ ids, wanted });
    return { env: { COMANDA_CONFIG_DIR: folder }, lines, asRead, inColor };
  };

  /** What stands at a terminal when these lines have run in this process. */
  const shownHere = async (
    lines: readonly Line[],
    { columns, env }: { readonly columns: number; readonly env: Readonly<Record<string, string>> },
  ) => {
    let shown = "";
    const add = (text: string) => {
      shown += text;
    };
    const terminal = () => Object.assign(new Sink(columns, add), { rows: 40 });
    for (const { line, before } of lines) {
      add(`$ comanda ${line}\n`);
      const context = testContext({
        env: { ...bench.machine.env, TERM: "xterm-256color", ...env, ...before },
        clock: { ...clock, now: () => Number(before?.["STOPPED_CLOCK"] ?? evening) },
        stdout: terminal(),
        stderr: terminal(),
      });
      await runLine(context, line.split(" "));
      add("\n");
    }
    return shown;
  };

  const layouts = ["orders", "summary --period", "grouped"];
  const wide = ["orders", "grouped"];
  test.each([
    ["en", 40, layouts],
    ["en", 80, undefined],
    ["en", 200, wide],
    ["pt-BR", 40, undefined],
    ["pt-BR", 80, layouts],
    ["pt-BR", 200, wide],
  ] as const)("in %s at %i columns", async (language, columns, wanted) => {
    vi.stubEnv("TZ", "America/Sao_Paulo");
    const { env, lines, asRead } = await begin(`${language}-${columns}`, wanted);
    const shown = await shownHere(lines, { columns, env: { ...env, COMANDA_LANG: language } });
    expectRecording(`${language}-${columns}`, asRead(shown));
  });

  test("in cron's environment", async () => {
    const { env, lines, asRead } = await begin("cron", ["status", "orders", "summary --period"]);
    const { stdout } = await bench.machine.shell(`exec 2>&1\n${scriptOf(lines)}`, {
      env: { ...env, LOGNAME: "ana", SHELL: "/bin/sh", PATH: "/usr/bin:/bin" },
    });
    expectRecording("cron", asRead(stdout));
  });

  describe("the pictures of the README", () => {
    test("the terminal's is drawn of what the program prints", async () => {
      vi.stubEnv("TZ", "America/Sao_Paulo");
      const { env, lines, inColor } = await begin("picture", ["orders", "summary --period", "grouped"]);
      const shown = await shownHere(lines, { columns: 80, env: { ...env, COMANDA_LANG: "en" } });
      const title = "comanda at a terminal: three orders are dispatched, and last week's sales are shown";
      expectFile(pictureFile("terminal.svg"), terminalPicture(inColor(shown), 80, title));
    });

    test("the report's shows the text of today's report", async () => {
      const file = path.join(bench.machine.folder, "report.html");
      const { env } = await begin("report", []);
      const line = ["report", "--period", "last-month", "--out", file];
      const { code, stderr } = await bench.inProcess(line, {
        clock,
        env: { ...env, COMANDA_LANG: "en", COMANDA_RATE_LIMITS: "off" },
      });
      expect(code, stderr).toBe(0);
      if (isUpdate) await takePicture(file, pictureFile("report.png"));
      expectRecording("report", textOfPage(readFileSync(file, "utf8")));
    });
  });
});

interface Line {
  readonly line: string;
  /** What the environment has besides for it. */
  readonly before?: Readonly<Record<string, string>>;
}

interface Wanted {
  /** Of the orders that they are about. */
  readonly ids: readonly string[];
  /** How the lines begin; all where it is absent. */
  readonly wanted: readonly string[] | undefined;
}

/** Each command line as it would be typed. */
function sessions({ ids, wanted }: Wanted): readonly Line[] {
  const [first = ""] = ids;
  const all: readonly Line[] = [
    // On a machine that hasn't signed in.
    { line: "summary", before: { COMANDA_CONFIG_DIR: "/nonexistent/comanda" } },
    { line: "status" },
    { line: "stores list" },
    // A second before the others, so that history has an order of its rows.
    { line: `orders dispatch ${ids.join(" ")}`, before: { STOPPED_CLOCK: String(evening - 1000) } },
    { line: `driver assign ${first} 12` },
    { line: "summary --period last-week --compare previous" },
    { line: "grouped --by day --period last-7-days" },
    // Seven calls, of which five a minute are free: nobody waits for them here.
    {
      line: "grouped --by day_of_week --period last-week --compare previous",
      before: { COMANDA_RATE_LIMITS: "off" },
    },
    { line: "history" },
  ];
  return all.filter(({ line }) => wanted?.some((start) => line.startsWith(start)) ?? true);
}

/** The lines for a shell in which `comanda` is the program, with what comes of each. */
function scriptOf(lines: readonly Line[]): string {
  return lines
    .map(({ line, before = {} }) => {
      const variables = Object.entries(before).map(([name, value]) => `${name}=${value} `);
      return `echo '$ comanda ${line}'; ${variables.join("")}comanda ${line}; echo`;
    })
    .join("\n");
}

function expectRecording(name: string, text: string): void {
  expectFile(path.join(import.meta.dirname, "sessions", `${name}.txt`), text);
}

function expectFile(file: string, text: string): void {
  if (isUpdate) writeFileSync(file, text);
  expect(text).toBe(readFileSync(file, "utf8"));
}

function pictureFile(name: string): string {
  return path.resolve(import.meta.dirname, "../../examples/pictures", name);
}

/** The top of the page as a browser shows it. */
async function takePicture(page: string, file: string): Promise<void> {
  const browser = await openChromium();
  try {
    const tab = await browser.newPage({ viewport: { width: 1000, height: 760 } });
    await tab.goto(pathToFileURL(page).href);
    await tab.screenshot({ path: file });
  } finally {
    await browser.close();
  }
}

/** A line for each text of the page up to the first of its tables, without its pictures. */
function textOfPage(html: string): string {
  const [shown = ""] = (/<body[^]*$/.exec(html)?.[0] ?? "").split("<table");
  return shown
    .replaceAll(/<(svg|style|script)\b[^]*?<\/\1>/g, "")
    .replaceAll(/<[^>]*>/g, "\n")
    .replaceAll(/\s*\n\s*/g, "\n")
    .replace(/^\n/, "");
}

/** What stands on the terminal in the end, with one text for what is another at each run. */
function settled(shown: string): string {
  return shown
    .replaceAll("\r\n", "\n")
    .replaceAll(new RegExp(`[^\n]*\r${esc}\\[2K`, "g"), "")
    .replaceAll(/\b2026112[01]-[a-z]{6}\b/g, "20261121-abcdef")
    .replaceAll(/(Looked in \S+, for the user|Procurei em \S+, pelo\s+usuário) \S+\./g, "$1 ana.")
    .replaceAll(/127\.0\.0\.1:\d+/g, "127.0.0.1:8080");
}
