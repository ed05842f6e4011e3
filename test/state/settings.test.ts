import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

import { describe, expect, test } from "vitest";

import { configFolder } from "../../src/state/files/config-folder.js";
import { openSettings } from "../../src/state/settings/settings.js";
import { filesIn, openState, temporaryFolder } from "./support/folder.js";
import { rejection } from "./support/rejection.js";

function open(folder = temporaryFolder()) {
  return { folder, file: path.join(folder, "settings.json"), settings: openSettings(openState(folder)) };
}

describe("settings", () => {
  test("are empty at first, and reading makes nothing", () => {
    const { settings, folder } = open();
    expect(settings.read()).toEqual({ environments: {} });
    expect(filesIn(folder)).toEqual([]);
  });

  test("are written for their owner alone, and nothing else is", async () => {
    const { settings, folder, file } = open(path.join(temporaryFolder(), "new"));
    await settings.update((current) => ({ ...current, default_store: "a.b", locale: "pt-BR" }));
    await settings.update((current) => ({ ...current, currency: "BRL" }));
    expect(settings.read()).toEqual({
      version: 1,
      default_store: "a.b",
      locale: "pt-BR",
      currency: "BRL",
      environments: {},
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(filesIn(folder)).toEqual(["settings.json"]);
  });

  test("lose a value that is taken out, and keep what another version added", async () => {
    const { settings, file } = open();
    writeFileSync(file, '{"default_store":"a","colour":"blue"}', { mode: 0o600 });
    await settings.update((current) => {
      const next = { ...current };
      delete next.default_store;
      return next;
    });
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ version: 1, environments: {}, colour: "blue" });
  });

  test("are as they were when a change fails", async () => {
    const { settings, folder } = open();
    await settings.update((current) => ({ ...current, locale: "pt-BR" }));
    const change = () => {
      throw new Error("no");
    };
    await expect(settings.update(change)).rejects.toThrow("no");
    expect(settings.read().locale).toBe("pt-BR");
    expect(filesIn(folder)).toEqual(["settings.json"]);
  });

  test.each([
    ["", "damaged"],
    ["{", "damaged"],
    ["[]", "damaged"],
    ['{"environments":{"x":{}}}', "environments.x"],
    ['{"version":2,"environments":{}}', "newer version"],
  ])("from the file %j: an error that names it, and it is never written over", async (text, reason) => {
    const { settings, file } = open();
    writeFileSync(file, text, { mode: 0o600 });
    for (const way of [() => settings.read(), () => settings.update((current) => current)]) {
      const error = await rejection("state_unusable", way);
      expect(error.message).toContain(file);
      expect(error.message).toContain(reason);
    }
    expect(readFileSync(file, "utf8")).toBe(text);
  });

  test("may be read by others, but not changed", async () => {
    const { settings, file } = open();
    await settings.update((current) => ({ ...current, locale: "pt-BR" }));
    chmodSync(file, 0o644);
    expect(settings.read().locale).toBe("pt-BR");
    chmodSync(file, 0o666);
    await rejection("state_unusable", () => settings.read());
  });

  test("can't be written where a folder has their name", async () => {
    const { settings, file } = open();
    mkdirSync(file);
    await rejection("state_unusable", () => settings.update((current) => current));
  });
});

describe("the folder", () => {
  test("COMANDA_CONFIG_DIR, made absolute", () => {
    expect(configFolder({ COMANDA_CONFIG_DIR: "/x/y" })).toBe("/x/y");
    expect(configFolder({ COMANDA_CONFIG_DIR: "x" })).toBe(path.resolve("x"));
  });

  test.runIf(process.platform === "linux")(
    "else the XDG folder, where it is absolute, else ~/.config",
    () => {
      const home = path.join(os.homedir(), ".config", "comanda");
      expect(configFolder({ XDG_CONFIG_HOME: "/x" })).toBe("/x/comanda");
      expect(configFolder({ XDG_CONFIG_HOME: "x" })).toBe(home);
      expect(configFolder({ COMANDA_CONFIG_DIR: "" })).toBe(home);
    },
  );
});
