/**
 * An evening of twenty orders at the counter, as a script of keys at a real terminal (tmux), whose screens are kept in
 * evenings/*.txt for a person to read. UPDATE_RECORDINGS=1 writes them again.
 */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";

import { systemClock } from "../../src/shared/clock.js";
import { Bench } from "../support/bench.js";
import { comandaCommand } from "../support/program.js";
import { Tmux, tmuxAvailable } from "../support/tmux.js";

if (!tmuxAvailable) console.warn("There is no tmux: the evening at the counter is skipped.");

const isUpdate = process.env["UPDATE_RECORDINGS"] === "1";
/** A Friday night, nine o'clock in São Paulo. */
const evening = Date.parse("2026-11-21T00:00:00Z");
const clock = { ...systemClock, now: () => evening, monotonic: () => 0 };
const preload = path.join(import.meta.dirname, "../support/shifted-clock.cjs");

/** The last digits of twenty ids, which are typed in whole where the machine hasn't seen them yet. */
const order = (number: number) => String(62_337_000 + number);
const numbers = Array.from({ length: 20 }, (_, index) => index + 1);

/** What is typed for each, in groups: after each group the screen is looked at. */
const groups: readonly (readonly string[])[] = [
  // A driver by a part of his name, one by his id, and orders that nobody of the house delivers.
  [`d ${order(1)} bia`, `d ${order(2)} 11`, ...[3, 4, 5, 6].map((number) => `d ${order(number)}`)],
  // One that was dispatched before the driver was there; a kitchen without dough; one that doesn't exist.
  [`${order(3)} bia`, `c ${order(7)} acabou a massa`, "d 99999999", `e ${order(8)}`],
  [...[9, 10, 11, 12, 13].map((number) => `d ${order(number)}`), `f ${order(14)}`, `f ${order(15)}`],
  [16, 17, 18, 19, 20].map((number) => `d${order(number)}`),
];

describe.skipIf(!tmuxAvailable)("twenty orders at the counter", () => {
  const open = async (language: string) => {
    const bench = await Bench.open({
      ...{ now: clock, scene: "busy", rateLimits: false },
      env: {
        ...{ TZ: "America/Sao_Paulo", COMANDA_LANG: language, TERM: "xterm-256color", NO_COLOR: "1" },
        ...{ CLOCK_STARTS: String(evening), NODE_OPTIONS: `--require ${JSON.stringify(preload)}` },
      },
    });
    await bench.setEnvironment();
    await bench.login(["--store", "centro", "--env", "test"], {}, { clock });
    const zone = "stores set centro --tz America/Sao_Paulo --currency BRL --locale pt-BR";
    await bench.inProcess(zone, { clock });
    for (const number of numbers) {
      const isOut = number === 8 || number === 14 || number === 15;
      await bench.order({ id: Number(order(number)), status: isOut ? "released" : "confirmed" });
    }
    return bench;
  };

  let bench: Bench | undefined;
  let terminal: Tmux | undefined;
  afterAll(async () => {
    terminal?.close();
    await bench?.close();
  });
  beforeAll(() => {
    vi.stubEnv("TZ", "America/Sao_Paulo");
  });

  test.each([
    ["en", 40, 30],
    ["en", 80, 24],
    ["en", 200, 40],
    ["pt-BR", 40, 30],
    ["pt-BR", 80, 24],
    ["pt-BR", 200, 40],
  ])("in %s at %i columns and %i lines", async (language, columns, rows) => {
    bench = await open(language);
    const words = ["counter", "--every", "1h", "--undo", "2s"];
    terminal = new Tmux([...comandaCommand, ...words], { columns, rows, env: bench.machine.env });
    const { screen, shown } = lookingAt(terminal);
    await shown(/^(?:As of|Às) /m);
    const kept = [screen()];
    for (const lines of groups) {
      for (const line of lines) {
        terminal.type(line);
        terminal.press("Enter");
      }
      await shown(new RegExp(`${lines.at(-1)?.match(/\d{8}/)?.[0] ?? ""}.* (?:in|em) 2 s`));
      await vi.waitFor(() => expect(screen()).not.toMatch(/ (?:in|em) \d s|on its way|enviando/), waiting);
      kept.push(screen());
    }
    // An id alone asks; a slip is told; what is taken back is not sent.
    terminal.type(order(4));
    terminal.press("Enter");
    await shown(new RegExp(`${order(4)}\\?`));
    kept.push(screen());
    terminal.type("e");
    terminal.press("Enter");
    await shown(/ (?:in|em) 2 s/);
    kept.push(screen());
    terminal.type("u");
    await shown(/Taken back|Desfeito/);
    kept.push(screen());
    terminal.type("e 004");
    terminal.press("Tab");
    await shown(new RegExp(`> e ${order(4)}`));
    kept.push(screen());
    terminal.press("C-u");
    terminal.type("q");
    expectRecording(`${language}-${columns}`, kept.join(`\n${"=".repeat(columns)}\n`));
    const statuses = numbers.map((number) => bench?.stored(order(number)).status);
    expect(statuses.filter((status) => status === "released")).toHaveLength(16);
    expect([statuses[6], statuses[7], statuses[13]]).toEqual(["canceled", "delivered", "closed"]);
    terminal.close();
    await bench.close();
  });
});

const waiting = { interval: 20, timeout: 15_000 };

function lookingAt(terminal: Tmux) {
  // The second hand goes as the machine does.
  const screen = () =>
    terminal
      .screen()
      .trimEnd()
      .replaceAll(/\b21:00:\d\d\b(?:, (?:há )?\d+ s(?: ago| atrás)?)?/g, "21:00:00")
      .replaceAll(/\b(in|em) [12] s/g, "$1 2 s");
  const shown = (text: RegExp) => vi.waitFor(() => expect(screen()).toMatch(text), waiting);
  return { screen, shown };
}

function expectRecording(name: string, text: string): void {
  const file = path.join(import.meta.dirname, "evenings", `${name}.txt`);
  if (isUpdate) writeFileSync(file, `${text}\n`);
  expect(`${text}\n`).toBe(readFileSync(file, "utf8"));
}
