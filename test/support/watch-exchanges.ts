/** Set up for every test file: whatever it does, an OpenAPI validator has nothing against what the service was asked and answered. */
import { afterAll, expect } from "vitest";

import { mismatches, recordedExchanges, startRecording, stopRecording } from "./exchanges.js";

startRecording();
afterAll(() => {
  const problems = mismatches(recordedExchanges());
  stopRecording();
  expect(problems).toEqual([]);
});
