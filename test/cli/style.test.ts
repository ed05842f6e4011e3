import { expect, test } from "vitest";

import { createStyle, plainStyle, type ColorChoice } from "../../src/cli/text.js";

const terminal = { isTTY: true };
const file = {};

test.each<[string, { isTTY?: boolean }, Record<string, string>, ColorChoice, boolean]>([
  ["a terminal", terminal, {}, "auto", true],
  ["a file", file, {}, "auto", false],
  ["a terminal, NO_COLOR", terminal, { NO_COLOR: "1" }, "auto", false],
  ["a terminal, NO_COLOR set to nothing", terminal, { NO_COLOR: "" }, "auto", true],
  ["a file, FORCE_COLOR", file, { FORCE_COLOR: "1" }, "auto", true],
  ["a terminal, FORCE_COLOR=0", terminal, { FORCE_COLOR: "0" }, "auto", false],
  ["a file, FORCE_COLOR and NO_COLOR", file, { FORCE_COLOR: "1", NO_COLOR: "1" }, "auto", true],
  ["a terminal, never", terminal, { FORCE_COLOR: "1" }, "never", false],
])("colours for %s", async (_, stream, env, choice, expected) => {
  expect((await createStyle(stream, env, choice)) !== plainStyle).toBe(expected);
});
