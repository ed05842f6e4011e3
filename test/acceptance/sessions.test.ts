/**
 * An evening's sessions at a restaurant, kept as text in sessions/*.txt: what a person sees at terminals of three
 * widths, in both languages. UPDATE_RECORDINGS=1 writes the files again; then read them as that person would.
 */
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import path from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { systemClock } from "../../src/shared/clock.js";
import { Bench } from "../support/bench.js";
import { recordingEnvironment } from "../support/exchanges.js";
import { shellAtTerminal, terminalAvailable, withScreens } from "../support/terminal.js";

const esc = "\u001b";
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
    const asRead = (shown: string) =>
      ids.reduce((text, id, index) => text.replaceAll(id, `6200000${index}`), asText(shown));
    const env = { COMANDA_CONFIG_DIR: folder, TWO_STORES: `${folder}-two` };
    return { env, line: sessions(ids, wanted), asRead };
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
  if (process.env["UPDATE_RECORDINGS"] === "1") writeFileSync(fileOf(name), text);
  expect(text).toBe(readFileSync(fileOf(name), "utf8"));
}

function fileOf(name: string): string {
  return path.join(import.meta.dirname, "sessions", `${name}.txt`);
}

/** What stands on the terminal in the end, without its colours, and with one text for what is another at each run. */
function asText(shown: string): string {
  return withScreens(shown)
    .replaceAll("\r\n", "\n")
    .replaceAll(new RegExp(`[^\n]*\r${esc}\\[2K`, "g"), "")
    .replaceAll(new RegExp(`${esc}\\[[0-9;]*m`, "g"), "")
    .replaceAll(/\b(20261121-)[a-z]{6}\b/g, "$1abcdef")
    .replaceAll(`ana (${userInfo().username})`, "ana (counter)")
    .replaceAll(/127\.0\.0\.1:\d+/g, "127.0.0.1:8080");
}
