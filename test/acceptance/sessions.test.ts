/**
 * An evening's sessions at a restaurant, kept as text in sessions/*.txt: what a person sees at terminals of three
 * widths, in both languages. UPDATE_RECORDINGS=1 writes the files again; then read them as that person would. The README's
 * pictures are drawn here too (`npm run pictures`), of the same program's output.
 */
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { systemClock } from "../../src/shared/clock.js";
import { Bench } from "../support/bench.js";
import { launchChromium } from "../support/browser.js";
import { recordingEnvironment } from "../support/exchanges.js";
import { terminalPicture } from "../support/terminal-picture.js";
import { shellAtTerminal, terminalAvailable, withScreens } from "../support/terminal.js";

const esc = "\u001b";
const isUpdate = process.env["UPDATE_RECORDINGS"] === "1";
/** A Friday night, nine o'clock in São Paulo. */
const evening = Date.parse("2026-11-21T00:00:00Z");
const clock = { ...systemClock, now: () => evening, monotonic: () => 0 };
const preload = path.join(import.meta.dirname, "../support/stopped-clock.cjs");

describe.skipIf(!terminalAvailable)("everyday sessions", () => {
  let bench: Bench;
  let twoStores: string;
  beforeAll(async () => {
    const loaded = [recordingEnvironment()["NODE_OPTIONS"], `--require ${JSON.stringify(preload)}`];
    bench = await Bench.open({
      now: clock,
      scene: "busy",
      rateLimits: false,
      env: {
        TZ: "America/Sao_Paulo",
        COMANDA_ACTOR: "ana",
        STOPPED_CLOCK: String(evening),
        NODE_OPTIONS: loaded.filter((option) => option !== undefined).join(" "),
      },
    });
    await bench.setEnvironment();
    await bench.login(["--store", "centro", "--env", "test"], {}, { clock });
    await bench.inProcess("stores set centro --tz America/Sao_Paulo");
    await signInElsewhere();
  });
  afterAll(() => bench.close());

  /** On another machine, at two stores where no session changes an order. */
  const signInElsewhere = async () => {
    twoStores = path.join(bench.machine.folder, "two-stores");
    const env = { COMANDA_CONFIG_DIR: twoStores };
    const { baseUrl, authUrl, clientId, redirectUri } = bench.emulator;
    const urls = ["--base-url", baseUrl, "--auth-url", authUrl, "--redirect-uri", redirectUri];
    await bench.inProcess(["env", "set", "test", "--client-id", clientId, ...urls], { env });
    for (const [store, storeId, zone] of [
      ["ribeirao", 502, "America/Manaus"],
      ["tasca", 503, "Europe/Lisbon"],
    ] as const) {
      await bench.login(["--store", store, "--env", "test"], { storeId }, { clock, env });
      await bench.inProcess(["stores", "set", store, "--tz", zone], { env });
    }
  };

  /** Every recording begins alike: with three orders of its own, and on a machine that has only signed in. */
  const begin = async (name: string, wanted?: readonly string[]) => {
    const folder = path.join(bench.machine.folder, name);
    cpSync(bench.machine.configFolder, folder, { recursive: true });
    cpSync(twoStores, `${folder}-two`, { recursive: true });
    const ids = [await bench.order(), await bench.order({ status: "closed" }), await bench.order()];
    const inColor = (shown: string) =>
      ids.reduce((text, id, index) => text.replaceAll(id, `6200000${index}`), settled(shown));
    const asRead = (shown: string) => inColor(shown).replaceAll(new RegExp(`${esc}\\[[0-9;]*m`, "g"), "");
    const env = { COMANDA_CONFIG_DIR: folder, TWO_STORES: `${folder}-two` };
    return { env, line: sessions(ids, wanted), asRead, inColor };
  };

  const layouts = ["orders", "summary --period", "grouped", "pivot", "live"];
  const wide = ["orders", "pivot", "quota", "live"];
  test.each([
    ["en", 40, layouts],
    ["en", 80, undefined],
    ["en", 200, wide],
    ["pt-BR", 40, undefined],
    ["pt-BR", 80, layouts],
    ["pt-BR", 200, wide],
  ] as const)("in %s at %i columns", async (language, columns, wanted) => {
    const { env, line, asRead } = await begin(`${language}-${columns}`, wanted);
    const { stdout } = await shellAtTerminal(bench.machine, line, {
      columns,
      env: { ...env, COMANDA_LANG: language },
    });
    expectRecording(`${language}-${columns}`, asRead(stdout));
  });

  test("under LANG=C and TERM=dumb, without colours", async () => {
    const { env, line, asRead } = await begin("dumb", ["orders", "grouped", "live"]);
    const { stdout } = await shellAtTerminal(bench.machine, line, {
      columns: 80,
      env: { ...env, LANG: "C", TERM: "dumb" },
    });
    expect(stdout).not.toContain(`${esc}[3`);
    expectRecording("dumb-80", asRead(stdout));
  });

  test("in cron's environment", async () => {
    const { env, line, asRead } = await begin("cron", ["status", "orders", "summary --period"]);
    const { stdout } = await bench.machine.shell(`exec 2>&1\n${line}`, {
      env: { ...env, LOGNAME: "ana", SHELL: "/bin/sh", PATH: "/usr/bin:/bin" },
    });
    expectRecording("cron", asRead(stdout));
  });

  describe("the pictures of the README", () => {
    test("the terminal's is drawn of what the program prints", async () => {
      const { env, line, inColor } = await begin("picture", ["orders", "summary --period", "grouped"]);
      const { stdout } = await shellAtTerminal(bench.machine, line, {
        columns: 80,
        env: { ...env, COMANDA_LANG: "en" },
      });
      const title = "comanda at a terminal: three orders are dispatched, and last week's sales are shown";
      expectFile(pictureFile("terminal.svg"), terminalPicture(inColor(stdout), 80, title));
    });

    test("the report's shows the text of today's report", async () => {
      const file = path.join(bench.machine.folder, "report.html");
      const { env } = await begin("report", []);
      const line = ["report", "--period", "last-month", "--currency", "BRL", "--out", file];
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

/** Each command line as it would be typed, and what comes of it. */
function sessions(ids: readonly string[], wanted?: readonly string[]): string {
  const [first = ""] = ids;
  const all = [
    // On a machine that hasn't signed in.
    ["summary", 'COMANDA_CONFIG_DIR="$HOME/new" '],
    ["status"],
    ["stores list"],
    [`orders dispatch ${ids.join(" ")}`],
    [`driver assign ${first} 12`],
    ["summary --period last-week --compare previous"],
    ["grouped --by day --period last-7-days"],
    // Seven calls, of which five a minute are free: nobody waits for them here.
    ["pivot --rows day_of_week --cols hour --period last-week", "COMANDA_RATE_LIMITS=off "],
    ["history"],
    ["quota"],
    ["live --all-stores --looks 1", 'COMANDA_CONFIG_DIR="$TWO_STORES" '],
  ] as const;
  return all
    .filter(([line]) => wanted?.some((start) => line.startsWith(start)) ?? true)
    .map(([line, before = ""]) => `echo '$ comanda ${line}'; ${before}comanda ${line}; echo`)
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
  const browser = await launchChromium();
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
  return withScreens(shown)
    .replaceAll("\r\n", "\n")
    .replaceAll(new RegExp(`[^\n]*\r${esc}\\[2K`, "g"), "")
    .replaceAll(/\b(20261121-)[a-z]{6}\b/g, "$1abcdef")
    .replaceAll(`ana (${userInfo().username})`, "ana (counter)")
    .replaceAll(/127\.0\.0\.1:\d+/g, "127.0.0.1:8080");
}
