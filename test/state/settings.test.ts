import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, onTestFinished, test } from "vitest";

import { mountSmallDisk, smallDiskAvailable } from "../support/small-disk.js";
import { dataFilesIn, openState, temporaryFolder } from "./support/folder.js";
import { rejection } from "./support/rejection.js";

function open(folder = temporaryFolder()) {
  return { folder, file: path.join(folder, "settings.json"), settings: openState(folder).settings };
}

describe("settings", () => {
  test.each([
    ["{", "damaged"],
    ['{"environments":{"x":{}}}', "damaged"],
    ['{"version":2,"environments":{}}', "different version of comanda"],
  ])(
    "from the file %j cause an error that names the file, which is never overwritten",
    async (text, reason) => {
      const { settings, file } = open();
      writeFileSync(file, text, { mode: 0o600 });
      for (const run of [() => settings.read(), () => settings.update((current) => current)]) {
        const error = await rejection("state_unusable", run);
        expect(error.message).toContain(file);
        expect(error.message).toContain(reason);
      }
      expect(readFileSync(file, "utf8")).toBe(text);
    },
  );

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
