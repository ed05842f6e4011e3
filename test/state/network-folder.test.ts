/** The folder of the state on a network file system: the leases of one machine may mean nothing to another. */
import path from "node:path";

import { expect, test } from "vitest";

import { systemDisk } from "../../src/state/disk.js";
import { realSystem } from "../../src/state/system.js";
import { networkWarning } from "../../src/state/files/folder-trust.js";
import { openState, temporaryFolder } from "./support/folder.js";

const diskOf = (type: number) => ({ ...systemDisk, fileSystemType: () => type });

/** Takes two leases and opens a database there. @returns what the person is told */
async function toldOn(type: number, platform: string): Promise<readonly string[]> {
  const warnings: string[] = [];
  const host = { pid: process.pid, platform, kill: () => true };
  const state = openState(temporaryFolder(), {
    system: { ...realSystem, disk: diskOf(type) },
    process: host,
    warn: (message) => warnings.push(message),
  });
  for (const name of ["x", "y"]) await state.withLease(name, () => Promise.resolve());
  await (await state.database("comanda")).close();
  return warnings;
}

test.each([
  0x6969,
  0xff534d42,
  // As a system tells it whose numbers have a sign.
  0xff534d42 | 0,
])("a lease on a file system of type %i is one of the network's: said once", async (type) => {
  const warnings = await toldOn(type, "linux");
  expect(warnings).toEqual([expect.stringContaining("lies on a network file system")]);
  expect(warnings[0]).toContain("COMANDA_CONFIG_DIR");
});

test("on this machine's own disk, and where the numbers are not Linux's, nothing is said", async () => {
  expect(await toldOn(0xef53, "linux")).toEqual([]);
  expect(await toldOn(0x6969, "darwin")).toEqual([]);
});

test("a folder that isn't there yet lies on the file system of the one that it will be made in", () => {
  const folder = temporaryFolder();
  const disk = {
    ...systemDisk,
    fileSystemType(place: string) {
      if (place === folder) return 0x6969;
      throw Object.assign(new Error("ENOENT"), { code: "ENOENT" });
    },
  };
  const warningOf = (place: string) => networkWarning(disk, "linux", place);
  expect(warningOf(path.join(folder, "a", "b"))).toContain("network file system");
  expect(warningOf("/elsewhere")).toBeUndefined();
});
