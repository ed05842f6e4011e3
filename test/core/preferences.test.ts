/** A store's settings can be edited as a file, so commands check each value that they use. */
import { writeFileSync } from "node:fs";
import path from "node:path";

import { expect, test } from "vitest";

import { StoreDesk } from "../support/desk.js";

test.each([
  ["time_zone", "America/Nowhere", "--tz America/Sao_Paulo"],
  ["day_starts", "27:00", "--day-starts 04:00"],
  ["currency", "XXQ", "--currency BRL"],
  ["locale", "??", "--locale pt-BR"],
])(
  "an invalid %s is reported as a setting of the store, with how to set it again",
  async (name, value, fix) => {
    const store = await StoreDesk.open();
    const settings = { version: 1, stores: { centro: { [name]: value } } };
    writeFileSync(path.join(store.desk.folder, "settings.json"), JSON.stringify(settings), { mode: 0o600 });
    const { code, stderr } = await store.comanda("summary --period today");
    expect(stderr).toContain(`error: Settings of centro: ${name} "${value}" isn't valid.\n`);
    expect(stderr.split("\n").at(-2)).toContain(`Set it again: comanda stores set centro ${fix}`);
    expect(stderr).not.toContain("Invalid value");
    expect(code).toBe(2);
  },
);
