/** Several processes that start for the first time, in the same moment. */
import type * as nodeFs from "node:fs";
import { existsSync } from "node:fs";
import path from "node:path";

import { expect, test, vi } from "vitest";

import { makeFolder } from "../../src/state/files/private-file.js";
import { temporaryFolder } from "./support/folder.js";

const others = vi.hoisted((): { act: () => void } => ({ act: () => undefined }));

vi.mock("node:fs", async (importOriginal) => {
  const fs = await importOriginal<typeof nodeFs>();
  return {
    ...fs,
    mkdirSync: (folder: string, options: nodeFs.MakeDirectoryOptions) => {
      try {
        return fs.mkdirSync(folder, options);
      } finally {
        others.act();
      }
    },
  };
});

test.each(["config", "config/locks"])("another one makes %s just after this one missed it", async (made) => {
  const { mkdirSync } = await vi.importActual<typeof nodeFs>("node:fs");
  const root = temporaryFolder();
  others.act = () => mkdirSync(path.join(root, made), { recursive: true });
  const folder = path.join(root, "config", "locks");
  makeFolder(folder);
  expect(existsSync(folder)).toBe(true);
});
