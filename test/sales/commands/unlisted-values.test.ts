/** A filter's value that the API doesn't list and no kept answer has shown: zero orders for it is never told without a word. */
import { afterEach, beforeEach, expect, test } from "vitest";

import { portuguese } from "../../../src/languages/pt-BR/index.js";
import { setLanguage } from "../../../src/shared/language.js";
import { tokenFor } from "../../support/desk.js";
import { StoreDesk } from "../../support/store-desk.js";

let store: StoreDesk;
beforeEach(async () => {
  store = await StoreDesk.open();
  // The service knows the channel, and has nothing of it in these periods: it answers zero.
  await store.order({ sales_channel: "catalogue", created_at: "2025-11-18T12:00:00-03:00" });
});
afterEach(async () => {
  setLanguage("en");
  await store.close();
});

const period = "--period yesterday --tz America/Sao_Paulo";
const warning =
  /^warning: The API doesn't list "catalogue" as sales_channel, .* Did you mean "catalog"\? To see which there are: comanda grouped --by sales_channel --period last-month$/m;

test.each([
  `summary ${period} --json --quiet`,
  `summary ${period} --dry-run`,
  `grouped --by day ${period}`,
  `pivot --rows status --cols order_type ${period}`,
])("%s warns of a slip in a channel's name", async (line) => {
  const { code, stderr } = await store.comanda([
    ...line.split(" "),
    "--filter",
    "sales_channel=portal,catalogue",
  ]);
  expect(code).toBe(0);
  expect(stderr).toMatch(warning);
  expect(stderr.match(/warning: /g)).toHaveLength(1);
});

test("it is said again where the zero is a kept one, and in the reader's language", async () => {
  const line = `summary ${period} --filter sales_channel!=catalogue`;
  await store.comanda(line);
  store.forgetRequests();
  const { stderr } = await store.comanda(`${line} --offline`);
  expect([store.requests(), warning.test(stderr)]).toEqual([[], true]);
  setLanguage("pt-BR", portuguese);
  expect((await store.comanda(line)).stderr).toContain('A API não lista "catalogue" como sales_channel');
});

test("a channel that a kept answer of any of the stores has shown is known", async () => {
  await store.order({ sales_channel: "novo_canal", created_at: "2026-11-18T12:00:00-03:00" });
  const filtered = `summary --period last-7-days --tz America/Sao_Paulo --filter sales_channel=novo_canal`;
  expect((await store.comanda(filtered)).stderr).toContain('doesn\'t list "novo_canal"');
  const split = await store.comanda("grouped --by sales_channel --period last-7-days --tz America/Sao_Paulo");
  expect(split.stdout).toContain("novo_canal");
  expect((await store.comanda(filtered)).stderr).not.toContain("novo_canal");
  await store.desk.signIn("norte", store.emulator.baseUrl, tokenFor(store.emulator, 502));
  const both = await store.comanda(`${filtered} --all-stores`);
  expect([both.code, both.stderr]).toEqual([0, expect.not.stringContaining("novo_canal")]);
  expect((await store.comanda(`${filtered} --store norte`)).stderr).toContain("novo_canal");
});

test("api says it too", async () => {
  const path = "/api/partner/v1/orders/summary?start_date=2026-11-18T00:00:00Z&end_date=2026-11-19T00:00:00Z";
  const { code, stderr } = await store.comanda(["api", "GET", `${path}&filters[sales_channel_in]=catalogue`]);
  expect([code, stderr]).toEqual([
    0,
    expect.stringContaining('warning: The API doesn\'t list "catalogue" as sales_channel'),
  ]);
});
