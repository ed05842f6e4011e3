/**
 * Set up for every test file: whatever it does, an OpenAPI validator has nothing against what the service was asked and
 * answered. A file that starts no service loads nothing for it.
 */
import fc from "fast-check";
import { afterAll, afterEach, expect, vi } from "vitest";

import { useLanguage } from "../../src/languages/language.js";
import { isRecording, recordedExchanges, stopRecording } from "./exchanges.js";

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

afterAll(async () => {
  if (!isRecording()) return;
  const exchanges = recordedExchanges();
  stopRecording();
  if (exchanges.length === 0) return;
  const { mismatches } = await import("./mismatches.js");
  expect(mismatches(exchanges)).toEqual([]);
});
