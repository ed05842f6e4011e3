import { expect, test } from "vitest";

import { createStyle, plainStyle } from "../../src/cli/text.js";

const terminal = { isTTY: true };
const file = {};

test.each<[string, { isTTY?: boolean }, Record<string, string>, boolean, boolean]>([
  ["a terminal", terminal, {}, true, true],
  ["a file", file, {}, true, false],
  ["a terminal, NO_COLOR", terminal, { NO_COLOR: "1" }, true, false],
  ["a terminal, NO_COLOR set to nothing", terminal, { NO_COLOR: "" }, true, true],
  ["a file, FORCE_COLOR", file, { FORCE_COLOR: "1" }, true, true],
  ["a terminal, FORCE_COLOR=0", terminal, { FORCE_COLOR: "0" }, true, false],
  ["a file, FORCE_COLOR and NO_COLOR", file, { FORCE_COLOR: "1", NO_COLOR: "1" }, true, true],
  ["a terminal, --no-color", terminal, { FORCE_COLOR: "1" }, false, false],
])("colours for %s", async (_, stream, env, choice, expected) => {
  expect((await createStyle(stream, env, choice)) !== plainStyle).toBe(expected);
});
