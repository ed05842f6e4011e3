/** What tests open is closed after the test, or after the tests of the file or block that opened it while it was collected. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterAll, onTestFinished, TestRunner } from "vitest";

/** Must not be called in `beforeAll`, which belongs to neither. */
export function afterwards(work: () => unknown): void {
  const end = async () => {
    await work();
  };
  if (TestRunner.getCurrentTest()) onTestFinished(end);
  else afterAll(end);
}

/** Returns the opened thing, which is closed afterwards. */
export function closing<Opened extends { readonly close: () => unknown }>(opened: Opened): Opened {
  afterwards(() => opened.close());
  return opened;
}

/** Creates a folder, which is removed afterwards. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "comanda-test-"));
  afterwards(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
