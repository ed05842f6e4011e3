/** The setup of every test file. */
import fc from "fast-check";
import { afterAll, afterEach, vi } from "vitest";

import { spellFields } from "../../src/base/fields.js";
import { useLanguage } from "../../src/languages/language.js";
import { isMutation } from "./soak.js";

/**
 * The seed of random tests is the date. On one day, all runs draw the same values, so that a change doesn't fail because of an older
 * defect; each new day tries other values. `COMANDA_TEST_SEED` sets another seed.
 */
const today = new Date().toISOString().slice(0, 10).replaceAll("-", "");
// A mutant needs no smallest example.
fc.configureGlobal({ seed: Number(process.env["COMANDA_TEST_SEED"] ?? today), endOnFailure: isMutation });

afterEach(() => {
  spellFields(String);
  return useLanguage("en");
});

// Restores the environment for the worker's next file.
afterAll(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});
