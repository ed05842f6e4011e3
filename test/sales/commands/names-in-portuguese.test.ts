/** What a table in Portuguese calls weekdays, weeks, months, statuses and types of orders, whatever was asked before. */
import { afterAll, beforeAll, expect, test } from "vitest";

import type { Emulator } from "../../../src/emulator/index.js";
import { portuguese } from "../../../src/languages/pt-BR/index.js";
import { setLanguage } from "../../../src/shared/language.js";
import { Desk, tokenFor } from "../../support/desk.js";
import { startEmulator } from "../../support/emulators.js";
import { rowsInSearch } from "../../support/in-search.js";

const first = new Desk({ COMANDA_RATE_LIMITS: "off" });
const later = new Desk({ COMANDA_RATE_LIMITS: "off" });
let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator({ orders: 400, seed: 8, now: first.clock, rateLimits: false });
  for (const desk of [first, later]) {
    await desk.signIn("centro", emulator.baseUrl, tokenFor(emulator, 501));
    await desk.run("stores set centro --tz America/Sao_Paulo --currency BRL --locale pt-BR");
  }
  // The days, and a little of how the service writes them.
  for (const line of [
    "grouped --by day --period 2026-09",
    "grouped --by day --period 2026-10",
    "grouped --by day_of_week --period 2026-09",
    "grouped --by week --period 2026-09",
    "grouped --by month --period 2026-09",
    "grouped --by status --period 2026-09",
    "report --period 2026-10 --compare previous --json",
  ])
    expect((await later.run(line)).code).toBe(0);
});
afterAll(async () => {
  await emulator.close();
  first.remove();
  later.remove();
});

test.each([
  ["day_of_week", "Terça-feira"],
  ["week", "Semana 41"],
  ["month", "10/2026"],
  ["status", "Finalizado"],
  ["order_type", "Entrega"],
])(
  "By %s a table in Portuguese has the same names whatever was asked before, such as %s",
  async (by, name) => {
    setLanguage("pt-BR", portuguese);
    for (const flags of [
      "--format table",
      "--json",
      ...rowsInSearch(["--compare previous", "--format csv"]),
    ]) {
      const line = `grouped --by ${by} --period 2026-10 ${flags}`;
      const [direct, derived] = [await first.run(`${line} --fresh`), await later.run(line)];
      expect(direct.code).toBe(0);
      expect(direct.stdout).toContain(name);
      expect(withoutAge(derived.stdout)).toBe(withoutAge(direct.stdout));
    }
  },
);

test("An alert calls a weekday as the table does, in English and in Portuguese", async () => {
  const line = "grouped --by day_of_week --period 2026-10 --alert orders>=1";
  await later.run("stores set centro --locale en");
  expect((await later.run(line)).stdout).toContain(", Tuesday: orders is 1");
  await later.run("stores set centro --locale pt-BR");
  setLanguage("pt-BR", portuguese);
  expect((await later.run(line)).stdout).toContain(", Terça-feira: pedidos");
});

/** When it was asked for differs, and whether it was kept; what other answers tell of the canceled orders is shown where it is known. */
function withoutAge(text: string): string {
  return text
    .replaceAll(/"asked_at":"[^"]*"/g, '"asked_at":""')
    .replaceAll(/"canceled":(?:null|\{[^}]*\})/g, '"canceled":null')
    .replaceAll(/"kept":(?:true|false)/g, '"kept":false');
}
