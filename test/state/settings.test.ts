import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, onTestFinished, test } from "vitest";

import { localEnvironment, parseEnvironment, resolveEnvironment } from "../../src/state/settings.js";
import type { Environment } from "../../src/state/sessions.js";
import { mountSmallDisk, smallDiskAvailable } from "../support/small-disk.js";
import { dataFilesIn, openState, temporaryFolder } from "./support/folder.js";
import { rejection } from "../support/rejection.js";

function open(folder = temporaryFolder()) {
  return { folder, file: path.join(folder, "settings.json"), settings: openState(folder).settings };
}

describe("settings", () => {
  test.each([
    ["{", "damaged"],
    ['{"environments":{"x":{}}}', "damaged"],
    ['{"version":2,"environments":{}}', "newer version of comanda"],
  ])("from the file %j cause an error naming the file, which is never overwritten", async (text, reason) => {
    const { settings, file } = open();
    writeFileSync(file, text, { mode: 0o600 });
    for (const run of [() => settings.read(), () => settings.update((current) => current)]) {
      const error = await rejection("state_unusable", run);
      expect(error.message).toContain(file);
      expect(error.message).toContain(reason);
    }
    expect(readFileSync(file, "utf8")).toBe(text);
  });

  test.skipIf(!smallDiskAvailable)("are unchanged if the disk fills up while conf writes them", async () => {
    const longer = (text: string) => text + "x".repeat(20_000);
    const disk = mountSmallDisk(128);
    onTestFinished(() => disk.remove());
    const { settings, folder } = open(path.join(disk.folder, "state"));
    await settings.update((current) => ({ ...current, locale: "pt-BR" }));
    // conf writes nothing, or only a part, into these blocks.
    for (const blocks of [1, 2, 3, 4]) {
      disk.fill(blocks);
      const change = () => settings.update((current) => ({ ...current, locale: longer("en") }));
      await rejection("state_unusable", change);
      disk.empty();
      expect((await settings.read())["locale"]).toBe("pt-BR");
      expect(dataFilesIn(folder)).toEqual(["settings.json"]);
    }
  });
});

const good: Environment = {
  name: "sandbox",
  base_url: "https://api.example.com",
  auth_url: "https://portal.example.com/authorize",
  client_id: "my-app",
  redirect_uri: "https://app.example/done",
};

describe("an environment", () => {
  test.each([
    ["base_url", "HTTPS://API.Example.com:443", "https://api.example.com"],
    ["base_url", "http://[::1]:4100", "http://[::1]:4100"],
    ["auth_url", "https://p.example/a?tenant=7&lang=pt", "https://p.example/a?tenant=7&lang=pt"],
    // The service compares it literally.
    ["redirect_uri", "http://LocalHost:80/Call%20back?x=1", "http://LocalHost:80/Call%20back?x=1"],
  ])("has its %s %s stored as %s", (field, given, stored) => {
    expect(parseEnvironment({ ...good, [field]: given })).toMatchObject({ [field]: stored });
  });

  test.each([
    ["base_url", "api.example.com"],
    ["base_url", "https://a.example\\b"],
    ["base_url", "http://localhost.example.com"],
    ["base_url", "https://api.example.com#x", "fragment (#)"],
    ["auth_url", "http://portal.example.com"],
    ["auth_url", "https://portal.example.com/#/authorize", "fragment (#)"],
    ["client_id", "", "For example: my-app"],
    ["client_id", "açaí", "For example: my-app"],
    ["redirect_uri", "http://app.example/done"],
    ["redirect_uri", "http://127.0.0.1/callback", "port, such as http://127.0.0.1:8765/callback."],
    ["redirect_uri", "http://127.0.0.1:0/callback", "port"],
    ["redirect_uri", "http://127.0.0.1:8765/callback#x", "fragment (#)"],
    ["redirect_uri", "http://127.0.0.1:8765/ção", "visible ASCII"],
  ])("is rejected for its %s %j, with the rule", async (field, given, rule = "https") => {
    const error = await rejection("invalid_input", () => parseEnvironment({ ...good, [field]: given }));
    expect(error).toMatchObject({
      message: `Invalid value "${given}" for ${field}.`,
      field,
      hint: expect.stringContaining(rule) as string,
    });
  });

  test("is rejected for a base_url with a password, which isn't shown", async () => {
    const base_url = "https://me:hunter2@api.example.com";
    const { message } = await rejection("invalid_input", () => parseEnvironment({ ...good, base_url }));
    expect(message).toBe('Invalid value "https://****@api.example.com" for base_url.');
  });

  test("is rejected for a base_url with a query", async () => {
    const base_url = "https://api.example.com?x=1";
    const { message } = await rejection("configuration", () => parseEnvironment({ ...good, base_url }));
    expect(message).toContain("query");
  });

  test.each(["", "Sandbox", "-x", "a_b", "a".repeat(33), "../x"])("can't have the name %j", async (name) => {
    await rejection("invalid_input", () => parseEnvironment({ ...good, name }));
  });
});

test("an edited environment with an unsafe address is rejected", async () => {
  const mine = { ...localEnvironment, base_url: "http://api.example.com" };
  await rejection("invalid_input", () => resolveEnvironment({ environments: { mine } }, "mine"));
});
