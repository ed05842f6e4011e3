/** Set up for every test file. */
import fc from "fast-check";
import { afterAll, afterEach, vi } from "vitest";

import { useLanguage } from "../../src/languages/language.js";

/**
 * What is drawn by chance is drawn anew each day, and is the same for everyone on it: a change isn't refused for a fault that
 * stood there before, and a new day looks elsewhere. `COMANDA_TEST_SEED` gives another one.
 */
const today = new Date().toISOString().slice(0, 10).replaceAll("-", "");
fc.configureGlobal({ seed: Number(process.env["COMANDA_TEST_SEED"] ?? today) });

afterEach(() => useLanguage("en"));

// The next file of this worker starts with the environment as it was.
afterAll(() => {
  vi.unstubAllEnvs();
});
