/** Several processes that start for the first time, in the same moment. */
import { existsSync, mkdirSync } from "node:fs";
import path from "node:path";

import { expect, test } from "vitest";

import { systemDisk } from "../../src/state/disk.js";
import { makeFolder } from "../../src/state/files/private-file.js";
import { temporaryFolder } from "./support/folder.js";

test.each(["config", "config/locks"])("another one makes %s just after this one missed it", (made) => {
  const root = temporaryFolder();
  const disk = {
    ...systemDisk,
    mkdir(folder: string, mode: number) {
      try {
        systemDisk.mkdir(folder, mode);
      } finally {
        mkdirSync(path.join(root, made), { recursive: true });
      }
    },
  };
  const folder = path.join(root, "config", "locks");
  makeFolder(disk, folder);
  expect(existsSync(folder)).toBe(true);
});
