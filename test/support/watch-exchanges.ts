/**
 * Set up for every test file: whatever it does, an OpenAPI validator has nothing against what the service was asked and
 * answered. A file that starts no service loads nothing for it.
 */
import { afterAll, afterEach, expect, vi } from "vitest";

import { useLanguage } from "../../src/languages/language.js";
import { isRecording, recordedExchanges, stopRecording } from "./exchanges.js";

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
