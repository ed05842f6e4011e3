import { writeFileSync } from "node:fs";
import path from "node:path";

import { expect, onTestFinished, test, vi } from "vitest";

import { StoreDesk } from "../support/store-desk.js";

const loaded = vi.hoisted(() => ({ times: 0 }));

vi.mock("conf", async (importOriginal) => {
  loaded.times += 1;
  return importOriginal();
});

test("conf is loaded to change settings, and by no command that makes a call or shows what is set", async () => {
  const desk = await StoreDesk.open();
  onTestFinished(() => desk.close());
  const settings = { version: 1, default_store: "centro", stores: { centro: { locale: "pt-BR" } } };
  writeFileSync(path.join(desk.desk.folder, "settings.json"), JSON.stringify(settings), { mode: 0o600 });
  const lines = [
    "stores list",
    "env list",
    "status",
    `orders dispatch ${await desk.order()}`,
    "summary --period today",
    "stores use centro",
  ];
  for (const line of lines) {
    const { error } = await desk.comanda(line);
    expect([line, error, loaded.times]).toEqual([line, undefined, 0]);
  }
  await desk.comanda("stores set centro --locale en-GB");
  expect(loaded.times).toBe(1);
});
