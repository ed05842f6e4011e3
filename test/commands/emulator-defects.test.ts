import { expect, test } from "vitest";

import { tellDefects } from "../../src/commands/emulator/options.js";
import { createTestEmulator } from "../emulator/support.js";

test("an emulator in a terminal says on stderr what a 500 came from, on one line", async () => {
  const said: string[] = [];
  const emulator = createTestEmulator({ onDefect: tellDefects({ warn: (text) => said.push(text) }) });
  emulator.service.log.entries = () => {
    throw new RangeError("out\nof range");
  };
  expect((await emulator.request("/_emulator/log?x=1")).status).toBe(500);
  expect(said).toEqual([
    expect.stringMatching(
      /^the emulator answered GET \/_emulator\/log with 500: RangeError: out of range; at [^\n]+$/,
    ),
  ]);
});
