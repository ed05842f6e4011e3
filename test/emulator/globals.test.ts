import { expect, test } from "vitest";

import { startEmulator } from "../../src/emulator/index.js";

test("another program's global Request and Response are left alone", async () => {
  const before = [globalThis.Request, globalThis.Response];
  const emulator = await startEmulator({ orders: 10 });
  await fetch(`${emulator.url}/_emulator/orders`);
  await emulator.close();
  expect([globalThis.Request, globalThis.Response]).toEqual(before);
});
